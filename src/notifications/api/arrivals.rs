//! API for guardians: whether their messages arrive.

use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Tag;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::Body;
use crate::notifications::{Arrivals, NotTaken, Notifications, Tested, TestedChannel};

/// Since when messages are not taken, and why.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "MessagesNotTaken")]
struct NotTakenView {
    /// When the first message was refused that none was taken after.
    since: Timestamp,
    /// Why the last one was not taken, as an English sentence.
    why: String,
}

/// What became of the messages by one channel.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "MessageArrivals", skip_serializing_if_is_none)]
struct ArrivalsView {
    /// When a server last took a message; omitted if none is known.
    taken_at: Option<Timestamp>,
    /// Omitted if the last message was taken.
    refused: Option<NotTakenView>,
}

impl From<Arrivals> for ArrivalsView {
    fn from(arrivals: Arrivals) -> Self {
        let view = |NotTaken { since, why }| NotTakenView { since, why };
        Self {
            taken_at: arrivals.taken_at,
            refused: arrivals.refused.map(view),
        }
    }
}

/// Whether messages arrive.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "SubscriptionArrivals")]
struct ArrivalsOfAllView {
    /// Alerts and the weekly e-mail, to the caller.
    email: ArrivalsView,
    /// Notifications to the caller's topic.
    notification: ArrivalsView,
    /// Notifications to the caller's devices.
    push: ArrivalsView,
    /// The administrator's webhook.
    webhook: ArrivalsView,
}

/// By which channel a test is sent.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "MessageTest", deny_unknown_fields)]
struct TestView {
    channel: TestedChannel,
}

/// What became of a test.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "MessageTested")]
struct TestedView {
    /// Whether a server took it.
    taken: bool,
    /// What the server answered, or why nothing was sent, as an English sentence.
    outcome: String,
}

pub(super) struct ArrivalsApi {
    pub(super) notifications: Notifications,
}

#[OpenApi(tag = "Tag::Subscription")]
impl ArrivalsApi {
    /// Get whether the caller's messages arrive
    #[oai(
        path = "/subscription/arrivals",
        method = "get",
        operation_id = "getArrivals"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
    ) -> Result<Body<ArrivalsOfAllView>, Refused<{ SIGNED_IN }>> {
        let arrivals = self.notifications.own_arrivals(&guardian.0)?;
        Ok(Body(ArrivalsOfAllView {
            email: arrivals.email.into(),
            notification: arrivals.notification.into(),
            push: arrivals.push.into(),
            webhook: arrivals.webhook.into(),
        }))
    }

    /// Send the caller a test
    ///
    /// Waits for the server's answer. At most five at once, and then one every two minutes.
    #[oai(
        path = "/subscription/tests",
        method = "post",
        operation_id = "sendTest"
    )]
    async fn test(
        &self,
        guardian: AsGuardian,
        body: Body<TestView>,
    ) -> Result<Body<TestedView>, Refused<{ SIGNED_IN | BODY | WRITE }>> {
        let tested = self.notifications.test_own(&guardian.0, body.0.channel);
        let (taken, outcome) = match tested.await? {
            Tested::Sent(sentence) => (true, sentence),
            Tested::NotSent(sentence) | Tested::Failed(sentence) => (false, sentence),
        };
        Ok(Body(TestedView { taken, outcome }))
    }
}
