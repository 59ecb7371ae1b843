//! The gateway's service: adds the rules to a chat request, stores the child's words, and starts the call to the upstream.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

use super::answer::AnswerForm;
use super::body::ChatBody;
use super::budget::Budget;
use super::conversations::{Conversations, IncomingRequest, NotKept, RulesAdded, Turn};
use super::dialect::Dialect;
use super::error::GatewayError;
use super::exchange::{Patience, Prepared, UpstreamCall};
use super::grouping::{Request, RequestHeaders};
use super::response::GatewayResponse;
use super::slots::{RequestSlots, Slot};
use super::{child_selection, large, stored_texts};
use crate::assistants::deliveries::AssistantService;
use crate::children::{Child, ChildId};
use crate::identity::SignedAssistant;
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::problem::Refusal;
use crate::kernel::store::StoreError;
use crate::models::{KeyUpstream, StoreFailurePolicy, Upstream, UpstreamClient, Upstreams};

/// For keeping answers while the server stops.
const STOPPING: Duration = Duration::from_secs(2);

const CHILD: HeaderName = HeaderName::from_static("x-porchlight-child");

/// The gateway. Clones share it.
#[derive(Clone)]
pub struct Gateway {
    pub service: Arc<AssistantService>,
    pub conversations: Conversations,
    pub upstreams: Upstreams,
    pub client: UpstreamClient,
    pub slots: RequestSlots,
    pub budget: Budget,
    pub patience: Patience,
    pub clock: Clock,
    /// The requests that are being passed on.
    pub exchanges: TaskTracker,
}

impl Gateway {
    /// Fails if the store does.
    pub async fn new(
        service: Arc<AssistantService>,
        upstreams: Upstreams,
        budget: Budget,
        randomness: Randomness,
    ) -> Result<Self, StoreError> {
        let clock = service.clock.clone();
        let text_key = stored_texts::key(&service.store, &randomness).await?;
        Ok(Self {
            conversations: Conversations::new(
                Arc::clone(&service),
                clock.clone(),
                randomness,
                text_key,
            ),
            service,
            upstreams,
            client: UpstreamClient::new(),
            slots: RequestSlots::new(),
            budget,
            patience: Patience::default(),
            clock,
            exchanges: TaskTracker::new(),
        })
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
        self.check_rate_limit(&assistant)?;
        let bytes = body.len();
        let parsing = self.slots.take_for_parsing(assistant.id()).await;
        let parsing = parsing.ok_or_else(GatewayError::busy)?;
        let prepare = {
            let (gateway, assistant, headers) = (self.clone(), assistant.clone(), headers.clone());
            move || gateway.prepare(dialect, &assistant, &headers, &body)
        };
        let prepared = large::run(bytes, prepare).await;
        drop(parsing);
        let prepared = prepared.ok_or_else(stopping)?;
        if let Err(error) = &prepared
            && let Some(kind) = error.refusal_kind()
        {
            self.service.record_key_refusal(&assistant, kind);
        }
        let (request, mut prepared) = prepared?;
        let child = prepared.child;
        let dropped = prepared.dropped.len();
        let connections = &self.service.connections;
        connections.note_dropped(assistant.id(), child, dropped);
        let slot = self.admit(&assistant, Some(child)).await?;
        let incoming = IncomingRequest {
            request,
            prompt: prepared.prompt.take(),
            bytes,
        };
        let begun = self
            .conversations
            .begin(&assistant, child, incoming, self.budget, &slot);
        let turn = match begun.await {
            Ok(turn) => Some(turn),
            Err(error)
                if prepared.when_not_kept == StoreFailurePolicy::Open
                    && error.allows_fail_open() =>
            {
                self.conversations.count_lost_request(assistant.id(), child);
                None
            }
            Err(error) => {
                if let NotKept::Assistant(error) = &error {
                    self.service.record_error(&assistant, child, error);
                }
                return Err(error.into());
            }
        };
        let accept = headers.get(header::ACCEPT).cloned();
        self.exchange(assistant, dialect, turn, prepared, accept, slot)
            .await
    }

    /// Waits until the answers whose clients are gone are kept, while the server stops. What a longer one had so far is saved.
    pub async fn wait_for_answers(&self) {
        self.exchanges.close();
        let _ = timeout(STOPPING, self.exchanges.wait()).await;
    }

    /// Counts a request as a write.
    pub fn check_rate_limit(&self, assistant: &SignedAssistant) -> Result<(), GatewayError> {
        let counted = self.service.assistants.take_write(assistant.id());
        Ok(counted.map_err(Refusal::from)?)
    }

    /// Waits for a slot of the key's child, or of the key if the request is for no child.
    pub async fn admit(
        &self,
        assistant: &SignedAssistant,
        child: Option<ChildId>,
    ) -> Result<Slot, GatewayError> {
        let slot = self.slots.take(assistant.id(), child).await;
        slot.ok_or_else(GatewayError::busy)
    }

    fn prepare(
        &self,
        dialect: Dialect,
        assistant: &SignedAssistant,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<(Request, Prepared), GatewayError> {
        let chat = ChatBody::read(dialect, body)?;
        let children = self.children_of(assistant)?;
        let sent = chat.model();
        let child = headers
            .get(CHILD)
            .map(|value| str::from_utf8(value.as_bytes()).unwrap_or_default());
        let selected = child_selection::select_child(sent, child, &children);
        let child = selected.child.ok_or_else(GatewayError::child_required)?;
        let access = self.service.children.of(assistant, child);
        let access = access.map_err(Refusal::from)?;
        let (upstream, chosen) = self.chosen_by(assistant)?;
        if !child_selection::offers(&upstream, selected.model) {
            return Err(GatewayError::model_not_found(selected.model));
        }
        let pairs = headers
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)));
        let pairs = RequestHeaders::from_pairs(pairs);
        let key = &self.conversations.text_key;
        let request = Request::new(&chat, &pairs, key);
        let form = match (dialect, chat.stream()) {
            (Dialect::OpenAi, Some(true)) => AnswerForm::Events,
            (Dialect::Ollama, None | Some(true)) => AnswerForm::Lines,
            _ => AnswerForm::Whole,
        };
        let rules = self.service.rules.issue(&access, assistant.id());
        let (issued, version) = rules.map_err(Refusal::from)?;
        let outgoing = chat.compose(&issued.instructions, selected.model)?;
        let prepared = Prepared {
            child,
            model: sent.to_owned(),
            body: outgoing.into(),
            dropped: chat.dropped_beside(&issued.instructions),
            form,
            upstream,
            when_not_kept: chosen.when_not_kept,
            rules: RulesAdded {
                version,
                at: self.clock.now(),
            },
            version: issued.version,
            prompt: chat.client_prompt(selected.model),
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
        slot: Slot,
    ) -> Result<GatewayResponse, GatewayError> {
        let (sender, head) = oneshot::channel();
        let exchange = UpstreamCall {
            conversations: self.conversations.clone(),
            client: self.client.clone(),
            patience: self.patience,
            assistant,
            dialect,
            turn,
            prepared,
            accept,
        };
        self.exchanges.spawn(async move {
            exchange.run(sender).await;
            drop(slot);
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
