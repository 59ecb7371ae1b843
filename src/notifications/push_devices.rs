//! The records of devices that are notified by Web Push, and the server's key.

use serde::{Deserialize, Serialize};

use super::waiting;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::push::{Device, Endpoint, PushKey};
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// The name of the channel.
pub(super) const CHANNEL: &str = "alerts-push";

/// By guardian and sign-in.
const DEVICE: Table = Table::new("push-device");
/// This server's key.
pub(super) const KEY: Table = Table::new("push-key");

/// A device that shows notifications.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct PushDevice {
    pub device: Device,
    pub since: Timestamp,
}

impl Record for PushDevice {}

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<PushDevice>(DEVICE),
    RecordKind::of::<PushKey>(KEY),
];

/// Devices belong to sign-ins, which aren't restored either.
pub(super) const NOT_RESTORED: [Table; 2] = [DEVICE, KEY];

pub(super) fn devices_of(guardian: &GuardianId) -> Key {
    DEVICE.key().text(guardian.as_str())
}

pub(super) fn device_key(guardian: &GuardianId, sign_in: &str) -> Key {
    devices_of(guardian).text(sign_in)
}

/// Removes a device, and what waits for it.
pub(super) fn remove(
    change: &mut Change,
    guardian: &GuardianId,
    sign_in: &str,
) -> Result<(), StoreError> {
    change.remove(&device_key(guardian, sign_in))?;
    waiting::forget_line(change, &waiting::line(CHANNEL, sign_in), guardian)
}

pub(super) fn remove_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for sign_in in change.texts_below(&devices_of(guardian))? {
        remove(change, guardian, &sign_in)?;
    }
    Ok(())
}

/// Removes the devices with this endpoint: a browser has one, whoever is signed in there.
pub(super) fn remove_same(change: &mut Change, endpoint: &Endpoint) -> Result<(), StoreError> {
    for key in change.keys_below(&DEVICE.key(), usize::MAX)? {
        let Some(found) = change.get_readable::<PushDevice>(&key)? else {
            continue;
        };
        let mut parts = key.components_below(&DEVICE.key());
        if found.device.endpoint == *endpoint
            && let (Some(guardian), Some(sign_in)) = (parts.text(), parts.text())
        {
            remove(change, &GuardianId::from_text(&guardian), &sign_in)?;
        }
    }
    Ok(())
}
