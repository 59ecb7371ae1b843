//! The assistants of a guardian's children, as that guardian sees them: nothing of other families.

use super::ManagedAssistants;
use crate::assistants::gateway::child_suffixes;
use crate::children::{Child, ChildId};
use crate::household::management::{Management, caller};
use crate::identity::{Assistant, Caller, GuardianId, SignedIn};
use crate::kernel::store::{Read, StoreError, readable};

/// An assistant, as a guardian sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManagedAssistant {
    pub assistant: Assistant,
    /// The guardian's children that it talks with.
    pub children: Vec<ChildId>,
    /// Whether it talks with no other guardian's children.
    pub exclusive: bool,
    /// Whether a former guardian of one of these children has seen its key, unless the guardian keeps the key.
    pub key_exposed: bool,
    pub upstream: Option<ChosenUpstream>,
}

/// The upstream of an assistant, as a guardian of one of its children sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenUpstream {
    pub name: String,
    pub host: String,
    /// What chooses each child, appended to a model's name. Empty if the assistant has one child, or also another guardian's.
    pub suffixes: Vec<(ChildId, String)>,
}

impl ManagedAssistants {
    /// Returns the assistants that talk with the guardian's children, the earliest added first, and the number of unreadable
    /// ones.
    pub fn list_for(
        &self,
        guardian: &SignedIn,
    ) -> Result<(Vec<ManagedAssistant>, u64), StoreError> {
        let Management {
            store: view,
            children,
            ..
        } = &self.management;
        let own = children.visible_to(view, &caller(guardian.guardian()))?;
        let mut ids = Vec::new();
        for child in &own {
            let callers = children.callers_of(view, *child)?;
            for id in callers.into_iter().filter_map(Caller::into_assistant) {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
        }
        let (mut found, mut unreadable) = (Vec::new(), 0);
        for id in ids {
            match self.assistants.find_by_id(view, &id)? {
                Some(assistant) => {
                    found.push(self.view_for(view, assistant, &own, guardian.guardian())?)
                }
                None => unreadable += 1,
            }
        }
        found.sort_by_key(|own| (own.assistant.added_at, own.assistant.id.clone()));
        Ok((found, unreadable))
    }

    /// An assistant, as the guardian of these children sees it.
    pub(super) fn view_for(
        &self,
        view: &impl Read,
        assistant: Assistant,
        own: &[ChildId],
        reader: &GuardianId,
    ) -> Result<ManagedAssistant, StoreError> {
        let whose = Caller::Assistant(assistant.id.clone());
        let all = self.management.children.linked_to(view, &whose)?;
        let is_own = |child: &ChildId| own.contains(child);
        let exclusive = all.iter().all(is_own);
        let children = all.into_iter().filter(is_own).collect::<Vec<_>>();
        let exposed = self.exposed_children(view, &assistant, &children, reader)?;
        let by_suffix = if exclusive && children.len() > 1 {
            children.as_slice()
        } else {
            &[]
        };
        Ok(ManagedAssistant {
            upstream: self.upstream_of(view, &assistant, by_suffix)?,
            assistant,
            key_exposed: !exposed.is_empty(),
            exclusive,
            children,
        })
    }

    /// `None` also if it is unreadable: the gateway then passes nothing on.
    fn upstream_of(
        &self,
        view: &impl Read,
        assistant: &Assistant,
        by_suffix: &[ChildId],
    ) -> Result<Option<ChosenUpstream>, StoreError> {
        let found = readable(self.upstreams.of_key(view, &assistant.id))?.flatten();
        let Some((upstream, _)) = found else {
            return Ok(None);
        };
        Ok(Some(ChosenUpstream {
            host: upstream.url.host(),
            name: upstream.name,
            suffixes: self.suffixes(view, by_suffix),
        }))
    }

    /// Empty if a child's name is unreadable.
    fn suffixes(&self, view: &impl Read, children: &[ChildId]) -> Vec<(ChildId, String)> {
        let all = &self.management.children;
        let named = children.iter().map(|child| all.get(view, *child));
        let named = named.collect::<Result<Vec<Child>, _>>().unwrap_or_default();
        let suffixes = child_suffixes(&named);
        children.iter().copied().zip(suffixes).collect()
    }
}
