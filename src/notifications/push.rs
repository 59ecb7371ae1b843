//! Notifications by Web Push: a guardian's devices show that there is something to look at.
//!
//! A device is added by its own browser and belongs to the sign-in there: when that ends, nothing is sent any more. Each device has
//! its own messages, so that a push service that is away keeps no other device waiting.

use super::at_once::{Channel, Destination, compose_pending, with_outcome};
use super::push_devices::{self, PushDevice, device_key, devices_of, remove, remove_same};
use super::rate_limit::GIVEN_UP_AFTER;
use super::servers::PUSH;
use super::told::Reading;
use super::{Grant, Notifications, NotificationsError, arrivals, granting, store, waiting};
use crate::identity::{GuardianId, SignInId, SignInValidity, SignedIn, SteppedUp};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::push::{Device, DeviceKeys, Endpoint, PushHost, PushKey};
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Lane, NoAnswer, Outcome, Places, Policy,
};
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};

const NEWS: &str = "Something new in Porchlight.";
const URGENT: &str = "Please open Porchlight now.";

pub(super) const CHANNEL: Channel = Channel {
    name: push_devices::CHANNEL,
    // Off is a guardian without devices.
    is_on: |_| true,
    devices: Some(|view, guardian| view.texts_below(&devices_of(guardian))),
};

/// By guardian and device.
pub(super) struct AlertsPush {
    pub reading: Reading,
    pub clock: Clock,
    pub randomness: Randomness,
    pub sign_ins: SignInValidity,
    pub hosts: Vec<PushHost>,
    pub key: PushKey,
}

impl AlertsPush {
    /// The device, if it may be sent to. What isn't allowed any more is removed.
    fn device(&self, change: &mut Change, to: &Destination) -> Result<Option<Device>, StoreError> {
        let Destination { guardian, device } = to;
        let found = change.get_readable::<PushDevice>(&device_key(guardian, device))?;
        let sign_in = SignInId::from_text(device);
        let is_allowed = !self.reading.guardians.is_suspended(change, guardian)?
            && self.sign_ins.holds(change, guardian, &sign_in)?;
        let found = found.map(|found| found.device);
        let found = found.filter(|found| is_allowed && found.endpoint.is_allowed(&self.hosts));
        if found.is_none() {
            remove(change, guardian, device)?;
        }
        Ok(found)
    }
}

impl Composer for AlertsPush {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: CHANNEL.name,
            places: Places::OF_EACH,
            gives_up_after: GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::TriedAgain,
        }
    }

    fn server(&self) -> Option<&'static str> {
        Some(PUSH)
    }

    // Devices have different services.
    fn keeps_order(&self) -> bool {
        false
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let to = Destination {
            guardian: GuardianId::from_text(&item.recipient),
            device: item.about,
        };
        let now = self.clock.now();
        let Some(device) = self.device(change, &to)? else {
            return Ok(None);
        };
        let line = waiting::line(CHANNEL.name, &to.device);
        let pending = waiting::get(change, &line, &to.guardian)?;
        let is_urgent = pending.is_some_and(|pending| pending.urgent.is_some());
        let Some(told) = compose_pending(change, &CHANNEL, &self.reading, &to, now)? else {
            return Ok(None);
        };
        let text = if is_urgent { URGENT } else { NEWS };
        let Some(post) = device.request(&self.key, text, now, &self.randomness) else {
            remove(change, &to.guardian, &to.device)?;
            return Ok(None);
        };
        let (whose, ended) = (to.guardian.clone(), to.clone());
        let message = Composed::push(post).reported_to(move |change, arrival| {
            arrivals::note(change, PUSH, Some(&whose), arrival)
        });
        let message = with_outcome(
            message,
            &CHANNEL,
            &self.reading,
            &self.clock,
            to,
            told.covered,
        );
        Ok(Some(message.settled_by(move |change, outcome| {
            if outcome != Outcome::Gone {
                return Ok(());
            }
            arrivals::forget(change, PUSH, &ended.guardian)?;
            // It may have been replaced meanwhile.
            let key = device_key(&ended.guardian, &ended.device);
            match change.get_readable::<PushDevice>(&key)? {
                Some(found) if found.device != device => Ok(()),
                _ => remove(change, &ended.guardian, &ended.device),
            }
        })))
    }
}

/// What a guardian's browser needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushStatus {
    /// The server's key; `None` if there is no https.
    pub key: Option<String>,
    /// Since when this device is notified.
    pub since: Option<Timestamp>,
    /// The number of the guardian's other devices that are.
    pub others: u64,
}

impl Notifications {
    fn has_https(&self) -> bool {
        self.addresses.plain.is_https() || self.addresses.usable_name().is_some()
    }

    pub fn push_status(&self, by: &SignedIn) -> Result<PushStatus, StoreError> {
        let (guardian, sign_in) = (by.guardian(), by.sign_in());
        let devices = self.store.texts_below(&devices_of(guardian))?;
        let others = devices.iter().filter(|it| *it != sign_in.as_str()).count();
        let own = device_key(guardian, sign_in.as_str());
        let own = readable(self.store.get::<PushDevice>(&own))?.flatten();
        Ok(PushStatus {
            key: self.has_https().then(|| self.push_key.public()),
            since: own.map(|own| own.since),
            others: others.try_into().unwrap_or(u64::MAX),
        })
    }

    /// Notifies the device that the guardian is signed in on. Fails with [`NotificationsError::NoPush`],
    /// [`NotificationsError::InvalidEndpoint`] and [`NotificationsError::InvalidDeviceKeys`].
    pub async fn notify_device(
        &self,
        by: SteppedUp,
        endpoint: &str,
        p256dh: &str,
        auth: &str,
    ) -> Result<(), NotificationsError> {
        if !self.has_https() {
            return Err(NotificationsError::NoPush);
        }
        let device = PushDevice {
            device: Device {
                endpoint: Endpoint::parse(endpoint, &self.servers().push_hosts)?,
                keys: DeviceKeys::new(p256dh, auth)?,
            },
            since: self.clock.now(),
        };
        let subscriptions = self.clone();
        let added = self.store.commit(move |change| {
            let (guardian, sign_in) = (by.guardian(), by.signed_in().sign_in());
            let sign_ins = &subscriptions.dependencies.sign_ins;
            sign_ins.require_in(change, by.signed_in())?;
            remove_same(change, &device.device.endpoint)?;
            granting::notify(&subscriptions, change, &by, Grant::Device)?;
            change.put(&device_key(guardian, sign_in.as_str()), &device)?;
            // Without a subscription, nothing is sent at all.
            let mut subscription = subscriptions.get(change, guardian)?;
            subscription.sign_out_count = granting::sign_out_count(change, guardian)?;
            store::put(change, guardian, &subscription)?;
            arrivals::forget(change, PUSH, guardian)?;
            Ok(())
        });
        added.await
    }

    pub async fn stop_notifying_device(&self, by: &SignedIn) -> Result<(), StoreError> {
        let (guardian, sign_in) = (by.guardian().clone(), by.sign_in().clone());
        let removed = self.store.commit_for(Purpose::Essential, move |change| {
            remove(change, &guardian, sign_in.as_str())
        });
        removed.await
    }
}
