//! What a feature keeps of children, as one value, from which `app` derives what is done with all of it.

use std::collections::BTreeSet;

use super::{ChildAccess, ChildId, SessionId};
use crate::kernel::store::{Backfill, Change, Consequence, RecordKind, StoreError, Table, Written};

/// A feature's tables, and what is done with their rows. It has no default, so a feature that forgets one of them doesn't compile.
pub struct Feature {
    pub kinds: &'static [RecordKind],
    /// The tables that are left out when a backup is restored.
    pub not_restored: &'static [Table],
    pub consequences: &'static [Consequence],
    pub backfills: &'static [Backfill],
    /// What guardians see of it, for events.
    pub shown: &'static [Shown],
    /// Erases some of what is kept of a removed child, few enough rows for one change. Returns whether there was any.
    pub erase_some: fn(&mut Change, &ChildAccess) -> Result<bool, StoreError>,
}

/// Which writes change something that a guardian sees.
pub enum Shown {
    /// Rows behind one of a child's `GET` endpoints, by the name that an event has for it. They are keyed by the child's number
    /// first.
    Part(&'static str, fn() -> Vec<Table>),
    /// Rows that all pages of a child show, keyed by its number first.
    Everything(&'static [Table]),
    /// The sessions in a group of writes.
    Sessions(fn(&Written) -> BTreeSet<(ChildId, SessionId)>),
}

/// The tables of these kinds.
pub fn tables(kinds: &[RecordKind]) -> Vec<Table> {
    kinds.iter().map(RecordKind::table).collect()
}
