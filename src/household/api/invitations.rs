//! The endpoints for invitations.

use poem::Request;
use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Tag, require_step_up};
use crate::children::ChildId;
use crate::children::agreements::Edition;
use crate::household::invitations::{InvitationId, Invitations};
use crate::household::management::Management;
use crate::identity::Identity;
use crate::identity::api::{
    AsGuardian, GuardianCreated, ShownLink, SignedInAnswer, device_of, require_same_origin,
    sign_in_limit,
};
use crate::kernel::http::problem::{
    BODY, CHANGED, CONFLICT, COOKIE, MALFORMED, NOT_FOUND, PUBLIC, RULE, Refused, SIGNED_IN, WRITE,
};
use crate::kernel::http::wire::{Body, Created, Done, IfMatch, Text, at_most, given};
use crate::kernel::outgoing::mail::EmailAddress;

/// An invitation to send.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct InviteRequest {
    /// The caller's children to share.
    #[serde(deserialize_with = "at_most::<100, _, _>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    children: Vec<ChildId>,
    /// Where to send the link; if omitted, the response contains it.
    #[serde(default, deserialize_with = "given")]
    email: Option<EmailAddress>,
}

/// A new invitation.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct CreatedInvitation {
    /// The link and its QR code, unless it was sent by e-mail. It works once, for fourteen days. It can't be requested again.
    shown: Option<ShownLink>,
}

/// The token of an invitation's link.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct InvitationToken {
    /// The link's token, `ivt_…`.
    token: Text<200>,
}

/// What the holder of an invitation's link can see.
#[derive(Debug, Object, Serialize)]
struct OpenedInvitation {
    /// The inviting guardian's name.
    by: String,
    /// Whether the link was sent by e-mail. Otherwise accepting it requires an address.
    by_email: bool,
}

/// A new guardian who accepts an invitation.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct AcceptRequest {
    /// The link's token, `ivt_…`.
    token: Text<200>,
    /// Their name.
    name: Text<200>,
    /// Their address, unless the link was sent by e-mail. It stays unverified until they use a link or code from an e-mail to it.
    #[serde(default, deserialize_with = "given")]
    email: Option<EmailAddress>,
}

pub struct InvitationsApi {
    pub management: Management,
    pub invitations: Invitations,
    pub identity: Identity,
}

#[OpenApi(tag = "Tag::Household")]
impl InvitationsApi {
    /// Invite another guardian
    ///
    /// Requires stepping up (403 otherwise). The invitation takes effect once all other guardians of a child have confirmed it,
    /// or seven days after it was shown to each of them. At most five a day, three of them for the same child, and twenty in
    /// total; none in the first 24 hours after joining by an invitation. 409 if a child has eight guardians. An unverified
    /// address gets at most three e-mails a day; further ones get the same response.
    #[oai(
        path = "/invitations",
        method = "post",
        operation_id = "inviteGuardian"
    )]
    async fn invite(
        &self,
        guardian: AsGuardian,
        body: Body<InviteRequest>,
    ) -> Result<
        Created<CreatedInvitation>,
        Refused<{ SIGNED_IN | NOT_FOUND | BODY | RULE | CONFLICT | WRITE }>,
    > {
        let by = require_step_up(&self.management, &guardian)?;
        let InviteRequest { children, email } = body.0;
        let link = self.invitations.invite(&by, children, email).await?;
        Ok(Created(CreatedInvitation {
            shown: link.map(ShownLink::from),
        }))
    }

    /// Confirm another guardian's invitation
    ///
    /// For all of the caller's children in it. Requires stepping up (403 otherwise). 400 without `If-Match`.
    #[oai(
        path = "/invitations/:invitationId/confirmation",
        method = "put",
        operation_id = "confirmInvitation"
    )]
    async fn confirm(
        &self,
        guardian: AsGuardian,
        /// The invitation's id.
        #[oai(name = "invitationId")]
        invitation: Path<InvitationId>,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        read: IfMatch,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND | MALFORMED | CHANGED | WRITE }>> {
        let by = self.identity.sign_ins.require_step_up(&guardian.0)?;
        let read = read.named()?;
        let is_read = move |edition: &Edition| read.allows(edition.as_str());
        let confirmed = self.invitations.confirm(&by, invitation.0, is_read);
        confirmed.await?;
        Ok(Done)
    }

    /// Cancel an invitation
    ///
    /// Also one by another guardian of the caller's children. It stays valid for children that aren't the caller's.
    #[oai(
        path = "/invitations/:invitationId",
        method = "delete",
        operation_id = "stopInvitation"
    )]
    async fn cancel(
        &self,
        guardian: AsGuardian,
        /// The invitation's id.
        #[oai(name = "invitationId")]
        invitation: Path<InvitationId>,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND | WRITE }>> {
        self.invitations.cancel(&guardian.0, invitation.0).await?;
        Ok(Done)
    }

    /// Get the inviting guardian
    #[oai(
        path = "/invitations/open",
        method = "post",
        operation_id = "openInvitation",
        transform = "sign_in_limit"
    )]
    async fn open(
        &self,
        body: Body<InvitationToken>,
    ) -> Result<Body<OpenedInvitation>, Refused<{ PUBLIC | BODY | RULE }>> {
        let (by, by_email) = self.invitations.inviter(&body.0.token)?;
        Ok(Body(OpenedInvitation { by, by_email }))
    }

    /// Accept an invitation as a new guardian
    ///
    /// Creates a guardian and signs them in: sets the sign-in cookie, which `/auth/token` requires. The link can't be used again.
    /// Same-origin requests only.
    #[oai(
        path = "/invitations/accept",
        method = "post",
        operation_id = "acceptInvitation",
        transform = "sign_in_limit"
    )]
    async fn accept(
        &self,
        request: &Request,
        body: Body<AcceptRequest>,
    ) -> Result<GuardianCreated, Refused<{ COOKIE | BODY | RULE | CONFLICT | WRITE }>> {
        require_same_origin(&self.identity, request)?;
        let AcceptRequest { token, name, email } = body.0;
        let device = device_of(request);
        let accepted = self.invitations.accept(&token, &name, email, device);
        Ok(SignedInAnswer::new(accepted.await?, request, &self.identity).into())
    }

    /// Accept an invitation as the signed-in guardian
    ///
    /// The link can't be used again. 409 if the caller already has all of the children.
    #[oai(
        path = "/invitations/join",
        method = "post",
        operation_id = "joinByInvitation"
    )]
    async fn join(
        &self,
        guardian: AsGuardian,
        body: Body<InvitationToken>,
    ) -> Result<Done, Refused<{ SIGNED_IN | BODY | RULE | CONFLICT | WRITE }>> {
        self.invitations.join(&guardian.0, &body.0.token).await?;
        Ok(Done)
    }
}
