# The server's sentences in English: those of e-mails and notifications. docs/languages.md says how a language is added.
#
# A plural form is chosen by $count; $number is the same number as it is shown.

## Days and times

month =
    { $number ->
        [1] January
        [2] February
        [3] March
        [4] April
        [5] May
        [6] June
        [7] July
        [8] August
        [9] September
        [10] October
        [11] November
       *[12] December
    }
weekday =
    { $number ->
        [0] Monday
        [1] Tuesday
        [2] Wednesday
        [3] Thursday
        [4] Friday
        [5] Saturday
       *[6] Sunday
    }
date = { $month } { $day }, { $year }
date-with-weekday = { $weekday }, { $month } { $day }
span-in-month = { $month } { $day } to { $last-day }
span-of-months = { $month } { $day } to { $last-month } { $last-day }
time =
    { $hour-of-half }:{ $minute } { $half ->
        [am] AM
       *[pm] PM
    }
moment = { $weekday }, { $date }, { $time } ({ $zone })
moment-in-utc = { $date }, { $time } UTC

## Numbers, durations and lists

thousands = { "," }
no-time = no time
less-than-a-minute = less than a minute
hours =
    { $count ->
        [one] { $number } hour
       *[other] { $number } hours
    }
minutes =
    { $count ->
        [one] { $number } minute
       *[other] { $number } minutes
    }
hours-and-minutes = { $hours } { $minutes }
list = { $first } and { $last }
