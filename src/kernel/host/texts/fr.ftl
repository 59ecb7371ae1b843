# The server's sentences in French. ui/locales/README.md has the terms.

## Days and times

month =
    { $number ->
        [1] janvier
        [2] février
        [3] mars
        [4] avril
        [5] mai
        [6] juin
        [7] juillet
        [8] août
        [9] septembre
        [10] octobre
        [11] novembre
       *[12] décembre
    }
weekday =
    { $number ->
        [0] lundi
        [1] mardi
        [2] mercredi
        [3] jeudi
        [4] vendredi
        [5] samedi
       *[6] dimanche
    }
date =
    { $day ->
        [1] 1er
       *[other] { $day }
    } { $month } { $year }
date-with-weekday =
    { $weekday } { $day ->
        [1] 1er
       *[other] { $day }
    } { $month }
span-in-month =
    { $day ->
        [1] 1er
       *[other] { $day }
    } au { $last-day } { $month }
span-of-months =
    { $day ->
        [1] 1er
       *[other] { $day }
    } { $month } au { $last-day ->
        [1] 1er
       *[other] { $last-day }
    } { $last-month }
time = { $hour }:{ $minute }
moment = { $weekday } { $date } à { $time } ({ $zone })

## Numbers, durations and lists

thousands = { "\u202F" }
no-time = rien
less-than-a-minute = moins d’une minute
hours =
    { $count ->
        [one] { $number } heure
       *[other] { $number } heures
    }
minutes =
    { $count ->
        [one] { $number } minute
       *[other] { $number } minutes
    }
hours-and-minutes = { $hours } { $minutes }
list = { $first } et { $last }

## What e-mails share

greeting = Bonjour { $name },
greeting-without-name = Bonjour,
copy-link = Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :
label-and-value = { $label } : { $value }
another-guardian = Un autre parent
was-it-you = C’était vous ? Alors vous n’avez rien à faire.

## Signing in

sign-in-subject = Votre lien de connexion à Porchlight
sign-in-above-link = Voici votre lien pour vous connecter à Porchlight :
sign-in-here = Voici votre lien de connexion.
sign-in-button = Se connecter à Porchlight
sign-in-works = Il est valable 30 minutes, une seule fois, et seulement avec cette adresse e-mail.
sign-in-not-asked = Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail : personne n’est connecté tant que le lien n’est pas ouvert et l’adresse confirmée.

step-up-subject = Votre code pour Porchlight
step-up-here = Voici le code pour confirmer que c’est bien vous :
step-up-works = Il est valable 10 minutes, une seule fois, et seulement dans le navigateur qui l’a demandé.
step-up-not-asked = Si ce n’est pas vous qui l’avez demandé, c’est quelqu’un qui a l’un de vos appareils. Ne donnez ce code à personne. Vous pouvez déconnecter cet appareil dans Porchlight, sous « Appareils connectés ».

unknown-device = un appareil inconnu
unknown-browser = Un navigateur
device = { $browser } ({ $system-names })
either = { $first } ou { $second }
device-and-time = { $device }, { $time }

new-sign-in-subject = Une nouvelle connexion à Porchlight
new-sign-in-happened = Quelqu’un s’est connecté à Porchlight avec votre compte :
new-sign-in-not-you = Si ce n’était pas vous, ouvrez Porchlight sur l’un de vos appareils, choisissez « Vous » dans le menu de votre compte et déconnectez l’appareil en question. Au même endroit, créez ensuite de nouveaux codes de secours ; les anciens ne fonctionneront plus.

new-codes-subject = De nouveaux codes de secours pour Porchlight
new-codes-happened = De nouveaux codes de secours ont été créés pour votre compte Porchlight :
new-codes-not-you = Si ce n’était pas vous, ouvrez Porchlight, choisissez « Se déconnecter partout » dans le menu de votre compte et laissez la case « Annuler aussi mes codes de secours » cochée. Connectez-vous ensuite à nouveau et créez de nouveaux codes.

new-address-subject = Est-ce votre adresse pour Porchlight ?
new-address-asked = Quelqu’un demande à recevoir ses e-mails de Porchlight à cette adresse.
new-address-open = Si c’est vous, ouvrez ce lien dans les 7 jours et confirmez l’adresse :
new-address-confirm = Si c’est vous, confirmez l’adresse.
new-address-button = Confirmer cette adresse
new-address-works = Le lien est valable 7 jours.
new-address-not-you = Si ce n’est pas vous, vous pouvez ignorer cet e-mail : sans votre confirmation, rien n’est envoyé à cette adresse.

address-change-subject = Votre adresse dans Porchlight va changer
address-change-goes = Vos e-mails de Porchlight iront à une autre adresse :
address-change-asked = La demande vient de vous, ou de quelqu’un qui a l’un de vos appareils.
address-change-waits = Si c’était vous, vous n’avez rien à faire. Le changement prend effet au plus tôt dans 24 heures, et seulement une fois la nouvelle adresse confirmée.
address-change-stop-here = Si ce n’était pas vous, arrêtez le changement ici, puis déconnectez les appareils que vous ne connaissez pas, sous « Appareils connectés » dans Porchlight :
address-change-button = Ce n’était pas moi : arrêter
address-change-then = Déconnectez ensuite les appareils que vous ne connaissez pas, sous « Appareils connectés » dans Porchlight.

## Guardians of the same child

invitation-subject = Une invitation à rejoindre Porchlight
invitation-what = Un parent vous invite à rejoindre Porchlight, où les parents voient de quoi parlent un enfant et un assistant vocal.
invitation-above-link = Le lien dit qui vous invite :
invitation-who = L’invitation dit qui vous invite.
invitation-button = Voir l’invitation
invitation-works-above = Il est valable 14 jours, une seule fois.
invitation-works = Le lien est valable 14 jours, une seule fois.
invitation-told = Toutes les personnes qui voient déjà l’enfant dans Porchlight sont informées de l’invitation.
invitation-not-expected = Si vous n’attendez pas d’invitation, vous pouvez ignorer cet e-mail.

somebody-invited-subject = Une invitation à Porchlight a été envoyée
somebody-invited-whom = { $by } a invité quelqu’un à voir dans Porchlight les données concernant { $children }.
somebody-invited-answer = Ouvrez Porchlight pour confirmer l’invitation ou l’arrêter. Si vous ne faites ni l’un ni l’autre, elle prend effet 7 jours après que vous l’avez vue dans Porchlight.

child-deletion-subject = Le profil d’un enfant va être supprimé de Porchlight
child-deletion-asked = { $by } demande la suppression du profil « { $child } » et de toutes ses conversations.
child-deletion-extent = Au total : { $conversations }.
child-deletion-names = Noms donnés à cet enfant ces 30 derniers jours : { $names }
child-deletion-answer = Ouvrez Porchlight pour accepter ou arrêter la suppression. Si vous ne faites ni l’un ni l’autre, le profil et les conversations sont supprimés définitivement 7 jours après que vous avez vu la demande dans Porchlight.
conversations =
    { $count ->
        [0] aucune conversation
        [one] { $number } conversation
       *[other] { $number } conversations
    }
conversations-on = { $conversations }, le { $day }
conversations-from-to = { $conversations }, du { $first } au { $last }
quoted-name = « { $name } »

child-retention-subject = Les conversations d’un enfant seront conservées moins longtemps
child-retention-asked =
    { $count ->
        [one] { $by } demande de ne conserver les conversations avec { $child } que { $number } jour.
       *[other] { $by } demande de ne conserver les conversations avec { $child } que { $number } jours.
    }
child-retention-older = Les conversations plus anciennes seraient supprimées, sauf celles qu’un parent conserve.
child-retention-answer = Ouvrez Porchlight pour accepter ou arrêter ce changement. Si vous ne faites ni l’un ni l’autre, il prend effet 7 jours après que vous avez vu la demande dans Porchlight.

reviewer-subject = Un lecteur IA pour les conversations d’un enfant
reviewer-asked = { $by } souhaite qu’un lecteur IA lise aussi les conversations avec { $child }.
reviewer-words = Tout ce qui est dit serait envoyé à { $model }, sur { $host }. Le lecteur IA vous signalerait ce que vous voudriez peut-être regarder. Il peut se tromper.
reviewer-answer = Ouvrez Porchlight pour voir où vont les conversations, pour accepter ou pour désactiver le lecteur IA.

child-deleted-subject = Les données d’un enfant ont été supprimées de Porchlight
child-deleted-permanently = Le profil et les conversations d’un enfant ont été supprimés définitivement de Porchlight.
child-deleted-by-guardian = Un parent l’a demandé.
child-deleted-by-administrator = La personne qui a installé votre serveur a retiré l’enfant de Porchlight.
child-deleted-by-retention = Ces données avaient dépassé votre durée de conservation.
child-deleted-extent =
    { $count ->
        [0] Il n’y avait aucune conversation. Tout a été supprimé le { $day }.
        [one] Il y avait { $number } conversation. Tout a été supprimé le { $day }.
       *[other] Il y avait { $number } conversations. Tout a été supprimé le { $day }.
    }
child-deleted-checked = Vérifié le { $day } : plus rien dans les fichiers de données de Porchlight.
child-deleted-backups = Les sauvegardes faites par ce serveur peuvent encore contenir ces données jusqu’au { $day }.
child-deleted-copies = Si quelqu’un en a fait des copies, Porchlight ne les connaît pas.

## Alerts at once

alerts-subject = Quelque chose à voir dans Porchlight
alerts-urgent = À voir maintenant.
alerts-phrase =
    { $count ->
        [one] Une expression que vous surveillez a été dite dans une conversation entre { $child } et un assistant.
       *[other] Des expressions que vous surveillez ont été dites dans des conversations entre { $child } et un assistant : { $number } alertes.
    }
alerts-outside-times =
    { $count ->
        [one] { $child } et un assistant se sont parlé alors que ce n’était pas permis.
       *[other] { $child } et un assistant se sont parlé alors que ce n’était pas permis : { $number } alertes.
    }
alerts-reviewer =
    { $count ->
        [one] Un lecteur IA a signalé quelque chose dans une conversation entre { $child } et un assistant. Il peut se tromper.
       *[other] Un lecteur IA a signalé quelque chose dans des conversations entre { $child } et un assistant : { $number } alertes. Il peut se tromper.
    }
alerts-at-least = au moins { $number }
alerts-quote = « { $phrase } » : { $text }
alerts-button = En savoir plus dans Porchlight
alerts-chosen = Vous recevez cet e-mail parce que vous l’avez choisi sous « Notifications » dans Porchlight. Vous pouvez le désactiver au même endroit.

## Notifications

notification-news = Porchlight a quelque chose à vous dire.
notification-news-since = Porchlight a quelque chose à vous dire depuis le { $time }.
notification-urgent = Ouvrez Porchlight maintenant, s’il vous plaît.
notification-test = Les notifications de Porchlight arrivent bien ici.
push-news = Du nouveau dans Porchlight.

notifications-on-subject = Les notifications de Porchlight ont été activées
notifications-on-happened = Porchlight peut maintenant envoyer des notifications à un téléphone que vous avez configuré. Date de l’activation :
quotes-on-subject = Vos e-mails de Porchlight contiendront des citations
quotes-on-happened = Désormais, les e-mails que Porchlight vous envoie contiennent des citations et les sujets des conversations de vos enfants. Date de l’activation :
switched-on-not-you = Si ce n’était pas vous, ouvrez Porchlight et choisissez « Se déconnecter partout » dans le menu de votre compte. Cela annule l’activation.

certificate-subject = Porchlight : le certificat expire bientôt
certificate-ends = Le certificat de { $name } est valable jusqu’au { $day } (UTC) et n’a pas encore pu être renouvelé.
certificate-then = Ensuite, les navigateurs vous avertiront quand vous ouvrirez Porchlight à cette adresse. Vous pourrez alors vous connecter de nouveau à l’adresse simple, qui n’est pas chiffrée.
certificate-administrator = La personne qui a installé ce serveur peut en trouver la raison : { $command }

test-email-subject = Un test de Porchlight
test-email-arrives = Ceci est un test : les e-mails de Porchlight arrivent bien ici.

## The weekly e-mail

weekly-subject = Votre semaine dans Porchlight
weekly-week = Voici votre semaine du { $span }.
weekly-quiet = Une semaine calme : du { $span }, il n’y a eu ni conversation ni alerte pour { $children }.
weekly-button = Ouvrir Porchlight
weekly-chosen = Porchlight envoie cet e-mail une fois par semaine. Sous « Notifications », vous pouvez choisir quand il arrive ou le désactiver.
weekly-your-child = Votre enfant
weekly-more-children =
    { $count ->
        [one] La semaine d’un autre enfant est à voir dans Porchlight.
       *[other] La semaine de { $number } autres enfants est à voir dans Porchlight.
    }
weekly-unreadable-children =
    { $count ->
        [one] Les données d’un enfant sont illisibles.
       *[other] Les données de { $number } enfants sont illisibles.
    }
weekly-no-talk = Aucune conversation
weekly-talk = { $length } de conversation
weekly-before = La semaine précédente : { $length }
weekly-no-new-conversations = Aucune nouvelle conversation
weekly-conversations =
    { $count ->
        [one] { $number } conversation
       *[other] { $number } conversations
    }
weekly-alerts =
    { $count ->
        [0] aucune alerte
        [one] { $number } alerte
       *[other] { $number } alertes
    }
weekly-many-alerts = { $number } alertes ou plus
weekly-topics = Sujets abordés
weekly-more-topics =
    { $count ->
        [one] { $number } autre
       *[other] { $number } autres
    }
weekly-assistant = Un assistant
weekly-assistant-after-with = un assistant
weekly-silent = { $assistant } ne se connecte plus depuis le { $day }. Il manque peut-être des conversations avec { $child }.
weekly-all-silent = Plus aucun assistant ne se connecte pour { $child } depuis le { $day }. Il manque peut-être des conversations.
weekly-refused =
    { $count ->
        [one] { $assistant } a refusé vos règles actuelles pour { $child }.
       *[other] { $assistant } a refusé vos règles actuelles pour { $child } dans { $number } conversations.
    }
weekly-unconfirmed = { $assistant } a parlé avec { $child } pendant { $length } sans confirmer vos règles actuelles.
weekly-not-saved =
    { $count ->
        [one] { $number } message échangé entre { $child } et { $assistant } n’a pas pu être enregistré.
       *[other] { $number } messages échangés entre { $child } et { $assistant } n’ont pas pu être enregistrés.
    }
weekly-more-notices =
    { $count ->
        [one] { $number } autre remarque sur les assistants est à voir dans Porchlight.
       *[other] { $number } autres remarques sur les assistants sont à voir dans Porchlight.
    }
weekly-unreadable = Une partie des données conservées sur { $child } est illisible. Ces nombres sont peut-être trop bas.
