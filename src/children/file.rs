//! A feature's fields in an exported file, which `seed` imports.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{ChildAccess, ChildrenError, SessionId};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, ReadError, Store, StoreError, readable_or_counted};

/// A field of a child.
pub struct ChildField {
    pub name: &'static str,
    /// The guardian is the one whose own copy it is; `None` for the administrator's file.
    pub export: fn(&Store, &ChildAccess, Option<&GuardianId>, &mut LeftOut) -> FieldJson,
    /// Validates the JSON of a field.
    pub read: fn(&str) -> Result<ImportChildField, FieldError>,
}

/// `None` leaves the field out.
pub type FieldJson = Result<Option<Vec<u8>>, StoreError>;

/// How a field is imported for a child without data.
pub enum ImportChildField {
    Alone(ImportAlone),
    Linked(LinkedItems),
}

/// At the given time, before anybody has access to the child.
pub type ImportAlone = Box<
    dyn FnOnce(&mut Change, &ChildAccess, Timestamp) -> Result<(), ChildrenError> + Send + Sync,
>;

/// A list whose items each name a guardian and an assistant of the child. It is imported once the child has these.
pub struct LinkedItems {
    pub named: Vec<(EmailAddress, String)>,
    /// Imports an item.
    pub import:
        fn(&mut Change, &ChildAccess, &GuardianId, &AssistantId) -> Result<(), ChildrenError>,
}

impl ImportChildField {
    pub fn alone(
        import: impl FnOnce(&mut Change, &ChildAccess, Timestamp) -> Result<(), ChildrenError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self::Alone(Box::new(import))
    }
}

/// A field of a session.
pub struct SessionField {
    pub name: &'static str,
    pub export: fn(&Store, &ChildAccess, SessionId, &mut LeftOut) -> FieldJson,
    /// Validates the JSON of a field. Returns how it is imported for a session that has its messages.
    pub read: fn(&str) -> Result<ImportSessionField, FieldError>,
}

pub type ImportSessionField = Box<
    dyn FnOnce(&mut Change, &ChildAccess, SessionId) -> Result<(), ChildrenError> + Send + Sync,
>;

/// How many unreadable records an export leaves out, by table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LeftOut(BTreeMap<String, u64>);

impl LeftOut {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn tables(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(table, records)| (&**table, *records))
    }

    pub fn add(&mut self, table: &str, records: u64) {
        if records > 0 {
            *self.0.entry(table.to_owned()).or_default() += records;
        }
    }

    /// Turns an unreadable record into `None` and counts it.
    pub fn readable<T, E: ReadError>(
        &mut self,
        table: &str,
        found: Result<T, E>,
    ) -> Result<Option<T>, E> {
        let mut unreadable = 0;
        let found = readable_or_counted(found, &mut unreadable)?;
        self.add(table, unreadable);
        Ok(found)
    }
}

/// A mistake in a field of a file.
#[derive(Debug)]
pub struct FieldError {
    pub sentence: String,
    /// The line within the field, from 1.
    pub line: usize,
}

impl FieldError {
    /// A mistake of the field as a whole.
    pub fn new(sentence: impl ToString) -> Self {
        Self {
            sentence: sentence.to_string(),
            line: 1,
        }
    }

    /// Parses a field's JSON.
    pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Self> {
        serde_json::from_str(json).map_err(|error| {
            let full = error.to_string();
            let sentence = full.rsplit_once(" at line ").map(|(start, _)| start);
            Self {
                sentence: sentence.unwrap_or(&full).to_owned(),
                line: error.line().max(1),
            }
        })
    }
}

/// A JSON list with each item on its own line.
pub fn json_list<'a>(items: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut list = b"[".to_vec();
    for (position, item) in items.enumerate() {
        list.extend_from_slice(separator(position));
        list.extend_from_slice(item);
    }
    list.push(b']');
    list
}

/// Separates list items, each on its own line.
pub fn separator(position: usize) -> &'static [u8] {
    match position {
        0 => b"\n",
        _ => b",\n",
    }
}
