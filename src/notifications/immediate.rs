//! Notifies guardians of alerts at once.
//!
//! A new notifiable alert is added to what waits, in the change that stores it, for each guardian and channel that wants it. If a
//! message may be sent now, it is queued in the same change; otherwise [`ImmediateNotifier::queue_due`] queues it when its time has
//! come. The message tells of everything that waits by then, so a guardian gets one. What it says, and whether it may be sent, is
//! decided when it is handed over.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::content::{Covered, NotificationContent, Reading};
use super::pending::{self, PendingDigest};
use super::rate_limit::{OLD, is_old, may_be_sent_at, pause_after_failure};
use super::subscription::Subscription;
use super::webhook::QueuedEvent;
use super::{store, webhook};
use crate::alerts::{NewAlert, Occasion};
use crate::identity::GuardianId;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::outgoing::queue::{Composed, Item, Kind, Outcome};
use crate::kernel::store::{Change, Purpose, Store, StoreError};

/// A way to notify a guardian of alerts at once.
pub struct Channel {
    /// Its name in the store, and that of its kind of queued messages.
    pub name: &'static str,
    /// Whether the guardian wants it.
    pub is_on: fn(&Subscription) -> bool,
    /// The guardian's devices, each of which gets its own messages; `None` if the guardian gets them.
    pub devices: Option<DevicesOf>,
}

pub type DevicesOf = fn(&Change, &GuardianId) -> Result<Vec<String>, StoreError>;

impl Channel {
    /// Whom its messages go to: the guardian's devices, or the guardian as a device without a name.
    fn recipients(&self, view: &Change, guardian: &GuardianId) -> Result<Vec<String>, StoreError> {
        match self.devices {
            Some(devices) => devices(view, guardian),
            None => Ok(vec![String::new()]),
        }
    }
}

/// One of a channel's recipients.
#[derive(Clone)]
pub(super) struct Destination {
    pub guardian: GuardianId,
    /// Empty if the channel has no devices.
    pub device: String,
}

impl From<GuardianId> for Destination {
    fn from(guardian: GuardianId) -> Self {
        let device = String::new();
        Self { guardian, device }
    }
}

/// Notifies by all channels. Clones share them.
#[derive(Clone)]
pub struct ImmediateNotifier {
    store: Store,
    clock: Clock,
    channels: Arc<[(Channel, Kind<()>)]>,
    /// For the administrator's webhook, if there is one.
    webhook: Option<Kind<QueuedEvent>>,
}

impl ImmediateNotifier {
    pub(super) fn new(
        store: Store,
        clock: Clock,
        channels: Vec<(Channel, Kind<()>)>,
        webhook: Option<Kind<QueuedEvent>>,
    ) -> Self {
        Self {
            store,
            clock,
            channels: channels.into(),
            webhook,
        }
    }

    /// Adds an alert to what waits to be sent, in the change that stores it. Not one about something too long ago, and nothing in the
    /// demonstration.
    pub fn enqueue(&self, change: &mut Change, new: &NewAlert<'_>) -> Result<(), StoreError> {
        if is_old(new.alert) || self.store.is_demo() {
            return Ok(());
        }
        if let Some(webhook) = &self.webhook
            && new.occasion == Occasion::New
        {
            webhook::enqueue(webhook, change, new)?;
        }
        let Some(kind) = new.alert.kind.notifiable() else {
            return Ok(());
        };
        for guardian in new.to {
            let Some(subscription) = store::readable(change, guardian)? else {
                continue;
            };
            if !subscription.at_once.includes(kind, new.child) {
                continue;
            }
            for channel in &*self.channels {
                if !(channel.0.is_on)(&subscription) {
                    continue;
                }
                for device in channel.0.recipients(change, guardian)? {
                    let guardian = guardian.clone();
                    let to = Destination { guardian, device };
                    self.add(change, channel, &to, &subscription, new)?;
                }
            }
        }
        Ok(())
    }

    /// Adds an alert to what waits.
    fn add(
        &self,
        change: &mut Change,
        channel: &(Channel, Kind<()>),
        to: &Destination,
        subscription: &Subscription,
        new: &NewAlert<'_>,
    ) -> Result<(), StoreError> {
        let (name, guardian) = (
            pending::channel_name(channel.0.name, &to.device),
            &to.guardian,
        );
        let before = pending::get(change, &name, guardian)?;
        let with_new = with_alert(before.clone(), new, self.clock.now());
        if before.as_ref() == Some(&with_new) {
            return Ok(());
        }
        pending::put(change, &name, guardian, &with_new)?;
        if before.is_none() || new.alert.is_urgent() {
            self.queue_if_due(change, channel, to, subscription, &with_new)?;
        }
        Ok(())
    }

    /// Queues the message if it may be sent now and isn't queued.
    fn queue_if_due(
        &self,
        change: &mut Change,
        channel: &(Channel, Kind<()>),
        to: &Destination,
        subscription: &Subscription,
        pending: &PendingDigest,
    ) -> Result<(), StoreError> {
        if !self.is_due(change, channel, to, subscription, pending)? {
            return Ok(());
        }
        let item = Item::new(to.guardian.as_str(), &to.device, ());
        // If the queue is full, it is tried again with the next ones that are due.
        channel.1.put_unless_full(change, &item).map(drop)
    }

    fn is_due(
        &self,
        view: &Change,
        (channel, kind): &(Channel, Kind<()>),
        to: &Destination,
        subscription: &Subscription,
        pending: &PendingDigest,
    ) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let Destination { guardian, device } = to;
        let is_queued = kind.is_queued(view, guardian.as_str(), device)?;
        // A pause that is longer than any was stored while the clock was wrong.
        let pauses = pending
            .not_before
            .is_some_and(|then| now < then && then.since(now) <= pause_after_failure(OLD, false));
        let name = pending::channel_name(channel.name, device);
        let last = pending::last_sent_at(view, &name, guardian)?;
        let is_urgent = pending.urgent.is_some();
        Ok(!is_queued && !pauses && may_be_sent_at(subscription, last, is_urgent, now) <= now)
    }

    /// Queues the messages whose time has come: ten minutes after the last one, or at the end of quiet hours.
    pub async fn queue_due(&self) -> Result<(), StoreError> {
        let store = &self.store;
        let mut some_are_pending = false;
        for (channel, _) in &*self.channels {
            some_are_pending =
                some_are_pending || !pending::recipients(store, channel.name)?.is_empty();
        }
        if !some_are_pending {
            return Ok(());
        }
        let notifier = self.clone();
        let queued = store.commit_for(Purpose::Essential, move |change| {
            for channel in &*notifier.channels {
                for (guardian, device) in pending::recipients(change, channel.0.name)? {
                    let to = Destination { guardian, device };
                    notifier.queue_pending(change, channel, &to)?;
                }
            }
            Ok::<_, StoreError>(())
        });
        queued.await
    }

    fn queue_pending(
        &self,
        change: &mut Change,
        channel: &(Channel, Kind<()>),
        to: &Destination,
    ) -> Result<(), StoreError> {
        let (name, guardian) = (
            pending::channel_name(channel.0.name, &to.device),
            &to.guardian,
        );
        let subscription = store::readable(change, guardian)?;
        let pending = pending::get(change, &name, guardian)?;
        let is_there = channel.0.recipients(change, guardian)?.contains(&to.device);
        match (pending, subscription) {
            (Some(pending), Some(subscription)) if is_there && (channel.0.is_on)(&subscription) => {
                self.queue_if_due(change, channel, to, &subscription, &pending)
            }
            _ => pending::remove(change, &name, guardian),
        }
    }
}

/// What waits, with a new alert or one that is open again.
fn with_alert(before: Option<PendingDigest>, new: &NewAlert<'_>, now: Timestamp) -> PendingDigest {
    let (id, arrived_at) = (new.alert.alert_id, new.alert.arrived_at);
    let mut pending = before.unwrap_or(PendingDigest {
        from: pending::NONE,
        earlier: BTreeSet::new(),
        since: now,
        urgent: None,
        not_before: None,
    });
    if new.occasion == Occasion::New {
        // The clock may have been set back.
        pending.since = pending.since.min(arrived_at);
        pending.from = pending.from.min(id);
    } else if id < pending.from {
        pending.earlier.insert(id);
    }
    if new.alert.is_urgent() {
        pending.urgent = pending.urgent.max(Some(id));
        // It doesn't wait for what failed before it.
        pending.not_before = None;
    }
    pending
}

/// What a channel's message to a guardian tells, in the change that composes it. `None` if there is nothing to tell, or not now.
pub(super) fn compose_pending(
    change: &mut Change,
    channel: &Channel,
    reading: &Reading,
    to: &Destination,
    now: Timestamp,
) -> Result<Option<NotificationContent>, StoreError> {
    let (name, guardian) = (
        pending::channel_name(channel.name, &to.device),
        &to.guardian,
    );
    let Some(pending) = pending::get(change, &name, guardian)? else {
        return Ok(None);
    };
    let content = match store::readable(change, guardian)? {
        Some(subscription) if (channel.is_on)(&subscription) => {
            let last = pending::last_sent_at(change, &name, guardian)?;
            if may_be_sent_at(&subscription, last, pending.urgent.is_some(), now) > now {
                return Ok(None);
            }
            reading.content(change, guardian, subscription, &pending, now)?
        }
        _ => None,
    };
    if content.is_none() {
        pending::remove(change, &name, guardian)?;
    }
    Ok(content)
}

/// The message to a guardian about these alerts, which records its outcome.
pub(super) fn with_outcome(
    message: Composed,
    channel: &'static Channel,
    reading: &Reading,
    clock: &Clock,
    to: Destination,
    covered: Covered,
) -> Composed {
    let (reading, clock) = (reading.clone(), clock.clone());
    message.with_outcome(move |change, outcome| {
        let now = clock.now();
        record_outcome(change, channel, &reading, &to, &covered, outcome, now)
    })
}

/// Records the outcome of a message that told of these alerts.
fn record_outcome(
    change: &mut Change,
    channel: &Channel,
    reading: &Reading,
    to: &Destination,
    covered: &Covered,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (name, guardian) = (
        &*pending::channel_name(channel.name, &to.device),
        &to.guardian,
    );
    let Some(before) = pending::get(change, name, guardian)? else {
        if let Outcome::Sent(at) = outcome {
            pending::put_last_sent_at(change, name, guardian, at)?;
        }
        return Ok(());
    };
    let Outcome::Sent(at) = outcome else {
        let waited = now.since(before.since);
        let later = PendingDigest {
            not_before: Some(now.after(pause_after_failure(waited, before.urgent.is_some()))),
            ..before
        };
        return pending::put(change, name, guardian, &later);
    };
    pending::put_last_sent_at(change, name, guardian, at)?;
    let subscription = store::readable(change, guardian)?;
    let subscription = subscription.filter(|subscription| (channel.is_on)(subscription));
    let since = match subscription {
        // Only earlier ones were told.
        Some(_) if covered.up_to == 0 => (before.from != pending::NONE).then_some(before.since),
        Some(subscription) => {
            reading.oldest_after(change, guardian, &subscription, covered.up_to)?
        }
        None => return pending::remove(change, name, guardian),
    };
    let earlier = before.earlier.difference(&covered.earlier).copied();
    let earlier = earlier.collect::<BTreeSet<_>>();
    if since.is_none() && earlier.is_empty() {
        return pending::remove(change, name, guardian);
    }
    let from = match covered.up_to {
        0 => before.from,
        up_to => up_to + 1,
    };
    let later = before.urgent.filter(|urgent| *urgent > covered.up_to);
    let later = later.filter(|urgent| !covered.earlier.contains(urgent));
    let rest = PendingDigest {
        from: since.map_or(pending::NONE, |_| from),
        since: since.unwrap_or(now),
        urgent: later.or(earlier.last().copied()),
        earlier,
        not_before: None,
    };
    pending::put(change, name, guardian, &rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::{Alert, Concern, Flagged, Kind as AlertKind, QuotePosition, Severity};
    use crate::children::{ChildId, SessionId};
    use crate::kernel::host::clock::ManualClock;
    use crate::kernel::host::randomness::Randomness;
    use crate::kernel::host::zones::Zone;
    use crate::kernel::outgoing::mail::Mailer;
    use crate::kernel::outgoing::queue::{Composer, NoAnswer, Places, Policy, Queue};
    use crate::notifications::subscription::quiet_hours;

    const CHANNEL: Channel = Channel {
        name: "test-channel",
        is_on: |_| true,
        devices: None,
    };

    struct OfChannel;

    impl Composer for OfChannel {
        type Data = ();

        fn policy(&self) -> Policy {
            Policy {
                name: CHANNEL.name,
                places: Places::OF_EACH,
                gives_up_after: OLD,
                on_no_answer: NoAnswer::CountsAsSent,
            }
        }

        fn compose(
            &self,
            _: &mut Change,
            _: Item<Self::Data>,
        ) -> Result<Option<Composed>, StoreError> {
            Ok(None)
        }
    }

    /// A reviewer's alert.
    fn finding(id: u64, now: Timestamp, is_urgent: bool) -> Alert {
        let severity = if is_urgent {
            Severity::Urgent
        } else {
            Severity::Look
        };
        Alert {
            alert_id: id,
            flagged: Some(Flagged {
                concern: Concern::Stranger,
                severity,
                model: String::new(),
                place: QuotePosition::of("", [0, 0]).unwrap(),
            }),
            ..Alert::new(AlertKind::Reviewer, now, now, SessionId::new(id))
        }
    }

    #[tokio::test]
    async fn an_urgent_finding_is_queued_at_once_and_others_wait_for_the_end_of_quiet_hours() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let now = "2026-11-25T23:00:00Z".parse::<Timestamp>().unwrap();
        let clock = Clock::Manual(ManualClock::at(now));
        let mailer = Mailer::Memory(Arc::default());
        let randomness = Randomness::repeatable();
        let queue = Queue::new(store.clone(), clock.clone(), randomness, mailer);
        let kind = queue.register(OfChannel);
        let channels = vec![(CHANNEL, kind.clone())];
        let notifier = ImmediateNotifier::new(store.clone(), clock, channels, None);
        let [ada, ben] = ["gdn_ada", "gdn_ben"].map(GuardianId::from_text);
        let noted = store.commit(move |change| {
            for (guardian, urgent_passes) in [(&ada, true), (&ben, false)] {
                let mut subscription = Subscription::off(Zone::UTC);
                let [from, to] = ["22:00", "07:00"].map(|text| text.parse().unwrap());
                subscription.at_once.quiet_hours = Some(quiet_hours(from, to).unwrap());
                subscription.at_once.urgent_passes = urgent_passes;
                store::put(change, guardian, &subscription)?;
            }
            let to = [ada.clone(), ben.clone()];
            let mut queued = Vec::new();
            for (number, is_urgent) in [(1, false), (2, true)] {
                let new = NewAlert {
                    child: ChildId::new(1),
                    alert: &finding(number, now, is_urgent),
                    to: &to,
                    occasion: Occasion::New,
                };
                notifier.enqueue(change, &new)?;
                for guardian in &to {
                    queued.push(kind.is_queued(change, guardian.as_str(), "")?);
                }
            }
            let pending = pending::get(change, CHANNEL.name, &ben)?.unwrap();
            assert_eq!((pending.from, pending.urgent), (1, Some(2)));
            Ok::<_, StoreError>(queued)
        });

        assert_eq!(noted.await.unwrap(), [false, false, true, false]);
    }

    fn noted(
        before: Option<PendingDigest>,
        id: u64,
        occasion: Occasion,
        is_urgent: bool,
    ) -> PendingDigest {
        let now = "2026-11-25T12:00:00Z".parse::<Timestamp>().unwrap();
        let new = NewAlert {
            child: ChildId::new(1),
            alert: &finding(id, now, is_urgent),
            to: &[],
            occasion,
        };
        with_alert(before, &new, now)
    }

    #[test]
    fn an_old_alert_that_turns_urgent_does_not_repeat_all_that_arrived_since() {
        let alone = noted(None, 3, Occasion::OpenAgain, true);
        assert_eq!((alone.from, alone.urgent), (pending::NONE, Some(3)));
        assert_eq!(alone.earlier, BTreeSet::from([3]));

        let with_new = noted(Some(alone), 9, Occasion::New, false);
        assert_eq!((with_new.from, with_new.urgent), (9, Some(3)));
        assert_eq!(with_new.earlier, BTreeSet::from([3]));

        let waits_already = noted(Some(with_new.clone()), 9, Occasion::OpenAgain, true);
        assert_eq!(waits_already.earlier, with_new.earlier);
    }

    #[test]
    fn an_urgent_alert_does_not_wait_for_what_failed_before_it() {
        let failed = |is_urgent| {
            let mut before = noted(None, 1, Occasion::New, false);
            before.not_before = Some("2026-11-25T18:00:00Z".parse().unwrap());
            noted(Some(before), 2, Occasion::New, is_urgent)
                .not_before
                .is_some()
        };

        assert!(failed(false));
        assert!(!failed(true));
    }
}
