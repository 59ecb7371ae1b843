use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::kernel::store::{
    KINDS, Key, Range, Read as _, Record, RecordKind, RestoreError, Store, Table, restore,
};

const NOTES: Table = Table::new("note");

struct Fixture {
    folder: TempDir,
    store: Store,
}

impl Fixture {
    /// A store with small and large records, and a backup of it.
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("data")).unwrap();
        let fixture = Self { folder, store };
        let put = fixture.store.commit(|change| {
            (0..3_000_u64)
                .try_for_each(|number| change.put(&NOTES.key().number(number), &number))?;
            change.put_json(
                &NOTES.key().number(9_000),
                1,
                format!("\"{}\"", "ä".repeat(40_000)).as_bytes(),
            )
        });
        put.await.unwrap();
        fixture.back_up("whole").await;
        fixture
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

    /// The error for a file with these bytes, from checking and from restoring, which must leave nothing behind.
    #[track_caller]
    fn refused(&self, bytes: &[u8]) -> String {
        let (file, folder) = (self.path("other"), self.path("restored"));
        std::fs::write(&file, bytes).unwrap();
        let found = check(&file, &Identities::default(), |_, _| {}).unwrap_err();
        let none = Identities::default();
        let finish = |_: &Store| Ok::<_, RestoreError>(());
        let refused = restore(&file, &folder, &none, &[], finish, |_, _| {}).unwrap_err();
        assert!(
            refused.to_string().contains(&found.to_string()),
            "{refused}"
        );
        assert!(!folder.exists() && !self.path("restored.restoring").exists());
        found.to_string()
    }
}

/// The test table holds numbers and one text.
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

fn live(store: &Store) -> Vec<(bytes::Bytes, bytes::Bytes)> {
    store.stored_range(Range::behind(None), usize::MAX).unwrap()
}

#[tokio::test]
async fn a_restored_store_is_the_one_that_was_backed_up() {
    let fixture = Fixture::new().await;
    let contents = check(&fixture.path("whole"), &Identities::default(), |_, _| {}).unwrap();

    let (from, to) = (fixture.path("whole"), fixture.path("restored"));
    let none = Identities::default();
    let finish = |_: &Store| Ok::<_, RestoreError>(());
    let (restored, ()) = restore(&from, &to, &none, &[], finish, |_, _| {}).unwrap();

    assert_eq!(restored, contents);
    assert_eq!(
        (contents.tables["note"], contents.tables["part"]),
        (3_001, 13)
    );
    let again = Store::open(&fixture.path("restored")).unwrap();
    assert!(live(&again) == live(&fixture.store));
    assert!(
        again
            .contains(&Key::from_bytes(&live(&again)[0].0))
            .unwrap()
    );
    assert_eq!(again.verify(&kinds(), |_| {}).unwrap().damaged, 0);
}

#[tokio::test]
async fn a_backup_cut_anywhere_is_refused_before_anything_is_touched() {
    let fixture = Fixture::new().await;
    let whole = fixture.bytes();

    for kept in (0..whole.len())
        .step_by(whole.len() / 60)
        .chain([whole.len() - 1])
    {
        let sentence = fixture.refused(&whole[..kept]);
        assert!(
            kept < 60 || sentence == "It is not whole: its end is missing.",
            "{kept}: {sentence}"
        );
    }
}

#[tokio::test]
async fn a_backup_with_one_byte_changed_or_added_is_refused() {
    let fixture = Fixture::new().await;
    let whole = fixture.bytes();

    for place in (0..whole.len()).step_by(whole.len() / 150) {
        let mut changed = whole.clone();
        changed[place] ^= 0x10;
        fixture.refused(&changed);
    }
    assert_eq!(
        fixture.refused(&[&whole[..], b"x"].concat()),
        "It is damaged: there is something behind its end."
    );
}

#[tokio::test]
async fn a_newer_backup_and_something_else_are_refused_with_a_sentence() {
    let fixture = Fixture::new().await;
    let whole = fixture.bytes();
    let newer = [
        b"porchlight-backup 2",
        &whole[b"porchlight-backup 1".len()..],
    ]
    .concat();

    assert!(
        fixture
            .refused(&newer)
            .starts_with("It was made by a newer Porchlight.")
    );
    assert_eq!(
        fixture.refused(b"PK\x03\x04"),
        "It is no backup of Porchlight's."
    );
}

#[tokio::test]
async fn a_backup_is_restored_into_an_empty_folder_only() {
    let fixture = Fixture::new().await;
    let (file, taken, empty) = (
        fixture.path("whole"),
        fixture.path("taken"),
        fixture.path("empty"),
    );
    std::fs::create_dir(&empty).unwrap();
    std::fs::create_dir(&taken).unwrap();
    std::fs::write(taken.join("email"), "mine").unwrap();

    let none = Identities::default();
    let finish = |_: &Store| Ok::<_, RestoreError>(());
    assert!(matches!(
        restore(&file, &taken, &none, &[], finish, |_, _| {}),
        Err(RestoreError::NotEmpty(_))
    ));
    assert!(restore(&file, &empty, &none, &[], finish, |_, _| {}).is_ok());
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
    let fixture = Fixture::new().await;
    let snapshot = fixture.store.snapshot();

    let stopped = write(snapshot, Timestamp::from_micros(0), Gone, |_| {});

    assert!(matches!(stopped, Err(ArchiveError::Io(_))));
}
