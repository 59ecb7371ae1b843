//! The service: what it is built from.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Timing;
use super::record::TryId;
use crate::alerts::reviewer::Reviewer;
use crate::assistants::gateway::Gateway;
use crate::children::Children;
use crate::children::history::History;
use crate::conversations::transcripts::Transcripts;
use crate::identity::{ConcurrencyLimit, SignIns};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::throttle::Throttle;
use crate::kernel::store::Store;
use crate::rules::Rules;

/// How long answers are kept.
pub(super) const ANSWERS_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What the service needs of others.
pub struct Dependencies {
    pub children: Children,
    pub history: History,
    pub sign_ins: SignIns,
    pub transcripts: Transcripts,
    pub rules: Rules,
    pub gateway: Gateway,
    pub reviewer: Reviewer,
}

/// The service. Clones share it.
#[derive(Clone)]
pub struct Tries {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) rng: Randomness,
    pub children: Children,
    pub history: History,
    pub(super) sign_ins: SignIns,
    pub(super) transcripts: Transcripts,
    pub(super) rules: Rules,
    pub gateway: Gateway,
    pub reviewer: Reviewer,
    pub timing: Timing,
    /// One try at a time for each upstream.
    pub(super) upstream_turns: ConcurrencyLimit<String>,
    /// The tries that wait or run.
    pub tasks: TaskTracker,
    running: Arc<Mutex<HashMap<TryId, CancellationToken>>>,
    pub(super) sweeps: Throttle,
}

impl Tries {
    pub fn new(store: Store, clock: Clock, rng: Randomness, dependencies: Dependencies) -> Self {
        let Dependencies {
            children,
            history,
            sign_ins,
            transcripts,
            rules,
            gateway,
            reviewer,
        } = dependencies;
        Self {
            store,
            clock,
            rng,
            children,
            history,
            sign_ins,
            transcripts,
            rules,
            gateway,
            reviewer,
            timing: Timing::default(),
            upstream_turns: ConcurrencyLimit::new(1),
            tasks: TaskTracker::new(),
            running: Arc::default(),
            sweeps: Throttle::default(),
        }
    }

    /// The tries that wait or run, each with what ends its task.
    pub(super) fn running(&self) -> std::sync::MutexGuard<'_, HashMap<TryId, CancellationToken>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
