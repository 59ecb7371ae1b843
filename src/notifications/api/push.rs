//! API for guardians: notifications to the device that they are signed in on.

use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Tag;
use crate::identity::SignIns;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, CONFLICT, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Done, Text};
use crate::notifications::Notifications;

/// Whether the caller's device is notified by Web Push.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "PushSubscriptionStatus", skip_serializing_if_is_none)]
struct PushStatusView {
    /// The server's key for `applicationServerKey`, in base64url; omitted if the server has no https.
    key: Option<String>,
    /// Since when the caller's device is notified; omitted if it isn't.
    since: Option<Timestamp>,
    /// The number of the caller's other devices that are notified.
    others: u64,
    /// Since when a device of the caller can no longer be notified, because its push service doesn't know it any more or the server
    /// has another key. Omitted once the caller has chosen again (`replacePushSubscription`, `deletePushSubscription`), or that
    /// device's sign-in has ended.
    ended_since: Option<Timestamp>,
}

/// What a browser's `PushSubscription` consists of.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "PushSubscription", deny_unknown_fields)]
struct PushSubscriptionView {
    /// The server's key that the browser subscribed with, as `getPushSubscription` gives it.
    key: Text<128>,
    /// The address at the push service: https on port 443, of a service that the server knows.
    endpoint: Text<2048>,
    /// The key `p256dh`, in base64url.
    p256dh: Text<128>,
    /// The key `auth`, in base64url.
    auth: Text<64>,
}

pub(super) struct PushApi {
    pub(super) notifications: Notifications,
    pub(super) sign_ins: SignIns,
}

#[OpenApi(tag = "Tag::Subscription")]
impl PushApi {
    /// Get whether the caller's device is notified
    #[oai(
        path = "/subscription/push",
        method = "get",
        operation_id = "getPushSubscription"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
    ) -> Result<Body<PushStatusView>, Refused<{ SIGNED_IN }>> {
        let status = self.notifications.push_status(&guardian.0)?;
        Ok(Body(PushStatusView {
            key: status.key,
            since: status.since,
            others: status.others,
            ended_since: status.ended_since,
        }))
    }

    /// Notify the caller's device
    ///
    /// Requires stepping up (403 otherwise). The guardian is e-mailed of it. Ends with the caller's sign-in. A further one than
    /// ten ends the oldest. 409 if the server has no https or another key by now, 422 if it doesn't know the push service.
    #[oai(
        path = "/subscription/push",
        method = "put",
        operation_id = "replacePushSubscription"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        body: Body<PushSubscriptionView>,
    ) -> Result<Done, Refused<{ SIGNED_IN | BODY | CONFLICT | RULE | WRITE }>> {
        let by = self.sign_ins.require_step_up(&guardian.0)?;
        let PushSubscriptionView {
            key,
            endpoint,
            p256dh,
            auth,
        } = body.0;
        let key = key.to_string();
        self.notifications
            .notify_device(by, key, &endpoint, &p256dh, &auth)
            .await?;
        Ok(Done)
    }

    /// Stop notifying the caller's device
    ///
    /// It also ends what is said of a device that can no longer be notified: `ended_since`.
    #[oai(
        path = "/subscription/push",
        method = "delete",
        operation_id = "deletePushSubscription"
    )]
    async fn delete(&self, guardian: AsGuardian) -> Result<Done, Refused<{ SIGNED_IN | WRITE }>> {
        self.notifications
            .stop_notifying_device(&guardian.0)
            .await?;
        Ok(Done)
    }
}
