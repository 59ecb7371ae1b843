//! Damaged files, lost files, and files from the future.

use std::path::Path;

use super::*;

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
async fn a_power_cut_in_sleds_settings_keeps_no_store_from_opening() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    put(&store, 1, "kept").await;
    store.close();
    drop(store);
    let settings = folder.path().join("store/conf");
    let whole = std::fs::read(&settings).unwrap();

    for left in [&whole[..58], &whole[..20], &[], &[0; 62]] {
        std::fs::write(&settings, left).unwrap();

        let again = store_in(&folder);

        assert_eq!(again.list::<Note>(&NOTES.key()).unwrap().len(), 1);
        again.close();
        assert_eq!(std::fs::read(&settings).unwrap(), whole);
    }
}

#[test]
fn the_settings_we_write_are_those_that_sled_would_write() {
    let (theirs, ours) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    drop(sled::open(theirs.path()).unwrap());
    store_in(&ours).close();

    let read = |folder: &Path, file: &str| std::fs::read(folder.join(file)).unwrap();

    assert_eq!(
        read(ours.path(), "store/conf"),
        read(theirs.path(), "conf"),
        "sled changed: correct SETTINGS in files.rs"
    );
}

#[tokio::test]
async fn a_folder_of_another_layout_is_refused_with_a_sentence() {
    let cases = [
        (
            1,
            "was written by a Porchlight from before the first release (layout 1;",
        ),
        (
            2,
            "was written by a Porchlight from before the first release (layout 2;",
        ),
        (7, "was written by a newer Porchlight (layout 7;"),
    ];
    for (layout, expected) in cases {
        let folder = TempDir::new().unwrap();
        let store = store_in(&folder);
        store.close();
        drop(store);
        let sled = sled::open(folder.path().join("store")).unwrap();
        let stated = format!(r#"{{"layout":{layout},"demo":false,"more":1}}"#);
        let key = Table::new("folder").key();
        sled.insert(key.bytes(), [&[1, 0], stated.as_bytes()].concat())
            .unwrap();
        drop(sled);

        let refused = Store::open(folder.path(), false)
            .err()
            .expect("it is of another layout")
            .to_string();

        assert!(refused.contains(expected), "{refused}");
    }
}

#[tokio::test]
async fn verifying_counts_what_is_whole_and_names_what_is_not() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..10 {
        put(&store, number, &"long ".repeat(6_000)).await;
    }
    assert_eq!(store.verify(|_| {}).unwrap().tables["note"], 10);

    let parts = Range::below(&Table::new("part").key(), None);
    let parts = store.stored_range(parts, 1).unwrap();
    let (lost, left) = (parts[0].0.to_vec(), key(9));
    let damage = store.commit(move |change| {
        change.put_stored(key(5).bytes().to_vec(), vec![1]);
        change.put_stored(key(6).bytes().to_vec(), b"\x01\x00{\"text\":".to_vec());
        change.put_stored(left.bytes().to_vec(), b"\x01\x00{\"text\":\"\"}".to_vec());
        change.remove_stored(lost);
        Ok::<_, StoreError>(())
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

#[tokio::test]
async fn a_store_that_lost_its_end_is_not_opened_as_if_nothing_were_missing() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..100 {
        put(&store, number, "this is what was said").await;
    }
    store.close();
    drop(store);
    let database = folder.path().join("store/db");
    let mut bytes = std::fs::read(&database).unwrap();
    let said = b"this is what was said";
    let place = bytes
        .windows(said.len())
        .position(|part| part == said)
        .unwrap();
    bytes[place] ^= 1;
    std::fs::write(&database, bytes).unwrap();

    let refused = Store::open(folder.path(), false)
        .err()
        .expect("sled opens it, cut");

    assert!(matches!(refused, OpenError::Cut(_)), "{refused}");
    std::fs::remove_file(folder.path().join("store.seal")).unwrap();
    assert!(
        Store::open(folder.path(), false).is_ok(),
        "whoever wants to may go on"
    );
}
