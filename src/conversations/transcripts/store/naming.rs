//! Resolves an assistant's name for a session.
//!
//! A moved session keeps its name under the child it was opened for, as long as both children have exactly the same guardians.
//! Once they differ, or once the assistant can no longer talk with the session's child, the session loses its name permanently.

use super::names::{self, moved_key, moved_of, name_key};
use super::{State, state, state_key};
use crate::children::{self, AssistantAccess, ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::delivery::SessionName;
use crate::kernel::store::{Change, Read, StoreError, Trigger, readable};

/// A session that an assistant may write to by name.
pub struct Found {
    pub session: SessionId,
    pub state: State,
    /// The child that has the session now.
    pub owner: ChildAccess,
}

/// Resolves a name. This is the only way from a name to a session: a session that was moved out of the key's reach loses its
/// name here.
pub fn find(
    change: &mut Change,
    access: &AssistantAccess,
    name: &SessionName,
) -> Result<Option<Found>, StoreError> {
    let child = access.child().child();
    let Some(session) = change.get(&name_key(child, access.assistant(), name.as_str()))? else {
        return Ok(None);
    };
    let Some(mut state) = state(change, session)? else {
        return Ok(None);
    };
    if let Some(owner) = access.follow_to(change, state.child)? {
        return Ok(Some(Found {
            session,
            state,
            owner,
        }));
    }
    release(change, &mut state, session)?;
    Ok(None)
}

pub fn put(
    change: &mut Change,
    access: &AssistantAccess,
    name: &SessionName,
    session: SessionId,
) -> Result<(), StoreError> {
    let child = access.child().child();
    change.put(
        &name_key(child, access.assistant(), name.as_str()),
        &session,
    )
}

/// Removes a session's name permanently.
fn release(change: &mut Change, state: &mut State, session: SessionId) -> Result<(), StoreError> {
    if let Some(name) = state.name_key() {
        names::remove(change, &name, session)?;
    }
    forget_move(change, state, session)?;
    state.former_name = state.name.take();
    change.put(&state_key(session), state)
}

/// Records where a named session was moved to.
pub fn record_move(
    change: &mut Change,
    state: &State,
    session: SessionId,
) -> Result<(), StoreError> {
    if state.name.is_some() && state.opened_for() != state.child {
        for child in [state.opened_for(), state.child] {
            change.put(&moved_key(child, session), &session)?;
        }
    }
    Ok(())
}

/// Removes the record of a move.
pub fn forget_move(
    change: &mut Change,
    state: &State,
    session: SessionId,
) -> Result<(), StoreError> {
    for child in [state.opened_for(), state.child] {
        change.remove(&moved_key(child, session))?;
    }
    Ok(())
}

pub const TRIGGERS: [Trigger; 2] = [
    // When a child's guardians change, sessions moved to or from it lose their names, unless the other child still has the same
    // guardians.
    Trigger {
        table: children::GUARDIANS,
        run: |change, keys| {
            let mut changed = children::links_in(children::GUARDIANS, keys);
            changed.dedup_by_key(|(child, _)| *child);
            for (child, _) in changed {
                for (session, state) in moved(change, child)? {
                    release_out_of_reach(change, state, session)?;
                }
            }
            Ok(())
        },
    },
    // When an assistant loses a child, sessions moved to that child lose that assistant's names.
    Trigger {
        table: children::ASSISTANTS,
        run: |change, keys| {
            for (child, assistant) in children::former_assistants_in(change, keys)? {
                for (session, mut state) in moved(change, child)? {
                    let name = state.name.as_ref();
                    if state.child == child && name.is_some_and(|(by, _)| *by == assistant) {
                        release(change, &mut state, session)?;
                    }
                }
            }
            Ok(())
        },
    },
];

/// The sessions moved to or from this child. Skips unreadable ones: no delivery can reach them.
fn moved(change: &Change, child: ChildId) -> Result<Vec<(SessionId, State)>, StoreError> {
    let mut moved = Vec::new();
    for session in change.list_readable::<SessionId>(&moved_of(child))?.0 {
        let state = readable(state(change, session))?.flatten();
        moved.extend(state.map(|state| (session, state)));
    }
    Ok(moved)
}

fn release_out_of_reach(
    change: &mut Change,
    mut state: State,
    session: SessionId,
) -> Result<(), StoreError> {
    let (opened_for, child) = (state.opened_for(), state.child);
    if opened_for == child {
        return Ok(());
    }
    match readable(children::have_same_guardians(change, opened_for, child))? {
        Some(true) => Ok(()),
        Some(false) | None => release(change, &mut state, session),
    }
}
