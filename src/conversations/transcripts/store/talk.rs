//! Conversations with a child, by the hour in which they ended, latest first, so that reading a day is one short scan.
//!
//! The key has the hour, not the exact time, because an open session rewrites its row with each delivery: overwriting a key
//! costs less than removing it and inserting another.

use super::{Session, State, messages};
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::talk::{LONGEST, TalkInterval, interval};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, StoredRow, Table,
};

pub const TALK: Table = Table::new("session-talk");

/// In microseconds.
const HOUR: i64 = 60 * 60 * 1_000_000;

impl Record for TalkInterval {}

pub(super) const KIND: RecordKind = RecordKind::of::<TalkInterval>(TALK);

pub(super) const KEY: KeyPlace = KeyPlace::after(TALK, &[Before::Number, Before::Number]);

fn talk_of(child: ChildId) -> Key {
    TALK.key().number(child.number())
}

fn hour_key(child: ChildId, hour: i64) -> Key {
    talk_of(child).descending(hour)
}

fn row_key(child: ChildId, hour: i64, session: SessionId) -> Key {
    hour_key(child, hour).number(session.number())
}

fn hour_of(moment: Timestamp) -> i64 {
    moment.micros().div_euclid(HOUR)
}

/// Writes the session's row. Its messages must be written before.
pub(super) fn place(
    change: &mut Change,
    state: &mut State,
    session: &Session,
) -> Result<(), StoreError> {
    let talk = if state.is_shown() && !session.not_child {
        find_interval(change, state, session)?
    } else {
        None
    };
    let hour = talk.map(|talk| hour_of(talk.end));
    let id = session.session_id;
    if let Some(before) = state.talk_hour.filter(|before| Some(*before) != hour) {
        change.remove(&row_key(state.child, before, id))?;
    }
    state.talk_hour = hour;
    match talk.zip(hour) {
        Some((talk, hour)) => change.put(&row_key(state.child, hour, id), &talk),
        None => Ok(()),
    }
}

pub(super) fn remove(
    change: &mut Change,
    state: &State,
    session: SessionId,
) -> Result<(), StoreError> {
    match state.talk_hour {
        Some(hour) => change
            .remove(&row_key(state.child, hour, session))
            .map(drop),
        None => Ok(()),
    }
}

fn find_interval(
    change: &Change,
    state: &mut State,
    session: &Session,
) -> Result<Option<TalkInterval>, StoreError> {
    let id = session.session_id;
    let mut said = None;
    if session.message_count > 0 {
        // A session stored before this field existed needs a scan.
        if state.first_message_time.is_none() {
            state.first_message_time = messages::first_said_at(change, id)?;
        }
        let last = match session.last_message_time {
            None => messages::last_said_at(change, id)?,
            last => last,
        };
        said = state.first_message_time.zip(last);
    }
    let reported = state.reported();
    Ok(interval(said, session.start_time, state.ended_at, reported))
}

/// The conversations that ended after `since`.
pub(in crate::conversations::transcripts) fn intervals(
    view: &impl Read,
    child: ChildId,
    since: Timestamp,
) -> Result<Vec<TalkInterval>, StoreError> {
    let last = hour_key(child, hour_of(since));
    let mut intervals = view.list_up_to::<TalkInterval>(&talk_of(child), &last)?;
    intervals.retain(|talk| talk.end > since);
    Ok(intervals)
}

/// The sessions that may have had a conversation in this range, with their rows. No conversation is longer than a day.
pub(in crate::conversations::transcripts) fn rows_within(
    view: &impl Read,
    child: ChildId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<(SessionId, StoredRow)>, StoreError> {
    let all = talk_of(child);
    let newest = hour_key(child, hour_of(to.after(LONGEST)));
    let oldest = hour_key(child, hour_of(from));
    let mut found = Vec::new();
    for row in StoredRow::between(view, &all, &newest, &oldest)? {
        let key = row.key();
        let mut components = key.components_below(&all);
        let session = components.descending().and_then(|_| components.number());
        found.extend(session.map(|session| (SessionId::new(session), row)));
    }
    Ok(found)
}

/// Removes a batch of the child's rows. Returns their number.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<usize, StoreError> {
    change.remove_some_below(&talk_of(child))
}
