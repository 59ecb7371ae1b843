//! Step-up codes, at most one for each sign-in.

use super::code::StepUpCode;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const STEP_UP_CODE: Table = Table::new("step-up-code");

impl Record for StepUpCode {}

pub const KINDS: [RecordKind; 1] = [RecordKind::of::<StepUpCode>(STEP_UP_CODE)];

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 1] = [STEP_UP_CODE];

fn codes_of(guardian: &GuardianId) -> Key {
    STEP_UP_CODE.key().text(guardian.as_str())
}

fn code_key(signed_in: &SignedIn) -> Key {
    codes_of(signed_in.guardian()).text(signed_in.sign_in().as_str())
}

pub fn code(view: &impl Read, signed_in: &SignedIn) -> Result<Option<StepUpCode>, StoreError> {
    view.get(&code_key(signed_in))
}

pub fn put(change: &mut Change, signed_in: &SignedIn, code: &StepUpCode) -> Result<(), StoreError> {
    change.put(&code_key(signed_in), code)
}

pub fn remove(change: &mut Change, signed_in: &SignedIn) -> Result<(), StoreError> {
    change.remove(&code_key(signed_in))?;
    Ok(())
}

/// Removes the guardian's codes that no longer work, in all browsers.
pub fn forget_old(
    change: &mut Change,
    guardian: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    for key in change.keys_below(&codes_of(guardian), usize::MAX)? {
        let code = change.get_readable::<StepUpCode>(&key)?;
        if code.is_none_or(|code| code.has_ended(now)) {
            change.remove(&key)?;
        }
    }
    Ok(())
}

pub fn remove_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for key in change.keys_below(&codes_of(guardian), usize::MAX)? {
        change.remove(&key)?;
    }
    Ok(())
}
