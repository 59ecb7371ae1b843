//! Which layout a data folder has.

use serde::{Deserialize, Serialize};

use super::files::Opened;
use super::record::StoredValue;
use super::runs::Runs;
use super::{Record, StoreError, Table};

/// The only version of the folder's layout that this binary writes and reads. Layouts 1 and 2 were never released.
pub(super) const LAYOUT: u32 = 3;

pub(super) const FOLDER: Table = Table::new("folder");

/// What a data folder is: written once, when it is made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Folder {
    pub layout: u32,
    #[serde(default)]
    pub demo: bool,
}

impl Record for Folder {}

impl Folder {
    /// One that is made now.
    pub fn new(demo: bool) -> Self {
        Self {
            layout: LAYOUT,
            demo,
        }
    }

    /// What sled's files say they are.
    pub fn stated_in(files: &Opened) -> Result<Option<Self>, StoreError> {
        Self::read(files.tree.get(FOLDER.key().bytes())?)
    }

    /// What they say among the records, as a backup has it.
    pub fn recorded_in(files: &Opened) -> Result<Option<Self>, StoreError> {
        match Self::read(Runs::of(&files.tree).get(FOLDER.key().bytes())?) {
            // A backup restores a damaged record as it was, and this one says nothing that the family needs.
            Err(StoreError::Unreadable(_)) => Ok(None),
            read => read,
        }
    }

    /// What they say, in either place.
    pub fn found_in(files: &Opened) -> Result<Option<Self>, StoreError> {
        match Self::stated_in(files)? {
            None => Self::recorded_in(files),
            stated => Ok(stated),
        }
    }

    fn read(stored: Option<sled::IVec>) -> Result<Option<Self>, StoreError> {
        match stored {
            Some(stored) => Self::decode(StoredValue::read(&stored)?.first).map(Some),
            None => Ok(None),
        }
    }

    /// Makes sled's files say it: where every version looks for it, and among the records.
    pub fn state_in(&self, files: &Opened) -> Result<(), StoreError> {
        let key = FOLDER.key();
        let pairs = StoredValue::split(key.bytes(), Self::VERSION, &self.encode());
        let pairs = pairs
            .iter()
            .map(|(key, value)| (key.as_slice(), value.as_slice()));
        for (key, value) in pairs.clone() {
            files.tree.insert(key, value)?;
        }
        Runs::of(&files.tree).apply(pairs.map(|(key, value)| (key, Some(value))), || Ok(()))?;
        Ok(files.sync()?)
    }
}

/// The layout that a stored pair states; `None` when it is another record. One that cannot be read says nothing of a newer
/// layout, and the records of a backup are the same in all of them.
pub(super) fn layout_in(key: &[u8], stored: &[u8]) -> Option<u32> {
    if key != FOLDER.key().bytes() {
        return None;
    }
    let value = StoredValue::read(stored);
    let folder = value.and_then(|value| Folder::decode(value.first));
    Some(folder.map_or(LAYOUT, |folder| folder.layout))
}
