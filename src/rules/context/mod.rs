//! What an assistant should know about a child, in the guardians' words.
//!
//! One text of at most 4,000 characters per child. All of the child's guardians can read and change it, and it becomes part of
//! the rules for the assistant. The child is not notified. Two guardians can edit at once: a write that names the version it
//! changed fails if that is no longer the current one.

pub mod api;
mod file;
mod store;

use serde::{Deserialize, Serialize};

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::http::problem::refusals;
use crate::kernel::http::version::{Version, Versioned};
use crate::kernel::store::{Change, Read, ReadCache, Record, Store, StoreError};

/// In characters.
pub const LONGEST: usize = 4_000;

/// In bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why a request about a context failed.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// Somebody else changed the text in the meantime.
    #[error("The text was changed meanwhile. Please look at it again and repeat your change.")]
    Changed,
    /// The child doesn't exist any more.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ContextError from Children, Store {
        Changed => changed(ContextChanged),
    }
}

/// This is also its stored form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// Exactly as written; empty by default.
    pub text: String,
}

impl Context {
    /// The text, unless it is blank.
    pub fn said(&self) -> Option<&str> {
        let text = self.text.trim();
        (!text.is_empty()).then_some(text)
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("context", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// Service for contexts. Cheap to clone.
#[derive(Clone)]
pub struct Contexts {
    kept: ReadCache<ChildId, Versioned>,
}

impl Contexts {
    pub fn new(store: &Store) -> Self {
        Self {
            kept: ReadCache::within(CACHE_BYTES, store),
        }
    }

    pub fn get(&self, access: &ChildAccess) -> Result<Versioned, StoreError> {
        self.kept.get(access.child(), |view| {
            Ok::<_, StoreError>(self.read(view, access)?.encode().into())
        })
    }

    /// The child's context as of `view`.
    pub fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<Context, StoreError> {
        store::read(view, access.child())
    }

    /// Replaces the child's context if `is_expected` accepts the current version, else fails with [`ContextError::Changed`].
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
    fn a_blank_context_counts_as_none() {
        let said = |text: &str| Context { text: text.into() }.said().map(str::to_owned);

        assert_eq!(said(" \n\t"), None);
        assert_eq!(said(" Mia is eight.\n").as_deref(), Some("Mia is eight."));
    }
}
