//! Writes that are in the log but not in sled's files, and damage to either.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::kernel::store::lsm::{Memtable, testing};

/// The log's file for even epochs, such as a new store's.
const LOG: &str = "store.wal.0";

/// A folder after the server was killed, with these notes in the log and none of them in sled's files.
async fn killed_with(numbers: std::ops::Range<u64>) -> TempDir {
    let (folder, killed) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let store = store_in(&folder);
    for number in numbers {
        put(&store, number, &format!("kept {number}")).await;
    }
    copy(folder.path().to_owned(), killed.path().to_owned());
    store.close();
    killed
}

fn copy(from: PathBuf, to: PathBuf) {
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(entry.path(), to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

fn texts(store: &Store) -> Vec<String> {
    let notes = store.list::<Note>(&NOTES.key()).unwrap();
    notes.into_iter().map(|note| note.text).collect()
}

fn kept(numbers: std::ops::Range<u64>) -> Vec<String> {
    numbers.map(|number| format!("kept {number}")).collect()
}

/// Changes the log's bytes.
fn change_log(folder: &TempDir, change: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.path().join(LOG);
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

fn stored(text: &str) -> Vec<u8> {
    format!("\x01\x00{{\"text\":\"{text}\"}}").into_bytes()
}

/// A folder after the server was killed during a checkpoint; these two notes were written since it began.
async fn killed_within_a_checkpoint() -> TempDir {
    let folder = killed_with(0..10).await;
    let records = [3, 10].map(|number| {
        let write = (key(number).to_bytes(), Some(stored("written since").into()));
        Memtable::from([write])
    });
    testing::append_behind_a_checkpoint(folder.path(), &records);
    folder
}

/// The offset of a note's text in the log.
fn place_of(text: &str, bytes: &[u8]) -> usize {
    let text = text.as_bytes();
    let place = bytes.windows(text.len()).position(|part| part == text);
    place.expect("it is in the log")
}

fn refusal(folder: &TempDir) -> OpenError {
    let refused = Store::open(folder.path());
    refused.err().expect("something is missing")
}

#[tokio::test]
async fn what_was_acknowledged_is_read_from_the_log() {
    let folder = killed_with(0..50).await;
    let sled = fs::read(folder.path().join("store/db")).unwrap();
    assert!(!sled.windows(6).any(|part| part == b"kept 4"));

    let again = store_in(&folder);
    assert_eq!(texts(&again), kept(0..50));

    // New records are appended after the existing ones, also after another kill.
    put(&again, 50, "kept 50").await;
    let killed = TempDir::new().unwrap();
    copy(folder.path().to_owned(), killed.path().to_owned());
    assert_eq!(texts(&store_in(&killed)), kept(0..51));
}

#[tokio::test]
async fn what_is_removed_and_replaced_is_so_after_a_kill() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..10 {
        put(&store, number, "before").await;
    }
    store.close();
    drop(store);
    let store = store_in(&folder);
    put(&store, 3, "after").await;
    let removed = store.commit(|change| change.remove(&key(4))).await;
    assert!(removed.unwrap());
    let killed = TempDir::new().unwrap();
    copy(folder.path().to_owned(), killed.path().to_owned());

    let again = store_in(&killed);

    let text = |number| again.get::<Note>(&key(number)).unwrap();
    assert_eq!(text(2), Some(note("before")));
    assert_eq!(text(3), Some(note("after")));
    assert_eq!(text(4), None);
    assert_eq!(texts(&again).len(), 9);
}

#[tokio::test]
async fn zeros_in_place_of_a_log_are_missed() {
    for file in [LOG, "store.wal.1"] {
        let folder = killed_with(0..10).await;
        fs::write(folder.path().join(file), vec![0; 2 * 1024 * 1024]).unwrap();

        let refused = refusal(&folder);

        assert!(
            matches!(refused, OpenError::Incomplete(_)),
            "{file}: {refused}"
        );
    }
}

#[tokio::test]
async fn the_torn_end_of_a_write_is_nothing() {
    for cut in [1, 9, 23, 24, 40] {
        let folder = killed_with(0..10).await;
        change_log(&folder, |bytes| {
            // The record ends with its text and the end of the JSON.
            let end = place_of("kept 9", bytes) + "kept 9\"}".len();
            bytes[end - cut..end].fill(0);
        });

        let again = store_in(&folder);
        assert_eq!(texts(&again), kept(0..9), "without the last {cut} bytes");

        put(&again, 9, "kept 9").await;
        again.close();
        drop(again);
        assert_eq!(texts(&store_in(&folder)), kept(0..10));
    }
}

#[tokio::test]
async fn damage_within_the_log_is_told_and_not_taken_for_its_end() {
    let folder = killed_with(0..10).await;
    change_log(&folder, |bytes| {
        let place = place_of("kept 4", bytes);
        bytes[place] ^= 1;
    });

    let refused = refusal(&folder);

    assert!(matches!(refused, OpenError::Incomplete(_)), "{refused}");
    // Deleting the seal accepts the loss: the records before the damage are kept.
    fs::remove_file(folder.path().join("store.seal")).unwrap();
    let again = store_in(&folder);
    assert_eq!(texts(&again), kept(0..4));
    put(&again, 4, "said again").await;
    again.close();
    drop(again);
    assert_eq!(texts(&store_in(&folder)).len(), 5);
}

#[tokio::test]
async fn a_log_that_is_gone_is_missed() {
    let folder = killed_with(0..10).await;
    fs::remove_file(folder.path().join(LOG)).unwrap();

    let refused = refusal(&folder);

    assert!(matches!(refused, OpenError::Incomplete(_)), "{refused}");
    fs::remove_file(folder.path().join("store.seal")).unwrap();
    assert_eq!(texts(&store_in(&folder)), Vec::<String>::new());
}

#[tokio::test]
async fn a_log_that_was_cut_is_missed() {
    for file in [LOG, "store.wal.1"] {
        for left in [0, 300, 2 * 1024 * 1024 - 1] {
            let folder = killed_with(0..10).await;
            let log = fs::OpenOptions::new()
                .write(true)
                .open(folder.path().join(file));
            log.unwrap().set_len(left).unwrap();

            let refused = refusal(&folder);

            assert!(
                matches!(refused, OpenError::Incomplete(_)),
                "{file}, {left} bytes: {refused}"
            );
        }
    }
}

#[tokio::test]
async fn sleds_files_from_before_the_last_checkpoint_are_missed() {
    let folder = killed_with(0..10).await;
    let (older, newer) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    copy(folder.path().to_owned(), older.path().to_owned());
    store_in(&folder).close();
    let again = store_in(&folder);
    put(&again, 10, "kept 10").await;
    copy(folder.path().to_owned(), newer.path().to_owned());
    fs::remove_dir_all(newer.path().join("store")).unwrap();
    copy(older.path().join("store"), newer.path().join("store"));
    // As if the progress had not been recorded.
    fs::copy(
        older.path().join("store.seal"),
        newer.path().join("store.seal"),
    )
    .unwrap();

    let refused = refusal(&newer);

    assert!(matches!(refused, OpenError::Incomplete(_)), "{refused}");
}

#[tokio::test]
async fn a_checkpoint_flushes_everything_and_reuses_the_log() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let long = "long ".repeat(2_000);
    for number in 0..400 {
        put(&store, number, &long).await;
    }

    let size = fs::metadata(folder.path().join(LOG)).unwrap().len();
    let active = testing::active_len(store.lsm());
    assert!(size <= 2 * 1024 * 1024, "{size}");
    assert!(active < 400, "{active}, of two for each");
    assert_eq!(store.list::<Note>(&NOTES.key()).unwrap().len(), 400);
    let killed = TempDir::new().unwrap();
    copy(folder.path().to_owned(), killed.path().to_owned());
    assert_eq!(texts(&store_in(&killed)), vec![long; 400]);
}

#[tokio::test]
async fn a_change_larger_than_the_log_is_kept_and_leaves_it_no_larger() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let long = "long ".repeat(300_000);
    let put = store.commit(move |change| {
        for number in 0..3 {
            change.put(&key(number), &note(&long))?;
        }
        Ok::<_, StoreError>(())
    });
    put.await.unwrap();
    store.close();
    drop(store);

    let again = store_in(&folder);
    let size = fs::metadata(folder.path().join(LOG)).unwrap().len();
    assert_eq!(size, 2 * 1024 * 1024);
    assert!(texts(&again).iter().all(|text| text.len() == 1_500_000));
}

#[tokio::test]
async fn what_was_flushed_is_not_left_in_the_log_after_a_start() {
    let folder = killed_with(0..10).await;
    let contains = |text: &[u8]| {
        let bytes = fs::read(folder.path().join(LOG)).unwrap();
        bytes.windows(text.len()).any(|part| part == text)
    };
    assert!(contains(b"kept 3"));
    store_in(&folder).close();

    store_in(&folder).close();

    assert!(!contains(b"kept 3"));
}

/// An interrupted checkpoint has left a part of itself in sled's files.
#[tokio::test]
async fn what_sled_has_already_is_read_again_to_the_same_end() {
    let folder = killed_with(0..10).await;
    let store = store_in(&folder);
    for number in 0..5 {
        let removed = store
            .commit(move |change| change.remove(&key(number)))
            .await;
        assert!(removed.unwrap());
    }
    let killed = TempDir::new().unwrap();
    copy(folder.path().to_owned(), killed.path().to_owned());
    store.close();
    drop(store);
    // sled's files as they were after the checkpoint except for its count, and the log from before.
    let older = (key(7).to_bytes(), Some(stored("older").into()));
    testing::flush_uncounted(folder.path(), &[older].into(), 2);
    fs::copy(killed.path().join(LOG), folder.path().join(LOG)).unwrap();
    fs::copy(
        killed.path().join("store.seal"),
        folder.path().join("store.seal"),
    )
    .unwrap();

    let again = store_in(&folder);

    assert_eq!(texts(&again), kept(5..10));
}

#[tokio::test]
async fn what_was_written_while_a_checkpoint_was_under_way_is_read_over_what_it_has() {
    let folder = killed_within_a_checkpoint().await;
    let mut expected = kept(0..10);
    expected[3] = "written since".to_owned();
    expected.push("written since".to_owned());

    let before = testing::seal_of(folder.path());
    let again = store_in(&folder);
    assert_eq!(texts(&again), expected);
    assert_eq!(again.get::<Note>(&key(2)).unwrap(), Some(note("kept 2")));
    assert_eq!(
        again.get::<Note>(&key(3)).unwrap(),
        Some(note("written since"))
    );

    // Killed again after one more write, and then closed, which flushes everything to sled's files.
    put(&again, 11, "kept 11").await;
    expected.push("kept 11".to_owned());
    let killed = TempDir::new().unwrap();
    copy(folder.path().to_owned(), killed.path().to_owned());
    let after_the_kill = store_in(&killed);
    assert_eq!(texts(&after_the_kill), expected);
    after_the_kill.close();
    let counted = testing::seal_of(killed.path());
    drop(after_the_kill);
    assert_eq!(counted, before + 2);
    assert_eq!(texts(&store_in(&killed)), expected);
}

#[tokio::test]
async fn what_was_removed_while_a_checkpoint_was_under_way_is_gone() {
    let folder = killed_within_a_checkpoint().await;
    let again = store_in(&folder);

    for number in [4, 10] {
        let removed = again
            .commit(move |change| change.remove(&key(number)))
            .await;
        assert!(removed.unwrap());
    }

    assert_eq!(again.get::<Note>(&key(4)).unwrap(), None);
    assert_eq!(texts(&again).len(), 9);
    again.close();
    drop(again);
    assert_eq!(texts(&store_in(&folder)).len(), 9);
}

/// Damage at the end of the first file is no torn write if the second file has later records.
#[tokio::test]
async fn damage_at_the_end_of_what_a_checkpoint_was_flushing_is_told() {
    let folder = killed_within_a_checkpoint().await;
    change_log(&folder, |bytes| {
        let place = place_of("kept 9", bytes);
        bytes[place] ^= 1;
    });

    let refused = refusal(&folder);

    assert!(matches!(refused, OpenError::Incomplete(_)), "{refused}");
}

#[tokio::test]
async fn the_torn_end_of_what_was_written_while_a_checkpoint_was_under_way_is_nothing() {
    let folder = killed_within_a_checkpoint().await;
    let second = folder.path().join("store.wal.1");
    let mut bytes = fs::read(&second).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    bytes[end] = 0;
    fs::write(second, bytes).unwrap();

    let mut expected = kept(0..10);
    expected[3] = "written since".to_owned();
    assert_eq!(texts(&store_in(&folder)), expected);
}

#[tokio::test]
async fn one_checkpoint_after_the_other_loses_nothing_to_readers() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let long = "long ".repeat(2_000);
    put(&store, 0, &long).await;
    let reading = store.clone();
    let reader = tokio::task::spawn_blocking(move || {
        let mut last = 0;
        while last < 1_000 {
            let there = reading.list::<Note>(&NOTES.key()).unwrap().len();
            assert!(there >= last, "{there} after {last}");
            last = there;
        }
    });
    for number in 1..1_000 {
        put(&store, number, &long).await;
    }
    reader.await.unwrap();
    store.close();
    assert!(testing::seal_of(folder.path()) >= 5);
}
