//! Tells guardians of alerts at once.
//!
//! A new alert that rings is noted in the change that stores it, for each guardian and channel that wants it. If a message may be
//! sent now, it is queued in the same change; otherwise [`AtOnce::queue_due`] queues it when its time has come. The message tells
//! of everything that waits by then, so a guardian gets one. What it says, and whether it may be sent, is decided when it is
//! handed over.

use std::sync::Arc;

use super::pace::{BETWEEN, OLD, is_old, may_be_told_at, pause_after_failure};
use super::subscription::{RingingKind, Subscription};
use super::told::{Reading, Told};
use super::waiting::{self, Waiting};
use super::{store, webhook};
use crate::alerts::NewAlert;
use crate::identity::GuardianId;
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::queue::{Composed, Item, Outcome, Queue};
use crate::kernel::store::{Change, Purpose, Store, StoreError};

/// A way to tell a guardian of alerts at once.
pub struct Channel {
    /// Its name in the store, and that of the kind of queued messages by which it tells.
    pub name: &'static str,
    /// Whether the guardian wants it.
    pub is_on: fn(&Subscription) -> bool,
}

/// Notes new alerts for all channels. Clones share them.
#[derive(Clone)]
pub struct Ringing {
    shared: Arc<Channels>,
    /// Whether alerts are sent to the administrator's webhook, too.
    has_webhook: bool,
}

struct Channels {
    store: Store,
    clock: Clock,
    queue: Queue,
    channels: Vec<Channel>,
}

impl Ringing {
    pub fn new(store: Store, clock: Clock, queue: Queue, channels: Vec<Channel>) -> Self {
        let shared = Arc::new(Channels {
            store,
            clock,
            queue,
            channels,
        });
        Self {
            shared,
            has_webhook: false,
        }
    }

    #[must_use]
    pub fn with_webhook(self, has_webhook: bool) -> Self {
        Self {
            has_webhook,
            ..self
        }
    }

    /// Notes a new alert, in the change that stores it. The demonstration tells nothing.
    pub fn note(&self, change: &mut Change, new: &NewAlert<'_>) -> Result<(), StoreError> {
        if is_old(new.alert) || self.shared.store.is_demo() {
            return Ok(());
        }
        if self.has_webhook && new.is_first {
            webhook::note(&self.shared.queue, change, new)?;
        }
        let Some(kind) = RingingKind::of(new.alert.kind) else {
            return Ok(());
        };
        for guardian in new.to {
            let Some(subscription) = store::readable(change, guardian)? else {
                continue;
            };
            if !subscription.at_once.includes(kind, new.child) {
                continue;
            }
            for channel in &self.shared.channels {
                if (channel.is_on)(&subscription) {
                    self.wait(change, channel, guardian, &subscription, new)?;
                }
            }
        }
        Ok(())
    }

    fn wait(
        &self,
        change: &mut Change,
        channel: &Channel,
        guardian: &GuardianId,
        subscription: &Subscription,
        new: &NewAlert<'_>,
    ) -> Result<(), StoreError> {
        let alert = new.alert;
        let before = waiting::get(change, channel.name, guardian)?;
        let mut now_waiting = before.unwrap_or(Waiting {
            from: alert.alert_id,
            since: alert.arrived_at,
            urgent: None,
            not_before: None,
        });
        // An alert that has become urgent may be older than what waits.
        now_waiting.from = now_waiting.from.min(alert.alert_id);
        // The clock may have been set back.
        now_waiting.since = now_waiting.since.min(alert.arrived_at);
        if new.is_urgent {
            now_waiting.urgent = now_waiting.urgent.max(Some(alert.alert_id));
        }
        if before == Some(now_waiting) {
            return Ok(());
        }
        waiting::put(change, channel.name, guardian, &now_waiting)?;
        if before.is_none() || new.is_urgent {
            self.queue_if_due(change, channel, guardian, subscription, &now_waiting)?;
        }
        Ok(())
    }

    /// Queues the message if it may be sent now and isn't queued.
    fn queue_if_due(
        &self,
        change: &mut Change,
        channel: &Channel,
        guardian: &GuardianId,
        subscription: &Subscription,
        waiting: &Waiting,
    ) -> Result<(), StoreError> {
        if !self.is_due(change, channel, guardian, subscription, waiting)? {
            return Ok(());
        }
        let item = Item::new(guardian.as_str(), "");
        // If the queue is full, it is tried again with the next ones that are due.
        let queue = &self.shared.queue;
        queue.put_unless_full(change, channel.name, item).map(drop)
    }

    fn is_due(
        &self,
        view: &Change,
        channel: &Channel,
        guardian: &GuardianId,
        subscription: &Subscription,
        waiting: &Waiting,
    ) -> Result<bool, StoreError> {
        let now = self.shared.clock.now();
        let queue = &self.shared.queue;
        let queued = queue.data::<serde_json::Value>(view, channel.name, guardian.as_str(), "")?;
        // A pause that is longer than any was stored while the clock was wrong.
        let pauses = waiting
            .not_before
            .is_some_and(|then| now < then && then.since(now) <= pause_after_failure(OLD));
        let last = waiting::last_told_at(view, channel.name, guardian)?;
        let is_urgent = waiting.urgent.is_some();
        Ok(
            queued.is_none()
                && !pauses
                && may_be_told_at(subscription, last, is_urgent, now) <= now,
        )
    }

    /// Queues the messages whose time has come: ten minutes after the last one, or at the end of quiet hours.
    pub async fn queue_due(&self) -> Result<(), StoreError> {
        let store = &self.shared.store;
        let mut some_wait = false;
        for channel in &self.shared.channels {
            some_wait = some_wait || !waiting::guardians(store, channel.name)?.is_empty();
        }
        if !some_wait {
            return Ok(());
        }
        let ringing = self.clone();
        let queued = store.commit_for(Purpose::Essential, move |change| {
            for channel in &ringing.shared.channels {
                for guardian in waiting::guardians(change, channel.name)? {
                    ringing.queue_waiting(change, channel, &guardian)?;
                }
            }
            Ok::<_, StoreError>(())
        });
        queued.await?
    }

    fn queue_waiting(
        &self,
        change: &mut Change,
        channel: &Channel,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        let subscription = store::readable(change, guardian)?;
        let waiting = waiting::get(change, channel.name, guardian)?;
        match (waiting, subscription) {
            (Some(waiting), Some(subscription)) if (channel.is_on)(&subscription) => {
                self.queue_if_due(change, channel, guardian, &subscription, &waiting)
            }
            _ => waiting::remove(change, channel.name, guardian),
        }
    }
}

/// What a channel's message to a guardian tells, in the change that composes it. `None` if there is nothing to tell, or not now.
pub(super) fn take_turn(
    change: &mut Change,
    channel: &Channel,
    reading: &Reading,
    guardian: &GuardianId,
    now: Timestamp,
) -> Result<Option<Told>, StoreError> {
    let Some(waiting) = waiting::get(change, channel.name, guardian)? else {
        return Ok(None);
    };
    let told = match store::readable(change, guardian)? {
        Some(subscription) if (channel.is_on)(&subscription) => {
            let last = waiting::last_told_at(change, channel.name, guardian)?;
            if may_be_told_at(&subscription, last, waiting.urgent.is_some(), now) > now {
                return Ok(None);
            }
            reading.told(
                change,
                guardian,
                subscription,
                waiting.from,
                waiting.since,
                now,
            )?
        }
        _ => None,
    };
    if told.is_none() {
        waiting::remove(change, channel.name, guardian)?;
    }
    Ok(told)
}

/// The message to a guardian about the alerts up to this number, which records its outcome.
pub(super) fn settled(
    message: Composed,
    channel: &'static Channel,
    reading: &Reading,
    clock: &Clock,
    guardian: GuardianId,
    up_to: u64,
) -> Composed {
    let (reading, clock) = (reading.clone(), clock.clone());
    message.settled_by(move |change, outcome| {
        let now = clock.now();
        settle(change, channel, &reading, &guardian, up_to, outcome, now)
    })
}

/// Records the outcome of a message that told of the alerts up to this number.
fn settle(
    change: &mut Change,
    channel: &Channel,
    reading: &Reading,
    guardian: &GuardianId,
    up_to: u64,
    outcome: Outcome,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(before) = waiting::get(change, channel.name, guardian)? else {
        if let Outcome::Sent(at) = outcome {
            waiting::put_last_told_at(change, channel.name, guardian, at)?;
        }
        return Ok(());
    };
    let Outcome::Sent(at) = outcome else {
        let pause = pause_after_failure(now.since(before.since).max(BETWEEN));
        let later = Waiting {
            not_before: Some(now.after(pause)),
            ..before
        };
        return waiting::put(change, channel.name, guardian, &later);
    };
    waiting::put_last_told_at(change, channel.name, guardian, at)?;
    let subscription = store::readable(change, guardian)?;
    let subscription = subscription.filter(|subscription| (channel.is_on)(subscription));
    let since = match subscription {
        Some(subscription) => reading.oldest_after(change, guardian, &subscription, up_to)?,
        None => None,
    };
    match since {
        Some(since) => {
            let rest = Waiting {
                from: up_to + 1,
                since,
                urgent: before.urgent.filter(|urgent| *urgent > up_to),
                not_before: None,
            };
            waiting::put(change, channel.name, guardian, &rest)
        }
        None => waiting::remove(change, channel.name, guardian),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::{Alert, Kind as AlertKind};
    use crate::children::{ChildId, SessionId};
    use crate::kernel::clock::ManualClock;
    use crate::kernel::mail::Mailer;
    use crate::kernel::queue::{Kind, Lane, NoAnswer, Policy};
    use crate::kernel::randomness::Randomness;
    use crate::kernel::zones::Zone;
    use crate::subscriptions::subscription::quiet_hours;

    const CHANNEL: Channel = Channel {
        name: "test-channel",
        is_on: |_| true,
    };

    struct OfChannel;

    impl Kind for OfChannel {
        fn policy(&self) -> Policy {
            Policy {
                name: CHANNEL.name,
                capacity: 10,
                gives_up_after: OLD,
                on_no_answer: NoAnswer::CountsAsSent,
            }
        }

        fn lane(&self, _: &mut Change, _: &Item) -> Result<Option<Lane>, StoreError> {
            Ok(Some(Lane::Ordinary))
        }

        fn compose(&self, _: &mut Change, _: &Item) -> Result<Option<Composed>, StoreError> {
            Ok(None)
        }
    }

    #[tokio::test]
    async fn an_urgent_finding_is_queued_at_once_and_others_wait_for_the_end_of_quiet_hours() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), false).unwrap();
        let now = "2026-11-25T23:00:00Z".parse::<Timestamp>().unwrap();
        let clock = Clock::Manual(ManualClock::at(now));
        let mailer = Mailer::Memory(Arc::default());
        let randomness = Randomness::repeatable();
        let queue = Queue::new(store.clone(), clock.clone(), randomness, mailer);
        queue.register(OfChannel);
        let channels = vec![CHANNEL];
        let ringing = Ringing::new(store.clone(), clock, queue.clone(), channels);
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
                let session = SessionId::new(number);
                let mut alert = Alert::new(AlertKind::Phrase, now, now, session);
                alert.alert_id = number;
                let new = NewAlert {
                    child: ChildId::new(1),
                    alert: &alert,
                    to: &to,
                    is_urgent,
                    is_first: true,
                };
                ringing.note(change, &new)?;
                for guardian in &to {
                    let data = queue.data::<serde_json::Value>(
                        change,
                        CHANNEL.name,
                        guardian.as_str(),
                        "",
                    );
                    queued.push(data?.is_some());
                }
            }
            let waiting = waiting::get(change, CHANNEL.name, &ben)?.unwrap();
            assert_eq!((waiting.from, waiting.urgent), (1, Some(2)));
            Ok::<_, StoreError>(queued)
        });

        assert_eq!(noted.await.unwrap().unwrap(), [false, false, true, false]);
    }
}
