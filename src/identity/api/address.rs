//! The endpoints for a guardian's own address, and for the language of what is sent there.

use poem::Request;
use poem_openapi::{Enum, Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{AsGuardian, Tag, require_same_origin, sign_in_limit};
use crate::identity::{Identity, LinkUsed};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::http::problem::{BODY, COOKIE, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Done, Text};
use crate::kernel::outgoing::mail::EmailAddress;

/// A requested change of a guardian's address.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AddressChange")]
struct AddressChangeView {
    /// The new address.
    email: String,
    /// When it was requested.
    requested_at: Timestamp,
    /// Whether the link in the e-mail to the new address was used.
    answered: bool,
    /// The earliest time at which it takes effect, unless it is cancelled.
    due_at: Timestamp,
}

/// A guardian's address.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct OwnAddress {
    email: String,
    /// The pending change, if any.
    change: Option<AddressChangeView>,
}

/// A request to change the guardian's address.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct NewAddressRequest {
    /// The new address.
    email: EmailAddress,
}

/// The language of e-mails and notifications.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct LanguageChoice {
    language: Language,
}

/// The token in the link of an e-mail about an address.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct AddressLink {
    /// `adr_…` from the e-mail to the new address, or `ads_…` from the e-mail to the old one.
    token: Text<200>,
}

/// What a link did.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
enum AddressOutcome {
    /// The new address is confirmed.
    Confirmed,
    /// The change is cancelled.
    Stopped,
}

/// What a link about an address did.
#[derive(Debug, Object, Serialize)]
struct AddressLinkUsed {
    outcome: AddressOutcome,
}

pub(super) struct AddressApi {
    pub(super) identity: Identity,
}

#[OpenApi(tag = "Tag::Identity")]
impl AddressApi {
    /// Get one's address and its pending change
    #[oai(path = "/auth/address", method = "get", operation_id = "getAddress")]
    async fn get(&self, guardian: AsGuardian) -> Result<Body<OwnAddress>, Refused<{ SIGNED_IN }>> {
        let (own, asked) = self.identity.address_changes.of(&guardian.0)?;
        Ok(Body(OwnAddress {
            email: own.email.to_string(),
            change: asked.map(|asked| AddressChangeView {
                email: asked.to.to_string(),
                requested_at: asked.asked_at,
                answered: asked.answered_at.is_some(),
                due_at: asked.due_at(&own),
            }),
        }))
    }

    /// Request a change of one's address
    ///
    /// Requires stepping up (403 otherwise). The change takes effect once the link in the e-mail to the new address was used, and
    /// 24 hours have passed without a cancellation from the old address. It replaces an earlier request. If another guardian has
    /// the new address, the response is the same and nothing changes. 422 if the server sends no e-mails.
    #[oai(path = "/auth/address", method = "put", operation_id = "askForAddress")]
    async fn ask(
        &self,
        guardian: AsGuardian,
        body: Body<NewAddressRequest>,
    ) -> Result<Done, Refused<{ SIGNED_IN | BODY | RULE | WRITE }>> {
        let by = self.identity.sign_ins.require_step_up(&guardian.0)?;
        self.identity.address_changes.ask(&by, body.0.email).await?;
        Ok(Done)
    }

    /// Cancel the change of one's address
    ///
    /// Does nothing if no change is pending.
    #[oai(
        path = "/auth/address",
        method = "delete",
        operation_id = "stopAddressChange"
    )]
    async fn stop(&self, guardian: AsGuardian) -> Result<Done, Refused<{ SIGNED_IN | WRITE }>> {
        self.identity.address_changes.stop(&guardian.0).await?;
        Ok(Done)
    }

    /// Choose the language of e-mails and notifications
    ///
    /// Until one is chosen, they are in the language of the browser that the guardian first signed in with.
    #[oai(
        path = "/auth/language",
        method = "put",
        operation_id = "replaceLanguage"
    )]
    async fn replace_language(
        &self,
        guardian: AsGuardian,
        body: Body<LanguageChoice>,
    ) -> Result<Done, Refused<{ SIGNED_IN | BODY | WRITE }>> {
        let identity = &self.identity;
        identity
            .replace_language(&guardian.0, body.0.language)
            .await?;
        Ok(Done)
    }

    /// Use a link from an e-mail about an address change
    ///
    /// Confirms the new address, or cancels the change. It signs nobody in. Same-origin requests only.
    #[oai(
        path = "/auth/email",
        method = "post",
        operation_id = "useAddressLink",
        transform = "sign_in_limit"
    )]
    async fn use_link(
        &self,
        request: &Request,
        body: Body<AddressLink>,
    ) -> Result<Body<AddressLinkUsed>, Refused<{ COOKIE | BODY | RULE | WRITE }>> {
        require_same_origin(&self.identity, request)?;
        let used = self.identity.address_changes.use_link(&body.0.token);
        let outcome = match used.await? {
            LinkUsed::Answered => AddressOutcome::Confirmed,
            LinkUsed::Stopped => AddressOutcome::Stopped,
        };
        Ok(Body(AddressLinkUsed { outcome }))
    }
}
