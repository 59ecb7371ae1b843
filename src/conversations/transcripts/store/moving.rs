//! Hiding a session, moving it to another child, and removing it.

use super::names::NAME;
use super::{
    State, hidden, messages, names, naming, open, put_session, row_of, state, state_key, talk,
};
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::session::{Detached, Session};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Read, StoreError, readable};

/// Shows the session again if `at` is `None`.
pub(in crate::conversations::transcripts) fn set_hidden(
    change: &mut Change,
    state: &mut State,
    session: &Session,
    at: Option<Timestamp>,
) -> Result<(), StoreError> {
    change.remove(&row_of(state, session.session_id))?;
    state.hidden_at = at;
    put_session(change, state, session)
}

/// Moves a session to another child. Its name [stays](naming) under the child it was opened for.
pub(in crate::conversations::transcripts) fn give_to(
    change: &mut Change,
    state: &mut State,
    session: &mut Session,
    child: ChildId,
) -> Result<(), StoreError> {
    change.remove(&row_of(state, session.session_id))?;
    talk::remove(change, state, session.session_id)?;
    naming::forget_move(change, state, session.session_id)?;
    state.named_under.get_or_insert(state.child);
    state.child = child;
    session.child_id = child;
    // The mark refers to the previous child.
    session.not_child = false;
    naming::record_move(change, state, session.session_id)?;
    put_session(change, state, session)
}

/// Removes everything of a hidden session except its messages, which are then unreachable.
pub(in crate::conversations::transcripts) fn detach(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<Detached, StoreError> {
    let row = change.get_readable::<Session>(&hidden::row_key(child, session))?;
    let (opened_for, name, former_name) = match readable(state(change, session))? {
        Some(Some(state)) => (state.opened_for(), state.name_key(), state.former_name),
        Some(None) => (child, None, None),
        // Erase it all the same; search for its name.
        None => {
            let name = change.keys_of::<SessionId>(&NAME.key(), |named| *named == session)?;
            (child, name.into_iter().next(), None)
        }
    };
    let mut detached = Detached {
        opened_for,
        known_as: None,
        formerly_known_as: former_name,
        last_said_at: row.and_then(|row| row.last_message_time),
    };
    if let Some(name) = name
        && names::remove(change, &name, session)?
    {
        let names = NAME.key();
        let mut components = name.components_below(&names);
        if let Some(child) = components.number() {
            detached.opened_for = ChildId::new(child);
        }
        let assistant = components.text().map(|id| AssistantId::from_text(&id));
        detached.known_as = assistant.zip(components.text());
    }
    for child in [child, detached.opened_for] {
        change.remove(&names::moved_key(child, session))?;
    }
    change.remove(&hidden::row_key(child, session))?;
    change.remove(&open::key_of(session))?;
    change.remove(&state_key(session))?;
    Ok(detached)
}

/// Removes a batch of a session's messages. Returns whether there were any.
pub(in crate::conversations::transcripts) fn erase_messages(
    change: &mut Change,
    session: SessionId,
) -> Result<bool, StoreError> {
    messages::erase_batch(change, session)
}
