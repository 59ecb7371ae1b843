//! API for guardians: what they are notified of, and when.

mod arrivals;
mod notifications;
mod push;

use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi, Tags};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

use super::subscription::{children, hour, kinds, quiet_hours};
use super::{
    AtOnce, Notifications, NotificationsError, OwnQuietHours, RuleBroken, Servers, Settings,
    Subscription, Weekly,
};
use crate::alerts::NotifiableKind;
use crate::children::ChildId;
use crate::identity::SignIns;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Minute, Zone};
use crate::kernel::http::problem::{BODY, CHANGED, NOT_FOUND, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::version::Versioned;
use crate::kernel::http::wire::{Body, IfMatch, Text, given, object};
use crate::rules::api::Tagged;
use crate::rules::schedule::Weekday;

use arrivals::ArrivalsApi;
use notifications::NotificationsApi;
use push::PushApi;

/// The maximum length of a time zone's name, in characters.
const LONGEST_ZONE: usize = 64;

/// For an object in a request: serde alone would also accept an array of its fields.
fn required<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let found = object(deserializer)?;
    found.ok_or_else(|| D::Error::custom("An object is expected here."))
}

fn required_if_given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    required(deserializer).map(Some)
}

#[derive(Tags)]
enum Tag {
    /// What a guardian is notified of, and when.
    #[oai(rename = "subscription")]
    Subscription,
}

/// The hours of each day in which the guardian gets no message. What waited comes afterwards, as one message.
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "OwnQuietHours", deny_unknown_fields)]
struct OwnQuietHoursView {
    /// When they begin, on the guardian's clock.
    from: Minute,
    /// When they end: on the next day unless this is later than `from`.
    to: Minute,
}

/// What the guardian is notified of at once: at most one message in ten minutes.
#[skip_serializing_none]
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(
    rename = "ImmediateNotifications",
    deny_unknown_fields,
    skip_serializing_if_is_none
)]
struct AtOnceView {
    /// Whether by e-mail.
    email: bool,
    /// Which alerts, each kind once.
    #[oai(validator(max_items = 3))]
    kinds: Vec<NotifiableKind>,
    /// Which of the guardian's children; omitted for all, also later ones.
    #[serde(default, deserialize_with = "given")]
    #[oai(validator(max_items = 100))]
    children: Option<Vec<ChildId>>,
    /// Omitted without quiet hours.
    #[serde(default, deserialize_with = "required_if_given")]
    quiet_hours: Option<OwnQuietHoursView>,
    /// Whether a reviewer's urgent finding is sent during quiet hours, and right after another message.
    urgent_passes: bool,
}

/// The weekly e-mail about all of the guardian's children.
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "WeeklyEmail", deny_unknown_fields)]
struct WeeklyView {
    enabled: bool,
    /// The day on which it is sent.
    weekday: Weekday,
    /// The hour at which it is sent, on the guardian's clock.
    #[oai(validator(minimum(value = "0"), maximum(value = "23")))]
    hour: u64,
}

/// What a guardian can choose.
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "SubscriptionSettings", deny_unknown_fields, example)]
struct SettingsView {
    /// The guardian's time zone, by its name in the time zone database.
    time_zone: Text<LONGEST_ZONE>,
    #[serde(deserialize_with = "required")]
    at_once: AtOnceView,
    #[serde(deserialize_with = "required")]
    weekly: WeeklyView,
    /// Whether e-mails include quotes and topics. Signing out everywhere switches it off.
    quotes: bool,
    /// Whether the administrator's webhook must not be notified of the alerts of the guardian's children.
    webhook_refused: bool,
}

/// With everything off, so that trying the example sends nothing.
impl Example for SettingsView {
    fn example() -> Self {
        let zone = "Europe/Berlin".parse().unwrap_or(Zone::UTC);
        Self::from(&Subscription::off(zone))
    }
}

impl From<&Subscription> for SettingsView {
    fn from(subscription: &Subscription) -> Self {
        let Subscription {
            time_zone,
            at_once,
            weekly,
            webhook_refused,
            ..
        } = subscription;
        let quiet = |OwnQuietHours { from, to }| OwnQuietHoursView { from, to };
        let children = at_once.children.as_ref();
        Self {
            time_zone: Text::new(time_zone.name()).expect("names of time zones are short"),
            at_once: AtOnceView {
                email: at_once.email,
                kinds: at_once.kinds.iter().copied().collect(),
                children: children.map(|children| children.iter().copied().collect()),
                quiet_hours: at_once.quiet_hours.map(quiet),
                urgent_passes: at_once.urgent_passes,
            },
            weekly: WeeklyView {
                enabled: weekly.enabled,
                weekday: weekly.weekday,
                hour: weekly.hour.into(),
            },
            quotes: subscription.has_quotes(),
            webhook_refused: *webhook_refused,
        }
    }
}

impl SettingsView {
    /// Fails with the first rule that is violated.
    fn read(self) -> Result<Settings, RuleBroken> {
        let AtOnceView {
            email,
            kinds: chosen,
            children: of,
            quiet_hours: quiet,
            urgent_passes,
        } = self.at_once;
        let quiet = quiet.map(|quiet| quiet_hours(quiet.from, quiet.to));
        Ok(Settings {
            time_zone: self.time_zone.parse()?,
            at_once: AtOnce {
                email,
                kinds: kinds(chosen)?,
                children: of.map(children).transpose()?,
                quiet_hours: quiet.transpose()?,
                urgent_passes,
            },
            weekly: Weekly {
                enabled: self.weekly.enabled,
                weekday: self.weekly.weekday,
                hour: hour(self.weekly.hour)?,
            },
            quotes: self.quotes,
            webhook_refused: self.webhook_refused,
        })
    }
}

/// Notifications to the guardian's phone.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "NotificationSubscription", skip_serializing_if_is_none)]
struct NotificationView {
    enabled: bool,
    /// The ntfy server that passes them on, such as `https://ntfy.sh`; omitted if the administrator has named none.
    server: Option<String>,
    /// When they were switched on; omitted while they are off.
    since: Option<Timestamp>,
}

/// Where the administrator sends the alerts of all children, without words and names.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AlertsWebhook")]
struct WebhookView {
    host: String,
}

/// What restoring a backup ended. Replacing the settings removes this.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "SubscriptionRestored")]
struct RestoredView {
    restored_at: Timestamp,
    /// Whether e-mails included quotes and topics.
    quotes: bool,
    /// Whether notifications were on.
    notifications: bool,
}

/// What a guardian is notified of, and when.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Subscription", skip_serializing_if_is_none)]
struct SubscriptionView {
    settings: SettingsView,
    /// Since when e-mails include quotes and topics; omitted if they don't.
    quotes_since: Option<Timestamp>,
    notification: NotificationView,
    /// Omitted unless a backup was restored since the caller chose.
    restored: Option<RestoredView>,
    /// Omitted if there is no webhook, so that there is nothing to refuse.
    webhook: Option<WebhookView>,
}

impl SubscriptionView {
    fn new(subscription: &Subscription, servers: &Servers) -> Self {
        let restored = subscription.restored.as_ref();
        let topic = subscription.topic.as_ref();
        let webhook = servers.webhook.as_ref();
        Self {
            settings: subscription.into(),
            quotes_since: subscription.quotes_since,
            notification: NotificationView {
                enabled: topic.is_some(),
                server: servers.ntfy.as_ref().map(|server| server.address()),
                since: topic.map(|topic| topic.since),
            },
            restored: restored.map(|restored| RestoredView {
                restored_at: restored.at,
                quotes: restored.quotes,
                notifications: restored.notifications,
            }),
            webhook: webhook.map(|webhook| WebhookView {
                host: webhook.host().to_owned(),
            }),
        }
    }
}

fn versioned(subscription: &Subscription, servers: &Servers) -> Versioned {
    let view = SubscriptionView::new(subscription, servers);
    let json = serde_json::to_vec(&view).expect("answers are JSON");
    json.into()
}

/// The operations on what a guardian is notified of.
pub fn operations(notifications: &Notifications, sign_ins: &SignIns) -> impl OpenApi + use<> {
    let (notifications, sign_ins) = (|| notifications.clone(), || sign_ins.clone());
    (
        SubscriptionApi {
            notifications: notifications(),
        },
        ArrivalsApi {
            notifications: notifications(),
        },
        NotificationsApi {
            notifications: notifications(),
            sign_ins: sign_ins(),
        },
        PushApi {
            notifications: notifications(),
            sign_ins: sign_ins(),
        },
    )
}

struct SubscriptionApi {
    notifications: Notifications,
}

#[OpenApi(tag = "Tag::Subscription")]
impl SubscriptionApi {
    /// Get what the caller is notified of, and when
    ///
    /// Everything is off until the caller chooses something.
    #[oai(
        path = "/subscription",
        method = "get",
        operation_id = "getSubscription"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
    ) -> Result<Tagged<SubscriptionView>, Refused<{ SIGNED_IN }>> {
        let subscription = self.notifications.get_own(&guardian.0)?;
        Ok(versioned(&subscription, self.notifications.servers()).into())
    }

    /// Choose what the caller is notified of, and when
    ///
    /// Replaces all settings. Requires stepping up to switch `quotes` on (403 otherwise); the guardian is e-mailed of it. 404 if a
    /// chosen child isn't the caller's.
    #[oai(
        path = "/subscription",
        method = "put",
        operation_id = "replaceSubscription"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<SettingsView>,
    ) -> Result<
        Tagged<SubscriptionView>,
        Refused<{ SIGNED_IN | NOT_FOUND | BODY | CHANGED | RULE | WRITE }>,
    > {
        let settings = body.0.read().map_err(NotificationsError::from)?;
        let servers = self.notifications.servers();
        let compared = servers.clone();
        let is_expected = move |there: &Subscription| {
            let version = versioned(there, &compared).version;
            expected.allows(version.as_str())
        };
        let kept = self
            .notifications
            .replace(&guardian.0, settings, is_expected);
        Ok(versioned(&kept.await?, servers).into())
    }
}
