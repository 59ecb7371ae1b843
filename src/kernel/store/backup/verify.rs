//! Verifies that every record can be read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::archive::Tables;
use bytes::Bytes;

use crate::kernel::store::record::{self, StoredValue};
use crate::kernel::store::{Range, Read, RecordKind, Store, StoreError, key};

/// The number of pairs that are read at once.
const STEP: usize = 512;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    pub tables: Tables,
    /// The number of records that cannot be read.
    pub damaged: u64,
    /// The tables that these are in.
    pub damage: Vec<Damage>,
}

/// The unreadable records of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damage {
    pub table: String,
    pub records: u64,
    /// What is wrong with the first of them.
    pub what: String,
}

/// The record kinds, by the names of their tables.
type Kinds<'a> = BTreeMap<&'a str, &'a RecordKind>;

impl Verified {
    fn damaged(&mut self, table: &str, what: &str) {
        self.damaged += 1;
        match self.damage.iter_mut().find(|known| known.table == table) {
            Some(known) => known.records += 1,
            None => self.damage.push(Damage {
                table: table.to_owned(),
                records: 1,
                what: what.to_owned(),
            }),
        }
    }
}

impl Store {
    /// Reads every record as the kind that `kinds` names for its table: its header, all of its parts, and its JSON. An unknown
    /// table is damage, too. Records written meanwhile may or may not be counted. `progress` is called with the number of
    /// pairs read. This takes long and blocks.
    ///
    /// # Errors
    ///
    /// If reading the files themselves fails.
    pub fn verify(
        &self,
        kinds: &[RecordKind],
        mut progress: impl FnMut(u64),
    ) -> Result<Verified, StoreError> {
        let kinds = kinds.iter().map(|kind| (kind.name(), kind)).collect();
        let mut verified = Verified::default();
        let mut last: Option<Bytes> = None;
        let mut read = 0;
        loop {
            let pairs = self.stored_range(Range::behind(last.as_deref()), STEP)?;
            let Some((key, _)) = pairs.last() else {
                return Ok(verified);
            };
            last = Some(key.clone());
            for (key, stored) in &pairs {
                let table = key::table_of(key);
                match record::owner_of_part(key) {
                    Some(owner) => self.verify_part(key, owner, &mut verified)?,
                    None => self.verify_record(key, stored, table, &kinds, &mut verified)?,
                }
            }
            read += pairs.len() as u64;
            progress(read);
        }
    }

    fn verify_record(
        &self,
        key: &[u8],
        stored: &Bytes,
        table: &str,
        kinds: &Kinds<'_>,
        verified: &mut Verified,
    ) -> Result<(), StoreError> {
        let decoded = match (self.assemble_current(key, stored.clone()), kinds.get(table)) {
            // It was removed meanwhile.
            (Ok(None), _) => return Ok(()),
            (Ok(Some(payload)), Some(kind)) => kind.check(payload),
            (Ok(Some(_)), None) => Err(StoreError::unreadable("nothing reads this table")),
            (Err(error), _) => Err(error),
        };
        *verified.tables.entry(table.to_owned()).or_default() += 1;
        match decoded {
            Err(StoreError::Unreadable(what)) => {
                verified.damaged(table, &what);
                Ok(())
            }
            other => other,
        }
    }

    /// A part must belong to a record that still refers to it.
    fn verify_part(
        &self,
        key: &[u8],
        owner: record::Owner<'_>,
        verified: &mut Verified,
    ) -> Result<(), StoreError> {
        let is_owned = || match self.stored(owner.key)? {
            Some(stored) => {
                Ok(StoredValue::read(&stored).is_ok_and(|value| value.hash == owner.hash))
            }
            None => Ok::<_, StoreError>(false),
        };
        // Since the part was read, a change may have removed it and its record, and another may have written both again. So it is
        // damaged only if it still exists and still has no record.
        if !is_owned()? && self.stored(key)?.is_some() && !is_owned()? {
            verified.damaged(
                key::table_of(owner.key),
                "a part of it is left without the rest",
            );
        }
        Ok(())
    }
}
