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

## What e-mails share

greeting = Hello { $name },
greeting-without-name = Hello,
copy-link = If the button does nothing, copy this address into your browser:
label-and-value = { $label }: { $value }
another-guardian = Another guardian
was-it-you = Was it you? Then there is nothing to do.

## Signing in

sign-in-subject = Your sign-in link for Porchlight
sign-in-above-link = here is your link to sign in to Porchlight:
sign-in-here = here is your link to sign in.
sign-in-button = Sign in to Porchlight
sign-in-works = It works once, for 30 minutes, and only together with this e-mail address.
sign-in-not-asked = If you did not ask for it, you can ignore this email: nobody is signed in until the link is opened and the address confirmed.

step-up-subject = Your code for Porchlight
step-up-here = here is the code to confirm that it is you:
step-up-works = It works once, for 10 minutes, and only in the browser that asked for it.
step-up-not-asked = If you did not ask for it, somebody who holds one of your devices did. Do not pass it on; you can end that sign-in under 'Signed-in devices' in Porchlight.

unknown-device = an unknown device
unknown-browser = A browser
device = { $browser } on { $system }
either = { $first } or { $second }
device-and-time = { $device }, { $time }

new-sign-in-subject = A new sign-in to Porchlight
new-sign-in-happened = somebody has signed in to Porchlight as you:
new-sign-in-not-you = If not, open Porchlight on a device of yours, choose 'You' in the menu of your account, and sign that device out. Then make new recovery codes there, which ends the old ones.

new-codes-subject = New recovery codes for Porchlight
new-codes-happened = new recovery codes were made for your Porchlight account:
new-codes-not-you = If not, open Porchlight, choose 'Sign out everywhere' in your account menu, and leave 'End my recovery codes, too' ticked. Then sign in again and make new codes.

new-address-subject = Is this your address for Porchlight?
new-address-asked = somebody asks to use this address for their emails from Porchlight.
new-address-open = If it was you, open this link within 7 days and confirm it:
new-address-confirm = If it was you, please confirm it.
new-address-button = Confirm this address
new-address-works = The link works for 7 days.
new-address-not-you = If it was not you, you can ignore this email: nothing is sent here without your answer.

address-change-subject = Your address in Porchlight will change
address-change-goes = your emails from Porchlight will go to another address:
address-change-asked = You or somebody with one of your devices asked for it.
address-change-waits = If it was you, you need not do anything. It takes effect in 24 hours at the earliest, once an email to the new address was answered.
address-change-stop-here = If it was not you, stop it here, and then end the sign-ins that you do not know under 'Signed-in devices' in Porchlight:
address-change-button = It was not me: stop it
address-change-then = Then end the sign-ins that you do not know under 'Signed-in devices' in Porchlight.

## Guardians of the same child

invitation-subject = An invitation to Porchlight
invitation-what = A parent invites you to Porchlight, where parents see what a child and a voice assistant talk about.
invitation-above-link = The link says who:
invitation-who = The invitation says who.
invitation-button = See the invitation
invitation-works-above = It works once, for 14 days.
invitation-works = The link works once, for 14 days.
invitation-told = Everybody who sees the child already is told that you were invited.
invitation-not-expected = If you expect no invitation, you can ignore this email.

somebody-invited-subject = Somebody was invited to Porchlight
somebody-invited-whom = { $by } invited somebody to see the data of { $children } in Porchlight.
somebody-invited-answer = Open Porchlight to confirm the invitation or to stop it. If you do neither, it takes effect 7 days after you have seen it there.

child-deletion-subject = A child's profile will be deleted from Porchlight
child-deletion-asked = { $by } asks to delete { $child }’s profile and conversations.
child-deletion-extent = That is { $conversations }.
child-deletion-names = Names of this child in the last 30 days: { $names }
child-deletion-answer = Open Porchlight to agree or to stop it. If you do neither, they are permanently deleted 7 days after you have seen the request there.
conversations =
    { $count ->
        [0] no conversations
        [one] { $number } conversation
       *[other] { $number } conversations
    }
conversations-on = { $conversations }, on { $day }
conversations-from-to = { $conversations }, from { $first } to { $last }
quoted-name = “{ $name }”

child-retention-subject = A child's conversations will be kept for a shorter time
child-retention-asked =
    { $count ->
        [one] { $by } asks to keep { $child }’s conversations for { $number } day only.
       *[other] { $by } asks to keep { $child }’s conversations for { $number } days only.
    }
child-retention-older = Older conversations would be deleted, except those that a parent keeps.
child-retention-answer = Open Porchlight to agree or to stop it. If you do neither, it takes effect 7 days after you have seen the request there.

reviewer-subject = An AI reader for a child's conversations
reviewer-asked = { $by } wants an AI reader to read along with { $child }’s conversations.
reviewer-words = Every word would go to { $model } at { $host }, and it would point at what you may want to look at. It can be wrong.
reviewer-answer = Open Porchlight to see where that is, to agree, or to switch it off.

child-deleted-subject = A child's data was deleted from Porchlight
child-deleted-permanently = A child’s profile and conversations were deleted from Porchlight permanently.
child-deleted-by-guardian = A guardian asked for it.
child-deleted-by-administrator = The person who set up your server removed the child.
child-deleted-by-retention = It was older than you wanted to keep.
child-deleted-extent =
    { $count ->
        [0] There were no conversations. All of it was deleted on { $day }.
        [one] There was { $number } conversation. All of it was deleted on { $day }.
       *[other] There were { $number } conversations. All of it was deleted on { $day }.
    }
child-deleted-checked = Checked on { $day }: no longer in any of Porchlight’s data files.
child-deleted-backups = Backups made by this server may hold it until { $day }.
child-deleted-copies = Copies that somebody made are not known to Porchlight.

## Alerts at once

alerts-subject = Something to look at in Porchlight
alerts-urgent = Please look now.
alerts-phrase =
    { $count ->
        [one] A phrase that you watch for was said in { $child }'s conversation.
       *[other] Phrases that you watch for were said in { $child }'s conversations: { $number } alerts.
    }
alerts-outside-times =
    { $count ->
        [one] { $child } and an assistant talked while it was not allowed.
       *[other] { $child } and an assistant talked while it was not allowed: { $number } alerts.
    }
alerts-reviewer =
    { $count ->
        [one] An AI reader flagged something in { $child }'s conversation. It can be wrong.
       *[other] An AI reader flagged something in { $child }'s conversations: { $number } alerts. It can be wrong.
    }
alerts-at-least = at least { $number }
alerts-quote = “{ $phrase }”: { $text }
alerts-button = Read more in Porchlight
alerts-chosen = You get this because you chose it under ‘Subscription’ in Porchlight. You can switch it off there.

## Notifications

notification-news = Porchlight has something to tell you.
notification-news-since = Porchlight has had something to tell you since { $time }.
notification-urgent = Please open Porchlight now.
notification-test = Notifications from Porchlight arrive here.
push-news = Something new in Porchlight.

notifications-on-subject = Porchlight notifications were switched on
notifications-on-happened = Porchlight can now notify a phone that you set up. This was switched on:
quotes-on-subject = Your Porchlight emails will include quotes
quotes-on-happened = from now on, emails from Porchlight to you include quotes and topics from your children’s conversations. This was switched on:
switched-on-not-you = If not, open Porchlight and choose ‘Sign out everywhere’ in your account menu. That switches it off again.

certificate-subject = Porchlight: the certificate ends soon
certificate-ends = The certificate for { $name } is valid until { $day } (UTC) and could not be renewed yet.
certificate-then = After that, browsers warn when you open Porchlight there. You can then sign in at its plain address again, which isn't encrypted.
certificate-administrator = The person who set up this server can find out why: { $command }

test-email-subject = A test from Porchlight
test-email-arrives = this is a test: emails from Porchlight arrive here.

## The weekly e-mail

weekly-subject = Your week on Porchlight
weekly-week = here is your week from { $span }.
weekly-quiet = A quiet week: from { $span } there were no conversations and no alerts for { $children }.
weekly-button = Open Porchlight
weekly-chosen = Porchlight sends this email once a week. Choose when, or switch it off, under Subscription.
weekly-your-child = Your child
weekly-more-children =
    { $count ->
        [one] One more child is in Porchlight.
       *[other] { $number } more children are in Porchlight.
    }
weekly-unreadable-children =
    { $count ->
        [one] The data of one child can't be read.
       *[other] The data of { $number } children can't be read.
    }
weekly-no-talk = No conversations
weekly-talk = { $length } of conversation
weekly-before = The week before: { $length }
weekly-no-new-conversations = No new conversations
weekly-conversations =
    { $count ->
        [one] { $number } conversation
       *[other] { $number } conversations
    }
weekly-alerts =
    { $count ->
        [0] no alerts
        [one] { $number } alert
       *[other] { $number } alerts
    }
weekly-many-alerts = { $number } or more alerts
weekly-topics = What it was about
weekly-more-topics = { $number } more
weekly-assistant = An assistant
weekly-assistant-after-with = an assistant
weekly-silent = { $assistant } has not connected since { $day }, so { $child }'s conversations there may be missing.
weekly-all-silent = None of { $child }'s assistants has connected since { $day }, so conversations may be missing.
weekly-refused =
    { $count ->
        [one] { $assistant } refused your current rules for { $child }.
       *[other] { $assistant } refused your current rules for { $child } in { $number } conversations.
    }
weekly-unconfirmed = { $assistant } talked with { $child } for { $length } without confirming your current rules.
weekly-not-saved =
    { $count ->
        [one] { $number } message from { $child }'s conversations with { $assistant } could not be saved.
       *[other] { $number } messages from { $child }'s conversations with { $assistant } could not be saved.
    }
weekly-more-notices =
    { $count ->
        [one] { $number } more notice about assistants in Porchlight.
       *[other] { $number } more notices about assistants in Porchlight.
    }
weekly-unreadable = Some of what is kept about { $child } can't be read, so these numbers may be too low.
