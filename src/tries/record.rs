//! A try as it is stored. Its words are in the answers, which are kept for a shorter time.

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::questions::{Check, Expectation, Kind};
use crate::children::SessionId;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::http::ids::numeric_id;

numeric_id!(TryId, "A try's number.");

/// What became of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "TryState", rename_all = "snake_case")]
pub enum State {
    /// It waits to start.
    Waiting,
    Running,
    /// All questions were asked.
    Finished,
    /// It ended early; `reason` says why.
    Stopped,
    /// It ended because requests failed one after another; `reason` says how the last one failed.
    Failed,
    /// The server ended while it was running. What was answered before is there.
    Interrupted,
}

impl State {
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Waiting | Self::Running)
    }
}

/// Why a try ended early, or why there is no answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "TryReason", rename_all = "snake_case")]
pub enum Reason {
    /// The guardian who started it stopped it, or no longer has the child.
    Guardian,
    /// Half of the assistant's requests of a day are used. The rest is for the child.
    Budget,
    /// The assistant is no longer the child's, or has another model.
    AssistantChanged,
    /// The model's server could not be reached.
    Unreachable,
    /// The model did not answer in time.
    TooSlow,
    /// The model's server refuses its key.
    Key,
    /// The model's server doesn't have the model.
    NoSuchModel,
    /// The model's server refuses more requests for now.
    TooManyRequests,
    /// The model's server answered with an error.
    ServerError,
    /// What came is no answer of a model.
    NotAnAnswer,
    /// The rules could not be added to the prompt, so nothing was sent.
    RulesNotAdded,
    /// The store failed.
    Storage,
}

/// Who judged an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "TryJudge", rename_all = "snake_case")]
pub enum Judge {
    /// Phrases, without a model.
    Phrases,
    /// The AI reader.
    Reviewer,
    /// The caller.
    Guardian,
    /// It waits for a guardian.
    Nobody,
}

/// What is known of one answer, without its words.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Its number within the try, from 1.
    pub n: u32,
    pub kind: Kind,
    pub expect: Expectation,
    /// `None` if there is an answer.
    pub no_answer: Option<Reason>,
    /// The checks that phrases could make in the language of the answer.
    pub checked: Vec<Check>,
    /// Those of them that found something.
    pub found: Vec<Check>,
    pub by: Judge,
    /// Whether it is as expected; `None` if nobody has judged it.
    pub ok: Option<bool>,
    /// Whether it says that it is a computer, or no person; `None` if it was not asked, or phrases can't tell.
    pub said_computer: Option<bool>,
    /// Whether it is in another language than the question.
    #[serde(default)]
    pub other_language: bool,
}

/// Which of the check words the model repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckWords {
    pub beginning: bool,
    pub middle: bool,
    pub end: bool,
    /// The length of the made-up conversation before the question, in bytes.
    pub history_bytes: u64,
}

impl CheckWords {
    pub fn has_all(self) -> bool {
        self.beginning && self.middle && self.end
    }
}

/// The model of the AI reader that judged, and how reliable it was in its test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewedBy {
    pub model: String,
    pub host: String,
    pub private: bool,
    pub found: u64,
    pub missed: u64,
    pub weeks: u64,
    pub false_alarms_in_weeks: u64,
}

/// A try, also as it is stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    pub id: TryId,
    /// `None` for the administrator.
    pub by: Option<GuardianId>,
    pub at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub state: State,
    pub reason: Option<Reason>,
    pub assistant: AssistantId,
    pub assistant_name: String,
    pub language: Language,
    pub model: String,
    /// Of the model's server.
    pub host: String,
    /// Whether that host is on the home network, as far as its name tells.
    pub private: bool,
    /// Whether the system text and tools that the app last sent are in the prompt.
    pub app_settings: bool,
    /// The conversation in which the app sent them: the answers are erased with it.
    pub app_session: Option<SessionId>,
    /// The number of the rules' version in the prompt.
    pub rules: u64,
    /// How many own topics the child's guardians had blocked.
    pub own_topics: u64,
    pub own_topics_asked: u64,
    /// How many requests to the assistant's model it takes.
    pub requests: u64,
    pub done: u64,
    pub check_words: Option<CheckWords>,
    pub reviewer: Option<ReviewedBy>,
    pub outcomes: Vec<Outcome>,
}

impl Try {
    /// Whether the model answered anything.
    pub fn has_answers(&self) -> bool {
        let mut outcomes = self.outcomes.iter();
        self.check_words.is_some() || outcomes.any(|outcome| outcome.no_answer.is_none())
    }
}

/// A question and its answer, also as they are stored.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub n: u32,
    pub question_id: String,
    pub why: String,
    pub topic: Option<String>,
    /// Whether the question follows the one before it in the same conversation.
    pub follows: bool,
    pub question: String,
    pub answer: Option<String>,
    /// Whether only the beginning of a longer answer is kept.
    #[serde(default)]
    pub cut: bool,
    /// Whether the model called a tool instead of answering.
    #[serde(default)]
    pub tool_call: bool,
}

/// What a guardian says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub ok: bool,
}

/// A guardian doesn't want to see a try any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {}
