use serde::Deserialize;
use tempfile::TempDir;

use super::*;

const NOTES: Table = Table::new("note");

#[derive(Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
struct Note {
    text: String,
}

impl Record for Note {}

fn note(text: &str) -> Note {
    Note {
        text: text.to_owned(),
    }
}

fn key(number: u64) -> Key {
    NOTES.key().number(number)
}

fn store_in(folder: &TempDir) -> Store {
    Store::open(folder.path(), false).expect("a fresh folder opens")
}

async fn put(store: &Store, number: u64, text: &str) {
    let note = note(text);
    store
        .commit(move |change| change.put(&key(number), &note))
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_opening_again() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    put(&store, 1, "kept").await;
    store.close();
    drop(store);

    let again = store_in(&folder);

    assert_eq!(again.get::<Note>(&key(1)).unwrap(), Some(note("kept")));
}

#[tokio::test]
async fn a_refused_change_keeps_nothing_of_what_it_wrote() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);

    let refused = store
        .commit(|change| {
            change.put(&key(1), &note("half")).map_err(|_| "store")?;
            Err::<(), _>("refused")
        })
        .await
        .unwrap();

    assert_eq!(refused, Err("refused"));
    assert!(!store.contains(&key(1)).unwrap());
}

#[tokio::test]
async fn a_change_that_panics_keeps_nothing_and_the_writer_lives_on() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);

    let panicked = store
        .commit(|change| -> Result<(), StoreError> {
            change.put(&key(1), &note("half"))?;
            panic!("a fault in a change, on purpose");
        })
        .await;
    put(&store, 2, "after").await;

    assert!(panicked.is_err());
    assert!(!store.contains(&key(1)).unwrap());
    assert!(store.contains(&key(2)).unwrap());
}

#[tokio::test]
async fn a_change_sees_its_own_writes_in_order_among_the_kept_ones() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in [1, 3, 5] {
        put(&store, number, "kept").await;
    }

    let seen = store
        .commit(|change| {
            change.put(&key(2), &note("new"))?;
            change.put(&key(3), &note("changed"))?;
            change.remove(&key(5))?;
            change.list::<Note>(&NOTES.key())
        })
        .await
        .unwrap()
        .unwrap();

    assert_eq!(seen, [note("kept"), note("new"), note("changed")]);
    assert_eq!(store.list::<Note>(&NOTES.key()).unwrap(), seen);
}

#[tokio::test]
async fn a_large_value_is_split_read_back_whole_and_removed_whole() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let long = "ä".repeat(200_000);

    put(&store, 1, &long).await;
    assert_eq!(store.get::<Note>(&key(1)).unwrap(), Some(note(&long)));
    assert_eq!(store.scan(&NOTES.key(), None, 10).unwrap().len(), 1);

    put(&store, 1, "short").await;
    assert_eq!(store.get::<Note>(&key(1)).unwrap(), Some(note("short")));
    store
        .commit(|change| change.remove(&key(1)))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        store.tree.read().len(),
        1,
        "only the folder's own record stays"
    );
}

#[tokio::test]
async fn pages_follow_one_another_without_a_gap_or_a_repeat() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..10 {
        put(&store, number, &number.to_string()).await;
    }

    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let rows = store.scan(&NOTES.key(), cursor.as_ref(), 3).unwrap();
        let Some(last) = rows.last() else { break };
        cursor = Some(last.cursor());
        seen.extend(rows.iter().map(|row| row.record::<Note>().unwrap().text));
    }

    assert_eq!(
        seen,
        (0..10).map(|number| number.to_string()).collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn a_number_is_never_given_out_twice() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let mut given = Vec::new();

    for _ in 0..3 {
        given.push(
            store
                .commit(|change| change.next_number("child"))
                .await
                .unwrap()
                .unwrap(),
        );
    }
    store.close();
    drop(store);
    let store = store_in(&folder);
    given.push(
        store
            .commit(|change| change.next_number("child"))
            .await
            .unwrap()
            .unwrap(),
    );

    assert_eq!(given, [1, 2, 3, 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_take_the_same_record_one_wins() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);

    for round in 0..50 {
        put(&store, round, "once").await;
        let takers = (0..16).map(|_| {
            let store = store.clone();
            tokio::spawn(
                async move { store.commit(move |change| change.remove(&key(round))).await },
            )
        });
        let mut winners = 0;
        for taker in takers.collect::<Vec<_>>() {
            winners += usize::from(taker.await.unwrap().unwrap().unwrap());
        }

        assert_eq!(winners, 1);
    }
}

#[test]
fn a_second_opener_gets_a_sentence() {
    let folder = TempDir::new().unwrap();
    let _store = store_in(&folder);

    let refused = Store::open(folder.path(), false)
        .err()
        .expect("one at a time");

    assert!(matches!(refused, OpenError::InUse(_)), "{refused}");
    assert!(
        refused
            .to_string()
            .ends_with("Only one may open it at a time.")
    );
}

#[test]
fn the_folder_and_its_files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    let _store = Store::open(&data, false).unwrap();

    for path in [
        data.clone(),
        data.join("store"),
        data.join("store/db"),
        data.join("lock"),
    ] {
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{}", path.display());
    }
}

const CANARY: &str = "the canary sings at dusk";

/// Whether these bytes are in any file below this folder.
fn is_anywhere(folder: &std::path::Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => is_anywhere(&path, bytes),
            false => std::fs::read(&path)
                .unwrap()
                .windows(bytes.len())
                .any(|part| part == bytes),
        }
    })
}

async fn remove_for_good(store: &Store, numbers: std::ops::Range<u64>) {
    let removed = store.commit(move |change| {
        for number in numbers {
            change.remove(&key(number))?;
        }
        change.ask_for_rewrite()
    });
    removed.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rewritten_store_holds_all_that_is_kept_and_nothing_that_was_removed() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..200 {
        put(&store, number, CANARY).await;
    }
    for number in 200..1_500 {
        put(&store, number, "kept").await;
    }
    remove_for_good(&store, 0..200).await;
    assert!(
        is_anywhere(folder.path(), CANARY.as_bytes()),
        "sled leaves it in its file"
    );
    assert!(store.is_rewrite_due().unwrap());

    let writing = store.clone();
    let writer = tokio::spawn(async move {
        for number in 1_500..2_000 {
            put(&writing, number, "meanwhile").await;
            put(&writing, 200 + number % 100, "changed").await;
        }
    });
    let reading = store.clone();
    let reader = tokio::task::spawn_blocking(move || {
        for _ in 0..2_000 {
            assert!(reading.get::<Note>(&key(700)).unwrap().is_some());
        }
    });
    store.rewrite(|_| {}).await.unwrap();
    writer.await.unwrap();
    reader.await.unwrap();

    assert!(!is_anywhere(folder.path(), CANARY.as_bytes()));
    assert!(!store.is_rewrite_due().unwrap());
    let expected = store.list::<Note>(&NOTES.key()).unwrap();
    assert_eq!(expected.len(), 1_800);
    store.close();
    drop(store);
    let again = store_in(&folder);
    assert_eq!(again.list::<Note>(&NOTES.key()).unwrap(), expected);
}

#[tokio::test]
async fn rewritings_asked_for_at_once_are_done_one_after_the_other() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..1_000 {
        put(&store, number, CANARY).await;
    }

    let (first, second) = tokio::join!(store.rewrite(|_| {}), async {
        remove_for_good(&store, 0..1_000).await;
        store.rewrite(|_| {}).await
    });

    assert!(first.is_ok() && second.is_ok());
    assert!(!is_anywhere(folder.path(), CANARY.as_bytes()));
    let folders = std::fs::read_dir(folder.path()).unwrap().flatten();
    assert_eq!(folders.filter(|entry| entry.path().is_dir()).count(), 1);
}

#[tokio::test]
async fn a_rewriting_that_was_cut_short_leaves_the_store_as_it_was() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    put(&store, 1, "kept").await;
    remove_for_good(&store, 2..3).await;
    store.close();
    drop(store);
    std::fs::create_dir(folder.path().join("store.2")).unwrap();
    std::fs::write(folder.path().join("store.2/db"), "half").unwrap();

    let store = store_in(&folder);

    assert_eq!(store.get::<Note>(&key(1)).unwrap(), Some(note("kept")));
    assert!(store.is_rewrite_due().unwrap());
    assert!(!folder.path().join("store.2").exists());
    store.rewrite(|_| {}).await.unwrap();
    assert!(!store.is_rewrite_due().unwrap());
}

#[tokio::test]
async fn a_store_whose_files_are_gone_is_not_taken_for_a_new_one() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    store.rewrite(|_| {}).await.unwrap();
    store.close();
    drop(store);
    std::fs::remove_dir_all(folder.path().join("store.2")).unwrap();

    let refused = Store::open(folder.path(), false).err().expect("it is gone");

    assert!(matches!(refused, OpenError::Damaged { .. }), "{refused}");
    assert!(
        refused.to_string().contains("porchlight restore FILE"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_damaged_snapshot_file_is_set_aside_and_nothing_is_lost() {
    for cut in [0, 5, 20] {
        let folder = TempDir::new().unwrap();
        let store = store_in(&folder);
        for number in 0..100 {
            put(&store, number, "kept").await;
        }
        store.close();
        drop(store);
        // sled writes its snapshot when it opens.
        store_in(&folder).close();
        let files = || {
            std::fs::read_dir(folder.path().join("store"))
                .unwrap()
                .flatten()
        };
        let name = |entry: &std::fs::DirEntry| entry.file_name().into_string().unwrap();
        let snapshot = files()
            .find(|entry| name(entry).starts_with("snap."))
            .unwrap();
        let bytes = std::fs::read(snapshot.path()).unwrap();
        std::fs::write(snapshot.path(), &bytes[..bytes.len().min(cut)]).unwrap();

        let again = store_in(&folder);

        assert_eq!(again.list::<Note>(&NOTES.key()).unwrap().len(), 100);
        assert!(files().any(|entry| name(&entry).ends_with(".set-aside")));
    }
}

#[tokio::test]
async fn a_folder_from_the_future_is_refused_with_a_sentence() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let newer = store.commit(|change| {
        change.put_json(
            &Table::new("folder").key(),
            1,
            br#"{"layout":7,"demo":false,"more":1}"#,
        )
    });
    newer.await.unwrap().unwrap();
    store.close();
    drop(store);

    let refused = Store::open(folder.path(), false)
        .err()
        .expect("it is newer")
        .to_string();

    assert!(
        refused.contains("was written by a newer Porchlight (layout 7;"),
        "{refused}"
    );
}

#[tokio::test]
async fn verifying_counts_what_is_whole_and_names_what_is_not() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..10 {
        put(&store, number, &"long ".repeat(6_000)).await;
    }
    assert_eq!(store.verify(|_| {}).unwrap().tables["note"], 10);

    let parts = store
        .tree
        .read()
        .scan_prefix(b"part")
        .keys()
        .collect::<Result<Vec<_>, _>>();
    let (lost, left) = (parts.unwrap()[0].to_vec(), key(9));
    let damage = store.commit(move |change| {
        change.put_stored(key(5).bytes().to_vec(), vec![1]);
        change.put_stored(key(6).bytes().to_vec(), b"\x01\x00{\"text\":".to_vec());
        change.put_stored(left.bytes().to_vec(), b"\x01\x00{\"text\":\"\"}".to_vec());
        Ok::<_, StoreError>(change.remove_stored(lost))
    });
    damage.await.unwrap().unwrap();
    let found = store.verify(|_| {}).unwrap();

    let said = found
        .damage
        .iter()
        .map(|damage| damage.what.as_str())
        .collect::<Vec<_>>();
    for what in [
        "a value kept losing its parts",
        "a value is shorter than its header",
    ] {
        assert!(said.contains(&what), "{said:?}");
    }
    assert!(said.contains(&"it is not the JSON that it was"), "{said:?}");
    assert!(
        said.contains(&"a part of it is left without the rest"),
        "{said:?}"
    );
}
