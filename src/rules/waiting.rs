//! Long-polling calls that wait until the rules change.
//!
//! Each call registers for its children before it reads the current rules, so that no change in between is missed. One
//! task follows the store's change feed and wakes only the calls of the children whose rules were written. After a gap in
//! the feed, and when a key was revoked or its children changed, all calls check again.

use crate::children::{self, ChildId, Watcher, Watchers};
use crate::identity::{AssistantId, ConcurrencyLimit, Permit};
use crate::kernel::store::{Event, Store, Table};

/// The maximum number of waiting calls of one assistant: more than a family has devices, and too few to exhaust the server's
/// connections.
const MAX_PER_ASSISTANT: usize = 16;

/// A waiting call has a permit.
pub type Registration = children::Registration<Option<Permit>>;

#[derive(Clone)]
pub struct WaitingCalls {
    calls: Watchers<Option<Permit>>,
    limit: ConcurrencyLimit<AssistantId>,
}

impl Default for WaitingCalls {
    fn default() -> Self {
        Self {
            calls: Watchers::default(),
            limit: ConcurrencyLimit::new(MAX_PER_ASSISTANT),
        }
    }
}

impl WaitingCalls {
    /// Registers a call; `None` if it may not wait, because the server stops or too many calls of this assistant wait.
    pub fn register(
        &self,
        assistant: &AssistantId,
        children: Vec<ChildId>,
    ) -> Option<Registration> {
        let permit = self.limit.try_take(assistant)?;
        let call = self.calls.register(children, Some(permit));
        (!self.is_stopped()).then_some(call)
    }

    /// Registers a conversation, which is limited elsewhere.
    pub fn watch(&self, child: ChildId) -> Registration {
        self.calls.register(vec![child], None)
    }

    /// Ends all waiting calls, and refuses further ones.
    pub fn stop(&self) {
        self.calls.stop();
    }

    pub fn is_stopped(&self) -> bool {
        self.calls.is_stopped()
    }

    fn wake(&self, child: ChildId) {
        self.calls.for_child(child, Watcher::wake);
    }

    fn wake_all(&self) {
        self.calls.for_all(Watcher::wake);
    }

    /// Until the store closes, wakes the calls of a child when its number is written in a table of `by_child`, and all calls
    /// when a table of `ending` is written.
    pub fn follow(&self, store: &Store, by_child: &'static [Table], ending: &'static [Table]) {
        let (waiting, mut changes) = (self.clone(), store.changes());
        tokio::spawn(async move {
            while let Some(event) = changes.next().await {
                match event {
                    Event::Missed => waiting.wake_all(),
                    Event::Written(written)
                        if ending.iter().any(|table| written.touches(&table.key())) =>
                    {
                        waiting.wake_all();
                    }
                    Event::Written(written) => {
                        for table in by_child {
                            for child in written.numbers_in(*table) {
                                waiting.wake(ChildId::new(child));
                            }
                        }
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn register(waiting: &WaitingCalls, assistant: &str, children: &[u64]) -> Option<Registration> {
        let children = children.iter().map(|child| ChildId::new(*child));
        waiting.register(&AssistantId::from_text(assistant), children.collect())
    }

    fn is_woken(registration: &Registration) -> bool {
        registration.woken().now_or_never().is_some()
    }

    #[tokio::test]
    async fn a_change_wakes_the_calls_of_its_child_and_no_others() {
        let waiting = WaitingCalls::default();
        let mia = register(&waiting, "kitchen", &[1]).unwrap();
        let leo = register(&waiting, "kitchen", &[2]).unwrap();
        let both = register(&waiting, "hall", &[1, 2]).unwrap();

        waiting.wake(ChildId::new(1));

        assert!(is_woken(&mia) && is_woken(&both) && !is_woken(&leo));
        assert!(!is_woken(&mia), "once for each change");
    }

    #[tokio::test]
    async fn a_call_that_has_ended_leaves_nothing_behind() {
        let waiting = WaitingCalls::default();
        let calls = (0..MAX_PER_ASSISTANT).map(|_| register(&waiting, "kitchen", &[1]).unwrap());
        let calls = calls.collect::<Vec<_>>();
        assert!(register(&waiting, "kitchen", &[1]).is_none());
        assert!(register(&waiting, "hall", &[1]).is_some());

        drop(calls);

        assert_eq!(waiting.calls.count(), 0);
        assert!(register(&waiting, "kitchen", &[1]).is_some());
    }

    #[tokio::test]
    async fn a_stopping_server_wakes_all_requests_and_refuses_further_ones() {
        let waiting = WaitingCalls::default();
        let call = register(&waiting, "kitchen", &[1]).unwrap();

        waiting.stop();

        assert!(is_woken(&call));
        assert!(register(&waiting, "kitchen", &[1]).is_none());
    }
}
