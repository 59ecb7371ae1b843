//! The weekly e-mail: how much each of a guardian's children talked, how many conversations and alerts there were, and what
//! is wrong with an assistant. Topics are in it only if the guardian has switched them on.
//!
//! It is queued at its hour, or later if the server was off, but not more than a day later. No day is in two e-mails. The queue
//! holds its day only: what happened in the week before is read when it is handed over, as far as the guardian may see it then.

mod due;
mod email;
mod week;

use std::time::Duration;

use super::arrivals;
use super::servers::EMAIL;
use super::subscription::Subscription;
use super::unsubscribe::{Unsubscribing, Which};
use super::{Dependencies, Notifications, store};
use crate::identity::{
    Environment, Guardian, GuardianId, Guardians, NOTICE_GIVEN_UP_AFTER, Notices, to_guardian,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::zones::Day;
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, Lane, NoAnswer, Places, Policy,
};
use crate::kernel::store::{Change, Purpose, Read, StoreError, readable};
use due::Schedule;
use week::Sources;

const GIVEN_UP_AFTER: Duration = NOTICE_GIVEN_UP_AFTER;

/// A guardian whose e-mail is due, and its day.
type Due = (GuardianId, Day);

/// Registers the weekly e-mail, which is queued by guardian, with the day on which it is due.
pub(super) fn register(
    environment: &Environment,
    dependencies: &Dependencies,
    unsubscribing: &Unsubscribing,
) -> Kind<Day> {
    environment.queue.register(WeeklyEmail {
        guardians: dependencies.guardians.clone(),
        sources: Sources {
            children: dependencies.children.clone(),
            metrics: dependencies.metrics.clone(),
            alerts: dependencies.alerts.clone(),
        },
        addresses: environment.addresses(),
        clock: environment.clock.clone(),
        unsubscribing: unsubscribing.clone(),
    })
}

fn schedule(subscription: &Subscription) -> Schedule {
    Schedule {
        weekday: subscription.weekly.weekday as u8,
        hour: subscription.weekly.hour,
        zone: subscription.time_zone.clone(),
    }
}

/// The day of the e-mail that this guardian is to get now.
fn due_to(
    view: &impl Read,
    guardian: &GuardianId,
    subscription: &Subscription,
    now: Timestamp,
) -> Result<Option<Day>, StoreError> {
    let since = subscription.weekly_since.unwrap_or(now);
    let last = store::last_weekly(view, guardian)?;
    Ok(schedule(subscription).due(since, last, now))
}

impl Notifications {
    /// Queues the weekly e-mails that are due.
    pub async fn queue_weekly(&self) -> Result<(), StoreError> {
        if !self.queue.sends_email() || self.due_weekly(&self.store)?.is_empty() {
            return Ok(());
        }
        let notifications = self.clone();
        let queued = self.store.commit_for(Purpose::Essential, move |change| {
            for (guardian, day) in notifications.due_weekly(change)? {
                notifications.queue_weekly_to(change, &guardian, day)?;
            }
            Ok(())
        });
        queued.await
    }

    fn due_weekly(&self, view: &impl Read) -> Result<Vec<Due>, StoreError> {
        let now = self.clock.now();
        let mut due = Vec::new();
        for (guardian, subscription) in Self::with_weekly(view)? {
            let day = due_to(view, &guardian, &subscription, now)?;
            due.extend(day.map(|day| (guardian, day)));
        }
        Ok(due)
    }

    fn queue_weekly_to(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        day: Day,
    ) -> Result<(), StoreError> {
        let recipient = Notices::recipient(&self.dependencies.guardians, change, guardian);
        // One unreadable guardian doesn't block the others.
        if readable(recipient)?.flatten().is_none() {
            return Ok(());
        }
        // If the queue is full, it is tried again for a day.
        let item = Item::new(guardian.as_str(), "", day);
        if self.kinds.weekly.put_unless_full(change, &item)? {
            store::put_last_weekly(change, guardian, day)?;
        }
        Ok(())
    }
}

struct WeeklyEmail {
    guardians: Guardians,
    sources: Sources,
    addresses: Addresses,
    clock: Clock,
    unsubscribing: Unsubscribing,
}

impl WeeklyEmail {
    /// The recipient and their settings; `None` if the guardian may not get it any more.
    fn recipient(
        &self,
        view: &impl Read,
        item: &Item<Day>,
    ) -> Result<Option<(Guardian, Subscription)>, StoreError> {
        let Some(guardian) = Notices::recipient_of(&self.guardians, view, item)? else {
            return Ok(None);
        };
        let subscription = store::readable(view, &guardian.id)?;
        let subscription = subscription.filter(|subscription| subscription.weekly.enabled);
        Ok(subscription.map(|subscription| (guardian, subscription)))
    }
}

impl Composer for WeeklyEmail {
    type Data = Day;

    fn policy(&self) -> Policy {
        Policy {
            name: "weekly",
            places: Places::OF_EACH,
            gives_up_after: GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::CountsAsSent,
        }
    }

    fn lane(
        &self,
        change: &mut Change,
        item: &Item<Self::Data>,
    ) -> Result<Option<Lane>, StoreError> {
        let recipient = self.recipient(change, item)?;
        Ok(recipient.map(|_| Lane::Ordinary))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let Some((guardian, subscription)) = self.recipient(change, &item)? else {
            return Ok(None);
        };
        let (day, now) = (item.data, self.clock.now());
        let zone = &subscription.time_zone;
        let week = self.sources.week(change, &guardian.id, zone, day, now)?;
        if week.is_empty() {
            return Ok(None);
        }
        let (with_topics, link) = (
            subscription.has_quotes(),
            self.addresses.for_links().page("/"),
        );
        let mut email = to_guardian(&guardian, |language| {
            email::draft(language, &week, with_topics, &link)
        });
        email.unsubscribe = self.unsubscribing.url(&guardian, Which::Weekly);
        let whose = guardian.id;
        Ok(Some(Composed::from(email).reported_to(
            move |change, arrival| arrivals::record(change, EMAIL, Some(&whose), arrival),
        )))
    }
}
