//! When a message about alerts may be sent at once: at most one message in ten minutes, and none during the guardian's quiet hours.

use std::time::Duration;

use super::subscription::Subscription;
use crate::alerts::Alert;
use crate::kernel::host::clock::Timestamp;

/// The minimum interval between two messages to one guardian.
pub(super) const BETWEEN: Duration = Duration::from_secs(10 * 60);

/// What happened more than this before the server learned of it isn't told at once.
pub(super) const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Alerts that could not be sent for this long are no longer sent at once.
pub(super) const GIVEN_UP_AFTER: Duration = Duration::from_secs(3 * 24 * 60 * 60);

/// The longest pause after a message that was refused.
const LONGEST_PAUSE: Duration = Duration::from_secs(6 * 60 * 60);

/// The longest pause while something urgent waits.
const LONGEST_URGENT_PAUSE: Duration = Duration::from_secs(60 * 60);

/// Whether an alert is about something too long ago to be sent at once.
pub(super) fn is_old(alert: &Alert) -> bool {
    alert.arrived_at.since(alert.at) > OLD
}

/// The earliest time, from now on, at which a message may be sent. `last_sent_at` is when the last one was sent; `is_urgent` is
/// whether an urgent finding waits.
pub(super) fn may_be_sent_at(
    subscription: &Subscription,
    last_sent_at: Option<Timestamp>,
    is_urgent: bool,
    now: Timestamp,
) -> Timestamp {
    let at_once = &subscription.at_once;
    if is_urgent && at_once.urgent_passes {
        return now;
    }
    // A time in the future was stored while the clock was wrong.
    let last = last_sent_at.filter(|last| *last <= now);
    let apart = last.map_or(now, |last| last.after(BETWEEN).max(now));
    let quiet = at_once.quiet_hours;
    let end = quiet.and_then(|quiet| quiet.end_at(&subscription.time_zone, apart));
    end.unwrap_or(apart)
}

/// How long to wait after a message was not sent: as long as it has been waiting, but with something urgent an hour at most.
pub(super) fn pause_after_failure(waiting_for: Duration, is_urgent: bool) -> Duration {
    let longest = if is_urgent {
        LONGEST_URGENT_PAUSE
    } else {
        LONGEST_PAUSE
    };
    waiting_for.clamp(BETWEEN, longest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::zones::Zone;
    use crate::notifications::subscription::quiet_hours;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn quiet_from_ten_to_seven(urgent_passes: bool) -> Subscription {
        let mut subscription = Subscription::off("Europe/Berlin".parse::<Zone>().unwrap());
        let [from, to] = ["22:00", "07:00"].map(|text| text.parse().unwrap());
        subscription.at_once.quiet_hours = Some(quiet_hours(from, to).unwrap());
        subscription.at_once.urgent_passes = urgent_passes;
        subscription
    }

    #[test]
    fn a_message_waits_for_ten_minutes_after_the_last_and_for_the_end_of_quiet_hours() {
        /// When the last one was sent, the time, and when the next one may be sent.
        type Case<'a> = (Option<&'a str>, &'a str, &'a str);
        let cases: [Case<'_>; 8] = [
            (None, "2026-11-25T12:00:00Z", "2026-11-25T12:00:00Z"),
            (
                Some("2026-11-25T11:50:00Z"),
                "2026-11-25T12:00:00Z",
                "2026-11-25T12:00:00Z",
            ),
            (
                Some("2026-11-25T11:50:01Z"),
                "2026-11-25T12:00:00Z",
                "2026-11-25T12:00:01Z",
            ),
            // Stored while the clock was wrong.
            (
                Some("2031-01-01T00:00:00Z"),
                "2026-11-25T12:00:00Z",
                "2026-11-25T12:00:00Z",
            ),
            (None, "2026-11-25T21:00:00Z", "2026-11-26T06:00:00Z"),
            // The ten minutes end in quiet hours.
            (
                Some("2026-11-25T20:52:00Z"),
                "2026-11-25T20:55:00Z",
                "2026-11-26T06:00:00Z",
            ),
            // The nights of the two changes of the clock.
            (None, "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
            (None, "2026-10-24T22:00:00Z", "2026-10-25T06:00:00Z"),
        ];
        let subscription = quiet_from_ten_to_seven(true);

        for (last, now, expected) in cases {
            let found = may_be_sent_at(&subscription, last.map(at), false, at(now));
            assert_eq!(found, at(expected), "{last:?} {now}");
        }
    }

    #[test]
    fn an_urgent_finding_passes_both_if_the_guardian_says_so() {
        let night = at("2026-11-25T23:00:00Z");
        let just_before = Some(at("2026-11-25T22:59:00Z"));

        for (passes, expected) in [(true, night), (false, at("2026-11-26T06:00:00Z"))] {
            let subscription = quiet_from_ten_to_seven(passes);
            let found = may_be_sent_at(&subscription, just_before, true, night);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_pauses_after_refusals_grow() {
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        for (waiting, pause) in [(0, 10), (10, 10), (20, 20), (40, 40), (10_000, 360)] {
            let found = pause_after_failure(minutes(waiting), false);
            assert_eq!(found, minutes(pause));
        }
        let urgent = pause_after_failure(minutes(10_000), true);
        assert_eq!(urgent, minutes(60));
    }
}
