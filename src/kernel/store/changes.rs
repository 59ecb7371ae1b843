//! The change feed: published after the sync, before the writer answers.
//!
//! The writer itself updates the [versions](Versions) of cached answers, so that a client never gets an answer older than
//! one it already received. A *subscription* receives the same events through a bounded queue. A subscriber that lags is
//! notified of the gap, and reads again what it needs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::read_cache::Versions;
use super::{Key, Table};

/// The number of groups that a subscription may lag behind.
const QUEUE: usize = 128;

/// The maximum number of keys in the queue: some 5 MB, shared by all subscriptions. If a group doesn't fit, all
/// subscribers are notified that they missed it; so the queue must hold what one family delivers at once, lest it affect others.
const MAX_KEYS: usize = 65_536;

/// The keys that a group of changes wrote.
#[derive(Clone, Debug)]
pub struct Written(Arc<Group>);

#[derive(Debug)]
struct Group {
    keys: Arc<[Bytes]>,
    queued: Arc<AtomicUsize>,
}

impl Drop for Group {
    fn drop(&mut self) {
        self.queued.fetch_sub(self.keys.len(), Ordering::Relaxed);
    }
}

impl Written {
    /// Whether something was written at or below this key.
    pub fn touches(&self, prefix: &Key) -> bool {
        let keys = &self.0.keys;
        let start = keys.partition_point(|key| key.as_ref() < prefix.bytes());
        let first = keys.get(start);
        first.is_some_and(|key| key.starts_with(prefix.bytes()))
    }

    /// The keys below this prefix that were written.
    pub fn keys_below<'a>(&'a self, prefix: &'a Key) -> impl Iterator<Item = Key> + 'a {
        let keys = &self.0.keys;
        let start = keys.partition_point(|key| key.as_ref() < prefix.bytes());
        let below = keys[start..].iter();
        below
            .take_while(|key| key.starts_with(prefix.bytes()))
            .map(|key| Key::from_bytes(key))
    }

    /// The distinct first numbers of the keys written in this table, such as those of children.
    pub fn numbers_in(&self, table: Table) -> impl Iterator<Item = u64> {
        let prefix = table.key();
        let keys = &self.0.keys;
        let start = keys.partition_point(|key| key.as_ref() < prefix.bytes());
        let below = keys[start..].iter();
        let below = below.map_while(move |key| key.strip_prefix(prefix.bytes()));
        let mut numbers = below
            .filter_map(|rest| rest.first_chunk().map(|number| u64::from_be_bytes(*number)))
            .collect::<Vec<_>>();
        numbers.dedup();
        numbers.into_iter()
    }
}

#[derive(Clone, Debug)]
pub enum Event {
    Written(Written),
    /// Some groups were skipped: anything may have changed.
    Missed,
}

/// The feed's sending end.
pub(super) struct Changes {
    pub versions: Versions,
    sender: broadcast::Sender<Event>,
    queued: Arc<AtomicUsize>,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            versions: Versions::default(),
            sender: broadcast::Sender::new(QUEUE),
            queued: Arc::default(),
        }
    }
}

impl Changes {
    /// Publishes a group that can be read from now on; the keys are ascending, and subscribers don't receive those in `unpublished`.
    /// `erases`: one of its changes removed data that must not stay in memory.
    pub fn publish(&self, keys: Arc<[Bytes]>, unpublished: &BTreeSet<Bytes>, erases: bool) {
        self.versions.written(&keys, erases);
        let keys = if unpublished.is_empty() {
            keys
        } else {
            let told = keys.iter().filter(|key| !unpublished.contains(*key));
            told.cloned().collect()
        };
        if !keys.is_empty() && self.sender.receiver_count() > 0 {
            // Sending fails if the last subscription was just dropped.
            let _ = self.sender.send(self.event(keys));
        }
    }

    fn event(&self, keys: Arc<[Bytes]>) -> Event {
        let queued = self.queued.fetch_add(keys.len(), Ordering::Relaxed) + keys.len();
        let group = Group {
            keys,
            queued: Arc::clone(&self.queued),
        };
        if queued > MAX_KEYS {
            Event::Missed
        } else {
            Event::Written(Written(Arc::new(group)))
        }
    }

    pub fn subscribe(&self) -> Subscription {
        Subscription(self.sender.subscribe())
    }
}

/// Receives events from now on.
pub struct Subscription(broadcast::Receiver<Event>);

impl Subscription {
    /// Waits for the next event; `None` once the store is gone.
    pub async fn next(&mut self) -> Option<Event> {
        match self.0.recv().await {
            Ok(event) => Some(event),
            Err(RecvError::Lagged(_)) => Some(Event::Missed),
            Err(RecvError::Closed) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::store::{Read, Store, StoreError};

    const NOTE: Table = Table::new("note");

    async fn write(store: &Store, numbers: std::ops::Range<u64>) {
        let written = store.commit(move |change| {
            for number in numbers {
                change.put(&NOTE.key().number(number), &number)?;
            }
            Ok::<_, StoreError>(())
        });
        written.await.unwrap();
    }

    #[tokio::test]
    async fn a_subscription_is_told_what_was_written_once_it_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let mut changes = store.changes();

        write(&store, 7..9).await;

        let Some(Event::Written(written)) = changes.next().await else {
            panic!("one group was written");
        };
        assert!(written.touches(&NOTE.key()) && written.touches(&NOTE.key().number(8)));
        assert!(!written.touches(&NOTE.key().number(6)));
        assert_eq!(written.numbers_in(NOTE).collect::<Vec<_>>(), [7, 8]);
        let keys = [7, 8].map(|number| NOTE.key().number(number));
        assert!(written.keys_below(&NOTE.key()).eq(keys));
        assert_eq!(written.numbers_in(Table::new("other")).count(), 0);
        assert!(!written.touches(&Table::new("other").key()));
        assert!(!written.touches(&Table::new("zebra").key()));
    }

    #[tokio::test]
    async fn an_unpublished_change_reaches_no_subscription_unless_another_one_writes_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let mut changes = store.changes();
        let note = |number: u64, is_told: bool| {
            store.commit(move |change| {
                if !is_told {
                    change.publish_nothing();
                }
                change.put(&NOTE.key().number(number), &number)
            })
        };

        // While the writer is busy, the others become one group.
        let (started, is_busy) = tokio::sync::oneshot::channel::<()>();
        let (hold, held) = std::sync::mpsc::channel::<()>();
        let busy = store.clone();
        let busy = tokio::spawn(async move {
            let ran = busy.commit(move |_| {
                let _ = (started.send(()), held.recv());
                Ok::<_, StoreError>(())
            });
            ran.await
        });
        is_busy.await.unwrap();
        let all = [(1, false), (2, false), (2, true), (3, true), (3, false)];
        let all = all.map(|(number, is_told)| note(number, is_told));
        let all = futures_util::future::join_all(all);
        let (written, ..) = tokio::join!(all, async { hold.send(()) }, busy);

        assert!(written.iter().all(Result::is_ok));
        let Some(Event::Written(written)) = changes.next().await else {
            panic!("one group was written");
        };
        assert_eq!(written.numbers_in(NOTE).collect::<Vec<_>>(), [2, 3]);
        let one = store.get::<u64>(&NOTE.key().number(1));
        assert_eq!(one.unwrap(), Some(1));
    }

    #[tokio::test]
    async fn who_is_slow_is_told_that_some_were_missed_and_then_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let mut changes = store.changes();

        for number in 0..QUEUE as u64 + 3 {
            write(&store, number..number + 1).await;
        }

        assert!(matches!(changes.next().await, Some(Event::Missed)));
        for number in 3..QUEUE as u64 + 3 {
            let Some(Event::Written(written)) = changes.next().await else {
                panic!("{number} is still queued");
            };
            assert!(written.touches(&NOTE.key().number(number)));
        }
    }

    #[tokio::test]
    async fn groups_are_told_as_missed_only_while_the_queue_holds_too_many_keys() {
        let changes = Changes::default();
        let mut subscription = changes.subscribe();
        let half = vec![Bytes::from_static(b"key"); MAX_KEYS / 2];
        let mut is_told = async || matches!(subscription.next().await, Some(Event::Written(_)));

        for _ in 0..3 {
            changes.publish(half.clone().into(), &BTreeSet::new(), false);
        }
        assert!(is_told().await && is_told().await && !is_told().await);

        changes.publish(half.into(), &BTreeSet::new(), false);
        assert!(is_told().await);
    }

    #[tokio::test]
    async fn a_refused_change_is_not_told() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let mut changes = store.changes();
        let refused = store.commit(|change| {
            change.put(&NOTE.key().number(1), &1_u64).unwrap();
            Err::<(), _>(StoreError::Full)
        });
        refused.await.unwrap_err();

        write(&store, 2..3).await;

        let Some(Event::Written(written)) = changes.next().await else {
            panic!("one group was written");
        };
        assert!(!written.touches(&NOTE.key().number(1)));
    }
}
