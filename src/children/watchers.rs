//! Who waits for changes of children: long-polling calls, conversations and open pages.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::ChildId;

/// Clones share the watchers.
pub struct Watchers<T>(Arc<Mutex<State<T>>>);

struct State<T> {
    last_id: u64,
    /// Keyed by child and the registration's number.
    by_child: BTreeMap<(ChildId, u64), Arc<Watcher<T>>>,
    is_stopped: bool,
}

pub struct Watcher<T> {
    pub value: T,
    woken: Notify,
}

impl<T> Watcher<T> {
    pub fn wake(&self) {
        self.woken.notify_one();
    }

    /// Waits until it is woken. What wakes it meanwhile wakes it at once.
    pub async fn woken(&self) {
        self.woken.notified().await;
    }
}

/// Ends on drop.
pub struct Registration<T> {
    watchers: Watchers<T>,
    id: u64,
    children: Vec<ChildId>,
    watcher: Arc<Watcher<T>>,
}

impl<T> Registration<T> {
    pub fn children(&self) -> &[ChildId] {
        &self.children
    }
}

impl<T> std::ops::Deref for Registration<T> {
    type Target = Watcher<T>;

    fn deref(&self) -> &Watcher<T> {
        &self.watcher
    }
}

impl<T> Drop for Registration<T> {
    fn drop(&mut self) {
        let mut state = self.watchers.state();
        for child in &self.children {
            state.by_child.remove(&(*child, self.id));
        }
    }
}

impl<T> Clone for Watchers<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Default for Watchers<T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(State {
            last_id: 0,
            by_child: BTreeMap::new(),
            is_stopped: false,
        })))
    }
}

impl<T> Watchers<T> {
    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A caller that must end with the server asks [`Watchers::is_stopped`] afterwards.
    pub fn register(&self, children: Vec<ChildId>, value: T) -> Registration<T> {
        let mut state = self.state();
        state.last_id += 1;
        let (id, woken) = (state.last_id, Notify::new());
        let watcher = Arc::new(Watcher { value, woken });
        for child in &children {
            state.by_child.insert((*child, id), Arc::clone(&watcher));
        }
        Registration {
            watchers: self.clone(),
            id,
            children,
            watcher,
        }
    }

    pub fn for_child(&self, child: ChildId, each: impl FnMut(&Watcher<T>)) {
        let state = self.state();
        let of_child = state.by_child.range((child, 0)..=(child, u64::MAX));
        of_child.map(|(_, watcher)| &**watcher).for_each(each);
    }

    /// Repeats who watches several children.
    pub fn for_all(&self, each: impl FnMut(&Watcher<T>)) {
        let state = self.state();
        state.by_child.values().map(|it| &**it).for_each(each);
    }

    /// Wakes all.
    pub fn stop(&self) {
        self.state().is_stopped = true;
        self.for_all(Watcher::wake);
    }

    pub fn is_stopped(&self) -> bool {
        self.state().is_stopped
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.state().by_child.len()
    }
}
