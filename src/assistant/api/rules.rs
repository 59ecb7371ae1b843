//! What an assistant must follow with a child.

use poem_openapi::param::Path;
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use crate::assistant::AssistantService;
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::kernel::problem::{CHILD, CONFLICT, Refused};
use crate::kernel::wire::{Body, IfNoneMatch, entity_tag};
use crate::rules::api::TopicsView;

/// What you must follow with a child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantRules")]
pub struct AssistantRules {
    /// `NUMBER-TAG`: the number grows with every change, and the tag is yours alone. For several children together it names
    /// each of them. It is the `ETag` without its quotes.
    version: String,
    /// For your system prompt, as it is: how to speak with the child, what the parents say of the child, and all topics to avoid.
    instructions: String,
    /// The topics.
    blocked_topics: TopicsView,
    /// What the parents say of the child; left out when they say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    context: Option<String>,
}

#[derive(ApiResponse)]
enum RulesAnswer {
    /// What to follow.
    #[oai(status = 200)]
    Current(
        Body<AssistantRules>,
        /// What it is recognised by, for `If-None-Match`.
        #[oai(header = "ETag")]
        String,
    ),
    /// It is what you have already.
    #[oai(status = 304)]
    Unchanged(
        /// What it is recognised by.
        #[oai(header = "ETag")]
        String,
    ),
}

/// The assistant's calls about rules.
pub struct RulesCalls {
    /// The service.
    pub service: AssistantService,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl RulesCalls {
    /// Read what to follow while you cannot tell who speaks
    ///
    /// The topics of all children of your key, and nothing that their parents say of them. In a receipt its version stands for
    /// each child's own.
    #[oai(path = "/rules", method = "get", operation_id = "getRulesForAll")]
    async fn rules_for_all(
        &self,
        assistant: AsAssistant,
        /// The `ETag` of what you have: 304 while it is still that.
        #[oai(name = "If-None-Match")]
        known: IfNoneMatch,
    ) -> Result<RulesAnswer, Refused<{ CHILD | CONFLICT }>> {
        let rules = self.service.rules_for_all(&assistant.0).await?;
        let tag = entity_tag(&rules.version);
        Ok(match known.has(&rules.version) {
            true => RulesAnswer::Unchanged(tag),
            false => {
                let rules = AssistantRules {
                    version: rules.version,
                    instructions: rules.instructions,
                    blocked_topics: TopicsView::new(rules.topics),
                    context: None,
                };
                RulesAnswer::Current(Body(rules), tag)
            }
        })
    }

    /// Read what to follow with a child
    ///
    /// Ask before each session, and again while it lasts, with the `ETag` that you have: the answer is short while nothing
    /// has changed.
    #[oai(
        path = "/child/:childId/rules",
        method = "get",
        operation_id = "getAssistantRules"
    )]
    async fn rules(
        &self,
        assistant: AsAssistant,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` of what you have: 304 while it is still that.
        #[oai(name = "If-None-Match")]
        known: IfNoneMatch,
    ) -> Result<RulesAnswer, Refused<{ CHILD }>> {
        let (version, rules) = self.service.rules(&assistant.0, child.0).await?;
        let tag = entity_tag(&version);
        Ok(match known.has(&version) {
            true => RulesAnswer::Unchanged(tag),
            false => {
                let rules = AssistantRules {
                    version,
                    instructions: rules.instructions.clone(),
                    blocked_topics: TopicsView::new(rules.topics.clone()),
                    context: rules.context.clone(),
                };
                RulesAnswer::Current(Body(rules), tag)
            }
        })
    }
}
