//! An assistant, as a guardian of one of its children sees it.

use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::children::ChildId;
use crate::household::assistants::{ChosenUpstream, ManagedAssistant};
use crate::identity::{AssistantId, KeyKind};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::wire::by_documented_name;

/// What chooses a child.
#[derive(Debug, Object, Serialize)]
struct ChildSuffix {
    /// The child's id.
    child_id: ChildId,
    /// Appended to a model's name, for example `@Mia`.
    suffix: String,
}

/// The model's server that an assistant uses.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "OwnUpstream", skip_serializing_if_is_none)]
struct OwnUpstreamView {
    name: String,
    /// Its host, to which what is said goes.
    host: String,
    /// How the assistant's app chooses the child by the model's name; omitted if it has one child, or also another guardian's.
    suffixes: Option<Vec<ChildSuffix>>,
}

impl From<ChosenUpstream> for OwnUpstreamView {
    fn from(own: ChosenUpstream) -> Self {
        let suffixes = own.suffixes.into_iter();
        let suffixes = suffixes.map(|(child_id, suffix)| ChildSuffix { child_id, suffix });
        let suffixes = suffixes.collect::<Vec<_>>();
        Self {
            name: own.name,
            host: own.host,
            suffixes: Some(suffixes).filter(|suffixes| !suffixes.is_empty()),
        }
    }
}

/// An assistant of at least one of the caller's children.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "OwnAssistant", skip_serializing_if_is_none)]
pub(super) struct OwnAssistantView {
    /// The assistant's id.
    assistant_id: AssistantId,
    name: String,
    created_at: Timestamp,
    /// The caller's children that it talks with.
    children: Vec<ChildId>,
    /// Whether it talks with no other children, so that the caller may change and revoke it.
    exclusive: bool,
    /// `true` if a former guardian of one of these children has seen its key.
    key_exposed: Option<bool>,
    #[serde(serialize_with = "by_documented_name")]
    kind: KeyKind,
    /// The model's server that it uses; omitted if it uses none.
    upstream: Option<OwnUpstreamView>,
}

impl From<ManagedAssistant> for OwnAssistantView {
    fn from(own: ManagedAssistant) -> Self {
        Self {
            assistant_id: own.assistant.id,
            name: own.assistant.name,
            created_at: own.assistant.added_at,
            children: own.children,
            exclusive: own.exclusive,
            key_exposed: own.key_exposed.then_some(true),
            kind: own.assistant.kind,
            upstream: own.upstream.map(OwnUpstreamView::from),
        }
    }
}
