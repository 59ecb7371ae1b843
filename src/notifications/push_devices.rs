//! The records of devices that are notified by Web Push, and the server's key.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::servers::PUSH;
use super::{arrivals, pending};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::push::{Device, Endpoint, PushKey};
use crate::kernel::store::{
    Change, Key, Purpose, Read, Record, RecordKind, Store, StoreError, Table,
};

/// The name of the channel.
pub(super) const CHANNEL: &str = "alerts-push";

/// The number of a guardian's devices. A further one takes the place of the oldest.
const MAX_DEVICES: usize = 10;

/// By guardian and sign-in.
const DEVICE: Table = Table::new("push-device");
/// When a device could no longer be notified, though its guardian hadn't switched it off. By guardian and sign-in.
const ENDED: Table = Table::new("push-device-ended");
/// This server's key.
pub(super) const KEY: Table = Table::new("push-key");

/// A device that shows notifications.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PushDevice {
    pub device: Device,
    /// The server's public key that it subscribed with. Its service takes messages with no other.
    pub key: String,
    pub since: Timestamp,
}

impl Record for PushDevice {}

pub(super) const KINDS: [RecordKind; 3] = [
    RecordKind::of::<PushDevice>(DEVICE),
    RecordKind::of::<Timestamp>(ENDED),
    RecordKind::of::<PushKey>(KEY),
];

/// Devices belong to sign-ins, which aren't restored either.
pub(super) const NOT_RESTORED: [Table; 3] = [DEVICE, ENDED, KEY];

pub(super) fn devices_of(guardian: &GuardianId) -> Key {
    DEVICE.key().text(guardian.as_str())
}

pub(super) fn device_key(guardian: &GuardianId, sign_in: &str) -> Key {
    devices_of(guardian).text(sign_in)
}

fn ended_of(guardian: &GuardianId) -> Key {
    ENDED.key().text(guardian.as_str())
}

/// Removes a device that can't be notified any more. Its guardian learns it until that sign-in ends, or they switch
/// notifications on or off on a device.
pub(super) fn end(
    change: &mut Change,
    guardian: &GuardianId,
    sign_in: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    remove(change, guardian, sign_in)?;
    change.put(&ended_of(guardian).text(sign_in), &now)
}

/// Since when one of the guardian's devices can't be notified any more.
pub(super) fn ended_since(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Option<Timestamp>, StoreError> {
    let mut since = None;
    for sign_in in view.texts_below(&ended_of(guardian))? {
        let ended = view.get_readable::<Timestamp>(&ended_of(guardian).text(&sign_in))?;
        since = since.into_iter().chain(ended).min();
    }
    Ok(since)
}

/// The guardian has chosen anew which devices are notified.
pub(super) fn forget_ended(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for sign_in in change.texts_below(&ended_of(guardian))? {
        change.remove(&ended_of(guardian).text(&sign_in))?;
    }
    Ok(())
}

/// Removes a device, and what waits for it.
pub(super) fn remove(
    change: &mut Change,
    guardian: &GuardianId,
    sign_in: &str,
) -> Result<(), StoreError> {
    change.remove(&device_key(guardian, sign_in))?;
    change.remove(&ended_of(guardian).text(sign_in))?;
    arrivals::forget(change, &pending::channel_name(PUSH, sign_in), guardian)?;
    pending::forget_device(change, &pending::channel_name(CHANNEL, sign_in), guardian)
}

/// Removes the guardian's oldest device if they have as many as are allowed.
pub(super) fn make_room(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    let mut devices = Vec::new();
    for sign_in in change.texts_below(&devices_of(guardian))? {
        let found = change.get_readable::<PushDevice>(&device_key(guardian, &sign_in))?;
        devices.push((found.map(|found| found.since), sign_in));
    }
    if devices.len() >= MAX_DEVICES
        && let Some((_, oldest)) = devices.into_iter().min()
    {
        remove(change, guardian, &oldest)?;
    }
    Ok(())
}

/// Ends the devices that subscribed with another key of the server.
pub(super) async fn end_those_of_other_keys(
    store: &Store,
    key: &PushKey,
    now: Timestamp,
) -> Result<(), StoreError> {
    if store.keys_below(&DEVICE.key(), 1)?.is_empty() {
        return Ok(());
    }
    let key = key.public();
    let ended = store.commit_for(Purpose::Essential, move |change| {
        for (at, guardian, sign_in) in all(change)? {
            let found = change.get_readable::<PushDevice>(&at)?;
            if found.is_some_and(|found| found.key != key) {
                tracing::warn!(
                    "a device must be notified anew, because the server's push key was replaced"
                );
                end(change, &guardian, &sign_in, now)?;
            }
        }
        Ok(())
    });
    ended.await
}

/// The guardians with devices that are notified, or can't be any more.
pub(super) fn with_devices(view: &impl Read) -> Result<BTreeSet<GuardianId>, StoreError> {
    let mut guardians = view.texts_below(&DEVICE.key())?;
    guardians.extend(view.texts_below(&ENDED.key())?);
    Ok(guardians
        .iter()
        .map(|id| GuardianId::from_text(id))
        .collect())
}

fn all(view: &impl Read) -> Result<Vec<(Key, GuardianId, String)>, StoreError> {
    let keys = view.keys_below(&DEVICE.key(), usize::MAX)?;
    let found = keys.into_iter().filter_map(|key| {
        let mut parts = key.components_below(&DEVICE.key());
        let (guardian, sign_in) = (parts.text()?, parts.text()?);
        Some((key, GuardianId::from_text(&guardian), sign_in))
    });
    Ok(found.collect())
}

pub(super) fn remove_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for sign_in in change.texts_below(&devices_of(guardian))? {
        remove(change, guardian, &sign_in)?;
    }
    forget_ended(change, guardian)
}

/// Removes the devices with this endpoint: a browser has one endpoint for all guardians who sign in there. The others learn that
/// theirs [ended](end).
pub(super) fn remove_same(
    change: &mut Change,
    endpoint: &Endpoint,
    by: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    for (key, guardian, sign_in) in all(change)? {
        let found = change.get_readable::<PushDevice>(&key)?;
        if found.is_none_or(|found| found.device.endpoint != *endpoint) {
            continue;
        }
        if guardian == *by {
            remove(change, &guardian, &sign_in)?;
        } else {
            end(change, &guardian, &sign_in, now)?;
        }
    }
    Ok(())
}
