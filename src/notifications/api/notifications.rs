//! API for guardians: notifications to their phones.

use poem_openapi::{Object, OpenApi};
use serde::Serialize;

use super::Tag;
use crate::identity::SignIns;
use crate::identity::api::AsGuardian;
use crate::kernel::host::qr::Qr;
use crate::kernel::http::problem::{CONFLICT, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Created, Done};
use crate::notifications::Notifications;

/// What a phone subscribes to. It is shown this once.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "NotificationTopic")]
struct TopicView {
    /// The ntfy server, such as `https://ntfy.sh`.
    server: String,
    /// The topic's name, which is a secret.
    topic: String,
    /// The link that subscribes the ntfy app to it.
    link: String,
    /// The rows of the link's QR code from top to bottom: `1` is dark, `0` is light. It needs a light border of four modules.
    qr_code: Vec<String>,
}

pub(super) struct NotificationsApi {
    pub(super) notifications: Notifications,
    pub(super) sign_ins: SignIns,
}

#[OpenApi(tag = "Tag::Subscription")]
impl NotificationsApi {
    /// Switch the caller's notifications on
    ///
    /// Requires stepping up (403 otherwise). Makes a new topic, which ends a former one, and sends a test to it. The guardian is
    /// e-mailed of it. 409 if the administrator has named no ntfy server.
    #[oai(
        path = "/subscription/notifications",
        method = "post",
        operation_id = "switchNotificationsOn"
    )]
    async fn switch_on(
        &self,
        guardian: AsGuardian,
    ) -> Result<Created<TopicView>, Refused<{ SIGNED_IN | CONFLICT | WRITE }>> {
        let by = self.sign_ins.require_step_up(&guardian.0)?;
        let (server, topic) = self.notifications.switch_notifications_on(by).await?;
        let link = server.subscribe_link(&topic);
        Ok(Created(TopicView {
            server: server.address(),
            topic: topic.reveal().to_owned(),
            qr_code: Qr::of(&link).map_or_else(Vec::new, |code| code.rows()),
            link,
        }))
    }

    /// Switch the caller's notifications off
    ///
    /// Ends the topic, and drops what waits to be sent to it.
    #[oai(
        path = "/subscription/notifications",
        method = "delete",
        operation_id = "switchNotificationsOff"
    )]
    async fn switch_off(
        &self,
        guardian: AsGuardian,
    ) -> Result<Done, Refused<{ SIGNED_IN | WRITE }>> {
        self.notifications
            .switch_notifications_off(&guardian.0)
            .await?;
        Ok(Done)
    }
}
