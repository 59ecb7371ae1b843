mod damage;
mod log;
mod pages;
mod removal;
mod versions;

use serde::Deserialize;
use tempfile::TempDir;

use super::*;

const NOTES: Table = Table::new("note");

#[derive(Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
struct Note {
    text: String,
}

impl Record for Note {}

fn kinds() -> Vec<RecordKind> {
    [&KINDS[..], &[RecordKind::of::<Note>(NOTES)]].concat()
}

fn note(text: &str) -> Note {
    Note {
        text: text.to_owned(),
    }
}

fn key(number: u64) -> Key {
    NOTES.key().number(number)
}

fn store_in(folder: &TempDir) -> Store {
    Store::open(folder.path()).expect("a fresh folder opens")
}

async fn put(store: &Store, number: u64, text: &str) {
    let note = note(text);
    store
        .commit(move |change| change.put(&key(number), &note))
        .await
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
            change.put(&key(1), &note("half"))?;
            Err::<(), _>(StoreError::unreadable("refused"))
        })
        .await;

    assert!(matches!(refused, Err(StoreError::Unreadable(_))));
    assert!(!store.contains(&key(1)).unwrap());
}

#[tokio::test]
async fn a_record_that_is_too_large_is_refused_and_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    put(&store, 1, "kept").await;

    let written = store.commit(|change| {
        let large = note(&"a".repeat(256 * record::PART));
        let refused = [
            change.put(&key(1), &large),
            change.put_new(&key(2), &large),
            change.is_changed(&key(1), &large).map(drop),
        ];
        assert!(
            refused
                .iter()
                .all(|it| matches!(it, Err(StoreError::TooLarge)))
        );
        change.put(&key(3), &note(&"a".repeat(255 * record::PART)))
    });

    written.await.unwrap();
    assert_eq!(store.get::<Note>(&key(1)).unwrap(), Some(note("kept")));
    assert!(!store.contains(&key(2)).unwrap());
    assert!(store.contains(&key(3)).unwrap());
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
    assert_eq!(store.keys_below(&NOTES.key(), 10).unwrap().len(), 1);

    put(&store, 1, "short").await;
    assert_eq!(store.get::<Note>(&key(1)).unwrap(), Some(note("short")));
    store.commit(|change| change.remove(&key(1))).await.unwrap();
    let left = store.stored_range(Range::behind(None), 10).unwrap();
    let left = left.iter().map(|(key, _)| key::table_of(key));
    assert_eq!(left.collect::<Vec<_>>(), ["folder"]);
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
        let page = store
            .page::<Note>(&NOTES.key(), cursor.as_ref(), 3)
            .unwrap();
        seen.extend(
            page.rows
                .iter()
                .map(|row| row.record::<Note>().unwrap().text),
        );
        if !page.has_next {
            break;
        }
        cursor = page.end;
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
            winners += usize::from(taker.await.unwrap().unwrap());
        }

        assert_eq!(winners, 1);
    }
}

#[tokio::test]
async fn dropping_a_store_waits_for_its_last_checkpoint() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    put(&store, 1, "kept").await;
    let before = lsm::testing::seal_of(folder.path());

    drop(store);

    assert_eq!(lsm::testing::seal_of(folder.path()), before + 1);
}

#[test]
fn a_second_opener_gets_a_sentence() {
    let folder = TempDir::new().unwrap();
    let _store = store_in(&folder);

    let refused = Store::open(folder.path()).err().expect("one at a time");

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
    let _store = Store::open(&data).unwrap();

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
