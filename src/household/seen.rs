//! What a guardian sees: their children's guardians and assistants, and nothing of other families.

use super::{Household, HouseholdError, caller, store};
use crate::assistants::gateway::child_suffixes;
use crate::children::history::Author;
use crate::children::{Child, ChildId};
use crate::identity::{Assistant, Caller, GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError, readable};

/// An assistant, as a guardian sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAssistant {
    pub assistant: Assistant,
    /// The guardian's children that it talks with.
    pub children: Vec<ChildId>,
    /// Whether it talks with no other guardian's children.
    pub exclusive: bool,
    /// Whether a former guardian of one of these children has seen its key, unless the guardian keeps the key.
    pub key_exposed: bool,
    pub upstream: Option<OwnUpstream>,
}

/// The upstream of an assistant, as a guardian of one of its children sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnUpstream {
    pub name: String,
    pub host: String,
    /// What chooses each child, appended to a model's name. Empty if the assistant has one child, or also another guardian's.
    pub suffixes: Vec<(ChildId, String)>,
}

/// A child, with all guardians who see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnChild {
    pub child: ChildId,
    /// The reader comes first.
    pub guardians: Vec<Author>,
}

impl Household {
    /// Returns the assistants that talk with the guardian's children, the earliest added first, and the number of unreadable
    /// ones.
    pub fn assistants_of(
        &self,
        guardian: &SignedIn,
    ) -> Result<(Vec<OwnAssistant>, u64), StoreError> {
        let view = &self.store;
        let own = self.children.seen_by(view, &caller(guardian.guardian()))?;
        let mut ids = Vec::new();
        for child in &own {
            let callers = self.children.callers_of(view, *child)?;
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
    ) -> Result<OwnAssistant, StoreError> {
        let all = self
            .children
            .numbers_of(view, &Caller::Assistant(assistant.id.clone()))?;
        let is_own = |child: &ChildId| own.contains(child);
        let exclusive = all.iter().all(is_own);
        let children = all.into_iter().filter(is_own).collect::<Vec<_>>();
        let exposed = self.exposed_children(view, &assistant, &children, reader)?;
        Ok(OwnAssistant {
            upstream: self.upstream_of(view, &assistant, &children, exclusive)?,
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
        children: &[ChildId],
        exclusive: bool,
    ) -> Result<Option<OwnUpstream>, StoreError> {
        let found = readable(self.upstreams.of_key(view, &assistant.id))?.flatten();
        let Some((upstream, _)) = found else {
            return Ok(None);
        };
        let suffixes = if exclusive && children.len() > 1 {
            self.suffixes(view, children)
        } else {
            Vec::new()
        };
        Ok(Some(OwnUpstream {
            host: upstream.url.host(),
            name: upstream.name,
            suffixes,
        }))
    }

    /// Empty if a child's name is unreadable.
    fn suffixes(&self, view: &impl Read, children: &[ChildId]) -> Vec<(ChildId, String)> {
        let named = children.iter().map(|child| self.children.get(view, *child));
        let named = named.collect::<Result<Vec<Child>, _>>().unwrap_or_default();
        let suffixes = child_suffixes(&named);
        children.iter().copied().zip(suffixes).collect()
    }

    /// When the guardian last accepted an invitation that other guardians can still answer. Reads all invitations of the server.
    pub fn last_accepted(&self, guardian: &SignedIn) -> Result<Option<Timestamp>, HouseholdError> {
        let mut last = None;
        for id in store::all_invitations(&self.store)? {
            let found = readable(store::invitation(&self.store, &id))?.flatten();
            let own = found.filter(|found| found.accepted_by.as_ref() == Some(guardian.guardian()));
            if let Some(own) = own
                && let Some(own) = self.prune(&self.store, own)?
            {
                last = last.max(own.accepted_at);
            }
        }
        Ok(last)
    }

    /// The guardian's children, each with its guardians.
    pub fn children_of(&self, guardian: &SignedIn) -> Result<Vec<OwnChild>, HouseholdError> {
        let mut found = Vec::new();
        for access in self.children.all_of(guardian)? {
            let mut guardians = Vec::new();
            let callers = self.children.callers_of(&self.store, access.child())?;
            for id in callers.into_iter().filter_map(Caller::into_guardian) {
                let author = self.history.author(&self.store, &access, guardian, &id)?;
                guardians.extend(author);
            }
            guardians.sort_by_key(|author| !author.is_you);
            found.push(OwnChild {
                child: access.child(),
                guardians,
            });
        }
        Ok(found)
    }
}
