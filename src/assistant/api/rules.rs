//! What an assistant must follow with a child.

use std::borrow::Cow;
use std::pin::pin;
use std::time::Duration;

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use crate::assistant::{AssistantService, Whose};
use crate::children::ChildId;
use crate::identity::IdentityError;
use crate::identity::api::AsAssistant;
use crate::kernel::problem::{CHILD, CONFLICT, MALFORMED, Refusal, Refused};
use crate::kernel::wire::{Body, IfNoneMatch, Query, QueryValue, documented, entity_tag};
use crate::rules::ToldRules;
use crate::rules::api::TopicsView;
use crate::times::api::TalkView;

/// What you must follow with a child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantRules")]
pub struct AssistantRules {
    /// `NUMBER-TAG`: the number grows with every change, and the tag is yours alone. For several children together it names
    /// each of them. While talking is allowed it is the `ETag` without its quotes.
    version: String,
    /// For your system prompt, as it is: how to speak with the child, what the parents say of the child, and all topics to avoid.
    instructions: String,
    /// The topics.
    blocked_topics: TopicsView,
    /// What the parents say of the child; left out when they say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    context: Option<String>,
    /// Whether you may talk with the child now.
    talk: TalkView,
}

impl From<ToldRules> for AssistantRules {
    fn from(told: ToldRules) -> Self {
        Self {
            version: told.version,
            instructions: told.instructions,
            blocked_topics: TopicsView::new(told.topics),
            context: told.context,
            talk: (&told.talk).into(),
        }
    }
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

/// How long a call may wait, in seconds (beyond the specification, section 9).
const LONGEST_WAIT: u32 = 60;

/// Longer than any call waits.
const A_MINUTE: Duration = Duration::from_secs(LONGEST_WAIT as u64);

/// How many seconds to wait.
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
        /// With `If-None-Match`: wait so many seconds for something else before you are answered.
        wait: Query<Option<WaitSeconds>>,
    ) -> Result<RulesAnswer, Refused<{ CHILD | CONFLICT | MALFORMED }>> {
        let answer = self.answer(&assistant, Whose::AllChildren, &known, wait);
        Ok(answer.await?)
    }

    /// Read what to follow with a child
    ///
    /// Ask before each session, and again while it lasts, with the `ETag` that you have: the answer is short while nothing
    /// has changed. The tag is another one, too, when talking is no longer allowed, or for another reason. With `wait` you hear
    /// of a change as soon as it is made.
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
        /// With `If-None-Match`: wait so many seconds for something else before you are answered.
        wait: Query<Option<WaitSeconds>>,
    ) -> Result<RulesAnswer, Refused<{ CHILD | MALFORMED }>> {
        let answer = self.answer(&assistant, Whose::Child(child.0), &known, wait);
        Ok(answer.await?)
    }
}

impl RulesCalls {
    /// Answers what is in force as soon as the assistant doesn't know it, or when it has waited long enough.
    async fn answer(
        &self,
        assistant: &AsAssistant,
        whose: Whose,
        known: &IfNoneMatch,
        wait: Query<Option<WaitSeconds>>,
    ) -> Result<RulesAnswer, Refusal> {
        let seconds = wait.0.map_or(0, |wait| wait.0);
        let rules = &self.service.rules;
        let call = match seconds {
            0 => None,
            _ => {
                let children = self.service.children_of(&assistant.0, whose)?;
                rules.register(&assistant.0, children)
            }
        };
        let waited = tokio::time::sleep(Duration::from_secs(seconds.into()));
        let mut waited = pin!(waited);
        loop {
            let told = self.service.rules(&assistant.0, whose).await?;
            let own_tag = told.tag();
            let tag = entity_tag(&own_tag);
            let by_clock = told
                .next_change
                .map(|at| at.since(self.service.clock.now()));
            if !known.has(&own_tag) {
                return Ok(RulesAnswer::Current(Body(told.into()), tag));
            }
            let Some(call) = &call else {
                return Ok(RulesAnswer::Unchanged(tag));
            };
            tokio::select! {
                () = call.woken() => {}
                () = tokio::time::sleep(by_clock.unwrap_or(A_MINUTE)) => {}
                () = &mut waited => return Ok(RulesAnswer::Unchanged(tag)),
            }
            if rules.are_stopped() {
                return Ok(RulesAnswer::Unchanged(tag));
            }
            // The key may have been taken back meanwhile.
            if !rules.still_holds(&assistant.0)? {
                return Err(IdentityError::KeyEnded.into());
            }
        }
    }
}
