//! Notifications to a guardian's phone: that there is something to look at, without words and without names.

use std::time::Duration;

use super::content::{NotificationContent, Reading};
use super::immediate::{Channel, compose_pending, with_outcome};
use super::rate_limit::GIVEN_UP_AFTER;
use super::servers::NTFY;
use super::{
    Grant, Kinds, Notifications, NotificationsError, Subscription, Topic, arrivals, granting,
    pending, store,
};
use crate::identity::{GuardianId, Guardians, SignedIn, SteppedUp};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::outgoing::ntfy::{self, Notification, NtfyServer};
use crate::kernel::outgoing::post::Post;
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Lane, NoAnswer, Places, Policy, Route,
};
use crate::kernel::store::{Change, Purpose, Read, StoreError};

/// The title never says what a notification is about.
const TITLE: &str = "Porchlight";

/// How long a test is retried: the guardian is waiting with the phone.
const TEST_GIVEN_UP_AFTER: Duration = Duration::from_secs(60 * 60);

/// What has waited longer says since when.
const RECENT: Duration = Duration::from_secs(30 * 60);

pub(super) const CHANNEL: Channel = Channel {
    name: "alerts-notification",
    is_on: |subscription| subscription.topic.is_some(),
    devices: None,
};

/// By guardian: what waits for the same guardian is one notification.
pub(super) struct AlertsNotification {
    pub reading: Reading,
    pub clock: Clock,
    pub addresses: Addresses,
    /// `None` if the administrator names none any more.
    pub server: Option<NtfyServer>,
}

impl Composer for AlertsNotification {
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
        Route::InOrder(NTFY)
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(self.server.as_ref().map(|_| Lane::Ordinary))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let id = GuardianId::from_text(&item.recipient);
        let now = self.clock.now();
        let since = pending::get(change, CHANNEL.name, &id)?.map(|pending| pending.since);
        let Some(content) =
            compose_pending(change, &CHANNEL, &self.reading, &id.clone().into(), now)?
        else {
            return Ok(None);
        };
        let recipient = recipient(&self.reading.guardians, change, &id)?;
        let (Some(server), Some((subscription, topic))) = (&self.server, recipient) else {
            pending::remove(change, CHANNEL.name, &id)?;
            return Ok(None);
        };
        let language = Guardians::language_of(change, &id)?;
        let notification = Notification {
            title: TITLE,
            message: sentence(language, &subscription, &content, since.unwrap_or(now), now),
            is_urgent: content.is_urgent(),
            click: self.click(&content),
        };
        let post = server.publish(&topic, &notification, &item.message_id);
        let message = with_outcome(
            reported(post, id.clone()),
            &CHANNEL,
            &self.reading,
            &self.clock,
            id.into(),
            content.covered,
        );
        Ok(Some(message))
    }
}

impl AlertsNotification {
    /// The page with the alerts, if a phone can reach it.
    fn click(&self, content: &NotificationContent) -> Option<String> {
        let path = match content.children.as_slice() {
            [only] => format!("/child/{}/alerts", only.child),
            _ => "/".to_owned(),
        };
        (!self.addresses.plain.is_loopback()).then(|| self.addresses.for_links().page(&path))
    }
}

fn reported(post: Post, id: GuardianId) -> Composed {
    Composed::from(post)
        .reported_to(move |change, arrival| arrivals::record(change, NTFY, Some(&id), arrival))
}

/// The guardian's subscription and topic; `None` if notifications are off, or the guardian is suspended.
fn recipient(
    guardians: &Guardians,
    view: &impl Read,
    id: &GuardianId,
) -> Result<Option<(Subscription, ntfy::Topic)>, StoreError> {
    if guardians.is_suspended(view, id)? {
        return Ok(None);
    }
    let subscription = store::readable(view, id)?;
    Ok(subscription.and_then(|subscription| {
        let topic = subscription.topic.clone()?;
        Some((subscription, topic.name))
    }))
}

fn sentence(
    language: Language,
    subscription: &Subscription,
    content: &NotificationContent,
    since: Timestamp,
    now: Timestamp,
) -> String {
    if content.is_urgent() {
        return text(language, "notification-urgent", &[]);
    }
    if now.since(since) < RECENT {
        return text(language, "notification-news", &[]);
    }
    let since = subscription.time_zone.in_words(since, language);
    text(
        language,
        "notification-news-since",
        &[("time", since.into())],
    )
}

/// The first notification to a new topic.
pub(super) struct TestNotification {
    pub guardians: Guardians,
    pub server: Option<NtfyServer>,
}

/// What a test says.
pub(super) fn test_sentence(language: Language) -> String {
    text(language, "notification-test", &[])
}

pub(super) fn test(language: Language) -> Notification {
    Notification {
        title: TITLE,
        message: test_sentence(language),
        is_urgent: false,
        click: None,
    }
}

impl Composer for TestNotification {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: "notification-test",
            places: Places::OF_EACH,
            gives_up_after: TEST_GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::TriedAgain,
        }
    }

    fn route(&self) -> Route {
        Route::InOrder(NTFY)
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(self.server.as_ref().map(|_| Lane::Security))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let id = GuardianId::from_text(&item.recipient);
        let recipient = recipient(&self.guardians, change, &id)?;
        let language = Guardians::language_of(change, &id)?;
        Ok(recipient
            .zip(self.server.as_ref())
            .map(|((_, topic), server)| {
                let post = server.publish(&topic, &test(language), &item.message_id);
                reported(post, id)
            }))
    }
}

impl Notifications {
    /// Switches notifications on with a new topic, and queues a test to it. The guardian is e-mailed of it.
    pub async fn switch_notifications_on(
        &self,
        by: SteppedUp,
    ) -> Result<(NtfyServer, ntfy::Topic), NotificationsError> {
        let server = self.dependencies.servers.ntfy.clone();
        let server = server.ok_or(NotificationsError::NoNotifications)?;
        let name = ntfy::Topic::generate(&self.randomness);
        let topic = Topic {
            name: name.clone(),
            since: self.clock.now(),
        };
        let notifications = self.clone();
        let switched = self.store.commit(move |change| {
            let guardian = by.guardian();
            let mut subscription = notifications.get(change, guardian)?;
            subscription.topic = Some(topic);
            subscription.sign_out_count = granting::sign_out_count(change, guardian)?;
            granting::notify(&notifications, change, &by, Grant::Notifications)?;
            store::put(change, guardian, &subscription)?;
            let test = &notifications.kinds.test;
            test.forget(change, guardian.as_str())?;
            arrivals::forget(change, NTFY, guardian)?;
            // The topic works without a test, too.
            let item = Item::new(guardian.as_str(), "", ());
            test.put_unless_full(change, &item).map(drop)
        });
        switched.await?;
        Ok((server, name))
    }

    /// Switches notifications off, which ends the topic.
    pub async fn switch_notifications_off(&self, by: &SignedIn) -> Result<(), StoreError> {
        let (notifications, guardian) = (self.clone(), by.guardian().clone());
        let switched = self.store.commit_for(Purpose::Essential, move |change| {
            let mut subscription = notifications.get(change, &guardian)?;
            if subscription.topic.take().is_some() {
                store::put(change, &guardian, &subscription)?;
            }
            pending::remove(change, CHANNEL.name, &guardian)?;
            arrivals::forget(change, NTFY, &guardian)?;
            let Kinds {
                alerts_notification,
                test,
                ..
            } = &notifications.kinds;
            alerts_notification.forget(change, guardian.as_str())?;
            test.forget(change, guardian.as_str())
        });
        switched.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::children::ChildId;
    use crate::kernel::host::texts::tests::test_languages::{
        TestLanguage, composed_in, english_words,
    };
    use crate::notifications::content::{ContentOfChild, Covered};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn content(is_urgent: bool) -> NotificationContent {
        let of_child = ContentOfChild {
            child: ChildId::new(1),
            name: "Mia".to_owned(),
            is_urgent,
            counts: Vec::new(),
            quotes: Vec::new(),
        };
        NotificationContent {
            children: vec![of_child],
            covered: Covered::default(),
        }
    }

    fn said(language: Language, since: &str, is_urgent: bool) -> String {
        let subscription = Subscription::off("Europe/Berlin".parse().unwrap());
        let now = at("2026-11-25T18:01:59Z");
        sentence(language, &subscription, &content(is_urgent), at(since), now)
    }

    #[test]
    fn notifications_are_translated() {
        let (now, before) = ("2026-11-25T18:01:00Z", "2026-11-24T18:01:00Z");
        let all = || {
            [
                said(Language::De, now, false),
                said(Language::De, before, false),
                said(Language::De, now, true),
                test_sentence(Language::De),
            ]
        };

        for sentence in composed_in(TestLanguage::Accented, all) {
            let english = english_words(&sentence, &["Europe", "Berlin"]);
            assert_eq!(english, [""; 0], "{sentence}");
        }
        assert!(all()[1].contains("Dienstag, 24. November 2026 um 19:01"));
    }

    #[test]
    fn what_is_urgent_says_so_however_long_it_waited_and_names_nobody() {
        for (language, expected) in [
            (Language::En, "Please open Porchlight now."),
            (Language::De, "Bitte öffne jetzt Porchlight."),
            (
                Language::Fr,
                "Ouvrez Porchlight maintenant, s’il vous plaît.",
            ),
            (Language::Es, "Abre Porchlight ahora, por favor."),
        ] {
            for since in ["2026-11-25T18:01:00Z", "2026-11-24T18:01:00Z"] {
                assert_eq!(said(language, since, true), expected);
            }
        }
    }
}
