//! The endpoints for a guardian's sign-ins.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{AsGuardian, Tag, uncounted};
use crate::identity::{Identity, ListedSignIn, SignInId, Via};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{NOT_FOUND, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Done, Page};

/// One sign-in of a guardian, on one device.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "SignIn", skip_serializing_if_is_none)]
pub struct SignInView {
    /// Its id, for ending it.
    sign_in_id: SignInId,
    via: Via,
    /// The kind of device, from its browser's `User-Agent`; omitted if unknown.
    device: Option<String>,
    /// `true` if it began on another device, wasn't confirmed on this one, and was acknowledged neither on this device nor on one
    /// that acknowledges for all.
    is_new: Option<bool>,
    /// When it began.
    started_at: Timestamp,
    /// When an identity token was last issued for it.
    used_at: Timestamp,
    /// Whether it is the caller's own.
    current: bool,
}

impl SignInView {
    fn new(listed: ListedSignIn) -> Self {
        let ListedSignIn {
            sign_in,
            is_current,
            is_news,
        } = listed;
        Self {
            current: is_current,
            sign_in_id: sign_in.id,
            device: sign_in.device,
            is_new: is_news.then_some(true),
            via: sign_in.via,
            started_at: sign_in.started_at,
            used_at: sign_in.used_at,
        }
    }
}

pub(super) struct SignInsApi {
    pub(super) identity: Identity,
}

#[OpenApi(tag = "Tag::Identity")]
impl SignInsApi {
    /// List one's sign-ins, most recently used first
    #[oai(path = "/auth/sign_ins", method = "get", operation_id = "listSignIns")]
    async fn list(
        &self,
        guardian: AsGuardian,
    ) -> Result<Body<Page<SignInView>>, Refused<{ SIGNED_IN }>> {
        let listed = self.identity.sign_ins.list(&guardian.0)?.into_iter();
        Ok(Body(Page::whole(listed.map(SignInView::new))))
    }

    /// Acknowledge new sign-ins and new recovery codes
    ///
    /// If the caller's sign-in is acknowledged and older than a new one, the new one is acknowledged for all of the guardian's
    /// devices. If there is no such sign-in, any that began with neither a recovery code nor another device suffices. Otherwise
    /// the notice is only dismissed on the caller's device. The notice of new recovery codes is always dismissed only on the
    /// caller's device.
    #[oai(
        path = "/auth/sign_ins/seen",
        method = "post",
        operation_id = "seeSignIns",
        transform = "uncounted"
    )]
    async fn see(&self, guardian: AsGuardian) -> Result<Done, Refused<{ SIGNED_IN | WRITE }>> {
        self.identity.sign_ins.see(&guardian.0).await?;
        Ok(Done)
    }

    /// End one of one's sign-ins
    ///
    /// Takes effect at once, also for identity tokens that were issued before.
    #[oai(
        path = "/auth/sign_ins/:signInId",
        method = "delete",
        operation_id = "endSignIn"
    )]
    async fn end(
        &self,
        guardian: AsGuardian,
        /// The sign-in's id.
        #[oai(name = "signInId")]
        sign_in: Path<SignInId>,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND | WRITE }>> {
        self.identity.sign_ins.end(&guardian.0, sign_in.0).await?;
        Ok(Done)
    }
}
