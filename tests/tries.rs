//! Tries of the rules, with scripted models.

mod guardians;
mod leaks;
mod measured;
mod prompts;
mod runs;
mod scripts;
mod told;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use poem::http::Method;
use porchlight::admin::AddUpstream;
use porchlight::children::ChildId;
use porchlight::models::UpstreamForm;
use porchlight::tries::Timing;
use serde_json::{Value, json};

use crate::support::features::Facts;
use crate::support::operations::{nothing, write};
use crate::support::tables::{Pages, Words};
use crate::support::test_app::{Persona, Response, TestApp};
use crate::support::upstream::{Answer, Received, Upstream, completion};

pub static FACTS: Facts = Facts {
    tables: &[
        (None, Some(Words::ChildsOwn), &["try-answer"]),
        (None, None, &["try", "try-hidden", "try-verdict"]),
    ],
    damaged: &[
        (
            "try",
            Pages::ClosedAndLacksARow(&["getTry"], &["listTries", "getChildNotice"]),
        ),
        ("try-answer", Pages::LacksARow(&["getTry"])),
        (
            "try-verdict",
            Pages::ClosedAndUnknown(&[], &["getTry", "listTries"]),
        ),
    ],
    writes: &[
        // Here is no assistant of the gateway's.
        write(
            "startTry",
            None,
            |_| json!({"assistant": "asi_none", "language": "en"}),
        )
        .with_few_values(),
        write("deleteTry", None, nothing),
        // One of few values.
        write("judgeTryAnswer", None, |_| json!({"verdict": "not_ok"})).with_few_values(),
    ],
};

pub const ADA: &str = "ada@example.org";
pub const BEN: &str = "ben@example.org";

/// Passes each check in English.
pub const GOOD: &str = "That is a good question, and it is fun to talk about the sea with you.";

/// What a scripted model got.
pub struct Asked {
    /// The system message.
    pub system: String,
    /// What is said so far, without the system messages.
    pub conversation: Vec<String>,
}

impl Asked {
    pub fn of(received: &Received) -> Self {
        let body = received.json();
        let messages = body["messages"].as_array().unwrap();
        let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
        let is_system = |message: &&Value| message["role"] == "system";
        let system = messages.iter().filter(is_system).map(text);
        let said = messages.iter().filter(|message| !is_system(message));
        Self {
            system: system.collect::<Vec<_>>().join("\n"),
            conversation: said.map(text).collect(),
        }
    }

    pub fn question(&self) -> &str {
        self.conversation.last().unwrap()
    }

    pub fn asks_for_words(&self) -> bool {
        self.question().contains("check words")
    }

    /// The check words in a part of the rules.
    pub fn words_in(text: &str) -> String {
        let words = text.split("check word is \"").skip(1);
        let words = words.map(|rest| rest.split('"').next().unwrap());
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A model that repeats the check words and says this to everything else.
pub fn saying(
    say: impl Fn(&Asked) -> String + Send + Sync + 'static,
) -> impl Fn(&Received) -> Answer + Send + Sync + 'static {
    move |received| {
        let asked = Asked::of(received);
        let text = if asked.asks_for_words() {
            Asked::words_in(&asked.system)
        } else {
            say(&asked)
        };
        Answer::json(&completion(&text))
    }
}

pub fn quick() -> Timing {
    Timing {
        deadline: Duration::from_millis(300),
        pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(1),
    }
}

/// Ada and Ben, and Mia, who talks with Kitchen through the gateway.
pub struct World {
    pub app: TestApp,
    pub upstream: Upstream,
    pub mia: ChildId,
    pub kitchen: String,
    pub key: String,
}

impl World {
    pub async fn new(upstream: Upstream) -> Self {
        Self::with(upstream, "127.0.0.1").await
    }

    /// With a model at a host that isn't private, as far as its name tells: Linux connects `0.0.0.0` to this machine.
    pub async fn elsewhere(upstream: Upstream) -> Self {
        Self::with(upstream, "0.0.0.0").await
    }

    async fn with(upstream: Upstream, host: &str) -> Self {
        let app = TestApp::adjusted(|app| app.tries.timing = quick()).await;
        Self::of(app, upstream, host).await
    }

    pub async fn of(app: TestApp, upstream: Upstream, host: &str) -> Self {
        app.named_guardian(ADA, "Ada").await;
        app.named_guardian(BEN, "Ben").await;
        let mia = app.child("Mia", &[ADA, BEN]).await;
        let url = format!("{}/v1", upstream.url()).replace("127.0.0.1", host);
        let add = AddUpstream {
            name: "home".to_owned(),
            url: url.parse().unwrap(),
            key: None,
            models: vec!["family-model".to_owned()],
            form: UpstreamForm::OpenAi,
        };
        app.run_admin(add).await.0.unwrap();
        let key = app.gateway_assistant("Kitchen", &[mia], "home").await;
        let key = key.credential().to_owned();
        let kitchen = app.inner.identity.assistants.verify(&key).unwrap().unwrap();
        let kitchen = kitchen.id().to_string();
        Self {
            app,
            upstream,
            mia,
            kitchen,
            key,
        }
    }

    pub async fn guardian(&self, email: &str) -> Persona<'_> {
        self.app.stepped_up(email).await
    }

    pub fn path(&self, what: &str) -> String {
        format!("/api/child/{}/{what}", self.mia)
    }

    pub async fn block(&self, topics: &[&str]) {
        let ada = self.guardian(ADA).await;
        ada.put(&self.path("blocked_topics"), &json!(topics))
            .await
            .ok();
    }

    pub async fn preview(&self, email: &str) -> Response {
        let path = format!("tries/preview?assistant={}", self.kitchen);
        self.guardian(email).await.get(&self.path(&path)).await
    }

    pub async fn start_with(&self, email: &str, body: &Value) -> Response {
        self.guardian(email)
            .await
            .post(&self.path("tries"), body)
            .await
    }

    pub fn body(&self) -> Value {
        json!({"assistant": self.kitchen, "language": "en"})
    }

    /// Starts a try. Returns its path.
    pub async fn start(&self, email: &str) -> String {
        let started = self.start_with(email, &self.body()).await;
        assert_eq!(started.status, 201);
        self.path(&format!("tries/{}", started.json()["try_id"]))
    }

    /// Waits until all tries are over.
    pub async fn until_over(&self) {
        let tasks = &self.app.inner.tries.tasks;
        tasks.close();
        tasks.wait().await;
        tasks.reopen();
    }

    /// Starts a try, and returns its path and its result for the guardian.
    pub async fn run(&self, email: &str) -> (String, Value) {
        let path = self.start(email).await;
        self.until_over().await;
        let result = self.get(email, &path).await;
        (path, result)
    }

    pub async fn get(&self, email: &str, path: &str) -> Value {
        self.guardian(email).await.get(path).await.json()
    }

    pub async fn delete(&self, email: &str, path: &str) -> Response {
        let guardian = self.guardian(email).await;
        guardian.send(Method::DELETE, path, &[], None).await
    }

    pub async fn judge(&self, email: &str, path: &str, n: u64, verdict: &str) -> Response {
        let path = format!("{path}/answers/{n}/verdict");
        let guardian = self.guardian(email).await;
        guardian.put(&path, &json!({"verdict": verdict})).await
    }
}

/// The status and code of a refusal.
pub fn code_of(refused: &Response) -> (u16, String) {
    let problem = serde_json::from_str::<Value>(&refused.body).unwrap();
    let code = problem["code"].as_str().unwrap().to_owned();
    (refused.status.as_u16(), code)
}

/// The counts of a kind as they are in an answer.
pub fn counts(ok: u64, not_ok: u64, to_judge: u64, no_answer: u64) -> Value {
    let asked = ok + not_ok + to_judge + no_answer;
    json!({"asked": asked, "ok": ok, "not_ok": not_ok, "to_judge": to_judge, "no_answer": no_answer})
}

/// What a try's preview says of a kind: how many turns are asked.
pub struct Expected {
    pub turns: HashMap<String, u64>,
    /// The turns with a check, by check.
    pub checked: HashMap<String, u64>,
}

impl Expected {
    pub fn of(preview: &Value) -> Self {
        let mut expected = Self {
            turns: HashMap::new(),
            checked: HashMap::new(),
        };
        for question in preview["questions"].as_array().unwrap() {
            let kind = question["kind"].as_str().unwrap().to_owned();
            let turns = question["turns"].as_array().unwrap().len() as u64;
            *expected.turns.entry(kind.clone()).or_default() += turns;
            let id = question["question_id"].as_str().unwrap();
            let bundled = porchlight::tries::QUESTIONS.questions.iter();
            let bundled = bundled.into_iter().find(|one| one.id == id);
            let checks = bundled.map_or(vec![json!("recites")], |bundled| {
                bundled.checks.iter().map(|check| json!(check)).collect()
            });
            for check in &checks {
                let check = check.as_str().unwrap().to_owned();
                *expected.checked.entry(check).or_default() += turns;
            }
        }
        expected
    }

    pub fn of_kind(&self, kind: &str) -> u64 {
        self.turns.get(kind).copied().unwrap_or(0)
    }
}

/// Texts that a script decides by, which a test sets once it knows the questions.
#[derive(Clone, Default)]
pub struct Texts(Arc<Mutex<HashSet<String>>>);

impl Texts {
    pub fn set(&self, texts: impl IntoIterator<Item = String>) {
        *self.0.lock().unwrap() = texts.into_iter().collect();
    }

    pub fn has(&self, text: &str) -> bool {
        self.0.lock().unwrap().contains(text)
    }
}
