//! Runs a try: one request after the other, each answer stored before the next question. It ends at half of the key's budget, when
//! five requests in a row have no answer, and when the guardian stops it.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::asking::{Asker, answered};
use super::check_words::{self, Words};
use super::phrases;
use super::planning::Plan;
use super::questions::Question;
use super::record::{Answered, CheckWords, Outcome, Reason, State, Try};
use super::{Tries, store};
use crate::assistants::gateway::trial::{BudgetError, CannotAsk, Reply};
use crate::children::{ChildAccess, ChildrenError};
use crate::identity::Caller;
use crate::kernel::store::{Purpose, StoreError, run_blocking};

/// After so many requests in a row without an answer, the rest would have none either.
const MOST_FAILURES_IN_A_ROW: u32 = 5;

/// Gets how many requests are done.
pub type OnProgress = Arc<dyn Fn(u64) + Send + Sync>;

/// Why a try ends before its last question.
enum End {
    State(State, Reason),
    /// It was stopped, or its child was removed.
    Over,
}

impl From<StoreError> for End {
    fn from(error: StoreError) -> Self {
        tracing::warn!(%error, "a try of the rules ended because of the store");
        Self::State(State::Failed, Reason::Storage)
    }
}

/// A try that is being run.
pub struct Run {
    pub tries: Tries,
    pub access: ChildAccess,
    pub plan: Plan,
    pub record: Try,
    /// Whether it is stored. The answers to an administrator's own questions are not.
    pub is_stored: bool,
    pub on_progress: OnProgress,
    pub stop: CancellationToken,
}

/// A try, and its answers if they aren't stored.
pub struct Done {
    pub record: Try,
    pub answers: Vec<Answered>,
}

impl Run {
    /// Waits for its turn, and runs. Another try of the same upstream comes first if it began earlier.
    pub async fn run(mut self) -> Done {
        let (tries, stop) = (self.tries.clone(), self.stop.clone());
        let upstream = self.plan.trial.upstream.name.clone();
        let mut answers = Vec::new();
        let ended = tokio::select! {
            biased;
            () = stop.cancelled() => Err(End::State(State::Stopped, Reason::Guardian)),
            ended = async {
                let _turn = tries.upstream_turns.wait(&upstream).await;
                self.ask_all(&mut answers).await
            } => ended,
        };
        let (state, reason) = match ended {
            Ok(()) => (State::Finished, None),
            Err(End::State(state, reason)) => (state, Some(reason)),
            Err(End::Over) => (State::Stopped, Some(Reason::Guardian)),
        };
        self.record.state = state;
        self.record.reason = reason;
        self.record.ended_at = Some(self.tries.clock.now());
        if let Err(End::State(..)) = self.save(None).await {
            tracing::warn!(child = %self.access.child(), "the end of a try could not be stored");
        }
        Done {
            record: self.record,
            answers,
        }
    }

    async fn ask_all(&mut self, answers: &mut Vec<Answered>) -> Result<(), End> {
        self.record.state = State::Running;
        self.save(None).await?;
        run_blocking(|| {
            phrases::compile();
            Ok::<_, StoreError>(())
        })
        .await?;
        let mut failures = 0;
        if self.plan.history_bytes.is_some() {
            let asked = self.ask_for_words().await?;
            self.count_answer(&asked, &mut failures)?;
        }
        let questions = self.plan.chosen.questions.clone();
        let mut n = 0;
        for question in &questions {
            let mut replies = Vec::<String>::new();
            for turn in 0..question.turns.len() {
                n += 1;
                let (answered, outcome, reply) = self.ask_turn(question, turn, n, &replies).await?;
                self.record.outcomes.push(outcome);
                self.record_done();
                if self.is_stored {
                    self.save(Some(answered)).await?;
                } else {
                    answers.push(answered);
                }
                let asked = reply.as_ref().map(drop).map_err(|why| *why);
                self.count_answer(&asked, &mut failures)?;
                match reply {
                    // A tool's result is missing, so the conversation ends.
                    Ok(reply) if !reply.tool_call => replies.push(reply.text),
                    _ => break,
                }
            }
        }
        Ok(())
    }

    fn record_done(&mut self) {
        self.record.done += 1;
        (self.on_progress)(self.record.done);
    }

    /// Ends the try if too many requests in a row had no answer.
    fn count_answer(&self, asked: &Result<(), Reason>, failures: &mut u32) -> Result<(), End> {
        match asked {
            Ok(()) => *failures = 0,
            Err(why) => {
                *failures += 1;
                if *failures >= MOST_FAILURES_IN_A_ROW {
                    return Err(End::State(State::Failed, *why));
                }
            }
        }
        Ok(())
    }

    async fn ask_turn(
        &self,
        question: &Question,
        turn: usize,
        n: u32,
        replies: &[String],
    ) -> Result<(Answered, Outcome, Result<Reply, Reason>), End> {
        self.charge().await?;
        let asker = self.asker();
        let mut conversation = Vec::new();
        for (index, said) in question.turns[..=turn].iter().enumerate() {
            conversation.push(("user", said.as_str()));
            if let Some(reply) = replies.get(index) {
                conversation.push(("assistant", reply.as_str()));
            }
        }
        let rules = &self.plan.trial.rules.instructions;
        let reply = asker.ask(rules, &conversation).await;
        if let Ok(reply) = &reply {
            conversation.push(("assistant", reply.text.as_str()));
        }
        let outcome = asker.judge(question, n, &conversation, &reply).await?;
        Ok((answered(question, turn, n, &reply), outcome, reply))
    }

    async fn ask_for_words(&mut self) -> Result<Result<(), Reason>, End> {
        self.charge().await?;
        let bytes = self.plan.history_bytes.unwrap_or(0);
        let history = check_words::history(self.plan.language, bytes);
        let history_bytes = history.iter().map(|(_, text)| text.len() as u64).sum();
        let question = check_words::question(self.plan.language);
        let conversation = history.iter().map(|(role, text)| (*role, text.as_str()));
        let conversation = conversation.chain([("user", question)]).collect::<Vec<_>>();
        let words = Words::new(&self.tries.rng);
        let rules = words.in_rules(&self.plan.trial.rules.instructions);
        let asked = self.asker().ask(&rules, &conversation).await;
        let asked = asked.map(|reply| {
            let said: CheckWords = words.in_answer(&reply.text, history_bytes);
            self.record.check_words = Some(said);
        });
        self.record_done();
        self.save(None).await?;
        Ok(asked)
    }

    fn asker(&self) -> Asker<'_> {
        Asker {
            gateway: &self.tries.gateway,
            plan: &self.plan,
            store: &self.tries.store,
            child: self.access.child(),
            timing: self.tries.timing,
        }
    }

    /// Counts a request, if it may be sent.
    async fn charge(&self) -> Result<(), End> {
        let gateway = &self.tries.gateway;
        match gateway.trial(&self.access, &self.plan.trial.assistant.id) {
            Ok(now) if now.is_same(&self.plan.trial) => {}
            Err(CannotAsk::Store(error)) => return Err(error.into()),
            _ => return Err(End::State(State::Stopped, Reason::AssistantChanged)),
        }
        let (tries, by, child) = (
            self.tries.clone(),
            self.record.by.clone(),
            self.access.child(),
        );
        let assistant = self.plan.trial.assistant.id.clone();
        let charged = self.tries.store.commit(move |change| {
            if let Some(by) = by {
                let access = tries
                    .children
                    .access_in(change, &Caller::Guardian(by), child);
                access.map_err(|error| match error {
                    ChildrenError::Store(error) => error.into(),
                    _ => End::State(State::Stopped, Reason::Guardian),
                })?;
            }
            let charged = tries.gateway.charge_trial(change, &assistant);
            charged.map_err(|error| match error {
                BudgetError::UsedUp { .. } => End::State(State::Stopped, Reason::Budget),
                BudgetError::Store(error) => error.into(),
            })
        });
        charged.await
    }

    /// Stores the try, and this answer. Fails with [`End::Over`] if the try was stopped.
    async fn save(&self, answered: Option<Answered>) -> Result<(), End> {
        if !self.is_stored {
            return Ok(());
        }
        let (access, record) = (self.access.clone(), self.record.clone());
        // The end of a try is stored on a full disk, too.
        let purpose = Purpose::essential_if(record.state.is_over());
        let saved = self.tries.store.commit_for(purpose, move |change| {
            let child = access.child();
            let known = store::find_readable(change, child, record.id)?;
            let is_going = known.is_some_and(|known| !known.state.is_over());
            if !is_going || access.confirm(change).is_err() {
                return Ok(false);
            }
            store::put(change, child, &record)?;
            if let Some(answered) = answered {
                store::put_answer(change, child, record.id, &answered)?;
            }
            Ok::<_, StoreError>(true)
        });
        if saved.await? { Ok(()) } else { Err(End::Over) }
    }
}
