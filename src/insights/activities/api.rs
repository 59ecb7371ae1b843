//! API for guardians: a child's activities.

use std::sync::Arc;

use poem::http::HeaderValue;
use poem::http::header::LINK;
use poem::{IntoResponse, Response};
use poem_openapi::param::Path;
use poem_openapi::registry::{MetaResponses, MetaSchema, Registry};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Activities, ActivityId, CompletedPage, Feedback, Score, UpcomingActivity, Vote};
use crate::children::api::no_words;
use crate::children::{ChildAccess, ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Day, Zone};
use crate::kernel::http::problem::{BODY, CHILD, CONFLICT, MALFORMED, Refused, WRITE};
use crate::kernel::http::wire::{Body, Done, Listed, Query, Text, documented, given, with_header};
use crate::kernel::store::StoreError;

#[derive(Tags)]
enum Tag {
    /// Completed and upcoming activities.
    #[oai(rename = "activities")]
    Activities,
}

/// In characters.
pub const LONGEST_MOOD: usize = 32;

/// In characters.
const LONGEST_SCORE: usize = 200;

/// A score: text of at most 200 characters, or a number.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ScoreView(pub Score);

impl<'de> Deserialize<'de> for ScoreView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let score = Score::deserialize(deserializer)
            .map_err(|_| serde::de::Error::custom("A score is a text or a number."))?;
        if let Score::Words(words) = &score {
            Text::<LONGEST_SCORE>::new(words.as_str()).map_err(serde::de::Error::custom)?;
        }
        Ok(Self(score))
    }
}

/// A score, or `null` if the assistant gave none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct ScoreOrNull(Option<ScoreView>);

fn score_schema(description: &'static str, nullable: bool) -> MetaSchema {
    // Only a schema with a type can be nullable (OpenAPI 3.0.3), so the text variant is the nullable one.
    let text = Text::<LONGEST_SCORE>::schema_ref().merge(MetaSchema {
        nullable,
        ..MetaSchema::ANY
    });
    MetaSchema {
        description: Some(description),
        any_of: vec![text, f64::schema_ref()],
        ..MetaSchema::ANY
    }
}

documented!(ScoreView, "Score", score_schema("Text or a number.", false));
documented!(
    ScoreOrNull,
    "ScoreOrNull",
    score_schema("Text or a number; null when nobody said.", true)
);

/// A session that has ended, and how it went.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "CompletedActivity", skip_serializing_if_is_none)]
pub struct CompletedActivityView {
    /// The session's id.
    session_id: SessionId,
    /// The day on which the session began, in the child's time zone.
    date: Day,
    /// When it ended, as far as known.
    ended_at: Timestamp,
    /// The topic; empty if the assistant gave none.
    topic: Text<200>,
    /// The duration in seconds.
    #[oai(validator(minimum(value = "0")))]
    duration: f64,
    /// How it went; `null` if the assistant gave no score.
    score: ScoreOrNull,
    mood: Option<Text<LONGEST_MOOD>>,
}

documented!(
    ActivityId,
    "ActivityId",
    MetaSchema {
        min_length: Some(1),
        max_length: Some(ActivityId::LONGEST),
        pattern: Some(r"^(?!\.{1,2}$)".to_owned()),
        ..MetaSchema::new("string")
    }
);

/// An id in the path that no activity can have is answered with 404, like an unknown one.
impl ParseFromParameter for ActivityId {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        Self::new(value.to_owned()).map_err(ParseError::custom)
    }
}

/// An activity that the assistant proposes.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(
    rename = "UpcomingActivity",
    deny_unknown_fields,
    skip_serializing_if_is_none
)]
pub struct UpcomingActivityView {
    /// The assistant's id of it: 1 to 200 characters, unique in the list, and neither `.` nor `..`.
    activity_id: ActivityId,
    /// What it is about.
    topic: Text<200>,
    /// What the child would do.
    #[serde(default, deserialize_with = "given")]
    summary: Option<Text<2_000>>,
}

impl From<UpcomingActivityView> for UpcomingActivity {
    fn from(view: UpcomingActivityView) -> Self {
        Self {
            activity_id: view.activity_id,
            topic: view.topic.into_string(),
            summary: view.summary.map(Text::into_string),
        }
    }
}

/// Feedback on an upcoming activity.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Feedback", deny_unknown_fields)]
struct FeedbackRequest {
    feedback: Vote,
    /// The reason. It is trimmed; an empty one counts as omitted.
    #[serde(default, deserialize_with = "given")]
    reason: Option<Text<2_000>>,
}

/// A page of completed activities, with a link to the next page (RFC 8288) if there is one.
struct CompletedAnswer(CompletedPage);

type CompletedList = Listed<Vec<CompletedActivityView>>;

impl IntoResponse for CompletedAnswer {
    fn into_response(self) -> Response {
        let CompletedPage { rows, next_before } = self.0;
        let mut response = CompletedList::from(rows).into_response();
        if let Some(session) = next_before {
            let next = format!("<?before={session}>; rel=\"next\"");
            let next = HeaderValue::try_from(next).expect("a number fits into a header");
            response.headers_mut().insert(LINK, next);
        }
        response
    }
}

impl ApiResponse for CompletedAnswer {
    fn meta() -> MetaResponses {
        let description = "`<?before=…>; rel=\"next\"` (RFC 8288); left out on the last page.";
        with_header::<String>(CompletedList::meta(), "Link", description)
    }

    fn register(registry: &mut Registry) {
        CompletedList::register(registry);
    }
}

pub struct ActivitiesApi {
    pub children: Children,
    pub activities: Activities,
    pub zone_of: ZoneLookup,
}

pub type ZoneLookup = Arc<dyn Fn(&ChildAccess) -> Result<Zone, StoreError> + Send + Sync>;

#[OpenApi(tag = "Tag::Activities")]
impl ActivitiesApi {
    /// List a child's completed activities, newest first
    ///
    /// At most 500 per page; the `Link` header has the next page.
    #[oai(
        path = "/child/:childId/activities/completed",
        method = "get",
        operation_id = "listCompletedActivities",
        transform = "no_words"
    )]
    async fn completed(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// Only activities older than this one: the `session_id` of an activity in an earlier response.
        before: Query<Option<SessionId>>,
    ) -> Result<CompletedAnswer, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let zone = (self.zone_of)(&access)?;
        let page = self.activities.list_completed(&access, before.0, &zone)?;
        Ok(CompletedAnswer(page))
    }

    /// List a child's upcoming activities
    ///
    /// The assistant's proposals without feedback, in the assistant's order.
    #[oai(
        path = "/child/:childId/activities/upcoming",
        method = "get",
        operation_id = "listUpcomingActivities",
        transform = "no_words"
    )]
    async fn upcoming(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<Vec<UpcomingActivityView>>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(self.activities.list_upcoming(&access)?.into())
    }

    /// Give feedback on an upcoming activity
    ///
    /// Hides it, even if the assistant proposes it again. Repeated feedback replaces the earlier one, also another guardian's.
    #[oai(
        path = "/child/:childId/activities/upcoming/:activityId/feedback",
        method = "put",
        operation_id = "giveFeedback"
    )]
    async fn give_feedback(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The activity's id.
        #[oai(name = "activityId")]
        activity: Path<ActivityId>,
        body: Body<FeedbackRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let feedback = Feedback::new(body.0.feedback, body.0.reason.as_deref());
        self.activities
            .give_feedback(access, by, activity.0, feedback)
            .await?;
        Ok(Done)
    }

    /// Take back your feedback on an upcoming activity
    ///
    /// Shows the activity in its place again, unless its assistant has withdrawn it. If your feedback had replaced another
    /// guardian's, theirs counts again, and the activity stays hidden. Idempotent: does nothing if none of the feedback is yours. 409
    /// if another guardian's has replaced yours since.
    ///
    /// Feedback that was taken back isn't listed any more. An assistant that has read it isn't told.
    #[oai(
        path = "/child/:childId/activities/upcoming/:activityId/feedback",
        method = "delete",
        operation_id = "takeBackFeedback"
    )]
    async fn take_back_feedback(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The activity's id.
        #[oai(name = "activityId")]
        activity: Path<ActivityId>,
    ) -> Result<Done, Refused<{ CHILD | CONFLICT | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        self.activities
            .take_back_feedback(access, by, activity.0)
            .await?;
        Ok(Done)
    }
}
