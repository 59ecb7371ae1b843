//! The endpoints for a guardian's own address.

use poem::Request;
use poem_openapi::{Enum, Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::{AsGuardian, Tag, require_same_origin};
use crate::identity::{Identity, LinkUsed};
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::problem::{BODY, COOKIE, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::wire::{Body, Done, Text};

/// A new address that was asked for.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AddressChange")]
struct AddressChangeView {
    /// The new address.
    email: String,
    /// Since when it is asked for.
    asked_at: Timestamp,
    /// Whether the e-mail to it was answered.
    answered: bool,
    /// When it takes effect at the earliest, unless somebody stops it.
    due_at: Timestamp,
}

/// A guardian's address.
#[derive(Debug, Object, Serialize)]
struct OwnAddress {
    /// The address.
    email: String,
    /// The change that is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    change: Option<AddressChangeView>,
}

/// Which address a guardian wants.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct NewAddressRequest {
    /// The new address.
    email: EmailAddress,
}

/// The token in the link of an e-mail about an address.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct AddressLink {
    /// `adr_…` of the e-mail to the new address, or `ads_…` of the one to the old address.
    token: Text<200>,
}

/// What a link did.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
enum AddressOutcome {
    /// The new address is confirmed.
    Confirmed,
    /// The change is stopped.
    Stopped,
}

/// What a link about an address did.
#[derive(Debug, Object, Serialize)]
struct AddressLinkUsed {
    /// What it did.
    outcome: AddressOutcome,
}

pub struct AddressApi {
    pub identity: Identity,
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
                asked_at: asked.asked_at,
                answered: asked.answered_at.is_some(),
                due_at: asked.due_at(&own),
            }),
        }))
    }

    /// Ask for another address
    ///
    /// Requires stepping up (403 otherwise). It takes effect once an e-mail to it was answered, and 24 hours have passed in which
    /// nobody stopped it from the old address. It ends an earlier request. For an address that is another guardian's the answer is
    /// the same and nothing changes. 422 where no e-mails are sent.
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

    /// Use a link from an e-mail about an address change
    ///
    /// Confirms a new address, or stops the change of the old one. It signs nobody in. Only from our own pages.
    #[oai(path = "/auth/email", method = "post", operation_id = "useAddressLink")]
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
