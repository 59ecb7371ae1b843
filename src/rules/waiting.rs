//! Long-polling calls that wait until the rules change.
//!
//! Each call registers for its children before it reads the current rules, so that no change in between is missed. One
//! task follows the store's change feed and wakes only the calls of the children whose rules were written. After a gap in
//! the feed, and when a key was revoked or its children changed, all calls check again.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::store::{Event, Store, Table};

/// The maximum number of waiting calls of one assistant: more than a family has devices, and too few to exhaust the server's
/// connections.
const MAX_PER_ASSISTANT: usize = 16;

/// The waiting calls. Clones share them.
#[derive(Clone, Default)]
pub struct Waiting(Arc<Mutex<Calls>>);

#[derive(Default)]
struct Calls {
    last_id: u64,
    /// Keyed by child and the call's number.
    by_child: BTreeMap<(ChildId, u64), Arc<Notify>>,
    per_assistant: HashMap<AssistantId, usize>,
    is_stopped: bool,
}

/// The registration of a waiting call, which ends on drop.
pub struct Registration {
    waiting: Waiting,
    id: u64,
    children: Vec<ChildId>,
    /// Whose calls are counted with it.
    assistant: Option<AssistantId>,
    woken: Arc<Notify>,
}

impl Registration {
    /// Waits until the rules of one of its children may have changed, or the server stops.
    pub async fn woken(&self) {
        self.woken.notified().await;
    }

    /// Whether it is registered for exactly these children.
    pub fn is_of(&self, children: &[ChildId]) -> bool {
        self.children == children
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut calls = self.waiting.calls();
        for child in &self.children {
            calls.by_child.remove(&(*child, self.id));
        }
        let Some(assistant) = &self.assistant else {
            return;
        };
        if let Some(count) = calls.per_assistant.get_mut(assistant) {
            *count -= 1;
            if *count == 0 {
                calls.per_assistant.remove(assistant);
            }
        }
    }
}

impl Waiting {
    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a call; `None` if it may not wait, because the server stops or too many calls of this assistant wait.
    pub fn register(
        &self,
        assistant: &AssistantId,
        children: Vec<ChildId>,
    ) -> Option<Registration> {
        let mut calls = self.calls();
        let waiting = calls.per_assistant.get(assistant).copied().unwrap_or(0);
        if calls.is_stopped || waiting >= MAX_PER_ASSISTANT {
            return None;
        }
        calls.per_assistant.insert(assistant.clone(), waiting + 1);
        drop(calls);
        Some(self.add(Some(assistant.clone()), children))
    }

    /// Registers a conversation, which is limited elsewhere.
    pub fn watch(&self, child: ChildId) -> Registration {
        self.add(None, vec![child])
    }

    fn add(&self, assistant: Option<AssistantId>, children: Vec<ChildId>) -> Registration {
        let mut calls = self.calls();
        calls.last_id += 1;
        let (id, woken) = (calls.last_id, Arc::new(Notify::new()));
        for child in &children {
            calls.by_child.insert((*child, id), Arc::clone(&woken));
        }
        Registration {
            waiting: self.clone(),
            id,
            children,
            assistant,
            woken,
        }
    }

    /// Ends all waiting calls, and refuses further ones.
    pub fn stop(&self) {
        self.calls().is_stopped = true;
        self.wake_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.calls().is_stopped
    }

    fn wake(&self, child: ChildId) {
        let calls = self.calls();
        for (_, woken) in calls.by_child.range((child, 0)..=(child, u64::MAX)) {
            woken.notify_one();
        }
    }

    fn wake_all(&self) {
        for woken in self.calls().by_child.values() {
            woken.notify_one();
        }
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

    #[cfg(test)]
    fn count(&self) -> usize {
        self.calls().by_child.len()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn register(waiting: &Waiting, assistant: &str, children: &[u64]) -> Option<Registration> {
        let children = children.iter().map(|child| ChildId::new(*child));
        waiting.register(&AssistantId::from_text(assistant), children.collect())
    }

    fn is_woken(registration: &Registration) -> bool {
        registration.woken().now_or_never().is_some()
    }

    #[tokio::test]
    async fn a_change_wakes_the_calls_of_its_child_and_no_others() {
        let waiting = Waiting::default();
        let mia = register(&waiting, "kitchen", &[1]).unwrap();
        let leo = register(&waiting, "kitchen", &[2]).unwrap();
        let both = register(&waiting, "hall", &[1, 2]).unwrap();

        waiting.wake(ChildId::new(1));

        assert!(is_woken(&mia) && is_woken(&both) && !is_woken(&leo));
        assert!(!is_woken(&mia), "once for each change");
    }

    #[tokio::test]
    async fn a_call_that_has_ended_leaves_nothing_behind() {
        let waiting = Waiting::default();
        let calls = (0..MAX_PER_ASSISTANT).map(|_| register(&waiting, "kitchen", &[1]).unwrap());
        let calls = calls.collect::<Vec<_>>();
        assert!(register(&waiting, "kitchen", &[1]).is_none());
        assert!(register(&waiting, "hall", &[1]).is_some());

        drop(calls);

        assert_eq!(waiting.count(), 0);
        assert!(register(&waiting, "kitchen", &[1]).is_some());
    }

    #[tokio::test]
    async fn a_stopping_server_wakes_all_requests_and_refuses_further_ones() {
        let waiting = Waiting::default();
        let call = register(&waiting, "kitchen", &[1]).unwrap();

        waiting.stop();

        assert!(is_woken(&call));
        assert!(register(&waiting, "kitchen", &[1]).is_none());
    }
}
