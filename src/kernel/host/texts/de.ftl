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
moment = { $weekday }, { $date }, { $time } ({ $zone })
moment-in-utc = { $date }, { $time } UTC

## Numbers, durations and lists

thousands = { "." }
no-time = keine Zeit
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
