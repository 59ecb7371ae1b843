//! A child's activities, for its guardians.

use std::sync::Arc;

use poem::http::HeaderValue;
use poem::http::header::LINK;
use poem::{IntoResponse, Response};
use poem_openapi::param::Path;
use poem_openapi::registry::{MetaResponses, MetaSchema, Registry};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};
use poem_openapi::{ApiResponse, Enum, Object, OpenApi, Tags};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Activities, ActivityId, CompletedPage, Feedback, Score, UpcomingActivity, Vote};
use crate::children::{ChildAccess, ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{BODY, CHILD, MALFORMED, Refused, WRITE};
use crate::kernel::store::StoreError;
use crate::kernel::wire::{Body, Done, Listed, Query, Text, documented, given, with_header};
use crate::kernel::zones::{Day, Zone};

/// The tag of these calls.
#[derive(Tags)]
enum Tag {
    /// Completed and upcoming activities.
    #[oai(rename = "activities")]
    Activities,
}

/// The longest mood, in characters (contract, section 2).
pub const LONGEST_MOOD: usize = 32;

/// The longest score in words, in characters.
const LONGEST_SCORE: usize = 200;

/// How an activity went: text of at most 200 characters, or a number.
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

/// A score, or `null` when nobody said.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct ScoreOrNull(Option<ScoreView>);

fn score_schema(description: &'static str, nullable: bool) -> MetaSchema {
    // Only a schema with a type can be nullable (OpenAPI 3.0.3), so it is the text that may be null.
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

/// A session that is over, and how it went.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "CompletedActivity")]
pub struct CompletedActivityView {
    /// The session it was.
    session_id: SessionId,
    /// The day on which the session began, in the child's time zone.
    date: Day,
    /// When it ended, as far as that is known.
    ended_at: Timestamp,
    /// What it was about; empty when nobody said.
    topic: Text<200>,
    /// How long it took, in seconds.
    #[oai(validator(minimum(value = "0")))]
    duration: f64,
    /// How it went; `null` when nobody said.
    score: ScoreOrNull,
    /// The child's mood.
    #[oai(skip_serializing_if_is_none)]
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

/// A path's id that no activity can have is not there, which the envelope answers as a 404.
impl ParseFromParameter for ActivityId {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        Self::new(value.to_owned()).map_err(ParseError::custom)
    }
}

/// Like or dislike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize)]
#[serde(try_from = "String")]
#[oai(rename = "Vote", rename_all = "lowercase")]
pub enum VoteView {
    /// Like.
    Up,
    /// Dislike.
    Down,
}

/// From a text: a derived `Deserialize` would take `{"up": null}` too.
impl TryFrom<String> for VoteView {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "up" => Ok(Self::Up),
            "down" => Ok(Self::Down),
            _ => Err("One of these is expected here: up, down."),
        }
    }
}

impl From<VoteView> for Vote {
    fn from(view: VoteView) -> Self {
        match view {
            VoteView::Up => Self::Up,
            VoteView::Down => Self::Down,
        }
    }
}

/// What the child could do next.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "UpcomingActivity", deny_unknown_fields)]
pub struct UpcomingActivityView {
    /// The assistant's id for it: 1 to 200 characters, unique in the list, and neither `.` nor `..`.
    activity_id: ActivityId,
    /// What it is about.
    topic: Text<200>,
    /// What it would be like.
    #[serde(default, deserialize_with = "given")]
    #[oai(skip_serializing_if_is_none)]
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

/// A verdict on an upcoming activity.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Feedback", deny_unknown_fields)]
struct FeedbackRequest {
    feedback: VoteView,
    /// Why. White space around it is taken off; nothing else is as good as left out.
    #[serde(default, deserialize_with = "given")]
    reason: Option<Text<2_000>>,
}

/// A page of completed activities, with a link to the next one (RFC 8288) where there is one.
struct CompletedAnswer(CompletedPage);

type CompletedList = Listed<Vec<CompletedActivityView>>;

impl IntoResponse for CompletedAnswer {
    fn into_response(self) -> Response {
        let CompletedPage {
            rows,
            goes_on_before,
        } = self.0;
        let mut response = CompletedList::from(rows).into_response();
        if let Some(session) = goes_on_before {
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

/// The activities' calls.
pub struct ActivitiesApi {
    /// Who may see whom.
    pub children: Children,
    /// The activities' façade.
    pub activities: Activities,
    /// The time zone of a child.
    pub zone_of: ZoneOf,
}

/// Finds the time zone of a child.
pub type ZoneOf = Arc<dyn Fn(&ChildAccess) -> Result<Zone, StoreError> + Send + Sync>;

#[OpenApi(tag = "Tag::Activities")]
impl ActivitiesApi {
    /// List a child's completed activities, newest first
    ///
    /// At most 500; the `Link` header leads to the next ones.
    #[oai(
        path = "/child/:childId/activities/completed",
        method = "get",
        operation_id = "listCompletedActivities"
    )]
    async fn completed(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// Only those before this activity: a session's number from an earlier answer.
        before: Query<Option<SessionId>>,
    ) -> Result<CompletedAnswer, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let zone = (self.zone_of)(&access)?;
        let page = self.activities.list_completed(&access, before.0, &zone)?;
        Ok(CompletedAnswer(page))
    }

    /// List what a child could do next
    ///
    /// What the assistant proposes and nobody has judged yet, in the assistant's order.
    #[oai(
        path = "/child/:childId/activities/upcoming",
        method = "get",
        operation_id = "listUpcomingActivities"
    )]
    async fn upcoming(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<Vec<UpcomingActivityView>>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(self.activities.list_upcoming(&access)?.into())
    }

    /// Judge an upcoming activity
    ///
    /// It leaves the list, for good. Judging again replaces the verdict.
    #[oai(
        path = "/child/:childId/activities/upcoming/:activityId/feedback",
        method = "put",
        operation_id = "giveFeedback"
    )]
    async fn give_feedback(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// Which activity.
        #[oai(name = "activityId")]
        activity: Path<ActivityId>,
        body: Body<FeedbackRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let feedback = Feedback::new(body.0.feedback.into(), body.0.reason.as_deref());
        self.activities
            .give_feedback(access, activity.0, feedback)
            .await?;
        Ok(Done)
    }
}
