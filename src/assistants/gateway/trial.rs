//! Requests of the server's own to an assistant's model, composed as the gateway composes the child's. Nothing of them is stored,
//! and they take none of the slots that the child's requests have.

use std::time::Duration;

use bytes::Bytes;
use hyper::header::{self, HeaderValue};
use hyper::{Method, StatusCode};
use tokio::time::timeout;

use super::answer::AnswerReader;
use super::body::{ChatBody, body_of, without_settings};
use super::child_selection::offers;
use super::client_prompt::{self, ClientPrompt};
use super::service::Gateway;
use super::upstream_response::is_html;
use crate::children::{ChildAccess, SessionId, is_assistants};
use crate::identity::{Assistant, AssistantId, KeyKind};
use crate::kernel::http::problem::JSON;
use crate::kernel::outgoing::https;
use crate::kernel::store::{Change, StoreError};
use crate::models::{Upstream, UpstreamError, UpstreamStatus};
use crate::rules::IssuedRules;

pub use super::budget::BudgetError;

/// The maximum size of an answer, in bytes.
const LARGEST: usize = 1024 * 1024;

/// Why an assistant's model can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum CannotAsk {
    /// It isn't an assistant of the child, or it is suspended.
    #[error("There is no such assistant.")]
    NoSuchAssistant,
    /// Its key is not for the gateway.
    #[error(
        "{0} doesn't reach its AI model through Porchlight, so Porchlight can't ask that model."
    )]
    NotThroughGateway(String),
    #[error("{0} has no AI model here. The person who runs this server can add one.")]
    NoUpstream(String),
    /// Neither the administrator nor a request has named a model.
    #[error(
        "Porchlight doesn't know yet which AI model {0} uses. It will know once you have talked with it."
    )]
    NoModel(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why there is no answer. It quotes nothing that was sent or received.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    #[error("the rules could not be added to the prompt")]
    RulesNotAdded,
    #[error(transparent)]
    NoResponse(UpstreamError),
    #[error("the model took too long")]
    TooSlow,
    #[error("the model's server refuses the key")]
    Key,
    #[error("the model's server doesn't have the model")]
    NothingThere,
    /// The model's server says when another request may succeed.
    #[error("the model's server refuses more requests for now")]
    TooMany(Option<Duration>),
    #[error("the model's server answered with the status {0}")]
    Status(u16),
    #[error("what came is no answer of a model")]
    NotAnAnswer,
}

/// What a model said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    pub text: String,
    /// Whether it called a tool instead of saying something.
    pub tool_call: bool,
}

/// An assistant's model, and how its requests are composed for a child.
#[derive(Clone, Debug)]
pub struct Trial {
    pub assistant: Assistant,
    pub upstream: Upstream,
    prompt: ClientPrompt,
    /// The conversation in which the assistant's app last sent what the prompt has; `None` if the prompt has the rules alone.
    pub app_session: Option<SessionId>,
    pub rules: IssuedRules,
    /// The number of the rules' version.
    pub rules_number: u64,
}

impl Trial {
    pub fn model(&self) -> &str {
        &self.prompt.model
    }

    /// The body of the request after these messages of a conversation, each with its role.
    pub fn body(&self, rules: &str, conversation: &[(&str, &str)]) -> Result<Bytes, NoAnswer> {
        let body = body_of(&self.prompt, conversation);
        let chat = ChatBody::read(self.prompt.dialect, body.as_bytes());
        let composed = chat.and_then(|chat| chat.compose(rules, &self.prompt.model));
        composed
            .map(Bytes::from)
            .map_err(|_| NoAnswer::RulesNotAdded)
    }

    /// Whether it is still the same model of the same assistant.
    pub fn is_same(&self, other: &Self) -> bool {
        self.assistant.id == other.assistant.id
            && self.upstream == other.upstream
            && self.model() == other.model()
    }
}

impl Gateway {
    /// How the child's next request with this assistant is composed.
    pub fn trial(&self, access: &ChildAccess, assistant: &AssistantId) -> Result<Trial, CannotAsk> {
        let (store, child) = (&self.service.store, access.child());
        let assistants = &self.service.assistants;
        if !is_assistants(store, child, assistant)? || assistants.is_suspended(store, assistant)? {
            return Err(CannotAsk::NoSuchAssistant);
        }
        let found = assistants.find_by_id(store, assistant)?;
        let found = found.ok_or(CannotAsk::NoSuchAssistant)?;
        if found.kind != KeyKind::Gateway {
            return Err(CannotAsk::NotThroughGateway(found.name));
        }
        let chosen = self.upstreams.of_key(store, assistant)?;
        let Some((upstream, _)) = chosen else {
            return Err(CannotAsk::NoUpstream(found.name));
        };
        let (app_session, sent) = self.last_sent(access, assistant, &upstream)?.unzip();
        let named = || upstream.models.first().map(|model| without_settings(model));
        let Some(prompt) = sent.or_else(named) else {
            return Err(CannotAsk::NoModel(found.name));
        };
        let (rules, version) = self.service.rules.issue(access, assistant)?;
        Ok(Trial {
            assistant: found,
            upstream,
            prompt,
            app_session,
            rules,
            rules_number: version.number,
        })
    }

    /// What the assistant's app last sent, and in which conversation, if its conversation is still there and this upstream takes it.
    fn last_sent(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
        upstream: &Upstream,
    ) -> Result<Option<(SessionId, ClientPrompt)>, StoreError> {
        let found = client_prompt::find(&self.service.store, access.child(), assistant)?;
        let Some((session, prompt)) = found else {
            return Ok(None);
        };
        let is_taken = offers(upstream, &prompt.model) && prompt.dialect.is_taken_by(upstream.form);
        let is_listed = self.service.transcripts.lists(access, session)?;
        Ok((is_taken && is_listed).then_some((session, prompt)))
    }

    /// Counts a request against the half of the key's budget that isn't kept for the child.
    pub fn charge_trial(
        &self,
        change: &mut Change,
        assistant: &AssistantId,
    ) -> Result<(), BudgetError> {
        self.budget.take_half(change, assistant, self.clock.now())
    }

    /// Asks the model. Nothing of this is stored.
    pub async fn ask_for_trial(
        &self,
        trial: &Trial,
        body: Bytes,
        within: Duration,
    ) -> Result<Reply, NoAnswer> {
        let asked = timeout(within, self.ask_whole(trial, body, within)).await;
        asked.unwrap_or(Err(NoAnswer::TooSlow))
    }

    async fn ask_whole(
        &self,
        trial: &Trial,
        body: Bytes,
        within: Duration,
    ) -> Result<Reply, NoAnswer> {
        let json = HeaderValue::from_static(JSON);
        let client = self.client.with_head_within(within);
        let path = trial.prompt.dialect.chat_path(trial.upstream.form);
        let sent = client.send(
            &trial.upstream,
            Method::POST,
            path,
            Some(&json),
            Some(&json),
            body,
        );
        let response = sent.await.map_err(|error| match error {
            UpstreamError::TimedOut => NoAnswer::TooSlow,
            error => NoAnswer::NoResponse(error),
        })?;
        match UpstreamStatus::of(response.status) {
            UpstreamStatus::Success => {}
            UpstreamStatus::Key(_) => return Err(NoAnswer::Key),
            UpstreamStatus::NothingThere => return Err(NoAnswer::NothingThere),
            UpstreamStatus::TooMany => return Err(NoAnswer::TooMany(pause_of(&response.headers))),
            UpstreamStatus::Redirect | UpstreamStatus::Other(_) => {
                return Err(status(response.status, &response.headers));
            }
        }
        if is_html(&response.headers) {
            return Err(NoAnswer::NotAnAnswer);
        }
        let body = https::read_body(response.body, LARGEST).await;
        reply_of(&body.ok_or(NoAnswer::NotAnAnswer)?)
    }
}

/// Some servers say with 503 that they want fewer requests.
fn status(status: StatusCode, headers: &header::HeaderMap) -> NoAnswer {
    match pause_of(headers) {
        Some(pause) if status == StatusCode::SERVICE_UNAVAILABLE => NoAnswer::TooMany(Some(pause)),
        _ => NoAnswer::Status(status.as_u16()),
    }
}

/// The seconds of `Retry-After`. A date isn't read.
fn pause_of(headers: &header::HeaderMap) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    Some(Duration::from_secs(value.trim().parse().ok()?))
}

fn reply_of(body: &[u8]) -> Result<Reply, NoAnswer> {
    let mut reader = AnswerReader::new();
    reader.push(body);
    let answer = reader.finish();
    let is_answer = answer.finish.is_some() || !answer.is_empty();
    if answer.has_error || !is_answer {
        return Err(NoAnswer::NotAnAnswer);
    }
    let text = answer.text.trim().to_owned();
    Ok(Reply {
        tool_call: text.is_empty() && !answer.tools.is_empty(),
        text,
    })
}
