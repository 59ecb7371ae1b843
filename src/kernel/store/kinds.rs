//! Which tables there are, and what their rows are read as.
//!
//! Each feature declares its tables beside them; [`Store::verify`](super::Store::verify) reads every row by that
//! list. A test compares the list with the source, so that no table is forgotten.

use super::layout::{FOLDER, Folder};
use super::record::PARTS;
use super::{Record, StoreError, Table, change, rewrite, seal};

/// A table and how its rows are read.
#[derive(Clone, Copy)]
pub struct RecordKind {
    name: &'static str,
    decode: fn(&[u8]) -> Result<(), StoreError>,
    rewritten: fn(&[u8]) -> Result<Vec<u8>, StoreError>,
}

impl RecordKind {
    /// The table whose rows are these records.
    pub const fn of<R: Record>(table: Table) -> Self {
        Self {
            name: table.name(),
            decode: |payload| R::decode(payload).map(drop),
            rewritten: |payload| R::decode(payload).map(|record| record.encode()),
        }
    }

    /// The table's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether a row with this payload can be read.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it can't.
    pub fn decode(&self, payload: &[u8]) -> Result<(), StoreError> {
        (self.decode)(payload)
    }

    /// What is stored when a row with this payload is read and written again.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it can't be read.
    pub fn rewritten(&self, payload: &[u8]) -> Result<Vec<u8>, StoreError> {
        (self.rewritten)(payload)
    }
}

/// The store's own tables. The parts of large records lie in one more, [`PARTS`]; they are read with their records.
pub const KINDS: [RecordKind; 4] = [
    RecordKind::of::<Folder>(FOLDER),
    RecordKind::of::<u64>(change::SEQUENCE),
    RecordKind::of::<u64>(rewrite::DUE),
    // In sled's own files; among the records only where a backup of the first layout was restored.
    RecordKind::of::<u64>(seal::CHECKPOINTS),
];

/// The table of parts.
pub const PARTS_TABLE: &str = PARTS.name();
