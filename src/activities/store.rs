//! Completed activities by child, newest first.

use super::CompletedActivity;
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::{ChildId, SessionId};
use crate::kernel::store::{Change, Key, Read, Record, Row, StoreError, Table};

const COMPLETED: Table = Table::new("completed");
const COMPLETED_AT: Table = Table::new("completed-at");

/// How many records one erasing change removes, so that others get their turn.
const ERASE_AT_ONCE: usize = 2_000;

impl Record for CompletedActivity {}

fn completed_of(child: ChildId) -> Key {
    COMPLETED.key().number(child.number())
}

fn completed_at_of(child: ChildId) -> Key {
    COMPLETED_AT.key().number(child.number())
}

fn row_key(child: ChildId, date: Timestamp, session: SessionId) -> Key {
    let number = i64::try_from(session.number()).unwrap_or(i64::MAX);
    completed_of(child)
        .descending(date.micros())
        .descending(number)
}

fn at_key(child: ChildId, session: SessionId) -> Key {
    completed_at_of(child).number(session.number())
}

pub(super) fn completed(
    view: &impl Read,
    child: ChildId,
    before: Option<SessionId>,
    limit: usize,
) -> Result<Vec<Row>, StoreError> {
    let all = completed_of(child);
    let Some(session) = before else {
        return view.scan(&all, None, limit);
    };
    match view.get::<Timestamp>(&at_key(child, session))? {
        Some(date) => {
            let cursor = row_key(child, date, session).cursor_below(&all);
            view.scan(&all, cursor.as_ref(), limit)
        }
        None => Ok(Vec::new()),
    }
}

pub(super) fn find_completed(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Option<CompletedActivity>, StoreError> {
    match view.get::<Timestamp>(&at_key(child, session))? {
        Some(date) => view.get(&row_key(child, date, session)),
        None => Ok(None),
    }
}

/// Writes a completed activity where its date belongs, and takes it from where it was.
pub(super) fn put_completed(
    change: &mut Change,
    child: ChildId,
    activity: &CompletedActivity,
) -> Result<(), StoreError> {
    let session = activity.session_id;
    let at = at_key(child, session);
    if let Some(date) = change.get::<Timestamp>(&at)? {
        change.remove(&row_key(child, date, session))?;
    }
    change.put(&at, &activity.date)?;
    change.put(&row_key(child, activity.date, session), activity)
}

/// Removes a part of the child's records; whether anything is left.
pub(super) fn erase_some(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let mut removed = 0;
    for prefix in [completed_of(child), completed_at_of(child)] {
        removed += change.remove_below(&prefix, ERASE_AT_ONCE)?;
    }
    Ok(removed > 0)
}
