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
moment-in-utc = { $date } à { $time } UTC

## Numbers, durations and lists

thousands = { "\u202F" }
no-time = aucun temps
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
