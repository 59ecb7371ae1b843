//! The gateway between a client and a scripted upstream.

mod alerted;
mod allowed;
mod answers;
mod children;
mod endpoints;
mod failures;
mod fields;
mod kept;
mod limits;
mod pages;
mod parallel_changes;
mod prompt;
mod random_traffic;
mod removal;
mod store_failures;

use crate::support::features::Facts;
use crate::support::gateway_client::GatewayClient;
use crate::support::tables::Words;
use crate::support::test_app::{PUBLIC_URL, Persona, TestApp};
use crate::support::upstream::Upstream;
use porchlight::admin::{AddUpstream, ChooseUpstream};
use porchlight::children::ChildId;
use porchlight::kernel::store::{Read, StoreError, Table};
use porchlight::models::{StoreFailurePolicy, UpstreamForm};
use serde_json::{Value, json};
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

pub static FACTS: Facts = Facts {
    tables: &[
        (
            None,
            Some(Words::Conversation),
            &["gateway-partial", "gateway-prompt"],
        ),
        (
            None,
            None,
            &[
                "gateway-session",
                "gateway-text",
                "gateway-tracker",
                "gateway-budget",
                "gateway-text-key",
            ],
        ),
    ],
    ..Facts::NONE
};

const ADA: &str = "ada@example.org";

/// The name of the assistant's key that the client uses.
const KITCHEN: &str = "Kitchen";

/// The key that the upstream wants.
const UPSTREAM_KEY: &str = "sk-canary-7f31";

/// A guardian with a child, whose assistant asks this upstream through the gateway.
struct Family {
    app: TestApp,
    upstream: Upstream,
    mia: ChildId,
    kitchen: GatewayClient,
    /// The key of another assistant, which has a plug-in.
    plug_in: OnceCell<String>,
}

impl Family {
    async fn new(upstream: Upstream) -> Self {
        Self::of(TestApp::new().await, upstream, UpstreamForm::OpenAi).await
    }

    async fn with_ollama(upstream: Upstream) -> Self {
        Self::of(TestApp::new().await, upstream, UpstreamForm::Ollama).await
    }

    async fn of(app: TestApp, upstream: Upstream, form: UpstreamForm) -> Self {
        app.guardian(ADA).await;
        let mia = app.child("Mia", &[ADA]).await;
        let url = match form {
            UpstreamForm::OpenAi => format!("{}/v1", upstream.url()),
            UpstreamForm::Ollama => upstream.url(),
        };
        add_upstream(&app, "home", &url, form).await;
        let key = app.gateway_assistant(KITCHEN, &[mia], "home").await;
        let key = key.credential().to_owned();
        let kitchen = GatewayClient {
            server: app.serve(CancellationToken::new()).await,
            host: "porchlight.example".to_owned(),
            key,
        };
        Self {
            app,
            upstream,
            mia,
            kitchen,
            plug_in: OnceCell::new(),
        }
    }

    /// The current version of the rules for the kitchen's key, and their text. A version's name differs between assistants; the
    /// text doesn't.
    fn told(&self) -> (String, String) {
        let app = &self.app.inner;
        let kitchen = app.identity.assistants.verify(&self.kitchen.key);
        let kitchen = kitchen.unwrap().unwrap();
        let access = app.children.of(&kitchen, self.mia).unwrap();
        let (told, _) = app.rules.issue(&access, kitchen.id()).unwrap();
        (told.version, told.instructions)
    }

    /// An assistant with a plug-in.
    async fn plug_in(&self) -> Persona<'_> {
        let add = || async {
            let added = self.app.assistant("Plug-in", &[self.mia]).await;
            added.credential().to_owned()
        };
        self.app.bearer(self.plug_in.get_or_init(add).await)
    }

    /// The guardian with a new token, because advancing the clock expires tokens.
    async fn ada(&self) -> Persona<'_> {
        self.app.stepped_up(ADA).await
    }

    /// The text that the rules add to a prompt.
    async fn instructions(&self) -> String {
        let path = format!("/api/child/{}/rules", self.mia);
        let rules = self.ada().await.get(&path).await.json();
        rules["instructions"].as_str().unwrap().to_owned()
    }

    /// The child's sessions, oldest first, with their messages under `messages`, once all answers are kept.
    async fn sessions(&self) -> Vec<Value> {
        self.settled().await;
        sessions(&self.ada().await, self.mia).await
    }

    /// The messages of each session, as [`said`] writes them.
    async fn transcripts(&self) -> Vec<Vec<String>> {
        self.sessions().await.iter().map(said).collect()
    }

    /// Makes each write of these keys fail, as a disk does: how much they have stored can't be read. Returns their number.
    async fn fail_writes(&self) -> usize {
        let damaged = self.app.inner.store.commit(|change| {
            let keys = change.keys_below(&Table::new("assistant-quota").key(), usize::MAX)?;
            for key in &keys {
                change.put_json(key, 1, b"{")?;
            }
            Ok::<_, StoreError>(keys.len())
        });
        damaged.await.unwrap()
    }

    /// Repairs the records that [`fail_writes`](Self::fail_writes) damaged, except the first `except` ones.
    async fn mend_writes(&self, except: usize) {
        let mended = self.app.inner.store.commit(move |change| {
            let keys = change.keys_below(&Table::new("assistant-quota").key(), usize::MAX)?;
            for key in &keys[except..] {
                change.remove(key)?;
            }
            Ok::<_, StoreError>(())
        });
        mended.await.unwrap();
    }

    /// Waits until no request is being passed on, and what was said is kept.
    async fn settled(&self) {
        let exchanges = &self.app.inner.gateway.exchanges;
        exchanges.close();
        exchanges.wait().await;
        exchanges.reopen();
    }
}

/// Adds an upstream that wants [`UPSTREAM_KEY`].
async fn add_upstream(app: &TestApp, name: &str, url: &str, form: UpstreamForm) {
    let new = AddUpstream {
        name: name.to_owned(),
        url: url.parse().unwrap(),
        key: Some(UPSTREAM_KEY.to_owned()),
        models: Vec::new(),
        form,
    };
    let (added, _) = app.run_admin(new).await;
    added.unwrap_or_else(|error| panic!("{error}"));
}

async fn choose(app: &TestApp, assistant: &str, upstream: &str, when_not_kept: StoreFailurePolicy) {
    let request = ChooseUpstream {
        assistant: assistant.to_owned(),
        upstream: Some(upstream.to_owned()),
        when_not_kept,
    };
    let (chosen, _) = app.run_admin(request).await;
    chosen.unwrap_or_else(|error| panic!("{error}"));
}

async fn take_upstream(app: &TestApp, assistant: &str) {
    let request = ChooseUpstream {
        assistant: assistant.to_owned(),
        upstream: None,
        when_not_kept: StoreFailurePolicy::Closed,
    };
    let (taken, _) = app.run_admin(request).await;
    taken.unwrap_or_else(|error| panic!("{error}"));
}

/// A child's sessions, oldest first, with their messages under `messages`.
async fn sessions(guardian: &Persona<'_>, child: ChildId) -> Vec<Value> {
    let path = format!("/api/sessions?child_id={child}&limit=500");
    let mut list = guardian.get(&path).await.json()["sessions"].take();
    let mut read = Vec::new();
    for session in list.as_array_mut().unwrap() {
        let path = format!("/api/sessions/{}/messages?limit=500", session["session_id"]);
        session["messages"] = guardian.get(&path).await.json()["messages"].take();
        read.push(session.take());
    }
    read.sort_by_key(|session| session["session_id"].as_u64());
    read
}

/// A session's messages: `>` before the child's words, `<` before the assistant's, `(` around an app's own request; `…` behind
/// the heard part of an interrupted text. [`beside`] has the rest.
fn said(session: &Value) -> Vec<String> {
    let messages = session["messages"].as_array().unwrap().iter();
    let messages = messages.filter(|message| {
        let kind = message["kind"].as_str();
        matches!(kind, None | Some("background"))
    });
    let messages = messages.map(|message| {
        let text = message["text_content"].as_str().unwrap();
        let heard = message["heard"].as_u64().unwrap_or(u64::MAX);
        let heard = text.encode_utf16().take(usize::try_from(heard).unwrap());
        let text = String::from_utf16(&heard.collect::<Vec<_>>()).unwrap();
        let side = if message["source"] == "child" {
            ">"
        } else {
            "<"
        };
        let end = if message["interrupted"] == true {
            "…"
        } else {
            ""
        };
        let line = format!("{side} {text}{end}");
        if message["kind"] == "background" {
            format!("({line})")
        } else {
            line
        }
    });
    messages.collect()
}

/// What stands beside a session's conversation: kind, source and text.
fn beside(session: &Value) -> Vec<String> {
    let messages = session["messages"].as_array().unwrap().iter();
    let beside = messages.filter_map(|message| {
        let kind = message["kind"]
            .as_str()
            .filter(|kind| *kind != "background")?;
        let (source, text) = (
            message["source"].as_str()?,
            message["text_content"].as_str()?,
        );
        Some(format!("{kind} {source} {text}"))
    });
    beside.collect()
}

/// A request with these messages, as [`said`] writes them; `#` before a system message.
fn chat(messages: &[&str]) -> Value {
    let messages = messages.iter().map(|message| {
        let (role, text) = match message.split_once(' ').unwrap() {
            (">", text) => ("user", text),
            ("<", text) => ("assistant", text),
            (_, text) => ("system", text),
        };
        json!({"role": role, "content": text})
    });
    json!({"model": "family-model", "messages": messages.collect::<Vec<_>>()})
}

/// Like [`chat`], streamed.
fn streamed(messages: &[&str]) -> Value {
    with(chat(messages), "stream", json!(true))
}

fn with(mut body: Value, field: &str, value: Value) -> Value {
    body[field] = value;
    body
}
