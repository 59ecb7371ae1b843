//! Starts, stops and hides tries, and stores what guardians say of the answers.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::planning::Plan;
use super::record::{Reason, State, Try, TryId, Verdict};
use super::running::{Done, OnProgress, Run};
use super::service::Tries;
use super::{TriesError, store};
use crate::children::ChildAccess;
use crate::children::history::{Changed, Entry};
use crate::identity::{AssistantId, Caller, GuardianId, SignedIn};
use crate::kernel::host::language::Language;
use crate::kernel::store::{Purpose, StoreError};

impl Tries {
    /// Starts a guardian's try of the questions with these ids; of all without any. Requires stepping up. Fails with [`TriesError::Today`] if the guardian has tried the rules today.
    pub async fn start(
        &self,
        by: &SignedIn,
        access: &ChildAccess,
        assistant: &AssistantId,
        language: Language,
        asked: Option<&BTreeSet<String>>,
    ) -> Result<Try, TriesError> {
        self.sign_ins.require_step_up(by)?;
        let guardian = by.guardian().clone();
        let plan = self.plan(access, Some(&guardian), assistant, language, asked);
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

    /// Stores and runs a try, also if the caller's connection is lost in between.
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
        let (tries, access) = (self.clone(), access.clone());
        let begun = self
            .tasks
            .spawn(async move { tries.store_and_run(&access, by, plan, on_progress).await });
        begun.await.map_err(|_| StoreError::Unavailable)?
    }

    async fn store_and_run(
        &self,
        access: &ChildAccess,
        by: Option<GuardianId>,
        plan: Plan,
        on_progress: OnProgress,
    ) -> Result<(Try, JoinHandle<Done>), TriesError> {
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
            tries.history.record(change, &begun, entry)?;
            Ok(record)
        });
        let record = record.await?;
        let stop = CancellationToken::new();
        self.running().insert(record.id, stop.clone());
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
        let running = self.tasks.spawn(async move {
            let done = run.run().await;
            tries.running().remove(&id);
            done
        });
        Ok((record, running))
    }

    fn record_of(&self, by: Option<GuardianId>, plan: &Plan) -> Try {
        let trial = &plan.trial;
        Try {
            // Replaced when it is stored; an id must be above zero to be read.
            id: TryId::new(1),
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
            app_settings: trial.app_session.is_some(),
            app_session: trial.app_session,
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
        if let Some(stop) = self.running().remove(&id) {
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
