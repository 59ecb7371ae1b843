//! Asks an assistant's model made-up questions with a child's rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AdminError;
use super::operation::{Operation, Progress, Reports};
use crate::app::App;
use crate::children::ChildId;
use crate::kernel::host::language::Language;
use crate::tries::{Answered, Done, OnProgress, Outcome, Prompt, Try, TryFigures, worst_first};

/// The interval of progress reports while the model has not answered.
const BEAT: Duration = Duration::from_secs(10);

const REMARK: &str = "Another try can come out differently.";

/// Tries a child's rules, or an administrator's own questions with them. Stops once nobody waits for its
/// [events](super::running).
#[derive(Clone, Serialize, Deserialize)]
pub struct TryRules {
    pub child: ChildId,
    /// The assistant's name or id.
    pub assistant: String,
    /// The child's, or English, if it isn't given.
    pub language: Option<Language>,
    /// The answers to these are not stored.
    pub prompts: Option<Vec<Prompt>>,
}

/// An answer with what was found in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TriedAnswer {
    /// That the child didn't ask this.
    pub note: String,
    #[serde(flatten)]
    pub answered: Answered,
    pub outcome: Outcome,
}

/// The result of a try.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TriedRules {
    pub child: String,
    pub remark: String,
    /// Whether the child's guardians see it.
    pub stored: bool,
    #[serde(rename = "try")]
    pub one: Try,
    /// The worst first.
    pub answers: Vec<TriedAnswer>,
}

impl TriedRules {
    /// The figures, without guardians' verdicts.
    pub fn figures(&self) -> TryFigures {
        TryFigures::of(&self.one, &[])
    }

    fn of(child: String, one: Try, answers: Vec<Answered>) -> Self {
        let note = format!("Test question. {child} didn't ask this.");
        let answers = worst_first(&one, answers, &[]).into_iter();
        let answers = answers.map(|(answered, judged)| TriedAnswer {
            note: note.clone(),
            answered,
            outcome: judged.outcome.clone(),
        });
        Self {
            child,
            remark: REMARK.to_owned(),
            stored: false,
            answers: answers.collect(),
            one,
        }
    }
}

impl Operation for TryRules {
    type Answer = TriedRules;

    async fn run(self, app: &App, reports: &Reports) -> Result<TriedRules, AdminError> {
        let tries = &app.tries;
        let access = app.children.for_administrator(self.child)?;
        let child = app.children.get(&app.store, self.child)?.name;
        let assistant = app.identity.assistants.named(&app.store, &self.assistant)?;
        let assistant = &assistant.id;
        let is_stored = self.prompts.is_none();
        let language = match self.language {
            Some(language) => language,
            None => app.rules.language(&access)?.unwrap_or_default(),
        };
        let plan = match self.prompts {
            None => tries.plan(&access, None, assistant, language, None).await?,
            Some(prompts) => tries.plan_of(&access, assistant, language, prompts)?,
        };
        let showing = Showing::new(reports, plan.requests());
        let on_progress = showing.callback();
        if !is_stored {
            let done = tokio::select! {
                done = tries.run_unstored(&access, plan, on_progress) => done,
                () = showing.until_closed() => return Err(stopped()),
            };
            let Done { record, answers } = done;
            return Ok(TriedRules::of(child, record, answers));
        }
        let started = tries.start_for_administrator(&access, plan, on_progress);
        let (started, mut running) = started.await?;
        tokio::select! {
            done = &mut running => drop(done),
            () = showing.until_closed() => {
                tries.stop(started.id);
                return Err(stopped());
            }
        }
        let (one, answers) = tries.find_for_administrator(&access, started.id)?;
        Ok(TriedRules {
            stored: true,
            ..TriedRules::of(child, one, answers)
        })
    }
}

fn stopped() -> AdminError {
    AdminError::new("The try was stopped.")
}

/// Reports progress, also while nothing happens.
struct Showing {
    reports: Reports,
    total: u64,
    done: Arc<AtomicU64>,
}

impl Showing {
    fn new(reports: &Reports, total: u64) -> Self {
        let reports = reports.clone();
        Self {
            reports,
            total,
            done: Arc::default(),
        }
    }

    fn callback(&self) -> OnProgress {
        let (reports, total, last) = (self.reports.clone(), self.total, Arc::clone(&self.done));
        Arc::new(move |done| {
            last.store(done, Ordering::Relaxed);
            reports.report(Progress { done, total });
        })
    }

    /// Returns once nobody waits for the result.
    async fn until_closed(&self) {
        loop {
            tokio::select! {
                () = self.reports.pieces.closed() => return,
                () = tokio::time::sleep(BEAT) => {
                    let done = self.done.load(Ordering::Relaxed);
                    self.reports.report(Progress { done, total: self.total });
                }
            }
        }
    }
}
