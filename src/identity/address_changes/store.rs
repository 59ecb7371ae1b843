//! Pending address changes, at most one for each guardian, indexed by guardian and by the e-mails' tokens.

use super::AddressChange;
use crate::identity::GuardianId;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const ADDRESS_CHANGE: Table = Table::new("address-change");
const ADDRESS_CHANGE_BY_TOKEN: Table = Table::new("address-change-by-token");

impl Record for AddressChange {}

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<AddressChange>(ADDRESS_CHANGE),
    RecordKind::of::<GuardianId>(ADDRESS_CHANGE_BY_TOKEN),
];

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 2] = [ADDRESS_CHANGE, ADDRESS_CHANGE_BY_TOKEN];

fn key(guardian: &GuardianId) -> Key {
    ADDRESS_CHANGE.key().text(guardian.as_str())
}

fn token_key(token: SecretHash) -> Key {
    ADDRESS_CHANGE_BY_TOKEN.key().fixed(token.as_bytes())
}

pub fn of(view: &impl Read, guardian: &GuardianId) -> Result<Option<AddressChange>, StoreError> {
    view.get(&key(guardian))
}

pub fn by_token(view: &impl Read, token: SecretHash) -> Result<Option<AddressChange>, StoreError> {
    let Some(guardian) = view.get::<GuardianId>(&token_key(token))? else {
        return Ok(None);
    };
    let found = of(view, &guardian)?;
    Ok(found.filter(|asked| asked.answer == token || asked.stop == token))
}

/// The guardians with a pending change, including unreadable ones.
pub fn all(view: &impl Read) -> Result<Vec<GuardianId>, StoreError> {
    let ids = view.texts_below(&ADDRESS_CHANGE.key())?;
    Ok(ids.iter().map(|id| GuardianId::from_text(id)).collect())
}

pub fn put(change: &mut Change, asked: &AddressChange) -> Result<(), StoreError> {
    change.put(&key(&asked.guardian), asked)?;
    change.put(&token_key(asked.answer), &asked.guardian)?;
    change.put(&token_key(asked.stop), &asked.guardian)
}

/// Removes a guardian's change, even if it is unreadable.
pub fn remove(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    if !change.contains(&key(guardian))? {
        return Ok(());
    }
    let all = ADDRESS_CHANGE_BY_TOKEN.key();
    for token in change.keys_of(&all, |owner: &GuardianId| owner == guardian)? {
        change.remove(&token)?;
    }
    change.remove(&key(guardian))?;
    Ok(())
}
