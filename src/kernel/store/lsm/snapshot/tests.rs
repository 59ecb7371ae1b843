use tempfile::TempDir;

use super::super::testing;
use super::*;
use crate::kernel::store::{Key, Range, Read, Store, Table};

const NOTES: Table = Table::new("note");

fn key(number: u64) -> Key {
    NOTES.key().number(number)
}

async fn put(store: &Store, numbers: std::ops::Range<u64>, value: u64) {
    let put = store.commit(move |change| {
        numbers
            .into_iter()
            .try_for_each(|number| change.put(&key(number), &value))
    });
    put.await.unwrap();
}

fn all(snapshot: &mut Snapshot) -> Vec<Pair> {
    let mut pairs = Vec::new();
    while let Some(step) = snapshot.step().unwrap() {
        pairs.extend(step);
    }
    pairs
}

fn live(store: &Store) -> Vec<Pair> {
    store.stored_range(Range::behind(None), usize::MAX).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_snapshot_under_heavy_writing_is_the_state_at_its_start() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    put(&store, 0..20_000, 1).await;

    for round in 0..5_u64 {
        let before = live(&store);
        let mut snapshot = store.snapshot();
        let writers = (0..4_u64).map(|writer| {
            let store = store.clone();
            tokio::spawn(async move {
                for step in 0..120_u64 {
                    // Overwrites, appends and removes, all over the keys and in both directions.
                    let at = (step * 7_919 + writer * 331 + round) % 19_000;
                    let change = store.commit(move |change| {
                        for number in at..at + 20 {
                            change.put(&key(number), &(step + 2))?;
                            change.put(&key(30_000 + round * 10_000 + number), &step)?;
                        }
                        change.remove(&key(19_500 + (at + round) % 500))?;
                        change.remove(&key(30_000 + at))
                    });
                    change.await.unwrap();
                }
            })
        });
        let writers = writers.collect::<Vec<_>>();
        let reading = tokio::task::spawn_blocking(move || {
            let mut pairs = Vec::new();
            while let Some(step) = snapshot.step().unwrap() {
                pairs.extend(step);
                std::thread::yield_now();
            }
            pairs
        });
        let read = reading.await.unwrap();
        for writer in writers {
            writer.await.unwrap();
        }

        assert!(read == before, "round {round}");
        assert!(live(&store) != before);
    }
    assert_eq!(testing::snapshots(store.lsm()), 0);
}

#[tokio::test]
async fn a_change_is_in_a_snapshot_whole_or_not_at_all() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    put(&store, 0..2_000, 1).await;

    let mut snapshot = store.snapshot();
    let mut pairs = snapshot.step().unwrap().unwrap();
    put(&store, 0..2_000, 2).await;
    pairs.extend(all(&mut snapshot));

    let twos = pairs
        .iter()
        .filter(|(key, value)| key.starts_with(b"note") && value.ends_with(b"2"))
        .count();
    assert_eq!((twos, pairs.len()), (0, 2_001));
}

#[tokio::test]
async fn a_reader_that_is_outrun_is_told_and_costs_nothing_more() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    put(&store, 0..2_000, 1).await;

    let mut snapshot = testing::snapshot_within(store.lsm(), 10_000);
    put(&store, 0..2_000, 2).await;

    assert!(matches!(snapshot.step(), Err(SnapshotError::Outrun)));
    assert!(
        snapshot
            .snapshots
            .open()
            .readers
            .values()
            .all(|reader| reader.before.is_empty())
    );
}

#[tokio::test]
async fn a_snapshot_goes_on_over_a_compaction() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    put(&store, 0..5_000, 1).await;
    let before = live(&store);

    let mut snapshot = store.snapshot();
    let mut pairs = snapshot
        .step()
        .unwrap()
        .unwrap()
        .into_iter()
        .collect::<Vec<_>>();
    put(&store, 100..4_000, 2).await;
    store.compact(|_| {}).await.unwrap();
    put(&store, 200..5_000, 3).await;
    pairs.extend(all(&mut snapshot));

    assert!(pairs == before);
}
