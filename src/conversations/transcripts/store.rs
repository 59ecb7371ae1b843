//! Sessions by child, newest first; [messages] by session, oldest first.

mod hidden;
pub(super) mod messages;
pub(super) mod moving;
mod names;
pub(super) mod naming;
pub(super) mod open;
mod state;
pub(super) mod talk;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use state::State;

use names::{MOVED, NAME, moved_key, moved_of, names_of};

use super::{NotKeptCount, NotKeptTotal, Session, TranscriptsError};
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Components, Cursor, Key, KeyPlace, Page, Read, Record, RecordKind, StoreError,
    StoredRow, Table, Written, readable, readable_or_counted,
};

/// Each delivery with content writes the session's row.
pub const SESSION: Table = Table::new("session");
const STATE: Table = Table::new("session-state");

impl Record for Session {}
impl Record for SessionId {}

impl Record for State {}

pub(super) const KINDS: [RecordKind; 9] = [
    RecordKind::of::<Session>(SESSION),
    RecordKind::of::<State>(STATE),
    RecordKind::of::<SessionId>(NAME),
    RecordKind::of::<SessionId>(MOVED),
    RecordKind::of::<SessionId>(open::TABLE),
    messages::KINDS[0],
    messages::KINDS[1],
    talk::KIND,
    hidden::KIND,
];

pub(super) fn next_id(change: &mut Change) -> Result<SessionId, StoreError> {
    Ok(SessionId::new(change.next_number("session")?))
}

fn sessions_of(child: ChildId) -> Key {
    SESSION.key().number(child.number())
}

fn row_key(child: ChildId, placed_at: Timestamp, session: SessionId) -> Key {
    // Ids increase, so of two sessions with the same time the later one comes first.
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

/// The rows of the child's list after `after`, not yet decoded.
pub(super) fn session_rows(
    view: &impl Read,
    child: ChildId,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Vec<StoredRow>, StoreError> {
    StoredRow::after(view, &sessions_of(child), after, limit)
}

pub(super) fn session_row_at(
    view: &impl Read,
    child: ChildId,
    place: &Cursor,
) -> Result<Option<StoredRow>, StoreError> {
    StoredRow::at(view, &sessions_of(child), place)
}

/// The rows of the sessions listed from `from` (inclusive) to `to` (exclusive).
pub(super) fn session_rows_within(
    view: &impl Read,
    child: ChildId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<(SessionId, StoredRow)>, StoreError> {
    let at = |moment: i64| sessions_of(child).descending(moment);
    let (newest, oldest) = (at(to.micros() - 1), at(from.micros()));
    let rows = StoredRow::between(view, &sessions_of(child), &newest, &oldest)?;
    let named = rows.into_iter().filter_map(|row| {
        let session = session_in(child, &row.key())?;
        Some((session, row))
    });
    Ok(named.collect())
}

/// When the session at this cursor began, or was first received.
pub(super) fn placed_at(place: &Cursor) -> Option<Timestamp> {
    Components::at(place)
        .descending()
        .map(Timestamp::from_micros)
}

pub(super) fn state(view: &impl Read, session: SessionId) -> Result<Option<State>, StoreError> {
    view.get(&state_key(session))
}

/// Returns `None` for a hidden session.
pub(super) fn shown_state(
    view: &impl Read,
    session: SessionId,
) -> Result<Option<State>, StoreError> {
    Ok(state(view, session)?.filter(State::is_shown))
}

/// The number of messages of all visible sessions that could not be stored, by reason. Skips unreadable sessions.
pub fn count_not_kept(view: &impl Read) -> Result<Vec<NotKeptTotal>, StoreError> {
    let mut totals = BTreeMap::<_, (u64, u64)>::new();
    view.each_readable(&STATE.key(), |_, state: State| {
        let counts = state.is_shown().then(|| state.not_kept.counts());
        for NotKeptCount { reason, count } in counts.into_iter().flatten() {
            let (messages, sessions) = totals.entry(reason).or_default();
            *messages += count;
            *sessions += 1;
        }
    })?;
    let totals = totals.into_iter();
    let totals = totals.map(|(reason, (messages, sessions))| NotKeptTotal {
        reason,
        messages,
        sessions,
    });
    Ok(totals.collect())
}

/// The table of names isn't among them: its keys have no session's number.
pub(super) const KEYS: [KeyPlace; 8] = [
    KeyPlace::after(SESSION, &[Before::Number, Before::Number]).descending(),
    KeyPlace::first(STATE),
    KeyPlace::first(open::TABLE),
    KeyPlace::after(MOVED, &[Before::Number]),
    messages::KEYS[0],
    messages::KEYS[1],
    talk::KEY,
    hidden::KEY,
];

/// The sessions of a child, hidden ones included, also unreadable ones.
pub(super) fn all_numbers(view: &impl Read, child: ChildId) -> Result<Vec<SessionId>, StoreError> {
    let shown = view.keys_below(&sessions_of(child), usize::MAX)?;
    let shown = shown.iter().filter_map(|row| session_in(child, row));
    let hidden = hidden::all(view, child)?.into_iter().flatten();
    Ok(shown.chain(hidden).collect())
}

fn row_of(state: &State, session: SessionId) -> Key {
    if state.is_shown() {
        row_key(state.child, state.placed_at, session)
    } else {
        hidden::row_key(state.child, session)
    }
}

pub(super) fn session_row(
    view: &impl Read,
    state: &State,
    session: SessionId,
) -> Result<Option<Session>, StoreError> {
    view.get(&row_of(state, session))
}

/// Checks the owner first, so that another family's session takes as long as a missing one.
pub(super) fn own_session(
    view: &impl Read,
    access: &ChildAccess,
    session: SessionId,
) -> Result<(State, Session), TranscriptsError> {
    let state = state(view, session)?.filter(|state| state.child == access.child());
    let state = state.ok_or(TranscriptsError::NoSuchSession)?;
    let row = session_row(view, &state, session)?;
    Ok((state, row.ok_or(TranscriptsError::NoSuchSession)?))
}

/// Without a check of the owner: for background work. Requests use [`own_session`].
pub(super) fn get_session(
    view: &impl Read,
    session: SessionId,
) -> Result<(State, Session), TranscriptsError> {
    let state = state(view, session)?.ok_or(TranscriptsError::NoSuchSession)?;
    let row = session_row(view, &state, session)?;
    Ok((state, row.ok_or(TranscriptsError::NoSuchSession)?))
}

/// [`put_session`], counted against the quota if something changed.
pub(super) fn put_counted_session(
    change: &mut Change,
    state: &mut State,
    session: &Session,
) -> Result<(), StoreError> {
    talk::place(change, state, session)?;
    let row = row_of(state, session.session_id);
    if change.is_changed(&state_key(session.session_id), state)?
        || change.is_changed(&row, session)?
    {
        change.count(session.encode().len());
    }
    put_rows(change, state, session)
}

pub(super) fn put_session(
    change: &mut Change,
    state: &mut State,
    session: &Session,
) -> Result<(), StoreError> {
    talk::place(change, state, session)?;
    put_rows(change, state, session)
}

fn put_rows(change: &mut Change, state: &State, session: &Session) -> Result<(), StoreError> {
    change.put(&state_key(session.session_id), state)?;
    change.put(&row_of(state, session.session_id), session)
}

/// Removes the session's row if its position in the list changes.
pub(super) fn remove_moved_row(
    change: &mut Change,
    state: &State,
    session: &Session,
) -> Result<(), StoreError> {
    let mut moved = state.clone();
    moved.place(session);
    if moved.placed_at != state.placed_at {
        change.remove(&row_key(state.child, state.placed_at, session.session_id))?;
    }
    Ok(())
}

/// One of the child's sessions with its row. Works on keys only, so that unreadable rows are erased too.
fn first_to_erase(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<(Option<SessionId>, Key)>, StoreError> {
    let shown = view.keys_below(&sessions_of(child), 1)?.pop();
    match shown {
        Some(row) => Ok(Some((session_in(child, &row), row))),
        None => hidden::first(view, child),
    }
}

/// If the session that [`erase_batch`] erases next was opened for another child: the session and that child.
pub(super) fn next_from_another(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<(SessionId, ChildId)>, StoreError> {
    let Some((Some(session), _)) = first_to_erase(view, child)? else {
        return Ok(None);
    };
    let state = readable(state(view, session))?.flatten();
    let opened_for = state.map_or(child, |state| state.opened_for());
    Ok((opened_for != child).then_some((session, opened_for)))
}

/// Removes a batch of the child's sessions and messages. Returns whether anything is left.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let Some((session, row)) = first_to_erase(change, child)? else {
        let names = change.remove_some_below(&names_of(child))?
            + change.remove_some_below(&moved_of(child))?;
        return Ok(names + talk::erase_batch(change, child)? > 0);
    };
    if let Some(session) = session {
        if messages::erase_batch(change, session)? {
            return Ok(true);
        }
        // A session that was moved here has its name under another child.
        if let Ok(Some(state)) = state(change, session)
            && let Some(name) = state.name_key()
        {
            names::remove(change, &name, session)?;
            change.remove(&moved_key(state.opened_for(), session))?;
        }
        change.remove(&open::key_of(session))?;
        change.remove_some_below(&state_key(session))?;
    }
    change.remove_some_below(&row)?;
    Ok(true)
}

/// The sessions that a commit changed: each delivery with content writes the session's row.
pub fn sessions_in(written: &Written) -> BTreeSet<(ChildId, SessionId)> {
    let all = SESSION.key();
    written
        .keys_below(&all)
        .filter_map(|row| session_at(&row))
        .collect()
}

/// The sessions whose rows in the table [`SESSION`] have these keys.
pub fn sessions_at(keys: &[Key]) -> BTreeSet<(ChildId, SessionId)> {
    keys.iter().filter_map(session_at).collect()
}

fn session_at(row: &Key) -> Option<(ChildId, SessionId)> {
    let child = row.components_below(&SESSION.key()).number();
    let child = ChildId::new(child?);
    Some((child, session_in(child, row)?))
}

fn session_in(child: ChildId, row: &Key) -> Option<SessionId> {
    place_in(child, row).map(|(_, session)| session)
}

/// When the session of this row began, or was first received, and its id.
fn place_in(child: ChildId, row: &Key) -> Option<(Timestamp, SessionId)> {
    let mut components = row.components_below(&sessions_of(child));
    let placed_at = components.descending().map(Timestamp::from_micros)?;
    let session = components.descending_number().map(SessionId::new)?;
    Some((placed_at, session))
}

/// Returns all sessions of a child, newest first, and the number of unreadable ones. Those are filled in from their keys.
pub(super) fn all_sessions(
    view: &impl Read,
    child: ChildId,
) -> Result<(Vec<Session>, u64), StoreError> {
    let (mut sessions, mut unreadable) = (Vec::new(), 0);
    for key in view.keys_below(&sessions_of(child), usize::MAX)? {
        let session = readable_or_counted(view.get::<Session>(&key), &mut unreadable)?;
        let from_key = || {
            let (placed_at, session_id) = place_in(child, &key)?;
            Some(Session {
                session_id,
                child_id: child,
                topic: None,
                start_time: Some(placed_at),
                last_message_time: None,
                message_count: 0,
                ended: false,
                device: None,
                assistant: None,
                not_child: false,
            })
        };
        sessions.extend(session.unwrap_or_else(from_key));
    }
    Ok((sessions, unreadable))
}

/// When each session of a child, hidden ones included, began or was first received; `None` if unreadable.
pub(super) fn places(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<Option<Timestamp>>, StoreError> {
    let shown = view.keys_below(&sessions_of(child), usize::MAX)?;
    let shown = shown.iter().map(|row| Some(place_in(child, row)?.0));
    let mut places = shown.collect::<Vec<_>>();
    for session in hidden::all(view, child)? {
        let state = match session {
            Some(session) => view.get_readable::<State>(&state_key(session))?,
            None => None,
        };
        places.push(state.map(|state| state.placed_at));
    }
    Ok(places)
}

/// The first session in the child's list.
pub(super) fn newest(view: &impl Read, child: ChildId) -> Result<Option<SessionId>, StoreError> {
    let rows = view.keys_below(&sessions_of(child), 1)?;
    Ok(rows.first().and_then(|row| session_in(child, row)))
}

/// Checks only the child's list, not the session's own record.
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
