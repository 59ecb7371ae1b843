//! Reading and changing what an assistant must follow with a child: the calls of the features that the rules join stand here,
//! too, because a change of theirs is a new version.

pub mod history;
pub mod receipts;
mod times;

use poem_openapi::param::Path;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::Rules;
use crate::blocked_topics::api::{SentTopics, TopicList, answer};
use crate::blocked_topics::{BlockedTopics, MANDATORY};
use crate::children::{ChildId, Children};
use crate::context::Contexts;
use crate::context::api::ContextView;
use crate::identity::api::AsGuardian;
use crate::kernel::problem::{BODY, CHANGED, CHILD, RULE, Refused, WRITE};
use crate::kernel::version::Version;
use crate::kernel::wire::{Body, IfMatch, Joined, entity_tag};
use crate::times::api::TalkView;

pub use times::TimesCalls;

/// The tags of these calls.
#[derive(Tags)]
pub(super) enum Tag {
    /// Topics that the assistant avoids.
    #[oai(rename = "blocked-topics")]
    BlockedTopics,
    /// What the assistant should know of a child, and what it must follow.
    #[oai(rename = "rules")]
    Rules,
}

#[derive(ApiResponse)]
enum TopicsAnswer {
    /// The child's own topics, in the order in which they were added; never the mandatory ones.
    #[oai(status = 200)]
    Kept(
        Joined<TopicList>,
        /// What the list is recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
        /// How many guardians see and change this list.
        #[oai(header = "Porchlight-Guardians")]
        u64,
    ),
}

#[derive(ApiResponse)]
enum ContextAnswer {
    /// The text.
    #[oai(status = 200)]
    Kept(
        Joined<ContextView>,
        /// What the text is recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
        /// How many guardians see and change this text.
        #[oai(header = "Porchlight-Guardians")]
        u64,
    ),
}

#[derive(ApiResponse)]
enum TopicsReplaced {
    /// The list as it is kept.
    #[oai(status = 200)]
    Kept(
        Joined<TopicList>,
        /// What the list is recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
    ),
}

#[derive(ApiResponse)]
enum ContextReplaced {
    /// The text as it is kept.
    #[oai(status = 200)]
    Kept(
        Joined<ContextView>,
        /// What the text is recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
    ),
}

/// The topics to avoid.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "TopicsToAvoid")]
pub struct TopicsView {
    /// Always blocked, for every child.
    mandatory: Vec<String>,
    /// What this child's guardians block.
    custom: TopicList,
}

impl TopicsView {
    /// The mandatory topics, and these.
    pub fn new(custom: Vec<String>) -> Self {
        Self {
            mandatory: MANDATORY.map(str::to_owned).into(),
            custom: TopicList(custom),
        }
    }
}

/// What an assistant must follow with a child, as its guardians see it.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Rules")]
struct RulesView {
    /// How many changes there were.
    number: u64,
    /// The text that the child's assistants get for their system prompts.
    instructions: String,
    /// Whether an assistant may talk with the child now.
    talk: TalkView,
    /// For how many seconds the child has talked today, in its own time zone.
    seconds_used: u64,
}

/// The rules' calls.
pub struct RulesApi {
    /// Who may see whom.
    pub children: Children,
    /// The rules' façade.
    pub rules: Rules,
    /// The blocked topics' façade.
    pub blocked_topics: BlockedTopics,
    /// The contexts' façade.
    pub contexts: Contexts,
}

#[OpenApi]
impl RulesApi {
    /// Read what the assistant must follow with a child
    #[oai(
        path = "/child/:childId/rules",
        method = "get",
        operation_id = "getRules",
        tag = "Tag::Rules"
    )]
    async fn rules(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<RulesView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let rules = self.rules.in_force(&access)?;
        let now = self.rules.talk(&access)?;
        Ok(Body(RulesView {
            number: rules.number,
            instructions: rules.instructions.clone(),
            talk: (&now.talk).into(),
            seconds_used: now.seconds_used,
        }))
    }

    /// List the topics that a child's guardians block
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "get",
        operation_id = "listBlockedTopics",
        tag = "Tag::BlockedTopics"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<TopicsAnswer, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)?;
        let (list, tag) = answer(self.blocked_topics.list(&access)?);
        Ok(TopicsAnswer::Kept(list, tag, guardians as u64))
    }

    /// Replace the topics that a child's guardians block
    ///
    /// The whole list. It is trimmed; empty ones, mandatory ones and repeats that differ only in case are
    /// dropped. When one cannot be blocked, or there are more than 500, nothing is changed.
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "put",
        operation_id = "replaceBlockedTopics",
        tag = "Tag::BlockedTopics"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` of the list that was changed: 412 if it has changed since.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<SentTopics>,
    ) -> Result<TopicsReplaced, Refused<{ CHILD | BODY | CHANGED | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let by = guardian.0.guardian().clone();
        let kept = self.rules.replace_topics(access, by, body.0.0, is_expected);
        let (list, tag) = answer(kept.await?);
        Ok(TopicsReplaced::Kept(list, tag))
    }

    /// Read what the assistant should know of a child
    #[oai(
        path = "/child/:childId/context",
        method = "get",
        operation_id = "getContext",
        tag = "Tag::Rules"
    )]
    async fn context(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<ContextAnswer, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)? as u64;
        let kept = self.contexts.get(&access)?;
        let tag = entity_tag(kept.version.as_str());
        Ok(ContextAnswer::Kept(Joined::json(kept.json), tag, guardians))
    }

    /// Replace what the assistant should know of a child
    #[oai(
        path = "/child/:childId/context",
        method = "put",
        operation_id = "replaceContext",
        tag = "Tag::Rules"
    )]
    async fn replace_context(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` of the text that was changed: 412 if it has changed since.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<ContextView>,
    ) -> Result<ContextReplaced, Refused<{ CHILD | BODY | CHANGED | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let (by, text) = (guardian.0.guardian().clone(), body.0.text.into_string());
        let kept = self
            .rules
            .replace_context(access, by, text, is_expected)
            .await?;
        let tag = entity_tag(kept.version.as_str());
        Ok(ContextReplaced::Kept(Joined::json(kept.json), tag))
    }
}
