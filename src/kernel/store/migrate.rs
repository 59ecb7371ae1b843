//! Migrations from one version of the data to the next.
//!
//! There are three kinds of migration, each crash-safe:
//!
//! * **A record's shape**: [`Record::UPGRADES`], on reading. Nothing is rewritten.
//! * **The format of the files**: [`to_current`], when the store is opened. First a backup is written next to the data
//!   folder, which the older binary can restore. Then come the [steps](STEPS), and the new format is recorded last.
//! * **A change of all rows**: a [`Backfill`], in batches. Each batch is one change that also stores the progress.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::backup::{ArchiveError, ENCRYPTED_EXTENSION, Recipient, encrypt, write_archive};
use super::format::{FORMAT, Folder, OLDEST};
use super::lsm::{self, Files};
use super::{
    Change, Cursor, Key, OpenError, Purpose, Range, Read, Record, Store, StoreError, Table, files,
};
use crate::kernel::host::clock::Clock;

/// The number of rows that one change of a backfill visits.
const BATCH: usize = 500;

/// Roughly the number of bytes that one change of a backfill reads: they stay in memory until the change ends.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

pub(super) const BACKFILL: Table = Table::new("backfill");

/// Changes the files of one format to the next one's. It can be repeated: the process may be killed in it.
type Step = fn(&Path, &Files) -> Result<(), OpenError>;

/// The steps from [`OLDEST`] on.
const STEPS: [Step; (FORMAT - OLDEST) as usize] = [|_, _| Ok(())];

/// Migrates files of an older format to the current one. `tell` is called with sentences for the user, and the backup is
/// encrypted for `recipients`, if there are any.
pub(super) fn to_current(
    data: &Path,
    files: &Files,
    folder: &Folder,
    recipients: &[Recipient],
    tell: &dyn Fn(&str),
) -> Result<(), OpenError> {
    let (from, shown) = (folder.format, data.display());
    let mut backup = backup_path(data).map_err(|error| OpenError::of_io(data, error))?;
    if !recipients.is_empty() {
        backup.add_extension(ENCRYPTED_EXTENSION);
    }
    tell(&format!(
        "{shown} has format {from} and is changed to format {FORMAT}. First everything in it is written to {}.",
        backup.display()
    ));
    let older = lsm::read(data, files)?;
    write_backup(&older, &backup, recipients, tell).map_err(|error| OpenError::NoBackup {
        folder: data.to_owned(),
        backup,
        error: error.to_string(),
    })?;
    for step in STEPS.iter().skip((from - OLDEST) as usize) {
        step(data, files)?;
    }
    let stated = Folder::new(folder.demo).state_in(files);
    stated.map_err(|error| OpenError::of_store(data, error))?;
    tell(&format!(
        "{shown} has format {FORMAT} now. The backup can be deleted when all is well."
    ));
    Ok(())
}

/// The path of the backup before a migration: next to the data folder, or inside it if it is a mount point or its parent isn't
/// writable.
fn backup_path(data: &Path) -> io::Result<PathBuf> {
    let data = data.canonicalize()?;
    let (Some(around), Some(name)) = (data.parent(), data.file_name()) else {
        return Ok(data.join(format!("before-format-{FORMAT}.backup")));
    };
    let mut file = name.to_owned();
    file.push(format!(".before-format-{FORMAT}.backup"));
    let same_file_system = around.metadata()?.dev() == data.metadata()?.dev();
    let takes_files = rustix::fs::access(around, rustix::fs::Access::WRITE_OK).is_ok();
    Ok(if same_file_system && takes_files {
        around.join(file)
    } else {
        data.join(file)
    })
}

/// Writes the backup; the file is renamed to its final name once it is complete.
fn write_backup(
    older: &lsm::Lsm,
    path: &Path,
    recipients: &[Recipient],
    tell: &dyn Fn(&str),
) -> Result<(), ArchiveError> {
    let unfinished = path.with_added_extension("unfinished");
    let file = files::create_private(&unfinished)?;
    let told = std::cell::Cell::new(0);
    let progress = |records: u64| {
        if records >= told.get() + 100_000 {
            told.set(records);
            tell(&format!("{records} records written …"));
        }
    };
    let (snapshot, now) = (older.snapshot(), Clock::System.now());
    let mut to = io::BufWriter::new(&file);
    let written = if recipients.is_empty() {
        write_archive(snapshot, now, &mut to, progress).map(drop)
    } else {
        encrypt(recipients, &mut to)
            .map_err(ArchiveError::from)
            .and_then(|mut encrypted| {
                write_archive(snapshot, now, &mut encrypted, progress)?;
                encrypted.finish()?;
                Ok(())
            })
    };
    let written = written.and_then(|()| {
        to.flush()?;
        Ok(file.sync_all()?)
    });
    let renamed = written.and_then(|()| Ok(fs::rename(&unfinished, path)?));
    if renamed.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    renamed?;
    match path.parent() {
        Some(around) => Ok(files::sync_folder(around)?),
        None => Ok(()),
    }
}

/// A change of all rows of a table that runs once.
pub struct Backfill {
    /// The name under which its progress is recorded; never reused.
    pub name: &'static str,
    /// The table whose rows are visited, in key order.
    pub table: Table,
    /// Visits one row. A row that cannot be read is skipped and logged.
    pub row: fn(&mut Change, &Key) -> Result<(), StoreError>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct BackfillState {
    /// The cursor of the last visited row.
    after: Option<String>,
    rows: u64,
    done: bool,
}

impl Record for BackfillState {}

impl Backfill {
    fn key(&self) -> Key {
        BACKFILL.key().text(self.name)
    }

    /// Visits the next rows; returns the progress.
    fn visit_some(&self, change: &mut Change) -> Result<BackfillState, StoreError> {
        let mut state = change
            .get::<BackfillState>(&self.key())?
            .unwrap_or_default();
        let all = self.table.key();
        let after = state
            .after
            .as_deref()
            .and_then(|text| Cursor::parse(text).ok());
        let pairs = change.stored_range(Range::below(&all, after.as_ref()), BATCH)?;
        let mut visited = 0;
        for (key, _) in &pairs {
            if change.bytes_read() > BATCH_BYTES && visited > 0 {
                break;
            }
            visited += 1;
            let key = Key::from_bytes(key);
            match (self.row)(change, &key) {
                Err(StoreError::Unreadable(why)) => {
                    tracing::warn!(backfill = self.name, %why, "a row could not be read and was passed over");
                }
                made => made?,
            }
            state.after = key.cursor_below(&all).map(|cursor| cursor.to_text());
        }
        state.rows += visited as u64;
        state.done = visited == pairs.len() && pairs.len() < BATCH;
        change.put(&self.key(), &state)?;
        Ok(state)
    }
}

impl Store {
    /// Runs the backfills that aren't complete yet. `progress` is called with the number of rows that each has visited.
    ///
    /// # Errors
    ///
    /// If the store fails. Progress so far is kept.
    pub fn backfill(
        &self,
        backfills: &'static [Backfill],
        progress: impl Fn(&'static str, u64),
    ) -> Result<(), StoreError> {
        for backfill in backfills {
            let mut done = match self.get::<BackfillState>(&backfill.key()) {
                Ok(state) => state.is_some_and(|state| state.done),
                Err(StoreError::Unreadable(why)) => {
                    tracing::warn!(backfill = backfill.name, %why, "how far it came cannot be read; it is not made again");
                    continue;
                }
                Err(error) => return Err(error),
            };
            while !done {
                let visited =
                    self.commit_blocking(Purpose::Essential, |change| backfill.visit_some(change));
                let state = visited?;
                progress(backfill.name, state.rows);
                done = state.done;
            }
        }
        Ok(())
    }
}
