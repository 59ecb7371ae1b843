//! A guardian's request about a child, which the child's other guardians can confirm or cancel.

use crate::children::agreement::{Agreement, Due};
use crate::identity::GuardianId;
use crate::kernel::store::{Record, Table};

/// The record of a request; a child has at most one of each type.
pub trait ChildRequest: Record {
    /// Keyed by child.
    const TABLE: Table;

    /// The guardian who made it.
    fn by(&self) -> &GuardianId;

    fn agreement_mut(&mut self) -> &mut Agreement;

    /// When it takes effect, given the child's guardians.
    fn due(&self, guardians: &[GuardianId]) -> Due;
}
