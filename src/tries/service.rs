//! Starts, lists, stops and hides tries, and stores what guardians say of the answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::planning::Plan;
use super::record::{Reason, State, Try, TryId, Verdict};
use super::running::{Done, OnProgress, Run};
use super::{Language, Timing, TriesError, store};
use crate::alerts::reviewer::Reviewer;
use crate::assistants::gateway::Gateway;
use crate::children::history::{Changed, Entry, History};
use crate::children::{ChildAccess, ChildId, Children};
use crate::conversations::transcripts::Transcripts;
use crate::identity::{AssistantId, Caller, ConcurrencyLimit, GuardianId, SignIns, SignedIn};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{Purpose, Read, Store, StoreError};
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
    sign_ins: SignIns,
    pub(super) transcripts: Transcripts,
    pub(super) rules: Rules,
    pub(super) gateway: Gateway,
    pub(super) reviewer: Reviewer,
    pub timing: Timing,
    /// One try at a time for each upstream.
    pub(super) turns: ConcurrencyLimit<String>,
    going: Arc<Mutex<HashMap<TryId, CancellationToken>>>,
    pub(super) swept: Arc<Mutex<Option<Duration>>>,
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
            turns: ConcurrencyLimit::new(1),
            going: Arc::default(),
            swept: Arc::default(),
        }
    }

    /// Starts a guardian's try. Requires stepping up. Fails with [`TriesError::Today`] if the guardian has tried the rules today.
    pub async fn start(
        &self,
        by: &SignedIn,
        access: &ChildAccess,
        assistant: &AssistantId,
        language: Language,
        left_out: &[String],
    ) -> Result<Try, TriesError> {
        self.sign_ins.require_step_up(by)?;
        let guardian = by.guardian().clone();
        let plan = self.plan(access, Some(&guardian), assistant, language, left_out);
        let plan = plan.await?;
        let on_progress: OnProgress = Arc::new(|_| {});
        let (record, _) = self
            .begin(access, Some(guardian), plan, on_progress)
            .await?;
        Ok(record)
    }

    /// Starts the administrator's try. The task ends with the try.
    pub async fn start_for_administrator(
        &self,
        access: &ChildAccess,
        plan: Plan,
        on_progress: OnProgress,
    ) -> Result<(Try, JoinHandle<Done>), TriesError> {
        self.begin(access, None, plan, on_progress).await
    }

    /// Asks without storing anything.
    pub async fn run_unstored(
        &self,
        access: &ChildAccess,
        plan: Plan,
        on_progress: OnProgress,
    ) -> Done {
        let run = Run {
            record: self.record_of(None, &plan),
            tries: self.clone(),
            access: access.clone(),
            plan,
            is_stored: false,
            on_progress,
            stop: CancellationToken::new(),
        };
        run.run().await
    }

    async fn begin(
        &self,
        access: &ChildAccess,
        by: Option<GuardianId>,
        plan: Plan,
        on_progress: OnProgress,
    ) -> Result<(Try, JoinHandle<Done>), TriesError> {
        if plan.chosen.questions.is_empty() {
            return Err(TriesError::NothingToAsk);
        }
        let record = self.record_of(by, &plan);
        let (tries, begun) = (self.clone(), access.clone());
        let record = self.store.commit(move |change| {
            let child = begun.child();
            begun.confirm(change)?;
            if let Some(by) = &record.by {
                // Access may have ended meanwhile.
                tries
                    .children
                    .access_in(change, &Caller::Guardian(by.clone()), child)?;
                if let Some(at) = tries.next_allowed(change, child, by)? {
                    let seconds = at.since(tries.clock.now()).as_secs() + 1;
                    let seconds = u32::try_from(seconds).unwrap_or(u32::MAX);
                    return Err(TriesError::Today(seconds));
                }
            }
            let record = Try {
                id: store::next_id(change)?,
                ..record
            };
            store::put(change, child, &record)?;
            let entry = Entry::new(record.at, Changed::RulesTried, record.by.clone());
            tries.history.note(change, &begun, entry)?;
            Ok(record)
        });
        let record = record.await?;
        let stop = CancellationToken::new();
        self.going().insert(record.id, stop.clone());
        let run = Run {
            tries: self.clone(),
            access: access.clone(),
            plan,
            record: record.clone(),
            is_stored: true,
            on_progress,
            stop,
        };
        let (tries, id) = (self.clone(), record.id);
        let running = tokio::spawn(async move {
            let done = run.run().await;
            tries.going().remove(&id);
            done
        });
        Ok((record, running))
    }

    fn record_of(&self, by: Option<GuardianId>, plan: &Plan) -> Try {
        let trial = &plan.trial;
        Try {
            id: TryId::new(0),
            by,
            at: self.clock.now(),
            ended_at: None,
            state: State::Waiting,
            reason: None,
            assistant: trial.assistant.id.clone(),
            assistant_name: trial.assistant.name.clone(),
            language: plan.language,
            model: trial.model().to_owned(),
            host: trial.upstream.url.host(),
            private: trial.upstream.url.is_private(),
            app_settings: trial.has_app_settings,
            rules: trial.rules_number,
            own_topics: plan.chosen.own_topics,
            own_topics_asked: plan.chosen.own_topics_asked,
            requests: plan.requests(),
            done: 0,
            check_words: None,
            reviewer: plan.reader.as_ref().map(|reader| reader.shown()),
            outcomes: Vec::new(),
        }
    }

    fn going(&self) -> std::sync::MutexGuard<'_, HashMap<TryId, CancellationToken>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// When the guardian may start the next try of this child, if not now: a day (UTC) has one.
    pub(super) fn next_allowed(
        &self,
        view: &impl Read,
        child: ChildId,
        by: &GuardianId,
    ) -> Result<Option<Timestamp>, StoreError> {
        let last = store::last_of(&store::all(view, child)?, by);
        let next = last.map(|last| Timestamp::start_of_utc_day(last.utc_day() + 1));
        Ok(next.filter(|next| *next > self.clock.now()))
    }

    /// Stops the guardian's own try while it waits or runs; it stays with what it has. Hides any other try from them alone.
    pub async fn stop_or_hide(
        &self,
        access: ChildAccess,
        by: GuardianId,
        id: TryId,
    ) -> Result<(), TriesError> {
        let tries = self.clone();
        let stopped = self.store.commit_for(Purpose::Essential, move |change| {
            let child = access.child();
            tries
                .children
                .access_in(change, &Caller::Guardian(by.clone()), child)?;
            let one = tries.visible(change, &access, &by, id)?;
            if one.state.is_over() || one.by.as_ref() != Some(&by) {
                store::hide(change, child, &by, id)?;
                return Ok(false);
            }
            let stopped = Try {
                state: State::Stopped,
                reason: Some(Reason::Guardian),
                ended_at: Some(tries.clock.now()),
                ..one
            };
            store::put(change, child, &stopped)?;
            Ok::<_, TriesError>(true)
        });
        if stopped.await? {
            self.stop(id);
        }
        Ok(())
    }

    /// Ends the task of a try. Its state must be stored already, or the task stores it.
    pub fn stop(&self, id: TryId) {
        if let Some(stop) = self.going().remove(&id) {
            stop.cancel();
        }
    }

    /// Stores the guardian's own verdict on an answer; `None` takes it back. Fails with [`TriesError::NoSuchTry`] if there is no
    /// such answer, or it was deleted. Idempotent.
    pub async fn set_verdict(
        &self,
        access: ChildAccess,
        by: GuardianId,
        id: TryId,
        n: u32,
        verdict: Option<Verdict>,
    ) -> Result<(), TriesError> {
        let tries = self.clone();
        let set = self.store.commit(move |change| {
            let child = access.child();
            tries
                .children
                .access_in(change, &Caller::Guardian(by.clone()), child)?;
            let one = tries.visible(change, &access, &by, id)?;
            let mut outcomes = one.outcomes.iter();
            let is_answered = outcomes.any(|it| it.n == n && it.no_answer.is_none());
            if !is_answered || !store::has_answer(change, child, id, n)? {
                return Err(TriesError::NoSuchTry);
            }
            store::put_verdict(change, child, &by, id, n, verdict)?;
            Ok(())
        });
        set.await
    }
}
