//! What an assistant should know of a child, in the guardians' words.
//!
//! One text of at most 4,000 characters, which all of the child's guardians see and change, and which becomes part of what the
//! assistant must follow. The child is never told. Two guardians can edit at once: whoever names the text that they changed is
//! told when it is no longer that one.

pub mod api;
mod store;

use serde::{Deserialize, Serialize};

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, Read, ReadCache, Record, Store, StoreError};
use crate::kernel::version::{Version, Versioned};

/// The longest context, in characters (beyond the specification, section 9).
pub const LONGEST: usize = 4_000;

/// The most memory for contexts, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why something about a context was refused.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// Somebody else changed the text meanwhile.
    #[error("The text was changed meanwhile. Please look at it again and repeat your change.")]
    Changed,
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ContextError> for Refusal {
    fn from(error: ContextError) -> Self {
        match error {
            ContextError::Changed => Self::changed(error.to_string()),
            ContextError::Children(error) => error.into(),
            ContextError::Store(error) => error.into(),
        }
    }
}

/// A child's context. This is also its stored form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The text, exactly as it was written; empty when there is none.
    pub text: String,
}

impl Context {
    /// The text, if there is more than white space in it.
    pub fn said(&self) -> Option<&str> {
        let text = self.text.trim();
        (!text.is_empty()).then_some(text)
    }
}

/// What each table of the contexts holds.
pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    consequences: &[],
    backfills: &[],
    shown: &[Shown::Part("context", || tables(&store::KINDS))],
    erase_some: |change, access| store::erase_some(change, access.child()),
};

/// The contexts' façade. Clones share it.
#[derive(Clone)]
pub struct Contexts {
    kept: ReadCache<ChildId, Versioned>,
}

impl Contexts {
    /// Sets the contexts up.
    pub fn new(store: &Store) -> Self {
        Self {
            kept: ReadCache::within(CACHE_BYTES, store),
        }
    }

    /// The child's context.
    pub fn get(&self, access: &ChildAccess) -> Result<Versioned, StoreError> {
        self.kept.get(access.child(), |view| {
            Ok::<_, StoreError>(self.read(view, access)?.encode().into())
        })
    }

    /// The child's context, as it is seen by `view`.
    pub fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<Context, StoreError> {
        store::read(view, access.child())
    }

    /// Replaces the child's context, if the one that is there `is_expected`.
    ///
    /// # Errors
    ///
    /// [`ContextError::Changed`], when the child is gone, or the store's.
    pub fn replace(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        text: String,
        is_expected: impl FnOnce(&Version) -> bool,
    ) -> Result<Versioned, ContextError> {
        access.confirm(change)?;
        let there = Versioned::from(self.read(change, access)?.encode());
        if !is_expected(&there.version) {
            return Err(ContextError::Changed);
        }
        let context = Context { text };
        store::put(change, access.child(), &context)?;
        Ok(context.encode().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_of_white_space_says_nothing() {
        let said = |text: &str| Context { text: text.into() }.said().map(str::to_owned);

        assert_eq!(said(" \n\t"), None);
        assert_eq!(said(" Mia is eight.\n").as_deref(), Some("Mia is eight."));
    }
}
