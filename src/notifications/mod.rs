//! What guardians are notified of, by which channel and when.
//!
//! Each guardian has a subscription of their own, in which everything is off at first: what they are notified of at once, and a weekly
//! e-mail. Messages go to verified addresses only, and whether they may be sent is checked again when they are handed over. They
//! have no words of a conversation unless the guardian, stepped up, has switched on that e-mails include quotes and topics.

pub mod api;
mod arrivals;
mod arrived;
mod content;
mod ending;
mod error;
mod granting;
mod immediate;
mod immediate_email;
mod notification;
mod pending;
mod push;
mod push_devices;
mod rate_limit;
mod servers;
mod store;
mod subscription;
mod testing;
mod unsubscribe;
mod webhook;
mod weekly;

use std::sync::Arc;
use std::time::Duration;

use crate::alerts::AlertReader;
use crate::children::feature::Feature;
use crate::children::{Children, ChildrenError};
use crate::conversations::transcripts::Transcripts;
use crate::identity::{Caller, Environment, GuardianId, Guardians, Notices, SignIns, SignedIn};
use crate::insights::metrics::Metrics;
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::zones::{Day, Zone};
use crate::kernel::http::limit::{Limit, Rate};
use crate::kernel::outgoing::push::PushKey;
use crate::kernel::outgoing::queue::{Kind, Queue};
use crate::kernel::store::{Change, Purpose, Read, Store, StoreError};

pub use arrivals::{Arrivals, NotTaken};
pub use arrived::{ArrivalsOfAll, NotArriving, not_arriving};
pub use content::{ContentOfChild, Count, NotificationContent, Reading};
pub use error::NotificationsError;
pub use granting::Grant;
pub use immediate::ImmediateNotifier;
pub use push::PushStatus;
pub use servers::Servers;
pub use store::end_what_was_granted;
pub use subscription::{
    AtOnce, OwnQuietHours, Restored, RuleBroken, Settings, Subscription, Topic, Weekly,
};
pub use testing::{ChannelsTested, TestRecipient, Tested, TestedChannel, test_channels};
pub use unsubscribe::{PATH as UNSUBSCRIBE_PATH, UnsubscribeToken, Unsubscribing, Which};

use immediate::Channel;
use immediate_email::AlertsEmail;
use notification::{AlertsNotification, TestNotification};
use push::{AlertsPush, PushSender};
use webhook::{AlertsWebhook, QueuedEvent};

/// Tests that a guardian sends: 5 at once, then one every two minutes.
const TESTS: Rate = Rate::new(5, Duration::from_secs(120));

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &store::NOT_RESTORED,
    triggers: &store::TRIGGERS,
    backfills: &[],
    shown: &[],
    // A removed child is removed from subscriptions with its links.
    erase_batch: |_, _| Ok(false),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

/// What notifications need of the other features.
#[derive(Clone)]
pub struct Dependencies {
    pub children: Children,
    pub guardians: Guardians,
    pub transcripts: Transcripts,
    pub sign_ins: SignIns,
    pub notices: Notices,
    pub metrics: Metrics,
    pub alerts: AlertReader,
    pub servers: Servers,
}

#[derive(Clone)]
pub struct Notifications {
    store: Store,
    clock: Clock,
    randomness: Randomness,
    queue: Queue,
    /// Of guardians who have chosen none.
    time_zone: Zone,
    unsubscribing: Unsubscribing,
    push_sender: PushSender,
    addresses: Addresses,
    /// Limits the tests of each guardian.
    tests: Arc<Limit<GuardianId>>,
    kinds: Kinds,
    immediate: ImmediateNotifier,
    dependencies: Dependencies,
}

/// The kinds of messages. All but the webhook's are queued by guardian, those to phones also by device.
#[derive(Clone)]
struct Kinds {
    granted: Kind<granting::Granted>,
    weekly: Kind<Day>,
    test: Kind<()>,
    alerts_email: Kind<()>,
    alerts_notification: Kind<()>,
    alerts_push: Kind<()>,
    alerts_webhook: Kind<QueuedEvent>,
}

impl Kinds {
    fn register(
        environment: &Environment,
        dependencies: &Dependencies,
        unsubscribing: &Unsubscribing,
        push_sender: &PushSender,
    ) -> Self {
        let Environment { clock, queue, .. } = environment;
        let (addresses, servers) = (environment.addresses(), &dependencies.servers);
        let reading = Reading {
            children: dependencies.children.clone(),
            guardians: dependencies.guardians.clone(),
            transcripts: dependencies.transcripts.clone(),
        };
        Self {
            granted: granting::register(environment, &dependencies.guardians),
            weekly: weekly::register(environment, dependencies, unsubscribing),
            test: queue.register(TestNotification {
                guardians: dependencies.guardians.clone(),
                server: servers.ntfy.clone(),
            }),
            alerts_email: queue.register(AlertsEmail {
                reading: reading.clone(),
                clock: clock.clone(),
                addresses: addresses.clone(),
                unsubscribing: unsubscribing.clone(),
            }),
            alerts_notification: queue.register(AlertsNotification {
                reading: reading.clone(),
                clock: clock.clone(),
                addresses: addresses.clone(),
                server: servers.ntfy.clone(),
            }),
            alerts_push: queue.register(AlertsPush {
                reading: reading.clone(),
                sign_ins: dependencies.sign_ins.validity().clone(),
                sender: push_sender.clone(),
            }),
            alerts_webhook: queue.register(AlertsWebhook {
                reading,
                clock: clock.clone(),
                addresses: addresses.clone(),
                webhook: servers.webhook.clone(),
            }),
        }
    }

    /// The channels by which guardians are notified of alerts at once.
    fn channels(&self, queue: &Queue, servers: &Servers) -> Vec<(Channel, Kind<()>)> {
        let mut channels = Vec::new();
        if servers.ntfy.is_some() {
            channels.push((notification::CHANNEL, self.alerts_notification.clone()));
        }
        channels.push((push::CHANNEL, self.alerts_push.clone()));
        if queue.sends_email() {
            channels.push((immediate_email::CHANNEL, self.alerts_email.clone()));
        }
        channels
    }
}

impl Notifications {
    /// Registers the kinds of messages.
    pub async fn start(
        environment: Environment,
        dependencies: Dependencies,
    ) -> Result<Self, StoreError> {
        let public_url = environment.public_url.clone();
        let unsubscribing =
            Unsubscribing::start(&environment.store, &environment.randomness, public_url).await?;
        let (store, randomness) = (&environment.store, &environment.randomness);
        let key = PushKey::load(store, push_devices::KEY, randomness).await?;
        let now = environment.clock.now();
        push_devices::end_those_of_other_keys(store, &key, now).await?;
        let addresses = environment.addresses();
        let push_sender = PushSender {
            key,
            hosts: dependencies.servers.push_hosts.clone(),
            addresses: addresses.clone(),
            clock: environment.clock.clone(),
            randomness: randomness.clone(),
        };
        let kinds = Kinds::register(&environment, &dependencies, &unsubscribing, &push_sender);
        let (store, clock) = (environment.store, environment.clock);
        let servers = &dependencies.servers;
        let webhook = servers.webhook.is_some();
        let immediate = ImmediateNotifier::new(
            store.clone(),
            clock.clone(),
            kinds.channels(&environment.queue, servers),
            webhook.then(|| kinds.alerts_webhook.clone()),
        );
        let tests = Arc::new(Limit::new(TESTS, environment.limits, clock.clone()));
        Ok(Self {
            store,
            tests,
            clock,
            randomness: environment.randomness,
            queue: environment.queue,
            time_zone: environment.time_zone,
            unsubscribing,
            push_sender,
            addresses,
            kinds,
            immediate,
            dependencies,
        })
    }

    /// Notifies guardians of new alerts, in the change that stores them.
    pub fn immediate(&self) -> &ImmediateNotifier {
        &self.immediate
    }

    pub fn servers(&self) -> &Servers {
        &self.dependencies.servers
    }

    /// Queues the messages about alerts whose time has come.
    pub async fn queue_due(&self) -> Result<(), StoreError> {
        self.immediate.queue_due().await
    }

    /// The guardian's subscription; with everything off if they have chosen nothing.
    pub fn get(&self, view: &impl Read, guardian: &GuardianId) -> Result<Subscription, StoreError> {
        let found = store::subscription(view, guardian)?;
        Ok(Subscription {
            webhook_refused: store::refuses_webhook(view, guardian)?,
            ..found.unwrap_or_else(|| Subscription::off(self.time_zone.clone()))
        })
    }

    pub fn get_own(&self, guardian: &SignedIn) -> Result<Subscription, StoreError> {
        self.get(&self.store, guardian.guardian())
    }

    /// `None` if the guardian has chosen nothing, or the record is unreadable: then they get no messages.
    pub fn find(
        view: &impl Read,
        guardian: &GuardianId,
    ) -> Result<Option<Subscription>, StoreError> {
        store::readable(view, guardian)
    }

    /// The guardians whose weekly e-mail is on, with their settings. Skips unreadable ones.
    pub fn with_weekly(view: &impl Read) -> Result<Vec<(GuardianId, Subscription)>, StoreError> {
        let mut found = Vec::new();
        for guardian in store::subscribers(view)? {
            let subscription = store::readable(view, &guardian)?;
            if let Some(subscription) = subscription.filter(|it| it.weekly.enabled) {
                found.push((guardian, subscription));
            }
        }
        Ok(found)
    }

    /// Whether one of these guardians refuses that the administrator's webhook is notified of their children's alerts. An unreadable
    /// record counts as a refusal.
    pub fn is_webhook_refused<'a>(
        view: &impl Read,
        guardians: impl IntoIterator<Item = &'a GuardianId>,
    ) -> Result<bool, StoreError> {
        for guardian in guardians {
            if store::refuses_webhook(view, guardian)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Replaces what the guardian has chosen, if `is_expected` accepts the current subscription, else fails with
    /// [`NotificationsError::Changed`]. Switching quotes on requires stepping up.
    pub async fn replace(
        &self,
        by: &SignedIn,
        settings: Settings,
        is_expected: impl FnOnce(&Subscription) -> bool + Send + 'static,
    ) -> Result<Subscription, NotificationsError> {
        let (notifications, guardian, by) = (self.clone(), by.guardian().clone(), by.clone());
        let there = self.get(&self.store, &guardian)?;
        let purpose = Purpose::essential_if(settings.only_takes_back(&there));
        let replaced = self.store.commit_for(purpose, move |change| {
            let before = notifications.get(change, &guardian)?;
            if !is_expected(&before) {
                return Err(NotificationsError::Changed);
            }
            notifications.require_own(change, &guardian, &settings.at_once)?;
            let now = notifications.clock.now();
            let was_weekly = before.weekly.enabled;
            let weekly_since = before.weekly_since.filter(|_| was_weekly).unwrap_or(now);
            let weekly_since = settings.weekly.enabled.then_some(weekly_since);
            let quotes_since = match (settings.quotes, before.quotes_since) {
                (false, _) => None,
                (true, Some(since)) => Some(since),
                (true, None) => {
                    let sign_ins = &notifications.dependencies.sign_ins;
                    let stepped_up = sign_ins.require_step_up_in(change, &by)?;
                    granting::notify(&notifications, change, &stepped_up, Grant::Quotes)?;
                    Some(now)
                }
            };
            let subscription = Subscription {
                time_zone: settings.time_zone,
                at_once: settings.at_once,
                weekly: settings.weekly,
                weekly_since,
                webhook_refused: settings.webhook_refused,
                quotes_since,
                topic: before.topic,
                restored: None,
                sign_out_count: granting::sign_out_count(change, &guardian)?,
            };
            store::put(change, &guardian, &subscription)?;
            let refused_at = subscription.webhook_refused.then_some(now);
            store::put_webhook_refused(change, &guardian, refused_at)?;
            Ok(subscription)
        });
        replaced.await
    }

    /// Fails with [`NotificationsError::NoSuchChild`].
    fn require_own(
        &self,
        change: &Change,
        guardian: &GuardianId,
        at_once: &AtOnce,
    ) -> Result<(), NotificationsError> {
        let caller = Caller::Guardian(guardian.clone());
        for child in at_once.children.iter().flatten() {
            match self
                .dependencies
                .children
                .access_in(change, &caller, *child)
            {
                Ok(_) => {}
                Err(ChildrenError::NoSuchChild(_)) => return Err(NotificationsError::NoSuchChild),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}
