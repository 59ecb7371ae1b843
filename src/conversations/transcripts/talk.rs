//! When the conversation of a session took place.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::host::clock::Timestamp;

/// A longer conversation is taken for a mistake: a wrong end must not use up the minutes of weeks.
pub(super) const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// This is also its stored form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TalkInterval {
    pub start: Timestamp,
    pub end: Timestamp,
}

/// From the session's start, or its first message, to its end; else for the duration the assistant gave; else to its last
/// message. `said` has the times of the first and the last message.
pub(super) fn interval(
    said: Option<(Timestamp, Timestamp)>,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    reported: Option<Duration>,
) -> Option<TalkInterval> {
    let (first, last) = said.unzip();
    let start = started_at.or(first)?;
    let reported_end = reported.map(|duration| start.after(duration));
    let end = ended_at
        .or(reported_end)
        .or(last)?
        .min(start.after(LONGEST));
    (start < end).then_some(TalkInterval { start, end })
}

/// The duration of a session whose assistant gave none: that of its [`interval`]. Without an end it begins with the first message,
/// because a start may be long before anybody spoke.
pub(super) fn duration(
    said: Option<(Timestamp, Timestamp)>,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
) -> Duration {
    let started_at = started_at.filter(|_| ended_at.is_some());
    let talk = interval(said, started_at, ended_at, None);
    talk.map_or(Duration::ZERO, |talk| talk.end.since(talk.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_lasts_from_its_start_to_its_end_or_from_its_first_message_to_its_last() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000);
        let said = Some((at(10), at(70)));
        let cases = [
            (None, None, None, 0),
            (said, None, None, 60),
            (said, Some(at(5)), None, 60),
            (said, None, Some(at(100)), 90),
            (said, Some(at(5)), Some(at(100)), 95),
            (None, Some(at(5)), Some(at(100)), 95),
            (None, None, Some(at(100)), 0),
            (said, Some(at(200)), Some(at(100)), 0),
            // More than a day.
            (said, Some(at(5)), Some(at(900_000)), 86_400),
        ];

        for (said, started_at, ended_at, expected) in cases {
            let took = duration(said, started_at, ended_at);
            assert_eq!(
                took.as_secs(),
                expected,
                "{said:?} {started_at:?} {ended_at:?}"
            );
        }
    }

    #[test]
    fn times_from_the_assistant_take_precedence_over_those_of_the_messages() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000);
        let seconds = Duration::from_secs;
        let said = Some((at(10), at(70)));
        let cases = [
            (None, None, None, None, None),
            (said, None, None, None, Some((10, 70))),
            (said, Some(at(5)), None, None, Some((5, 70))),
            (said, Some(at(5)), Some(at(90)), None, Some((5, 90))),
            (
                said,
                Some(at(5)),
                Some(at(90)),
                Some(seconds(7)),
                Some((5, 90)),
            ),
            (said, None, None, Some(seconds(7)), Some((10, 17))),
            (None, Some(at(5)), None, Some(seconds(7)), Some((5, 12))),
            (None, Some(at(5)), None, None, None),
            (None, None, Some(at(90)), Some(seconds(7)), None),
            // It ends before it begins.
            (said, Some(at(80)), None, None, None),
            (said, None, Some(at(10)), None, None),
            // More than a day.
            (said, None, Some(at(900_000)), None, Some((10, 86_410))),
            (
                said,
                Some(at(0)),
                None,
                Some(Duration::MAX),
                Some((0, 86_400)),
            ),
        ];

        for (said, started_at, ended_at, reported, expected) in cases {
            let found = interval(said, started_at, ended_at, reported);
            let expected = expected.map(|(start, end)| TalkInterval {
                start: at(start),
                end: at(end),
            });
            assert_eq!(
                found, expected,
                "{said:?} {started_at:?} {ended_at:?} {reported:?}"
            );
        }
    }
}
