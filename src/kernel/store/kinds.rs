//! Which tables there are, and what their rows are read as.
//!
//! Each feature declares its tables; [`Store::verify`](super::Store::verify) reads every row by that list. A test compares the
//! list with the source, so that no table is forgotten.

use super::format::{FOLDER, Folder};
use super::migrate::{BACKFILL, BackfillState, REWRITE};
use super::record::PARTS;
use super::{Payload, Record, StoreError, Table, change, erasure};

/// A table and how its rows are read.
#[derive(Clone, Copy)]
pub struct RecordKind {
    name: &'static str,
    rewritten: fn(Payload) -> Result<Vec<u8>, StoreError>,
}

impl RecordKind {
    /// The table whose rows are these records.
    pub const fn of<R: Record>(table: Table) -> Self {
        Self {
            name: table.name(),
            rewritten: |payload| payload.record::<R>().map(|record| record.encode()),
        }
    }

    /// The table's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The table.
    pub fn table(&self) -> Table {
        Table::new(self.name)
    }

    /// Whether a row with this payload can be read.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it can't.
    pub fn check(&self, payload: Payload) -> Result<(), StoreError> {
        self.rewritten(payload).map(drop)
    }

    /// The JSON that is stored when a row with this payload is read and written again.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it can't be read.
    pub fn rewritten(&self, payload: Payload) -> Result<Vec<u8>, StoreError> {
        (self.rewritten)(payload)
    }
}

/// The store's own tables. The [parts](PARTS_TABLE) of large records are in one more; they are read with their records.
pub const KINDS: [RecordKind; 6] = [
    RecordKind::of::<Folder>(FOLDER),
    RecordKind::of::<u64>(change::SEQUENCE),
    RecordKind::of::<u64>(erasure::REQUIRED),
    RecordKind::of::<u64>(erasure::AT_NIGHT),
    RecordKind::of::<BackfillState>(BACKFILL),
    RecordKind::of::<u64>(REWRITE),
];

/// The table of parts.
pub const PARTS_TABLE: &str = PARTS.name();
