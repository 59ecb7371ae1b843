//! API for guardians: what a child was curious about.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::{Candidate, ConversationStarters};
use crate::children::api::no_words;
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::host::reading_time::reading_time;
use crate::kernel::host::zones::Day;
use crate::kernel::http::problem::{BODY, CHILD, MALFORMED, RULE, Refused, WRITE};
use crate::kernel::http::wire::{Body, Done, Listed, Query, Text};
use crate::kernel::store::JsonRows;

#[derive(Tags)]
enum Tag {
    /// What a child was curious about.
    #[oai(rename = "curious")]
    ConversationStarters,
}

pub struct ConversationStartersApi {
    pub children: Children,
    pub conversation_starters: ConversationStarters,
}

/// A question that the child asked. Its words are in its message: see `listMessages` with `around`.
#[derive(Debug, Object, Serialize, Deserialize)]
#[oai(rename = "ConversationStarter")]
#[serde(deny_unknown_fields)]
struct QuestionView {
    /// The session's id.
    session_id: SessionId,
    /// The message's id, for `around`.
    message_id: Text<200>,
    /// What it is about, in the child's words, such as "the moon".
    subject: Text<400>,
    /// Where the subject is in the message: start and end in UTF-16 units.
    ranges: Vec<Vec<u32>>,
}

/// What the child was curious about.
#[derive(Debug, Object, Deserialize)]
#[oai(rename = "ConversationStarters")]
#[serde(deny_unknown_fields)]
struct ConversationStartersView {
    /// Whether questions are shown to the child's guardians.
    on: bool,
    /// The best questions, best first; at most three.
    questions: Vec<QuestionView>,
}

#[derive(Serialize)]
struct Answer {
    on: bool,
    questions: Vec<AnsweredQuestion>,
}

#[derive(Serialize)]
struct AnsweredQuestion {
    session_id: SessionId,
    message_id: String,
    subject: String,
    ranges: Vec<[usize; 2]>,
}

impl From<Candidate> for AnsweredQuestion {
    fn from(candidate: Candidate) -> Self {
        Self {
            session_id: candidate.session,
            message_id: candidate.message_id,
            subject: candidate.question.subject,
            ranges: candidate.ranges,
        }
    }
}

/// The question to hide.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "HiddenQuestion", deny_unknown_fields)]
struct HiddenView {
    session_id: SessionId,
    message_id: Text<200>,
}

/// Whether questions are shown.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "ConversationStartersSwitch", deny_unknown_fields)]
struct SwitchView {
    on: bool,
}

#[OpenApi(tag = "Tag::ConversationStarters")]
impl ConversationStartersApi {
    /// Get what a child was curious about
    ///
    /// Harmless questions of the child, chosen by rules, read for a short time. Days are in the child's time zone; at most 31.
    #[oai(
        path = "/child/:childId/curious",
        method = "get",
        operation_id = "getConversationStarters",
        transform = "no_words"
    )]
    async fn questions(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The first day; by default six days before the last.
        from: Query<Option<Day>>,
        /// The last day; today by default.
        to: Query<Option<Day>>,
    ) -> Result<Listed<ConversationStartersView>, Refused<{ CHILD | MALFORMED | RULE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let questions =
            self.conversation_starters
                .questions(access, by, from.0, to.0, reading_time());
        let questions = questions.await?;
        let answer = Answer {
            on: questions.is_on,
            questions: questions.chosen.into_iter().map(Into::into).collect(),
        };
        Ok(JsonRows::of(&answer, questions.unreadable).into())
    }

    /// Hide a question of a child
    ///
    /// For the calling guardian alone, and for good.
    #[oai(
        path = "/child/:childId/curious/hidden",
        method = "put",
        operation_id = "hideConversationStarter"
    )]
    async fn hide(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<HiddenView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let HiddenView {
            session_id,
            message_id,
        } = body.0;
        let hidden =
            self.conversation_starters
                .hide(access, by, session_id, message_id.to_string());
        hidden.await?;
        Ok(Done)
    }

    /// Turn a child's questions on or off
    ///
    /// For all of the child's guardians.
    #[oai(
        path = "/child/:childId/curious/on",
        method = "put",
        operation_id = "switchConversationStarters"
    )]
    async fn switch(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<SwitchView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        self.conversation_starters
            .switch(access, by, body.0.on)
            .await?;
        Ok(Done)
    }
}
