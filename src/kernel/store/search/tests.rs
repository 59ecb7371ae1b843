use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::*;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Record, Table, encrypt, write_archive};

const NOTES: Table = Table::new("note");
/// Its name ends like that of the other table.
const LONGER: Table = Table::new("foot-note");

#[derive(Serialize, Deserialize)]
struct Note {
    text: String,
}

impl Record for Note {}

fn note(number: u64) -> Key {
    NOTES.key().number(number)
}

async fn put(store: &Store, keys: Vec<Key>, length: usize) {
    let put = store.commit(move |change| {
        let text = "x".repeat(length);
        let note = Note { text };
        keys.iter().try_for_each(|key| change.put(key, &note))
    });
    put.await.unwrap().unwrap();
}

async fn remove_for_good(store: &Store, key: Key) {
    let removed = store.commit(move |change| {
        change.remove(&key)?;
        change.require_compaction()
    });
    removed.await.unwrap().unwrap();
    store.compact_until_erased(|_| {}).await.unwrap();
}

async fn searched(store: &Store, keys: &[Key]) -> Searched {
    store.search_files(keys.to_vec(), |_| false).await
}

/// Searches the folder's files for one key.
fn search_in(folder: &TempDir, key: &Key) -> Searched {
    let keys = [key.clone()];
    search(folder.path(), &keys, &|_| false, &|| true, Duration::ZERO)
}

fn found_in(searched: &Searched) -> Vec<&str> {
    let paths = searched.found_in.iter();
    paths.map(|path| path.to_str().unwrap()).collect()
}

#[tokio::test]
async fn a_key_is_found_in_the_log_and_in_sleds_files_until_it_is_removed_and_they_are_compacted() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path(), false).unwrap();
    put(&store, (0..100).map(note).collect(), 100).await;
    let keys = [note(7), note(100)];

    let in_log = searched(&store, &keys).await;
    store.compact(|_| {}).await.unwrap();
    let in_sled = searched(&store, &keys).await;
    remove_for_good(&store, note(7)).await;
    let gone = searched(&store, &keys).await;

    assert_eq!(in_log.traces, [Trace::Found, Trace::NotFound]);
    assert!(found_in(&in_log)[0].starts_with("store.wal."), "{in_log:?}");
    assert_eq!(in_sled.traces, [Trace::Found, Trace::NotFound]);
    assert_eq!(found_in(&in_sled), ["store.2/db"]);
    assert_eq!(gone.traces, [Trace::NotFound; 2]);
    assert!(gone.found_in.is_empty() && gone.not_checked.is_empty());
}

#[tokio::test]
async fn removed_without_a_compaction_it_is_still_found() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path(), false).unwrap();
    put(&store, vec![note(1)], 100).await;
    store.compact(|_| {}).await.unwrap();

    let removed = store.commit(|change| change.remove(&note(1)));
    removed.await.unwrap().unwrap();

    assert_eq!(searched(&store, &[note(1)]).await.traces, [Trace::Found]);
}

#[tokio::test]
async fn every_record_of_a_filled_store_is_found_in_its_files() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path(), false).unwrap();
    let keys = (0..3_000).map(note).collect::<Vec<_>>();
    put(&store, keys.clone(), 150).await;
    // Larger than one value: it has parts.
    put(&store, vec![note(5_000)], 30_000).await;
    store.compact(|_| {}).await.unwrap();

    let all = searched(&store, &keys).await;
    let large = searched(&store, &[note(5_000)]).await;

    assert!(all.traces.iter().all(|trace| *trace == Trace::Found));
    assert_eq!(large.traces, [Trace::Found]);
}

#[tokio::test]
async fn a_copy_that_was_left_in_the_folder_is_found_and_no_more_once_it_is_removed() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path(), false).unwrap();
    put(&store, vec![note(1), note(2)], 100).await;
    let files = ["store.wal.0", "store.wal.1"];
    for file in files {
        fs::copy(folder.path().join(file), folder.path().join("old")).unwrap();
        let journal = file.replace("wal", "journal");
        // Format 3 had no header.
        let log = fs::read(folder.path().join(file)).unwrap();
        fs::write(folder.path().join(journal), &log[16..]).unwrap();
    }
    store.compact(|_| {}).await.unwrap();
    let left = folder.path().join("deeper/blobs");
    fs::create_dir_all(&left).unwrap();
    fs::copy(folder.path().join("store.2/db"), left.join("3")).unwrap();
    remove_for_good(&store, note(1)).await;

    let with_copies = searched(&store, &[note(1)]).await;
    let left_out = store.search_files(vec![note(1)], |path| {
        path.ends_with("deeper") || path.to_str().is_some_and(|path| path.contains("journal"))
    });
    let left_out = left_out.await;
    fs::remove_dir_all(folder.path().join("deeper")).unwrap();
    for file in ["store.journal.0", "store.journal.1"] {
        fs::remove_file(folder.path().join(file)).unwrap();
    }
    let without = searched(&store, &[note(1)]).await;

    assert_eq!(with_copies.traces, [Trace::Found]);
    let found = found_in(&with_copies);
    assert!(found.contains(&"deeper/blobs/3"), "{found:?}");
    assert!(
        found.iter().any(|path| path.contains("journal")),
        "{found:?}"
    );
    assert_eq!(left_out.traces, [Trace::NotFound]);
    assert_eq!(without.traces, [Trace::NotFound]);
}

#[tokio::test]
async fn a_backup_is_compressed_and_its_records_are_read() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path(), false).unwrap();
    put(&store, (0..2_000).map(note).collect(), 100).await;
    let mut whole = Vec::new();
    write_archive(
        store.snapshot(),
        Timestamp::from_micros(0),
        &mut whole,
        |_| {},
    )
    .unwrap();
    drop(store);
    let alone = |bytes: &[u8]| {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("any-name"), bytes).unwrap();
        folder
    };

    let searched = search_in(&alone(&whole), &note(1_999));
    let missing = search_in(&alone(&whole), &note(2_000));
    let half = search_in(&alone(&whole[..whole.len() / 2]), &note(1_999));
    let damaged = search_in(&alone(&whole[..whole.len() - 1]), &note(1_999));

    let plain = note(1_999);
    assert!(Finder::new(plain.bytes()).find(&whole).is_none());
    assert_eq!(searched.traces, [Trace::Found]);
    assert_eq!(found_in(&searched), ["any-name"]);
    assert_eq!(missing.traces, [Trace::NotFound]);
    assert_eq!(half.traces, [Trace::NotChecked]);
    assert_eq!(half.not_checked.len(), 1);
    assert_eq!(damaged.traces, [Trace::Found]);
}

#[test]
fn an_encrypted_backup_cannot_be_checked() {
    let folder = TempDir::new().unwrap();
    let recipient = age::x25519::Identity::generate().to_public().to_string();
    let mut encrypted = Vec::new();
    let mut to = encrypt(&[recipient.parse().unwrap()], &mut encrypted).unwrap();
    io::Write::write_all(&mut to, note(1).bytes()).unwrap();
    to.finish().unwrap();
    fs::write(folder.path().join("a.backup.age.7.partial"), encrypted).unwrap();
    fs::write(folder.path().join("plain"), note(2).bytes()).unwrap();

    let keys = [note(1), note(2)];
    let searched = search(folder.path(), &keys, &|_| false, &|| true, Duration::ZERO);

    assert_eq!(searched.traces, [Trace::NotChecked, Trace::Found]);
    let (path, why) = &searched.not_checked[0];
    assert_eq!(path.to_str(), Some("a.backup.age.7.partial"));
    assert_eq!(why, "it is encrypted");
}

#[test]
fn a_key_is_found_wherever_a_chunk_ends() {
    let key = note(0x0102_0304_0506_0708).text("end");
    let chunk = key.bytes().len() + CHUNK;
    for shift in 0..=2 * key.bytes().len() {
        let folder = TempDir::new().unwrap();
        let mut bytes = vec![0; chunk - key.bytes().len() - 1 + shift];
        bytes.extend_from_slice(key.bytes());
        bytes.extend_from_slice(&[7; 100]);
        fs::write(folder.path().join("file"), &bytes).unwrap();

        assert_eq!(search_in(&folder, &key).traces, [Trace::Found], "{shift}");
    }
}

#[test]
fn the_key_of_another_table_or_number_isnt_taken_for_it_wherever_a_chunk_ends() {
    let longer = LONGER.key().number(1);
    let chunk = note(1).bytes().len() + CHUNK;
    for shift in 0..=2 * longer.bytes().len() {
        let folder = TempDir::new().unwrap();
        let mut bytes = vec![0; chunk - longer.bytes().len() - 1 + shift];
        bytes.extend_from_slice(longer.bytes());
        bytes.extend_from_slice(note(2).bytes());
        bytes.extend_from_slice(&note(1).bytes()[..10]);
        fs::write(folder.path().join("file"), &bytes).unwrap();

        assert_eq!(
            search_in(&folder, &note(1)).traces,
            [Trace::NotFound],
            "{shift}"
        );
    }
}

#[test]
fn a_file_that_is_gone_is_not_checked_and_a_socket_holds_nothing() {
    let folder = TempDir::new().unwrap();
    let _socket = UnixListener::bind(folder.path().join("admin.sock")).unwrap();
    fs::write(folder.path().join("empty"), "").unwrap();
    let before = search_in(&folder, &note(1));
    symlink("nowhere", folder.path().join("link")).unwrap();

    let searched = search_in(&folder, &note(1));

    assert_eq!(before.traces, [Trace::NotFound]);
    assert_eq!(searched.traces, [Trace::NotChecked]);
    assert_eq!(searched.not_checked[0].0.to_str(), Some("link"));
}

#[test]
fn links_that_lead_in_a_circle_end_and_are_not_checked() {
    let folder = TempDir::new().unwrap();
    symlink(".", folder.path().join("again")).unwrap();

    assert_eq!(search_in(&folder, &note(1)).traces, [Trace::NotChecked]);
}

#[test]
fn a_search_that_nobody_awaits_ends() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("large"), vec![0; 3 * CHUNK]).unwrap();

    let keys = [note(1)];
    let searched = search(folder.path(), &keys, &|_| false, &|| false, Duration::ZERO);

    assert_eq!(searched.traces, [Trace::NotChecked]);
}
