//! How the assistants of a guardian's child are connected: when each was last heard, what its deliveries contained, and what was
//! refused.

use std::collections::BTreeSet;

use super::ManagedAssistants;
use crate::assistants::deliveries::{Check, RefusalKind};
use crate::assistants::plugins::PluginVersion;
use crate::children::{ChildAccess, ChildId};
use crate::household::management::caller;
use crate::identity::{AssistantId, Caller, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::StoreError;
use crate::rules::ListStatus;

/// How an assistant is connected, as a guardian of a child sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    pub assistant: AssistantId,
    /// When it last delivered something of the child.
    pub heard_at: Option<Timestamp>,
    /// Whether it reports that it follows the current list of topics, or the gateway added it.
    pub follows_rules: bool,
    /// What its deliveries contained since the server started.
    pub seen: BTreeSet<Check>,
    /// The last refusal since the server started.
    pub refused: Option<(RefusalKind, Timestamp)>,
    /// How many settings of its latest chat request the gateway didn't pass on.
    pub dropped: usize,
    /// The plug-in that called last since the server started.
    pub plugin: Option<PluginVersion>,
}

impl ManagedAssistants {
    /// The child's assistants, and the number of those that could not be read. A refusal that isn't this child's is shown only
    /// if the assistant talks with no other guardian's children: it could be about them.
    pub fn connections_of(
        &self,
        guardian: &SignedIn,
        access: &ChildAccess,
    ) -> Result<(Vec<Connection>, u64), StoreError> {
        let (children, view) = (&self.management.children, &self.management.store);
        let own = children.visible_to(view, &caller(guardian.guardian()))?;
        let (followers, unreadable) = self.rules.list_followers(access)?;
        let mut connections = Vec::new();
        for follower in followers {
            let id = follower.assistant;
            let observed = self.connections.with_child(&id, access.child());
            let of_key = self.connections.of_key(&id);
            let refused = if self.is_exclusive(&id, &own)? {
                of_key.refused
            } else {
                None
            };
            connections.push(Connection {
                heard_at: observed.heard_at.max(follower.heard_at),
                follows_rules: matches!(follower.status, ListStatus::Following { .. }),
                seen: observed.seen,
                dropped: observed.dropped,
                refused: [observed.refused, refused]
                    .into_iter()
                    .flatten()
                    .max_by_key(|(_, at)| *at),
                plugin: of_key.plugin,
                assistant: id,
            });
        }
        Ok((connections, unreadable))
    }

    fn is_exclusive(&self, id: &AssistantId, own: &[ChildId]) -> Result<bool, StoreError> {
        let whose = Caller::Assistant(id.clone());
        let (children, view) = (&self.management.children, &self.management.store);
        let all = children.linked_to(view, &whose)?;
        Ok(all.iter().all(|child| own.contains(child)))
    }
}
