//! The administrator's webhook: which kind of alert there is, with ids and times. It has no words and no names.
//!
//! A phrase's alert is its guardian's own, and is sent unless she refuses. Any other alert belongs to all of the child's guardians,
//! and is sent only if none of them refuses: it is data about the child that leaves, and the alert itself stays in everybody's list.
//! Whether it may be sent is decided when it is handed over.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::content::Reading;
use super::rate_limit::GIVEN_UP_AFTER;
use super::servers::WEBHOOK;
use super::{Notifications, arrivals};
use crate::alerts::{self, NewAlert};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::identity::{Caller, GuardianId};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, Lane, NoAnswer, Places, Policy, Route,
};
use crate::kernel::outgoing::webhook::Webhook;
use crate::kernel::store::{Change, StoreError};

/// An alert, as it is queued.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub(super) struct QueuedAlert {
    child: ChildId,
    alert_id: u64,
    kind: alerts::Kind,
    session: Option<SessionId>,
    at: Timestamp,
    arrived_at: Timestamp,
    /// `None` if it is all guardians'.
    whose: Option<GuardianId>,
}

/// What the webhook is sent.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum QueuedEvent {
    Alert(QueuedAlert),
    More(QueuedMore),
}

/// The subject of the message that stands for those beyond a child's places.
const MORE: &str = "more";

/// How many alerts one message stands for, by the guardian whose own they are; under "" those that are all guardians'.
#[derive(Serialize, Deserialize)]
pub(super) struct QueuedMore {
    of: BTreeMap<String, u64>,
    /// The time of the newest.
    at: Timestamp,
}

/// The body of a request, as Standard Webhooks recommends it.
#[derive(Serialize)]
struct Event<T> {
    r#type: &'static str,
    timestamp: Timestamp,
    data: T,
}

#[skip_serializing_none]
#[derive(Serialize)]
struct AlertData {
    kind: alerts::Kind,
    alert_id: u64,
    child_id: ChildId,
    session_id: Option<SessionId>,
    /// When it happened.
    at: Timestamp,
    /// When the server learned of it.
    arrived_at: Timestamp,
    /// The page with the alert, if it can be reached from elsewhere.
    link: Option<String>,
}

/// That there were more alerts than can wait.
#[skip_serializing_none]
#[derive(Serialize)]
struct MoreData {
    child_id: ChildId,
    count: u64,
    link: Option<String>,
}

/// The event that an administrator sends to try the webhook.
pub(super) fn test(now: Timestamp) -> String {
    body("test", now, serde_json::json!({}))
}

fn body(r#type: &'static str, timestamp: Timestamp, data: impl Serialize) -> String {
    let event = Event {
        r#type,
        timestamp,
        data,
    };
    serde_json::to_string(&event).expect("it has string keys only")
}

/// Queues a new alert in the change that stores it.
pub(super) fn enqueue(
    kind: &Kind<QueuedEvent>,
    change: &mut Change,
    new: &NewAlert<'_>,
) -> Result<(), StoreError> {
    let alert = new.alert;
    let whose = match new.to {
        [guardian] if alert.phrase.is_some() => Some(guardian.clone()),
        _ => None,
    };
    let queued = QueuedAlert {
        child: new.child,
        alert_id: alert.alert_id,
        kind: alert.kind,
        session: alert.session_id,
        at: alert.at,
        arrived_at: alert.arrived_at,
        whose,
    };
    // With zeros, so that alerts of the same moment are in order.
    let about = format!("{:020}", alert.alert_id);
    let whose = queued.whose.as_ref().map(GuardianId::as_str);
    let (whose, at) = (whose.unwrap_or_default().to_owned(), alert.arrived_at);
    let item = Item::new(&new.child.to_string(), &about, QueuedEvent::Alert(queued));
    kind.put_or_merge(change, &item, MORE, move |more| {
        let mut of = match more {
            Some(QueuedEvent::More(more)) => more.of,
            _ => BTreeMap::new(),
        };
        *of.entry(whose).or_default() += 1;
        QueuedEvent::More(QueuedMore { of, at })
    })
}

pub(super) struct AlertsWebhook {
    pub reading: Reading,
    pub clock: Clock,
    pub addresses: Addresses,
    /// `None` if the administrator names none any more.
    pub webhook: Option<Webhook>,
}

impl Composer for AlertsWebhook {
    type Data = QueuedEvent;

    fn policy(&self) -> Policy {
        Policy {
            name: "alerts-webhook",
            places: Places::OF_EACH,
            gives_up_after: GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::TriedAgain,
        }
    }

    fn route(&self) -> Route {
        Route::InOrder(WEBHOOK)
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(self.webhook.as_ref().map(|_| Lane::Ordinary))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let Some(webhook) = &self.webhook else {
            return Ok(None);
        };
        let body = match item.data {
            QueuedEvent::Alert(queued) => self.alert(change, queued)?,
            QueuedEvent::More(more) => self.more(change, &item.recipient, more)?,
        };
        Ok(body.map(|body| {
            let post = webhook.request(&item.message_id, self.clock.now(), body);
            Composed::from(post)
                .reported_to(|change, arrival| arrivals::record(change, WEBHOOK, None, arrival))
        }))
    }
}

impl AlertsWebhook {
    fn link(&self, child: ChildId) -> Option<String> {
        let page = format!("/child/{child}/alerts");
        (!self.addresses.plain.is_loopback()).then(|| self.addresses.for_links().page(&page))
    }

    fn alert(&self, change: &Change, queued: QueuedAlert) -> Result<Option<String>, StoreError> {
        if !self.may_be_sent(change, &queued)? {
            return Ok(None);
        }
        let data = AlertData {
            kind: queued.kind,
            alert_id: queued.alert_id,
            child_id: queued.child,
            session_id: queued.session,
            at: queued.at,
            arrived_at: queued.arrived_at,
            link: self.link(queued.child),
        };
        Ok(Some(body("alert.created", queued.arrived_at, data)))
    }

    /// The message that stands for many alerts.
    fn more(
        &self,
        change: &Change,
        child: &str,
        more: QueuedMore,
    ) -> Result<Option<String>, StoreError> {
        let QueuedMore { of, at } = more;
        let child = child.parse::<ChildId>();
        let child = child.map_err(|_| StoreError::unreadable("a queued message"))?;
        let mut count = 0;
        for (whose, number) in of {
            let whose = (!whose.is_empty()).then(|| GuardianId::from_text(&whose));
            if self
                .access_unless_refused(change, child, whose.as_ref())?
                .is_some()
            {
                count += number;
            }
        }
        let data = MoreData {
            child_id: child,
            count,
            link: self.link(child),
        };
        Ok((count > 0).then(|| body("alert.more", at, data)))
    }

    /// Whether its guardians don't refuse, its conversation is still there, and the guardian of an own alert hasn't deleted that.
    fn may_be_sent(&self, change: &Change, queued: &QueuedAlert) -> Result<bool, StoreError> {
        let whose = queued.whose.as_ref();
        let Some(access) = self.access_unless_refused(change, queued.child, whose)? else {
            return Ok(false);
        };
        self.reading.is_left(change, &access, queued.session, whose)
    }

    /// Access to the child through the guardians of an alert; `None` if one of them refuses, or has the child no more.
    fn access_unless_refused(
        &self,
        change: &Change,
        child: ChildId,
        whose: Option<&GuardianId>,
    ) -> Result<Option<ChildAccess>, StoreError> {
        let mut guardians = self.reading.children.guardians_of(change, child)?;
        if let Some(whose) = whose {
            guardians.retain(|guardian| guardian == whose);
        }
        if Notifications::is_webhook_refused(change, &guardians)? {
            return Ok(None);
        }
        self.access(change, &guardians, child)
    }

    /// Access to the child through the first of these guardians, if they still have it.
    fn access(
        &self,
        change: &Change,
        guardians: &[GuardianId],
        child: ChildId,
    ) -> Result<Option<ChildAccess>, StoreError> {
        let Some(guardian) = guardians.first() else {
            return Ok(None);
        };
        let caller = Caller::Guardian(guardian.clone());
        match self.reading.children.access_in(change, &caller, child) {
            Ok(access) => Ok(Some(access)),
            Err(ChildrenError::Store(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde::de::DeserializeOwned;
    use serde_json::Value;

    use super::*;

    fn file(path: &str) -> String {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(path).unwrap()
    }

    /// The documented events.
    fn examples() -> Vec<Value> {
        let page = file("docs/admin/notifications.md");
        let blocks = page.split("```json\n").skip(1);
        let blocks = blocks.filter_map(|rest| rest.split_once("```").map(|(code, _)| code));
        let read = |code| serde_json::from_str(code).expect("each example is JSON");
        blocks.map(read).collect()
    }

    fn part<T: DeserializeOwned>(data: &Value, name: &str) -> T {
        serde_json::from_value(data[name].clone()).unwrap()
    }

    /// What is sent for the alert, or the count, that an example is about.
    fn sent(example: &Value) -> String {
        let (data, time) = (&example["data"], part(example, "timestamp"));
        match example["type"].as_str() {
            Some("test") => test(time),
            Some("alert.more") => {
                let (child_id, count) = (part(data, "child_id"), part(data, "count"));
                let link = part(data, "link");
                let data = MoreData {
                    child_id,
                    count,
                    link,
                };
                body("alert.more", time, data)
            }
            _ => {
                let data = AlertData {
                    kind: part(data, "kind"),
                    alert_id: part(data, "alert_id"),
                    child_id: part(data, "child_id"),
                    session_id: part(data, "session_id"),
                    at: part(data, "at"),
                    arrived_at: part(data, "arrived_at"),
                    link: part(data, "link"),
                };
                body("alert.created", time, data)
            }
        }
    }

    #[test]
    fn the_page_for_administrators_has_an_example_of_each_type_and_kind() {
        let contract = serde_yaml::from_str::<Value>(&file("openapi.yaml")).unwrap();
        let kinds = contract["components"]["schemas"]["AlertKind"]["enum"].as_array();
        let kinds = kinds.unwrap().iter();
        let kinds = kinds.map(|kind| kind.as_str().unwrap().to_owned());

        let examples = examples();
        let of_type = |name: &str| examples.iter().filter(move |it| it["type"] == name).count();
        let documented = examples.iter().map(|it| it["data"]["kind"].as_str());
        let documented = documented.flatten().map(str::to_owned);

        assert_eq!(
            documented.collect::<BTreeSet<_>>(),
            kinds.collect::<BTreeSet<_>>(),
            "docs/admin/notifications.md"
        );
        assert_eq!((of_type("test"), of_type("alert.more")), (1, 1));
    }

    #[test]
    fn each_documented_event_is_what_is_sent() {
        for example in examples() {
            let sent = serde_json::from_str::<Value>(&sent(&example)).unwrap();
            assert_eq!(sent, example, "docs/admin/notifications.md");
        }
    }
}
