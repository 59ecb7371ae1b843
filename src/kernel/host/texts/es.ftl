# The server's sentences in Spanish. ui/locales/README.md has the terms.

## Days and times

month =
    { $number ->
        [1] enero
        [2] febrero
        [3] marzo
        [4] abril
        [5] mayo
        [6] junio
        [7] julio
        [8] agosto
        [9] septiembre
        [10] octubre
        [11] noviembre
       *[12] diciembre
    }
weekday =
    { $number ->
        [0] lunes
        [1] martes
        [2] miércoles
        [3] jueves
        [4] viernes
        [5] sábado
       *[6] domingo
    }
date = { $day } de { $month } de { $year }
date-with-weekday = { $weekday }, { $day } de { $month }
span-in-month = { $day } al { $last-day } de { $month }
span-of-months = { $day } de { $month } al { $last-day } de { $last-month }
time = { $hour }:{ $minute }
moment = { $weekday }, { $date }, { $time } ({ $zone })
moment-in-utc = { $date }, { $time } UTC

## Numbers, durations and lists

thousands = { "." }
no-time = nada
less-than-a-minute = menos de un minuto
hours =
    { $count ->
        [one] { $number } hora
       *[other] { $number } horas
    }
minutes =
    { $count ->
        [one] { $number } minuto
       *[other] { $number } minutos
    }
hours-and-minutes = { $hours } y { $minutes }
list =
    { $first } { $sound ->
        [i] e
       *[other] y
    } { $last }
