//! Moving, deleting and restoring sessions.
//!
//! A guardian can move a session to another child with exactly the same guardians. It keeps its number, and what is delivered
//! later under its old name follows it. Its rule receipts stay behind.
//!
//! A deleted session is hidden everywhere except in the list of deleted sessions, where each guardian of the child can restore it
//! for seven days. If there are other guardians, the seven days count from when each of them was shown it there, up to 90 days in
//! all. Words that arrive in it later make it new to every guardian, and both periods begin anew. Then it is erased permanently; the
//! child's only guardian can do so at once. The hash of its name is kept for 400 days, so that an assistant that delivers late
//! restores nothing of it.
//!
//! If sessions are kept for a period only, older ones are [deleted](expiring) every night and after each start, except those that a guardian
//! [keeps](keeping).
//!
//! A guardian can also download a copy of a child's data ([`copy`]).

pub mod api;
pub mod copy;
mod deleted;
mod deleting;
pub mod deletions;
mod download;
mod erasure;
mod error;
mod expiring;
mod file;
mod keeping;
mod names;
mod store;
mod triggers;

use std::sync::Arc;

use tokio::sync::Notify;

use crate::children::feature::{Feature, OfSession, Shown};
use crate::children::history::{Changed as ChildChange, Entry, History};
use crate::children::{ChildAccess, Children, SessionId};
use crate::conversations::transcripts::Transcripts;
use crate::identity::{Assistants, ConcurrencyLimit, Environment, GuardianId, Guardians, Notices};
use crate::insights::activities::Activities;
use crate::kernel::host::clock::Clock;
use crate::kernel::outgoing::queue::Kind;
use crate::kernel::store::backup_state::ScheduledBackups;
use crate::kernel::store::due::DueClock;
use crate::kernel::store::{Change, RecordKind, Store, StoreError};
use crate::rules::Rules;
use crate::rules::schedule::Schedules;

pub use deleted::{DeletedPage, DeletedSession, Deletion};
pub use download::{Copy, CopyError};
pub use error::RetentionError;
pub use expiring::Expiring;

use names::NameKey;
use store::keeps;

/// How many downloads each guardian may have in progress.
const COPIES_AT_A_TIME: usize = 1;

/// The features that this one uses.
#[derive(Clone)]
pub struct Dependencies {
    pub transcripts: Transcripts,
    pub activities: Activities,
    pub rules: Rules,
    pub children: Children,
    pub history: History,
    pub guardians: Guardians,
    pub assistants: Assistants,
    pub times: Schedules,
    pub notices: Notices,
    /// The scheduled backups, if there are any.
    pub backups: Option<ScheduledBackups>,
}

const KINDS: [RecordKind; 13] = {
    let [a, b, c, d, e, f, g] = store::KINDS;
    let [h, i, j, k, l, m] = deletions::KINDS;
    [a, b, c, d, e, f, g, h, i, j, k, l, m]
};

pub static FEATURE: Feature = Feature {
    kinds: &KINDS,
    not_restored: &[],
    triggers: &triggers::TRIGGERS,
    backfills: &[],
    shown: &[
        Shown::Part("deleted_sessions", || vec![store::DELETED]),
        Shown::Part("deletions", || vec![deletions::DELETION]),
        Shown::Part("retention", || vec![keeps::PERIOD, keeps::KEEPS]),
    ],
    erase_batch: |change, access| {
        let child = access.child();
        Ok(store::erase_batch(change, child)? || deletions::erase_batch(change, child)?)
    },
    of_session: Some(OfSession {
        take_out: |change, access, session, taken| {
            keeps::take_out(change, access.child(), session, taken)
        },
        put_back: |change, access, facts, taken| {
            Ok(keeps::put_back(
                change,
                access.child(),
                facts.session,
                taken,
            )?)
        },
        // Its record was removed when it was deleted.
        erase_batch: |_, _, _| Ok(false),
        keys: &store::KEYS,
    }),
    child_fields: &[file::PERIOD],
    session_fields: &[file::KEPT],
};

#[derive(Clone)]
pub struct Retention {
    store: Store,
    clock: Clock,
    due: DueClock,
    dependencies: Dependencies,
    features: &'static [&'static Feature],
    key: NameKey,
    receipt_emails: Kind<deletions::Receipt>,
    /// Notified when a session is erased with [`erase`](Retention::erase).
    requested: Arc<Notify>,
    concurrency: ConcurrencyLimit<GuardianId>,
}

impl Retention {
    /// Loads the key for hashing names from the store, or generates it on the first start.
    pub async fn start(
        environment: &Environment,
        dependencies: Dependencies,
        features: &'static [&'static Feature],
    ) -> Result<Self, StoreError> {
        let Environment { store, queue, .. } = environment;
        Ok(Self {
            receipt_emails: deletions::register_emails(queue, &dependencies.guardians),
            key: store::key(store, &environment.randomness).await?,
            store: store.clone(),
            clock: environment.clock.clone(),
            due: environment.due.clone(),
            dependencies,
            features,
            requested: Arc::default(),
            concurrency: ConcurrencyLimit::new(COPIES_AT_A_TIME),
        })
    }

    /// Moves a session to another child; moving it to its own child changes nothing. Fails with
    /// [`RetentionError::OtherGuardians`], or if the session isn't this child's.
    pub async fn move_session(
        &self,
        access: ChildAccess,
        to: ChildAccess,
        by: GuardianId,
        session: SessionId,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let moved = self.store.commit(move |change| {
            let Dependencies {
                children,
                transcripts,
                ..
            } = &retention.dependencies;
            if !children.have_same_guardians(change, &access, &to)? {
                return Err(RetentionError::OtherGuardians);
            }
            if access == to {
                return Ok(());
            }
            let receiving = children.receiving(change, &to)?;
            let taken = retention.take_out(change, &access, session)?;
            let placed = transcripts.give_to(change, &access, session, &receiving)?;
            retention.put_back(change, &to, placed, &taken)?;
            retention.begin_age(change, &to, session, None)?;
            let (away, here) = (ChildChange::SessionMovedAway, ChildChange::SessionMovedHere);
            retention.record(change, &access, away, by.clone())?;
            Ok(retention.record(change, &to, here, by)?)
        });
        moved.await
    }

    /// Records whether somebody else talked in a session, not the child. Such a session is listed, but counts in no statistics,
    /// and not against the daily limit. Idempotent. Fails if it isn't this child's.
    pub async fn mark_not_child(
        &self,
        access: ChildAccess,
        by: GuardianId,
        session: SessionId,
        not_child: bool,
    ) -> Result<(), RetentionError> {
        let retention = self.clone();
        let marked = self.store.commit(move |change| {
            if !retention.import_not_child(change, &access, session, not_child)? {
                return Ok(());
            }
            let what = if not_child {
                ChildChange::SessionNotChild
            } else {
                ChildChange::SessionIsChild
            };
            Ok(retention.record(change, &access, what, by)?)
        });
        marked.await
    }

    /// [`Self::mark_not_child`] without an entry in the history. Returns whether anything changed.
    pub fn import_not_child(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        not_child: bool,
    ) -> Result<bool, RetentionError> {
        let transcripts = &self.dependencies.transcripts;
        let marked = transcripts.mark_not_child(change, access, session, not_child)?;
        let Some(placed) = marked else {
            return Ok(false);
        };
        let taken = self.take_out(change, access, session)?;
        self.put_back(change, access, placed, &taken)?;
        Ok(true)
    }

    fn record(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        what: ChildChange,
        by: GuardianId,
    ) -> Result<(), StoreError> {
        let entry = Entry::new(self.clock.now(), what, Some(by));
        self.dependencies.history.record(change, access, entry)
    }
}
