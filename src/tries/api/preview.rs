//! What a try would ask, on the wire.

use poem_openapi::Object;
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::views::ReviewedByView;
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::tries::planning::Preview;
use crate::tries::questions::{Expectation, Kind, Question};

/// A question that a try would ask.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryQuestion", skip_serializing_if_is_none)]
struct QuestionView {
    /// For `questions` of `startTry`.
    question_id: String,
    kind: Kind,
    expect: Expectation,
    /// What is expected, and why: a sentence in English.
    why: String,
    /// The blocked topic that it is about.
    topic: Option<String>,
    /// What is said, one after the other in one conversation. Each takes one request.
    turns: Vec<String>,
}

impl From<Question> for QuestionView {
    fn from(question: Question) -> Self {
        Self {
            question_id: question.id,
            kind: question.kind,
            expect: question.expect,
            why: question.why,
            topic: question.topic,
            turns: question.turns,
        }
    }
}

/// The questions of a try, and the model that it asks.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "TryPreview", skip_serializing_if_is_none)]
pub struct PreviewView {
    assistant_id: AssistantId,
    assistant_name: String,
    language: Language,
    /// The model that is asked.
    model: String,
    /// Where the questions go: the host of the model's server.
    host: String,
    /// Whether that host is on the home network, as far as its name tells. Questions about crime and abuse go to no other.
    private: bool,
    /// Whether the system text, the tools and the settings that the assistant's app last sent are in the prompt. Otherwise it has
    /// the rules alone.
    app_settings: bool,
    /// How many own topics the guardians have blocked.
    own_topics: u64,
    /// How many of those are asked about: at most ten.
    own_topics_asked: u64,
    /// The length of the made-up conversation before the check words, in bytes: as long as the child's longest, at most 64 KiB.
    history_bytes: u64,
    /// How many requests it takes: one for each turn of the questions, and one for the check words.
    requests: u64,
    /// About how many tokens the requests and their answers take.
    tokens: u64,
    /// The AI reader that judges whether answers keep away from topics. Omitted if it is off, or its model is unfit.
    reviewer: Option<ReviewedByView>,
    /// How many requests that reader gets: the questions about topics with their answers.
    reviewer_requests: u64,
    /// When the caller may start the next try of this child; omitted if it may be now.
    allowed_at: Option<Timestamp>,
    questions: Vec<QuestionView>,
}

impl From<Preview> for PreviewView {
    fn from(preview: Preview) -> Self {
        let (plan, trial) = (preview.plan.clone(), preview.plan.trial);
        let (reviewer, reviewer_requests) = preview.reviewer.unzip();
        Self {
            language: plan.language,
            model: trial.model().to_owned(),
            host: trial.upstream.url.host(),
            private: trial.upstream.url.is_private(),
            app_settings: trial.app_session.is_some(),
            own_topics: plan.chosen.own_topics,
            own_topics_asked: plan.chosen.own_topics_asked,
            history_bytes: plan.history_bytes.unwrap_or(0),
            requests: preview.requests,
            tokens: preview.tokens,
            reviewer: reviewer.map(ReviewedByView::from),
            reviewer_requests: reviewer_requests.unwrap_or(0),
            allowed_at: preview.allowed_at,
            questions: plan.chosen.questions.into_iter().map(Into::into).collect(),
            assistant_id: trial.assistant.id,
            assistant_name: trial.assistant.name,
        }
    }
}
