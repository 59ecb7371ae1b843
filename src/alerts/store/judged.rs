//! What the judging of conversations and assistants remembers.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::alerts::unconfirmed::Confirming;
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table};

/// Sessions with messages that have not been judged, by session and child.
const PENDING: Table = Table::new("alert-pending");
/// By child and assistant.
const ASSISTANT: Table = Table::new("alert-assistant");
/// When the server ran.
const RUNNING: Table = Table::new("alert-running");

pub(super) const KINDS: [RecordKind; 3] = [
    RecordKind::of::<PendingJudgement>(PENDING),
    RecordKind::of::<AssistantState>(ASSISTANT),
    RecordKind::of::<Running>(RUNNING),
];

pub(super) const KEY: KeyPlace = KeyPlace::first(PENDING);

/// A session that is to be judged once it is over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::alerts) struct PendingJudgement {
    pub assistant: AssistantId,
    /// The child that the assistant named. Its receipts are stored there.
    pub named: ChildId,
}

/// What was judged about an assistant of a child.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::alerts) struct AssistantState {
    #[serde(default)]
    pub confirming: Confirming,
    /// The last sign of life before the silence of the last alert.
    pub silent_since: Option<Timestamp>,
}

/// When the server ran.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::alerts) struct Running {
    pub seen_at: Timestamp,
    /// When it last ran again after it had not run for a while.
    pub resumed_at: Option<Timestamp>,
}

impl Record for PendingJudgement {}
impl Record for AssistantState {}
impl Record for Running {}

fn pending_of(session: SessionId) -> Key {
    PENDING.key().number(session.number())
}

fn pending_key(child: ChildId, session: SessionId) -> Key {
    pending_of(session).number(child.number())
}

fn assistants_of(child: ChildId) -> Key {
    ASSISTANT.key().number(child.number())
}

fn assistant_key(child: ChildId, assistant: &AssistantId) -> Key {
    assistants_of(child).text(assistant.as_str())
}

pub(in crate::alerts) fn record_pending(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    pending: &PendingJudgement,
) -> Result<(), StoreError> {
    let key = pending_key(child, session);
    if change.contains(&key)? {
        return Ok(());
    }
    change.put(&key, pending)
}

/// The keys of all sessions, or of one.
fn pending_keys(
    view: &impl Read,
    below: &Key,
) -> Result<Vec<(Key, ChildId, SessionId)>, StoreError> {
    let all = PENDING.key();
    let keys = view.keys_below(below, usize::MAX)?.into_iter();
    let keys = keys.filter_map(|key| {
        let mut components = key.components_below(&all);
        let (session, child) = (components.number()?, components.number()?);
        Some((key, ChildId::new(child), SessionId::new(session)))
    });
    Ok(keys.collect())
}

/// The readable ones.
pub(in crate::alerts) fn all_pending(
    view: &impl Read,
) -> Result<Vec<(ChildId, SessionId, PendingJudgement)>, StoreError> {
    let mut all = Vec::new();
    for (key, child, session) in pending_keys(view, &PENDING.key())? {
        let pending = view.get_readable::<PendingJudgement>(&key)?;
        all.extend(pending.map(|pending| (child, session, pending)));
    }
    Ok(all)
}

pub(in crate::alerts) fn remove_pending(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<(), StoreError> {
    change.remove(&pending_key(child, session)).map(drop)
}

/// Keeps a pending session with its child.
pub(super) fn move_pending(
    change: &mut Change,
    to: ChildId,
    session: SessionId,
) -> Result<(), StoreError> {
    for (key, child, _) in pending_keys(change, &pending_of(session))? {
        if child != to {
            let row = change.get_readable::<PendingJudgement>(&key)?;
            change.remove(&key)?;
            if let Some(row) = row {
                change.put(&pending_key(to, session), &row)?;
            }
        }
    }
    Ok(())
}

pub(super) fn erase_pending(change: &mut Change, session: SessionId) -> Result<(), StoreError> {
    change.remove_some_below(&pending_of(session)).map(drop)
}

/// If it is unreadable, judging begins anew.
pub(in crate::alerts) fn assistant_state(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<AssistantState, StoreError> {
    let found = view.get_readable(&assistant_key(child, assistant))?;
    Ok(found.unwrap_or_default())
}

pub(in crate::alerts) fn put_assistant_state(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    state: &AssistantState,
) -> Result<(), StoreError> {
    change.put(&assistant_key(child, assistant), state)
}

pub(in crate::alerts) fn running(view: &impl Read) -> Result<Option<Running>, StoreError> {
    view.get_readable(&RUNNING.key())
}

pub(in crate::alerts) fn put_running(
    change: &mut Change,
    running: &Running,
) -> Result<(), StoreError> {
    change.put(&RUNNING.key(), running)
}

/// Removes some of what is stored about a child; returns whether there was any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let mut removed = change.remove_some_below(&assistants_of(child))?;
    // Few sessions are pending at any time.
    for (key, of, _) in pending_keys(change, &PENDING.key())? {
        if of == child {
            change.remove(&key)?;
            removed += 1;
        }
    }
    Ok(removed > 0)
}
