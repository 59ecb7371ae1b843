//! Upcoming activities, and the guardians' feedback on them.

use std::sync::Arc;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use super::Tag;
use crate::activities::api::{UpcomingActivityView, VoteView};
use crate::activities::{ActivitiesError, ActivityId, Proposal, UpcomingActivity};
use crate::assistant::AssistantService;
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{BODY, CHILD, MALFORMED, RULE, Refused, WRITE};
use crate::kernel::wire::{AtMost, Body, Done, Listed, PageMarker, Query, Text};

/// A guardian's verdict on an activity.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantFeedback")]
pub struct VerdictView {
    /// Your id for the activity.
    activity_id: ActivityId,
    feedback: VoteView,
    /// Why, if the guardian said.
    #[oai(skip_serializing_if_is_none)]
    reason: Option<Text<2_000>>,
    /// When it was judged.
    at: Timestamp,
}

/// A page of verdicts.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedbackPage {
    /// Oldest first, at most 100. Empty when there's nothing new.
    #[oai(validator(max_items = "100"))]
    feedback: Vec<VerdictView>,
    /// For `after`, now or later: it continues behind what was read.
    next: String,
}

pub struct ActivitiesCalls {
    pub service: Arc<AssistantService>,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl ActivitiesCalls {
    /// Say what a child could do next
    ///
    /// The whole list, at most 100. What a guardian has judged stays hidden, even if you propose it again.
    #[oai(
        path = "/child/:childId/activities/upcoming",
        method = "put",
        operation_id = "replaceUpcomingActivities"
    )]
    async fn replace_upcoming(
        &self,
        assistant: AsAssistant,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<AtMost<{ Proposal::MOST }, UpcomingActivityView>>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | WRITE }>> {
        let activities = body.0.into_vec().into_iter().map(UpcomingActivity::from);
        let proposal = Proposal::new(activities.collect()).map_err(ActivitiesError::from)?;
        self.service
            .replace_upcoming(&assistant.0, child.0, proposal)
            .await?;
        Ok(Done)
    }

    /// Read what the guardians think of it
    ///
    /// Oldest first, at most 100. A verdict that was changed comes again, and its old form no more.
    #[oai(
        path = "/child/:childId/feedback",
        method = "get",
        operation_id = "listFeedback"
    )]
    async fn feedback(
        &self,
        assistant: AsAssistant,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// Where an earlier answer ended: its `next`.
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
