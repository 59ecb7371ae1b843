//! Alerts that wait to be sent at once.
//!
//! A record for each guardian and channel says from which alert on they wait. It is written with the first alert, and further
//! ones find it there; so many alerts cost no more than one. It holds no words.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// What waits, by channel (of a device: [`channel_name`]) and guardian.
const WAITING: Table = Table::new("told-waiting");
/// When a message was last sent, by channel and guardian.
const LAST: Table = Table::new("told-last");

/// The alerts that wait for one guardian and channel.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PendingDigest {
    /// The number of the first alert; [`NONE`] if only earlier ones wait.
    pub from: u64,
    /// Earlier alerts that are open again. What arrived after them isn't told again.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub earlier: BTreeSet<u64>,
    /// Since when they wait.
    pub since: Timestamp,
    /// The number of the newest urgent one.
    pub urgent: Option<u64>,
    /// When to try again, after a message was refused.
    pub not_before: Option<Timestamp>,
}

/// Greater than the number of any alert.
pub(super) const NONE: u64 = u64::MAX;

impl Record for PendingDigest {}

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<PendingDigest>(WAITING),
    RecordKind::of::<Timestamp>(LAST),
];

pub(super) const NOT_RESTORED: [Table; 2] = [WAITING, LAST];

fn key(table: Table, channel: &str, guardian: &GuardianId) -> Key {
    table.key().text(channel).text(guardian.as_str())
}

/// `None` also if it is unreadable: then the next alert replaces it.
pub(super) fn get(
    view: &impl Read,
    channel: &str,
    guardian: &GuardianId,
) -> Result<Option<PendingDigest>, StoreError> {
    view.get_readable(&key(WAITING, channel, guardian))
}

pub(super) fn put(
    change: &mut Change,
    channel: &str,
    guardian: &GuardianId,
    pending: &PendingDigest,
) -> Result<(), StoreError> {
    change.put(&key(WAITING, channel, guardian), pending)
}

pub(super) fn remove(
    change: &mut Change,
    channel: &str,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    change.remove(&key(WAITING, channel, guardian))?;
    Ok(())
}

/// The name under which alerts wait that go to one of a guardian's devices; without one, to the guardian.
pub(super) fn channel_name<'a>(channel: &'a str, device: &str) -> Cow<'a, str> {
    if device.is_empty() {
        channel.into()
    } else {
        format!("{channel} {device}").into()
    }
}

/// The guardians and devices with waiting alerts, including unreadable records.
pub(super) fn recipients(
    view: &impl Read,
    channel: &str,
) -> Result<Vec<(GuardianId, String)>, StoreError> {
    let names = view.texts_below(&WAITING.key())?;
    let names = names.into_iter().collect::<BTreeSet<_>>();
    let mut found = Vec::new();
    for name in names {
        let device = match name.strip_prefix(channel) {
            Some("") => "",
            Some(rest) => match rest.strip_prefix(' ') {
                Some(device) => device,
                None => continue,
            },
            None => continue,
        };
        for id in view.texts_below(&WAITING.key().text(&name))? {
            found.push((GuardianId::from_text(&id), device.to_owned()));
        }
    }
    Ok(found)
}

/// If it is unreadable, none was sent.
pub(super) fn last_sent_at(
    view: &impl Read,
    channel: &str,
    guardian: &GuardianId,
) -> Result<Option<Timestamp>, StoreError> {
    view.get_readable(&key(LAST, channel, guardian))
}

pub(super) fn put_last_sent_at(
    change: &mut Change,
    channel: &str,
    guardian: &GuardianId,
    at: Timestamp,
) -> Result<(), StoreError> {
    change.put(&key(LAST, channel, guardian), &at)
}

/// Removes what is kept of a device.
pub(super) fn forget_device(
    change: &mut Change,
    name: &str,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    for table in [WAITING, LAST] {
        change.remove(&key(table, name, guardian))?;
    }
    Ok(())
}

/// Removes what is kept of a removed guardian.
pub(super) fn forget(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for table in [WAITING, LAST] {
        for channel in change.texts_below(&table.key())? {
            change.remove(&key(table, &channel, guardian))?;
        }
    }
    Ok(())
}
