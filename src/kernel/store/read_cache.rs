//! Caches answers made from the store until their inputs are written.
//!
//! Reading a page of 200 messages takes several times as long as the rest of its request, and a parent's page requests the
//! same list repeatedly, as an assistant does for the same topics. So an answer is cached with its dependencies: the keys
//! and prefixes that were read for it, each with its version. It is valid while all versions are unchanged. Features need not
//! invalidate anything; the [change feed](super::changes) does. Authorization is not part of an answer and is checked
//! each time.
//!
//! The version of a prefix is a counter in a fixed-size array, indexed by the prefix's hash. Two prefixes that share a counter
//! occasionally invalidate each other's answers.
//!
//! Single facts are cached, too: whether a caller has a child, how many guardians it has, and whose a key is. Without them a
//! short read takes a third more of the processor's time.
//!
//! A stale answer usually stays in memory until it is requested again or evicted. After a change that
//! [erases](super::Change::drop_stale_answers), all stale answers are dropped before the change is acknowledged.

use std::cell::RefCell;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use bytes::Bytes;
use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use super::lsm::Pair;
use super::{JsonRows, Range, Read, Store, StoreError};

/// The number of counters: 128 KiB of them, a hundred times as many as a family has lists.
const COUNTERS: usize = 1 << 14;

/// Only this many bytes of a key or prefix count: they include the table and the child or session.
const MAX_PREFIX: usize = 63;

/// The approximate size of an entry without its answer, in bytes.
const OVERHEAD: u64 = 256;

/// The versions of all keys and prefixes.
pub(super) struct Versions {
    counters: Box<[AtomicU64]>,
    /// The lengths of the prefixes that any answer depends on, one bit for each.
    lengths: AtomicU64,
    caches: Mutex<Vec<Weak<dyn AnyCache>>>,
    /// The keys that each group wrote, for tests that compare them.
    #[cfg(test)]
    pub recorded: Mutex<Option<Vec<Vec<Bytes>>>>,
}

/// A key or prefix that an answer was made from, and its version.
#[derive(Clone, Copy, Debug)]
struct Dependency {
    counter: usize,
    version: u64,
}

impl Default for Versions {
    fn default() -> Self {
        Self {
            counters: (0..COUNTERS).map(|_| AtomicU64::new(0)).collect(),
            lengths: AtomicU64::new(0),
            caches: Mutex::default(),
            #[cfg(test)]
            recorded: Mutex::default(),
        }
    }
}

impl Versions {
    /// Updates the versions after these keys were written and published.
    pub fn written(&self, keys: &[Bytes], erases: bool) {
        #[cfg(test)]
        if let Some(recorded) = self.recorded.lock().unwrap().as_mut() {
            recorded.push(keys.to_vec());
        }
        let lengths = self.lengths.load(Ordering::SeqCst);
        for key in keys {
            let mut hash = FNV_BASIS;
            for length in 0..=key.len().min(MAX_PREFIX) {
                if lengths & (1 << length) != 0 {
                    self.counters[counter_of(hash)].fetch_add(1, Ordering::SeqCst);
                }
                if let Some(byte) = key.get(length) {
                    hash = fnv1a(hash, byte);
                }
            }
        }
        if erases {
            for cache in self.caches().iter().filter_map(Weak::upgrade) {
                cache.drop_stale(self);
            }
        }
    }

    /// The dependency on this key, or on all keys with this prefix. Must be called before they are read.
    ///
    /// A writer that misses a new length has already published its group, so the caller reads that; later writers increment the
    /// counter.
    fn dependency(&self, prefix: &[u8]) -> Dependency {
        let prefix = &prefix[..prefix.len().min(MAX_PREFIX)];
        self.lengths.fetch_or(1 << prefix.len(), Ordering::SeqCst);
        let counter = counter_of(prefix.iter().fold(FNV_BASIS, fnv1a));
        let version = self.counters[counter].load(Ordering::SeqCst);
        Dependency { counter, version }
    }

    fn are_current(&self, dependencies: &[Dependency]) -> bool {
        dependencies.iter().all(|dependency| {
            self.counters[dependency.counter].load(Ordering::SeqCst) == dependency.version
        })
    }

    fn add(&self, cache: Weak<dyn AnyCache>) {
        let mut caches = self.caches();
        caches.retain(|cache| cache.strong_count() > 0);
        caches.push(cache);
    }

    fn caches(&self) -> MutexGuard<'_, Vec<Weak<dyn AnyCache>>> {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of answers in memory, including stale ones.
    pub fn count_answers(&self) -> usize {
        let caches = self.caches();
        let caches = caches.iter().filter_map(Weak::upgrade);
        caches.map(|cache| cache.count()).sum()
    }
}

/// 64-bit FNV-1a, because it yields the hash of every prefix of a key on the way.
/// <http://www.isthe.com/chongo/tech/comp/fnv/>
const FNV_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv1a(hash: u64, byte: &u8) -> u64 {
    (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
}

fn counter_of(hash: u64) -> usize {
    // The upper half is folded in, as the authors of FNV advise.
    ((hash ^ (hash >> 32)) as usize) % COUNTERS
}

/// A reader of the store that records what is read as dependencies.
pub struct TrackingReader<'a> {
    store: &'a Store,
    dependencies: RefCell<Vec<Dependency>>,
}

impl TrackingReader<'_> {
    fn depend_on(&self, prefix: &[u8]) {
        let dependency = self.store.0.changes.versions.dependency(prefix);
        self.dependencies.borrow_mut().push(dependency);
    }
}

impl Read for TrackingReader<'_> {
    fn stored(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.depend_on(key);
        self.store.stored(key)
    }

    fn stored_range(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        self.depend_on(range.prefix());
        self.store.stored_range(range, limit)
    }

    fn stored_range_back(&self, range: Range, limit: usize) -> Result<Vec<Pair>, StoreError> {
        self.depend_on(range.prefix());
        self.store.stored_range_back(range, limit)
    }
}

/// The memory use of an answer.
pub trait Weigh: Clone {
    /// The size in bytes, without the value itself.
    fn weight(&self) -> u64;
}

impl Weigh for bool {
    fn weight(&self) -> u64 {
        0
    }
}

impl Weigh for usize {
    fn weight(&self) -> u64 {
        0
    }
}

impl Weigh for Duration {
    fn weight(&self) -> u64 {
        0
    }
}

impl Weigh for Bytes {
    fn weight(&self) -> u64 {
        self.len() as u64
    }
}

impl Weigh for JsonRows {
    fn weight(&self) -> u64 {
        self.json.weight()
    }
}

struct Entry<V> {
    answer: V,
    dependencies: Box<[Dependency]>,
}

#[derive(Clone)]
struct ByBytes;

impl<K, V: Weigh> Weighter<K, Arc<Entry<V>>> for ByBytes {
    fn weight(&self, _: &K, entry: &Arc<Entry<V>>) -> u64 {
        OVERHEAD + entry.answer.weight()
    }
}

type Entries<K, V> = Cache<K, Arc<Entry<V>>, ByBytes, RandomState>;

/// A cache with any key and value type.
trait AnyCache: Send + Sync {
    fn drop_stale(&self, versions: &Versions);
    fn count(&self) -> usize;
}

impl<K, V> AnyCache for Entries<K, V>
where
    K: Eq + Hash + Send + Sync,
    V: Weigh + Send + Sync,
{
    fn drop_stale(&self, versions: &Versions) {
        self.retain(|_, entry| versions.are_current(&entry.dependencies));
    }

    fn count(&self) -> usize {
        self.len()
    }
}

/// The cached answers to one kind of question. Clones share them.
pub struct ReadCache<K, V: Weigh> {
    store: Store,
    entries: Arc<Entries<K, V>>,
}

impl<K, V: Weigh> Clone for ReadCache<K, V> {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            entries: Arc::clone(&self.entries),
        }
    }
}

impl<K, V> ReadCache<K, V>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Weigh + Send + Sync + 'static,
{
    /// An empty cache of at most this many bytes.
    pub fn within(bytes: u64, store: &Store) -> Self {
        let typical = usize::try_from(bytes / 1024).unwrap_or(usize::MAX);
        let entries: Entries<K, V> = Cache::with(
            typical,
            bytes,
            ByBytes,
            RandomState::default(),
            DefaultLifecycle::default(),
        );
        let entries = Arc::new(entries);
        let cache = Arc::downgrade(&entries);
        store.0.changes.versions.add(cache);
        Self {
            store: store.clone(),
            entries,
        }
    }

    /// The answer for this key: from the cache if it is current, otherwise from `make`.
    ///
    /// # Errors
    ///
    /// The error of `make`. Errors aren't cached.
    pub fn get<E>(
        &self,
        question: K,
        make: impl FnOnce(&TrackingReader<'_>) -> Result<V, E>,
    ) -> Result<V, E> {
        let versions = &self.store.0.changes.versions;
        if let Some(entry) = self.entries.get(&question)
            && versions.are_current(&entry.dependencies)
        {
            return Ok(entry.answer.clone());
        }
        let reader = TrackingReader {
            store: &self.store,
            dependencies: RefCell::default(),
        };
        let answer = make(&reader)?;
        let entry = Arc::new(Entry {
            answer: answer.clone(),
            dependencies: reader.dependencies.into_inner().into(),
        });
        self.entries.insert(question.clone(), Arc::clone(&entry));
        // An erasure may have dropped the stale answers just before this one was inserted.
        if !versions.are_current(&entry.dependencies) {
            self.entries.remove(&question);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::kernel::store::{Key, Purpose, Table};

    const ROW: Table = Table::new("row");
    const OTHER: Table = Table::new("other");

    fn joined(numbers: Vec<u64>) -> Bytes {
        numbers
            .iter()
            .map(u64::to_string)
            .collect::<String>()
            .into()
    }

    fn list(number: u64) -> Key {
        ROW.key().number(number)
    }

    /// The rows below `list(number)` in one answer, and how often they were read.
    struct Lists {
        store: Store,
        lists: ReadCache<u64, Bytes>,
        read: Cell<usize>,
        _folder: tempfile::TempDir,
    }

    impl Lists {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path()).unwrap();
            Self {
                lists: ReadCache::within(1024 * 1024, &store),
                store,
                read: Cell::new(0),
                _folder: folder,
            }
        }

        fn get(&self, number: u64) -> Bytes {
            let made = self.lists.get(number, |view| {
                self.read.set(self.read.get() + 1);
                Ok::<_, StoreError>(joined(view.list(&list(number))?))
            });
            made.unwrap()
        }

        async fn write(&self, key: Key, json: &'static str) {
            let written = self
                .store
                .commit(move |change| change.put_json(&key, 1, json.as_bytes()));
            written.await.unwrap();
        }

        async fn remove(&self, key: Key) {
            let removed = self.store.commit(move |change| change.remove(&key));
            removed.await.unwrap();
        }
    }

    #[tokio::test]
    async fn an_answer_is_made_once_while_nothing_of_it_is_written() {
        let lists = Lists::new();
        lists.write(list(1).number(1), "1").await;

        assert_eq!(lists.get(1), "1");
        lists.write(list(2).number(1), "2").await;
        lists.write(OTHER.key().number(1), "3").await;
        assert_eq!(lists.get(1), "1");

        assert_eq!(lists.read.get(), 1);
    }

    #[tokio::test]
    async fn what_is_written_below_a_list_is_in_the_next_answer() {
        let lists = Lists::new();
        assert_eq!(lists.get(1), "");

        lists.write(list(1).number(2), "2").await;
        assert_eq!(lists.get(1), "2");
        lists.write(list(1).number(1), "1").await;
        assert_eq!(lists.get(1), "12");
        lists.write(list(1).number(2), "3").await;
        assert_eq!(lists.get(1), "13");
        lists.remove(list(1).number(1)).await;
        assert_eq!(lists.get(1), "3");
    }

    #[tokio::test]
    async fn an_answer_depends_on_every_key_that_was_read_for_it_also_on_one_that_was_not_there() {
        let lists = Lists::new();
        let cache = ReadCache::<(), Bytes>::within(1024, &lists.store);
        let long = OTHER.key().text(&"long ".repeat(40)).number(7);
        let get = || {
            let made = cache.get((), |view| {
                let payload = view.payload(&long)?;
                Ok::<_, StoreError>(payload.map_or_else(Bytes::new, |payload| payload.json))
            });
            made.unwrap()
        };
        assert_eq!(get(), "");

        lists.write(long.clone(), "7").await;
        assert_eq!(get(), "7");
        lists.remove(long.clone()).await;
        assert_eq!(get(), "");
    }

    #[tokio::test]
    async fn what_a_removal_makes_stale_is_dropped_before_it_is_acknowledged_and_nothing_else_is() {
        let lists = Lists::new();
        for number in [1, 2] {
            lists.write(list(number).number(1), "1").await;
            lists.get(number);
        }
        assert_eq!(lists.store.count_cached(), 2);

        lists.remove(list(1).number(1)).await;
        assert_eq!(lists.store.count_cached(), 2, "a stale one is kept");
        let dropped = lists
            .store
            .commit(|change| change.remove_some_below(&list(1)));
        dropped.await.unwrap();
        assert_eq!(lists.store.count_cached(), 2, "nothing was removed");
        lists.write(list(1).number(1), "1").await;
        let dropped = lists
            .store
            .commit(|change| change.remove_some_below(&list(1)));
        dropped.await.unwrap();

        assert_eq!(lists.store.count_cached(), 1);
        assert_eq!((lists.get(2), lists.read.get()), ("1".into(), 2));
    }

    #[tokio::test]
    async fn an_answer_that_was_made_while_its_rows_were_removed_is_not_kept() {
        let lists = Lists::new();
        lists.write(list(1).number(1), "1").await;
        let store = lists.store.clone();
        let removed = move || {
            let removed = store.commit_blocking(Purpose::Ordinary, |change| {
                change.remove_some_below(&list(1))
            });
            removed.unwrap()
        };

        let made = lists.lists.get(1, |view| {
            let rows = view.list(&list(1))?;
            removed();
            Ok::<_, StoreError>(joined(rows))
        });

        assert_eq!(made.unwrap(), "1");
        assert_eq!(lists.store.count_cached(), 0);
    }

    #[tokio::test]
    async fn a_refusal_is_not_kept() {
        let lists = Lists::new();
        let refused = lists.lists.get(1, |_| Err("no"));

        assert_eq!(refused, Err("no"));
        lists.write(list(1).number(1), "1").await;
        assert_eq!(lists.get(1), "1");
    }

    #[tokio::test]
    async fn no_more_is_kept_than_was_allowed() {
        let lists = Lists::new();
        let cache = ReadCache::<u64, Bytes>::within(64 * 1024, &lists.store);
        for number in 0..1000 {
            let kib = Bytes::from(vec![b'x'; 1024]);
            cache.get(number, |_| Ok::<_, StoreError>(kib)).unwrap();
        }

        assert!(cache.entries.weight() <= 64 * 1024);
        assert!(!cache.entries.is_empty());
    }

    /// Once a write is acknowledged, no client gets an older answer, with concurrent readers and writers.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn what_was_acknowledged_is_never_answered_as_it_was_before() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let lists = ReadCache::<u64, Bytes>::within(1024 * 1024, &store);
        let readers = (0..4).map(|_| {
            let lists = lists.clone();
            tokio::spawn(async move {
                loop {
                    for number in 0..4 {
                        count(&lists, number);
                    }
                    tokio::task::yield_now().await;
                }
            })
        });
        let readers = readers.collect::<Vec<_>>();
        let writers = (0..4).map(|number| {
            let (store, lists) = (store.clone(), lists.clone());
            tokio::spawn(async move {
                for row in 1..=50 {
                    let key = list(number).number(row);
                    let put = store.commit(move |change| change.put_json(&key, 1, b"1"));
                    put.await.unwrap();
                    assert_eq!(count(&lists, number), row as usize);
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        readers.iter().for_each(tokio::task::JoinHandle::abort);
    }

    fn count(lists: &ReadCache<u64, Bytes>, number: u64) -> usize {
        let made = lists.get(number, |view| {
            Ok::<_, StoreError>(joined(view.list(&list(number))?))
        });
        made.unwrap().len()
    }
}
