//! Removed data is in no file.

use super::*;

const CANARY: &str = "the canary sings at dusk";

/// Whether these bytes are in any file below this folder.
fn is_anywhere(folder: &std::path::Path, bytes: &[u8]) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            is_anywhere(&path, bytes)
        } else {
            std::fs::read(&path)
                .unwrap()
                .windows(bytes.len())
                .any(|part| part == bytes)
        }
    })
}

async fn fill(store: &Store, notes: u64) {
    let filled = store.commit(move |change| {
        (0..notes).try_for_each(|number| change.put(&key(number), &note("kept")))
    });
    filled.await.unwrap();
}

async fn remove_for_good(store: &Store, numbers: std::ops::Range<u64>) {
    let removed = store.commit(move |change| {
        for number in numbers {
            change.remove(&key(number))?;
        }
        change.require_compaction()
    });
    removed.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compacted_store_holds_all_that_is_kept_and_nothing_that_was_removed() {
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
    assert!(store.requires_compaction().unwrap());

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
    store.compact(|_| {}).await.unwrap();
    writer.await.unwrap();
    reader.await.unwrap();

    assert!(!is_anywhere(folder.path(), CANARY.as_bytes()));
    assert!(!store.requires_compaction().unwrap());
    let expected = store.list::<Note>(&NOTES.key()).unwrap();
    assert_eq!(expected.len(), 1_800);
    store.close();
    drop(store);
    let again = store_in(&folder);
    assert_eq!(again.list::<Note>(&NOTES.key()).unwrap(), expected);
}

#[tokio::test]
async fn what_is_removed_during_a_compaction_is_gone_after_another_one() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..1_000 {
        put(&store, number, CANARY).await;
    }

    let (first, second) = tokio::join!(store.compact(|_| {}), async {
        remove_for_good(&store, 0..1_000).await;
        store.compact_until_erased(|_| {}).await
    });

    assert!(first.is_ok() && second.is_ok());
    assert!(!store.requires_compaction().unwrap());
    assert!(!is_anywhere(folder.path(), CANARY.as_bytes()));
    let folders = std::fs::read_dir(folder.path()).unwrap().flatten();
    assert_eq!(folders.filter(|entry| entry.path().is_dir()).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_during_a_compaction_waits_for_the_same_one() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    fill(&store, 3_000).await;
    let (begun, first_step) = std::sync::mpsc::channel();
    let (go_on, asked) = std::sync::mpsc::channel();
    let compacting = store.clone();
    let first = tokio::spawn(async move {
        let asked = std::sync::Mutex::new(asked);
        let tell = move |_| {
            begun.send(()).unwrap_or(());
            asked.lock().unwrap().recv().unwrap_or(());
        };
        compacting.compact(tell).await
    });
    first_step.recv().unwrap();

    let (first, second, ()) = tokio::join!(first, store.compact(|_| {}), async { drop(go_on) });

    assert!(first.unwrap().is_ok() && second.is_ok());
    assert!(folder.path().join("store.2").exists());
    assert!(
        !folder.path().join("store.3").exists(),
        "there was one compaction"
    );
}

#[tokio::test]
async fn an_interrupted_compaction_leaves_the_store_as_it_was() {
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
    assert!(store.requires_compaction().unwrap());
    assert!(!folder.path().join("store.2").exists());
    store.compact(|_| {}).await.unwrap();
    assert!(!store.requires_compaction().unwrap());
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_during_a_compaction_ends_it_and_leaves_no_half_made_folder() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    fill(&store, 5_000).await;
    let (begun, first_step) = std::sync::mpsc::channel();
    let compacting = store.clone();
    let compacting = tokio::spawn(async move {
        let tell = move |_| begun.send(()).unwrap_or(());
        compacting.compact(tell).await
    });
    first_step.recv().unwrap();

    store.close();

    let ended = compacting.await.unwrap();
    assert!(matches!(ended, Err(StoreError::Unavailable)), "{ended:?}");
    assert!(!folder.path().join("store.2").exists());
    drop(store);
    assert_eq!(
        store_in(&folder).list::<Note>(&NOTES.key()).unwrap().len(),
        5_000
    );
}
