//! API for assistants: the rules to follow with a child.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Conditional, Tag};
use crate::assistants::deliveries::{AssistantError, AssistantService, RulesScope};
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::kernel::http::problem::{CHILD, CONFLICT, MALFORMED, Refused};
use crate::kernel::http::wire::{Body, IfNoneMatch, Query, QueryValue, documented, entity_tag};
use crate::rules::IssuedRules;
use crate::rules::api::TopicsView;
use crate::rules::schedule::api::TalkView;

/// What you must follow with a child.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantRules", skip_serializing_if_is_none)]
pub struct AssistantRules {
    /// `NUMBER-TAG`: the number grows with every change, and the tag differs per assistant. For all children together it
    /// contains each child's version. While talking is allowed it is the `ETag` without its quotes.
    version: String,
    /// For your system prompt, unchanged: how to speak with the child, what the parents wrote about the child, and all topics
    /// to avoid.
    instructions: String,
    /// The topics to avoid.
    blocked_topics: TopicsView,
    /// What the parents wrote about the child; omitted if nothing.
    context: Option<String>,
    /// Whether you may talk with the child now.
    talk: TalkView,
}

impl From<IssuedRules> for AssistantRules {
    fn from(told: IssuedRules) -> Self {
        Self {
            version: told.version,
            instructions: told.instructions,
            blocked_topics: TopicsView::new(told.topics),
            context: told.context,
            talk: TalkView::new(&told.talk, told.language),
        }
    }
}

/// In seconds.
const LONGEST_WAIT: u32 = 60;

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct WaitSeconds(u32);

documented!(
    WaitSeconds,
    "WaitSeconds",
    MetaSchema {
        minimum: Some(0.0),
        maximum: Some(f64::from(LONGEST_WAIT)),
        example: Some(30.into()),
        ..MetaSchema::new_with_format("integer", "uint32")
    }
);

impl QueryValue for WaitSeconds {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        match text.parse() {
            Ok(seconds) if seconds <= LONGEST_WAIT => Ok(Self(seconds)),
            _ => Err(format!("A whole number from 0 to {LONGEST_WAIT} is expected here.").into()),
        }
    }
}

pub struct RulesCalls {
    pub service: Arc<AssistantService>,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl RulesCalls {
    /// Get the rules for all children, for a device that can't tell who speaks
    ///
    /// The topics of all children of your key, and nothing that their parents wrote about them. In a receipt, this version
    /// represents the version of each child.
    #[oai(path = "/rules", method = "get", operation_id = "getRulesForAll")]
    async fn rules_for_all(
        &self,
        assistant: AsAssistant,
        /// The `ETag` you have: 304 if it is current.
        #[oai(name = "If-None-Match")]
        known: IfNoneMatch,
        /// With `If-None-Match`: wait up to this many seconds for a change before the response (long polling).
        wait: Query<Option<WaitSeconds>>,
    ) -> Result<Conditional<AssistantRules>, Refused<{ CHILD | CONFLICT | MALFORMED }>> {
        let answer = self.answer(&assistant, RulesScope::AllChildren, &known, wait);
        Ok(answer.await?)
    }

    /// Get the rules to follow with a child
    ///
    /// Ask before each session, and again while it lasts, with the `ETag` you have: the response is short if nothing has
    /// changed. The tag also changes when talking becomes forbidden, or forbidden for another reason. With `wait` you receive a
    /// change as soon as it is made.
    #[oai(
        path = "/child/:childId/rules",
        method = "get",
        operation_id = "getAssistantRules"
    )]
    async fn rules(
        &self,
        assistant: AsAssistant,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` you have: 304 if it is current.
        #[oai(name = "If-None-Match")]
        known: IfNoneMatch,
        /// With `If-None-Match`: wait up to this many seconds for a change before the response (long polling).
        wait: Query<Option<WaitSeconds>>,
    ) -> Result<Conditional<AssistantRules>, Refused<{ CHILD | MALFORMED }>> {
        let answer = self.answer(&assistant, RulesScope::Child(child.0), &known, wait);
        Ok(answer.await?)
    }
}

impl RulesCalls {
    async fn answer(
        &self,
        assistant: &AsAssistant,
        scope: RulesScope,
        known: &IfNoneMatch,
        wait: Query<Option<WaitSeconds>>,
    ) -> Result<Conditional<AssistantRules>, AssistantError> {
        let wait = Duration::from_secs(wait.0.map_or(0, |wait| wait.0.into()));
        let is_known = |tag: &str| known.has(tag);
        let rules = self
            .service
            .rules_unless(&assistant.0, scope, is_known, wait);
        let (told, is_known) = rules.await?;
        let tag = entity_tag(&told.tag());
        Ok(if is_known {
            Conditional::Unchanged(tag)
        } else {
            Conditional::Current(Body(told.into()), tag)
        })
    }
}
