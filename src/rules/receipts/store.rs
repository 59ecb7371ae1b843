//! Receipts by child and session, the versions that they name, and each assistant's standing.

use super::{SessionReceipt, Standing};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const RECEIPT: Table = Table::new("rules-receipt");
/// Which sessions name a version, by child and the version's number.
const NAMED: Table = Table::new("rules-named");
const STANDING: Table = Table::new("rules-standing");

/// How many receipts one change of an erasure removes.
const ERASED_AT_ONCE: usize = 1_000;

impl Record for SessionReceipt {}
impl Record for Standing {}

/// What each table holds.
pub(super) const KINDS: [RecordKind; 3] = [
    RecordKind::of::<SessionReceipt>(RECEIPT),
    RecordKind::of::<SessionId>(NAMED),
    RecordKind::of::<Standing>(STANDING),
];

fn receipts_of(child: ChildId) -> Key {
    RECEIPT.key().number(child.number())
}

fn session_key(child: ChildId, session: SessionId) -> Key {
    receipts_of(child).number(session.number())
}

fn named_of(child: ChildId) -> Key {
    NAMED.key().number(child.number())
}

fn standing_of(child: ChildId) -> Key {
    STANDING.key().number(child.number())
}

/// Keeps a receipt. The same one again is the same row.
pub fn put_receipt(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    receipt: &SessionReceipt,
) -> Result<(), StoreError> {
    let key = session_key(child, session)
        .signed(receipt.at.micros())
        .number(receipt.number)
        .fixed(&[receipt.evidence as u8, receipt.refused.is_some().into()]);
    change.put_counted(&key, receipt)?;
    let named = named_of(child)
        .number(receipt.number)
        .number(session.number());
    change.put(&named, &session)
}

/// A session's receipts by time, and how many others cannot be read.
pub(super) fn receipts(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<(Vec<SessionReceipt>, u64), StoreError> {
    view.list_readable(&session_key(child, session))
}

/// When the session said the same before, so that a receipt without a time can be delivered again.
pub(super) fn said_at(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
    receipt: &SessionReceipt,
) -> Result<Option<Timestamp>, StoreError> {
    let (said, _) = receipts(view, child, session)?;
    let same = |said: &&SessionReceipt| {
        let at = said.at;
        **said
            == SessionReceipt {
                at,
                ..receipt.clone()
            }
    };
    Ok(said.iter().rev().find(same).map(|said| said.at))
}

/// Whether a session names this version of the child's rules.
pub fn is_named(view: &impl Read, child: ChildId, number: u64) -> Result<bool, StoreError> {
    let sessions = named_of(child).number(number);
    Ok(!view.keys_below(&sessions, 1)?.is_empty())
}

/// Removes a part of what was said of the rules in a session; whether there was anything.
pub fn erase_of_session(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    change.drop_stale_answers();
    let receipts = session_key(child, session);
    // By their keys: nothing that is erased has to be readable.
    let keys = change.keys_below(&receipts, ERASED_AT_ONCE)?;
    for key in &keys {
        let mut components = key.components_below(&receipts);
        if let Some(number) = components.signed().and_then(|_| components.number()) {
            let named = named_of(child).number(number);
            change.remove(&named.number(session.number()))?;
        }
        change.remove(key)?;
    }
    Ok(!keys.is_empty())
}

/// What is known of this assistant.
pub fn standing(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<Standing, StoreError> {
    let found = view.get(&standing_of(child).text(assistant.as_str()))?;
    Ok(found.unwrap_or_default())
}

pub fn put_standing(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    standing: &Standing,
) -> Result<(), StoreError> {
    let key = standing_of(child).text(assistant.as_str());
    change.put(&key, standing)
}

/// Removes a part of the child's receipts; whether there were any.
pub fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    for below in [receipts_of(child), named_of(child), standing_of(child)] {
        if change.remove_some_below(&below)? > 0 {
            return Ok(true);
        }
    }
    Ok(false)
}
