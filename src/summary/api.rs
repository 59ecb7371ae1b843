//! A child's summary, for its guardians.

use std::borrow::Cow;
use std::collections::HashMap;

use poem_openapi::param::Path;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Summaries;
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{CHILD, Refused};
use crate::kernel::wire::{RawJson, Text, documented, given};

/// The tag of these calls.
#[derive(Tags)]
enum Tag {
    /// What is known of a child at a glance.
    #[oai(rename = "summary")]
    Summary,
}

/// The session that began last.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "LastSession")]
pub struct LastSessionView {
    /// When it began, or was first heard of.
    date: Timestamp,
    /// What it was about, if the assistant said.
    #[serde(default, deserialize_with = "given")]
    #[oai(skip_serializing_if_is_none)]
    topic: Option<Text<200>>,
    /// Its number.
    session_id: SessionId,
}

/// How many sessions were about a topic.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicCount {
    /// The topic, as it was first written.
    topic: Text<200>,
    /// In how many sessions.
    sessions: u64,
}

/// A JSON object of any form.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnyObject(HashMap<String, Value>);

/// How such an object looks in the contract.
pub fn any_object() -> MetaSchema {
    MetaSchema {
        description: Some("Any JSON object of at most 64 KiB."),
        additional_properties: Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema::ANY)))),
        ..MetaSchema::new("object")
    }
}

documented!(AnyObject, "AnyObject", any_object());

/// What is known of a child at a glance.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Summary")]
pub struct SummaryView {
    /// How many sessions there were.
    sessions: u64,
    /// How long those took that are over, together and rounded. A session counts for a day at most.
    minutes: u64,
    #[serde(default, deserialize_with = "given")]
    #[oai(skip_serializing_if_is_none)]
    last_session: Option<LastSessionView>,
    /// What the sessions were about: the 50 most frequent topics, most frequent first.
    #[oai(validator(max_items = "50"))]
    topics: Vec<TopicCount>,
    /// In how many sessions the child was in which mood: the 20 most frequent, most frequent first.
    #[oai(validator(max_properties = "20"))]
    moods: HashMap<String, u64>,
    /// The assistant's latest report, as it came: any JSON object of at most 64 KiB.
    #[serde(default, deserialize_with = "given")]
    #[oai(skip_serializing_if_is_none)]
    report: Option<AnyObject>,
}

/// A summary, or `null` when there is nothing to summarise.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct SummaryOrNull(pub Option<SummaryView>);

impl Type for SummaryOrNull {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "SummaryOrNull".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            description: Some("Null when there is nothing to summarise."),
            nullable: true,
            all_of: vec![SummaryView::schema_ref()],
            ..MetaSchema::new("object")
        }))
    }

    fn register(registry: &mut Registry) {
        SummaryView::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

/// The summary's call.
pub struct SummaryApi {
    /// Who may see whom.
    pub children: Children,
    /// The summaries' façade.
    pub summaries: Summaries,
}

#[OpenApi(tag = "Tag::Summary")]
impl SummaryApi {
    /// See what is known of a child at a glance
    ///
    /// `null` while there is neither a session nor a report.
    #[oai(
        path = "/child/:childId/summary",
        method = "get",
        operation_id = "getSummary"
    )]
    async fn summary(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<RawJson<SummaryOrNull>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(RawJson::json(self.summaries.get(&access)?))
    }
}
