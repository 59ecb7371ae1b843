//! What the tests of all tables and operations must know of a feature. It stands in the feature's own test file as `FACTS`, and
//! `tests/app.rs` lists them.

use super::operations::Write;
use super::tables::{Pages, TableRow};
use crate::FACTS;

pub struct Facts {
    /// Its tables: each needs a row.
    pub tables: &'static [TableRow],
    /// The effect of damage to its tables, where [`Pages::Below`] the part that they are shown as is too little.
    pub damaged: &'static [(&'static str, Pages)],
    /// Its operations that aren't a GET: each needs a row.
    pub writes: &'static [Write],
}

impl Facts {
    pub const NONE: Self = Self {
        tables: &[],
        damaged: &[],
        writes: &[],
    };
}

pub fn tables() -> impl Iterator<Item = &'static TableRow> {
    FACTS.iter().flat_map(|facts| facts.tables)
}

pub fn damaged() -> impl Iterator<Item = &'static (&'static str, Pages)> {
    FACTS.iter().flat_map(|facts| facts.damaged)
}

pub fn writes() -> impl Iterator<Item = &'static Write> {
    FACTS.iter().flat_map(|facts| facts.writes)
}
