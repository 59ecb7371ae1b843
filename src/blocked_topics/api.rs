//! How lists of blocked topics look on the wire.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use serde::{Deserialize, Serialize};

use crate::kernel::wire::documented;

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
pub struct SentTopics(pub Vec<String>);

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
