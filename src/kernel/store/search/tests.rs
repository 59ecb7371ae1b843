use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::*;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Key, Record, Table, encrypt, write_archive};

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
    put.await.unwrap();
}

async fn remove_for_good(store: &Store, key: Key) {
    let removed = store.commit(move |change| {
        change.remove(&key)?;
        change.require_compaction()
    });
    removed.await.unwrap();
    store.compact_until_erased(|_| {}).await.unwrap();
}

/// The keys of the notes with these numbers.
fn notes(numbers: &[u64]) -> Vec<Sought> {
    vec![Sought {
        places: vec![KeyPlace::first(NOTES)],
        numbers: numbers.to_vec(),
    }]
}

async fn searched(store: &Store, numbers: &[u64]) -> Searched {
    store.search_files(notes(numbers), |_| false).await
}

/// Searches the folder's files for one note.
fn search_in(folder: &TempDir, number: u64) -> Searched {
    let all = notes(&[number]);
    search(folder.path(), &all, &|_| false, &|| true, Duration::ZERO)
}

fn found_in(searched: &Searched) -> Vec<&str> {
    let paths = searched.found_in.iter();
    paths.map(|path| path.to_str().unwrap()).collect()
}

#[tokio::test]
async fn a_key_is_found_in_the_log_and_in_sleds_files_until_it_is_removed_and_they_are_compacted() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    put(&store, (0..100).map(note).collect(), 100).await;
    let keys = [7, 100];

    let in_log = searched(&store, &keys).await;
    store.compact(|_| {}).await.unwrap();
    let in_sled = searched(&store, &keys).await;
    remove_for_good(&store, note(7)).await;
    let gone = searched(&store, &keys).await;

    assert_eq!(in_log.traces[0], [Trace::Found, Trace::NotFound]);
    assert!(found_in(&in_log)[0].starts_with("store.wal."), "{in_log:?}");
    assert_eq!(in_sled.traces[0], [Trace::Found, Trace::NotFound]);
    assert_eq!(found_in(&in_sled), ["store.2/db"]);
    assert_eq!(gone.traces[0], [Trace::NotFound; 2]);
    assert!(gone.found_in.is_empty() && gone.not_checked.is_empty());
}

#[tokio::test]
async fn removed_without_a_compaction_it_is_still_found() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    put(&store, vec![note(1)], 100).await;
    store.compact(|_| {}).await.unwrap();

    let removed = store.commit(|change| change.remove(&note(1)));
    removed.await.unwrap();

    assert_eq!(searched(&store, &[1]).await.traces[0], [Trace::Found]);
}

#[tokio::test]
async fn every_record_of_a_filled_store_is_found_in_its_files() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let numbers = (0..3_000).collect::<Vec<_>>();
    put(&store, numbers.iter().copied().map(note).collect(), 150).await;
    // Larger than one value: it has parts.
    put(&store, vec![note(5_000)], 30_000).await;
    store.compact(|_| {}).await.unwrap();

    let all = searched(&store, &numbers).await;
    let large = searched(&store, &[5_000]).await;

    assert!(all.traces[0].iter().all(|trace| *trace == Trace::Found));
    assert_eq!(large.traces[0], [Trace::Found]);
}

#[tokio::test]
async fn a_copy_that_was_left_in_the_folder_is_found_and_no_more_once_it_is_removed() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
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

    let with_copies = searched(&store, &[1]).await;
    let left_out = store.search_files(notes(&[1]), |path| {
        path.ends_with("deeper") || path.to_str().is_some_and(|path| path.contains("journal"))
    });
    let left_out = left_out.await;
    fs::remove_dir_all(folder.path().join("deeper")).unwrap();
    for file in ["store.journal.0", "store.journal.1"] {
        fs::remove_file(folder.path().join(file)).unwrap();
    }
    let without = searched(&store, &[1]).await;

    assert_eq!(with_copies.traces[0], [Trace::Found]);
    let found = found_in(&with_copies);
    assert!(found.contains(&"deeper/blobs/3"), "{found:?}");
    assert!(
        found.iter().any(|path| path.contains("journal")),
        "{found:?}"
    );
    assert_eq!(left_out.traces[0], [Trace::NotFound]);
    assert_eq!(without.traces[0], [Trace::NotFound]);
}

#[tokio::test]
async fn a_backup_is_compressed_and_its_records_are_read() {
    let folder = TempDir::new().unwrap();
    let store = Store::open(folder.path()).unwrap();
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

    let searched = search_in(&alone(&whole), 1_999);
    let missing = search_in(&alone(&whole), 2_000);
    let half = search_in(&alone(&whole[..whole.len() / 2]), 1_999);
    let damaged = search_in(&alone(&whole[..whole.len() - 1]), 1_999);

    let plain = note(1_999);
    assert!(Finder::new(plain.bytes()).find(&whole).is_none());
    assert_eq!(searched.traces[0], [Trace::Found]);
    assert_eq!(found_in(&searched), ["any-name"]);
    assert_eq!(missing.traces[0], [Trace::NotFound]);
    assert_eq!(half.traces[0], [Trace::NotChecked]);
    assert_eq!(half.not_checked.len(), 1);
    assert_eq!(damaged.traces[0], [Trace::Found]);
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

    let keys = notes(&[1, 2]);
    let searched = search(folder.path(), &keys, &|_| false, &|| true, Duration::ZERO);

    assert_eq!(searched.traces[0], [Trace::NotChecked, Trace::Found]);
    let (path, why) = &searched.not_checked[0];
    assert_eq!(path.to_str(), Some("a.backup.age.7.partial"));
    assert_eq!(why, "it is encrypted");
}

#[test]
fn a_key_is_found_wherever_a_chunk_ends() {
    let number = 0x0102_0304_0506_0708;
    let key = NOTES
        .key()
        .number(7)
        .text("gdn_1")
        .descending_number(number);
    let before = &[Before::Number, Before::Id];
    let all = [Sought {
        places: vec![KeyPlace::after(NOTES, before).descending()],
        numbers: vec![number],
    }];
    let longest = Wanted::new(&all).longest;
    let chunk = longest + CHUNK;
    for shift in 0..=2 * longest {
        let folder = TempDir::new().unwrap();
        let mut bytes = vec![0; chunk - longest - 1 + shift];
        bytes.extend_from_slice(key.bytes());
        bytes.extend_from_slice(&[7; 100]);
        fs::write(folder.path().join("file"), &bytes).unwrap();

        let searched = search(folder.path(), &all, &|_| false, &|| true, Duration::ZERO);

        assert_eq!(searched.traces, [[Trace::Found]], "{shift}");
    }
}

#[test]
fn a_number_is_found_only_in_its_place_and_of_its_own_records() {
    let folder = TempDir::new().unwrap();
    let keys = [
        NOTES.key().number(1).signed(2).number(3),
        NOTES.key().number(4).text("gdn_5").number(6),
        LONGER.key().descending_number(7),
    ];
    for (name, key) in keys.iter().enumerate() {
        fs::write(folder.path().join(name.to_string()), key.bytes()).unwrap();
    }
    let traces = |place: KeyPlace, numbers: &[u64]| {
        let sought = |numbers: &[u64]| Sought {
            places: vec![place],
            numbers: numbers.to_vec(),
        };
        // The others are found or not by themselves.
        let all = [sought(numbers), sought(&[u64::MAX])];
        let searched = search(folder.path(), &all, &|_| false, &|| true, Duration::ZERO);
        assert_eq!(searched.traces[1], [Trace::NotFound]);
        let found = numbers.iter().zip(&searched.traces[0]);
        let found = found.filter(|(_, trace)| **trace == Trace::Found);
        found.map(|(number, _)| *number).collect::<Vec<_>>()
    };
    let all = [1, 2, 3, 4, 5, 6, 7];

    assert_eq!(traces(KeyPlace::first(NOTES), &all), [1, 4]);
    let second = KeyPlace::after(NOTES, &[Before::Number, Before::Number]);
    assert_eq!(traces(second, &all), [3]);
    let after_id = KeyPlace::after(NOTES, &[Before::Number, Before::Id]);
    assert_eq!(traces(after_id, &all), [6]);
    assert_eq!(traces(KeyPlace::first(LONGER), &all), [] as [u64; 0]);
    assert_eq!(traces(KeyPlace::first(LONGER).descending(), &all), [7]);
}

#[test]
fn the_key_of_another_table_or_number_isnt_taken_for_it_wherever_a_chunk_ends() {
    let longer = LONGER.key().number(1);
    let chunk = Wanted::new(&notes(&[1])).longest + CHUNK;
    for shift in 0..=2 * longer.bytes().len() {
        let folder = TempDir::new().unwrap();
        let mut bytes = vec![0; chunk - longer.bytes().len() - 1 + shift];
        bytes.extend_from_slice(longer.bytes());
        bytes.extend_from_slice(note(2).bytes());
        bytes.extend_from_slice(&note(1).bytes()[..10]);
        fs::write(folder.path().join("file"), &bytes).unwrap();

        assert_eq!(
            search_in(&folder, 1).traces[0],
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
    let before = search_in(&folder, 1);
    symlink("nowhere", folder.path().join("link")).unwrap();

    let searched = search_in(&folder, 1);

    assert_eq!(before.traces[0], [Trace::NotFound]);
    assert_eq!(searched.traces[0], [Trace::NotChecked]);
    assert_eq!(searched.not_checked[0].0.to_str(), Some("link"));
}

#[test]
fn links_that_lead_in_a_circle_end_and_are_not_checked() {
    let folder = TempDir::new().unwrap();
    symlink(".", folder.path().join("again")).unwrap();

    assert_eq!(search_in(&folder, 1).traces[0], [Trace::NotChecked]);
}

#[test]
fn a_search_that_nobody_awaits_ends() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("large"), vec![0; 3 * CHUNK]).unwrap();

    let keys = notes(&[1]);
    let searched = search(folder.path(), &keys, &|_| false, &|| false, Duration::ZERO);

    assert_eq!(searched.traces[0], [Trace::NotChecked]);
}
