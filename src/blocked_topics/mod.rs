//! Topics that the assistant avoids with a child.
//!
//! Seven topics are always blocked, for everybody. A child's guardians add their own, which each of them sees
//! and changes; the child is never told. A list is kept as a whole: what was sent is tidied (trimmed, without
//! empty, mandatory and repeated ones) and either each topic may be blocked or nothing is changed. Two
//! guardians can edit at once: whoever names the list that they changed is told when it is no longer that one.
//!
//! The assistant reads the mandatory topics and the child's own together, with a paragraph on how to avoid
//! them.

pub mod api;
mod instructions;
mod store;
mod topics;

use std::sync::Arc;

use serde::Serialize;

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, Read, ReadCache, Store, StoreError, Weigh};
use crate::kernel::version::{Version, Versioned};

pub use instructions::instructions;
pub use topics::{BlockedTopic, MANDATORY, TopicError, TopicRule};

/// The most memory for answers of one kind, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why something about blocked topics was refused.
#[derive(Debug, thiserror::Error)]
pub enum BlockedTopicsError {
    /// A topic cannot be blocked, or there are too many.
    #[error(transparent)]
    Topic(#[from] TopicError),
    /// Somebody else changed the list meanwhile.
    #[error("The list was changed meanwhile. Please look at it again and repeat your change.")]
    Changed,
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<BlockedTopicsError> for Refusal {
    fn from(error: BlockedTopicsError) -> Self {
        match error {
            BlockedTopicsError::Topic(error) => {
                let place = error.index.map(|index| format!("/{index}"));
                Self::against_a_rule(error.to_string()).at(place.unwrap_or_default())
            }
            BlockedTopicsError::Changed => Self::changed(error.to_string()),
            BlockedTopicsError::Children(error) => error.into(),
            BlockedTopicsError::Store(error) => error.into(),
        }
    }
}

/// What an assistant avoids with a child.
#[derive(Serialize)]
pub struct Avoided {
    /// Always blocked.
    pub mandatory: [&'static str; 7],
    /// The guardians' own.
    pub custom: Vec<String>,
    /// How to avoid all of them: a paragraph for a system prompt.
    pub instructions: String,
    /// Another one for another list, or for other instructions.
    #[serde(skip)]
    pub version: Version,
}

impl Avoided {
    fn with(custom: Vec<String>) -> Self {
        let all = MANDATORY
            .into_iter()
            .chain(custom.iter().map(String::as_str));
        let instructions = instructions::instructions(all);
        let mut avoided = Self {
            mandatory: MANDATORY,
            custom,
            instructions,
            version: Version::of(&[]),
        };
        avoided.version = Version::of(&serde_json::to_vec(&avoided).expect("texts are JSON"));
        avoided
    }
}

impl Weigh for Arc<Avoided> {
    fn weight(&self) -> u64 {
        // The topics are in memory twice: in the list and in the instructions.
        2 * self.instructions.len() as u64
    }
}

/// What each table of the blocked topics holds.
pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    consequences: &[],
    backfills: &[],
    shown: &[Shown::Part("blocked_topics", || tables(&store::KINDS))],
    erase_some: |change, access| store::erase_some(change, access.child()),
};

/// The blocked topics' façade. Clones share it.
#[derive(Clone)]
pub struct BlockedTopics {
    own: ReadCache<ChildId, Versioned>,
    avoided: ReadCache<ChildId, Arc<Avoided>>,
}

impl BlockedTopics {
    /// Sets the blocked topics up.
    pub fn new(store: &Store) -> Self {
        Self {
            own: ReadCache::within(CACHE_BYTES, store),
            avoided: ReadCache::within(CACHE_BYTES, store),
        }
    }

    /// The child's own topics, in the order in which they were added.
    pub fn list(&self, access: &ChildAccess) -> Result<Versioned, StoreError> {
        let child = access.child();
        self.own
            .get(child, |view| Ok(store::json(view, child)?.into()))
    }

    /// Replaces the child's own topics, if the list that is there `is_expected`.
    ///
    /// # Errors
    ///
    /// [`BlockedTopicsError::Changed`], when the child is gone, or the store's. Then nothing was changed.
    pub fn replace(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        topics: &[BlockedTopic],
        is_expected: impl FnOnce(&Version) -> bool,
    ) -> Result<Versioned, BlockedTopicsError> {
        access.confirm(change)?;
        let there = Versioned::from(store::json(change, access.child())?);
        if is_expected(&there.version) {
            self.keep(change, access, topics)
        } else {
            Err(BlockedTopicsError::Changed)
        }
    }

    /// [`BlockedTopics::replace`] without a condition.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn keep(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        topics: &[BlockedTopic],
    ) -> Result<Versioned, BlockedTopicsError> {
        access.confirm(change)?;
        Ok(store::put(change, access.child(), topics)?.into())
    }

    /// What an assistant avoids with the child.
    pub fn avoided(&self, access: &ChildAccess) -> Result<Arc<Avoided>, StoreError> {
        let child = access.child();
        self.avoided.get(child, |view| {
            Ok(Arc::new(Avoided::with(store::topics(view, child)?)))
        })
    }

    /// The child's own topics, as they are seen by `view`.
    pub fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<Vec<String>, StoreError> {
        store::topics(view, access.child())
    }
}
