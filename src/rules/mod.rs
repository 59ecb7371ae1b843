//! What an assistant must follow with a child: the blocked topics and the context, as one text with a version.
//!
//! Each change that a guardian makes is a new version, numbered from 1 for each child. What the child's assistants are told
//! names it as `NUMBER-TAG`: the tag comes from a key of the store's, so that naming a version proves having been told it. What
//! each version said, since when, and which guardian changed what is kept.
//!
//! This room stands above the features that it joins, so their lists and texts are replaced here.

pub mod api;
mod instructions;
mod store;
mod tag;

use std::sync::Arc;

use crate::blocked_topics::{
    BlockedTopic, BlockedTopics, BlockedTopicsError, MANDATORY, OwnTopics, Version,
};
use crate::children::{ChildAccess, ChildId};
use crate::context::{ContextError, Contexts, KeptContext};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::clock::Clock;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, Read, ReadCache, RecordKind, Store, StoreError, Weigh};

use store::{Changed, StoredVersion};
use tag::TagKey;

/// The most memory for rules, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// What each table of the rules holds.
pub const KINDS: [RecordKind; 2] = store::KINDS;

/// What is in force for a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesInForce {
    /// How many changes there were.
    pub number: u64,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    /// All of it, in words for a system prompt.
    pub instructions: String,
}

impl Weigh for Arc<RulesInForce> {
    fn weight(&self) -> u64 {
        // The instructions hold every topic and the context; the fields hold them once more.
        2 * self.instructions.len() as u64
    }
}

/// The rules' façade. Clones share it.
#[derive(Clone)]
pub struct Rules {
    store: Store,
    clock: Clock,
    blocked_topics: BlockedTopics,
    contexts: Contexts,
    key: TagKey,
    in_force: ReadCache<ChildId, Arc<RulesInForce>>,
}

impl Rules {
    /// Sets the rules up, with a key of the store's, which is made the first time.
    ///
    /// # Errors
    ///
    /// The store's.
    pub async fn start(
        store: Store,
        clock: Clock,
        randomness: &Randomness,
        blocked_topics: BlockedTopics,
        contexts: Contexts,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            key: store::key(&store, randomness).await?,
            in_force: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
            blocked_topics,
            contexts,
        })
    }

    /// What is in force for the child.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn in_force(&self, access: &ChildAccess) -> Result<Arc<RulesInForce>, StoreError> {
        self.in_force.get(access.child(), |view| {
            Ok::<_, StoreError>(Arc::new(self.read(view, access)?))
        })
    }

    fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<RulesInForce, StoreError> {
        let topics = self.blocked_topics.read(view, access)?;
        let context = self.contexts.read(view, access)?;
        let context = context.said().map(str::to_owned);
        let latest = store::latest(view, access.child())?;
        let all = MANDATORY
            .into_iter()
            .chain(topics.iter().map(String::as_str));
        Ok(RulesInForce {
            number: latest.map_or(0, |version| version.number),
            instructions: instructions::instructions(all, context.as_deref()),
            topics,
            context,
        })
    }

    /// The name of the version in force, as this assistant is told it.
    pub fn version(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
        rules: &RulesInForce,
    ) -> String {
        let tag = self
            .key
            .tag(assistant, access.child(), rules.number, &rules.instructions);
        format!("{}-{tag}", rules.number)
    }

    /// Replaces the child's own topics by what the rules make of these, if the list that is there `is_expected`.
    ///
    /// # Errors
    ///
    /// [`BlockedTopicsError::Topic`] when one of them cannot be blocked, [`BlockedTopicsError::Changed`], when
    /// the child is gone, or the store's. Then nothing was changed.
    pub async fn replace_topics(
        &self,
        access: ChildAccess,
        by: GuardianId,
        sent: Vec<String>,
        is_expected: impl FnOnce(&Version) -> bool + Send + 'static,
    ) -> Result<OwnTopics, BlockedTopicsError> {
        let topics = BlockedTopic::list(sent)?;
        let rules = self.clone();
        let kept = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let kept = rules
                .blocked_topics
                .replace(change, &access, &topics, is_expected)?;
            rules.note(change, &access, before, Changed::BlockedTopics, by)?;
            Ok(kept)
        });
        kept.await?
    }

    /// Replaces the child's context, if the text that is there `is_expected`.
    ///
    /// # Errors
    ///
    /// [`ContextError::Changed`], when the child is gone, or the store's. Then nothing was changed.
    pub async fn replace_context(
        &self,
        access: ChildAccess,
        by: GuardianId,
        text: String,
        is_expected: impl FnOnce(&str) -> bool + Send + 'static,
    ) -> Result<KeptContext, ContextError> {
        let rules = self.clone();
        let kept = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let kept = rules.contexts.replace(change, &access, text, is_expected)?;
            rules.note(change, &access, before, Changed::Context, by)?;
            Ok(kept)
        });
        kept.await?
    }

    /// Keeps what is in force now as a new version, unless it is what was in force before.
    fn note(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        before: RulesInForce,
        changed: Changed,
        by: GuardianId,
    ) -> Result<(), StoreError> {
        let (child, now) = (access.child(), self.clock.now());
        let after = self.read(change, access)?;
        if after == before {
            return Ok(());
        }
        if before.number == 0 {
            store::put(change, child, &StoredVersion::first(before))?;
        }
        let version = StoredVersion::of(after, now, changed, by);
        store::put(change, child, &version)
    }

    /// Erases a part of what is kept of the child's rules; whether there was anything.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        store::erase_some(change, access.child())
    }
}
