//! API for guardians: a child's summary.

use std::borrow::Cow;
use std::collections::HashMap;

use poem_openapi::param::Path;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Summaries;
use crate::children::api::no_words;
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, Refused};
use crate::kernel::http::wire::{RawJson, Text, documented, given};

#[derive(Tags)]
enum Tag {
    /// A child's summary.
    #[oai(rename = "summary")]
    Summary,
}

/// The most recent session.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "LastSession", skip_serializing_if_is_none)]
pub struct LastSessionView {
    /// When it began, or was first received.
    date: Timestamp,
    /// The topic, if the assistant gave one.
    #[serde(default, deserialize_with = "given")]
    topic: Option<Text<200>>,
    /// The session's id.
    session_id: SessionId,
}

/// The number of sessions with a topic.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicCount {
    /// The topic, as first written.
    topic: Text<200>,
    sessions: u64,
}

/// Any JSON object.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AnyObject(HashMap<String, Value>);

/// The schema of [`AnyObject`].
pub fn any_object() -> MetaSchema {
    MetaSchema {
        description: Some("Any JSON object of at most 64 KiB."),
        additional_properties: Some(Box::new(MetaSchemaRef::Inline(Box::new(MetaSchema::ANY)))),
        ..MetaSchema::new("object")
    }
}

documented!(AnyObject, "AnyObject", any_object());

/// A child's summary.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Summary", skip_serializing_if_is_none)]
pub struct SummaryView {
    sessions: u64,
    /// The total duration of the ended sessions, in minutes. Each session counts for one day at most.
    minutes: u64,
    #[serde(default, deserialize_with = "given")]
    last_session: Option<LastSessionView>,
    /// The 50 most frequent topics, most frequent first.
    #[oai(validator(max_items = "50"))]
    topics: Vec<TopicCount>,
    /// The 20 most frequent moods with the number of sessions of each, most frequent first.
    #[oai(validator(max_properties = "20"))]
    moods: HashMap<String, u64>,
    /// The latest report of the connected assistants, as delivered: any JSON object of at most 64 KiB.
    #[serde(default, deserialize_with = "given")]
    report: Option<AnyObject>,
    /// Whose report it is. Omitted if that is unknown.
    #[serde(default, deserialize_with = "given")]
    report_from: Option<ReportFromView>,
}

/// Which assistant wrote the report, and when.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "ReportFrom", skip_serializing_if_is_none)]
pub struct ReportFromView {
    /// When the server received it.
    arrived_at: Timestamp,
    /// The assistant's name then. Omitted if it is unknown.
    #[serde(default, deserialize_with = "given")]
    assistant: Option<Text<200>>,
}

/// A summary, or `null` if there is nothing to summarise.
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

pub struct SummaryApi {
    pub children: Children,
    pub summaries: Summaries,
}

#[OpenApi(tag = "Tag::Summary")]
impl SummaryApi {
    /// Get a child's summary
    ///
    /// `null` while there is neither a session nor a report.
    #[oai(
        path = "/child/:childId/summary",
        method = "get",
        operation_id = "getSummary",
        transform = "no_words"
    )]
    async fn summary(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<RawJson<SummaryOrNull>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(RawJson::json(self.summaries.get(&access)?))
    }
}
