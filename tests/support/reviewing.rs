//! Mia, who talks with Kitchen, and a scripted model that reads along.

use std::collections::BTreeMap;
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::AddUpstream;
use porchlight::alerts::Concern;
use porchlight::alerts::reviewer::{
    Case, ConcernFigures, ModelFigures, ReviewerServer, ReviewerSettings, cases, write_figures,
};
use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use porchlight::kernel::store::{Read, Table};
use porchlight::models::UpstreamForm;
use serde_json::{Value, json};

use super::test_app::{Persona, Response, TestApp};
use super::upstream::{Answer, Received, Upstream, completion};

pub const ADA: &str = "ada@example.org";
pub const BEN: &str = "ben@example.org";

/// Said in conversations, and nowhere else.
pub const SAID: &str = "canaryoctopus climbs on the roof";

/// A model that finds nothing.
pub fn quiet() -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    |_| completion_of(&json!([]))
}

/// A model that points at what was [`SAID`].
pub fn loud() -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    |received| pointing_at(received, SAID, "danger", "look")
}

/// A model that points at each message about a roof, and finds urgent what happens now.
pub fn careful() -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    |received| {
        let data = data_of(received);
        let messages = data["conversation"].as_array().unwrap().iter();
        let findings = messages.filter_map(|message| {
            let text = message["text"].as_str().unwrap();
            let severity = if text.contains("now") { "urgent" } else { "look" };
            text.contains("roof").then(|| {
                json!({"concern": "danger", "message_id": message["id"], "quote": text, "severity": severity})
            })
        });
        completion_of(&findings.collect())
    }
}

/// An answer with these findings.
pub fn completion_of(findings: &Value) -> Answer {
    Answer::json(&completion(&json!({"findings": findings}).to_string()))
}

/// The data in a request: the conversation and the blocked topics.
pub fn data_of(received: &Received) -> Value {
    let body = received.json();
    let data = body["messages"][1]["content"].as_str().unwrap();
    serde_json::from_str(data).unwrap()
}

/// An answer that points at each message with this quote.
pub fn pointing_at(received: &Received, quote: &str, concern: &str, severity: &str) -> Answer {
    let data = data_of(received);
    let messages = data["conversation"].as_array().unwrap().iter();
    let quoted = messages.filter(|message| message["text"].as_str().unwrap().contains(quote));
    let findings = quoted.map(|message| {
        json!({"concern": concern, "message_id": message["id"], "quote": quote, "severity": severity})
    });
    completion_of(&findings.collect())
}

/// The case that a request is about; `None` for an ordinary week.
pub fn case_of<'a>(cases: &'a BTreeMap<String, Case>, data: &Value) -> Option<&'a Case> {
    let texts = data["conversation"].as_array().unwrap().iter();
    let texts = texts.map(|message| message["text"].as_str().unwrap());
    cases.get(&texts.collect::<Vec<_>>().join("\n"))
}

/// The cases by their texts.
pub fn by_text() -> BTreeMap<String, Case> {
    let text_of = |case: &Case| {
        let texts = case.messages.iter().map(|message| message.text.as_str());
        texts.collect::<Vec<_>>().join("\n")
    };
    let cases = cases().into_iter();
    cases.map(|case| (text_of(&case), case)).collect()
}

pub fn finding(concern: Concern, message: &Value, quote: &str) -> Value {
    json!({"concern": concern.key(), "message_id": message["id"], "quote": quote, "severity": "look"})
}

/// A model that knows the answers.
pub fn perfect() -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    let cases = by_text();
    move |received| {
        let data = data_of(received);
        let case = case_of(&cases, &data);
        let findings = case.and_then(|case| {
            let message = &data["conversation"][*case.passages.first()?];
            let quote = message["text"].as_str().unwrap();
            Some(json!([finding(case.concern?, message, quote)]))
        });
        completion_of(&findings.unwrap_or_else(|| json!([])))
    }
}

pub struct Reviewed {
    pub app: TestApp,
    pub endpoint: Upstream,
    pub settings: ReviewerSettings,
    pub mia: ChildId,
    pub kitchen: String,
}

impl Reviewed {
    /// A family with a model that was not tested.
    pub async fn of_guardians(
        emails: &[&str],
        respond: impl Fn(&Received) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::at(emails, Upstream::answering(respond).await, "127.0.0.1").await
    }

    /// A family with a model that was tested.
    pub async fn tested(
        emails: &[&str],
        respond: impl Fn(&Received) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let world = Self::of_guardians(emails, respond).await;
        world.test_model(30, 10, 12).await;
        world
    }

    /// A family whose first guardian has switched on a tested model.
    pub async fn on(
        emails: &[&str],
        respond: impl Fn(&Received) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let world = Self::tested(emails, respond).await;
        world.switch_on(emails[0]).await.ok();
        world
    }

    /// A family with a tested model at a host that isn't private, as far as its name tells: Linux connects `0.0.0.0` to this
    /// machine.
    pub async fn elsewhere(
        emails: &[&str],
        respond: impl Fn(&Received) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let endpoint = Upstream::answering(respond).await;
        let world = Self::at(emails, endpoint, "0.0.0.0").await;
        world.test_model(30, 10, 12).await;
        world
    }

    /// A family whose first guardian has switched on a tested model that answers step by step.
    pub async fn step_by_step(emails: &[&str]) -> Self {
        let endpoint = Upstream::step_by_step().await;
        let world = Self::at(emails, endpoint, "127.0.0.1").await;
        world.test_model(30, 10, 12).await;
        world.switch_on(emails[0]).await.ok();
        world
    }

    async fn at(emails: &[&str], endpoint: Upstream, host: &str) -> Self {
        let mut app = TestApp::new().await;
        for email in emails {
            let name = email.split('@').next().unwrap();
            app.named_guardian(email, name).await;
        }
        let mia = app.child("Mia", emails).await;
        let kitchen = app.assistant("Kitchen", &[mia]).await;
        let kitchen = kitchen.credential().to_owned();
        let url = format!("{}/v1", endpoint.url().replace("127.0.0.1", host));
        let settings = settings_at(&url);
        app.review_with(settings.clone());
        Self {
            app,
            endpoint,
            settings,
            mia,
            kitchen,
        }
    }

    pub async fn of(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    pub fn path(&self, what: &str) -> String {
        format!("/api/child/{}/{what}", self.mia)
    }

    /// Reads a part of Mia's data as a guardian.
    pub async fn get(&self, email: &str, what: &str) -> Value {
        self.of(email).await.get(&self.path(what)).await.json()
    }

    /// Replaces a part of Mia's data as a guardian.
    pub async fn put(&self, email: &str, what: &str, body: &Value) -> Response {
        self.of(email).await.put(&self.path(what), body).await
    }

    /// The reviewer as a guardian sees it.
    pub async fn state(&self, email: &str) -> Value {
        self.get(email, "reviewer").await
    }

    pub async fn delete(&self, email: &str, session: u64) {
        let path = format!("/api/sessions/{session}");
        let guardian = self.of(email).await;
        guardian.send(Method::DELETE, &path, &[], None).await.ok();
    }

    pub async fn restore(&self, email: &str, session: u64) {
        let path = self.path(&format!("deleted_sessions/{session}/undelete"));
        let guardian = self.of(email).await;
        guardian.send(Method::POST, &path, &[], None).await.ok();
    }

    pub fn host(&self) -> String {
        self.settings.server.as_ref().unwrap().url.host()
    }

    /// The model and host, as a guardian reads about them.
    pub fn named(&self) -> Value {
        json!({"model": "reader", "host": self.host()})
    }

    /// Stores figures of the model.
    pub async fn test_model(&self, found: u64, missed: u64, false_alarms: u64) {
        let figures = figures(&self.host(), found, missed, false_alarms);
        write(&self.app, figures).await;
    }

    pub async fn test_model_at(&self, host: &str) {
        write(&self.app, figures(host, 30, 10, 12)).await;
    }

    pub async fn switch_on(&self, email: &str) -> Response {
        self.put(email, "reviewer", &self.named_now(email).await)
            .await
    }

    pub async fn confirm(&self, email: &str) -> Response {
        self.put(email, "reviewer/confirmation", &self.named_now(email).await)
            .await
    }

    pub async fn show(&self, email: &str) -> Response {
        self.put(email, "reviewer/shown", &self.named_now(email).await)
            .await
    }

    pub async fn switch_off(&self, email: &str) -> Response {
        let path = self.path("reviewer");
        let guardian = self.of(email).await;
        guardian.send(Method::DELETE, &path, &[], None).await
    }

    /// The model and host that the guardian's page shows now.
    async fn named_now(&self, email: &str) -> Value {
        let view = self.of(email).await;
        let view = view.get(&self.path("reviewer")).await;
        if !view.status.is_success() {
            return self.named();
        }
        let view = view.json();
        match (&view["model"], &view["host"]) {
            (Value::String(model), Value::String(host)) => json!({"model": model, "host": host}),
            _ => self.named(),
        }
    }

    pub async fn deliver(&self, session: &str, fields: &Value) -> Value {
        let robot = self.app.bearer(&self.kitchen);
        robot.deliver(session, fields).await.json()
    }

    /// Delivers a revision of what the child said in the conversation `s`, which has ended. Returns its number.
    pub async fn revise(&self, revision: u64, text: &str) -> u64 {
        let message = json!({"message_id": "a", "revision": revision, "source": "child", "text_content": text});
        let fields = json!({"messages": [message], "completion": {"duration": 1}});
        self.deliver("s", &fields).await["session_id"]
            .as_u64()
            .unwrap()
    }

    /// Delivers messages of a conversation, of the child and the assistant in turn. Returns its number.
    pub async fn say(&self, session: &str, texts: &[&str]) -> u64 {
        let messages = messages(session, texts);
        let delivered = self.deliver(session, &json!({"messages": messages})).await;
        delivered["session_id"].as_u64().unwrap()
    }

    /// Delivers a conversation that has ended. Returns its number.
    pub async fn talk(&self, session: &str, texts: &[&str]) -> u64 {
        self.talk_of(self.mia, session, texts).await
    }

    pub async fn talk_of(&self, child: ChildId, session: &str, texts: &[&str]) -> u64 {
        let fields = json!({"child_id": child, "messages": messages(session, texts),
            "completion": {"duration": 1}});
        let delivered = self.deliver(session, &fields).await;
        delivered["session_id"].as_u64().unwrap()
    }

    /// Reviews until nothing is to be done.
    pub async fn review(&self) {
        let reviewing = &self.app.inner.reviewer.reviewing;
        while reviewing.review_next().await.unwrap() {}
    }

    /// The texts that were sent to the model, in one line per request.
    pub fn sent(&self) -> Vec<String> {
        let texts = |received: &Received| {
            let data = data_of(received);
            let conversation = data["conversation"].as_array().unwrap().iter();
            let texts = conversation.map(|message| message["text"].as_str().unwrap().to_owned());
            texts.collect::<Vec<_>>().join("|")
        };
        self.endpoint.received().iter().map(texts).collect()
    }

    pub async fn alerts(&self, email: &str) -> Vec<Value> {
        let page = self.get(email, "alerts").await;
        page["alerts"].as_array().unwrap().clone()
    }

    /// What the bell counts.
    pub async fn unseen(&self, email: &str) -> u64 {
        let counts = self.of(email).await.get("/api/alerts/unseen").await;
        counts.json()["items"][0]["unseen"].as_u64().unwrap()
    }

    /// The kinds of changes in the child's history, newest first.
    pub async fn history(&self, email: &str) -> Vec<String> {
        self.of(email).await.history(self.mia).await
    }

    /// The rows of a table, joined.
    pub fn rows(&self, table: &'static str) -> String {
        let store = &self.app.inner.store;
        let keys = store.keys_below(&Table::new(table).key(), usize::MAX);
        let rows = keys.unwrap().into_iter().map(|key| {
            let payload = store.payload(&key).unwrap().unwrap();
            String::from_utf8(payload.json.to_vec()).unwrap()
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    pub async fn link(&self, email: &str, is_guardian: bool) {
        if is_guardian {
            self.app.link(self.mia, email).await;
        } else {
            self.app.unlink(self.mia, email).await;
        }
    }

    pub async fn add_upstream(&self, name: &str, url: &str) {
        self.add_upstream_with(name, url, &[]).await;
    }

    pub async fn add_upstream_with(&self, name: &str, url: &str, models: &[&str]) {
        let models = models.iter().map(|model| (*model).to_owned());
        let added = AddUpstream {
            name: name.to_owned(),
            url: url.parse().unwrap(),
            key: None,
            models: models.collect(),
            form: UpstreamForm::OpenAi,
        };
        // Each has a time of its own.
        self.app.clock.advance(Duration::from_secs(1));
        self.app.run_admin(added).await.0.unwrap();
    }

    /// Lets time pass while the server runs.
    pub fn pass(&self, time: Duration) {
        let hour = Duration::from_secs(60 * 60);
        let mut left = time;
        while left > Duration::ZERO {
            let step = left.min(hour / 2);
            self.app.clock.advance(step);
            self.app.inner.due.due();
            left -= step;
        }
    }
}

pub fn settings_at(url: &str) -> ReviewerSettings {
    ReviewerSettings {
        model: Some("reader".to_owned()),
        server: Some(ReviewerServer {
            url: url.parse().unwrap(),
            key: Some("sk-reader".parse().unwrap()),
        }),
        ..ReviewerSettings::default()
    }
}

/// Figures of the model `reader` at this host.
pub fn figures(host: &str, found: u64, missed: u64, false_alarms_in_weeks: u64) -> ModelFigures {
    ModelFigures {
        model: "reader".to_owned(),
        host: host.to_owned(),
        at: Timestamp::parse("2026-11-20T20:00:00Z").unwrap(),
        concerns: vec![ConcernFigures {
            concern: Concern::SelfHarm,
            found,
            missed,
            false_alarms: 0,
            quotes_not_there: 0,
            millis: 900,
        }],
        weeks: 12,
        false_alarms_in_weeks,
    }
}

pub async fn write(app: &TestApp, figures: ModelFigures) {
    let store = &app.inner.store;
    let written = store.commit(move |change| write_figures(change, &figures));
    written.await.unwrap();
}

fn messages(session: &str, texts: &[&str]) -> Value {
    let messages = texts.iter().enumerate().map(|(number, text)| {
        let source = if number % 2 == 0 {
            "child"
        } else {
            "assistant"
        };
        json!({"message_id": format!("{session}-{number}"), "source": source, "text_content": text})
    });
    messages.collect()
}
