//! `serve --demo --demo-live`: an assistant that talks with a demonstration child live.
//!
//! A minimal assistant: it has its own key, requests the rules, and delivers each message over HTTP when it is spoken. It talks
//! with the first child who may talk now, and stops when a parent pauses talking, as an assistant should.
//!
//! Every other conversation is a chat program's: it goes through the gateway to the [demonstration's model](super::demo_model).

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, header};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

use super::demo_model;
use crate::admin::{AddAssistant, AdminError, DEMO_FAMILY, Operation, Reports, RotateAssistant};
use crate::app::App;
use crate::assistants::gateway::AnswerReader;
use crate::children::ChildId;
use crate::identity::Assistant;
use crate::kernel::host::public_url::PublicUrl;
use crate::models::{NewUpstream, StoreFailurePolicy, UpstreamForm, UpstreamsError};

const NAME: &str = "Living room";

/// The chat program, and its upstream.
const CHAT: &str = "Tablet";
const UPSTREAM: &str = "Demonstration";

/// The range of the pauses between two sentences.
const SHORTEST: Duration = Duration::from_secs(2);
const LONGEST: Duration = Duration::from_secs(9);

/// The pause between two conversations.
const BETWEEN: Duration = Duration::from_secs(45);

/// The interval of asking whether talking is allowed again.
const WHILE_PAUSED: Duration = Duration::from_secs(5);

/// Talks until the server stops.
pub async fn play(app: App, public_url: PublicUrl) {
    if let Err(error) = talk(&app, &public_url).await {
        tracing::warn!(%error, "the live conversation of the demonstration has ended");
    }
}

async fn talk(app: &App, public_url: &PublicUrl) -> Result<(), AdminError> {
    let mut children = app.children.all_numbers(&app.store)?;
    children.sort();
    let family: Value = serde_json::from_str(&DEMO_FAMILY).unwrap_or_default();
    let client = Client::builder(TokioExecutor::new()).build_http();
    let speaker = Speaker {
        client: client.clone(),
        public_url,
        key: new_key(app, NAME, children.clone(), None).await?,
    };
    choose_model(app, family.clone()).await?;
    let chat = Speaker {
        client,
        public_url,
        key: new_key(app, CHAT, children.clone(), Some(UPSTREAM)).await?,
    };
    let mut number = app.clock.now().micros();
    for conversation in 0.. {
        let (index, child) = speaker.first_who_may_talk(&children).await;
        let sessions = family["children"][index]["sessions"].as_array();
        let newest_first = sessions.into_iter().flatten().rev();
        let Some(session) = newest_first.cycle().nth(conversation) else {
            break;
        };
        number += 1;
        if conversation % 2 == 0 {
            speaker
                .hold(child, &format!("live-{number}"), session)
                .await?;
        } else {
            chat.chat(child, session).await?;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    Ok(())
}

/// A key for an assistant that is added at the first start.
async fn new_key(
    app: &App,
    name: &str,
    children: Vec<ChildId>,
    upstream: Option<&str>,
) -> Result<String, AdminError> {
    let is_taken = app.identity.assistants.is_taken(&app.store, name)?;
    let name = name.to_owned();
    let reports = Reports::ignored();
    let made = if is_taken {
        RotateAssistant { name }.run(app, &reports).await?
    } else {
        let upstream = upstream.map(str::to_owned);
        let add = AddAssistant {
            name,
            children,
            upstream,
        };
        add.run(app, &reports).await?
    };
    Ok(made.key)
}

/// Starts the demonstration's model, and lets the chat program use it if it is there already. Its port is another one at each start.
async fn choose_model(app: &App, family: Value) -> Result<(), AdminError> {
    let url = demo_model::start(family).await.map_err(AdminError::new)?;
    let (assistants, _) = app.identity.assistants.list(&app.store)?;
    let is_chat = |assistant: &Assistant| assistant.name == CHAT && assistant.made_by.is_none();
    let chat = assistants.into_iter().find(is_chat);
    let model = NewUpstream {
        name: UPSTREAM.to_owned(),
        url: url.parse().map_err(AdminError::new)?,
        key: None,
        models: Vec::new(),
        form: UpstreamForm::OpenAi,
    };
    let upstreams = app.gateway.upstreams.clone();
    let chosen = app.store.commit(move |change| {
        if let Some(chat) = &chat {
            upstreams.unset_for_key(change, &chat.id)?;
        }
        if upstreams.find(change, UPSTREAM)?.is_some() {
            upstreams.remove(change, UPSTREAM)?;
        }
        upstreams.add(change, model)?;
        if let Some(chat) = &chat {
            upstreams.set_for_key(change, &chat.id, UPSTREAM, StoreFailurePolicy::default())?;
        }
        Ok::<_, UpstreamsError>(())
    });
    chosen.await.map_err(AdminError::new)
}

struct Speaker<'a> {
    client: Client<HttpConnector, Full<Bytes>>,
    public_url: &'a PublicUrl,
    key: String,
}

impl Speaker<'_> {
    /// Repeats a conversation of the demonstration, sentence by sentence.
    async fn hold(&self, child: ChildId, name: &str, session: &Value) -> Result<(), AdminError> {
        let mut said_at = 0;
        let messages = session["messages"].as_array();
        for (index, message) in messages.into_iter().flatten().enumerate() {
            let after = message["after"].as_u64().unwrap_or(said_at);
            let pause = Duration::from_secs(after.saturating_sub(said_at));
            tokio::time::sleep(pause.clamp(SHORTEST, LONGEST)).await;
            said_at = after;
            let version = self.version_when_allowed(child).await?;
            let mut said = message.clone();
            said["message_id"] = json!(index.to_string());
            // Delivered without a time, the message is dated now.
            said.as_object_mut().map(|said| said.remove("after"));
            self.deliver(json!({
                "session": name, "child_id": child, "topic": session["topic"], "device": NAME, "messages": [said],
                // There is no model, only a script that fetched the rules.
                "rules": [{"version": version, "evidence": "fetched"}],
            }))
            .await?;
        }
        let completion = json!({"mood": session["completion"]["mood"]});
        self.deliver(json!({"session": name, "child_id": child, "completion": completion}))
            .await
    }

    /// Says the child's part of a conversation to the model, each time with the history, as chat programs do.
    async fn chat(&self, child: ChildId, session: &Value) -> Result<(), AdminError> {
        let mut history = Vec::new();
        let messages = session["messages"].as_array().into_iter().flatten();
        for message in messages.filter(|message| message["source"] == "child") {
            self.version_when_allowed(child).await?;
            history.push(json!({"role": "user", "content": message["text_content"]}));
            let body = json!({
                "model": format!("{}@{child}", demo_model::MODEL),
                "stream": true,
                "messages": history,
            });
            let path = "/gateway/v1/chat/completions";
            let mut answer = AnswerReader::new();
            answer.push(&self.send(Method::POST, path, Some(body)).await?);
            history.push(json!({"role": "assistant", "content": answer.finish().text}));
            tokio::time::sleep(LONGEST).await;
        }
        Ok(())
    }

    /// Waits until talking is allowed; returns the rules' version.
    async fn version_when_allowed(&self, child: ChildId) -> Result<Value, AdminError> {
        loop {
            if let Some(version) = self.version_if_allowed(child).await? {
                return Ok(version);
            }
            tokio::time::sleep(WHILE_PAUSED).await;
        }
    }

    /// Waits until a child may talk; returns the first one and its index in the family.
    async fn first_who_may_talk(&self, children: &[ChildId]) -> (usize, ChildId) {
        loop {
            for (index, child) in children.iter().enumerate() {
                // In an older data folder the assistant is linked only to the first child.
                if let Ok(Some(_)) = self.version_if_allowed(*child).await {
                    return (index, *child);
                }
            }
            tokio::time::sleep(WHILE_PAUSED).await;
        }
    }

    /// The rules' version; `None` if talking is not allowed now.
    async fn version_if_allowed(&self, child: ChildId) -> Result<Option<Value>, AdminError> {
        let path = format!("/api/assistant/child/{child}/rules");
        let rules = self.call(Method::GET, &path, None).await?;
        Ok((rules["talk"]["allowed"] == true).then(|| rules["version"].clone()))
    }

    async fn deliver(&self, delivery: Value) -> Result<(), AdminError> {
        self.call(Method::POST, "/api/assistant/deliveries", Some(delivery))
            .await
            .map(drop)
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, AdminError> {
        let answer = self.send(method, path, body).await?;
        Ok(serde_json::from_slice(&answer).unwrap_or_default())
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Bytes, AdminError> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(self.public_url.page(path))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.key))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(body)));
        let request = request.map_err(AdminError::new)?;
        let answer = self.client.request(request).await;
        let answer = answer.map_err(|_| AdminError::new("The server can't be reached."))?;
        let status = answer.status();
        let body = answer.into_body().collect().await;
        let body = body.map_err(|_| AdminError::new("The answer broke off."))?;
        if status.is_success() {
            Ok(body.to_bytes())
        } else {
            Err(AdminError::new(format!(
                "The server answered with {status}."
            )))
        }
    }
}
