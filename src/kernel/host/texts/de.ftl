# The server's sentences in German. ui/locales/README.md has the terms.

## Days and times

month =
    { $number ->
        [1] Januar
        [2] Februar
        [3] März
        [4] April
        [5] Mai
        [6] Juni
        [7] Juli
        [8] August
        [9] September
        [10] Oktober
        [11] November
       *[12] Dezember
    }
weekday =
    { $number ->
        [0] Montag
        [1] Dienstag
        [2] Mittwoch
        [3] Donnerstag
        [4] Freitag
        [5] Samstag
       *[6] Sonntag
    }
date = { $day }. { $month } { $year }
date-with-weekday = { $weekday }, { $day }. { $month }
span-in-month = { $day }. bis { $last-day }. { $month }
span-of-months = { $day }. { $month } bis { $last-day }. { $last-month }
time = { $hour }:{ $minute }
moment = { $weekday }, { $date } um { $time } ({ $zone })

## Numbers, durations and lists

thousands = { "." }
no-time = nichts
less-than-a-minute = weniger als eine Minute
hours =
    { $count ->
        [one] { $number } Stunde
       *[other] { $number } Stunden
    }
minutes =
    { $count ->
        [one] { $number } Minute
       *[other] { $number } Minuten
    }
hours-and-minutes = { $hours } { $minutes }
list = { $first } und { $last }

## What e-mails share

greeting = Hallo { $name },
greeting-without-name = Hallo,
copy-link = Wenn der Button nicht funktioniert, kopiere diese Adresse in deinen Browser:
label-and-value = { $label }: { $value }
another-guardian = ein anderer Elternteil
was-it-you = Warst du das? Dann musst du nichts tun.

## Signing in

sign-in-subject = Dein Anmeldelink für Porchlight
sign-in-above-link = hier ist dein Anmeldelink für Porchlight:
sign-in-here = hier ist dein Anmeldelink.
sign-in-button = Bei Porchlight anmelden
sign-in-works = Er funktioniert nur einmal, nur 30 Minuten lang und nur zusammen mit dieser E-Mail-Adresse.
sign-in-not-asked = Wenn du ihn nicht angefordert hast, kannst du diese E-Mail ignorieren: Niemand wird angemeldet, bevor der Link geöffnet und die Adresse bestätigt ist.

step-up-subject = Dein Code für Porchlight
step-up-here = hier ist der Code, mit dem du bestätigst, dass du es bist:
step-up-works = Er funktioniert nur einmal, nur 10 Minuten lang und nur in dem Browser, in dem er angefordert wurde.
step-up-not-asked = Wenn du ihn nicht angefordert hast, war es jemand mit einem deiner Geräte. Gib den Code nicht weiter. Das Gerät kannst du in Porchlight unter „Angemeldete Geräte“ abmelden.

unknown-device = ein unbekanntes Gerät
unknown-browser = Ein Browser
device = { $browser } ({ $system-names })
either = { $first } oder { $second }
device-and-time = { $device }, { $time }

new-sign-in-subject = Eine neue Anmeldung bei Porchlight
new-sign-in-happened = jemand hat sich mit deinem Konto bei Porchlight angemeldet:
new-sign-in-not-you = Wenn nicht, öffne Porchlight auf einem deiner Geräte, wähle im Menü deines Kontos „Du“ und melde das fremde Gerät ab. Erstelle dort dann neue Ersatzcodes; die alten gelten danach nicht mehr.

new-codes-subject = Neue Ersatzcodes für Porchlight
new-codes-happened = für dein Konto bei Porchlight wurden neue Ersatzcodes erstellt:
new-codes-not-you = Wenn nicht, öffne Porchlight, wähle im Menü deines Kontos „Überall abmelden“ und lass „Auch meine Ersatzcodes ungültig machen“ angekreuzt. Melde dich dann wieder an und erstelle neue Codes.

new-address-subject = Ist das deine Adresse für Porchlight?
new-address-asked = jemand möchte E-Mails von Porchlight an diese Adresse bekommen.
new-address-open = Wenn du das warst, öffne innerhalb von 7 Tagen diesen Link und bestätige die Adresse:
new-address-confirm = Wenn du das warst, bestätige bitte die Adresse.
new-address-button = Diese Adresse bestätigen
new-address-works = Der Link funktioniert 7 Tage lang.
new-address-not-you = Wenn du das nicht warst, kannst du diese E-Mail ignorieren: Ohne deine Bestätigung wird nichts hierher gesendet.

address-change-subject = Deine Adresse in Porchlight wird geändert
address-change-goes = deine E-Mails von Porchlight sollen an eine andere Adresse gehen:
address-change-asked = Das warst du oder jemand mit einem deiner Geräte.
address-change-waits = Wenn du das warst, musst du nichts tun. Die neue Adresse gilt frühestens in 24 Stunden und erst, wenn sie bestätigt ist.
address-change-stop-here = Wenn du das nicht warst, stoppe die Änderung mit diesem Link und melde dann in Porchlight unter „Angemeldete Geräte“ die Geräte ab, die du nicht kennst:
address-change-button = Das war ich nicht: stoppen
address-change-then = Melde dann in Porchlight unter „Angemeldete Geräte“ die Geräte ab, die du nicht kennst.

## Guardians of the same child

invitation-subject = Eine Einladung zu Porchlight
invitation-what = ein Elternteil lädt dich zu Porchlight ein. Dort sehen Eltern, worüber ein Kind und ein Sprachassistent miteinander sprechen.
invitation-above-link = Wer dich einlädt, erfährst du über diesen Link:
invitation-who = Wer dich einlädt, steht in der Einladung.
invitation-button = Einladung ansehen
invitation-works-above = Er funktioniert nur einmal und nur 14 Tage lang.
invitation-works = Der Link funktioniert nur einmal und nur 14 Tage lang.
invitation-told = Alle, die die Gespräche des Kindes schon sehen, erfahren, dass du eingeladen wurdest.
invitation-not-expected = Wenn du keine Einladung erwartest, kannst du diese E-Mail ignorieren.

somebody-invited-subject = Jemand wurde zu Porchlight eingeladen
somebody-invited-whom = { $by } hat jemanden eingeladen, in Porchlight die Daten von { $children } zu sehen.
somebody-invited-answer = Öffne Porchlight, um die Einladung zu bestätigen oder zu stoppen. Wenn du nichts davon tust, wird sie wirksam: 7 Tage, nachdem du sie dort gesehen hast.

child-deletion-subject = Das Profil eines Kindes soll in Porchlight gelöscht werden
child-deletion-asked = { $by } möchte das Profil und die Gespräche von { $child } löschen.
child-deletion-extent = Das betrifft { $conversations }.
child-deletion-names = Namen dieses Kindes in den letzten 30 Tagen: { $names }
child-deletion-answer = Öffne Porchlight, um zuzustimmen oder das Löschen zu stoppen. Wenn du nichts davon tust, wird alles endgültig gelöscht: 7 Tage, nachdem du die Anfrage dort gesehen hast.
conversations =
    { $count ->
        [0] keine Gespräche
        [one] { $number } Gespräch
       *[other] { $number } Gespräche
    }
conversations-on = { $conversations }, am { $day }
conversations-from-to = { $conversations }, vom { $first } bis zum { $last }
quoted-name = „{ $name }“

child-retention-subject = Die Gespräche eines Kindes sollen kürzer aufbewahrt werden
child-retention-asked =
    { $count ->
        [one] { $by } möchte die Gespräche von { $child } nur { $number } Tag aufbewahren.
       *[other] { $by } möchte die Gespräche von { $child } nur { $number } Tage aufbewahren.
    }
child-retention-older = Ältere Gespräche würden gelöscht, außer denen, die ein Elternteil behält.
child-retention-answer = Öffne Porchlight, um zuzustimmen oder die Änderung zu stoppen. Wenn du nichts davon tust, wird sie wirksam: 7 Tage, nachdem du die Anfrage dort gesehen hast.

reviewer-subject = Ein KI-Leser für die Gespräche eines Kindes
reviewer-asked = { $by } möchte, dass ein KI-Leser die Gespräche von { $child } mitliest.
reviewer-words = Jedes Wort ginge an { $model } bei { $host }. Der KI-Leser würde dich auf das hinweisen, was du dir vielleicht ansehen möchtest. Er kann sich irren.
reviewer-answer = Öffne Porchlight, um zu sehen, wohin die Worte gehen, um zuzustimmen oder um ihn auszuschalten.

child-deleted-subject = Die Daten eines Kindes wurden in Porchlight gelöscht
child-deleted-permanently = das Profil und die Gespräche eines Kindes wurden in Porchlight endgültig gelöscht.
child-deleted-by-guardian = Ein Elternteil hat das verlangt.
child-deleted-by-administrator = Wer deinen Server eingerichtet hat, hat das Kind aus Porchlight entfernt.
child-deleted-by-retention = Die Daten waren älter, als ihr sie aufbewahren wolltet.
child-deleted-extent =
    { $count ->
        [0] Es gab keine Gespräche. Alles wurde am { $day } gelöscht.
        [one] Es gab { $number } Gespräch. Alles wurde am { $day } gelöscht.
       *[other] Es gab { $number } Gespräche. Alles wurde am { $day } gelöscht.
    }
child-deleted-checked = Am { $day } geprüft: Die Daten stehen in keiner Datei von Porchlight mehr.
child-deleted-backups = Sicherungen dieses Servers können sie noch bis zum { $day } enthalten.
child-deleted-copies = Von Kopien, die jemand gemacht hat, weiß Porchlight nichts.

## Alerts at once

alerts-subject = In Porchlight wartet etwas auf dich
alerts-urgent = Bitte jetzt nachsehen.
alerts-phrase =
    { $count ->
        [one] In einem Gespräch von { $child } fiel ein Stichwort, auf das du achtest.
       *[other] In Gesprächen von { $child } fielen Stichwörter, auf die du achtest: { $number } Warnungen.
    }
alerts-outside-times =
    { $count ->
        [one] { $child } und ein Assistent haben miteinander gesprochen, obwohl es nicht erlaubt war.
       *[other] { $child } und ein Assistent haben miteinander gesprochen, obwohl es nicht erlaubt war: { $number } Warnungen.
    }
alerts-reviewer =
    { $count ->
        [one] Einem KI-Leser ist in einem Gespräch von { $child } etwas aufgefallen. Er kann sich irren.
       *[other] Einem KI-Leser ist in Gesprächen von { $child } etwas aufgefallen: { $number } Warnungen. Er kann sich irren.
    }
alerts-at-least = mindestens { $number }
alerts-quote = „{ $phrase }“: { $text }
alerts-button = In Porchlight weiterlesen
alerts-chosen = Du bekommst diese E-Mail, weil du es in Porchlight unter „Benachrichtigungen“ so gewählt hast. Dort kannst du sie ausschalten.

## Notifications

notification-news = In Porchlight wartet etwas auf dich.
notification-news-since = In Porchlight wartet etwas auf dich, seit { $time }.
notification-urgent = Bitte öffne jetzt Porchlight.
notification-test = Benachrichtigungen von Porchlight kommen hier an.
push-news = Etwas Neues in Porchlight.

notifications-on-subject = Benachrichtigungen von Porchlight wurden eingeschaltet
notifications-on-happened = Porchlight kann jetzt Benachrichtigungen an ein Handy senden, das du eingerichtet hast. Eingeschaltet am:
quotes-on-subject = Deine E-Mails von Porchlight werden Zitate enthalten
quotes-on-happened = ab jetzt enthalten E-Mails von Porchlight an dich Zitate und Themen aus den Gesprächen deiner Kinder. Eingeschaltet am:
switched-on-not-you = Wenn nicht, öffne Porchlight und wähle im Menü deines Kontos „Überall abmelden“. Damit wird es wieder ausgeschaltet.

certificate-subject = Porchlight: Das Zertifikat läuft bald ab
certificate-ends = Das Zertifikat für { $name } gilt bis zum { $day } (UTC) und konnte noch nicht erneuert werden.
certificate-then = Danach warnen Browser, wenn du Porchlight dort öffnest. Du kannst dich dann wieder unter der einfachen Adresse anmelden, die nicht verschlüsselt ist.
certificate-administrator = Die Person, die diesen Server eingerichtet hat, kann den Grund herausfinden: { $command }

test-email-subject = Ein Test von Porchlight
test-email-arrives = das ist ein Test: E-Mails von Porchlight kommen hier an.

## The weekly e-mail

weekly-subject = Deine Woche in Porchlight
weekly-week = hier ist deine Woche vom { $span }.
weekly-quiet = es war eine ruhige Woche: Vom { $span } gab es bei { $children } keine Gespräche und keine Warnungen.
weekly-button = Porchlight öffnen
weekly-chosen = Porchlight sendet diese E-Mail einmal in der Woche. Unter „Benachrichtigungen“ wählst du, wann sie kommt, oder schaltest sie aus.
weekly-your-child = Dein Kind
weekly-more-children =
    { $count ->
        [one] Ein weiteres Kind findest du in Porchlight.
       *[other] { $number } weitere Kinder findest du in Porchlight.
    }
weekly-unreadable-children =
    { $count ->
        [one] Die Daten eines Kindes lassen sich nicht lesen.
       *[other] Die Daten von { $number } Kindern lassen sich nicht lesen.
    }
weekly-no-talk = Keine Gespräche
weekly-talk = { $length } gesprochen
weekly-before = In der Woche davor: { $length }
weekly-no-new-conversations = Keine neuen Gespräche
weekly-conversations =
    { $count ->
        [one] { $number } Gespräch
       *[other] { $number } Gespräche
    }
weekly-alerts =
    { $count ->
        [0] keine Warnungen
        [one] { $number } Warnung
       *[other] { $number } Warnungen
    }
weekly-many-alerts = { $number } Warnungen oder mehr
weekly-topics = Worum es ging
weekly-more-topics =
    { $count ->
        [one] { $number } weiteres
       *[other] { $number } weitere
    }
weekly-assistant = Ein Assistent
weekly-assistant-after-with = einem Assistenten
weekly-silent = { $assistant } hat sich seit { $day } nicht verbunden. Gespräche von { $child } dort fehlen deshalb vielleicht.
weekly-all-silent = Keiner der Assistenten von { $child } hat sich seit { $day } verbunden. Deshalb fehlen vielleicht Gespräche.
weekly-refused =
    { $count ->
        [one] { $assistant } hat deine aktuellen Regeln für { $child } abgelehnt.
       *[other] { $assistant } hat deine aktuellen Regeln für { $child } in { $number } Gesprächen abgelehnt.
    }
weekly-unconfirmed = { $assistant } hat { $length } lang mit { $child } gesprochen, ohne deine aktuellen Regeln zu bestätigen.
weekly-not-saved =
    { $count ->
        [one] { $number } Nachricht aus Gesprächen von { $child } mit { $assistant } konnte nicht gespeichert werden.
       *[other] { $number } Nachrichten aus Gesprächen von { $child } mit { $assistant } konnten nicht gespeichert werden.
    }
weekly-more-notices =
    { $count ->
        [one] { $number } weiterer Hinweis zu Assistenten steht in Porchlight.
       *[other] { $number } weitere Hinweise zu Assistenten stehen in Porchlight.
    }
weekly-unreadable = Ein Teil dessen, was von { $child } aufbewahrt ist, lässt sich nicht lesen. Diese Zahlen sind deshalb vielleicht zu niedrig.
