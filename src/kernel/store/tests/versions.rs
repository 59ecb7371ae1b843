//! Records and rows of older versions.

use super::*;

/// A pet in the newest of three versions.
#[derive(Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
struct Pet {
    name: String,
    legs: u8,
}

impl Record for Pet {
    const VERSION: u8 = 3;
    const UPGRADES: &'static [Upgrade] = &[
        // Version 1 was the bare name.
        |pet| Some(serde_json::json!({"called": pet.as_str()?})),
        // Version 2 had no legs, and another field name for the name.
        |pet| Some(serde_json::json!({"legs": 4, "name": pet.get("called")?})),
    ];
}

const PETS: Table = Table::new("pet");

fn pet(number: u64) -> Key {
    PETS.key().number(number)
}

fn rex() -> Pet {
    Pet {
        name: "Rex".to_owned(),
        legs: 4,
    }
}

/// The same pet as each version stored it.
const STORED: [(u8, &str); 3] = [
    (1, r#""Rex""#),
    (2, r#"{"called":"Rex"}"#),
    (3, r#"{"name":"Rex","legs":4}"#),
];

async fn put_raw(store: &Store, key: Key, version: u8, json: &'static str) {
    let put = store.commit(move |change| change.put_json(&key, version, json.as_bytes()));
    put.await.unwrap();
}

#[tokio::test]
async fn a_record_of_an_older_version_is_read_as_todays_in_every_way() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    for (version, json) in STORED {
        put_raw(&store, pet(version.into()), version, json).await;
    }

    for number in [1, 2, 3] {
        assert_eq!(store.get::<Pet>(&pet(number)).unwrap(), Some(rex()));
        let json = store.json::<Pet>(&pet(number)).unwrap().unwrap();
        assert_eq!(json, STORED[2].1);
    }
    assert_eq!(
        store.list::<Pet>(&PETS.key()).unwrap(),
        [rex(), rex(), rex()]
    );
    let page = store.page::<Pet>(&PETS.key(), None, 10).unwrap();
    let [now, ..] = STORED.map(|_| STORED[2].1);
    assert_eq!(page.to_array().json, format!("[{now},{now},{now}]"));
    assert_eq!(page.unreadable, 0);
    let kinds = [&KINDS[..], &[RecordKind::of::<Pet>(PETS)]].concat();
    assert_eq!(store.verify(&kinds, |_| {}).unwrap().damaged, 0);
}

#[tokio::test]
async fn a_record_of_an_unknown_version_or_of_another_shape_than_its_version_is_unreadable() {
    let folder = TempDir::new().unwrap();
    let store = store_in(&folder);
    let cases = [
        (4, STORED[2].1, "it is of version 4, which is unknown here"),
        (0, STORED[0].1, "it is of version 0, which is unknown here"),
        (1, STORED[1].1, "it is not of version 1, as it says"),
        (2, "{", "it is not of version 2, as it says"),
    ];
    for (version, json, expected) in cases {
        put_raw(&store, pet(1), version, json).await;

        let Err(StoreError::Unreadable(why)) = store.get::<Pet>(&pet(1)) else {
            panic!("{expected}");
        };
        assert_eq!(*why, *expected);
        assert_eq!(
            store.page::<Pet>(&PETS.key(), None, 10).unwrap().unreadable,
            1
        );
    }
}

/// Counts how often each pet was visited, in a separate table.
const VISITS: Table = Table::new("visit");

static COUNT_VISITS: [Backfill; 1] = [Backfill {
    name: "count-visits",
    table: PETS,
    row: |change, key| {
        change.get::<Pet>(key)?;
        let number = key.components_below(&PETS.key()).number();
        let visit = VISITS.key().number(number.unwrap());
        let visits = change.get::<u64>(&visit)?.unwrap_or(0);
        change.put(&visit, &(visits + 1))
    },
}];

async fn with_pets(folder: &TempDir, pets: u64) -> Store {
    let store = store_in(folder);
    let put = store
        .commit(move |change| (0..pets).try_for_each(|number| change.put(&pet(number), &rex())));
    put.await.unwrap();
    store
}

#[tokio::test]
async fn a_backfill_visits_every_row_once_and_is_made_once() {
    let folder = TempDir::new().unwrap();
    let store = with_pets(&folder, 1_234).await;
    put_raw(&store, pet(700), 3, "{").await;
    let told = std::cell::RefCell::new(Vec::new());

    let tell = |_: &str, rows| told.borrow_mut().push(rows);
    store.backfill(&COUNT_VISITS, tell).unwrap();
    store.backfill(&COUNT_VISITS, tell).unwrap();

    assert_eq!(*told.borrow(), [500, 1_000, 1_234]);
    let visits = store.list::<u64>(&VISITS.key()).unwrap();
    assert_eq!(visits, [1; 1_233], "all but the one that cannot be read");
}

#[tokio::test]
async fn an_interrupted_backfill_goes_on_where_it_was() {
    let folder = TempDir::new().unwrap();
    let store = with_pets(&folder, 1_234).await;
    let interrupted = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let stop = |_: &str, rows| assert_ne!(rows, 1_000, "interrupted on purpose");
        store.backfill(&COUNT_VISITS, stop)
    }));
    assert!(interrupted.is_err());
    assert_eq!(
        store.keys_below(&VISITS.key(), usize::MAX).unwrap().len(),
        1_000
    );
    store.close();
    drop(store);

    let again = store_in(&folder);
    again.backfill(&COUNT_VISITS, |_, _| {}).unwrap();

    let visits = again.list::<u64>(&VISITS.key()).unwrap();
    assert_eq!(visits, [1; 1_234]);
}
