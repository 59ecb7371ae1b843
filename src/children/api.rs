//! API for guardians: the list of their children.

use poem::{Endpoint, EndpointExt};
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::Children;
use super::accessed::{Shown, record_shown};
use crate::children::ChildId;
use crate::identity::api::AsGuardian;
use crate::kernel::http::problem::{Refused, SIGNED_IN};
use crate::kernel::http::wire::{RawJson, Text};

#[derive(Tags)]
pub enum Tag {
    /// The guardian's children.
    #[oai(rename = "children")]
    Children,
}

/// A child.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Child")]
pub struct ChildView {
    /// The child's id.
    child_id: ChildId,
    name: Text<200>,
}

impl ChildView {
    /// `name` is as stored; it becomes empty if it isn't valid text.
    pub fn new(child_id: ChildId, name: &str) -> Self {
        Self {
            child_id,
            name: Text::new(name).unwrap_or_default(),
        }
    }
}

/// For an operation that reads, but shows no words of a conversation: `#[oai(transform = "no_words")]`.
pub fn no_words(endpoint: impl Endpoint) -> impl Endpoint {
    endpoint.before(|request| async move {
        record_shown(Shown::NoWords);
        Ok(request)
    })
}

pub struct ChildrenApi {
    pub children: Children,
}

#[OpenApi(tag = "Tag::Children")]
impl ChildrenApi {
    /// List the signed-in guardian's children
    #[oai(path = "/children", method = "get", operation_id = "listChildren")]
    async fn list(
        &self,
        guardian: AsGuardian,
    ) -> Result<RawJson<Vec<ChildView>>, Refused<{ SIGNED_IN }>> {
        Ok(RawJson::json(self.children.list_of(guardian.0.guardian())?))
    }
}
