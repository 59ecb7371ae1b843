//! A child's blocked topics, for its guardians.

use poem_openapi::param::Path;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiResponse, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::{BlockedTopics, OwnTopics, Version};
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::problem::{BODY, CHANGED, CHILD, RULE, Refused, WRITE};
use crate::kernel::wire::{Body, IfMatch, Joined, documented, entity_tag};

/// The tag of these calls.
#[derive(Tags)]
enum Tag {
    /// Topics that the assistant avoids.
    #[oai(rename = "blocked-topics")]
    BlockedTopics,
}

/// The longest topic before it is composed (NFC): what becomes one character was at most four.
const LONGEST_AS_SENT: usize = 4 * 200;

/// A child's own topics, as they are kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TopicList(pub Vec<String>);

/// Topics as they are sent: read without limits, because repeats are dropped before they are counted, and a
/// topic that is too long gets its sentence from the rules.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct SentTopics(Vec<String>);

fn topic_schema() -> MetaSchema {
    MetaSchema {
        description: Some(
            "3 to 200 characters, counted as Unicode scalar values after composing them (NFC).",
        ),
        max_length: Some(LONGEST_AS_SENT),
        ..MetaSchema::new("string")
    }
}

fn list_schema(max_items: Option<usize>) -> MetaSchema {
    MetaSchema {
        items: Some(Box::new(MetaSchemaRef::Inline(Box::new(topic_schema())))),
        max_items,
        ..MetaSchema::new("array")
    }
}

documented!(TopicList, "TopicList", list_schema(Some(500)));
documented!(SentTopics, "SentTopics", list_schema(None));

#[derive(ApiResponse)]
enum ListAnswer {
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
enum ReplacedAnswer {
    /// The list as it is kept.
    #[oai(status = 200)]
    Kept(
        Joined<TopicList>,
        /// What the list is recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
    ),
}

/// The blocked topics' calls.
pub struct BlockedTopicsApi {
    /// Who may see whom.
    pub children: Children,
    /// The blocked topics' façade.
    pub blocked_topics: BlockedTopics,
}

#[OpenApi(tag = "Tag::BlockedTopics")]
impl BlockedTopicsApi {
    /// List the topics that a child's guardians block
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "get",
        operation_id = "listBlockedTopics"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<ListAnswer, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)?;
        let (list, tag) = answer(self.blocked_topics.list(&access)?);
        Ok(ListAnswer::Kept(list, tag, guardians as u64))
    }

    /// Replace the topics that a child's guardians block
    ///
    /// The whole list. It is trimmed; empty ones, mandatory ones and repeats that differ only in case are
    /// dropped. When one cannot be blocked, or there are more than 500, nothing is changed.
    #[oai(
        path = "/child/:childId/blocked_topics",
        method = "put",
        operation_id = "replaceBlockedTopics"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` of the list that was changed: 412 when it is no longer that one.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<SentTopics>,
    ) -> Result<ReplacedAnswer, Refused<{ CHILD | BODY | CHANGED | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let kept = self.blocked_topics.replace(access, body.0.0, is_expected);
        let (list, tag) = answer(kept.await?);
        Ok(ReplacedAnswer::Kept(list, tag))
    }
}

fn answer(own: OwnTopics) -> (Joined<TopicList>, String) {
    (Joined::json(own.json), entity_tag(own.version.as_str()))
}
