//! What needs a guardian: for each of their children the gravest thing that waits, and how far Porchlight sees.
//!
//! Everything is computed from what other features keep when it is asked for: open alerts, messages that don't reach the guardian,
//! assistants that don't confirm the rules or no longer connect, lost messages. It is each guardian's own view: nothing that
//! another guardian has dealt with leaves it. The only record is that a guardian no longer uses an assistant. It holds no time of
//! its own, nobody else learns of it, and it ends when the assistant connects again.

pub mod api;
mod file;
mod needs;
mod store;

use std::time::Duration;

use crate::alerts::reviewer::Reviewer;
use crate::alerts::{Alerts, AlertsError};
use crate::children::feature::{Feature, Shown};
use crate::children::{ChildAccess, ChildId, Children, ChildrenError};
use crate::identity::{AssistantId, Assistants, Caller, GuardianId, SignedIn};
use crate::kernel::host::clock::Clock;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{ReadError, Store, StoreError, readable_or_counted, run_blocking};
use crate::rules::{LastHeard, Rules};
use crate::tries::Tries;

pub use needs::{Channel, Need};

use needs::{not_reached, of_rules, silent};

/// For how many days lost messages and conversations that were not reviewed are shown.
const SHOWN_DAYS: i64 = 7;

const SHOWN_FOR: Duration = Duration::from_secs(7 * 24 * 60 * 60);

#[derive(Debug, thiserror::Error)]
pub enum AttentionError {
    /// The assistant doesn't talk with the child.
    #[error("There is no such assistant.")]
    NoSuchAssistant,
    #[error(transparent)]
    Alerts(#[from] AlertsError),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadError for AttentionError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::NoSuchAssistant => None,
            Self::Alerts(error) => error.damage(),
            Self::Children(error) => error.damage(),
            Self::Store(error) => error.damage(),
        }
    }
}

refusals! {
    AttentionError from Alerts, Children, Store {
        NoSuchAssistant => not_there,
    }
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &store::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Guardians("attention", store::guardians_in)],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// What it needs to know of the other features.
#[derive(Clone)]
pub struct Dependencies {
    pub children: Children,
    pub assistants: Assistants,
    pub rules: Rules,
    pub alerts: Alerts,
    pub reviewer: Reviewer,
    pub tries: Tries,
}

#[derive(Clone)]
pub struct Attention {
    store: Store,
    clock: Clock,
    pub dependencies: Dependencies,
}

/// An assistant of the child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectedAssistant {
    pub id: AssistantId,
    pub name: String,
    /// Whether the guardian no longer uses it.
    pub not_in_use: bool,
}

/// What waits for a guardian about one child.
pub struct ChildAttention {
    pub child: ChildId,
    pub name: String,
    /// The gravest of what waits.
    pub need: Option<Need>,
    /// How many others wait.
    pub more: u64,
    pub open_alerts: u64,
    pub last_heard: Option<LastHeard>,
    /// By name.
    pub assistants: Vec<ConnectedAssistant>,
    /// The number of phrases that the guardian watches for.
    pub watched_phrases: u64,
    pub is_reviewed: bool,
}

/// What was read of one child, and how much could not be read.
struct Reading<'a> {
    access: &'a ChildAccess,
    reader: &'a SignedIn,
    unreadable: u64,
}

impl Reading<'_> {
    /// Turns what is unreadable into nothing, and counts it.
    fn or_nothing<T: Default, E: ReadError>(&mut self, found: Result<T, E>) -> Result<T, E> {
        Ok(readable_or_counted(found, &mut self.unreadable)?.unwrap_or_default())
    }
}

impl Attention {
    pub fn new(store: Store, clock: Clock, dependencies: Dependencies) -> Self {
        Self {
            store,
            clock,
            dependencies,
        }
    }

    /// What needs the guardian, for each of their children by id; and the number of unreadable records.
    pub async fn list(
        &self,
        reader: SignedIn,
    ) -> Result<(Vec<ChildAttention>, u64), AttentionError> {
        let attention = self.clone();
        let all = self.dependencies.children.all_of(&reader)?;
        // All of the alerts that are kept are read.
        run_blocking(move || {
            let (mut children, mut unreadable) = (Vec::new(), 0);
            for access in &all {
                let mut reading = Reading {
                    access,
                    reader: &reader,
                    unreadable: 0,
                };
                let found = attention.read_child(&mut reading);
                unreadable += reading.unreadable;
                if matches!(
                    found,
                    Err(AttentionError::Children(ChildrenError::NoSuchChild(_)))
                ) {
                    // It was removed meanwhile.
                    continue;
                }
                children.extend(readable_or_counted(found, &mut unreadable)?);
            }
            Ok((children, unreadable))
        })
        .await
    }

    fn read_child(&self, reading: &mut Reading<'_>) -> Result<ChildAttention, AttentionError> {
        let Dependencies {
            children, rules, ..
        } = &self.dependencies;
        let access = reading.access;
        let child = access.child();
        let name = children.get(&self.store, child)?.name;
        let contacts = rules.contacts(&self.store, access)?;
        let assistants = self.assistants(reading)?;
        let now = self.clock.now();
        let alerts = &self.dependencies.alerts;
        let open = alerts.list_open(access, reading.reader, now.before(SHOWN_FOR))?;
        reading.unreadable += open.unreadable;
        let guardian = reading.reader.guardian();
        let phrases = alerts.count_phrases(access, guardian);
        let watched_phrases = reading.or_nothing(phrases)?;
        let (last_heard, unreadable) = rules.last_heard(access)?;
        // It reads all conversations, also those of alerts.
        reading.unreadable += unreadable.max(open.unreadable_sessions);
        let consents = &self.dependencies.reviewer.consents;

        let open_alerts = open.count;
        let mut needs = Vec::new();
        let others = open.count.saturating_sub(1) + open.not_saved_count.saturating_sub(1);
        needs.extend(open.gravest.map(|alert| Need::Alert(Box::new(alert))));
        needs.extend(not_reached(&self.store, guardian, child)?);
        needs.extend(self.rules_needs(reading, &assistants)?);
        needs.extend(self.incomplete_rules(reading, &assistants)?);
        needs.extend(open.not_saved.map(|alert| Need::NotSaved(Box::new(alert))));
        needs.extend(self.not_reviewed(reading)?);
        let contacts = alerts.silent_contacts(access, &contacts)?;
        needs.extend(silent(contacts, &assistants));
        let mut needs = needs.into_iter();
        Ok(ChildAttention {
            child,
            name,
            need: needs.next(),
            more: needs.len() as u64 + others,
            open_alerts,
            last_heard,
            is_reviewed: consents.permitted(&self.store, child)?.is_some(),
            watched_phrases,
            assistants,
        })
    }

    /// The child's assistants by name, without those that are suspended.
    fn assistants(&self, reading: &Reading<'_>) -> Result<Vec<ConnectedAssistant>, StoreError> {
        let Dependencies {
            children,
            assistants,
            ..
        } = &self.dependencies;
        let (view, access) = (&self.store, reading.access);
        let mut connected = Vec::new();
        for caller in children.callers_of(view, access.child())? {
            let Caller::Assistant(id) = caller else {
                continue;
            };
            if assistants.is_suspended(view, &id)? {
                continue;
            }
            // An unreadable one is counted among the followers.
            let Some(found) = assistants.find_by_id(view, &id)? else {
                continue;
            };
            let guardian = reading.reader.guardian();
            connected.push(ConnectedAssistant {
                name: found.name,
                not_in_use: store::is_not_in_use(view, access, guardian, &id)?,
                id,
            });
        }
        connected.sort_by(|one, other| (&one.name, &one.id).cmp(&(&other.name, &other.id)));
        Ok(connected)
    }

    fn rules_needs(
        &self,
        reading: &mut Reading<'_>,
        assistants: &[ConnectedAssistant],
    ) -> Result<Vec<Need>, StoreError> {
        let followers = self.dependencies.rules.list_followers(reading.access);
        let (followers, unreadable) = reading.or_nothing(followers)?;
        reading.unreadable += unreadable;
        let alerts = &self.dependencies.alerts;
        of_rules(&followers, assistants, |assistant| {
            alerts.is_told_of_unconfirmed(reading.access, assistant)
        })
    }

    /// The assistants that the guardian still uses and whose models did not get all of the rules in the newest try, by name.
    fn incomplete_rules(
        &self,
        reading: &mut Reading<'_>,
        assistants: &[ConnectedAssistant],
    ) -> Result<Vec<Need>, StoreError> {
        let mut needs = Vec::new();
        for assistant in assistants.iter().filter(|one| !one.not_in_use) {
            let tries = &self.dependencies.tries;
            let missing = tries.has_missing_words(reading.access, &assistant.id);
            if reading.or_nothing(missing)? {
                needs.push(Need::RulesIncomplete(assistant.clone()));
            }
        }
        Ok(needs)
    }

    fn not_reviewed(&self, reading: &mut Reading<'_>) -> Result<Option<Need>, StoreError> {
        let (reviewing, child) = (
            &self.dependencies.reviewer.reviewing,
            reading.access.child(),
        );
        let count = reading.or_nothing(reviewing.count_not_reviewed_within(child, SHOWN_DAYS))?;
        Ok((count > 0).then_some(Need::NotReviewed {
            conversations: count,
        }))
    }

    /// Records whether the guardian no longer uses an assistant with the child. Nobody else learns of it. Idempotent. Fails with
    /// [`AttentionError::NoSuchAssistant`].
    pub async fn set_not_in_use(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        assistant: AssistantId,
        not_in_use: bool,
    ) -> Result<(), AttentionError> {
        let children = self.dependencies.children.clone();
        let set = self.store.commit(move |change| {
            let child = access.child();
            // Access may have ended meanwhile, and then nothing of theirs may be left.
            children.access_in(change, &Caller::Guardian(guardian.clone()), child)?;
            if !crate::children::is_assistants(change, child, &assistant)? {
                return Err(AttentionError::NoSuchAssistant);
            }
            if not_in_use {
                store::mark(change, &access, &guardian, &assistant)?;
            } else {
                store::unmark(change, &access, &guardian, &assistant)?;
            }
            Ok(())
        });
        set.await
    }
}
