//! Sign-ins, indexed by the hash of their cookie and by guardian.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::sign_in::SignIn;
use crate::identity::{GuardianId, SignInId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{
    Change, Key, Read, Record, RecordKind, StoreError, Table, Written, readable_or_counted,
};

const SIGN_IN: Table = Table::new("sign-in");
const SIGN_IN_OF: Table = Table::new("sign-in-of");
const RECOVERY_CODES_MADE: Table = Table::new("recovery-codes-made");

impl Record for SignIn {}

/// When a guardian's recovery codes were made, and through which sign-in: their other devices show it.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CodesMade {
    pub at: Timestamp,
    pub by: Option<SignInId>,
}

impl Record for CodesMade {}

pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<SignIn>(SIGN_IN),
    RecordKind::of::<SecretHash>(SIGN_IN_OF),
    RecordKind::of::<CodesMade>(RECOVERY_CODES_MADE),
];

/// Written when a sign-in begins, changes or ends.
pub const RECORDS: Table = SIGN_IN_OF;

/// The sign-ins of these keys that have ended.
pub fn ended_in(view: &impl Read, keys: &[Key]) -> Result<Vec<(GuardianId, SignInId)>, StoreError> {
    let mut ended = Vec::new();
    for key in keys {
        let mut parts = key.components_below(&SIGN_IN_OF.key());
        if let (Some(guardian), Some(sign_in)) = (parts.text(), parts.text())
            && !view.contains(key)?
        {
            ended.push((
                GuardianId::from_text(&guardian),
                SignInId::from_text(&sign_in),
            ));
        }
    }
    Ok(ended)
}

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 3] = [SIGN_IN, SIGN_IN_OF, RECOVERY_CODES_MADE];

pub fn is_in(written: &Written) -> bool {
    written.touches(&SIGN_IN.key())
}

fn sign_in_key(hash: SecretHash) -> Key {
    SIGN_IN.key().fixed(hash.as_bytes())
}

fn sign_ins_of(guardian: &GuardianId) -> Key {
    SIGN_IN_OF.key().text(guardian.as_str())
}

fn sign_in_of(guardian: &GuardianId, id: &SignInId) -> Key {
    sign_ins_of(guardian).text(id.as_str())
}

fn codes_made_key(guardian: &GuardianId) -> Key {
    RECOVERY_CODES_MADE.key().text(guardian.as_str())
}

/// `None` without a record of recovery codes.
pub fn codes_made(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Option<CodesMade>, StoreError> {
    view.get(&codes_made_key(guardian))
}

pub fn put_codes_made(
    change: &mut Change,
    guardian: &GuardianId,
    made: &CodesMade,
) -> Result<(), StoreError> {
    change.put(&codes_made_key(guardian), made)
}

pub fn remove_codes_made(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    change.remove(&codes_made_key(guardian))?;
    Ok(())
}

pub fn sign_in(view: &impl Read, hash: SecretHash) -> Result<Option<SignIn>, StoreError> {
    view.get(&sign_in_key(hash))
}

/// The sign-in that an identity token names.
pub fn by_id(
    view: &impl Read,
    guardian: &GuardianId,
    id: &SignInId,
) -> Result<Option<SignIn>, StoreError> {
    Ok(cookie_of(view, guardian, id)?.map(|(_, sign_in)| sign_in))
}

/// The sign-in with this id, and the hash of its cookie.
pub fn cookie_of(
    view: &impl Read,
    guardian: &GuardianId,
    id: &SignInId,
) -> Result<Option<(SecretHash, SignIn)>, StoreError> {
    match view.get::<SecretHash>(&sign_in_of(guardian, id))? {
        Some(hash) => Ok(sign_in(view, hash)?.map(|sign_in| (hash, sign_in))),
        None => Ok(None),
    }
}

/// A guardian's readable sign-ins.
#[derive(Default)]
pub struct FoundSignIns {
    pub readable: Vec<(SecretHash, SignIn)>,
    /// The number of unreadable ones. They grant no access, and don't invalidate the others.
    pub unreadable: u64,
}

pub fn of(view: &impl Read, guardian: &GuardianId) -> Result<FoundSignIns, StoreError> {
    let mut found = FoundSignIns::default();
    for key in view.keys_below(&sign_ins_of(guardian), usize::MAX)? {
        let read = || -> Result<_, StoreError> {
            let Some(hash) = view.get(&key)? else {
                return Ok(None);
            };
            Ok(sign_in(view, hash)?.map(|sign_in| (hash, sign_in)))
        };
        let sign_in = readable_or_counted(read(), &mut found.unreadable)?;
        found.readable.extend(sign_in.flatten());
    }
    Ok(found)
}

pub fn put(change: &mut Change, hash: SecretHash, sign_in: &SignIn) -> Result<(), StoreError> {
    change.put(&sign_in_key(hash), sign_in)?;
    change.put(&sign_in_of(&sign_in.guardian, &sign_in.id), &hash)
}

pub fn remove(change: &mut Change, hash: SecretHash, sign_in: &SignIn) -> Result<(), StoreError> {
    change.remove(&sign_in_key(hash))?;
    change.remove(&sign_in_of(&sign_in.guardian, &sign_in.id))?;
    change.drop_stale_answers();
    Ok(())
}

pub fn end_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for key in change.keys_below(&sign_ins_of(guardian), usize::MAX)? {
        end_by_key(change, &key, |sign_in| sign_in.guardian == *guardian)?;
    }
    Ok(())
}

/// Ends the guardian's sign-in with this id. Returns whether there was one.
pub fn end(change: &mut Change, guardian: &GuardianId, id: &SignInId) -> Result<bool, StoreError> {
    let key = sign_in_of(guardian, id);
    let is_there = change.contains(&key)?;
    if is_there {
        end_by_key(change, &key, |sign_in| {
            sign_in.guardian == *guardian && sign_in.id == *id
        })?;
    }
    Ok(is_there)
}

/// Ends the sign-in that this entry of the index [`SIGN_IN_OF`] points to, and removes the entry. If it is unreadable, ends all
/// sign-ins for which `is_meant` is true.
fn end_by_key(
    change: &mut Change,
    key: &Key,
    is_meant: impl Fn(&SignIn) -> bool,
) -> Result<(), StoreError> {
    let sign_ins = match change.get_readable::<SecretHash>(key)? {
        Some(hash) => vec![sign_in_key(hash)],
        None => change.keys_of(&SIGN_IN.key(), is_meant)?,
    };
    for sign_in in sign_ins {
        change.remove(&sign_in)?;
    }
    change.remove(key)?;
    change.drop_stale_answers();
    Ok(())
}
