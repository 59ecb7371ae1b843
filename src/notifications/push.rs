//! Notifications by Web Push: a guardian's devices show that there is something to look at.
//!
//! A device is added by its own browser and belongs to the sign-in there: when that ends, nothing is sent any more. Each device has
//! its own messages, so that a push service that is away keeps no other device waiting.

use super::content::{NotificationContent, Reading};
use super::immediate::{Channel, Destination, compose_pending, with_outcome};
use super::push_devices::{
    self, PushDevice, device_key, devices_of, end, ended_since, forget_ended, make_room, remove,
    remove_same,
};
use super::rate_limit::GIVEN_UP_AFTER;
use super::servers::PUSH;
use super::{Grant, Notifications, NotificationsError, arrivals, granting, pending, store};
use crate::identity::{GuardianId, Guardians, SignInId, SignInValidity, SignedIn, SteppedUp};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::language::Language;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::texts::text;
use crate::kernel::outgoing::post::Post;
use crate::kernel::outgoing::push::{Device, DeviceKeys, Endpoint, PushHost, PushKey};
use crate::kernel::outgoing::queue::{
    Arrival, Composed, Composer, Item, NoAnswer, Outcome, Places, Policy, Route,
};
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};

pub(super) const CHANNEL: Channel = Channel {
    name: push_devices::CHANNEL,
    // Off is a guardian without devices.
    is_on: |_| true,
    devices: Some(|view, guardian| view.texts_below(&devices_of(guardian))),
};

/// Makes the requests to push services.
#[derive(Clone)]
pub(super) struct PushSender {
    pub key: PushKey,
    pub hosts: Vec<PushHost>,
    pub addresses: Addresses,
    pub clock: Clock,
    pub randomness: Randomness,
}

impl PushSender {
    /// `None` if the device can't be sent to any more: this server lost its key or its https address, or the administrator removed
    /// the service's host.
    pub fn request(&self, to: &PushDevice, text: &str) -> Option<Post> {
        let PushDevice { device, key, .. } = to;
        let contact = self.addresses.https()?.origin();
        if *key != self.key.public() || !device.endpoint.is_allowed(&self.hosts) {
            return None;
        }
        let now = self.clock.now();
        device.request(&self.key, &contact, text, now, &self.randomness)
    }
}

/// By guardian and device.
pub(super) struct AlertsPush {
    pub reading: Reading,
    pub sign_ins: SignInValidity,
    pub sender: PushSender,
}

/// The device, unless its sign-in has ended or its guardian is suspended.
pub(super) fn find_device(
    view: &impl Read,
    guardians: &Guardians,
    sign_ins: &SignInValidity,
    to: &Destination,
) -> Result<Option<PushDevice>, StoreError> {
    let Destination { guardian, device } = to;
    let found = view.get_readable::<PushDevice>(&device_key(guardian, device))?;
    let is_allowed = !guardians.is_suspended(view, guardian)?
        && sign_ins.holds(view, guardian, &SignInId::from_text(device))?;
    Ok(found.filter(|_| is_allowed))
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

    fn route(&self) -> Route {
        Route::Independent
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
        let device = find_device(change, &self.reading.guardians, &self.sign_ins, &to)?;
        let Some(device) = device else {
            remove(change, &to.guardian, &to.device)?;
            return Ok(None);
        };
        let clock = &self.sender.clock;
        let content = compose_pending(change, &CHANNEL, &self.reading, &to, clock.now())?;
        let Some(content) = content else {
            return Ok(None);
        };
        let language = Guardians::language_of(change, &to.guardian)?;
        let Some(post) = self.sender.request(&device, &sentence(language, &content)) else {
            end(change, &to.guardian, &to.device, clock.now())?;
            return Ok(None);
        };
        let now = clock.clone();
        let (reported, ended) = (to.clone(), to.clone());
        let message = Composed::push(post)
            .reported_to(move |change, arrival| record_arrival(change, &reported, arrival));
        let message = with_outcome(message, &CHANNEL, &self.reading, clock, to, content.covered);
        Ok(Some(message.with_outcome(move |change, outcome| {
            if outcome != Outcome::Gone {
                return Ok(());
            }
            end_if_same(change, &ended, &device, now.now())
        })))
    }
}

fn sentence(language: Language, content: &NotificationContent) -> String {
    let key = if content.is_urgent() {
        "notification-urgent"
    } else {
        "push-news"
    };
    text(language, key, &[])
}

/// Records what became of a message to a device, unless it was removed meanwhile.
pub(super) fn record_arrival(
    change: &mut Change,
    to: &Destination,
    arrival: Arrival,
) -> Result<(), StoreError> {
    let Destination { guardian, device } = to;
    if !change.contains(&device_key(guardian, device))? {
        return Ok(());
    }
    let name = pending::channel_name(PUSH, device);
    arrivals::record(change, &name, Some(guardian), arrival)
}

/// Ends a device that its push service doesn't know any more, unless it was removed or has subscribed again meanwhile.
pub(super) fn end_if_same(
    change: &mut Change,
    to: &Destination,
    ended: &PushDevice,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Destination { guardian, device } = to;
    match change.get_readable::<PushDevice>(&device_key(guardian, device))? {
        Some(found) if found.device == ended.device => end(change, guardian, device, now),
        _ => Ok(()),
    }
}

/// What a guardian's browser needs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushStatus {
    /// The server's key; `None` if there is no https.
    pub key: Option<String>,
    /// Since when this device is notified.
    pub since: Option<Timestamp>,
    /// The number of the guardian's other devices that are notified.
    pub others: u64,
    /// Since when one of the guardian's devices can't be notified any more.
    pub ended_since: Option<Timestamp>,
}

impl Notifications {
    pub(super) fn has_https(&self) -> bool {
        self.addresses.plain.is_https()
            || (self.addresses.named.as_ref()).is_some_and(|it| it.status.is_usable())
    }

    pub fn push_status(&self, by: &SignedIn) -> Result<PushStatus, StoreError> {
        let (guardian, sign_in) = (by.guardian(), by.sign_in());
        let devices = self.store.texts_below(&devices_of(guardian))?;
        let others = devices.iter().filter(|it| *it != sign_in.as_str()).count();
        let own = device_key(guardian, sign_in.as_str());
        let own = readable(self.store.get::<PushDevice>(&own))?.flatten();
        Ok(PushStatus {
            key: self.has_https().then(|| self.push_sender.key.public()),
            since: own.map(|own| own.since),
            others: others.try_into().unwrap_or(u64::MAX),
            ended_since: ended_since(&self.store, guardian)?,
        })
    }

    /// Notifies the device that the guardian is signed in on, which has subscribed with this key of the server. Fails with
    /// [`NotificationsError::NoPush`], [`NotificationsError::PushKeyReplaced`], [`NotificationsError::InvalidEndpoint`] and
    /// [`NotificationsError::InvalidDeviceKeys`].
    pub async fn notify_device(
        &self,
        by: SteppedUp,
        key: String,
        endpoint: &str,
        p256dh: &str,
        auth: &str,
    ) -> Result<(), NotificationsError> {
        if !self.has_https() {
            return Err(NotificationsError::NoPush);
        }
        if key != self.push_sender.key.public() {
            return Err(NotificationsError::PushKeyReplaced);
        }
        let device = PushDevice {
            device: Device {
                endpoint: Endpoint::parse(endpoint, &self.servers().push_hosts)?,
                keys: DeviceKeys::new(p256dh, auth)?,
            },
            key,
            since: self.clock.now(),
        };
        let notifications = self.clone();
        let added = self.store.commit(move |change| {
            let (guardian, sign_in) = (by.guardian(), by.signed_in().sign_in());
            let sign_ins = &notifications.dependencies.sign_ins;
            sign_ins.require_in(change, by.signed_in())?;
            remove_same(change, &device.device.endpoint, guardian, device.since)?;
            remove(change, guardian, sign_in.as_str())?;
            forget_ended(change, guardian)?;
            make_room(change, guardian)?;
            granting::notify(&notifications, change, &by, Grant::Device)?;
            change.put(&device_key(guardian, sign_in.as_str()), &device)?;
            // Without a subscription, nothing is sent at all.
            let mut subscription = notifications.get(change, guardian)?;
            subscription.sign_out_count = granting::sign_out_count(change, guardian)?;
            store::put(change, guardian, &subscription)?;
            Ok(())
        });
        added.await
    }

    /// Stops notifying the device that the guardian is signed in on, and forgets which of theirs could no longer be notified.
    pub async fn stop_notifying_device(&self, by: &SignedIn) -> Result<(), StoreError> {
        let (guardian, sign_in) = (by.guardian().clone(), by.sign_in().clone());
        let removed = self.store.commit_for(Purpose::Essential, move |change| {
            remove(change, &guardian, sign_in.as_str())?;
            forget_ended(change, &guardian)
        });
        removed.await
    }
}
