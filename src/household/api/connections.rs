//! API for guardians: how a child's assistants are connected.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Tag;
use crate::assistants::deliveries::{Check, RefusalKind};
use crate::assistants::plugins::PluginVersion;
use crate::assistants::plugins::VERSION;
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::household::assistants::{Connection, ManagedAssistants};
use crate::identity::AssistantId;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, Refused};
use crate::kernel::http::wire::{Listed, Page};
use crate::kernel::store::JsonRows;

/// A plug-in that an assistant runs.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ConnectionPlugin")]
struct PluginView {
    /// The voice stack's name, as in the plug-in's download.
    name: String,
    version: String,
    /// The version that this server hands out.
    current_version: String,
    /// Whether that is a newer one.
    is_older: bool,
}

impl From<PluginVersion> for PluginView {
    fn from(plugin: PluginVersion) -> Self {
        Self {
            name: plugin.stack.to_owned(),
            is_older: plugin.is_older(),
            version: plugin.version,
            current_version: VERSION.to_owned(),
        }
    }
}

/// How an assistant of the child is connected.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Connection", skip_serializing_if_is_none)]
struct ConnectionView {
    /// The assistant's id.
    assistant_id: AssistantId,
    /// When it last delivered something of the child; omitted if it never did.
    heard_at: Option<Timestamp>,
    /// Whether it reports that it follows the current list of topics, or the gateway put it into the prompt.
    follows_rules: bool,
    /// What its deliveries contained since the server started.
    seen: Vec<Check>,
    /// The last refusal since the server started; omitted if there was none. If it is after `heard_at`, nothing has arrived
    /// since. One that isn't this child's is shown only if the assistant talks with no other guardian's children.
    refused: Option<RefusalKind>,
    /// When that was; omitted without a refusal.
    refused_at: Option<Timestamp>,
    /// How many settings of its latest chat request the gateway didn't pass on, at most 20; omitted if there were none.
    settings_dropped: Option<u32>,
    /// The plug-in that called last since the server started; omitted if none did.
    plugin: Option<PluginView>,
}

impl From<Connection> for ConnectionView {
    fn from(connection: Connection) -> Self {
        let (refused, refused_at) = connection.refused.unzip();
        let dropped = u32::try_from(connection.dropped).ok();
        Self {
            assistant_id: connection.assistant,
            heard_at: connection.heard_at,
            follows_rules: connection.follows_rules,
            seen: connection.seen.into_iter().collect(),
            refused,
            refused_at,
            settings_dropped: dropped.filter(|dropped| *dropped > 0),
            plugin: connection.plugin.map(PluginView::from),
        }
    }
}

pub struct ConnectionsApi {
    pub children: Children,
    pub assistants: ManagedAssistants,
}

#[OpenApi(tag = "Tag::Household")]
impl ConnectionsApi {
    /// List how a child's assistants are connected, by name
    #[oai(
        path = "/child/:childId/connections",
        method = "get",
        operation_id = "listConnections",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<Page<ConnectionView>>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let (connections, unreadable) = self.assistants.connections_of(&guardian.0, &access)?;
        let answer = Page::<ConnectionView>::whole(connections);
        Ok(JsonRows::of(&answer, unreadable).into())
    }
}
