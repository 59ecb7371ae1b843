//! What an assistant must follow with a child: the blocked topics, the context, the age and the schedule, with a version.
//!
//! Each change by a guardian, and each year of the child's age, creates a new version, numbered from 1 for each child. The
//! child's assistants receive its name `NUMBER-TAG`: the tag is an HMAC with a key of the store, so that naming a version proves
//! having received it. The store keeps the content of each version, its period, and which guardian changed what.
//!
//! This feature is in a layer above the features that it combines, so their lists and texts are replaced here.

pub mod age;
pub mod api;
mod birth_month;
pub mod blocked_topics;
mod carried;
pub mod context;
mod history;
mod instructions;
mod issuing;
pub mod language;
mod language_changes;
mod past;
mod pauses;
mod profile;
mod receipts;
pub mod schedule;
mod schedule_changes;
mod store;
mod tag;
mod talk;
mod talk_status;
mod together;
mod version;
mod version_name;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use crate::children::feature::{Feature, OfSession, Shown, tables};
use crate::children::history::{Changed as ChildChange, Details, Entry, History};
use crate::children::{ChildAccess, ChildId, Children};
use crate::conversations::transcripts::Transcripts;
use crate::identity::{Assistants, Environment, GuardianId, SignedAssistant};
use crate::kernel::host::clock::Clock;
use crate::kernel::http::version::{Version, Versioned};
use crate::kernel::store::{Change, Purpose, Read, ReadCache, Store, StoreError, Weigh};
use crate::rules::age::Ages;
use crate::rules::blocked_topics::{BlockedTopic, BlockedTopics, BlockedTopicsError};
use crate::rules::context::{ContextError, Contexts};
use crate::rules::schedule::{Schedule, ScheduleError, Schedules, Today};

use schedule_changes::changes;
use tag::TagKey;
use waiting::WaitingCalls;

pub use history::{RulesHistoryPage, VersionChange};
pub use instructions::instructions;
pub use issuing::{Issued, IssuedRules};
pub use past::{ConversationRules, ListInForce};
pub use profile::{IssuedProfile, NotAProfile, Profile};
pub use receipts::{
    Call, CheckedReceipts, Contact, Evidence, Followed, Follower, IssuedVersion, ListStatus,
    Receipt, ReceiptPage, RefusedList, RuleStatus, SessionReceipt, last_contact,
};
pub use talk::TalkNow;
pub use talk_status::{ChildTalk, LastHeard, TalkState, TalkStatus};
pub use together::TogetherError;
pub use version::{Changed, StoredVersion, TopicsVersion};
pub use waiting::Registration;

/// The maximum size of the cache of rules, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

pub static FEATURE: Feature = Feature {
    kinds: &[
        store::KINDS[0],
        store::KINDS[1],
        store::KINDS[2],
        pauses::KINDS[0],
        pauses::KINDS[1],
        receipts::KINDS[0],
        receipts::KINDS[1],
        receipts::KINDS[2],
        receipts::KINDS[3],
    ],
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[
        Shown::Part("rules", || store::FOLLOWED.to_vec()),
        Shown::Part("receipts", || tables(&receipts::KINDS)),
        Shown::Part("times", || vec![pauses::TABLE]),
    ],
    erase_batch: |change, access| {
        let child = access.child();
        Ok(store::erase_batch(change, child)?
            || receipts::erase_batch(change, child)?
            || pauses::erase(change, child)?)
    },
    of_session: Some(OfSession {
        // Receipts stay with the child whose rules they are about.
        take_out: |_, _, _, _| Ok(()),
        put_back: |_, _, _, _| Ok(()),
        keys: &receipts::KEYS,
        erase_batch: receipts::erase_of_session,
    }),
    child_fields: &[],
    session_fields: &[],
};

/// The current rules of a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesInForce {
    /// The number of changes.
    pub number: u64,
    /// The guardians' own topics.
    pub topics: Vec<String>,
    /// The version of the list of topics.
    pub topics_version: TopicsVersion,
    /// What the assistant should know of the child.
    pub context: Option<String>,
    pub profile: IssuedProfile,
    /// When the assistant may talk. A pause is not part of a version.
    pub times: Schedule,
    /// All of it as text for a system prompt.
    pub instructions: String,
    /// The part of the rules that was changed last.
    changed: Option<Changed>,
    /// The version for keys that are told no age, if it is an earlier one: its number and instructions.
    ageless: Option<(u64, String)>,
}

impl Weigh for Arc<RulesInForce> {
    fn weight(&self) -> u64 {
        // Topics and context are in memory twice: in the fields and in the instructions.
        let ageless = self.ageless.as_ref().map_or(0, |(_, text)| text.len());
        (2 * self.instructions.len() + ageless) as u64
    }
}

/// The services that the rules combine.
#[derive(Clone)]
pub struct Dependencies {
    pub blocked_topics: BlockedTopics,
    pub contexts: Contexts,
    pub times: Schedules,
    pub transcripts: Transcripts,
    pub children: Children,
    pub assistants: Assistants,
    pub history: History,
}

#[derive(Clone)]
pub struct Rules {
    store: Store,
    clock: Clock,
    dependencies: Dependencies,
    ages: Ages,
    key: TagKey,
    in_force: ReadCache<ChildId, Arc<RulesInForce>>,
    used: ReadCache<(ChildId, Today), Duration>,
    waiting: WaitingCalls,
}

impl Rules {
    /// Creates the service. The tags' key is generated on the first start and stored.
    pub async fn start(
        environment: &Environment,
        dependencies: Dependencies,
    ) -> Result<Self, StoreError> {
        let store = environment.store.clone();
        let waiting = WaitingCalls::default();
        waiting.follow(&store, &store::WAITED_FOR, &store::ENDING);
        Ok(Self {
            key: store::key(&store, &environment.randomness).await?,
            in_force: ReadCache::within(CACHE_BYTES, &store),
            used: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock: environment.clock.clone(),
            ages: Ages::new(environment.clock.clone(), dependencies.times.clone()),
            dependencies,
            waiting,
        })
    }

    /// The current rules of the child.
    pub fn in_force(&self, access: &ChildAccess) -> Result<Arc<RulesInForce>, StoreError> {
        self.in_force.get(access.child(), |view| {
            let mut rules = self.read(view, access)?;
            rules.ageless = issuing::ageless(view, access.child(), &rules)?;
            Ok::<_, StoreError>(Arc::new(rules))
        })
    }

    fn read(&self, view: &impl Read, access: &ChildAccess) -> Result<RulesInForce, StoreError> {
        let topics = self.dependencies.blocked_topics.read(view, access)?;
        let context = self.dependencies.contexts.read(view, access)?;
        let context = context.said().map(str::to_owned);
        let profile = IssuedProfile::read(view, access.child())?;
        let latest = store::latest(view, access.child())?;
        Ok(RulesInForce {
            number: latest.as_ref().map_or(0, |version| version.number),
            changed: latest.as_ref().and_then(|version| version.changed),
            ageless: None,
            topics_version: latest
                .map(|version| version.topics_version)
                .unwrap_or_default(),
            instructions: instructions(profile, &topics, context.as_deref()),
            topics,
            context,
            profile,
            times: self.dependencies.times.read(view, access)?.without_pause(),
        })
    }

    /// Registers a call that waits for a change of these children's rules; `None` if it may not wait. A call must register
    /// before it reads the current rules.
    pub fn register(
        &self,
        assistant: &SignedAssistant,
        children: Vec<ChildId>,
    ) -> Option<Registration> {
        self.waiting.register(assistant.id(), children)
    }

    /// Registers a conversation that ends when this child's rules say so. It must be registered before the current rules are
    /// read.
    pub fn watch(&self, child: ChildId) -> Registration {
        self.waiting.watch(child)
    }

    /// Whether waiting has been stopped.
    pub fn are_stopped(&self) -> bool {
        self.waiting.is_stopped()
    }

    /// Ends all waiting calls, and refuses further ones.
    pub fn stop_waiting(&self) {
        self.waiting.stop();
    }

    /// Replaces the child's own topics by the normalized form of these, if `is_expected` accepts the current list.
    ///
    /// # Errors
    ///
    /// [`BlockedTopicsError::Topic`] if one of them cannot be blocked, [`BlockedTopicsError::Changed`] if the list isn't the
    /// expected one. Then nothing was changed.
    pub async fn replace_topics(
        &self,
        access: ChildAccess,
        by: GuardianId,
        sent: Vec<String>,
        is_expected: impl FnOnce(&Version) -> bool + Send + 'static,
    ) -> Result<Versioned, BlockedTopicsError> {
        let topics = BlockedTopic::list(sent)?;
        let blocked = &self.dependencies.blocked_topics;
        let purpose = Purpose::essential_if(blocked.lacks_one_of(&self.store, &access, &topics)?);
        let rules = self.clone();
        let kept = self.store.commit_for(purpose, move |change| {
            let before = rules.read(change, &access)?;
            let topics_before = before.topics.clone();
            let blocked_topics = &rules.dependencies.blocked_topics;
            let kept = blocked_topics.replace(change, &access, &topics, is_expected)?;
            if rules.record_version(change, &access, before, Changed::BlockedTopics, Some(&by))? {
                let there = rules.dependencies.blocked_topics.read(change, &access)?;
                let details = Details::between(&topics_before, &there);
                let what = ChildChange::BlockedTopics;
                rules.record_change(change, &access, (what, Some(details)), by)?;
            }
            Ok(kept)
        });
        kept.await
    }

    /// Replaces the child's context, if `is_expected` accepts the current text. Otherwise changes nothing and fails with
    /// [`ContextError::Changed`].
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
            let contexts = &rules.dependencies.contexts;
            let kept = contexts.replace(change, &access, text, is_expected)?;
            if rules.record_version(change, &access, before, Changed::Context, Some(&by))? {
                rules.record_change(change, &access, (ChildChange::Context, None), by)?;
            }
            Ok(kept)
        });
        kept.await
    }

    /// Replaces the child's times, if `is_expected` accepts the current ones.
    ///
    /// # Errors
    ///
    /// [`ScheduleError::Changed`] if they aren't the expected ones. Then nothing was changed.
    pub async fn replace_schedule(
        &self,
        access: ChildAccess,
        by: GuardianId,
        times: Schedule,
        is_expected: impl FnOnce(&Version) -> bool + Send + 'static,
    ) -> Result<Versioned, ScheduleError> {
        let there = self.dependencies.times.read(&self.store, &access)?;
        let purpose = Purpose::essential_if(times.restricts(&there));
        let rules = self.clone();
        let kept = self.store.commit_for(purpose, move |change| {
            let before = rules.read(change, &access)?;
            let of_children = &rules.dependencies.times;
            let there = of_children.read(change, &access)?;
            let kept = of_children.replace(change, &access, &times, is_expected)?;
            rules.record_version(change, &access, before, Changed::Times, Some(&by))?;
            let now = rules.clock.now();
            pauses::record(change, access.child(), (&there, &times), &by, now)?;
            for what in changes(&there, &times) {
                rules.record_change(change, &access, what, by.clone())?;
            }
            Ok(kept)
        });
        kept.await
    }

    /// Records in the child's history who changed what.
    fn record_change(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        (what, details): (ChildChange, Option<Details>),
        by: GuardianId,
    ) -> Result<(), StoreError> {
        let entry = Entry::new(self.clock.now(), what, Some(by)).with(details);
        self.dependencies.history.record(change, access, entry)
    }
}
