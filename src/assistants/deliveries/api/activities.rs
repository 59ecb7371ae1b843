//! API for assistants: upcoming activities, and the guardians' feedback on them.

use std::sync::Arc;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::Tag;
use crate::assistants::deliveries::AssistantService;
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::insights::activities::api::UpcomingActivityView;
use crate::insights::activities::{ActivitiesError, ActivityId, Proposal, UpcomingActivity, Vote};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, CHILD, MALFORMED, RULE, Refused, WRITE};
use crate::kernel::http::wire::{AtMost, Body, Done, LARGE, Listed, PageMarker, Query, Text};

/// A guardian's feedback on an activity.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantFeedback", skip_serializing_if_is_none)]
pub struct AssistantFeedbackView {
    /// Your id of the activity.
    activity_id: ActivityId,
    feedback: Vote,
    /// The reason, if the guardian gave one.
    reason: Option<Text<2_000>>,
    /// The time of the feedback.
    at: Timestamp,
}

/// A page of feedback.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedbackPage {
    /// Oldest first, at most 100; empty if there is nothing new.
    #[oai(validator(max_items = "100"))]
    feedback: Vec<AssistantFeedbackView>,
    /// The `after` of the next request, now or later.
    next: String,
}

pub struct ActivitiesCalls {
    pub service: Arc<AssistantService>,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl ActivitiesCalls {
    /// Replace your upcoming activities
    ///
    /// Your whole list, at most 100. Guardians see the lists of all of the child's assistants. Activities that already have feedback
    /// stay hidden, even if you propose them again.
    #[oai(
        path = "/child/:childId/activities/upcoming",
        method = "put",
        operation_id = "replaceUpcomingActivities"
    )]
    async fn replace_upcoming(
        &self,
        assistant: AsAssistant,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<AtMost<{ Proposal::MOST }, UpcomingActivityView>, LARGE>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | WRITE }>> {
        let activities = body.0.into_vec().into_iter().map(UpcomingActivity::from);
        let proposal = Proposal::new(activities.collect()).map_err(ActivitiesError::from)?;
        self.service
            .replace_upcoming(&assistant.0, child.0, proposal)
            .await?;
        Ok(Done)
    }

    /// List the guardians' feedback
    ///
    /// Oldest first, at most 100. Changed feedback is listed again, in its new form only.
    #[oai(
        path = "/child/:childId/feedback",
        method = "get",
        operation_id = "listFeedback"
    )]
    async fn feedback(
        &self,
        assistant: AsAssistant,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `next` of an earlier response.
        after: Query<Option<PageMarker>>,
    ) -> Result<Listed<FeedbackPage>, Refused<{ CHILD | MALFORMED }>> {
        let page = self.service.list_verdicts(
            &assistant.0,
            child.0,
            after.0.as_ref().map(PageMarker::as_str),
        )?;
        Ok(page.to_json().into())
    }
}
