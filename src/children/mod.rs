//! The children, and who has access to them.
//!
//! A child has a number that is never reused, a name, guardians who have access to it, and assistants that may deliver for it.
//! Everything else about a child requires a [`ChildAccess`], the proof that the caller has access to this child; only this
//! module creates one. A child of other guardians gives the same error as a child that doesn't exist.

mod access;
pub mod access_log;
pub mod accessed;
pub mod agreements;
pub mod api;
pub mod child_notice;
mod deletion;
pub mod feature;
pub mod file;
mod former_names;
mod guardians;
pub mod history;
mod ids;
mod links;
mod names;
mod period;
mod store;
mod watchers;

use self::feature::{Feature, Shown};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::identity::{Caller, GuardianId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Read, ReadCache, ReadError, Store, StoreError, json_array};

pub use access::{AssistantAccess, have_same_guardians, shares_all_guardians};
pub use deletion::Receiving;
pub use ids::{ChildId, SessionId};
pub use links::MOST_GUARDIANS;
pub use period::{NotAPeriod, Period, is_shorter};
pub use store::{
    ASSISTANTS, GUARDIANS, former_assistants_in, former_guardians_in, is_assistants, is_guardian,
    links_in,
};
pub use watchers::{Registration, Watcher, Watchers};

/// Per cache, in bytes.
const CACHE_BYTES: u64 = 256 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum ChildrenError {
    /// There is no such child, or it isn't the caller's.
    #[error("There is no child with the number {0}.")]
    NoSuchChild(ChildId),
    /// A request to delete the child is pending.
    #[error(
        "A parent asked to delete this child's profile and conversations. Until that is stopped, nobody can rename the child or move conversations to it."
    )]
    DeletionAsked,
    #[error(
        "You have given this child twenty names in the last 30 days. Please use one of them, or try again later."
    )]
    TooManyNames,
    #[error("This child has eight guardians already, which is the most.")]
    EnoughGuardians,
    /// Another guardian's request of this kind is pending.
    #[error("Somebody has asked for this already.")]
    AskedAlready,
    /// There is no such pending request, or it isn't about a child of this guardian.
    #[error("This is not asked for any more.")]
    NothingAsked,
    /// The guardian has read another edition of the request.
    #[error("This request has changed since you read it. Please read it again.")]
    RequestChanged,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadError for ChildrenError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Store(error) => error.damage(),
            _ => None,
        }
    }
}

refusals! {
    ChildrenError from Store {
        NoSuchChild(_) | NothingAsked => not_there,
        DeletionAsked => conflict(ChildDeletionRequested),
        AskedAlready => conflict(AlreadyRequested),
        EnoughGuardians => conflict(TooManyGuardians),
        RequestChanged => changed(RequestChanged),
        TooManyNames => against_a_rule(TooManyNames) at "/name",
    }
}

/// A child, as its guardians see it and as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    pub child_id: ChildId,
    pub name: String,
}

/// Proof that a caller may see and change this child's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildAccess {
    child: ChildId,
    /// The child is being imported and nobody sees it yet.
    reserved: bool,
}

impl ChildAccess {
    pub fn child(&self) -> ChildId {
        self.child
    }

    /// Checks that the child still exists: it may have been removed between the access check and the change, and nothing may be
    /// written about a removed child. Fails with [`ChildrenError::NoSuchChild`].
    pub fn confirm(&self, change: &Change) -> Result<(), ChildrenError> {
        if self.reserved || store::contains(change, self.child)? {
            Ok(())
        } else {
            Err(ChildrenError::NoSuchChild(self.child))
        }
    }
}

/// The child itself is erased last, by [`Children::erased`].
pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Everything(&store::SHARED_BY_PAGES)],
    erase_batch: |_, _| Ok(false),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

#[derive(Clone)]
pub struct Children {
    store: Store,
    clock: Clock,
    lists: ReadCache<GuardianId, Bytes>,
    guardians: ReadCache<ChildId, usize>,
    links: ReadCache<(Caller, ChildId), bool>,
}

impl Children {
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            lists: ReadCache::within(CACHE_BYTES, &store),
            guardians: ReadCache::within(CACHE_BYTES, &store),
            links: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
        }
    }

    /// A JSON array of the guardian's children, sorted by number.
    pub fn list_of(&self, guardian: &GuardianId) -> Result<Bytes, StoreError> {
        self.lists.get(guardian.clone(), |view| {
            let mut rows = Vec::new();
            for child in store::children_of(view, &Caller::Guardian(guardian.clone()))? {
                rows.extend(store::json(view, child)?);
            }
            Ok(json_array(rows))
        })
    }

    /// Checks that this caller has access to this child. Fails with [`ChildrenError::NoSuchChild`], also for a child of other
    /// guardians.
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
            let access = ChildAccess {
                child,
                reserved: false,
            };
            accessed::note(&access);
            Ok(access)
        } else {
            Err(ChildrenError::NoSuchChild(child))
        }
    }

    /// Like [`of`](Self::of), but as a change sees it, with the links that the change itself made.
    pub fn access_in(
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

    pub fn all_of(&self, caller: impl Into<Caller>) -> Result<Vec<ChildAccess>, StoreError> {
        let children = store::children_of(&self.store, &caller.into())?;
        let access = children.into_iter().map(|child| ChildAccess {
            child,
            reserved: false,
        });
        let all = access.collect::<Vec<_>>();
        all.iter().for_each(accessed::note);
        Ok(all)
    }

    /// Access for the administrator to a child of any guardians. Fails with [`ChildrenError::NoSuchChild`].
    pub fn for_administrator(&self, child: ChildId) -> Result<ChildAccess, ChildrenError> {
        self.for_administrator_in(&self.store, child)
    }

    /// [`for_administrator`](Self::for_administrator), as of `view`.
    pub fn for_administrator_in(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<ChildAccess, ChildrenError> {
        if store::contains(view, child)? {
            Ok(ChildAccess {
                child,
                reserved: false,
            })
        } else {
            Err(ChildrenError::NoSuchChild(child))
        }
    }

    /// Adds a child without guardians; see [`link`](Self::link).
    pub fn add(&self, change: &mut Change, name: String) -> Result<Child, StoreError> {
        let child = Child {
            child_id: store::next_id(change)?,
            name,
        };
        store::put(change, &child)?;
        store::put_added_at(change, child.child_id, self.clock.now())?;
        Ok(child)
    }

    /// Reserves a number for a child that becomes visible later, atomically with its data. Until it is
    /// [revealed](Self::reveal), its data counts as left over and is erased after a restart.
    pub fn reserve(&self, change: &mut Change) -> Result<ChildAccess, StoreError> {
        let child = store::next_id(change)?;
        store::mark_for_erasure(change, child)?;
        Ok(ChildAccess {
            child,
            reserved: true,
        })
    }

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

    /// For the administrator. Fails with [`ChildrenError::NoSuchChild`].
    pub fn get(&self, view: &impl Read, child: ChildId) -> Result<Child, ChildrenError> {
        store::child(view, child)?.ok_or(ChildrenError::NoSuchChild(child))
    }

    /// For the administrator; also `true` for a child whose name cannot be read.
    pub fn exists(&self, view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
        store::contains(view, child)
    }

    /// For the administrator: all children by number, and the number of unreadable ones.
    pub fn list_all(&self, view: &impl Read) -> Result<(Vec<Child>, u64), StoreError> {
        store::children(view)
    }

    /// The ids of all children, including unreadable ones.
    pub fn all_numbers(&self, view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
        store::numbers(view)
    }

    /// Removes all links to a child, so that nobody has access any more, and returns the access for erasing its data. The child
    /// stays marked for erasure until [`erased`](Self::erased). Works on unreadable records too. Fails with
    /// [`ChildrenError::NoSuchChild`].
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

    /// Removes the mark once all of the child's data is erased.
    pub fn erased(&self, change: &mut Change, access: &ChildAccess) -> Result<(), StoreError> {
        store::unmark_for_erasure(change, access.child)
    }

    /// Whether some of a removed child's data is left.
    pub fn is_being_erased(&self, view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
        store::is_marked_for_erasure(view, child)
    }

    /// Children whose erasure or import an earlier run didn't finish.
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

    pub fn added_at(
        &self,
        view: &impl Read,
        child: ChildId,
    ) -> Result<Option<Timestamp>, StoreError> {
        store::added_at(view, child)
    }
}
