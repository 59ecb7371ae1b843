//! Lists of the administrator's.

use serde::{Deserialize, Serialize};

use crate::kernel::store::StoreError;

/// A list, and the number of entries that are missing because they are unreadable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entries<T> {
    pub entries: Vec<T>,
    pub unreadable: u64,
}

impl<T> Entries<T> {
    pub(super) fn of<R>(
        (readable, unreadable): (Vec<R>, u64),
        entry: impl FnMut(R) -> Result<T, StoreError>,
    ) -> Result<Self, StoreError> {
        let entries = readable.into_iter().map(entry);
        Ok(Self {
            entries: entries.collect::<Result<_, _>>()?,
            unreadable,
        })
    }
}
