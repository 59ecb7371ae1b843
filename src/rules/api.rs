//! API for guardians: the rules for assistants. The endpoints of topics and contexts are here too, because each change creates
//! a new version of the rules.

mod birth_month;
mod history;
mod language;
mod receipts;
mod talk_status;
mod times;

use poem_openapi::param::Path;
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::{Dependencies, Rules};
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::WriteBudgets;
use crate::identity::api::AsGuardian;
use crate::kernel::http::problem::{BODY, CHANGED, CHILD, RULE, Refused, WRITE};
use crate::kernel::http::version::{Version, Versioned};
use crate::kernel::http::wire::{Body, IfMatch, RawJson, entity_tag};
use crate::rules::blocked_topics::api::{SentTopics, TopicList};
use crate::rules::blocked_topics::{BlockedTopics, MANDATORY};
use crate::rules::context::Contexts;
use crate::rules::context::api::ContextView;
use crate::rules::schedule::api::TalkView;

use birth_month::BirthMonthApi;
use history::RulesHistoryApi;
use language::ChildLanguageApi;
use receipts::ReceiptsApi;
use talk_status::TalkStatusApi;
use times::ScheduleCalls;

pub use talk_status::LastHeardView;

#[derive(Tags)]
pub(super) enum Tag {
    /// Topics that the assistant avoids.
    #[oai(rename = "blocked-topics")]
    BlockedTopics,
    /// What the assistant should know about a child, and the rules it must follow.
    #[oai(rename = "rules")]
    Rules,
    /// What assistants are doing now.
    #[oai(rename = "talk")]
    Talk,
}

/// What a child's guardians edit together: the list of topics, the context, or the times.
#[derive(ApiResponse)]
enum Shared<T: Type> {
    /// The current value.
    #[oai(status = 200)]
    Kept(
        RawJson<T>,
        /// Its version, for `If-Match`.
        #[oai(header = "ETag")]
        String,
        /// The number of guardians who can see and change it.
        #[oai(header = "Porchlight-Guardians")]
        u64,
    ),
}

impl<T: Type> Shared<T> {
    fn new(kept: Versioned, guardians: usize) -> Self {
        let tag = entity_tag(kept.version.as_str());
        Self::Kept(RawJson::json(kept.json), tag, guardians as u64)
    }
}

/// A value with its version.
#[derive(ApiResponse)]
pub enum Tagged<T: Type> {
    /// As stored.
    #[oai(status = 200)]
    Kept(
        RawJson<T>,
        /// Its version, for `If-Match`.
        #[oai(header = "ETag")]
        String,
    ),
}

impl<T: Type> From<Versioned> for Tagged<T> {
    fn from(kept: Versioned) -> Self {
        let tag = entity_tag(kept.version.as_str());
        Self::Kept(RawJson::json(kept.json), tag)
    }
}

/// The topics to avoid.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "TopicsToAvoid")]
pub struct TopicsView {
    /// Always blocked, for every child.
    mandatory: Vec<String>,
    /// The topics that this child's guardians block.
    custom: TopicList,
}

impl TopicsView {
    /// The mandatory topics and these.
    pub fn new(custom: Vec<String>) -> Self {
        Self {
            mandatory: MANDATORY.map(str::to_owned).into(),
            custom: TopicList(custom),
        }
    }
}

/// The rules for a child's assistants, as its guardians see them.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Rules")]
struct RulesView {
    /// The number of changes.
    number: u64,
    /// The text for the system prompts of the child's assistants.
    instructions: String,
    talk: TalkView,
    /// How many seconds the child has talked today, in its own time zone.
    seconds_used: u64,
}

/// The operations on a child's rules.
pub fn operations(rules: &Rules, write_budgets: &WriteBudgets) -> impl OpenApi + use<> {
    let Dependencies {
        blocked_topics,
        contexts,
        times,
        transcripts,
        children,
        ..
    } = &rules.dependencies;
    let (children, rules) = (|| children.clone(), || rules.clone());
    (
        RulesApi {
            children: children(),
            rules: rules(),
            blocked_topics: blocked_topics.clone(),
            contexts: contexts.clone(),
        },
        RulesHistoryApi {
            children: children(),
            rules: rules(),
        },
        ReceiptsApi {
            children: children(),
            rules: rules(),
            transcripts: transcripts.clone(),
        },
        TalkStatusApi {
            children: children(),
            clock: rules().clock,
            rules: rules(),
        },
        BirthMonthApi {
            children: children(),
            rules: rules(),
        },
        ChildLanguageApi {
            children: children(),
            rules: rules(),
        },
        ScheduleCalls {
            children: children(),
            rules: rules(),
            times: times.clone(),
            write_budgets: write_budgets.clone(),
        },
    )
}

struct RulesApi {
    children: Children,
    rules: Rules,
    blocked_topics: BlockedTopics,
    contexts: Contexts,
}

#[OpenApi]
impl RulesApi {
    /// Get the rules for a child's assistants
    #[oai(
        path = "/child/:childId/rules",
        method = "get",
        operation_id = "getRules",
        transform = "no_words",
        tag = "Tag::Rules"
    )]
    async fn rules(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<RulesView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let rules = self.rules.in_force(&access)?;
        let now = self.rules.talk(&access)?;
        Ok(Body(RulesView {
            number: rules.number,
            instructions: rules.instructions.clone(),
            talk: TalkView::new(&now.talk, now.language),
            seconds_used: now.seconds_used,
        }))
    }

    /// List a child's blocked topics
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "get",
        operation_id = "listBlockedTopics",
        transform = "no_words",
        tag = "Tag::BlockedTopics"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Shared<TopicList>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)?;
        Ok(Shared::new(self.blocked_topics.list(&access)?, guardians))
    }

    /// Replace a child's blocked topics
    ///
    /// The whole list. Topics are trimmed; empty and mandatory ones, and repeats that differ only in case, are dropped. If a
    /// topic can't be blocked, or there are more than 500, nothing is changed.
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "put",
        operation_id = "replaceBlockedTopics",
        tag = "Tag::BlockedTopics"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<SentTopics>,
    ) -> Result<Tagged<TopicList>, Refused<{ CHILD | BODY | CHANGED | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let by = guardian.0.guardian().clone();
        let kept = self.rules.replace_topics(access, by, body.0.0, is_expected);
        Ok(kept.await?.into())
    }

    /// Get the notes for assistants about a child
    #[oai(
        path = "/child/:childId/context",
        method = "get",
        operation_id = "getContext",
        transform = "no_words",
        tag = "Tag::Rules"
    )]
    async fn context(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Shared<ContextView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)?;
        Ok(Shared::new(self.contexts.get(&access)?, guardians))
    }

    /// Replace the notes for assistants about a child
    #[oai(
        path = "/child/:childId/context",
        method = "put",
        operation_id = "replaceContext",
        tag = "Tag::Rules"
    )]
    async fn replace_context(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<ContextView>,
    ) -> Result<Tagged<ContextView>, Refused<{ CHILD | BODY | CHANGED | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let (by, text) = (guardian.0.guardian().clone(), body.0.text.into_string());
        let kept = self.rules.replace_context(access, by, text, is_expected);
        Ok(kept.await?.into())
    }
}
