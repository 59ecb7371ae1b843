use std::path::PathBuf;

use tempfile::TempDir;

use super::super::{
    KINDS, Key, Range, Read as _, Record, RecordKind, RestoreError, Store, Table, restore,
};
use super::*;

const NOTES: Table = Table::new("note");

struct House {
    folder: TempDir,
    store: Store,
}

impl House {
    /// A store with small and large records, and a backup of it.
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("data"), false).unwrap();
        let house = Self { folder, store };
        let put = house.store.commit(|change| {
            (0..3_000_u64)
                .try_for_each(|number| change.put(&NOTES.key().number(number), &number))?;
            change.put_json(
                &NOTES.key().number(9_000),
                1,
                format!("\"{}\"", "ä".repeat(40_000)).as_bytes(),
            )
        });
        put.await.unwrap().unwrap();
        house.back_up("whole").await;
        house
    }

    async fn back_up(&self, name: &str) -> Contents {
        let snapshot = self.store.snapshot();
        let file = File::create(self.path(name)).unwrap();
        write(snapshot, Timestamp::from_micros(1_000_000), file, |_| {}).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.path("whole")).unwrap()
    }

    /// What is said about a file of these bytes, by the check and by the restoring, which must leave nothing.
    #[track_caller]
    fn refused(&self, bytes: &[u8]) -> String {
        let (file, folder) = (self.path("other"), self.path("restored"));
        std::fs::write(&file, bytes).unwrap();
        let found = check(&file, |_, _| {}).unwrap_err();
        let refused = restore(&file, &folder, &[], |_| Ok(()), |_, _| {}).unwrap_err();
        assert!(
            refused.to_string().contains(&found.to_string()),
            "{refused}"
        );
        assert!(!folder.exists() && !self.path("restored.restoring").exists());
        found.to_string()
    }
}

/// What the table of the tests holds: numbers, and one text.
fn kinds() -> Vec<RecordKind> {
    [&KINDS[..], &[RecordKind::of::<Note>(NOTES)]].concat()
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum Note {
    Number(u64),
    Text(String),
}

impl Record for Note {}

fn live(store: &Store) -> Vec<(sled::IVec, sled::IVec)> {
    let mut pairs = store.stored_range(Range::behind(None), usize::MAX).unwrap();
    // How often it was written to is the store's own affair.
    pairs.retain(|(key, _)| key::table_of(key) != "groups");
    pairs.into()
}

#[tokio::test]
async fn a_restored_store_is_the_one_that_was_backed_up() {
    let house = House::new().await;
    let contents = check(&house.path("whole"), |_, _| {}).unwrap();

    let (from, to) = (house.path("whole"), house.path("restored"));
    let (restored, ()) = restore(&from, &to, &[], |_| Ok(()), |_, _| {}).unwrap();

    assert_eq!(restored, contents);
    assert_eq!(
        (contents.tables["note"], contents.tables["part"]),
        (3_001, 13)
    );
    let again = Store::open(&house.path("restored"), false).unwrap();
    assert!(live(&again) == live(&house.store));
    assert!(
        again
            .contains(&Key::from_bytes(&live(&again)[0].0))
            .unwrap()
    );
    assert_eq!(again.verify(&kinds(), |_| {}).unwrap().damaged, 0);
}

#[tokio::test]
async fn a_backup_cut_anywhere_is_refused_before_anything_is_touched() {
    let house = House::new().await;
    let whole = house.bytes();

    for kept in (0..whole.len())
        .step_by(whole.len() / 60)
        .chain([whole.len() - 1])
    {
        let sentence = house.refused(&whole[..kept]);
        assert!(
            kept < 60 || sentence == "It is not whole: its end is missing.",
            "{kept}: {sentence}"
        );
    }
}

#[tokio::test]
async fn a_backup_with_one_byte_changed_or_added_is_refused() {
    let house = House::new().await;
    let whole = house.bytes();

    for place in (0..whole.len()).step_by(whole.len() / 150) {
        let mut changed = whole.clone();
        changed[place] ^= 0x10;
        house.refused(&changed);
    }
    assert_eq!(
        house.refused(&[&whole[..], b"x"].concat()),
        "It is damaged: there is something behind its end."
    );
}

#[tokio::test]
async fn a_newer_backup_and_something_else_are_refused_with_a_sentence() {
    let house = House::new().await;
    let whole = house.bytes();
    let newer = [
        b"porchlight-backup 2",
        &whole[b"porchlight-backup 1".len()..],
    ]
    .concat();

    assert!(
        house
            .refused(&newer)
            .starts_with("It was made by a newer Porchlight.")
    );
    assert_eq!(
        house.refused(b"PK\x03\x04"),
        "It is no backup of Porchlight's."
    );
}

#[tokio::test]
async fn a_backup_is_restored_into_an_empty_folder_only() {
    let house = House::new().await;
    let (file, taken, empty) = (
        house.path("whole"),
        house.path("taken"),
        house.path("empty"),
    );
    std::fs::create_dir(&empty).unwrap();
    std::fs::create_dir(&taken).unwrap();
    std::fs::write(taken.join("letter"), "mine").unwrap();

    assert!(matches!(
        restore(&file, &taken, &[], |_| Ok(()), |_, _| {}),
        Err(RestoreError::NotEmpty(_))
    ));
    assert!(restore(&file, &empty, &[], |_| Ok(()), |_, _| {}).is_ok());
    assert_eq!(std::fs::read_dir(&taken).unwrap().count(), 1);
}

#[tokio::test]
async fn who_takes_no_more_stops_the_backup() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let house = House::new().await;
    let snapshot = house.store.snapshot();

    let stopped = write(snapshot, Timestamp::from_micros(0), Gone, |_| {});

    assert!(matches!(stopped, Err(ArchiveError::Io(_))));
}
