//! Topics that the assistant avoids with a child.
//!
//! Seven mandatory topics are always blocked, for every child. A child's guardians add their own, which all of them can see and
//! change; the child is not notified. A list is replaced as a whole: it is tidied (trimmed, without empty, mandatory and
//! repeated topics), and if a topic can't be blocked, nothing changes. Two guardians can edit at once: a write that names the
//! version it changed fails if that is no longer the current one.
//!
//! The assistant reads the mandatory topics and the child's own together, with a paragraph on how to avoid them.

pub mod api;
mod file;
mod instructions;
mod store;
mod topics;

use std::sync::Arc;

use serde::Serialize;

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::kernel::http::problem::refusals;
use crate::kernel::http::version::{Version, Versioned};
use crate::kernel::store::{Change, Read, ReadCache, Store, StoreError, Weigh};

pub use instructions::instructions;
pub use topics::{BlockedTopic, MANDATORY, TopicError, TopicRule};

/// The maximum size of each of the two caches in [`BlockedTopics`].
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why a request about blocked topics failed.
#[derive(Debug, thiserror::Error)]
pub enum BlockedTopicsError {
    /// A topic can't be blocked, or there are too many.
    #[error(transparent)]
    Topic(#[from] TopicError),
    /// Somebody else changed the list in the meantime.
    #[error("The list was changed meanwhile. Please look at it again and repeat your change.")]
    Changed,
    /// The child doesn't exist any more.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    BlockedTopicsError from Children, Store {
        Topic(error) => from(error.rule) at error.index.map(|index| format!("/{index}")).unwrap_or_default(),
        Changed => changed(BlockedTopicsChanged),
    }
}

/// Everything that an assistant avoids with a child.
#[derive(Serialize)]
pub struct Avoided {
    pub mandatory: [&'static str; 7],
    /// The guardians' own topics.
    pub custom: Vec<String>,
    /// A paragraph for a system prompt.
    pub instructions: String,
    /// Changes with the list and with the instructions.
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
        // Each topic is in memory twice: in the list and in the instructions.
        2 * self.instructions.len() as u64
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("blocked_topics", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// Service for blocked topics. Cheap to clone.
#[derive(Clone)]
pub struct BlockedTopics {
    own: ReadCache<ChildId, Versioned>,
    avoided: ReadCache<ChildId, Arc<Avoided>>,
}

impl BlockedTopics {
    pub fn new(store: &Store) -> Self {
        Self {
            own: ReadCache::within(CACHE_BYTES, store),
            avoided: ReadCache::within(CACHE_BYTES, store),
        }
    }

    /// The child's own topics, oldest first.
    pub fn list(&self, access: &ChildAccess) -> Result<Versioned, StoreError> {
        let child = access.child();
        self.own
            .get(child, |view| Ok(store::json(view, child)?.into()))
    }

    /// Replaces the child's own topics if `is_expected` accepts the current version, else fails with
    /// [`BlockedTopicsError::Changed`].
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
            Ok(store::put(change, access.child(), topics)?.into())
        } else {
            Err(BlockedTopicsError::Changed)
        }
    }

    pub fn avoided(&self, access: &ChildAccess) -> Result<Arc<Avoided>, StoreError> {
        let child = access.child();
        self.avoided.get(child, |view| {
            Ok(Arc::new(Avoided::with(store::topics(view, child)?)))
        })
    }

    /// Whether one of these topics isn't blocked yet.
    pub fn lacks_one_of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        topics: &[BlockedTopic],
    ) -> Result<bool, StoreError> {
        let there = self.read(view, access)?;
        let is_there = |topic: &BlockedTopic| there.iter().any(|it| it == topic.as_str());
        Ok(!topics.iter().all(is_there))
    }

    /// The child's own topics as of `view`.
    pub fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<Vec<String>, StoreError> {
        store::topics(view, access.child())
    }
}
