//! What an assistant must follow with a child: the blocked topics, the context and the times, with a version.
//!
//! Each change that a guardian makes is a new version, numbered from 1 for each child. What the child's assistants are told
//! names it as `NUMBER-TAG`: the tag comes from a key of the store's, so that naming a version proves having been told it. What
//! each version said, since when, and which guardian changed what is kept.
//!
//! This room stands above the features that it joins, so their lists and texts are replaced here.

pub mod api;
mod carried;
mod history;
mod instructions;
mod receipts;
mod store;
mod tag;
mod talk;
mod together;
mod version;
mod version_name;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use crate::blocked_topics::{BlockedTopic, BlockedTopics, BlockedTopicsError};
use crate::children::history::{Changed as ChildChange, Entry, History};
use crate::children::{ChildAccess, ChildId, Children, SessionId};
use crate::context::{ContextError, Contexts};
use crate::identity::{AssistantId, Assistants, GuardianId, SignedAssistant};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{
    Backfill, Change, Read, ReadCache, RecordKind, Store, StoreError, Weigh,
};
use crate::kernel::version::{Version, Versioned};
use crate::times::{Talk, Times, TimesError, TimesOfChildren, Today};
use crate::transcripts::Transcripts;

use tag::TagKey;
use version_name::{Numbers, VersionName};
use waiting::Waiting;

pub use history::{RulesHistoryPage, VersionChange};
pub use instructions::instructions;
pub use receipts::KINDS as RECEIPT_KINDS;
pub use receipts::{
    CheckedReceipts, Evidence, Followed, Follower, ListStatus, Receipt, ReceiptPage, RefusedList,
    SessionReceipt, Standing,
};
pub use store::FOLLOWED as TABLES;
pub use together::TogetherError;
pub use version::{Changed, StoredVersion, TopicsVersion};

pub use talk::TalkNow;
pub use waiting::Registration;

/// The most memory for rules, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// What each table of the rules holds.
pub const KINDS: [RecordKind; 7] = [
    store::KINDS[0],
    store::KINDS[1],
    store::KINDS[2],
    receipts::KINDS[0],
    receipts::KINDS[1],
    receipts::KINDS[2],
    receipts::KINDS[3],
];

/// What has to be made of older data.
pub static BACKFILLS: [Backfill; 2] = [store::BACKFILL, receipts::BACKFILL];

/// What is in force for a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesInForce {
    /// How many changes there were.
    pub number: u64,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// Which list of topics this is.
    pub topics_version: TopicsVersion,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    /// When the assistant may talk. A pause is no part of a version.
    pub times: Times,
    /// All of it, in words for a system prompt.
    pub instructions: String,
}

/// What an assistant is told to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldRules {
    /// The version's name.
    pub version: String,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    /// All of it, in words for a system prompt.
    pub instructions: String,
    /// Whether the assistant may talk now.
    pub talk: Talk,
    /// When that changes next by the clock alone: whether it may talk, or why not.
    pub next_change: Option<Timestamp>,
}

impl ToldRules {
    /// What the assistant's copy is recognised by: another one, too, when it may no longer talk, or for another reason.
    pub fn tag(&self) -> String {
        match self.talk.why {
            None => self.version.clone(),
            Some(why) => format!("{}.{}", self.version, why.name()),
        }
    }
}

impl Weigh for Arc<RulesInForce> {
    fn weight(&self) -> u64 {
        // Topics and context are in memory twice: in the fields and in the instructions.
        2 * self.instructions.len() as u64
    }
}

/// What the rules join.
#[derive(Clone)]
pub struct Joined {
    /// The topics to avoid.
    pub blocked_topics: BlockedTopics,
    /// What to know of the child.
    pub contexts: Contexts,
    /// When to talk.
    pub times: TimesOfChildren,
    /// When there was talk.
    pub transcripts: Transcripts,
    /// Who may see whom.
    pub children: Children,
    /// The assistants.
    pub assistants: Assistants,
    /// Who changed what of a child.
    pub history: History,
}

/// The rules' façade. Clones share it.
#[derive(Clone)]
pub struct Rules {
    store: Store,
    clock: Clock,
    joined: Joined,
    key: TagKey,
    in_force: ReadCache<ChildId, Arc<RulesInForce>>,
    used: ReadCache<(ChildId, Today), Duration>,
    waiting: Waiting,
}

impl Rules {
    /// Sets the rules up, with a key of the store's, which is made the first time.
    pub async fn start(
        store: Store,
        clock: Clock,
        randomness: &Randomness,
        joined: Joined,
    ) -> Result<Self, StoreError> {
        let waiting = Waiting::default();
        waiting.follow(&store, &store::WAITED_FOR, &store::ENDING);
        Ok(Self {
            key: store::key(&store, randomness).await?,
            in_force: ReadCache::within(CACHE_BYTES, &store),
            used: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
            joined,
            waiting,
        })
    }

    /// What is in force for the child.
    pub fn in_force(&self, access: &ChildAccess) -> Result<Arc<RulesInForce>, StoreError> {
        self.in_force.get(access.child(), |view| {
            Ok::<_, StoreError>(Arc::new(self.read(view, access)?))
        })
    }

    fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<RulesInForce, StoreError> {
        let topics = self.joined.blocked_topics.read(view, access)?;
        let context = self.joined.contexts.read(view, access)?;
        let context = context.said().map(str::to_owned);
        let latest = store::latest(view, access.child())?;
        Ok(RulesInForce {
            number: latest.as_ref().map_or(0, |version| version.number),
            topics_version: latest
                .map(|version| version.topics_version)
                .unwrap_or_default(),
            instructions: instructions(&topics, context.as_deref()),
            topics,
            context,
            times: self.joined.times.read(view, access)?.without_pause(),
        })
    }

    /// Registers a call that waits for another version of these children's rules; `None` when it may not wait. It registers
    /// before it reads what is in force.
    pub fn register(
        &self,
        assistant: &SignedAssistant,
        children: Vec<ChildId>,
    ) -> Option<Registration> {
        self.waiting.register(assistant.id(), children)
    }

    /// Whether no call may wait any more.
    pub fn are_stopped(&self) -> bool {
        self.waiting.is_stopped()
    }

    /// Lets all calls that wait answer, and no further one wait.
    pub fn stop_waiting(&self) {
        self.waiting.stop();
    }

    /// What is in force for the child, as this assistant is told it.
    pub fn told(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
    ) -> Result<(ToldRules, u64), StoreError> {
        let rules = self.in_force(access)?;
        let (child, number) = (access.child(), rules.number);
        let tag = self.key.tag(assistant, child, number, &rules.instructions);
        let numbers = Numbers::One(number);
        let now = self.talk(access)?;
        let told = ToldRules {
            version: VersionName { numbers, tag }.to_string(),
            topics: rules.topics.clone(),
            context: rules.context.clone(),
            instructions: rules.instructions.clone(),
            talk: now.talk,
            next_change: now.next_change,
        };
        Ok((told, number))
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
    ) -> Result<Versioned, BlockedTopicsError> {
        let topics = BlockedTopic::list(sent)?;
        let rules = self.clone();
        let kept = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let blocked_topics = &rules.joined.blocked_topics;
            let kept = blocked_topics.replace(change, &access, &topics, is_expected)?;
            if rules.note_version(change, &access, before, Changed::BlockedTopics, &by)? {
                rules.note_change(change, &access, ChildChange::BlockedTopics, by)?;
            }
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
        is_expected: impl FnOnce(&Version) -> bool + Send + 'static,
    ) -> Result<Versioned, ContextError> {
        let rules = self.clone();
        let kept = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let contexts = &rules.joined.contexts;
            let kept = contexts.replace(change, &access, text, is_expected)?;
            if rules.note_version(change, &access, before, Changed::Context, &by)? {
                rules.note_change(change, &access, ChildChange::Context, by)?;
            }
            Ok(kept)
        });
        kept.await?
    }

    /// Replaces the child's times, if those that are there are `is_expected`.
    ///
    /// # Errors
    ///
    /// [`TimesError::Changed`], when the child is gone, or the store's. Then nothing was changed.
    pub async fn replace_times(
        &self,
        access: ChildAccess,
        by: GuardianId,
        times: Times,
        is_expected: impl FnOnce(&Version) -> bool + Send + 'static,
    ) -> Result<Versioned, TimesError> {
        let rules = self.clone();
        let kept = self.store.commit(move |change| {
            let before = rules.read(change, &access)?;
            let of_children = &rules.joined.times;
            let there = of_children.read(change, &access)?;
            let kept = of_children.replace(change, &access, &times, is_expected)?;
            rules.note_version(change, &access, before, Changed::Times, &by)?;
            for what in changes(&there, &times) {
                rules.note_change(change, &access, what, by.clone())?;
            }
            Ok(kept)
        });
        kept.await?
    }

    /// Notes in the child's history who changed what.
    fn note_change(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        what: ChildChange,
        by: GuardianId,
    ) -> Result<(), StoreError> {
        let entry = Entry::new(self.clock.now(), what, Some(by));
        self.joined.history.note(change, access, entry)
    }

    /// Erases a part of what was said of the child's rules in a session; whether there was anything.
    pub fn erase_receipts(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<bool, StoreError> {
        receipts::erase_of_session(change, access.child(), session)
    }

    /// Erases a part of what is kept of the child's rules; whether there was anything.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        let child = access.child();
        Ok(store::erase_some(change, child)? || receipts::erase_some(change, child)?)
    }
}

/// What of the times was changed.
fn changes(before: &Times, after: &Times) -> Vec<ChildChange> {
    let pause = match &after.pause {
        Some(_) => ChildChange::Paused,
        None => ChildChange::PauseEnded,
    };
    let all = [
        (before.time_zone != after.time_zone, ChildChange::TimeZone),
        (
            before.quiet_hours != after.quiet_hours,
            ChildChange::QuietHours,
        ),
        (
            before.minutes_a_day != after.minutes_a_day,
            ChildChange::MinutesADay,
        ),
        (before.pause != after.pause, pause),
    ];
    let changed = all.into_iter().filter(|(is_changed, _)| *is_changed);
    changed.map(|(_, what)| what).collect()
}
