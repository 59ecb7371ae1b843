//! Lists the tables and the types of their rows.
//!
//! Each feature declares its tables; [`Store::verify`](super::Store::verify) reads every row by that list. A test compares the
//! list with the source, so that no table is missing.

use super::format::{FOLDER, Folder};
use super::migrate::{BACKFILL, BackfillState};
use super::record::PARTS;
use super::{Payload, Record, StoreError, Table, change, erasure};

/// A table and how its rows are read.
#[derive(Clone, Copy)]
pub struct RecordKind {
    name: &'static str,
    rewritten: fn(Payload) -> Result<Vec<u8>, StoreError>,
}

impl RecordKind {
    /// Declares that the table's rows are of type `R`.
    pub const fn of<R: Record>(table: Table) -> Self {
        Self {
            name: table.name(),
            rewritten: |payload| payload.record::<R>().map(|record| record.encode()),
        }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn table(&self) -> Table {
        Table::new(self.name)
    }

    /// Checks that a row with this payload can be read.
    pub fn check(&self, payload: Payload) -> Result<(), StoreError> {
        self.rewritten(payload).map(drop)
    }

    /// The JSON that results from reading a row with this payload and writing it again.
    pub fn rewritten(&self, payload: Payload) -> Result<Vec<u8>, StoreError> {
        (self.rewritten)(payload)
    }
}

/// The store's own tables. One more, [`PARTS_TABLE`], holds the parts of large records; they are read with their records.
pub const KINDS: [RecordKind; 5] = [
    RecordKind::of::<Folder>(FOLDER),
    RecordKind::of::<u64>(change::SEQUENCE),
    RecordKind::of::<u64>(erasure::REQUIRED),
    RecordKind::of::<u64>(erasure::AT_NIGHT),
    RecordKind::of::<BackfillState>(BACKFILL),
];

pub const PARTS_TABLE: &str = PARTS.name();
