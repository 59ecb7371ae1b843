//! The call to the upstream, and what the client gets in its place if it fails or talking is not allowed.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, Response};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::answer::{Answer, AnswerForm, CutBy};
use super::client_prompt::ClientPrompt;
use super::conversations::{Conversations, RulesAdded, Turn};
use super::dialect::Dialect;
use super::error::GatewayError;
use super::goodbye;
use super::relay::Relay;
use super::response::{GatewayBody, GatewayResponse};
use super::upstream_response::{is_html, pass_on_headers, upstreams_error};
use crate::assistants::deliveries::{AssistantError, RefusalKind};
use crate::children::ChildId;
use crate::identity::SignedAssistant;
use crate::kernel::http::problem::{JSON, Refusal};
use crate::models::{
    StoreFailurePolicy, Upstream, UpstreamClient, UpstreamError, UpstreamResponse,
};

/// For one request, from asking the upstream to the last byte.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// How many pieces wait for a client that reads slowly: enough to send several at once, and little memory.
const PIECES: usize = 8;

/// The version of the rules in the prompt.
const RULES: HeaderName = HeaderName::from_static("porchlight-rules");

/// The names of what the client sent and what didn't go to the upstream.
const DROPPED: HeaderName = HeaderName::from_static("porchlight-dropped");

/// nginx collects a response before it passes it on, unless this is `no`.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How long an upstream may take to begin its answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    pub streamed: Duration,
    /// The answer begins when the model is done.
    pub whole: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            // A model that isn't loaded yet takes minutes.
            streamed: Duration::from_secs(5 * 60),
            whole: LONGEST,
        }
    }
}

pub struct Prepared {
    pub child: ChildId,
    pub model: String,
    /// With the rules in its prompt.
    pub body: Bytes,
    /// The names of what the client sent and what isn't in the body.
    pub dropped: Vec<String>,
    pub form: AnswerForm,
    pub upstream: Upstream,
    pub when_not_kept: StoreFailurePolicy,
    pub rules: RulesAdded,
    /// The name of the rules' version.
    pub version: String,
    /// What the client sent besides the conversation.
    pub prompt: Option<ClientPrompt>,
}

pub type ResponseSender = oneshot::Sender<Result<GatewayResponse, GatewayError>>;

/// Waits until talking is no longer allowed.
type Silenced = Pin<Box<dyn Future<Output = Result<&'static str, AssistantError>> + Send>>;

pub struct UpstreamCall {
    pub conversations: Conversations,
    pub client: UpstreamClient,
    pub patience: Patience,
    pub assistant: SignedAssistant,
    pub dialect: Dialect,
    /// `None` if the words can't be kept, and the key lets them pass all the same.
    pub turn: Option<Turn>,
    pub prepared: Prepared,
    pub accept: Option<HeaderValue>,
}

impl UpstreamCall {
    /// Asks the upstream, unless talking is not allowed. That is looked at here, after the child's words were kept.
    pub async fn run(mut self, mut head: ResponseSender) {
        let deadline = Instant::now() + LONGEST;
        let mut silenced = self.silenced();
        let answered = tokio::select! {
            biased;
            goodbye = &mut silenced => {
                let _ = head.send(self.say_goodbye(goodbye).await);
                return;
            }
            () = head.closed() => {
                self.fail(CutBy::Client).await;
                return;
            }
            answered = self.ask() => answered,
        };
        match answered {
            Ok(response) => {
                let (pieces, body) = mpsc::channel(PIECES);
                // A client that is gone is noticed by the relay.
                let _ = head.send(Ok(self.head_of(&response, body)));
                let relay = Relay {
                    conversations: self.conversations.clone(),
                    turn: self.turn,
                    rules: self.prepared.rules,
                    dialect: self.dialect,
                    form: self.prepared.form,
                    model: self.prepared.model,
                    deadline,
                };
                let silenced = async move { silenced.await.ok() };
                relay.run(response.body, pieces, silenced).await;
            }
            Err(error) => {
                self.fail(CutBy::Server).await;
                self.record_failure(&error);
                let _ = head.send(Err(error));
            }
        }
    }

    fn silenced(&self) -> Silenced {
        let service = Arc::clone(&self.conversations.service);
        let (assistant, child) = (self.assistant.clone(), self.prepared.child);
        Box::pin(async move { service.until_silenced(&assistant, child).await })
    }

    fn head_of(
        &self,
        response: &UpstreamResponse,
        body: mpsc::Receiver<std::io::Result<Bytes>>,
    ) -> GatewayResponse {
        let mut answer = Response::new(GatewayBody::Pieces(body));
        *answer.status_mut() = response.status;
        let headers = answer.headers_mut();
        pass_on_headers(&response.headers, headers);
        headers.insert(BUFFERING, HeaderValue::from_static("no"));
        if let Ok(version) = HeaderValue::from_str(&self.prepared.version) {
            headers.insert(RULES, version);
        }
        let dropped = self.prepared.dropped.join(", ");
        if let Ok(names) = HeaderValue::from_str(&dropped)
            && !dropped.is_empty()
        {
            headers.insert(DROPPED, names);
        }
        answer
    }

    /// The upstream's answer. Fails unless it can be a chat's.
    async fn ask(&mut self) -> Result<UpstreamResponse, GatewayError> {
        let path = self.dialect.chat_path(self.prepared.upstream.form);
        let patience = self.patience;
        let (within, in_words) = match self.prepared.form {
            AnswerForm::Whole => (patience.whole, "ten minutes"),
            _ => (patience.streamed, "five minutes"),
        };
        let json = HeaderValue::from_static(JSON);
        let body = std::mem::take(&mut self.prepared.body);
        let client = self.client.with_head_within(within);
        let sent = client.send(
            &self.prepared.upstream,
            Method::POST,
            path,
            self.accept.as_ref(),
            Some(&json),
            body,
        );
        let response = sent.await.map_err(|error| match error {
            UpstreamError::TimedOut => GatewayError::upstream_too_slow(in_words),
            error => error.into(),
        })?;
        if !response.status.is_success() {
            return Err(upstreams_error(&self.prepared.upstream, response).await);
        }
        if is_html(&response.headers) {
            return Err(GatewayError::upstream_invalid());
        }
        Ok(response)
    }

    /// What is said instead of an answer while talking is not allowed.
    async fn say_goodbye(
        &self,
        goodbye: Result<&'static str, AssistantError>,
    ) -> Result<GatewayResponse, GatewayError> {
        let text = match goodbye {
            Ok(text) => text,
            Err(error) => {
                self.fail(CutBy::Server).await;
                return Err(Refusal::from(error).into());
            }
        };
        if let Some(turn) = &self.turn {
            let answer = Answer::whole(text.to_owned());
            let conversations = &self.conversations;
            conversations.end(turn, &answer, None).await?;
        }
        let (form, model) = (self.prepared.form, &self.prepared.model);
        let now = self.conversations.clock.now();
        Ok(goodbye::answer(self.dialect, form, model, text, now))
    }

    /// Notes the model's failure for the person who connects the app.
    fn record_failure(&self, error: &GatewayError) {
        let service = &self.conversations.service;
        let kind = error.refusal_kind().unwrap_or(RefusalKind::Model);
        let (child, now) = (self.prepared.child, self.conversations.clock.now());
        service
            .connections
            .record_child_refusal(self.assistant.id(), child, kind, now);
    }

    /// Notes that nothing of an answer was sent.
    async fn fail(&self, by: CutBy) {
        let Some(turn) = &self.turn else {
            return;
        };
        let nothing = Answer::cut_off(String::new(), by);
        if let Err(error) = self.conversations.end(turn, &nothing, None).await {
            tracing::warn!(child = %turn.child, %error, "a failed request could not be noted");
        }
    }
}

impl From<UpstreamError> for GatewayError {
    fn from(error: UpstreamError) -> Self {
        match error {
            UpstreamError::TimedOut => Self::upstream_too_slow("a minute"),
            UpstreamError::Encoding => Self::upstream_invalid(),
            error => Self::upstream(error.to_string()),
        }
    }
}
