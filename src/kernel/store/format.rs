//! The format of a data folder.

use serde::{Deserialize, Serialize};

use super::lsm::Files;
use super::record::{Payload, StoredValue};
use super::{Record, StoreError, Table};

/// The format that this binary writes. It migrates folders from format [`OLDEST`] on.
pub(super) const FORMAT: u32 = 4;

/// The oldest format that can be [migrated](super::migrate). 1 and 2 were never released. Format 3 exists for tests alone:
/// it is format 4 under another number, so that migrating is tested before a release needs it.
pub(super) const OLDEST: u32 = 3;

pub(super) const FOLDER: Table = Table::new("folder");

/// The metadata of a data folder.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Folder {
    pub format: u32,
    #[serde(default)]
    pub demo: bool,
}

impl Record for Folder {}

impl Folder {
    /// A folder of the current format.
    pub fn new(demo: bool) -> Self {
        let format = FORMAT;
        Self { format, demo }
    }

    /// Reads the metadata stored outside the records, where every version looks for it.
    pub fn stated_in(files: &Files) -> Result<Option<Self>, StoreError> {
        let stored = files.metadata(FOLDER.key().bytes())?;
        stored.map(|stored| Self::read(&stored)).transpose()
    }

    /// Reads the metadata stored among the records, which is what a backup has.
    pub fn recorded_in(files: &Files) -> Result<Option<Self>, StoreError> {
        let stored = files.blocks().get(FOLDER.key().bytes())?;
        // If the record is damaged, restore without it: it holds nothing that the family needs.
        Ok(stored.and_then(|stored| Self::read(&stored).ok()))
    }

    fn read(stored: &[u8]) -> Result<Self, StoreError> {
        let value = StoredValue::read(stored)?;
        let (version, json) = (value.version, value.first.to_vec().into());
        Payload { version, json }.record()
    }

    /// Writes the metadata to both places.
    pub fn state_in(&self, files: &Files) -> Result<(), StoreError> {
        let key = FOLDER.key().to_bytes();
        let pairs = StoredValue::split(&key, Self::VERSION, &self.encode())?;
        let writes = pairs.into_iter().map(|(key, value)| (key, Some(value)));
        let writes = writes.collect();
        files.blocks().apply_memtable(&writes, || Ok(()))?;
        match writes.get(&key) {
            Some(Some(value)) => files.set_metadata(&key, value),
            _ => Ok(()),
        }
    }
}

/// The format that a stored pair states; `None` if it is another record or unreadable.
pub(super) fn stated_format(key: &[u8], stored: &[u8]) -> Option<u32> {
    let is_folder = key == FOLDER.key().bytes();
    is_folder.then(|| Folder::read(stored).map_or(FORMAT, |folder| folder.format))
}
