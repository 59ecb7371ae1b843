//! Measures how good a model is, on conversations whose answers are known: the bundled cases, each of them three times, and
//! ordinary weeks in which nothing is to be found.
//!
//! A case is found if a finding with one of its concerns stands in it. A finding with any other concern is a false alarm, and so
//! is each finding in a harmless case or in an ordinary week. A case without an answer is missed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::assessing::{Model, ReviewFailed, judge};
use super::cases::Case;
use super::conversation::Conversation;
use super::figures::{ConcernFigures, ModelFigures};
use super::locating::Located;
use super::turns::FairScheduler;
use crate::alerts::Concern;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::models::{CompletionError, UpstreamClient, UpstreamError};

/// How often each case is reviewed. A model answers differently each time.
pub const TIMES: u64 = 3;

/// Before a request is tried again that a server refused for now.
pub const PAUSE: Duration = Duration::from_secs(20);

/// How often a request is tried again.
const AGAIN: u32 = 3;

/// After so many requests in a row without any answer, the rest would have none either.
const MOST_WITHOUT: u32 = 3;

/// Conversations in which nothing is to be found.
#[derive(Clone, Debug)]
pub struct OrdinaryWeeks {
    pub weeks: u64,
    pub conversations: Vec<Conversation>,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    pub figures: ModelFigures,
    /// How many cases there were.
    pub cases: u64,
    /// How many conversations the ordinary weeks had.
    pub ordinary_conversations: u64,
    pub requests: u64,
    /// How many requests had no answer by the schema, by the reason.
    pub no_answer: BTreeMap<String, u64>,
    /// How many of them were about the ordinary weeks.
    pub no_answer_in_weeks: u64,
    /// The mean time of an answer.
    pub millis: u64,
}

/// Why there are no figures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The model gave no answer {MOST_WITHOUT} times in a row, after {answered} answers, so the test was ended. Nothing was stored. {why}"
)]
pub struct CannotMeasure {
    pub answered: u64,
    pub why: CompletionError,
}

/// How many requests a test makes.
pub fn count_requests(cases: &[Case], weeks: &OrdinaryWeeks) -> u64 {
    cases.len() as u64 * TIMES + weeks.conversations.len() as u64
}

/// A test of a model.
pub struct Measuring<'a> {
    pub client: &'a UpstreamClient,
    pub model: &'a Model,
    pub rng: &'a Randomness,
    pub clock: &'a Clock,
    /// Between the test's requests families' conversations are reviewed, one at a time.
    pub turns: &'a FairScheduler,
    pub pause: Duration,
    /// Gets how many requests are done.
    pub on_progress: &'a (dyn Fn(u64) + Sync),
}

impl Measuring<'_> {
    /// Fails if the model's server does not answer.
    pub async fn run(
        &self,
        cases: &[Case],
        weeks: &OrdinaryWeeks,
    ) -> Result<Measured, CannotMeasure> {
        let mut asking = Asking::new(self);
        let mut tallies = BTreeMap::<Concern, Tally>::new();
        for _ in 0..TIMES {
            for case in cases {
                let answered = asking.ask(&case.conversation()).await?;
                record_case(&mut tallies, case, answered.as_ref());
            }
        }
        let no_answer_to_cases = asking.no_answer.values().sum::<u64>();
        let mut false_alarms_in_weeks = 0;
        for conversation in &weeks.conversations {
            if let Some(answered) = asking.ask(conversation).await? {
                false_alarms_in_weeks += answered.located.findings.len() as u64;
            }
        }
        let no_answer = asking.no_answer;
        let ordinary_conversations = weeks.conversations.len() as u64;
        let no_answer_in_weeks = no_answer.values().sum::<u64>() - no_answer_to_cases;
        let concerns = Concern::ALL.map(|concern| {
            let tally = tallies.remove(&concern).unwrap_or_default();
            tally.figures(concern)
        });
        Ok(Measured {
            figures: ModelFigures {
                model: self.model.name.clone(),
                host: self.model.host(),
                at: self.clock.now(),
                concerns: concerns.into(),
                weeks: answered_weeks(weeks.weeks, ordinary_conversations, no_answer_in_weeks),
                false_alarms_in_weeks,
            },
            cases: cases.len() as u64,
            ordinary_conversations,
            requests: asking.done,
            no_answer_in_weeks,
            no_answer,
            millis: asking.millis.checked_div(asking.answered).unwrap_or(0),
        })
    }
}

/// How many weeks the answered conversations make up. Without answers there are no false alarms, which says nothing.
fn answered_weeks(weeks: u64, conversations: u64, no_answer: u64) -> u64 {
    let answered = conversations.saturating_sub(no_answer);
    let rounded = weeks * answered + conversations / 2;
    rounded.checked_div(conversations).unwrap_or(0)
}

/// An answer, and the time that it took.
struct Answered {
    located: Located,
    millis: u64,
}

struct Asking<'a> {
    measuring: &'a Measuring<'a>,
    done: u64,
    answered: u64,
    millis: u64,
    no_answer: BTreeMap<String, u64>,
    /// In a row.
    without: u32,
}

impl<'a> Asking<'a> {
    fn new(measuring: &'a Measuring<'a>) -> Self {
        Self {
            measuring,
            done: 0,
            answered: 0,
            millis: 0,
            no_answer: BTreeMap::new(),
            without: 0,
        }
    }

    /// Returns `None` if there is no answer by the schema.
    async fn ask(
        &mut self,
        conversation: &Conversation,
    ) -> Result<Option<Answered>, CannotMeasure> {
        let asked = self.try_to_ask(conversation).await;
        self.done += 1;
        (self.measuring.on_progress)(self.done);
        match asked {
            Ok(answered) => {
                self.without = 0;
                self.answered += 1;
                self.millis += answered.millis;
                Ok(Some(answered))
            }
            Err(failed) => {
                *self.no_answer.entry(failed.to_string()).or_default() += 1;
                match failed {
                    ReviewFailed::NoAnswer(why) => {
                        self.without += 1;
                        if self.without >= MOST_WITHOUT {
                            let answered = self.answered;
                            return Err(CannotMeasure { answered, why });
                        }
                    }
                    // The model's server works.
                    ReviewFailed::NotAnAnswer(_) => self.without = 0,
                }
                Ok(None)
            }
        }
    }

    async fn try_to_ask(&self, conversation: &Conversation) -> Result<Answered, ReviewFailed> {
        let mut tries = 0;
        loop {
            let asked = self.ask_once(conversation).await;
            match asked {
                Err(failed) if self.answered > 0 && tries < AGAIN && may_pass(&failed) => {
                    tries += 1;
                    sleep(self.measuring.pause).await;
                }
                asked => return asked,
            }
        }
    }

    async fn ask_once(&self, conversation: &Conversation) -> Result<Answered, ReviewFailed> {
        let Measuring {
            client,
            model,
            rng,
            turns,
            ..
        } = self.measuring;
        let _alone = turns.alone.lock().await;
        let asked_at = Instant::now();
        let Conversation {
            said,
            blocked_topics,
        } = conversation;
        let judged = judge(client, model, said, blocked_topics, rng).await?;
        let millis = u64::try_from(asked_at.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(Answered {
            located: judged.located,
            millis,
        })
    }
}

/// Whether the same request may have an answer a little later: the server is starting, or wants fewer requests in a minute.
fn may_pass(failed: &ReviewFailed) -> bool {
    matches!(
        failed,
        ReviewFailed::NoAnswer(
            CompletionError::TooMany
                | CompletionError::Status(500..)
                | CompletionError::NoResponse(
                    UpstreamError::Unreachable(_) | UpstreamError::Broken
                )
        )
    )
}

#[derive(Default)]
struct Tally {
    found: u64,
    missed: u64,
    false_alarms: u64,
    quotes_not_there: u64,
    answers: u64,
    millis: u64,
}

impl Tally {
    fn figures(self, concern: Concern) -> ConcernFigures {
        ConcernFigures {
            concern,
            found: self.found,
            missed: self.missed,
            false_alarms: self.false_alarms,
            quotes_not_there: self.quotes_not_there,
            millis: self.millis.checked_div(self.answers).unwrap_or(0),
        }
    }
}

fn record_case(tallies: &mut BTreeMap<Concern, Tally>, case: &Case, answered: Option<&Answered>) {
    let nothing = Located::default();
    let located = answered.map_or(&nothing, |answered| &answered.located);
    if let Some(concern) = case.concern {
        let tally = tallies.entry(concern).or_default();
        if located.findings.iter().any(|it| case.has(it.concern)) {
            tally.found += 1;
        } else {
            tally.missed += 1;
        }
        if let Some(answered) = answered {
            tally.answers += 1;
            tally.millis += answered.millis;
        }
    }
    for finding in &located.findings {
        if !case.has(finding.concern) {
            tallies.entry(finding.concern).or_default().false_alarms += 1;
        }
    }
    for concern in &located.not_there {
        tallies.entry(*concern).or_default().quotes_not_there += 1;
    }
}
