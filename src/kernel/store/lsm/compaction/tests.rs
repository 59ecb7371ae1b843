use std::collections::BTreeMap;

use tempfile::TempDir;

use super::super::blocks::tests::rng;
use super::*;

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// A store's layers without a writer thread, and a compaction of them.
struct Fixture {
    tables: Tables,
    compaction: Compaction,
    model: Model,
    _data: TempDir,
}

impl Fixture {
    fn with(model: Model) -> Self {
        let data = TempDir::new().unwrap();
        let files = SledFiles::open_current(data.path()).unwrap();
        let writes = model.iter();
        let writes = writes.map(|(key, value)| (key.as_slice(), Some(value.as_slice())));
        files.blocks().apply(writes, || Ok(())).unwrap();
        let tables = Tables::new(files.blocks(), Memtable::new(), Memtable::new());
        let compaction = Compaction::start(&files, Vec::new()).unwrap();
        files.abandon();
        Self {
            tables,
            compaction,
            model,
            _data: data,
        }
    }

    fn step(&mut self) -> bool {
        self.compaction.step(&self.tables).unwrap()
    }

    fn write(&mut self, writes: BTreeMap<Vec<u8>, Option<Vec<u8>>>) {
        for (key, value) in &writes {
            match value {
                Some(value) => drop(self.model.insert(key.clone(), value.clone())),
                None => drop(self.model.remove(key)),
            }
        }
        let writes = writes.into_iter();
        let writes = writes.map(|(key, value)| (key.into(), value.map(Bytes::from)));
        self.tables.apply(writes.collect());
    }

    fn checkpoint(&self) {
        self.compaction.follow(&self.tables.read().active).unwrap();
        self.tables.freeze();
        let (frozen, base) = {
            let view = self.tables.read();
            (Arc::clone(&view.frozen), view.base.clone())
        };
        base.apply_memtable(&frozen, || Ok(())).unwrap();
        self.tables.drop_flushed();
    }

    /// The contents of the new files, and their size.
    fn finish(self) -> (Model, u64) {
        self.compaction.follow(&self.tables.read().active).unwrap();
        let files = self.compaction.into;
        files.sync_created().unwrap();
        let everything = (Bound::Unbounded, Bound::Unbounded);
        let pairs = files.blocks().range(everything).map(|pair| {
            let (key, value) = pair.unwrap();
            (key.to_vec(), value.to_vec())
        });
        let pairs = pairs.collect();
        let size = files.size();
        files.abandon();
        (pairs, size)
    }
}

fn key(number: usize) -> Vec<u8> {
    format!("thing {number:06}").into_bytes()
}

fn things(numbers: std::ops::Range<usize>, length: usize) -> Model {
    let things = numbers.map(|number| (key(number), vec![b'x'; length]));
    things.collect()
}

// With values as long as ordinary messages. With the longest ones alone (6 KiB) it is between 2 and 5 times.
#[test]
#[ignore = "it depends on when sled's threads free its segments"]
fn the_new_files_are_at_most_two_and_a_half_times_as_large_as_what_they_hold() {
    let mut fixture = Fixture::with(things(0..50_000, 300));
    let held = fixture.model.iter();
    let held = held.map(|(key, value)| (key.len() + value.len()) as u64);
    let held = held.sum::<u64>();

    while fixture.step() {}

    let (_, size) = fixture.finish();
    println!("{:.2}", size as f64 / held as f64);
    assert!(size < held * 5 / 2, "{size} bytes for {held}");
}

#[test]
fn whatever_is_written_meanwhile_the_copy_equals_the_original() {
    let mut rng = rng(11);
    let mut rng = |below: usize| rng(below as u64) as usize;
    let mut fixture = Fixture::with(things(1_000..25_000, 300));
    let mut steps = 0;
    while fixture.step() {
        steps += 1;
        // Only at first is more appended than a step copies.
        let below = if steps < 50 { 40_000 } else { 25_000 };
        let first = rng(below);
        let removes = rng(3) == 0;
        let writes = (0..rng(40)).map(|_| {
            let length = [3, 300, 1_500, 6_000][rng(4)];
            let value = (!removes).then(|| vec![b'v'; length]);
            (key(first + rng(200)), value)
        });
        fixture.write(writes.collect());
        if rng(10) == 0 {
            fixture.checkpoint();
        }
    }

    let expected = fixture.model.clone();
    let (copied, _) = fixture.finish();
    assert!(steps > 80, "{steps}");
    assert!(
        copied == expected,
        "{} and {}",
        copied.len(),
        expected.len()
    );
}

#[test]
fn it_is_due_at_twice_the_last_size_and_64_megabytes() {
    const MEGABYTE: u64 = 1024 * 1024;

    assert!(!is_due(63 * MEGABYTE, 0));
    assert!(is_due(64 * MEGABYTE, 0));
    assert!(!is_due(263 * MEGABYTE, 100 * MEGABYTE));
    assert!(is_due(264 * MEGABYTE, 100 * MEGABYTE));
}
