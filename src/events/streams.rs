//! The open streams by child. One task follows the store's feed and records for each stream what changed.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use super::changed::{ASKING_DEVICES, CONNECTIONS, Changed, PendingChanges, What};
use super::tables::{Change, changes_in, changes_of_guardians};
use super::{EventsError, MAX_PER_GUARDIAN};
use crate::assistants::deliveries::Affected;
use crate::children::ChildId;
use crate::children::feature::Shown;
use crate::identity::{GuardianId, SignIns};
use crate::kernel::store::{Event, Store, Written};

#[derive(Clone)]
pub(super) struct Streams(Arc<Mutex<Open>>);

struct Open {
    last_id: u64,
    /// When something of each child last changed.
    changed_at: HashMap<ChildId, Instant>,
    /// Changes before this are unknown: the start, or the last gap in the feed.
    unknown_before: Instant,
    /// Keyed by child and stream id.
    by_child: BTreeMap<(ChildId, u64), (GuardianId, Arc<Queue>)>,
    per_guardian: HashMap<GuardianId, usize>,
    is_stopped: bool,
}

/// One stream's pending events.
#[derive(Default)]
struct Queue {
    pending: Mutex<PendingChanges>,
    woken: Notify,
}

impl Queue {
    fn pending(&self) -> MutexGuard<'_, PendingChanges> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, change: Change) {
        match change {
            Change::One(what) => self.pending().add(what),
            Change::Anything => self.pending().add_everything(),
        }
        self.woken.notify_one();
    }
}

/// A stream's registration, removed on drop.
pub(super) struct Registration {
    streams: Streams,
    guardian: GuardianId,
    child: ChildId,
    id: u64,
    queue: Arc<Queue>,
}

impl Registration {
    pub fn child(&self) -> ChildId {
        self.child
    }

    /// Waits until something has changed or the server is stopping.
    pub async fn woken(&self) {
        self.queue.woken.notified().await;
    }

    /// Returns what changed since the last call.
    pub fn take(&self) -> Vec<Changed> {
        self.queue.pending().take()
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let mut open = self.streams.open_ones();
        open.by_child.remove(&(self.child, self.id));
        if let Some(count) = open.per_guardian.get_mut(&self.guardian) {
            *count -= 1;
            if *count == 0 {
                open.per_guardian.remove(&self.guardian);
            }
        }
    }
}

impl Default for Streams {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Open {
            last_id: 0,
            changed_at: HashMap::new(),
            unknown_before: Instant::now(),
            by_child: BTreeMap::new(),
            per_guardian: HashMap::new(),
            is_stopped: false,
        })))
    }
}

impl Streams {
    fn open_ones(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a stream.
    pub fn open(&self, guardian: &GuardianId, child: ChildId) -> Result<Registration, EventsError> {
        let mut open = self.open_ones();
        if open.is_stopped {
            return Err(EventsError::Stopping);
        }
        let count = open.per_guardian.get(guardian).copied().unwrap_or(0);
        if count >= MAX_PER_GUARDIAN {
            return Err(EventsError::TooMany);
        }
        open.per_guardian.insert(guardian.clone(), count + 1);
        open.last_id += 1;
        let (id, queue) = (open.last_id, Arc::new(Queue::default()));
        let of_guardian = (guardian.clone(), Arc::clone(&queue));
        open.by_child.insert((child, id), of_guardian);
        Ok(Registration {
            streams: self.clone(),
            guardian: guardian.clone(),
            child,
            id,
            queue,
        })
    }

    /// Ends all streams and refuses new ones.
    pub fn stop(&self) {
        let mut open = self.open_ones();
        open.is_stopped = true;
        for (_, queue) in open.by_child.values() {
            queue.woken.notify_one();
        }
    }

    pub fn is_stopped(&self) -> bool {
        self.open_ones().is_stopped
    }

    /// Records what is written, until the store is dropped.
    pub fn follow(&self, store: &Store, shown: Vec<&'static Shown>) {
        let (streams, mut changes) = (self.clone(), store.changes());
        tokio::spawn(async move {
            while let Some(event) = changes.next().await {
                match event {
                    Event::Missed => streams.note_gap(),
                    Event::Written(written) => streams.note(&shown, &written),
                }
            }
        });
    }

    /// Notifies a guardian's streams when one of their devices asks for a step-up, until the sender is dropped.
    pub fn follow_devices(&self, mut changes: Receiver<GuardianId>) {
        let streams = self.clone();
        tokio::spawn(async move {
            loop {
                match changes.recv().await {
                    Ok(guardian) => streams.note_for(&guardian, ASKING_DEVICES),
                    Err(RecvError::Lagged(_)) => streams.note_gap(),
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }

    /// Notifies streams of the results of assistants' requests, until the sender is dropped.
    pub fn follow_connections(&self, mut changes: Receiver<Affected>) {
        let streams = self.clone();
        tokio::spawn(async move {
            loop {
                match changes.recv().await {
                    Ok(Affected::Child(child)) => streams.note_for_child(child, CONNECTIONS),
                    Ok(Affected::Guardian(guardian)) => streams.note_for(&guardian, CONNECTIONS),
                    Err(RecvError::Lagged(_)) => streams.note_gap(),
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }

    /// Records a change that isn't in the store's feed.
    fn note_for_child(&self, child: ChildId, what: What) {
        let mut open = self.open_ones();
        open.changed_at.insert(child, Instant::now());
        for (_, (_, queue)) in open.by_child.range((child, 0)..=(child, u64::MAX)) {
            queue.note(Change::One(what));
        }
    }

    /// Records a change that belongs to a guardian rather than a child.
    fn note_for(&self, guardian: &GuardianId, what: What) {
        for (of, queue) in self.open_ones().by_child.values() {
            if of == guardian {
                queue.note(Change::One(what));
            }
        }
    }

    /// How long ago the child last changed, as far as known.
    pub fn unchanged_for(&self, child: ChildId) -> Duration {
        let open = self.open_ones();
        let changed_at = open.changed_at.get(&child).copied();
        let last = changed_at.map_or(open.unknown_before, |at| at.max(open.unknown_before));
        last.elapsed()
    }

    fn note(&self, shown: &[&Shown], written: &Written) {
        let now = Instant::now();
        let mut open = self.open_ones();
        let Open {
            changed_at,
            by_child,
            ..
        } = &mut *open;
        if SignIns::are_in(written) {
            for (_, queue) in by_child.values() {
                queue.woken.notify_one();
            }
        }
        changes_in(shown, written, |child, change| {
            changed_at.insert(child, now);
            for (_, (_, queue)) in by_child.range((child, 0)..=(child, u64::MAX)) {
                queue.note(change);
            }
        });
        changes_of_guardians(shown, written, |guardian, what| {
            for (of, queue) in by_child.values() {
                if of == guardian {
                    queue.note(Change::One(what));
                }
            }
        });
    }

    fn note_gap(&self) {
        let mut open = self.open_ones();
        open.unknown_before = Instant::now();
        for (_, queue) in open.by_child.values() {
            queue.note(Change::Anything);
        }
    }

    #[cfg(test)]
    fn count(&self) -> usize {
        self.open_ones().by_child.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(streams: &Streams, guardian: &str, child: u64) -> Result<Registration, EventsError> {
        streams.open(&GuardianId::from_text(guardian), ChildId::new(child))
    }

    #[test]
    fn a_stream_that_has_ended_leaves_nothing_behind() {
        let streams = Streams::default();
        let places = (0..MAX_PER_GUARDIAN).map(|_| open(&streams, "ada", 1).unwrap());
        let places = places.collect::<Vec<_>>();
        assert_eq!(open(&streams, "ada", 1).err(), Some(EventsError::TooMany));
        assert!(open(&streams, "grace", 1).is_ok());

        drop(places);

        assert_eq!(streams.count(), 0);
        assert!(open(&streams, "ada", 1).is_ok());
    }

    #[test]
    fn after_a_gap_in_the_feed_every_stream_says_that_anything_may_have_changed() {
        let streams = Streams::default();
        let (mia, leo) = (
            open(&streams, "ada", 1).unwrap(),
            open(&streams, "eve", 2).unwrap(),
        );

        streams.note_gap();

        for place in [mia, leo] {
            let told = place.take();
            assert_eq!(
                told.iter().map(Changed::as_str).collect::<Vec<_>>(),
                ["everything"]
            );
        }
    }

    #[test]
    fn a_guardians_change_reaches_all_their_streams_and_no_others() {
        let streams = Streams::default();
        let (mia, noah) = (
            open(&streams, "ada", 1).unwrap(),
            open(&streams, "ada", 2).unwrap(),
        );
        let bens = open(&streams, "ben", 1).unwrap();

        streams.note_for(&GuardianId::from_text("ada"), ASKING_DEVICES);

        let told = [mia, noah, bens].map(|place| place.take().len());
        assert_eq!(told, [1, 1, 0]);
    }

    #[test]
    fn a_stopping_server_opens_no_stream() {
        let streams = Streams::default();

        streams.stop();

        assert_eq!(open(&streams, "ada", 1).err(), Some(EventsError::Stopping));
    }
}
