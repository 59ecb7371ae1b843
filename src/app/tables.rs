//! The store's tables, from all features.

use super::FEATURES;
use crate::identity;
use crate::kernel::store::{self, RecordKind, Table};
use crate::kernel::{due, queue};

/// The record kind of each table, for reading all of them.
pub fn record_kinds() -> Vec<RecordKind> {
    let mut kinds = identity::kinds();
    kinds.extend(FEATURES.iter().flat_map(|feature| feature.kinds));
    kinds.push(due::KIND);
    kinds.push(queue::KIND);
    kinds.extend(store::KINDS);
    kinds
}

/// The tables of a backup that are not restored.
pub fn not_restored() -> Vec<Table> {
    let mut tables = identity::not_restored();
    tables.extend(queue::not_restored());
    tables.extend(FEATURES.iter().flat_map(|feature| feature.not_restored));
    tables
}
