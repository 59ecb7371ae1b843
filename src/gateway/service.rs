//! One chat request through the gateway: rules in, upstream asked, answer passed on, both kept.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Response, StatusCode};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout};
use tokio_util::task::TaskTracker;

use super::budget::Budget;
use super::conversations::{Conversations, NotKept, RulesAdded, Turn};
use super::error::{Dialect, GatewayError};
use super::grouping::{Answer, AnswerForm, CutBy, Request, RequestHeaders};
use super::prompt::Outline;
use super::relay::Relay;
use super::response::{GatewayBody, GatewayResponse};
use super::upstream_response::{form_of, is_html, pass_on_headers, upstreams_error};
use super::upstreams::{
    KeyUpstream, Upstream, UpstreamClient, UpstreamError, UpstreamForm, UpstreamResponse,
    Upstreams, WhenNotKept,
};
use super::{goodbye, large, model};
use crate::assistant::{AssistantService, RefusalKind};
use crate::children::{Child, ChildId};
use crate::identity::{AssistantId, ConcurrencyLimit, Permit, SignedAssistant};
use crate::kernel::clock::Clock;
use crate::kernel::problem::{JSON, Refusal};
use crate::kernel::randomness::Randomness;

/// Requests of one key at a time.
pub const AT_A_TIME: usize = 4;

/// For one request, from asking the upstream to the last byte.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// For keeping answers while the server stops.
const STOPPING: Duration = Duration::from_secs(2);

const CHILD: HeaderName = HeaderName::from_static("x-porchlight-child");

/// The version of the rules in the prompt.
const RULES: HeaderName = HeaderName::from_static("porchlight-rules");

/// The gateway. Clones share it.
#[derive(Clone)]
pub struct Gateway {
    pub service: Arc<AssistantService>,
    pub conversations: Conversations,
    pub upstreams: Upstreams,
    pub client: UpstreamClient,
    pub slots: ConcurrencyLimit<AssistantId>,
    pub budget: Budget,
    pub clock: Clock,
    /// The requests that are being passed on.
    pub exchanges: TaskTracker,
}

/// A request that can be passed on.
struct Prepared {
    child: ChildId,
    model: String,
    /// With the rules in its prompt.
    body: Bytes,
    form: AnswerForm,
    upstream: Upstream,
    when_not_kept: WhenNotKept,
    rules: RulesAdded,
    /// The name of the rules' version.
    version: String,
    /// What is said instead of an answer while talking is not allowed.
    goodbye: Option<&'static str>,
}

impl Gateway {
    pub fn new(
        service: Arc<AssistantService>,
        upstreams: Upstreams,
        budget: Budget,
        clock: Clock,
        randomness: Randomness,
    ) -> Self {
        Self {
            conversations: Conversations::new(Arc::clone(&service), clock.clone(), randomness),
            service,
            upstreams,
            client: UpstreamClient::new(),
            slots: ConcurrencyLimit::new(AT_A_TIME),
            budget,
            clock,
            exchanges: TaskTracker::new(),
        }
    }

    /// Keeps the answers that an earlier run didn't finish. If that fails, the next start tries again.
    pub async fn finish_interrupted(&self) {
        if let Err(error) = self.conversations.finish_interrupted().await {
            tracing::warn!(%error, "answers that were interrupted could not be kept");
        }
    }

    /// Answers a chat request.
    pub async fn chat(
        &self,
        dialect: Dialect,
        assistant: SignedAssistant,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Result<GatewayResponse, GatewayError> {
        let permit = self.admit(&assistant).await?;
        let bytes = body.len();
        let prepare = {
            let (gateway, assistant, headers) = (self.clone(), assistant.clone(), headers.clone());
            move || gateway.prepare(dialect, &assistant, &headers, &body)
        };
        let prepared = large::run(bytes, prepare).await;
        let prepared = prepared.ok_or_else(stopping)?;
        if let Err(error) = &prepared
            && let Some(kind) = error.refusal_kind()
        {
            self.service.note_refused(&assistant, kind);
        }
        let (request, prepared) = prepared?;
        let (child, form) = (prepared.child, prepared.form);
        let begun = self
            .conversations
            .begin(&assistant, child, request, bytes, self.budget);
        let turn = match begun.await {
            Ok(turn) => Some(turn),
            Err(error)
                if prepared.when_not_kept == WhenNotKept::Open && error.is_of_the_store() =>
            {
                self.conversations.note_missed(assistant.id(), child);
                None
            }
            Err(error) => {
                if let NotKept::Assistant(error) = &error {
                    self.service.observe_error(&assistant, child, error);
                }
                return Err(error.into());
            }
        };
        if let Some(text) = prepared.goodbye {
            let answer = Answer::whole(text.to_owned());
            if let Some(turn) = turn {
                self.conversations.end(&turn, &answer, None).await?;
            }
            let now = self.clock.now();
            return Ok(goodbye::answer(dialect, form, &prepared.model, text, now));
        }
        let accept = headers.get(header::ACCEPT).cloned();
        self.exchange(assistant, dialect, turn, prepared, accept, permit)
            .await
    }

    /// Waits until the answers whose clients are gone are kept, while the server stops. What a longer one had so far is saved.
    pub async fn wait_for_answers(&self) {
        self.exchanges.close();
        let _ = timeout(STOPPING, self.exchanges.wait()).await;
    }

    /// Waits for one of the key's places, and counts the request as a write.
    pub async fn admit(&self, assistant: &SignedAssistant) -> Result<Permit, GatewayError> {
        let permit = self.slots.take(assistant.id()).await;
        let permit = permit.ok_or_else(GatewayError::busy)?;
        let counted = self.service.assistants.take_write(assistant.id());
        counted.map_err(Refusal::from)?;
        Ok(permit)
    }

    fn prepare(
        &self,
        dialect: Dialect,
        assistant: &SignedAssistant,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<(Request, Prepared), GatewayError> {
        let outline = Outline::of(body)?;
        let children = self.children_of(assistant)?;
        let sent = outline.model().unwrap_or_default();
        let child = headers
            .get(CHILD)
            .map(|value| str::from_utf8(value.as_bytes()).unwrap_or_default());
        let choice = model::choose(sent, child, &children);
        let child = choice.child.ok_or_else(GatewayError::child_required)?;
        let access = self.service.children.of(assistant, child);
        let access = access.map_err(Refusal::from)?;
        let (upstream, chosen) = self.chosen_by(assistant)?;
        if !model::offers(&upstream, choice.model) {
            return Err(GatewayError::model_not_found(choice.model));
        }
        let pairs = headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let pairs = RequestHeaders::from_pairs(pairs);
        let request = match dialect {
            Dialect::OpenAi => Request::from_chat_completions(body, &pairs)?,
            Dialect::Ollama => Request::from_ollama_chat(body, &pairs)?,
        };
        let form = match (dialect, outline.stream) {
            (Dialect::OpenAi, Some(true)) => AnswerForm::Events,
            (Dialect::Ollama, None | Some(true)) => AnswerForm::Lines,
            _ => AnswerForm::Whole,
        };
        let rules = self.service.rules.told(&access, assistant.id());
        let (told, version) = rules.map_err(Refusal::from)?;
        let body = outline.with_rules(&told.instructions, Some(choice.model))?;
        let prepared = Prepared {
            child,
            model: sent.to_owned(),
            body: body.into(),
            form,
            upstream,
            when_not_kept: chosen.when_not_kept,
            rules: RulesAdded {
                version,
                at: self.clock.now(),
            },
            version: told.version,
            goodbye: told.talk.goodbye(),
        };
        Ok((request, prepared))
    }

    pub fn children_of(&self, assistant: &SignedAssistant) -> Result<Vec<Child>, GatewayError> {
        let children = self.service.list_children(assistant);
        Ok(children.map_err(Refusal::from)?)
    }

    /// The upstream of a key.
    pub fn upstream_of(&self, assistant: &SignedAssistant) -> Result<Upstream, GatewayError> {
        Ok(self.chosen_by(assistant)?.0)
    }

    fn chosen_by(
        &self,
        assistant: &SignedAssistant,
    ) -> Result<(Upstream, KeyUpstream), GatewayError> {
        let found = self.upstreams.of_key(&self.service.store, assistant.id());
        let found = found.map_err(Refusal::from)?;
        found.ok_or_else(GatewayError::no_upstream)
    }

    /// Sends the request to the upstream, and passes its answer on. If the client leaves, this continues until the answer is stored.
    async fn exchange(
        &self,
        assistant: SignedAssistant,
        dialect: Dialect,
        turn: Option<Turn>,
        prepared: Prepared,
        accept: Option<HeaderValue>,
        permit: Permit,
    ) -> Result<GatewayResponse, GatewayError> {
        let (sender, head) = oneshot::channel();
        let exchange = Exchange {
            gateway: self.clone(),
            assistant,
            dialect,
            turn,
            prepared,
            accept,
        };
        self.exchanges.spawn(async move {
            exchange.run(sender).await;
            drop(permit);
        });
        head.await.map_err(|_| stopping())?
    }
}

fn stopping() -> GatewayError {
    GatewayError::of(
        StatusCode::SERVICE_UNAVAILABLE,
        "Porchlight is stopping. Please try again in a moment.",
    )
}

type Head = oneshot::Sender<Result<GatewayResponse, GatewayError>>;

/// A request that is being passed on.
struct Exchange {
    gateway: Gateway,
    assistant: SignedAssistant,
    dialect: Dialect,
    /// `None` if the words can't be kept, and the key lets them pass all the same.
    turn: Option<Turn>,
    prepared: Prepared,
    accept: Option<HeaderValue>,
}

impl Exchange {
    async fn run(mut self, mut head: Head) {
        let deadline = Instant::now() + LONGEST;
        let answered = tokio::select! {
            answered = self.ask() => answered,
            () = head.closed() => {
                self.fail(CutBy::Client).await;
                return;
            }
        };
        match answered {
            Ok(response) => {
                let (pieces, body) = mpsc::channel(1);
                let mut answer = Response::new(GatewayBody::Pieces(body));
                *answer.status_mut() = response.status;
                pass_on_headers(&response.headers, answer.headers_mut());
                if let Ok(version) = HeaderValue::from_str(&self.prepared.version) {
                    answer.headers_mut().insert(RULES, version);
                }
                let form = form_of(&response.headers, self.prepared.form);
                let relay = Relay {
                    conversations: self.gateway.conversations.clone(),
                    turn: self.turn,
                    rules: self.prepared.rules,
                    dialect: self.dialect,
                    form,
                    deadline,
                };
                // A client that is gone is noticed by the relay.
                let _ = head.send(Ok(answer));
                relay.run(response.body, pieces).await;
            }
            Err(error) => {
                self.fail(CutBy::Upstream).await;
                self.note_failure(&error);
                let _ = head.send(Err(error));
            }
        }
    }

    /// The upstream's answer. Fails unless it can be a chat's.
    async fn ask(&mut self) -> Result<UpstreamResponse, GatewayError> {
        let path = match (self.dialect, self.prepared.upstream.form) {
            (Dialect::Ollama, _) => "/api/chat",
            (Dialect::OpenAi, UpstreamForm::Ollama) => "/v1/chat/completions",
            (Dialect::OpenAi, UpstreamForm::OpenAi) => "/chat/completions",
        };
        let json = HeaderValue::from_static(JSON);
        let body = std::mem::take(&mut self.prepared.body);
        let sent = self.gateway.client.send(
            &self.prepared.upstream,
            Method::POST,
            path,
            self.accept.as_ref(),
            Some(&json),
            body,
        );
        let response = sent.await?;
        if !response.status.is_success() {
            return Err(upstreams_error(&self.prepared.upstream, response).await);
        }
        if is_html(&response.headers) {
            return Err(GatewayError::upstream_invalid());
        }
        Ok(response)
    }

    /// Notes the model's failure for the person who connects the app.
    fn note_failure(&self, error: &GatewayError) {
        let service = &self.gateway.service;
        let kind = error.refusal_kind().unwrap_or(RefusalKind::Model);
        let (child, now) = (self.prepared.child, self.gateway.clock.now());
        service
            .connections
            .note_refused(self.assistant.id(), child, kind, now);
    }

    /// Notes that nothing of an answer was sent.
    async fn fail(&self, by: CutBy) {
        let Some(turn) = &self.turn else {
            return;
        };
        let nothing = Answer::cut_off(String::new(), by);
        if let Err(error) = self.gateway.conversations.end(turn, &nothing, None).await {
            tracing::warn!(child = %turn.child, %error, "a failed request could not be noted");
        }
    }
}

impl From<UpstreamError> for GatewayError {
    fn from(error: UpstreamError) -> Self {
        match error {
            UpstreamError::TimedOut => Self::upstream_too_slow(),
            error => Self::upstream(error.to_string()),
        }
    }
}
