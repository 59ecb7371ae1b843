//! The scheduled backups: their names, how long they are kept, and their state, which is one record.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::clock::Timestamp;
use super::store::{Change, Read, Record, RecordKind, StoreError, Table};

const STATE: Table = Table::new("backup-state");

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// When a backup last succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub succeeded_at: Option<Timestamp>,
    /// Why an outdated file in the folder could not be removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_removed: Option<String>,
    /// The failure since the last success, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

pub const KIND: RecordKind = RecordKind::of::<ScheduleState>(STATE);

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

    /// Whether this file is one of them, which rotation removes.
    pub fn is_one(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| made_at(name).is_some())
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

const FORM: &str = "porchlight-%Y%m%dT%H%M%SZ";

const PLAIN: &str = ".backup";

/// The end of the name of an encrypted backup, as the schedule names it and the documentation advises.
pub const ENCRYPTED: &str = ".backup.age";

/// The name of a scheduled backup of this time. Names sort like their times.
pub fn name(moment: Timestamp, is_encrypted: bool) -> String {
    let stem = moment.to_chrono().format(FORM);
    let ending = if is_encrypted { ENCRYPTED } else { PLAIN };
    format!("{stem}{ending}")
}

/// The time in the name of a scheduled backup; `None` for other files.
pub fn made_at(name: &str) -> Option<Timestamp> {
    let stem = name
        .strip_suffix(ENCRYPTED)
        .or_else(|| name.strip_suffix(PLAIN))?;
    let moment = chrono::NaiveDateTime::parse_from_str(stem, FORM).ok()?;
    Some(moment.and_utc().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    #[test]
    fn a_backups_name_says_when_it_was_made() {
        let at = Timestamp::parse("2026-11-21T16:05:09Z").unwrap();

        assert_eq!(name(at, false), "porchlight-20261121T160509Z.backup");
        assert_eq!(name(at, true), "porchlight-20261121T160509Z.backup.age");
        assert_eq!(made_at(&name(at, false)), Some(at));
        assert_eq!(made_at(&name(at, true)), Some(at));
        for other in [
            "porchlight.backup",
            "porchlight-20261121T160509Z.backup.7.partial",
            "x",
        ] {
            assert_eq!(made_at(other), None, "{other}");
        }
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

        assert_eq!(backups.gone_after(last), last.after(7 * DAY));
        assert!(in_folder(&name(last, false)));
        assert!(backups.is_one(&folder.path().join(".").join(name(last, true))));
        assert!(!in_folder("porchlight-by-hand.backup"));
        assert!(!in_folder(&format!("left/{}", name(last, false))));
    }
}
