//! The endpoints for pending requests: deleting a child, answering requests, and giving up access to a child.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::retention::RetentionRequest;
use super::waiting::WaitingView;
use super::{NameRequest, Tag};
use crate::children::ChildId;
use crate::children::history::api::AuthorView;
use crate::household::{
    Household, InvitationId, Requests, SeenErasure, SeenInvitation, SeenReviewer,
};
use crate::identity::api::AsGuardian;
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::problem::{BODY, CHILD, CONFLICT, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::store::JsonRows;
use crate::kernel::wire::{Body, Done, Listed, Text, at_most};
use crate::kernel::zones::Day;

/// A pending request to delete a child.
#[derive(Debug, Object, Serialize)]
struct ErasureRequest {
    /// The child's id.
    child_id: ChildId,
    /// The requesting guardian; omitted if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
    /// When it was made.
    at: Timestamp,
    /// The number of conversations that would be deleted, including those in 'Recently deleted'.
    conversations: u64,
    /// The day on which the first of them began, in the child's time zone; omitted without conversations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    first_day: Option<Day>,
    /// The day on which the last of them began; omitted without conversations.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    last_day: Option<Day>,
    /// The child's name and its names of the last 30 days, newest first.
    names: Vec<Text<200>>,
    /// Whether the caller has seen and confirmed it, and when it takes effect.
    answers: WaitingView,
}

impl From<SeenErasure> for ErasureRequest {
    fn from(seen: SeenErasure) -> Self {
        let names = seen.extent.names.into_iter();
        Self {
            child_id: seen.child,
            by: seen.by.map(AuthorView::from),
            at: seen.at,
            conversations: seen.extent.conversations,
            first_day: seen.extent.days.map(|(first, _)| first),
            last_day: seen.extent.days.map(|(_, last)| last),
            names: names.filter_map(|name| Text::new(name).ok()).collect(),
            answers: seen.waiting.into(),
        }
    }
}

/// Another guardian wants a model to read a child's conversations, and the caller has not agreed.
#[derive(Debug, Object, Serialize)]
struct ReviewerRequest {
    /// The child's id.
    child_id: ChildId,
    /// The guardian who switched it on; omitted if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
    /// When it was switched on.
    at: Timestamp,
}

impl From<SeenReviewer> for ReviewerRequest {
    fn from(seen: SeenReviewer) -> Self {
        Self {
            child_id: seen.child,
            by: seen.by.map(AuthorView::from),
            at: seen.at,
        }
    }
}

/// An invitation that has not taken effect.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Invitation")]
struct InvitationView {
    /// The invitation's id.
    invitation_id: InvitationId,
    /// The inviting guardian; omitted if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    by: Option<AuthorView>,
    /// The caller's children in it.
    children: Vec<ChildId>,
    /// Where the link was sent; omitted if it was shown instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    email: Option<EmailAddress>,
    /// When it was made.
    at: Timestamp,
    /// Whether somebody has accepted it.
    accepted: bool,
    /// The name of the guardian who accepted it; omitted if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    accepted_by: Option<String>,
    /// The address of the guardian who accepted it; omitted if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    accepted_address: Option<AcceptedAddress>,
    /// Whether the caller has seen and confirmed it, and when it takes effect.
    answers: WaitingView,
}

/// The address of the guardian who accepted an invitation.
#[derive(Debug, Object, Serialize)]
struct AcceptedAddress {
    /// The address.
    email: EmailAddress,
    /// Whether it is verified; otherwise it is only what they typed.
    verified: bool,
}

impl From<SeenInvitation> for InvitationView {
    fn from(seen: SeenInvitation) -> Self {
        Self {
            invitation_id: seen.id,
            by: seen.by.map(AuthorView::from),
            children: seen.children,
            email: seen.email,
            at: seen.at,
            accepted: seen.accepted,
            accepted_by: seen.accepted_by,
            accepted_address: seen
                .accepted_address
                .map(|(email, verified)| AcceptedAddress { email, verified }),
            answers: seen.waiting.into(),
        }
    }
}

/// The pending requests about the caller's children.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Requests")]
struct RequestsView {
    /// Requests to delete a child.
    erasures: Vec<ErasureRequest>,
    /// Requests to keep a child's conversations for a shorter time.
    retentions: Vec<RetentionRequest>,
    /// Models that other guardians want to read conversations, and that wait for the caller's agreement.
    reviewers: Vec<ReviewerRequest>,
    /// Invitations, oldest first.
    invitations: Vec<InvitationView>,
}

/// The requests that were shown to the caller.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct ShownRequest {
    /// The children whose deletion request was shown.
    #[serde(deserialize_with = "at_most::<100, _, _>")]
    #[oai(validator(max_items = 100))]
    erasures: Vec<ChildId>,
    /// The children whose request for a shorter retention was shown.
    #[serde(default, deserialize_with = "at_most::<100, _, _>")]
    #[oai(default, validator(max_items = 100))]
    retentions: Vec<ChildId>,
    /// The ids of the invitations that were shown.
    #[serde(deserialize_with = "at_most::<100, _, _>")]
    #[oai(validator(max_items = 100))]
    invitations: Vec<Text<36>>,
}

pub struct RequestsApi {
    pub household: Household,
}

#[OpenApi(tag = "Tag::Household")]
impl RequestsApi {
    /// List the pending requests about one's children
    #[oai(
        path = "/household/requests",
        method = "get",
        operation_id = "listRequests"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
    ) -> Result<Listed<RequestsView>, Refused<{ SIGNED_IN }>> {
        let Requests {
            erasures,
            retentions,
            reviewers,
            invitations,
            unreadable,
        } = self.household.requests_of(&guardian.0).await?;
        let answer = RequestsView {
            erasures: erasures.into_iter().map(ErasureRequest::from).collect(),
            retentions: retentions.into_iter().map(RetentionRequest::from).collect(),
            reviewers: reviewers.into_iter().map(ReviewerRequest::from).collect(),
            invitations: invitations.into_iter().map(InvitationView::from).collect(),
        };
        Ok(JsonRows::of(&answer, unreadable).into())
    }

    /// Record that pending requests were shown
    ///
    /// They may take effect seven days later. Requests that have ended are ignored. 404 for a child that isn't the caller's.
    #[oai(
        path = "/household/requests/shown",
        method = "post",
        operation_id = "noteRequestsShown"
    )]
    async fn note_shown(
        &self,
        guardian: AsGuardian,
        body: Body<ShownRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let ShownRequest {
            erasures,
            retentions,
            invitations,
        } = body.0;
        let ids = invitations.iter().map(|id| InvitationId::from_text(id));
        let noted = self
            .household
            .note_shown(&guardian.0, erasures, retentions, ids.collect());
        noted.await?;
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
        let by = self.household.require_step_up(&guardian.0)?;
        self.household.leave(&by, child.0).await?;
        Ok(Done)
    }

    /// Request the deletion of a child and all its data
    ///
    /// Requires stepping up (403 otherwise). It takes effect once all other guardians have confirmed it, or seven days after it
    /// was shown to each of them. For a child's only guardian it takes effect after seven days. 409 if a request is pending. At
    /// most three times a day for one child. While it is pending, the child can't be renamed and no conversations can be moved
    /// to it.
    #[oai(
        path = "/child/:childId/erasure",
        method = "post",
        operation_id = "askToEraseChild"
    )]
    async fn ask_to_erase(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<NameRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | CONFLICT | WRITE }>> {
        let by = self.household.require_step_up(&guardian.0)?;
        let asked = self.household.ask_to_erase(&by, child.0, &body.0.name);
        asked.await?;
        Ok(Done)
    }

    /// Confirm another guardian's request to delete a child
    ///
    /// Requires stepping up (403 otherwise).
    #[oai(
        path = "/child/:childId/erasure/confirmation",
        method = "put",
        operation_id = "confirmChildErasure"
    )]
    async fn confirm_erasure(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        let by = self.household.sign_ins.require_step_up(&guardian.0)?;
        self.household.confirm_erasure(&by, child.0).await?;
        Ok(Done)
    }

    /// Cancel any guardian's request to delete a child
    #[oai(
        path = "/child/:childId/erasure",
        method = "delete",
        operation_id = "stopChildErasure"
    )]
    async fn stop_erasure(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        self.household.stop_erasure(&guardian.0, child.0).await?;
        Ok(Done)
    }
}
