//! The children, and who may see whose data.
//!
//! A child has a number that is never used again, a name, guardians who may see it, and assistants that
//! may deliver for it. Everything else about a child asks for a [`ChildAccess`], and only this module makes
//! one: the proof that this caller has this child. Somebody else's child and a child that doesn't exist
//! are the same to the one who asks.

mod access;
pub mod api;
mod deletion;
mod former_names;
mod guardians;
pub mod history;
mod ids;
mod links;
mod names;
mod store;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::identity::{Caller, GuardianId};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, Read, ReadCache, RecordKind, Store, StoreError, json_array};

pub use access::{AssistantAccess, have_same_guardians, shares_all_guardians};
pub use deletion::Receiving;
pub use ids::{ChildId, SessionId};
pub use links::MOST_GUARDIANS;
pub use names::RenamedBy;
pub use store::{ASSISTANTS, DELETION_REQUEST, GUARDIANS, SHARED_BY_PAGES, is_guardian, links_in};

/// The most memory for answers of one kind, in bytes.
const CACHE_BYTES: u64 = 256 * 1024;

/// Why something about children was refused.
#[derive(Debug, thiserror::Error)]
pub enum ChildrenError {
    /// No such child, or not the caller's.
    #[error("There is no child with the number {0}.")]
    NoSuchChild(ChildId),
    /// A request to delete the child stands.
    #[error(
        "A parent asked to delete this child's profile and conversations. Until that is stopped, nobody can rename the child or move conversations to it."
    )]
    DeletionAsked,
    /// The child had too many names in the last thirty days.
    #[error(
        "This child was given too many names in the last 30 days. Please use one of them, or try again later."
    )]
    TooManyNames,
    /// The child has as many guardians as a child may have.
    #[error("This child has eight guardians already, which is the most.")]
    EnoughGuardians,
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ChildrenError> for Refusal {
    fn from(error: ChildrenError) -> Self {
        match error {
            ChildrenError::NoSuchChild(_) => Self::not_there(),
            error @ (ChildrenError::DeletionAsked | ChildrenError::EnoughGuardians) => {
                Self::conflict(error.to_string())
            }
            error @ ChildrenError::TooManyNames => {
                Self::against_a_rule(error.to_string()).at("/name")
            }
            ChildrenError::Store(error) => error.into(),
        }
    }
}

/// A child, as its guardians see it. This is also its stored form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    /// The child's number.
    pub child_id: ChildId,
    /// What it is called at home.
    pub name: String,
}

/// The proof that a caller may see and change this child's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildAccess {
    child: ChildId,
    /// Whether the child is only being prepared, seen by nobody.
    reserved: bool,
}

impl ChildAccess {
    /// Which child.
    pub fn child(&self) -> ChildId {
        self.child
    }

    /// Makes sure that the child is still there: between the question who may and the change itself
    /// it may have been removed, and nothing may be written about a child that is gone.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`] when it was removed.
    pub fn confirm(&self, change: &Change) -> Result<(), ChildrenError> {
        if self.reserved || store::contains(change, self.child)? {
            Ok(())
        } else {
            Err(ChildrenError::NoSuchChild(self.child))
        }
    }
}

/// What each table of the children holds.
pub const KINDS: [RecordKind; 8] = store::KINDS;

/// The children's façade. Clones share it.
#[derive(Clone)]
pub struct Children {
    store: Store,
    clock: Clock,
    lists: ReadCache<GuardianId, Bytes>,
    guardians: ReadCache<ChildId, usize>,
    links: ReadCache<(Caller, ChildId), bool>,
}

impl Children {
    /// Sets the children up.
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            lists: ReadCache::within(CACHE_BYTES, &store),
            guardians: ReadCache::within(CACHE_BYTES, &store),
            links: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
        }
    }

    /// The children that a guardian has, by number: a list in JSON.
    pub fn list_of(&self, guardian: &GuardianId) -> Result<Bytes, StoreError> {
        self.lists.get(guardian.clone(), |view| {
            let mut rows = Vec::new();
            for child in store::children_of(view, &Caller::Guardian(guardian.clone()))? {
                rows.extend(store::json(view, child)?);
            }
            Ok(json_array(rows))
        })
    }

    /// The proof that this caller has this child.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`], also when it is somebody else's.
    pub fn of(
        &self,
        caller: impl Into<Caller>,
        child: ChildId,
    ) -> Result<ChildAccess, ChildrenError> {
        let caller = caller.into();
        let has = self.links.get((caller.clone(), child), |view| {
            store::has(view, &caller, child)
        })?;
        if has {
            Ok(ChildAccess {
                child,
                reserved: false,
            })
        } else {
            Err(ChildrenError::NoSuchChild(child))
        }
    }

    /// The proof that this caller has this child as a change sees it, with what the change itself has linked.
    ///
    /// # Errors
    ///
    /// [`ChildrenError::NoSuchChild`], also when it is somebody else's.
    pub fn of_in(
        &self,
        change: &Change,
        caller: &Caller,
        child: ChildId,
    ) -> Result<ChildAccess, ChildrenError> {
        if store::has(change, caller, child)? {
            Ok(ChildAccess {
                child,
                reserved: false,
            })
        } else {
            Err(ChildrenError::NoSuchChild(child))
        }
    }

    /// The proofs for all children that this caller has.
    pub fn all_of(&self, caller: impl Into<Caller>) -> Result<Vec<ChildAccess>, StoreError> {
        let children = store::children_of(&self.store, &caller.into())?;
        let access = children.into_iter().map(|child| ChildAccess {
            child,
            reserved: false,
        });
        Ok(access.collect())
    }

    /// The proof that the administrator may read what is kept of this child, whoever has it.
    /// Fails with [`ChildrenError::NoSuchChild`].
    pub fn for_administrator(&self, child: ChildId) -> Result<ChildAccess, ChildrenError> {
        if store::contains(&self.store, child)? {
            Ok(ChildAccess {
                child,
                reserved: false,
            })
        } else {
            Err(ChildrenError::NoSuchChild(child))
        }
    }

    /// Gives a new child a number and a name. Nobody has it until it is [linked](Self::link).
    pub fn add(&self, change: &mut Change, name: String) -> Result<Child, StoreError> {
        let child = Child {
            child_id: store::next_id(change)?,
            name,
        };
        store::put(change, &child)?;
        store::put_added_at(change, child.child_id, self.clock.now())?;
        Ok(child)
    }

    /// Sets a number aside for a child that becomes visible later, in one piece with its data. Until it is
    /// [revealed](Self::reveal), what is written about it counts as left over, to be erased.
    pub fn reserve(&self, change: &mut Change) -> Result<ChildAccess, StoreError> {
        let child = store::next_id(change)?;
        store::mark_for_erasure(change, child)?;
        Ok(ChildAccess {
            child,
            reserved: true,
        })
    }

    /// Makes a reserved child visible.
    pub fn reveal(
        &self,
        change: &mut Change,
        reserved: &ChildAccess,
        name: String,
    ) -> Result<Child, StoreError> {
        let child = Child {
            child_id: reserved.child,
            name,
        };
        store::unmark_for_erasure(change, child.child_id)?;
        store::put(change, &child)?;
        store::put_added_at(change, child.child_id, self.clock.now())?;
        Ok(child)
    }

    /// The child with this number, for the administrator. Fails with [`ChildrenError::NoSuchChild`].
    pub fn get(&self, view: &impl Read, child: ChildId) -> Result<Child, ChildrenError> {
        store::child(view, child)?.ok_or(ChildrenError::NoSuchChild(child))
    }

    /// Whether there is a child with this number, for the administrator, also when its name cannot be read.
    pub fn exists(&self, view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
        store::contains(view, child)
    }

    /// All children by number, for the administrator, and how many others there are that cannot be read.
    pub fn list_all(&self, view: &impl Read) -> Result<(Vec<Child>, u64), StoreError> {
        store::children(view)
    }

    /// The numbers of all children, for the administrator.
    pub fn all_numbers(&self, view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
        store::numbers(view)
    }

    /// Takes a child from everybody, so that nobody sees it any more, and gives the right to erase what
    /// is left of it. It stays noted until it is [erased](Self::erased). It works on unreadable records too.
    /// Fails with [`ChildrenError::NoSuchChild`].
    pub fn remove(
        &self,
        change: &mut Change,
        child: ChildId,
    ) -> Result<ChildAccess, ChildrenError> {
        if !store::contains(change, child)? {
            return Err(ChildrenError::NoSuchChild(child));
        }
        for caller in store::linked_callers(change, child)? {
            store::unlink(change, child, &caller)?;
        }
        store::remove(change, child)?;
        store::mark_for_erasure(change, child)?;
        change.drop_stale_answers();
        Ok(ChildAccess {
            child,
            reserved: false,
        })
    }

    /// Notes that nothing is left to erase.
    pub fn erased(&self, change: &mut Change, access: &ChildAccess) -> Result<(), StoreError> {
        store::unmark_for_erasure(change, access.child)
    }

    /// What an earlier run began to erase, or to add, and did not finish.
    pub fn unfinished(&self) -> Result<Vec<ChildAccess>, StoreError> {
        let marked = store::marked_for_erasure(&self.store)?;
        Ok(marked
            .into_iter()
            .map(|child| ChildAccess {
                child,
                reserved: false,
            })
            .collect())
    }

    /// When the child was added.
    pub fn added_at(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Option<Timestamp>, StoreError> {
        store::added_at(view, child)
    }
}
