//! The wire types of blocked topics.

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use serde::{Deserialize, Serialize};

use crate::kernel::http::wire::documented;

/// Before normalisation (NFC), which combines up to four characters into one.
const LONGEST_AS_SENT: usize = 4 * 200;

/// A child's own topics, as stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TopicList(pub Vec<String>);

/// Topics as sent. Read without limits, because repeats are dropped before they are counted, and the rules have their own
/// message for a topic that is too long.
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
