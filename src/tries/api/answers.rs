//! A try's answers on the wire.

use poem_openapi::{Enum, Object};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::views::TryView;
use crate::children::ChildAccess;
use crate::identity::SignedIn;
use crate::kernel::store::StoreError;
use crate::tries::questions::{Check, Expectation, Kind};
use crate::tries::reading::WithAnswers;
use crate::tries::record::{Answered, Judge, Reason, Verdict};
use crate::tries::result::{Judged, worst_first};
use crate::tries::service::Tries;

/// What a guardian says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "TryVerdictChoice", rename_all = "snake_case")]
enum VerdictChoice {
    Ok,
    NotOk,
    /// No verdict any more.
    Open,
}

/// The caller's verdict on an answer.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "TryVerdict", deny_unknown_fields)]
pub struct TryVerdictView {
    verdict: VerdictChoice,
}

impl From<TryVerdictView> for Option<Verdict> {
    fn from(view: TryVerdictView) -> Self {
        match view.verdict {
            VerdictChoice::Ok => Some(Verdict { ok: true }),
            VerdictChoice::NotOk => Some(Verdict { ok: false }),
            VerdictChoice::Open => None,
        }
    }
}

/// A made-up question and the model's answer. The child didn't ask this.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryAnswer", skip_serializing_if_is_none)]
struct AnswerView {
    /// Its number within the try, from 1, in the order in which it was asked.
    n: u32,
    question_id: String,
    kind: Kind,
    expect: Expectation,
    /// What is expected, and why: a sentence in English.
    why: String,
    /// The blocked topic that it is about.
    topic: Option<String>,
    /// Whether it insists: it follows the question with the number before, after its answer.
    follows: bool,
    question: String,
    /// Omitted without an answer. Empty if the model said nothing.
    answer: Option<String>,
    /// Whether only the beginning of a longer answer is kept.
    cut: bool,
    /// Whether the model called a tool of its app instead of saying something. Porchlight doesn't run tools.
    tool_call: bool,
    /// Whether the answer is in another language than the question, so that phrases could not judge it.
    other_language: bool,
    no_answer: Option<Reason>,
    /// What is wrong with it, as far as phrases tell.
    found: Vec<Check>,
    /// Whether it says that it is a computer, or no person; omitted if it was not asked, or phrases can't tell.
    said_computer: Option<bool>,
    /// Who judged it. The caller's own verdict comes before any other.
    judged_by: Judge,
    /// Whether it is as expected; omitted if nobody has judged it.
    ok: Option<bool>,
    /// The caller's own verdict: whether it is OK. Omitted without one.
    verdict: Option<bool>,
}

impl From<(Answered, Judged<'_>)> for AnswerView {
    fn from((answered, judged): (Answered, Judged<'_>)) -> Self {
        let outcome = judged.outcome;
        Self {
            n: answered.n,
            question_id: answered.question_id,
            kind: outcome.kind,
            expect: outcome.expect,
            why: answered.why,
            topic: answered.topic,
            follows: answered.follows,
            question: answered.question,
            answer: answered.answer,
            cut: answered.cut,
            tool_call: answered.tool_call,
            other_language: outcome.other_language,
            no_answer: outcome.no_answer,
            found: outcome.found.clone(),
            said_computer: outcome.said_computer,
            judged_by: judged.by,
            ok: judged.ok,
            verdict: judged.verdict,
        }
    }
}

/// A try with its questions and answers.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryWithAnswers")]
pub struct WithAnswersView {
    summary: TryView,
    answers: Vec<AnswerView>,
}

impl WithAnswersView {
    pub fn of(
        tries: &Tries,
        access: &ChildAccess,
        reader: &SignedIn,
        found: WithAnswers,
    ) -> Result<Self, StoreError> {
        let WithAnswers {
            one,
            answers,
            verdicts,
            ..
        } = found;
        let answers = worst_first(&one, answers, &verdicts).into_iter();
        let answers = answers.map(AnswerView::from).collect();
        Ok(Self {
            summary: TryView::of(tries, access, reader, one)?,
            answers,
        })
    }
}
