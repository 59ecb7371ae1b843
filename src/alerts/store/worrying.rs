//! The concerns that a guardian finds not worrying for a child, by child and guardian.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Alert, Key, alerts_of};
use crate::alerts::concern::Concern;
use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::store::{Change, Read, Record, RecordKind, StoreError, Table};

const NOT_WORRYING: Table = Table::new("alert-not-worrying");

pub(super) const KIND: RecordKind = RecordKind::of::<NotWorrying>(NOT_WORRYING);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::alerts) struct NotWorrying(pub BTreeSet<Concern>);

impl Record for NotWorrying {}

pub(super) fn not_worrying_of(child: ChildId) -> Key {
    NOT_WORRYING.key().number(child.number())
}

pub(super) fn not_worrying_key(child: ChildId, guardian: &GuardianId) -> Key {
    not_worrying_of(child).text(guardian.as_str())
}

impl NotWorrying {
    /// Without grave concerns, which could be chosen once.
    fn without_grave(mut self) -> Self {
        self.0.retain(|concern| !concern.is_grave());
        self
    }
}

/// Fails if the record is unreadable.
pub(in crate::alerts) fn get_not_worrying(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<NotWorrying, StoreError> {
    let found = view.get::<NotWorrying>(&not_worrying_key(child, guardian))?;
    Ok(found.unwrap_or_default().without_grave())
}

/// If the record is unreadable, everything is worrying.
pub(in crate::alerts) fn not_worrying(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<NotWorrying, StoreError> {
    let found = view.get_readable::<NotWorrying>(&not_worrying_key(child, guardian))?;
    Ok(found.unwrap_or_default().without_grave())
}

pub(in crate::alerts) fn put_not_worrying(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
    concerns: &NotWorrying,
) -> Result<(), StoreError> {
    let key = not_worrying_key(child, guardian);
    if concerns.0.is_empty() {
        change.remove(&key)?;
        return Ok(());
    }
    change.put(&key, concerns)
}

/// The alert of this number that the guardian sees.
pub(in crate::alerts) fn alert_numbered(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
    id: u64,
) -> Result<Option<(Key, Alert)>, StoreError> {
    for whose in [None, Some(guardian.clone())] {
        let below = alerts_of(child, &whose).descending_number(id);
        if let Some(key) = view.keys_below(&below, 1)?.pop()
            && let Some(alert) = view.get::<Alert>(&key)?
        {
            return Ok(Some((key, alert)));
        }
    }
    Ok(None)
}
