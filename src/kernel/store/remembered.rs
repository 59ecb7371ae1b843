//! What was made of the store, used again until what it was made of is written.
//!
//! sled gives a range one value at a time and copies each page that it passes: 200 messages take several
//! times as long as all the rest of their request. A parent's page asks for the same list again and again, and
//! an assistant for the same topics before each session. So an answer is kept together with its grounds: which
//! keys and which lists were read for it, and how often each of them had been written by then. It is given
//! again only if none was written since, and made anew otherwise; nothing has to be told, or thought of, when
//! something is changed. Who may see it is not part of an answer and is asked each time.
//!
//! How often something was written is counted by the hash of its key, for all keys in a fixed number of
//! counters. Two that share one only forget each other's answers now and then.
//!
//! A stale answer usually stays in memory until it is asked for again or evicted. After a change that removes what nobody
//! shall find any more ([`Change::drop_stale_answers`](super::Change::drop_stale_answers)), all stale answers are dropped
//! before the change is acknowledged.

use std::borrow::Borrow;
use std::cell::RefCell;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use quick_cache::Weighter;

use super::{JoinedRows, Pairs, Range, Read, Store, StoreError};
use crate::kernel::cache::{self, Cache};

/// How many counters there are: 128 KiB of them, a hundred times as many as a family's lists.
const COUNTERS: usize = 1 << 14;

/// Of a longer key or prefix, so many bytes count: they name the table and the child or session.
const LONGEST: usize = 63;

/// What an entry takes beside its answer, in bytes, roughly.
const OVERHEAD: u64 = 256;

/// How often what lies under each key, or below each prefix, was written.
pub(super) struct Written {
    counters: Box<[AtomicU64]>,
    /// Which lengths of keys and prefixes anybody asked for, a bit for each.
    lengths: AtomicU64,
    /// Everything that holds answers.
    caches: Mutex<Vec<Weak<dyn Answers>>>,
    /// The keys that each change wrote, for tests that compare them.
    #[cfg(test)]
    pub recorded: Mutex<Option<Vec<Vec<Vec<u8>>>>>,
}

/// A key or prefix that something was made of, and how often it had been written.
#[derive(Clone, Copy, Debug)]
struct Ground {
    counter: usize,
    count: u64,
}

impl Default for Written {
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

impl Written {
    /// The state of this key, or of all that begins with it. To be asked for before it is read.
    ///
    /// A writer that doesn't know yet that this length matters had applied its batch before, so the reader
    /// sees it; one that comes later counts, and the answer isn't used again.
    fn ground(&self, prefix: &[u8]) -> Ground {
        let prefix = &prefix[..prefix.len().min(LONGEST)];
        self.lengths.fetch_or(1 << prefix.len(), Ordering::SeqCst);
        let counter = counter(prefix.iter().fold(BASIS, mixed));
        let count = self.counters[counter].load(Ordering::SeqCst);
        Ground { counter, count }
    }

    fn are_as_they_were(&self, grounds: &[Ground]) -> bool {
        grounds
            .iter()
            .all(|ground| self.counters[ground.counter].load(Ordering::SeqCst) == ground.count)
    }

    fn add(&self, cache: Weak<dyn Answers>) {
        let mut caches = self.caches();
        caches.retain(|cache| cache.strong_count() > 0);
        caches.push(cache);
    }

    fn caches(&self) -> MutexGuard<'_, Vec<Weak<dyn Answers>>> {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops every answer that is stale by now.
    pub fn drop_stale(&self) {
        for cache in self.caches().iter().filter_map(Weak::upgrade) {
            cache.drop_stale(self);
        }
    }

    /// How many answers are in memory, stale ones too.
    pub fn count_answers(&self) -> usize {
        let caches = self.caches();
        let caches = caches.iter().filter_map(Weak::upgrade);
        caches.map(|cache| cache.count()).sum()
    }

    /// Counts these keys as written. To be told after they can be read and before anybody is told of them.
    pub fn note<'a>(&self, keys: impl Iterator<Item = &'a [u8]> + Clone) {
        #[cfg(test)]
        if let Some(recorded) = self.recorded.lock().unwrap().as_mut() {
            recorded.push(keys.clone().map(<[u8]>::to_vec).collect());
        }
        let lengths = self.lengths.load(Ordering::SeqCst);
        for key in keys {
            let mut hash = BASIS;
            for length in 0..=key.len().min(LONGEST) {
                if lengths & (1 << length) != 0 {
                    self.counters[counter(hash)].fetch_add(1, Ordering::SeqCst);
                }
                if let Some(byte) = key.get(length) {
                    hash = mixed(hash, byte);
                }
            }
        }
    }
}

/// FNV-1a of 64 bits, because it gives the hash of every beginning of a key on the way.
/// <http://www.isthe.com/chongo/tech/comp/fnv/>
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;

fn mixed(hash: u64, byte: &u8) -> u64 {
    (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
}

fn counter(hash: u64) -> usize {
    // The upper half is folded in, as that method's authors advise.
    ((hash ^ (hash >> 32)) as usize) % COUNTERS
}

/// A view of the store that notes what is read through it.
pub struct Watched<'a> {
    store: &'a Store,
    grounds: RefCell<Vec<Ground>>,
}

impl Watched<'_> {
    fn rest_on(&self, prefix: &[u8]) {
        let ground = self.store.0.written.ground(prefix);
        self.grounds.borrow_mut().push(ground);
    }
}

impl Read for Watched<'_> {
    fn stored(&self, key: &[u8]) -> Result<Option<sled::IVec>, StoreError> {
        self.rest_on(key);
        self.store.stored(key)
    }

    fn stored_range(&self, range: Range, limit: usize) -> Result<Pairs, StoreError> {
        self.rest_on(range.prefix());
        self.store.stored_range(range, limit)
    }
}

/// What an answer takes in memory.
pub trait Weigh: Clone {
    /// In bytes, without the value itself.
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

impl Weigh for bytes::Bytes {
    fn weight(&self) -> u64 {
        self.len() as u64
    }
}

impl Weigh for JoinedRows {
    fn weight(&self) -> u64 {
        self.json.weight()
    }
}

struct Kept<V> {
    answer: V,
    grounds: Box<[Ground]>,
}

#[derive(Clone)]
struct ByBytes;

impl<K, V: Weigh> Weighter<K, Arc<Kept<V>>> for ByBytes {
    fn weight(&self, _: &K, kept: &Arc<Kept<V>>) -> u64 {
        OVERHEAD + kept.answer.weight()
    }
}

type Kepts<K, V> = Cache<K, Arc<Kept<V>>, ByBytes>;

/// Answers of whatever kind.
trait Answers: Send + Sync {
    fn drop_stale(&self, written: &Written);
    fn count(&self) -> usize;
}

impl<K, V> Answers for Kepts<K, V>
where
    K: Eq + Hash + Send + Sync,
    V: Weigh + Send + Sync,
{
    fn drop_stale(&self, written: &Written) {
        self.retain(|_, kept| written.are_as_they_were(&kept.grounds));
    }

    fn count(&self) -> usize {
        self.len()
    }
}

/// Answers to one kind of question. Clones share them.
pub struct Remembered<K, V: Weigh> {
    store: Store,
    answers: Arc<Kepts<K, V>>,
}

impl<K, V: Weigh> Clone for Remembered<K, V> {
    fn clone(&self) -> Self {
        Self {
            store: self.store.clone(),
            answers: Arc::clone(&self.answers),
        }
    }
}

impl<K, V> Remembered<K, V>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Weigh + Send + Sync + 'static,
{
    /// Nothing yet; and never more than so many bytes.
    pub fn within(bytes: u64, store: &Store) -> Self {
        let typical = usize::try_from(bytes / 1024).unwrap_or(usize::MAX);
        let answers: Arc<Kepts<K, V>> = Arc::new(cache::of_weight(typical, bytes, ByBytes));
        let cache = Arc::downgrade(&answers);
        store.0.written.add(cache);
        Self {
            store: store.clone(),
            answers,
        }
    }

    /// The answer to this question, from memory if it still is what `make` would make.
    ///
    /// # Errors
    ///
    /// What `make` says. A refusal isn't remembered.
    pub fn get<E>(
        &self,
        question: K,
        make: impl FnOnce(&Watched<'_>) -> Result<V, E>,
    ) -> Result<V, E> {
        match self.find(&question) {
            Some(answer) => Ok(answer),
            None => self.make(question, make),
        }
    }

    /// The same for a question that is borrowed, such as a text.
    ///
    /// # Errors
    ///
    /// What `make` says. A refusal isn't remembered.
    pub fn get_by<Q, E>(
        &self,
        question: &Q,
        make: impl FnOnce(&Watched<'_>) -> Result<V, E>,
    ) -> Result<V, E>
    where
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
        K: Borrow<Q>,
    {
        match self.find(question) {
            Some(answer) => Ok(answer),
            None => self.make(question.to_owned(), make),
        }
    }

    fn find<Q>(&self, question: &Q) -> Option<V>
    where
        Q: Eq + Hash + ?Sized,
        K: Borrow<Q>,
    {
        let kept = self.answers.get(question)?;
        let written = &self.store.0.written;
        written
            .are_as_they_were(&kept.grounds)
            .then(|| kept.answer.clone())
    }

    fn make<E>(
        &self,
        question: K,
        make: impl FnOnce(&Watched<'_>) -> Result<V, E>,
    ) -> Result<V, E> {
        let view = Watched {
            store: &self.store,
            grounds: RefCell::default(),
        };
        let answer = make(&view)?;
        let kept = Arc::new(Kept {
            answer: answer.clone(),
            grounds: view.grounds.into_inner().into(),
        });
        self.answers.insert(question.clone(), Arc::clone(&kept));
        // What removed it may have dropped the stale answers just before this one was inserted.
        if !self.store.0.written.are_as_they_were(&kept.grounds) {
            self.answers.remove(&question);
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::kernel::store::{Key, Table};

    const ROW: Table = Table::new("row");
    const OTHER: Table = Table::new("other");

    fn list(number: u64) -> Key {
        ROW.key().number(number)
    }

    /// The rows below `list(number)` in one piece, and how often they were read.
    struct Lists {
        store: Store,
        lists: Remembered<u64, bytes::Bytes>,
        read: Cell<usize>,
        _folder: tempfile::TempDir,
    }

    impl Lists {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path(), false).unwrap();
            Self {
                lists: Remembered::within(1024 * 1024, &store),
                store,
                read: Cell::new(0),
                _folder: folder,
            }
        }

        fn get(&self, number: u64) -> bytes::Bytes {
            let made = self.lists.get(number, |view| {
                self.read.set(self.read.get() + 1);
                let rows = view.scan(&list(number), None, 10)?;
                Ok::<_, StoreError>(rows.iter().flat_map(|row| row.payload().to_vec()).collect())
            });
            made.unwrap()
        }

        async fn write(&self, key: Key, json: &'static str) {
            let written = self
                .store
                .commit(move |change| change.put_json(&key, 1, json.as_bytes()));
            written.await.unwrap().unwrap();
        }

        async fn remove(&self, key: Key) {
            let removed = self.store.commit(move |change| change.remove(&key));
            removed.await.unwrap().unwrap();
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
    async fn an_answer_rests_on_every_key_that_was_read_for_it_also_on_one_that_was_not_there() {
        let lists = Lists::new();
        let remembered = Remembered::<(), bytes::Bytes>::within(1024, &lists.store);
        let long = OTHER.key().text(&"long ".repeat(40)).number(7);
        let get = || {
            let made = remembered.get((), |view| {
                let payload = view.payload(&long)?;
                Ok::<_, StoreError>(
                    payload.map_or_else(bytes::Bytes::new, |json| json.to_vec().into()),
                )
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
        assert_eq!(lists.store.count_remembered(), 2);

        lists.remove(list(1).number(1)).await;
        assert_eq!(lists.store.count_remembered(), 2, "a stale one is kept");
        let dropped = lists
            .store
            .commit(|change| change.remove_some_below(&list(1)));
        dropped.await.unwrap().unwrap();
        assert_eq!(lists.store.count_remembered(), 2, "nothing was removed");
        lists.write(list(1).number(1), "1").await;
        let dropped = lists
            .store
            .commit(|change| change.remove_some_below(&list(1)));
        dropped.await.unwrap().unwrap();

        assert_eq!(lists.store.count_remembered(), 1);
        assert_eq!((lists.get(2), lists.read.get()), ("1".into(), 2));
    }

    #[tokio::test]
    async fn an_answer_that_was_made_while_its_rows_were_removed_is_not_kept() {
        let lists = Lists::new();
        lists.write(list(1).number(1), "1").await;
        let store = lists.store.clone();
        let removed = move || {
            let removed = store.commit_blocking(|change| change.remove_some_below(&list(1)));
            removed.unwrap().unwrap()
        };

        let made = lists.lists.get(1, |view| {
            let rows = view.scan(&list(1), None, 10)?;
            removed();
            Ok::<_, StoreError>(rows.iter().flat_map(|row| row.payload().to_vec()).collect())
        });

        assert_eq!(made.unwrap(), "1");
        assert_eq!(lists.store.count_remembered(), 0);
    }

    #[tokio::test]
    async fn a_refusal_is_not_remembered() {
        let lists = Lists::new();
        let refused = lists.lists.get(1, |_| Err("no"));

        assert_eq!(refused, Err("no"));
        lists.write(list(1).number(1), "1").await;
        assert_eq!(lists.get(1), "1");
    }

    #[tokio::test]
    async fn no_more_is_kept_than_was_allowed() {
        let lists = Lists::new();
        let remembered = Remembered::<u64, bytes::Bytes>::within(64 * 1024, &lists.store);
        for number in 0..1000 {
            let kib = bytes::Bytes::from(vec![b'x'; 1024]);
            remembered
                .get(number, |_| Ok::<_, StoreError>(kib))
                .unwrap();
        }

        assert!(remembered.answers.weight() <= 64 * 1024);
        assert!(!remembered.answers.is_empty());
    }

    /// Whoever was told that something is written reads it, however many read and write at once.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn what_was_acknowledged_is_never_answered_as_it_was_before() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), false).unwrap();
        let lists = Remembered::<u64, bytes::Bytes>::within(1024 * 1024, &store);
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
                    put.await.unwrap().unwrap();
                    assert_eq!(count(&lists, number), row as usize);
                }
            })
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap();
        }
        readers.iter().for_each(tokio::task::JoinHandle::abort);
    }

    fn count(lists: &Remembered<u64, bytes::Bytes>, number: u64) -> usize {
        let made = lists.get(number, |view| {
            let rows = view.scan(&list(number), None, usize::MAX)?;
            Ok::<_, StoreError>(rows.iter().flat_map(|row| row.payload().to_vec()).collect())
        });
        made.unwrap().len()
    }
}
