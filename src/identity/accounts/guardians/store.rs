//! Guardians, indexed by id and by e-mail address.

use super::Guardian;
use crate::identity::GuardianId;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Key, Read, ReadError, Record, RecordKind, StoreError, Table};

const GUARDIAN: Table = Table::new("guardian");
const GUARDIAN_BY_EMAIL: Table = Table::new("guardian-by-email");

/// Written whenever a guardian is added, changed or removed.
pub const RECORDS: Table = GUARDIAN;

impl Record for Guardian {}
impl Record for GuardianId {}

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<Guardian>(GUARDIAN),
    RecordKind::of::<GuardianId>(GUARDIAN_BY_EMAIL),
];

fn guardian_key(id: &GuardianId) -> Key {
    GUARDIAN.key().text(id.as_str())
}

fn email_key(email: &EmailAddress) -> Key {
    GUARDIAN_BY_EMAIL.key().text(&email.key())
}

pub fn guardian(view: &impl Read, id: &GuardianId) -> Result<Option<Guardian>, StoreError> {
    view.get(&guardian_key(id))
}

/// The guardians in these keys of [`RECORDS`].
pub fn guardians_in(keys: &[Key]) -> Vec<GuardianId> {
    let all = GUARDIAN.key();
    let ids = keys
        .iter()
        .filter_map(|key| key.components_below(&all).text());
    ids.map(|id| GuardianId::from_text(&id)).collect()
}

/// `None` also if the record cannot be read.
pub fn find_readable(view: &impl Read, id: &GuardianId) -> Result<Option<Guardian>, StoreError> {
    view.get_readable(&guardian_key(id))
}

pub fn by_email(view: &impl Read, email: &EmailAddress) -> Result<Option<Guardian>, StoreError> {
    match view.get::<GuardianId>(&email_key(email))? {
        Some(id) => guardian(view, &id),
        None => Ok(None),
    }
}

pub fn has_email(view: &impl Read, email: &EmailAddress) -> Result<bool, StoreError> {
    view.contains(&email_key(email))
}

/// Includes unreadable guardians.
pub fn ids(view: &impl Read) -> Result<Vec<GuardianId>, StoreError> {
    let ids = view.texts_below(&GUARDIAN.key())?;
    Ok(ids.iter().map(|id| GuardianId::from_text(id)).collect())
}

/// Returns all guardians and the number of unreadable ones.
pub fn all(view: &impl Read) -> Result<(Vec<Guardian>, u64), StoreError> {
    view.list_readable(&GUARDIAN.key())
}

/// The id of the guardian with this address, even if one of record and index entry is unreadable.
pub fn id_of(view: &impl Read, email: &EmailAddress) -> Result<Option<GuardianId>, StoreError> {
    let entry = view.get(&email_key(email));
    if !matches!(&entry, Err(error) if error.damage().is_some()) {
        return entry;
    }
    let all = GUARDIAN.key();
    let keys = view.keys_of(&all, |guardian: &Guardian| guardian.email == *email)?;
    let id = keys
        .first()
        .and_then(|key| key.components_below(&all).text());
    // If the owner is unknown, the address isn't free.
    id.map_or(entry, |id| Ok(Some(GuardianId::from_text(&id))))
}

/// The guardians who have this address unverified.
pub fn labelled(view: &impl Read, email: &EmailAddress) -> Result<Vec<GuardianId>, StoreError> {
    let (mut guardians, _) = all(view)?;
    guardians.retain(|guardian| !guardian.verified && guardian.email.key() == email.key());
    Ok(guardians.into_iter().map(|guardian| guardian.id).collect())
}

/// Also `true` if the record cannot be read.
pub fn contains(view: &impl Read, id: &GuardianId) -> Result<bool, StoreError> {
    view.contains(&guardian_key(id))
}

/// The verified address of a guardian whose own record cannot be read.
pub fn email_of(view: &impl Read, id: &GuardianId) -> Result<Option<EmailAddress>, StoreError> {
    let all = GUARDIAN_BY_EMAIL.key();
    let keys = view.keys_of(&all, |owner: &GuardianId| owner == id)?;
    let emails = keys
        .iter()
        .filter_map(|key| key.components_below(&all).text()?.parse().ok());
    Ok(emails.into_iter().next())
}

pub fn are_there(view: &impl Read) -> Result<bool, StoreError> {
    Ok(!view.keys_below(&GUARDIAN.key(), 1)?.is_empty())
}

pub fn put(change: &mut Change, guardian: &Guardian) -> Result<(), StoreError> {
    change.put(&guardian_key(&guardian.id), guardian)?;
    if guardian.verified {
        change.put(&email_key(&guardian.email), &guardian.id)
    } else {
        Ok(())
    }
}

pub fn remove_email(change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
    change.remove(&email_key(email))?;
    Ok(())
}

pub fn remove(
    change: &mut Change,
    id: &GuardianId,
    email: &EmailAddress,
) -> Result<(), StoreError> {
    let owner = change.get_readable::<GuardianId>(&email_key(email))?;
    // Otherwise the removed guardian had not verified the address, and another guardian has.
    if owner.is_none_or(|owner| owner == *id) {
        remove_email(change, email)?;
    }
    change.remove(&guardian_key(id))?;
    Ok(())
}
