//! The open streams by child. One task follows the store's feed and records for each stream what changed.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;

use super::changed::{ASKING_DEVICES, CONNECTIONS, Changed, PendingChanges, What};
use super::tables::{Change, changes_in, changes_of_guardians};
use super::{EventsError, MAX_PER_GUARDIAN};
use crate::assistants::deliveries::Affected;
use crate::children::feature::Shown;
use crate::children::{self, ChildId, Watcher, Watchers};
use crate::identity::{ConcurrencyLimit, GuardianId, Permit, SignIns};
use crate::kernel::store::{Event, Store, Written};

#[derive(Clone)]
pub(super) struct Streams {
    open: Watchers<Stream>,
    limit: ConcurrencyLimit<GuardianId>,
    times: Arc<Mutex<ChangeTimes>>,
}

struct ChangeTimes {
    /// When something of each child last changed.
    changed_at: HashMap<ChildId, Instant>,
    /// Changes before this are unknown: the start, or the last gap in the feed.
    unknown_before: Instant,
}

pub(super) struct Stream {
    guardian: GuardianId,
    pending: Mutex<PendingChanges>,
    _permit: Permit,
}

pub(super) type Registration = children::Registration<Stream>;

impl Stream {
    fn pending(&self) -> MutexGuard<'_, PendingChanges> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what changed since the last call.
    pub fn take(&self) -> Vec<Changed> {
        self.pending().take()
    }
}

fn note(stream: &Watcher<Stream>, change: Change) {
    match change {
        Change::One(what) => stream.value.pending().add(what),
        Change::Anything => stream.value.pending().add_everything(),
    }
    stream.wake();
}

impl Default for Streams {
    fn default() -> Self {
        Self {
            open: Watchers::default(),
            limit: ConcurrencyLimit::new(MAX_PER_GUARDIAN),
            times: Arc::new(Mutex::new(ChangeTimes {
                changed_at: HashMap::new(),
                unknown_before: Instant::now(),
            })),
        }
    }
}

impl Streams {
    fn times(&self) -> MutexGuard<'_, ChangeTimes> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a stream.
    pub fn open(&self, guardian: &GuardianId, child: ChildId) -> Result<Registration, EventsError> {
        let stream = Stream {
            guardian: guardian.clone(),
            pending: Mutex::default(),
            _permit: self.limit.try_take(guardian).ok_or(EventsError::TooMany)?,
        };
        let registration = self.open.register(vec![child], stream);
        if self.is_stopped() {
            return Err(EventsError::Stopping);
        }
        Ok(registration)
    }

    /// Ends all streams and refuses new ones.
    pub fn stop(&self) {
        self.open.stop();
    }

    pub fn is_stopped(&self) -> bool {
        self.open.is_stopped()
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
        self.record_change(child, Change::One(what));
    }

    /// Records a change that belongs to a guardian rather than a child.
    fn note_for(&self, guardian: &GuardianId, what: What) {
        self.open.for_all(|stream| {
            if stream.value.guardian == *guardian {
                note(stream, Change::One(what));
            }
        });
    }

    /// How long ago the child last changed, as far as known.
    pub fn unchanged_for(&self, child: ChildId) -> Duration {
        let times = self.times();
        let changed_at = times.changed_at.get(&child).copied();
        let last = changed_at.map_or(times.unknown_before, |at| at.max(times.unknown_before));
        last.elapsed()
    }

    fn note(&self, shown: &[&Shown], written: &Written) {
        if SignIns::are_in(written) {
            self.open.for_all(Watcher::wake);
        }
        changes_in(shown, written, |child, change| {
            self.record_change(child, change);
        });
        changes_of_guardians(shown, written, |guardian, what| {
            self.note_for(guardian, what);
        });
    }

    /// A stream that is opened meanwhile gets the change or its time, because the time is noted first.
    fn record_change(&self, child: ChildId, change: Change) {
        self.times().changed_at.insert(child, Instant::now());
        self.open.for_child(child, |stream| note(stream, change));
    }

    fn note_gap(&self) {
        self.times().unknown_before = Instant::now();
        self.open.for_all(|stream| note(stream, Change::Anything));
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

        assert_eq!(streams.open.count(), 0);
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
            let told = place.value.take();
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

        let told = [mia, noah, bens].map(|place| place.value.take().len());
        assert_eq!(told, [1, 1, 0]);
    }

    #[test]
    fn a_stopping_server_opens_no_stream() {
        let streams = Streams::default();

        streams.stop();

        assert_eq!(open(&streams, "ada", 1).err(), Some(EventsError::Stopping));
    }
}
