//! The records of whether messages arrive: for each channel and guardian, when one was last taken, and since when and why none is.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::servers::{EMAIL, NTFY};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::queue::Arrival;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// By channel (of a device: [`channel_name`](super::pending::channel_name)) and guardian; the webhook's has no guardian.
const ARRIVALS: Table = Table::new("message-arrivals");

pub(super) const KIND: RecordKind = RecordKind::of::<Arrivals>(ARRIVALS);

/// They are about the servers of the machine that was backed up.
pub(super) const NOT_RESTORED: Table = ARRIVALS;

/// What became of the messages by one channel to one guardian.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrivals {
    /// When a server last took one.
    pub taken_at: Option<Timestamp>,
    /// `None` if the last one was taken.
    pub refused: Option<NotTaken>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotTaken {
    /// When the first message was refused since the last one that was taken.
    pub since: Timestamp,
    /// Why the last one was, in a sentence.
    pub why: String,
}

impl Record for Arrivals {}

fn key(channel: &str, guardian: Option<&GuardianId>) -> Key {
    let guardian = guardian.map(GuardianId::as_str);
    ARRIVALS
        .key()
        .text(channel)
        .text(guardian.unwrap_or_default())
}

/// If it is unreadable, nothing is known.
pub(super) fn get(
    view: &impl Read,
    channel: &str,
    guardian: Option<&GuardianId>,
) -> Result<Arrivals, StoreError> {
    let found = view.get_readable(&key(channel, guardian))?;
    Ok(found.unwrap_or_default())
}

/// The guardians with a record; without one, the webhook's.
pub(super) fn recipients(view: &impl Read, channel: &str) -> Result<Vec<String>, StoreError> {
    view.texts_below(&ARRIVALS.key().text(channel))
}

pub(super) fn record(
    change: &mut Change,
    channel: &str,
    guardian: Option<&GuardianId>,
    arrival: Arrival,
) -> Result<(), StoreError> {
    let before = get(change, channel, guardian)?;
    let now = match arrival {
        Arrival::Taken(at) => Arrivals {
            taken_at: Some(at),
            refused: None,
        },
        Arrival::NotTaken(at, why) => {
            let since = before.refused.map_or(at, |refused| refused.since.min(at));
            Arrivals {
                refused: Some(NotTaken { since, why }),
                ..before
            }
        }
    };
    change.put(&key(channel, guardian), &now)
}

/// Begins anew, because the recipient is another.
pub(super) fn forget(
    change: &mut Change,
    channel: &str,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    change.remove(&key(channel, Some(guardian))).map(drop)
}

pub(super) fn forget_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    // Devices' are removed with them.
    for channel in [EMAIL, NTFY] {
        forget(change, channel, guardian)?;
    }
    Ok(())
}
