//! Who paused talking, and since when, and a log of all pauses. The pause itself is a part of the times.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};
use crate::rules::schedule::{Pause, Schedule};

pub const TABLE: Table = Table::new("rules-pause");

/// All pauses by child and start, as long as the versions of the rules.
const LOG: Table = Table::new("rules-pause-log");

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<PauseOrigin>(TABLE),
    RecordKind::of::<LoggedPause>(LOG),
];

/// How long a pause stays in the log.
const KEPT: Duration = Duration::from_secs(400 * 24 * 60 * 60);

/// The number of old pauses that one change removes from the log.
const REMOVED_AT_ONCE: usize = 16;

/// Who paused, and when the pause began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseOrigin {
    pub pause: Pause,
    pub since: Timestamp,
    /// Who set its end.
    pub by: GuardianId,
}

/// From when until when talking was paused.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LoggedPause {
    pub from: Timestamp,
    /// `None` if a guardian must end it.
    pub until: Option<Timestamp>,
}

impl Record for PauseOrigin {}
impl Record for LoggedPause {}

fn log_of(child: ChildId) -> Key {
    LOG.key().number(child.number())
}

fn key(child: ChildId) -> Key {
    TABLE.key().number(child.number())
}

/// Records a change of the pause. A pause whose end is changed while it lasts keeps its start.
pub(super) fn record(
    change: &mut Change,
    child: ChildId,
    (before, after): (&Schedule, &Schedule),
    by: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    if before.pause == after.pause {
        return Ok(());
    }
    let since = match before.pause_at(now) {
        Some(continued) => find(change, child, continued)?.map(|origin| origin.since),
        None => None,
    };
    log(change, child, since, after.pause_at(now), now)?;
    let Some(pause) = after.pause.clone() else {
        return change.remove(&key(child)).map(drop);
    };
    let origin = PauseOrigin {
        pause,
        since: since.unwrap_or(now),
        by: by.clone(),
    };
    change.put(&key(child), &origin)
}

/// The origin of this pause; `None` if it is unknown, because the pause was imported or the record is unreadable.
pub(super) fn find(
    view: &impl Read,
    child: ChildId,
    pause: &Pause,
) -> Result<Option<PauseOrigin>, StoreError> {
    let found = view.get_readable::<PauseOrigin>(&key(child))?;
    Ok(found.filter(|origin| origin.pause == *pause))
}

/// Logs the pause that lasts from now on, if any. `since` is the start of the one before, if that lasted until now.
fn log(
    change: &mut Change,
    child: ChildId,
    since: Option<Timestamp>,
    lasting: Option<&Pause>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let until = match lasting {
        Some(pause) => pause.until,
        None if since.is_none() => return Ok(()),
        None => Some(now),
    };
    let from = since.unwrap_or(now);
    let below = log_of(child);
    for old in change.keys_below(&below, REMOVED_AT_ONCE)? {
        let began = old.components_below(&below).signed();
        if began.is_some_and(|began| began < now.before(KEPT).micros()) {
            change.remove(&old)?;
        }
    }
    change.put(&below.signed(from.micros()), &LoggedPause { from, until })
}

/// The pauses of the log, by their start. Unreadable ones are left out.
pub(super) fn logged(view: &impl Read, child: ChildId) -> Result<Vec<LoggedPause>, StoreError> {
    Ok(view.list_readable(&log_of(child))?.0)
}

pub(super) fn erase(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let origins = change.remove_some_below(&key(child))?;
    Ok(origins + change.remove_some_below(&log_of(child))? > 0)
}
