//! The messages to one server, sent one after the other in the order in which they were queued.
//!
//! While a message waits for its next try, those behind it wait, too, so that a server that was unreachable gets them in order.
//! A message that the server answered or left unanswered several times may itself be the cause: it is
//! [deferred](Queued::deferred), and the messages behind it no longer wait.

use std::time::Duration;

use super::{Id, Queued};
use crate::kernel::host::clock::Timestamp;

/// After so many tries a message that reaches its server is deferred: some eight minutes after the first.
pub const TRIES_BEFORE_DEFERRED: u32 = 6;

/// Messages that may be sent now, and the time until one of the others may be.
pub type Due = (Vec<(Id, Queued)>, Option<Duration>);

/// The messages of a line that may be sent now, in order.
pub fn ready(mut line: Vec<(Id, Queued)>, now: Timestamp) -> Due {
    line.sort_by_key(|(_, queued)| queued.queued_at);
    let (mut ready, mut next) = (Vec::new(), None::<Duration>);
    for (id, queued) in line {
        let Some(until) = queued.waits(now) else {
            ready.push((id, queued));
            continue;
        };
        next = next.into_iter().chain([until]).min();
        if !queued.deferred {
            break;
        }
    }
    (ready, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    fn queued(name: &str, queued_at: i64, due_at: i64, deferred: bool) -> (Id, Queued) {
        let queued = Queued {
            queued_at: at(queued_at),
            due_at: at(due_at),
            tries: 0,
            message_id: String::new(),
            unanswered_tries: 0,
            deferred,
            data: serde_json::Value::Null,
        };
        (Id::new("kind", name, ""), queued)
    }

    fn names(line: Vec<(Id, Queued)>, now: i64) -> (String, Option<u64>) {
        let (ready, next) = ready(line, at(now));
        let names = ready.into_iter().map(|(id, _)| id.recipient);
        (names.collect(), next.map(|next| next.as_secs()))
    }

    #[test]
    fn a_message_that_waits_holds_those_behind_it_unless_it_is_deferred() {
        let line = |deferred| {
            vec![
                queued("c", 2, 2, false),
                queued("a", 0, 0, false),
                queued("b", 1, 30, deferred),
            ]
        };

        assert_eq!(names(line(false), 10), ("a".into(), Some(20)));
        assert_eq!(names(line(false), 30), ("abc".into(), None));
        assert_eq!(names(line(true), 10), ("ac".into(), Some(20)));
        assert_eq!(names(Vec::new(), 10), (String::new(), None));
    }

    #[test]
    fn a_pause_from_a_clock_that_ran_ahead_holds_no_message() {
        let line = vec![queued("a", 0, 9_999_999, false), queued("b", 1, 1, false)];

        assert_eq!(names(line, 10), ("ab".into(), None));
    }
}
