//! Which of a child's conversations are in progress, and the last one that was heard.

use std::time::Duration;

use super::{Session, Transcripts, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{StoreError, readable_or_counted};

/// A conversation is in progress while its newest message and its newest delivery are younger than this.
const LIVE_FOR: Duration = Duration::from_secs(2 * 60);

/// The number of the newest sessions that are considered.
const NEWEST: usize = 20;

/// A conversation and its newest message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    pub session: SessionId,
    /// `None` if unknown, for example for an imported session.
    pub assistant: Option<AssistantId>,
    /// The assistant's name when it delivered the session.
    pub assistant_name: Option<String>,
    pub began: Timestamp,
    /// The time of its newest message.
    pub last_said: Timestamp,
    /// If it is in progress: when it stops counting as such, unless more arrives.
    pub live_until: Option<Timestamp>,
}

impl Transcripts {
    /// The child's newest conversations, the one with the newest message first, and the number of unreadable ones.
    pub fn recently_heard(
        &self,
        access: &ChildAccess,
        now: Timestamp,
    ) -> Result<(Vec<Heard>, u64), StoreError> {
        let page = store::sessions(&self.store, access.child(), None, NEWEST)?;
        let (mut heard, mut unreadable) = (Vec::new(), page.unreadable);
        for row in &page.rows {
            let session = row.record::<Session>()?;
            let Some(last_said) = session.last_message_time else {
                continue;
            };
            let state = store::state(&self.store, session.session_id);
            let Some(state) = readable_or_counted(state, &mut unreadable)?.flatten() else {
                continue;
            };
            heard.push(Heard {
                session: session.session_id,
                began: state.began(&session),
                live_until: live_until(session.ended, last_said, state.last_arrival, now),
                assistant: state.assistant().cloned(),
                assistant_name: session.assistant,
                last_said,
            });
        }
        heard.sort_by_key(|one| std::cmp::Reverse(one.last_said));
        Ok((heard, unreadable))
    }
}

fn live_until(
    ended: bool,
    last_said: Timestamp,
    last_arrival: Option<Timestamp>,
    now: Timestamp,
) -> Option<Timestamp> {
    let until = last_said.min(last_arrival?).after(LIVE_FOR);
    (!ended && now < until).then_some(until)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_is_live_while_its_newest_message_and_delivery_are_under_two_minutes_old() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000);
        let now = at(1_000);
        let cases = [
            (false, 900, Some(950), Some(1_020)),
            (false, 950, Some(900), Some(1_020)),
            (false, 880, Some(990), None),
            (false, 881, Some(990), Some(1_001)),
            (false, 990, Some(880), None),
            // A clock that is ahead.
            (false, 1_300, Some(999), Some(1_119)),
            (true, 999, Some(999), None),
            // Imported.
            (false, 999, None, None),
        ];

        for (ended, said, arrived, expected) in cases {
            let until = live_until(ended, at(said), arrived.map(at), now);
            assert_eq!(until, expected.map(at), "{ended} {said} {arrived:?}");
        }
    }
}
