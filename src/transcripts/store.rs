//! Sessions by child, newest first; messages by session, in the order they were said.

use serde::{Deserialize, Serialize};

use super::delivery::{Message, MessageDelivery, Place, SessionName};
use super::{Session, TranscriptsError};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{
    Change, Cursor, Key, Page, Read, Record, RecordKind, StoreError, Table,
};

const SESSION: Table = Table::new("session");
const STATE: Table = Table::new("session-state");
const BY_NAME: Table = Table::new("session-by-name");
const MESSAGE: Table = Table::new("message");
const PLACE: Table = Table::new("message-place");

impl Record for Session {}
impl Record for SessionId {}
impl Record for Message {}
impl Record for Place {}

/// The stored state of a session that no page shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub child: ChildId,
    /// When it was first heard of: its place in the list while nobody says when it began.
    pub first_seen: Timestamp,
    /// Its place in the list.
    pub placed_at: Timestamp,
    /// How many messages arrived.
    pub arrived: u64,
    /// When the assistant says that it ended.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// Under which name it is known, and to whom.
    #[serde(default)]
    pub name: Option<(AssistantId, String)>,
}

impl Record for State {}

/// What each table holds.
pub(super) const KINDS: [RecordKind; 5] = [
    RecordKind::of::<Session>(SESSION),
    RecordKind::of::<State>(STATE),
    RecordKind::of::<SessionId>(BY_NAME),
    RecordKind::of::<Message>(MESSAGE),
    RecordKind::of::<Place>(PLACE),
];

impl State {
    pub fn new(session: &Session, first_seen: Timestamp) -> Self {
        let placed_at = session.start_time.unwrap_or(first_seen);
        Self {
            child: session.child_id,
            first_seen,
            placed_at,
            arrived: 0,
            ended_at: None,
            name: None,
        }
    }

    /// Moves the session to where it belongs.
    pub fn place(&mut self, session: &Session) {
        self.placed_at = session.start_time.unwrap_or(self.first_seen);
    }
}

pub(super) fn next_id(change: &mut Change) -> Result<SessionId, StoreError> {
    Ok(SessionId::new(change.next_number("session")?))
}

fn sessions_of(child: ChildId) -> Key {
    SESSION.key().number(child.number())
}

fn row_key(child: ChildId, placed_at: Timestamp, session: SessionId) -> Key {
    // The numbers count up, so that of two sessions at one moment the later one comes first.
    sessions_of(child)
        .descending(placed_at.micros())
        .descending_number(session.number())
}

fn state_key(session: SessionId) -> Key {
    STATE.key().number(session.number())
}

pub(super) fn sessions(
    view: &impl Read,
    child: ChildId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Session>(&sessions_of(child), before, limit)
}

pub(super) fn state(view: &impl Read, session: SessionId) -> Result<Option<State>, StoreError> {
    view.get(&state_key(session))
}

pub(super) fn get_session(
    view: &impl Read,
    session: SessionId,
) -> Result<(State, Session), TranscriptsError> {
    let state = state(view, session)?.ok_or(TranscriptsError::NoSuchSession)?;
    let row = view.get(&row_key(state.child, state.placed_at, session))?;
    Ok((state, row.ok_or(TranscriptsError::NoSuchSession)?))
}

/// [`put_session`], counted if something of it is new.
pub(super) fn put_counted_session(
    change: &mut Change,
    state: &State,
    session: &Session,
) -> Result<(), StoreError> {
    let row = row_key(state.child, state.placed_at, session.session_id);
    if change.is_changed(&state_key(session.session_id), state)?
        || change.is_changed(&row, session)?
    {
        change.count(session.encode().len());
    }
    put_session(change, state, session)
}

pub(super) fn put_session(
    change: &mut Change,
    state: &State,
    session: &Session,
) -> Result<(), StoreError> {
    change.put(&state_key(session.session_id), state)?;
    change.put(
        &row_key(state.child, state.placed_at, session.session_id),
        session,
    )
}

pub(super) fn remove_session_row(
    change: &mut Change,
    state: &State,
    session: &Session,
) -> Result<(), StoreError> {
    change.remove(&row_key(state.child, state.placed_at, session.session_id))?;
    Ok(())
}

fn name_key(assistant: &AssistantId, name: &str) -> Key {
    BY_NAME.key().text(assistant.as_str()).text(name)
}

pub(super) fn session_by_name(
    view: &impl Read,
    assistant: &AssistantId,
    name: &SessionName,
) -> Result<Option<SessionId>, StoreError> {
    view.get(&name_key(assistant, name.as_str()))
}

pub(super) fn put_name(
    change: &mut Change,
    assistant: &AssistantId,
    name: &SessionName,
    session: SessionId,
) -> Result<(), StoreError> {
    change.put(&name_key(assistant, name.as_str()), &session)?;
    let key = state_key(session);
    if let Some(mut state) = change.get::<State>(&key)? {
        state.name = Some((assistant.clone(), name.as_str().to_owned()));
        change.put(&key, &state)?;
    }
    Ok(())
}

fn messages_of(session: SessionId) -> Key {
    MESSAGE.key().number(session.number())
}

fn places_of(session: SessionId) -> Key {
    PLACE.key().number(session.number())
}

fn message_key(session: SessionId, place: Place) -> Key {
    messages_of(session)
        .signed(place.at.micros())
        .number(place.arrival)
}

pub(super) fn messages(
    view: &impl Read,
    session: SessionId,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Message>(&messages_of(session), after, limit)
}

/// The position of the message with this id, if it was delivered before.
pub(super) fn kept(
    view: &impl Read,
    session: SessionId,
    message_id: &str,
) -> Result<Option<Place>, StoreError> {
    view.get(&places_of(session).text(message_id))
}

/// Writes a message that was not delivered before to its place.
pub(super) fn put_new_message(
    change: &mut Change,
    session: SessionId,
    place: Place,
    message: Message,
) -> Result<(), StoreError> {
    put_place(change, session, place, &message)?;
    // No two of a session arrived as the so-manieth.
    change.put_new(&message_key(session, place), &placed(message, place));
    Ok(())
}

/// Writes a message over what was delivered before, in its place.
pub(super) fn replace_message(
    change: &mut Change,
    session: SessionId,
    place: Place,
    message: Message,
) -> Result<(), StoreError> {
    put_place(change, session, place, &message)?;
    let message = placed(message, place);
    // The same words again have a higher revision, and so are written.
    change.count(message.encode().len());
    change.put(&message_key(session, place), &message)
}

fn put_place(
    change: &mut Change,
    session: SessionId,
    place: Place,
    message: &Message,
) -> Result<(), StoreError> {
    change.put(&places_of(session).text(&message.message_id), &place)
}

/// What is shown is when it was first said to be.
fn placed(message: Message, place: Place) -> Message {
    Message {
        timestamp: place.at,
        ..message
    }
}

impl From<MessageDelivery> for Message {
    fn from(delivery: MessageDelivery) -> Self {
        delivery.message
    }
}

/// Removes a part of the child's sessions and messages; whether anything is left.
pub(super) fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    // Nothing that is erased has to be readable: the keys say what there is.
    let Some(row) = change.keys_below(&sessions_of(child), 1)?.pop() else {
        return Ok(false);
    };
    if let Some(session) = session_in(child, &row) {
        let removed = change.remove_some_below(&messages_of(session))?
            + change.remove_some_below(&places_of(session))?;
        if removed > 0 {
            return Ok(true);
        }
        remove_name_of(change, session)?;
        change.remove_some_below(&state_key(session))?;
    }
    change.remove_some_below(&row)?;
    Ok(true)
}

/// The session of a row of the child's list.
fn session_in(child: ChildId, row: &Key) -> Option<SessionId> {
    place_in(child, row).map(|(_, session)| session)
}

/// When the session of a row of the child's list began, or was first heard of, and which session it is.
fn place_in(child: ChildId, row: &Key) -> Option<(Timestamp, SessionId)> {
    let mut components = row.components_below(&sessions_of(child));
    let placed_at = components.descending().map(Timestamp::from_micros)?;
    let session = components.descending_number().map(SessionId::new)?;
    Some((placed_at, session))
}

/// All sessions of a child, newest first, and how many of them cannot be read: of those there is what their keys say.
pub(super) fn all_sessions(
    view: &impl Read,
    child: ChildId,
) -> Result<(Vec<Session>, u64), StoreError> {
    let (mut sessions, mut unreadable) = (Vec::new(), 0);
    for key in view.keys_below(&sessions_of(child), usize::MAX)? {
        match view.get::<Session>(&key) {
            Ok(session) => sessions.extend(session),
            Err(StoreError::Unreadable(_)) => {
                unreadable += 1;
                sessions.extend(
                    place_in(child, &key).map(|(placed_at, session_id)| Session {
                        session_id,
                        child_id: child,
                        topic: None,
                        start_time: Some(placed_at),
                        last_message_time: None,
                        message_count: 0,
                        ended: false,
                    }),
                );
            }
            Err(error) => return Err(error),
        }
    }
    Ok((sessions, unreadable))
}

/// Removes the name under which an assistant knows the session.
fn remove_name_of(change: &mut Change, session: SessionId) -> Result<(), StoreError> {
    let names = match state(change, session) {
        Ok(state) => {
            let name = state.and_then(|state| state.name);
            name.iter()
                .map(|(assistant, name)| name_key(assistant, name))
                .collect()
        }
        Err(StoreError::Unreadable(_)) => {
            change.keys_of(&BY_NAME.key(), |named: &SessionId| *named == session)?
        }
        Err(error) => return Err(error),
    };
    for name in names {
        change.remove(&name)?;
    }
    Ok(())
}

/// Whether this child has this session, found without what else is kept of the session.
pub(super) fn lists(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    let rows = view.keys_below(&sessions_of(child), usize::MAX)?;
    Ok(rows
        .iter()
        .any(|row| session_in(child, row) == Some(session)))
}
