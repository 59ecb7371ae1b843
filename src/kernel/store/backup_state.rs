//! The scheduled backups: their names, how long they are kept, and their state, which is one record.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{Change, Read, Record, RecordKind, Store, StoreError, Table};

const STATE: Table = Table::new("backup-state");
const HOME: Table = Table::new("backup-home");

/// Tells a home's backups from those of other homes in the same folder. A backup brings it along, so a home that was moved to
/// another computer goes on with its backups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HomeId(String);

impl Record for HomeId {}

impl HomeId {
    /// The home's id, which is made when it is first needed.
    pub async fn of(store: &Store, randomness: &Randomness) -> Result<Self, StoreError> {
        let made = Self(hex::encode(&randomness.bytes()[..ID_BYTES]));
        store.get_or_keep(HOME.key(), made).await
    }
}

#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// When a backup last succeeded.
    pub succeeded_at: Option<Timestamp>,
    /// Why an outdated file in the folder could not be removed.
    pub not_removed: Option<String>,
    /// The failure since the last success, if there is one.
    pub failure: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// When the first of the failures in a row happened.
    pub since: Timestamp,
    /// The reason for the latest failure.
    pub sentence: String,
    /// Whether the administrator was sent an e-mail about it.
    #[serde(default)]
    pub told: bool,
}

impl Record for ScheduleState {}

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<ScheduleState>(STATE),
    RecordKind::of::<HomeId>(HOME),
];

impl ScheduleState {
    pub fn of(view: &impl Read) -> Result<Self, StoreError> {
        Ok(view.get(&STATE.key())?.unwrap_or_default())
    }

    pub fn put(&self, change: &mut Change) -> Result<(), StoreError> {
        change.put(&STATE.key(), self)
    }
}

/// How scheduled backups are made and kept.
#[derive(Clone, Debug)]
pub struct ScheduledBackups {
    pub folder: PathBuf,
    /// The interval between backups.
    pub every: Duration,
    /// The number of backups that are kept.
    pub keep: u32,
}

impl ScheduledBackups {
    /// When rotation has removed the last backup made up to `last`, if all later ones succeed in time.
    pub fn gone_after(&self, last: Timestamp) -> Timestamp {
        last.after(self.every.saturating_mul(self.keep))
    }

    /// Whether this file is a scheduled backup, which rotation removes: this home's, or another one's in the same folder.
    pub fn is_one(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| home_of(name).is_some())
            && path
                .parent()
                .is_some_and(|folder| is_same(folder, &self.folder))
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other
        || match (one.canonicalize(), other.canonicalize()) {
            (Ok(one), Ok(other)) => one == other,
            _ => false,
        }
}

const PREFIX: &str = "porchlight-";

const ID_BYTES: usize = 4;

const FORM: &str = "%Y%m%dT%H%M%SZ";

const PLAIN: &str = ".backup";

/// The end of the name of an encrypted backup, as the schedule names it and the documentation advises.
pub const ENCRYPTED: &str = ".backup.age";

impl HomeId {
    /// What the names of this home's scheduled backups begin with.
    pub fn prefix(&self) -> String {
        format!("{PREFIX}{}-", self.0)
    }

    /// The name of a scheduled backup of this time. Names sort like their times.
    pub fn backup_name(&self, moment: Timestamp, is_encrypted: bool) -> String {
        let ending = if is_encrypted { ENCRYPTED } else { PLAIN };
        let moment = moment.to_chrono().format(FORM);
        format!("{}{moment}{ending}", self.prefix())
    }

    /// The time in the name of one of this home's scheduled backups; `None` for other files.
    pub fn made_at(&self, name: &str) -> Option<Timestamp> {
        let (home, moment) = parts(name)?;
        (home == self.0).then_some(moment)
    }
}

/// The home whose scheduled backup has this name; `None` for other files.
pub fn home_of(name: &str) -> Option<&str> {
    parts(name).map(|(home, _)| home)
}

/// The home in the name of a scheduled backup, and the time.
fn parts(name: &str) -> Option<(&str, Timestamp)> {
    let stem = name
        .strip_suffix(ENCRYPTED)
        .or_else(|| name.strip_suffix(PLAIN))?;
    let (home, moment) = stem.strip_prefix(PREFIX)?.split_once('-')?;
    let is_id = home.len() == 2 * ID_BYTES && home.bytes().all(|it| it.is_ascii_hexdigit());
    let moment = chrono::NaiveDateTime::parse_from_str(moment, FORM).ok()?;
    is_id.then(|| (home, moment.and_utc().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn home(id: &str) -> HomeId {
        HomeId(id.to_owned())
    }

    #[test]
    fn a_backups_name_says_whose_it_is_and_when_it_was_made() {
        let at = Timestamp::parse("2026-11-21T16:05:09Z").unwrap();
        let (ours, theirs) = (home("0a1b2c3d"), home("ffffffff"));

        let name = ours.backup_name(at, false);
        assert_eq!(name, "porchlight-0a1b2c3d-20261121T160509Z.backup");
        let encrypted = ours.backup_name(at, true);
        assert_eq!(encrypted, "porchlight-0a1b2c3d-20261121T160509Z.backup.age");
        for name in [&name, &encrypted] {
            assert_eq!(home_of(name), Some("0a1b2c3d"));
            assert_eq!(ours.made_at(name), Some(at));
            assert_eq!(theirs.made_at(name), None);
        }
        for other in [
            "porchlight.backup",
            "porchlight-20261121T160509Z.backup",
            "porchlight-0a1b2c3d-20261121T160509Z.backup.7.partial",
            "porchlight-by-hand.backup",
            "x",
        ] {
            assert_eq!(home_of(other), None, "{other}");
        }
    }

    #[tokio::test]
    async fn a_home_keeps_its_id() {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(folder.path()).unwrap();

        let first = HomeId::of(&store, &Randomness::System).await.unwrap();
        let second = HomeId::of(&store, &Randomness::System).await.unwrap();

        assert_eq!(first, second);
        let at = Timestamp::parse("2026-11-21T16:05:09Z").unwrap();
        assert_eq!(first.made_at(&first.backup_name(at, false)), Some(at));
    }

    #[test]
    fn a_backup_is_gone_once_as_many_later_ones_were_made_as_are_kept() {
        let folder = tempfile::TempDir::new().unwrap();
        let backups = ScheduledBackups {
            folder: folder.path().to_owned(),
            every: DAY,
            keep: 7,
        };
        let last = Timestamp::parse("2026-12-03T12:00:00Z").unwrap();
        let in_folder = |name: &str| backups.is_one(&folder.path().join(name));
        let home = home("0a1b2c3d");
        let [name, encrypted] = [false, true].map(|it| home.backup_name(last, it));

        assert_eq!(backups.gone_after(last), last.after(7 * DAY));
        assert!(in_folder(&name));
        assert!(backups.is_one(&folder.path().join(".").join(&encrypted)));
        assert!(!in_folder("porchlight-by-hand.backup"));
        assert!(!in_folder(&format!("left/{name}")));
    }
}
