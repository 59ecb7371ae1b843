//! What a feature stores about children, as one value, from which `app` derives deletion, restore and events.

use std::collections::BTreeSet;

use super::{ChildAccess, ChildId, SessionId};
use crate::kernel::store::{Backfill, Change, Consequence, RecordKind, StoreError, Table, Written};

/// A feature's tables, and what is done with their rows. There is no `Default`, so a feature that forgets a field doesn't
/// compile.
pub struct Feature {
    pub kinds: &'static [RecordKind],
    /// Tables that restoring a backup skips.
    pub not_restored: &'static [Table],
    pub consequences: &'static [Consequence],
    pub backfills: &'static [Backfill],
    /// What guardians see of it, for events.
    pub shown: &'static [Shown],
    /// Erases a batch of a removed child's rows, few enough for one commit. Returns whether there was any.
    pub erase_some: fn(&mut Change, &ChildAccess) -> Result<bool, StoreError>,
}

/// Which writes change something that a guardian sees.
pub enum Shown {
    /// Rows behind one of a child's `GET` endpoints, with the name that events use for it. Keyed by the child's number first.
    Part(&'static str, fn() -> Vec<Table>),
    /// Rows that all pages of a child show, keyed by its number first.
    Everything(&'static [Table]),
    /// The sessions in a group of writes.
    Sessions(fn(&Written) -> BTreeSet<(ChildId, SessionId)>),
}

pub fn tables(kinds: &[RecordKind]) -> Vec<Table> {
    kinds.iter().map(RecordKind::table).collect()
}
