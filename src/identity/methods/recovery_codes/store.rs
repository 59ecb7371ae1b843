//! Recovery codes, indexed by hash and by guardian.

use crate::identity::GuardianId;
use crate::identity::sessions::sign_ins::{self, CodesMade};
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, RecordKind, StoreError, Table};

const RECOVERY_CODE: Table = Table::new("recovery-code");
const RECOVERY_CODE_OF: Table = Table::new("recovery-code-of");

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<GuardianId>(RECOVERY_CODE),
    RecordKind::of::<SecretHash>(RECOVERY_CODE_OF),
];

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 2] = [RECOVERY_CODE, RECOVERY_CODE_OF];

fn code_key(hash: SecretHash) -> Key {
    RECOVERY_CODE.key().fixed(hash.as_bytes())
}

fn codes_of(guardian: &GuardianId) -> Key {
    RECOVERY_CODE_OF.key().text(guardian.as_str())
}

pub fn put_all(
    change: &mut Change,
    guardian: &GuardianId,
    hashes: impl Iterator<Item = SecretHash>,
    made: &CodesMade,
) -> Result<(), StoreError> {
    for hash in hashes {
        change.put(&code_key(hash), guardian)?;
        change.put(&codes_of(guardian).fixed(hash.as_bytes()), &hash)?;
    }
    sign_ins::put_codes_made(change, guardian, made)
}

pub fn owner(view: &impl Read, hash: SecretHash) -> Result<Option<GuardianId>, StoreError> {
    view.get(&code_key(hash))
}

pub fn remove(
    change: &mut Change,
    guardian: &GuardianId,
    hash: SecretHash,
) -> Result<(), StoreError> {
    change.remove(&code_key(hash))?;
    change.remove(&codes_of(guardian).fixed(hash.as_bytes()))?;
    Ok(())
}

pub fn count(view: &impl Read, guardian: &GuardianId) -> Result<usize, StoreError> {
    Ok(view.keys_below(&codes_of(guardian), usize::MAX)?.len())
}

/// Removes all codes of a guardian. The hashes come from the keys, so unreadable records are removed too.
pub fn remove_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    let all = codes_of(guardian);
    for key in change.keys_below(&all, usize::MAX)? {
        if let Some(hash) = key
            .components_below(&all)
            .fixed()
            .map(SecretHash::from_bytes)
        {
            change.remove(&code_key(hash))?;
        }
        change.remove(&key)?;
    }
    sign_ins::remove_codes_made(change, guardian)
}
