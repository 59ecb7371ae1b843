//! A child whose conversations have words in every table that can hold some.

use std::time::Duration;

use porchlight::children::ChildId;
use porchlight::kernel::store::{Event, Table};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::support::gateway_client::{GatewayClient, Open};
use crate::support::reviewing::{ADA, Reviewed, data_of, pointing_at};
use crate::support::test_app::{Persona, TestApp};
use crate::support::upstream::{
    Answer, EVENTS, Exchange, Upstream, completion, event, events, word,
};

/// Only in the conversation with the plug-in.
pub const SPOKEN: &str = "canaryoctopus";
/// Only in the conversation through the gateway.
pub const CHATTED: &str = "canarywalrus";
/// In both, and in another one.
pub const REPEATED: &str = "canarypigeon";
/// Only in other conversations of the child.
pub const OTHER: &str = "canaryheron";
/// What guardians and assistants wrote of the child, and of no conversation.
pub const OWN: &str = "canarystork";
/// In a conversation of another child.
pub const ELSEWHERE: &str = "canaryplover";

pub const KITCHEN: &str = "Kitchen";
pub const CHAT: &str = "Chat";

/// The client's own ids of its conversations.
const FIRST: [(&str, &str); 1] = [("x-openwebui-chat-id", "first-canarywalrus")];
const SECOND: [(&str, &str); 1] = [("x-openwebui-chat-id", "second")];

pub struct Everywhere {
    pub reviewed: Reviewed,
    pub leo: ChildId,
    pub spoken: u64,
    pub chatted: u64,
    /// The others of the child.
    pub others: Vec<u64>,
    upstream: Upstream,
    chat: GatewayClient,
    /// An answer in the conversation through the gateway that is being passed on.
    half_answered: Option<(Open, Exchange)>,
}

impl Everywhere {
    pub async fn of_guardians(emails: &[&str]) -> Self {
        let reviewed = Reviewed::tested(emails, |received| {
            let is_spoken = data_of(received).to_string().contains(SPOKEN);
            let quote = if is_spoken { SPOKEN } else { CHATTED };
            pointing_at(received, quote, "danger", "look")
        })
        .await;
        let leo = reviewed.app.child("Leo", emails).await;
        let upstream = Upstream::step_by_step().await;
        reviewed
            .add_upstream("home", &format!("{}/v1", upstream.url()))
            .await;
        let mia = reviewed.mia;
        let key = reviewed.app.gateway_assistant(CHAT, &[mia], "home").await;
        let chat = GatewayClient {
            key: key.credential().to_owned(),
            server: reviewed.app.serve(CancellationToken::new()).await,
            host: "porchlight.example".to_owned(),
        };
        let mut world = Self {
            reviewed,
            leo,
            spoken: 0,
            chatted: 0,
            others: Vec::new(),
            upstream,
            chat,
            half_answered: None,
        };
        world.write_about_the_child().await;
        world.talk_elsewhere().await;
        world.speak().await;
        world.chat().await;
        world.try_rules().await;
        world.read().await;
        world
    }

    pub fn app(&self) -> &TestApp {
        &self.reviewed.app
    }

    pub async fn ada(&self) -> Persona<'_> {
        self.reviewed.of(ADA).await
    }

    fn path(&self, what: &str) -> String {
        self.reviewed.path(what)
    }

    async fn put(&self, what: &str, body: Value) {
        self.ada().await.put(&self.path(what), &body).await.ok();
    }

    fn robot(&self) -> Persona<'_> {
        self.app().bearer(&self.reviewed.kitchen)
    }

    /// What guardians and the assistant write about the child.
    async fn write_about_the_child(&self) {
        self.put("blocked_topics", json!([OWN])).await;
        self.put("context", json!({"text": OWN})).await;
        let phrases = json!([{"words": OWN, "side": "either"}]);
        self.put("watched_phrases", phrases).await;
        self.put("curious/on", json!({"on": true})).await;
        let of_child = format!("/api/assistant/child/{}", self.reviewed.mia);
        let robot = self.robot();
        let next = |id: &str| json!({"activity_id": id, "topic": OWN});
        let upcoming = json!([next("a"), next("b")]);
        let path = format!("{of_child}/activities/upcoming");
        robot.put(&path, &upcoming).await.ok();
        let feedback = json!({"feedback": "up", "reason": OWN});
        self.put("activities/upcoming/a/feedback", feedback).await;
        self.reviewed.switch_on(ADA).await.ok();
    }

    async fn talk_elsewhere(&mut self) {
        let said = format!("{OTHER} {REPEATED}");
        let other = self.reviewed.talk("other", &[&said]).await;
        self.others.push(other);
        let message = json!({"message_id": "m", "text_content": ELSEWHERE});
        let robot = self.app().assistant("Toy robot", &[self.leo]).await;
        let elsewhere = json!({"child_id": self.leo, "topic": ELSEWHERE, "messages": [message]});
        robot.deliver("elsewhere", &elsewhere).await.ok();
    }

    /// A conversation with a plug-in, with words in every field that has text.
    async fn speak(&mut self) {
        let robot = self.robot();
        let rules = format!("/api/assistant/child/{}/rules", self.reviewed.mia);
        let version = robot.get(&rules).await.json()["version"].take();
        let id = |number: u8| format!("{SPOKEN}-{number}");
        let message = |number, text: &str, revision: u8| {
            json!({"message_id": id(number), "text_content": text, "revision": revision,
                "source": SPOKEN, "speaker": SPOKEN, "content_type": SPOKEN, "event_type": SPOKEN})
        };
        let long = format!("{SPOKEN} {}", "la ".repeat(9_000));
        let messages = json!([
            message(0, &format!("Why does the moon shine, {SPOKEN} {OWN} {REPEATED}?"), 0),
            message(1, &format!("{SPOKEN} before it was corrected"), 0),
            message(1, &format!("{SPOKEN} corrected"), 1),
            message(2, &format!("{SPOKEN} kept"), 0),
            message(2, &format!("{SPOKEN} conflicts"), 0),
            message(3, &long, 0),
            {"message_id": [SPOKEN], "text_content": format!("{SPOKEN} invalid")},
        ]);
        let refused = json!({"version": version, "evidence": "in_prompt", "refused": SPOKEN});
        let completion = json!({"duration": 61, "mood": SPOKEN, "score": SPOKEN});
        let name = format!("talk-{SPOKEN}");
        let said =
            json!({"topic": SPOKEN, "device": SPOKEN, "messages": messages, "rules": [refused]});
        self.spoken = self.reviewed.deliver(&name, &said).await["session_id"]
            .as_u64()
            .unwrap();
        let completed = json!({"completion": completion});
        self.reviewed.deliver(&name, &completed).await;
        let hidden = json!({"session_id": self.spoken, "message_id": id(0)});
        self.put("curious/hidden", hidden).await;
        let report = json!({"note": OWN, "session_id": self.spoken});
        let path = format!("/api/assistant/child/{}/report", self.reviewed.mia);
        self.robot().put(&path, &report).await.ok();
        self.reviewed.review().await;
    }

    /// A conversation through the gateway, which the app repeats in another one.
    async fn chat(&mut self) {
        let words = format!("Tell me of the {CHATTED} {OWN} {REPEATED}");
        let sings = format!("The {CHATTED} sings.");
        let user = |text: &str| json!({"role": "user", "content": text});
        let assistant = |text: &str| json!({"role": "assistant", "content": text});
        let system = json!({"role": "system", "content": format!("Speak as a {CHATTED}.")});
        let tool = json!({"type": "function", "function": {"name": format!("get_{CHATTED}"),
            "description": CHATTED, "parameters": {"type": "object", "properties": {}}}});
        let request = |messages: Value| {
            let mut fields = json!({"model": "m", "stream": true, "messages": messages});
            fields["tools"] = json!([tool]);
            fields["user"] = json!(CHATTED);
            fields[format!("{CHATTED}_setting")] = json!(CHATTED);
            fields
        };
        let call = json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function",
            "function": {"name": format!("get_{CHATTED}"), "arguments": format!("{{\"of\": \"{CHATTED}\"}}")}}]});
        let calls = vec![
            event(&json!({"reasoning_content": CHATTED}), None),
            event(&call, None),
            event(&json!({}), Some("tool_calls")),
        ];
        let mut messages = vec![system.clone(), user(&words)];
        self.ask(
            &FIRST,
            &request(json!(messages)),
            Answer::stream(EVENTS, calls),
        )
        .await;
        messages
            .push(json!({"role": "assistant", "content": null, "tool_calls": call["tool_calls"]}));
        messages.push(json!({"role": "tool", "tool_call_id": "c1", "content": CHATTED}));
        let answer = Answer::stream(EVENTS, events(&sings));
        self.ask(&FIRST, &request(json!(messages)), answer).await;
        let history = format!("USER: {words}\nASSISTANT: {sings}");
        let title = include_str!("../fixtures/gateway/open-webui-title.txt");
        let title =
            json!({"model": "m", "messages": [user(&title.replace("{history}", &history))]});
        self.ask(&FIRST, &title, Answer::json(&completion(CHATTED)))
            .await;
        let repeated = json!([user(&words), assistant(&sings), user(OTHER)]);
        let repeated = json!({"model": "m", "messages": repeated});
        self.ask(&SECOND, &repeated, Answer::json(&completion(OTHER)))
            .await;
        messages.push(assistant(&format!("The {CHATTED}")));
        messages.push(user("And then?"));
        self.answer_by_half(&request(json!(messages))).await;

        let list = format!("/api/sessions?child_id={}", self.reviewed.mia);
        let sessions = self.ada().await.get(&list).await.json();
        let sessions = sessions["sessions"].as_array().unwrap().iter();
        let mut sessions = sessions
            .map(|session| session["session_id"].as_u64().unwrap())
            .filter(|session| *session != self.spoken && !self.others.contains(session))
            .collect::<Vec<_>>();
        sessions.sort_unstable();
        let [chatted, repeated] = sessions[..] else {
            panic!("two conversations went through the gateway: {sessions:?}");
        };
        self.chatted = chatted;
        self.others.push(repeated);
    }

    /// A try with one question, about the guardians' topic.
    async fn try_rules(&self) {
        let ada = self.ada().await;
        let household = ada.get("/api/household").await.json();
        let assistants = household["assistants"].as_array().unwrap().iter();
        let mut chats = assistants.filter(|assistant| assistant["name"] == CHAT);
        let chat = chats.next().unwrap()["assistant_id"].clone();
        let preview = format!("tries/preview?assistant={}", chat.as_str().unwrap());
        let preview = ada.get(&self.path(&preview)).await.json();
        let first = &preview["questions"][0]["question_id"];
        let body = json!({"assistant": chat, "language": "en", "questions": [first]});
        ada.post(&self.path("tries"), &body).await.ok();
        for _ in 0..3 {
            let next = self.upstream.next().await;
            next.answer(&Answer::json(&completion(OWN))).await;
        }
        let tasks = &self.app().inner.tries.tasks;
        tasks.close();
        tasks.wait().await;
        tasks.reopen();
    }

    async fn ask(&self, headers: &[(&str, &str)], body: &Value, answer: Answer) {
        let (reply, ()) = tokio::join!(self.chat.chat_with(headers, body), async {
            self.upstream.next().await.answer(&answer).await;
        });
        reply.ok();
        let exchanges = &self.app().inner.gateway.exchanges;
        exchanges.close();
        exchanges.wait().await;
        exchanges.reopen();
    }

    /// A request of which one piece of the answer was passed on and saved.
    async fn answer_by_half(&mut self, body: &Value) {
        let (path, body) = ("/gateway/v1/chat/completions", body.to_string());
        let mut saved = self.app().inner.store.changes();
        let (mut open, exchange) =
            tokio::join!(self.chat.open("POST", path, &FIRST, body), async {
                let mut exchange = self.upstream.next().await;
                exchange.begin(EVENTS).await;
                exchange
                    .piece(&event(&json!({"reasoning_content": CHATTED}), None))
                    .await;
                exchange.piece(&word(&format!("{CHATTED} "))).await;
                exchange
            });
        open.until(&word(&format!("{CHATTED} "))).await;
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(1)).await;
        tokio::time::resume();
        let partial = Table::new("gateway-partial").key();
        while let Some(event) = saved.next().await {
            if matches!(event, Event::Written(written) if written.touches(&partial)) {
                break;
            }
        }
        self.half_answered = Some((open, exchange));
    }

    /// The guardian reads, searches and takes a copy; the administrator exports.
    async fn read(&self) {
        let ada = self.ada().await;
        for words in [SPOKEN, CHATTED] {
            assert!(!ada.find_all(self.reviewed.mia, words).await.is_empty());
        }
        for what in ["alerts", "curious", "summary", "metrics", "rules/receipts"] {
            let read = ada.get(&self.path(what)).await;
            assert!(read.status.is_success(), "{what}");
        }
        let copy = ada.get(&self.path("export")).await;
        assert!(copy.status.is_success());
        let (_, exported) = self.app().exported().await;
        for words in [SPOKEN, CHATTED] {
            assert!(exported.contains(words), "{words}");
        }
    }

    /// Closes the connections of the answer that is being passed on, and waits until it has ended.
    pub async fn hang_up(&mut self) {
        drop(self.half_answered.take());
        let exchanges = &self.app().inner.gateway.exchanges;
        exchanges.close();
        exchanges.wait().await;
        exchanges.reopen();
    }
}
