//! Talk while it was not allowed: the rule behind `outside_times`.

use std::time::Duration;

use crate::kernel::host::clock::Timestamp;
use crate::rules::schedule::{NotAllowed, Why};

/// From when until when something was said without a long silence in between.
pub type Run = (Timestamp, Timestamp);

/// A longer silence between two messages isn't talk.
const SILENCE: Duration = Duration::from_secs(5 * 60);

/// How long a conversation may continue that was already running.
const GRACE: Duration = Duration::from_secs(10 * 60);

/// Less talk is a goodbye.
const SHORT: Duration = Duration::from_secs(2 * 60);

/// Talk while it was not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside {
    pub since: Timestamp,
    pub minutes: u64,
    /// Why it was not allowed when it began.
    pub why: Why,
}

/// When there was talk, by the times of the messages.
pub fn runs(mut said: Vec<Timestamp>) -> Vec<Run> {
    said.sort_unstable();
    let mut runs = Vec::<Run>::new();
    for at in said {
        match runs.last_mut() {
            Some((_, end)) if at.since(*end) <= SILENCE => *end = at,
            _ => runs.push((at, at)),
        }
    }
    runs
}

/// Rounded.
pub fn in_minutes(length: Duration) -> u64 {
    (length.as_secs() + 30) / 60
}

/// Judges a conversation's talk. `not_allowed` is in order and without overlaps.
pub fn outside(runs: &[Run], not_allowed: &[NotAllowed]) -> Option<Outside> {
    let mut length = Duration::ZERO;
    let mut first = None;
    let mut before = None::<NotAllowed>;
    let mut counts_from = Timestamp::MIN;
    for period in not_allowed {
        // The grace is given once, also if the reason changes.
        if before.is_none_or(|before| before.until < period.from) {
            counts_from = counted_from(runs, period.from);
        }
        before = Some(*period);
        for (start, end) in runs {
            let start = (*start).max(period.from).max(counts_from);
            let end = (*end).min(period.until);
            if start < end {
                length += end.since(start);
                first.get_or_insert((start, period.why));
            }
        }
    }
    let (since, why) = first.filter(|_| length > SHORT)?;
    Some(Outside {
        since,
        minutes: in_minutes(length),
        why,
    })
}

/// From when talk counts, in a period without permission that begins at `start`.
fn counted_from(runs: &[Run], start: Timestamp) -> Timestamp {
    let is_running =
        |(began, ended): &Run| *began < start && start.since((*ended).min(start)) <= GRACE;
    if runs.iter().any(is_running) {
        start.after(GRACE)
    } else {
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000)
    }

    fn minutes(minutes: &[i64]) -> Vec<Timestamp> {
        minutes.iter().map(|minute| at(60 * minute)).collect()
    }

    fn quiet(from: i64, until: i64) -> NotAllowed {
        NotAllowed {
            from: at(60 * from),
            until: at(60 * until),
            why: Why::QuietHours,
        }
    }

    #[test]
    fn talk_is_what_was_said_without_a_long_silence() {
        let found = runs(minutes(&[7, 0, 5, 13, 20, 14]));

        let expected = [(0, 7), (13, 14), (20, 20)];
        assert_eq!(
            found,
            expected.map(|(from, until)| (at(60 * from), at(60 * until)))
        );
        assert_eq!(runs(Vec::new()), []);
    }

    #[test]
    fn more_than_two_minutes_count_and_ten_are_granted_to_a_running_conversation() {
        /// The minutes of the messages, and when it began to count for how many minutes.
        type Case<'a> = (&'a [i64], &'a [NotAllowed], Option<(i64, u64)>);
        let night = [quiet(100, 200)];
        let cases: [Case<'_>; 14] = [
            (&[50, 55], &night, None),
            (&[50, 55], &[], None),
            // A goodbye.
            (&[110, 112], &night, None),
            (&[110, 113], &night, Some((110, 3))),
            (&[110, 113, 116], &night, Some((110, 6))),
            // Single words far apart.
            (&[110, 120, 130, 140], &night, None),
            // It was running: until minute 110.
            (&[98, 102, 106, 110, 112], &night, None),
            (&[98, 102, 106, 110, 114], &night, Some((110, 4))),
            (&[98, 102, 106, 110, 114, 130, 134], &night, Some((110, 8))),
            // It was quiet for a moment.
            (&[88, 92, 101, 105, 109], &night, None),
            // It had ended before.
            (&[80, 85, 101, 105], &night, Some((101, 4))),
            // Until they end.
            (&[197, 200, 204], &night, Some((197, 3))),
            (&[198, 201], &night, None),
            // In two periods.
            (
                &[110, 112, 310, 312],
                &[quiet(100, 200), quiet(300, 400)],
                Some((110, 4)),
            ),
        ];

        for (index, (said, periods, expected)) in cases.into_iter().enumerate() {
            let found = outside(&runs(minutes(said)), periods);
            let found = found.map(|outside| (outside.since, outside.minutes));
            let expected = expected.map(|(since, minutes)| (at(60 * since), minutes));
            assert_eq!(found, expected, "case {index}");
        }
    }

    #[test]
    fn the_grace_is_given_once_although_the_reason_changes() {
        let paused = NotAllowed {
            why: Why::Paused,
            ..quiet(100, 105)
        };

        let said = minutes(&[98, 101, 104, 108, 111, 114]);
        let found = outside(&runs(said), &[paused, quiet(105, 200)]);

        let expected = Outside {
            since: at(60 * 110),
            minutes: 4,
            why: Why::QuietHours,
        };
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn the_reason_is_that_of_the_beginning() {
        let paused = NotAllowed {
            why: Why::Paused,
            ..quiet(100, 105)
        };

        let said = minutes(&[101, 104, 108]);
        let found = outside(&runs(said), &[paused, quiet(105, 200)]).unwrap();

        assert_eq!((found.minutes, found.why), (7, Why::Paused));
    }
}
