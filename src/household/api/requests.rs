//! The endpoints for pending requests: reading and answering them, deleting a child, and giving up access to a child.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::answers::AnswersView;
use super::{NameRequest, Tag, require_step_up};
use crate::alerts::reviewer::{Consents, PendingConsent};
use crate::children::agreements::{Edition, RequestKind, RequestedChange};
use crate::children::api::no_words;
use crate::children::history::api::AuthorView;
use crate::children::{ChildId, Period};
use crate::household::invitations::{InvitationId, Invitations, PendingInvitation};
use crate::household::management::Management;
use crate::household::profiles::ChildProfiles;
use crate::household::requests::{ChildRequests, PendingRequest};
use crate::identity::api::{AsGuardian, uncounted};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::Day;
use crate::kernel::http::problem::{
    BODY, CHANGED, CHILD, CONFLICT, MALFORMED, RULE, Refused, SIGNED_IN, WRITE,
};
use crate::kernel::http::wire::{Body, Done, IfMatch, Listed, Text, at_most};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::JsonRows;

/// A request about a child, which waits for its other guardians.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ChildRequest", skip_serializing_if_is_none)]
pub struct RequestView {
    /// The child's id.
    child_id: ChildId,
    kind: RequestKind,
    /// For `If-Match`, and for reporting that it was shown. It changes if something else is asked for, and with the conversations
    /// that a deletion would delete.
    edition: Edition,
    /// The requesting guardian; omitted if unknown.
    by: Option<AuthorView>,
    /// When it was made or last changed.
    requested_at: Timestamp,
    /// For how many days conversations would be kept; omitted for a deletion.
    days: Option<Period>,
    /// The number of conversations that would be deleted. For a deletion it includes those in 'Recently deleted'.
    conversations: u64,
    /// The day on which the first of them began, in the child's time zone; omitted without conversations, and unless it is a
    /// deletion.
    from: Option<Day>,
    /// The day on which the last of them began; omitted like `from`.
    to: Option<Day>,
    /// The child's name and its names of the last 30 days, newest first. Empty unless it is a deletion.
    names: Vec<Text<200>>,
    /// Whether the caller has seen and confirmed it, and when it takes effect.
    answers: AnswersView,
}

impl From<PendingRequest> for RequestView {
    fn from(pending: PendingRequest) -> Self {
        let (kind, days) = match pending.asked {
            RequestedChange::Deletion => (RequestKind::Deletion, None),
            RequestedChange::Retention(period) => (RequestKind::Retention, Some(period)),
        };
        let names = pending.extent.names.into_iter();
        Self {
            child_id: pending.child,
            kind,
            edition: pending.edition,
            by: pending.by.map(AuthorView::from),
            requested_at: pending.at,
            days,
            conversations: pending.extent.conversations,
            from: pending.extent.days.map(|(first, _)| first),
            to: pending.extent.days.map(|(_, last)| last),
            names: names.filter_map(|name| Text::new(name).ok()).collect(),
            answers: pending.answers.into(),
        }
    }
}

/// Another guardian wants a model to read a child's conversations, and the caller has not agreed.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct ReviewerRequest {
    /// The child's id.
    child_id: ChildId,
    /// The guardian who switched it on; omitted if unknown.
    by: Option<AuthorView>,
    /// When it was switched on.
    since: Timestamp,
}

impl From<PendingConsent> for ReviewerRequest {
    fn from(pending: PendingConsent) -> Self {
        Self {
            child_id: pending.child,
            by: pending.by.map(AuthorView::from),
            since: pending.at,
        }
    }
}

/// An invitation that has not taken effect.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Invitation", skip_serializing_if_is_none)]
struct InvitationView {
    /// The invitation's id.
    invitation_id: InvitationId,
    /// For `If-Match`, and for reporting that it was shown. It changes when the guardians are asked again.
    edition: Edition,
    /// The inviting guardian; omitted if unknown.
    by: Option<AuthorView>,
    /// The caller's children in it.
    children: Vec<ChildId>,
    /// Where the link was sent; omitted if it was shown instead.
    email: Option<EmailAddress>,
    created_at: Timestamp,
    accepted: bool,
    /// The name of the guardian who accepted it; omitted if unknown.
    accepted_by: Option<String>,
    /// The address of the guardian who accepted it; omitted if unknown.
    accepted_address: Option<AcceptedAddress>,
    /// Whether the caller has seen and confirmed it, and when it takes effect.
    answers: AnswersView,
}

/// The address of the guardian who accepted an invitation.
#[derive(Debug, Object, Serialize)]
struct AcceptedAddress {
    email: EmailAddress,
    /// Whether it is verified; otherwise it is only what they typed.
    verified: bool,
}

impl From<PendingInvitation> for InvitationView {
    fn from(pending: PendingInvitation) -> Self {
        Self {
            invitation_id: pending.id,
            edition: pending.edition,
            by: pending.by.map(AuthorView::from),
            children: pending.children,
            email: pending.email,
            created_at: pending.at,
            accepted: pending.accepted,
            accepted_by: pending.accepted_by,
            accepted_address: pending
                .accepted_address
                .map(|(email, verified)| AcceptedAddress { email, verified }),
            answers: pending.answers.into(),
        }
    }
}

/// The pending requests about the caller's children.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Requests")]
struct RequestsView {
    /// Requests to delete a child, or to keep its conversations for a shorter time.
    requests: Vec<RequestView>,
    /// Models that other guardians want to read conversations, and that wait for the caller's agreement.
    reviewers: Vec<ReviewerRequest>,
    /// Invitations, oldest first.
    invitations: Vec<InvitationView>,
}

/// An edition of a request that was shown.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct ShownRequest {
    /// The child's id.
    child_id: ChildId,
    kind: RequestKind,
    edition: Text<36>,
}

/// An edition of an invitation that was shown.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct ShownInvitation {
    /// The invitation's id.
    invitation_id: Text<36>,
    edition: Text<36>,
}

/// The requests that were shown to the caller.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct ShownRequests {
    #[serde(deserialize_with = "at_most::<100, _, _>")]
    #[oai(validator(max_items = 100))]
    requests: Vec<ShownRequest>,
    #[serde(deserialize_with = "at_most::<100, _, _>")]
    #[oai(validator(max_items = 100))]
    invitations: Vec<ShownInvitation>,
}

pub struct RequestsApi {
    pub management: Management,
    pub profiles: ChildProfiles,
    pub requests: ChildRequests,
    pub invitations: Invitations,
    pub consents: Consents,
}

#[OpenApi(tag = "Tag::Household")]
impl RequestsApi {
    /// Get the pending requests about one's children
    #[oai(
        path = "/household/requests",
        method = "get",
        operation_id = "getRequests",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
    ) -> Result<Listed<RequestsView>, Refused<{ SIGNED_IN }>> {
        let (requests, unreadable) = self.requests.pending_for(&guardian.0).await?;
        let (reviewers, unreadable_reviewers) = self.consents.pending_for(&guardian.0)?;
        let (invitations, unreadable_invitations) = self.invitations.pending_for(&guardian.0)?;
        let unreadable = unreadable + unreadable_reviewers + unreadable_invitations;
        let answer = RequestsView {
            requests: requests.into_iter().map(RequestView::from).collect(),
            reviewers: reviewers.into_iter().map(ReviewerRequest::from).collect(),
            invitations: invitations.into_iter().map(InvitationView::from).collect(),
        };
        Ok(JsonRows::of(&answer, unreadable).into())
    }

    /// Record that pending requests were shown
    ///
    /// They may take effect seven days later. Requests that have ended, or changed to another edition, are ignored. 404 for a
    /// child that isn't the caller's.
    #[oai(
        path = "/household/requests/shown",
        method = "post",
        operation_id = "noteRequestsShown",
        transform = "uncounted"
    )]
    async fn record_shown(
        &self,
        guardian: AsGuardian,
        body: Body<ShownRequests>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let ShownRequests {
            requests,
            invitations,
        } = body.0;
        let requests = requests.into_iter().map(|shown| {
            let edition = Edition::from_text(&shown.edition);
            (shown.child_id, shown.kind, edition)
        });
        let invitations = invitations.into_iter().map(|shown| {
            let id = InvitationId::from_text(&shown.invitation_id);
            (id, Edition::from_text(&shown.edition))
        });
        let (requests, invitations) = (requests.collect(), invitations.collect());
        self.requests
            .record_shown(&guardian.0, requests, invitations)
            .await?;
        Ok(Done)
    }

    /// Give up access to a child
    ///
    /// Removes only the caller's access. Requires stepping up (403 otherwise). 409 if the child has no other guardian.
    #[oai(
        path = "/child/:childId/guardians/me",
        method = "delete",
        operation_id = "leaveChild"
    )]
    async fn leave(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Done, Refused<{ CHILD | CONFLICT | WRITE }>> {
        let by = require_step_up(&self.management, &guardian)?;
        self.profiles.leave(&by, child.0).await?;
        Ok(Done)
    }

    /// Request the deletion of a child and all its data
    ///
    /// Requires stepping up (403 otherwise). It takes effect once all other guardians have confirmed it, or seven days after it
    /// was shown to each of them. For a child's only guardian it takes effect after seven days. Requesting it again changes
    /// nothing. 409 if another guardian's request is pending. Requests about one child can be made or changed at most three times
    /// in seven days. While it is pending, the child can't be renamed and no conversations can be moved to it.
    #[oai(
        path = "/child/:childId/deletion",
        method = "put",
        operation_id = "requestChildDeletion",
        transform = "uncounted"
    )]
    async fn request_deletion(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<NameRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | CONFLICT | WRITE }>> {
        let by = require_step_up(&self.management, &guardian)?;
        self.requests
            .request_deletion(&by, child.0, &body.0.name)
            .await?;
        Ok(Done)
    }

    /// Confirm another guardian's request
    ///
    /// Requires stepping up (403 otherwise). 400 without `If-Match`.
    #[oai(
        path = "/child/:childId/requests/:kind/confirmation",
        method = "put",
        operation_id = "confirmRequest",
        transform = "uncounted"
    )]
    async fn confirm(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// What the request asks for.
        kind: Path<RequestKind>,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        read: IfMatch,
    ) -> Result<Done, Refused<{ CHILD | MALFORMED | CHANGED | WRITE }>> {
        let by = self.management.sign_ins.require_step_up(&guardian.0)?;
        let read = read.named()?;
        let is_read = move |edition: &Edition| read.allows(edition.as_str());
        let confirmed = self.requests.confirm(&by, child.0, kind.0, is_read);
        confirmed.await?;
        Ok(Done)
    }

    /// Cancel any guardian's request
    #[oai(
        path = "/child/:childId/requests/:kind",
        method = "delete",
        operation_id = "stopRequest"
    )]
    async fn cancel(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// What the request asks for.
        kind: Path<RequestKind>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        self.requests.cancel(&guardian.0, child.0, kind.0).await?;
        Ok(Done)
    }
}
