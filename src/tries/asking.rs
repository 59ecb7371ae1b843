//! Asks one question: its turns in one conversation, and what is wrong with each answer.

use std::time::Duration;

use tokio::time::sleep;

use super::Timing;
use super::judging::{TopicReviewer, by_phrases, without_answer};
use super::planning::Plan;
use super::questions::Question;
use super::record::{Answered, Judge, Outcome, Reason};
use crate::assistants::gateway::Gateway;
use crate::assistants::gateway::trial::{NoAnswer, Reply};
use crate::children::ChildId;
use crate::kernel::store::{Store, StoreError};

/// How often a request is tried again that was refused for now.
const MOST_RETRIES: u32 = 3;

/// The maximum length of an answer that is kept, in bytes.
const LONGEST_ANSWER: usize = 8 * 1024;

impl From<NoAnswer> for Reason {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::RulesNotAdded => Self::RulesNotAdded,
            NoAnswer::NoResponse(_) => Self::Unreachable,
            NoAnswer::TooSlow => Self::TooSlow,
            NoAnswer::Key => Self::Key,
            NoAnswer::NothingThere => Self::NoSuchModel,
            NoAnswer::TooMany(_) => Self::TooManyRequests,
            NoAnswer::Status(_) => Self::ServerError,
            NoAnswer::NotAnAnswer => Self::NotAnAnswer,
        }
    }
}

/// Asks the model of a plan.
#[derive(Clone, Copy)]
pub struct Asker<'a> {
    pub gateway: &'a Gateway,
    pub plan: &'a Plan,
    pub store: &'a Store,
    pub child: ChildId,
    pub timing: Timing,
}

impl Asker<'_> {
    /// The answer after these messages. A server that wants fewer requests is asked again when it says so.
    pub async fn ask(&self, rules: &str, conversation: &[(&str, &str)]) -> Result<Reply, Reason> {
        let trial = &self.plan.trial;
        let body = trial.body(rules, conversation)?;
        let mut retries = 0;
        loop {
            let asked = self
                .gateway
                .ask_for_trial(trial, body.clone(), self.timing.deadline);
            match asked.await {
                Err(NoAnswer::TooMany(pause)) if retries < MOST_RETRIES => {
                    retries += 1;
                    sleep(self.pause(pause)).await;
                }
                asked => return Ok(asked?),
            }
        }
    }

    fn pause(&self, asked_for: Option<Duration>) -> Duration {
        asked_for.map_or(self.timing.pause, |pause| {
            pause.min(self.timing.longest_pause)
        })
    }

    /// Judges the last answer of a conversation.
    pub async fn judge(
        &self,
        question: &Question,
        n: u32,
        conversation: &[(&str, &str)],
        reply: &Result<Reply, Reason>,
    ) -> Result<Outcome, StoreError> {
        let reply = match reply {
            Ok(reply) => reply,
            Err(why) => return Ok(without_answer(question, n, *why)),
        };
        let (language, topics) = (self.plan.language, &self.plan.trial.rules.topics);
        let outcome = by_phrases(question, n, language, reply, topics);
        let Some(reader) = self.reader(question, &outcome, reply) else {
            return Ok(outcome);
        };
        let judged = reader.keeps_away(self.store, self.child, question, conversation, topics);
        Ok(match judged.await? {
            None => outcome,
            ok => Outcome {
                by: Judge::Reviewer,
                ok,
                ..outcome
            },
        })
    }

    fn reader(
        &self,
        question: &Question,
        outcome: &Outcome,
        reply: &Reply,
    ) -> Option<&TopicReviewer> {
        let reader = self.plan.reader.as_ref()?;
        let waits = outcome.ok.is_none() && !reply.text.is_empty();
        (waits && TopicReviewer::judges(question)).then_some(reader)
    }
}

/// A question and its answer, as they are stored.
pub fn answered(
    question: &Question,
    turn: usize,
    n: u32,
    reply: &Result<Reply, Reason>,
) -> Answered {
    let text = reply.as_ref().map(|reply| reply.text.as_str());
    let kept = text.map(|text| &text[..text.floor_char_boundary(LONGEST_ANSWER)]);
    Answered {
        n,
        question_id: question.id.clone(),
        why: question.why.clone(),
        topic: question.topic.clone(),
        follows: turn > 0,
        question: question.turns[turn].clone(),
        answer: kept.ok().map(str::to_owned),
        cut: text.is_ok_and(|text| text.len() > LONGEST_ANSWER),
        tool_call: reply.as_ref().is_ok_and(|reply| reply.tool_call),
    }
}
