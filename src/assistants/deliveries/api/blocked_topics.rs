//! API for assistants: the topics to avoid with a child.

use std::sync::Arc;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::{Conditional, Tag};
use crate::assistants::deliveries::AssistantService;
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::kernel::http::problem::{CHILD, Refused};
use crate::kernel::http::wire::{Body, IfNoneMatch, entity_tag};
use crate::rules::blocked_topics::Avoided;
use crate::rules::blocked_topics::api::TopicList;

/// What to avoid with a child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantBlockedTopics")]
pub struct AvoidedView {
    /// Changes whenever any of this changes; the `ETag` without its quotes.
    version: String,
    /// Always blocked, for every child.
    mandatory: Vec<String>,
    /// The topics that this child's guardians block.
    custom: TopicList,
    /// All topics, the mandatory ones first.
    topics: Vec<String>,
    /// A paragraph for your system prompt: all topics, and how to avoid them without the child noticing.
    instructions: String,
}

impl From<&Avoided> for AvoidedView {
    fn from(avoided: &Avoided) -> Self {
        let version = avoided.version.as_str().to_owned();
        let mandatory = avoided.mandatory.map(str::to_owned);
        let topics = mandatory.iter().chain(&avoided.custom).cloned().collect();
        Self {
            version,
            mandatory: mandatory.into(),
            topics,
            custom: TopicList(avoided.custom.clone()),
            instructions: avoided.instructions.clone(),
        }
    }
}

pub struct BlockedTopicsCalls {
    pub service: Arc<AssistantService>,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl BlockedTopicsCalls {
    /// Get the topics to avoid with a child
    ///
    /// Ask before each session, with the `ETag` you have: the response is short if nothing has changed.
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "get",
        operation_id = "getAssistantBlockedTopics"
    )]
    async fn avoided(
        &self,
        assistant: AsAssistant,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` you have: 304 if it is current.
        #[oai(name = "If-None-Match")]
        known: IfNoneMatch,
    ) -> Result<Conditional<AvoidedView>, Refused<{ CHILD }>> {
        let avoided = self.service.avoided_topics(&assistant.0, child.0)?;
        let version = avoided.version.as_str();
        let tag = entity_tag(version);
        Ok(if known.has(version) {
            Conditional::Unchanged(tag)
        } else {
            Conditional::Current(Body(avoided.as_ref().into()), tag)
        })
    }
}
