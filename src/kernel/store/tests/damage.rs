//! Damaged files, lost files, and files of a newer version.

use super::*;
use crate::kernel::store::lsm::testing;

#[tokio::test]
async fn a_store_whose_files_are_gone_is_not_taken_for_a_new_one() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    store.compact(|_| {}).await.unwrap();
    store.close();
    drop(store);
    std::fs::remove_dir_all(folder.path().join("store.2")).unwrap();

    let refused = Store::open(folder.path()).err().expect("it is gone");

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

#[tokio::test]
async fn a_folder_of_another_format_is_refused_with_a_sentence() {
    let cases = [
        (
            1,
            "was written by a Porchlight from before the first release (format 1;",
        ),
        (
            2,
            "was written by a Porchlight from before the first release (format 2;",
        ),
        (7, "was written by a newer Porchlight (format 7;"),
    ];
    for (format, expected) in cases {
        let folder = TempDir::new().unwrap();
        let store = store_in(&folder);
        store.close();
        drop(store);
        let stated = format!(r#"{{"format":{format},"demo":false,"more":1}}"#);
        let value = [&[1, 0], stated.as_bytes()].concat();
        testing::set_metadata(folder.path(), Table::new("folder").key().bytes(), &value);

        let refused = Store::open(folder.path())
            .err()
            .expect("it is of another format")
            .to_string();

        assert!(refused.contains(expected), "{refused}");
    }
}

#[tokio::test]
async fn verifying_counts_what_is_whole() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for number in 0..3 {
        put(&store, number, &"long ".repeat(6_000)).await;
    }

    let found = store.verify(&kinds(), |_| {}).unwrap();

    assert_eq!((found.tables["note"], found.damaged), (3, 0));
}

#[tokio::test]
async fn verifying_names_the_table_and_what_is_wrong() {
    type Damage = fn(&mut Change);
    let cases: [(&str, &str, Damage); 6] = [
        ("note", "a value kept losing its parts", |change| {
            let parts = Range::below(&Table::new("part").key(), None);
            let lost = change.stored_range(parts, 1).unwrap();
            change.remove_stored(&lost[0].0);
        }),
        ("note", "a value is shorter than its header", |change| {
            change.put_damaged(&key(5), vec![1]);
        }),
        (
            "note",
            "it is not the JSON that it was: Note, column 8",
            |change| change.put_damaged(&key(5), b"\x01\x00{\"text\":".to_vec()),
        ),
        (
            "note",
            "its JSON is of another shape: Note, column 9",
            |change| change.put_damaged(&key(5), b"\x01\x00{\"text\":7}".to_vec()),
        ),
        ("note", "a part of it is left without the rest", |change| {
            change.put_damaged(&key(1), b"\x01\x00{\"text\":\"\"}".to_vec());
        }),
        ("unknown", "nothing reads this table", |change| {
            change.put_damaged(&Table::new("unknown").key(), b"\x01\x00{}".to_vec());
        }),
    ];

    for (table, what, damage) in cases {
        let folder = TempDir::new().unwrap();
        let store = store_in(&folder);
        put(&store, 1, &"long ".repeat(6_000)).await;
        let damaged = store.commit(move |change| {
            damage(change);
            Ok::<_, StoreError>(())
        });
        damaged.await.unwrap();

        let found = store.verify(&kinds(), |_| {}).unwrap();

        let [said] = found.damage.as_slice() else {
            panic!("{what}: {:?}", found.damage);
        };
        assert_eq!((said.table.as_str(), said.what.as_str()), (table, what));
        assert_eq!(said.records, found.damaged);
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_removed_with_all_of_its_parts() {
    // A truncated header, and one without a number of parts.
    for damaged in [&b"\x01"[..], b"\x01\x00{}", b"{\"text\""] {
        for removes_one in [true, false] {
            let folder = TempDir::new().unwrap();
            let store = store_in(&folder);
            for number in [1, 2] {
                put(&store, number, &"long ".repeat(6_000)).await;
            }
            let removed = store.commit(move |change| {
                change.put_damaged(&key(1), damaged.to_vec());
                match removes_one {
                    true if damaged.len() == 1 => change.remove(&key(1)).map(usize::from),
                    _ => change.remove_some_below(&key(1)),
                }
            });
            assert!(removed.await.unwrap() > 0);

            let found = store.verify(&kinds(), |_| {}).unwrap();
            assert_eq!((found.damaged, found.tables["note"]), (0, 1));
            assert_eq!(
                store.get::<Note>(&key(2)).unwrap().unwrap().text.len(),
                30_000
            );
        }
    }
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

    let refused = Store::open(folder.path())
        .err()
        .expect("sled opens it, cut");

    assert!(matches!(refused, OpenError::Incomplete(_)), "{refused}");
    std::fs::remove_file(folder.path().join("store.seal")).unwrap();
    assert!(
        Store::open(folder.path()).is_ok(),
        "whoever wants to may go on"
    );
}
