use tempfile::TempDir;

use super::*;

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

struct Fixture {
    _folder: TempDir,
    tree: sled::Tree,
    blocks: BlockTable,
    model: Model,
}

impl Fixture {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let tree = (*sled::open(folder.path()).unwrap()).clone();
        Self {
            blocks: BlockTable::new(&tree),
            tree,
            model: Model::new(),
            _folder: folder,
        }
    }

    fn write(&mut self, writes: &BTreeMap<Vec<u8>, Option<Vec<u8>>>) {
        let pairs = writes.iter();
        let pairs = pairs.map(|(key, value)| (key.as_slice(), value.as_deref()));
        self.blocks.apply(pairs, || Ok(())).unwrap();
        for (key, value) in writes {
            match value {
                Some(value) => drop(self.model.insert(key.clone(), value.clone())),
                None => drop(self.model.remove(key)),
            }
        }
    }

    fn put(&mut self, keys: impl Iterator<Item = u32>, length: usize) {
        let value = Some(vec![b'x'; length]);
        self.write(&keys.map(|number| (key(number), value.clone())).collect());
    }

    fn remove(&mut self, keys: impl Iterator<Item = u32>) {
        self.write(&keys.map(|number| (key(number), None)).collect());
    }

    fn within(&self, bounds: Bounds<'_>) -> Vec<(Vec<u8>, Vec<u8>)> {
        let pairs = self.blocks.range(bounds).map(Result::unwrap);
        let pairs = pairs.collect::<Vec<_>>();
        let backwards = self.blocks.range_back(bounds).map(Result::unwrap);
        let backwards = backwards.collect::<Vec<_>>().into_iter().rev();
        assert_eq!(backwards.collect::<Vec<_>>(), pairs, "{bounds:?}");
        pairs
            .into_iter()
            .map(|(key, value)| (key.to_vec(), value.to_vec()))
            .collect()
    }

    #[track_caller]
    fn is_like_its_model(&self) {
        let everything = (Bound::Unbounded, Bound::Unbounded);
        let model = self.model.clone().into_iter().collect::<Vec<_>>();
        assert_eq!(self.within(everything), model);
    }

    fn sizes(&self) -> Vec<usize> {
        self.tree
            .iter()
            .values()
            .map(|block| block.unwrap().len())
            .collect()
    }
}

fn key(number: u32) -> Vec<u8> {
    format!("thing {number:06}").into_bytes()
}

#[test]
fn appended_pairs_fill_their_blocks() {
    let mut table = Fixture::new();
    for step in 0..100 {
        table.put(step * 10..step * 10 + 10, 200);
    }

    table.is_like_its_model();
    let sizes = table.sizes();
    assert!(sizes.iter().all(|bytes| *bytes <= TARGET_SIZE), "{sizes:?}");
    // Nine pairs of 218 bytes fit.
    assert_eq!(sizes.len(), 112);
}

#[test]
fn a_block_that_becomes_too_large_is_split_evenly() {
    let mut table = Fixture::new();
    table.put((0..9).map(|number| number * 2), 200);
    table.put(std::iter::once(5), 200);

    table.is_like_its_model();
    assert_eq!(table.sizes(), [1090, 1090]);
}

#[test]
fn an_empty_block_is_removed() {
    let mut table = Fixture::new();
    table.put(0..100, 200);
    table.remove(0..95);
    table.is_like_its_model();
    assert_eq!(table.sizes().len(), 2);

    table.remove(95..100);
    assert!(table.sizes().is_empty());
    table.put(0..1, 3);
    table.is_like_its_model();
}

#[test]
fn a_pair_larger_than_a_block_has_its_own() {
    let mut table = Fixture::new();
    table.put(0..20, 5_000);
    table.put(5..6, 12_000);
    table.put(6..7, 1);

    table.is_like_its_model();
    assert_eq!(table.sizes().len(), 20);
}

#[test]
fn ranges_begin_and_end_where_they_say() {
    let mut table = Fixture::new();
    table.put((10..1_000).step_by(10), 300);
    let (low, high) = (key(200), key(305));

    for start in [Bound::Included, Bound::Excluded] {
        for end in [Bound::Included, Bound::Excluded] {
            let bounds = (start(low.as_slice()), end(high.as_slice()));
            let model = table.model.range::<[u8], _>(bounds);
            let model = model.map(|(key, value)| (key.clone(), value.clone()));
            assert_eq!(table.within(bounds), model.collect::<Vec<_>>());
        }
    }
    let before_all = (Bound::Unbounded, Bound::Excluded(&b"thing 000010"[..]));
    assert_eq!(table.within(before_all), []);
    let behind_all = (Bound::Excluded(&b"thing 000990"[..]), Bound::Unbounded);
    assert_eq!(table.within(behind_all), []);
}

#[test]
fn a_broken_block_is_reported() {
    let mut table = Fixture::new();
    table.put(0..3, 10);
    let block = table.tree.get(LAST).unwrap().unwrap();
    table.tree.insert(LAST, &block[..block.len() - 1]).unwrap();

    assert!(table.blocks.get(&key(0)).unwrap().is_some());
    assert!(table.blocks.get(&key(2)).is_err());
    let everything = (Bound::Unbounded, Bound::Unbounded);
    let read = table.blocks.range(everything).collect::<Vec<_>>();
    assert!(read[2].is_err() && read.len() == 3);
}

/// A linear congruential generator (Knuth's MMIX) of numbers below its argument, so that every run is the same.
pub fn rng(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

#[test]
fn it_behaves_like_a_map() {
    let mut table = Fixture::new();
    let mut rng = rng(7);
    for _ in 0..300 {
        let (many, first) = (1 + rng(60), rng(3_000));
        let (spread, removes) = (1 + rng(200), rng(3) == 0);
        let writes = (0..many).map(|_| {
            let key = key(u32::try_from(first + rng(spread)).unwrap());
            let length = [3, 90, 300, 1_500, 4_000][usize::try_from(rng(5)).unwrap()];
            (key, (!removes).then(|| vec![b'v'; length]))
        });
        let writes = writes.collect();
        table.write(&writes);
        for key in writes.keys() {
            let read = table.blocks.get(key).unwrap();
            assert_eq!(read.as_deref(), table.model.get(key).map(Vec::as_slice));
        }
        let (low, high) = (key(u32::try_from(first).unwrap()), key(9_999));
        let bounds = (
            Bound::Excluded(low.as_slice()),
            Bound::Included(high.as_slice()),
        );
        let some = table
            .blocks
            .range(bounds)
            .take(20)
            .map(|pair| pair.unwrap().0.to_vec());
        let model = table.model.range::<[u8], _>(bounds).take(20);
        assert!(some.eq(model.map(|(key, _)| key.clone())));
    }

    table.is_like_its_model();
    let (blocks, pairs) = (table.sizes().len(), table.model.len());
    assert!(
        pairs > 500 && blocks < pairs,
        "{pairs} pairs in {blocks} blocks"
    );
}

#[test]
fn a_scan_sees_every_pair_that_is_not_written_meanwhile() {
    let mut table = Fixture::new();
    table.put((0..4_000).step_by(2), 200);
    let mut rng = rng(11);

    for _ in 0..20 {
        let before = table.model.keys().cloned().collect::<Vec<_>>();
        let blocks = table.blocks.clone();
        let mut seen = Vec::new();
        let mut written = std::collections::BTreeSet::new();
        for (at, pair) in (0..).zip(blocks.range((Bound::Unbounded, Bound::Unbounded))) {
            seen.push(pair.unwrap().0.to_vec());
            if rng(20) == 0 {
                let first = 2 * at + u32::try_from(rng(400)).unwrap();
                let length = [3, 200, 700][usize::try_from(rng(3)).unwrap()];
                written.extend((first..first + 5).map(key));
                table.put(first..first + 5, length);
            }
        }

        let untouched = |keys: &[Vec<u8>]| {
            let keys = keys.iter().filter(|key| !written.contains(*key));
            keys.cloned().collect::<Vec<_>>()
        };
        assert_eq!(untouched(&seen), untouched(&before));
    }
}

/// Flushes after each step, and returns the maximum number of bytes that one step added to sled's file.
fn most_in_a_step(db: &sled::Db, writes: &BTreeMap<Vec<u8>, Option<Vec<u8>>>) -> usize {
    let most = std::cell::Cell::new(0);
    let pairs = writes.iter();
    let pairs = pairs.map(|(key, value)| (key.as_slice(), value.as_deref()));
    let stepped = || {
        most.set(most.get().max(db.flush()?));
        Ok(())
    };
    BlockTable::new(db).apply(pairs, stepped).unwrap();
    most.get()
}

#[test]
fn a_step_writes_less_than_a_segment() {
    const SEGMENT: usize = 512 * 1024;
    const LARGE_VALUE: usize = 6 * 1024 + 10;
    let folder = TempDir::new().unwrap();
    let config = sled::Config::new().path(folder.path()).flush_every_ms(None);
    let db = config.open().unwrap();
    let write = |numbers: &mut dyn Iterator<Item = u32>, length: usize| {
        let value = Some(vec![b'x'; length]);
        let writes = numbers.map(|number| (key(number), value.clone()));
        most_in_a_step(&db, &writes.collect())
    };

    let one_list = write(&mut (0..10_000), 300);
    let everywhere = write(&mut (0..10_000).step_by(9), 400);
    let again = write(&mut (0..10_000).step_by(7), 200);

    for most in [one_list, everywhere, again] {
        assert!(most > 0 && most < SEGMENT / 2, "{most}");
    }

    let long_texts = write(&mut (20_000..22_000), LARGE_VALUE);
    let between = write(&mut (20_000..22_000).step_by(3), LARGE_VALUE - 1);
    let shorter = write(&mut (20_000..22_000).step_by(5), LARGE_VALUE / 3);
    let every_other = write(&mut (30_000..34_000).step_by(2), LARGE_VALUE);
    let the_others = write(&mut (30_001..34_000).step_by(2), LARGE_VALUE);
    for most in [long_texts, between, shorter, every_other, the_others] {
        assert!(most > 0 && most < SEGMENT, "{most}");
    }
}
