//! Who paused talking, and since when. The pause itself is a part of the times.

use serde::{Deserialize, Serialize};

use crate::children::ChildId;
use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};
use crate::times::{Pause, Times};

pub const TABLE: Table = Table::new("rules-pause");

pub(super) const KIND: RecordKind = RecordKind::of::<PauseOrigin>(TABLE);

/// Who paused, and when the pause began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PauseOrigin {
    pub pause: Pause,
    pub since: Timestamp,
    /// Who set its end.
    pub by: GuardianId,
}

impl Record for PauseOrigin {}

fn key(child: ChildId) -> Key {
    TABLE.key().number(child.number())
}

/// Records a change of the pause. A pause whose end is changed while it lasts keeps its start.
pub(super) fn note(
    change: &mut Change,
    child: ChildId,
    (before, after): (&Times, &Times),
    by: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    if before.pause == after.pause {
        return Ok(());
    }
    let Some(pause) = after.pause.clone() else {
        return change.remove(&key(child)).map(drop);
    };
    let since = match before.pause_at(now) {
        Some(continued) => find(change, child, continued)?.map(|origin| origin.since),
        None => None,
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

pub(super) fn erase(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&key(child))? > 0)
}
