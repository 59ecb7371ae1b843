//! Recorded conversations of eight voice assistants, delivered as each one's plug-in would. Each module has an adapter and the
//! expected conversation as a guardian reads it.

mod home_assistant;
mod livekit;
mod openai_live;
mod openai_realtime;
mod ovos;
mod pipecat;
mod wyoming;
mod xiaozhi;

use std::time::Duration;

use porchlight::children::ChildId;
use porchlight::kernel::host::clock::Timestamp;
use proptest::prelude::Rng;
use proptest::test_runner::{TestRng, TestRunner};
use serde_json::{Value, json};

use crate::support::test_app::{Persona, TestApp};

const ADA: &str = "ada@example.org";

/// Turns one event into a delivery. It sees the events one at a time, in their order of arrival.
type Adapter = Box<dyn FnMut(&Value) -> Option<Value>>;

struct Recording {
    /// One JSON value per line.
    events: &'static str,
    adapter: fn() -> Adapter,
    /// The server's time, in seconds since 1970: shortly after the last event.
    now: f64,
    /// Text of the recording that must not be delivered.
    secrets: &'static [&'static str],
}

impl Recording {
    /// Delivers the recording once, then again, then in shuffled parts with repeats. Returns the session and its messages as a
    /// guardian reads them.
    async fn delivered(&self) -> Value {
        let app = TestApp::new().await;
        app.clock.set(time(self.now));
        let ada = app.guardian(ADA).await;
        let mut children = Vec::new();
        for name in ["Mia", "Leo", "Zoe"] {
            children.push(app.child(name, &[ADA]).await);
        }
        let [mia, leo, zoe] = children[..] else {
            unreachable!("there are three")
        };
        let robot = app.assistant("robot", &children).await;

        let mut messages = Vec::new();
        for delivery in self.deliveries() {
            deliver(&robot, mia, &delivery).await;
            for message in delivery["messages"].as_array().into_iter().flatten() {
                let of_session = json!({"session": delivery["session"], "message": message});
                messages.push(of_session);
            }
        }
        let first = self.read(&ada, mia).await;
        for delivery in self.deliveries() {
            let answer = deliver(&robot, mia, &delivery).await;
            assert_eq!(answer["stored"], 0, "{delivery}");
        }
        assert_eq!(self.read(&ada, mia).await, first);

        let mut rng = TestRunner::deterministic().new_rng();
        for child in [leo, zoe, mia] {
            for piece in pieces(&messages, &mut rng) {
                let answer = deliver(&robot, child, &piece).await;
                assert!(child != mia || answer["stored"] == 0, "{piece}");
            }
            assert_eq!(self.read(&ada, child).await["messages"], first["messages"]);
        }
        assert_eq!(self.read(&ada, mia).await, first);
        first
    }

    fn deliveries(&self) -> Vec<Value> {
        let mut adapter = (self.adapter)();
        let events = self.events.lines().map(|line| {
            let event = serde_json::from_str::<Value>(line).unwrap();
            adapter(&event)
        });
        events.flatten().collect()
    }

    /// Reads the child's only session.
    async fn read(&self, ada: &Persona<'_>, child: ChildId) -> Value {
        let list = ada.get(&format!("/api/sessions?child_id={child}")).await;
        let mut sessions = list.json()["sessions"].take();
        assert_eq!(sessions.as_array().unwrap().len(), 1, "{sessions}");
        let path = format!(
            "/api/sessions/{}/messages?limit=500",
            sessions[0]["session_id"]
        );
        let page = ada.get(&path).await;
        for secret in self.secrets {
            assert!(self.events.contains(secret), "not recorded: {secret}");
            assert!(!list.body.contains(secret), "{secret}");
            assert!(!page.body.contains(secret), "{secret}");
        }
        let mut messages = page.json()["messages"].take();
        for message in messages.as_array_mut().unwrap() {
            // An earlier text that arrived late was never shown.
            message.as_object_mut().unwrap().remove("earlier");
        }
        sessions[0]["messages"] = messages;
        sessions[0].take()
    }
}

/// Delivers, and asserts that nothing was refused or adjusted.
async fn deliver(robot: &Persona<'_>, child: ChildId, delivery: &Value) -> Value {
    let mut delivery = delivery.clone();
    delivery["child_id"] = json!(child);
    let answer = robot.post("/api/assistant/deliveries", &delivery).await;
    let answer = answer.json();
    for kind in ["conflicting", "adjusted", "rejected", "unknown"] {
        assert_eq!(answer[kind], json!([]), "{kind}: {delivery}");
    }
    answer
}

/// All messages in a random order, half of them again, as deliveries of 1 to 7.
fn pieces(messages: &[Value], rng: &mut TestRng) -> Vec<Value> {
    let mut below = |limit: usize| rng.next_u32() as usize % limit;
    let mut order = messages.iter().collect::<Vec<_>>();
    order.extend((0..messages.len() / 2).map(|_| &messages[below(messages.len())]));
    for place in (1..order.len()).rev() {
        order.swap(place, below(place + 1));
    }
    let mut pieces = Vec::new();
    while !order.is_empty() {
        let piece = order.split_off(order.len().saturating_sub(1 + below(7)));
        let session = &piece[0]["session"];
        let messages = piece.iter().map(|message| &message["message"]);
        pieces.push(json!({"session": session, "messages": messages.collect::<Vec<_>>()}));
    }
    pieces
}

/// Compares the messages' speaker, text and interruption. The voice follows the speaker in brackets.
#[track_caller]
fn assert_reads(session: &Value, expected: &[(&str, &str, bool)]) {
    let messages = session["messages"].as_array().unwrap();
    for (message, (side, text, interrupted)) in messages.iter().zip(expected) {
        let source = message["source"].as_str().unwrap();
        let spoke = match message["speaker"].as_str() {
            Some(voice) => format!("{source} ({voice})"),
            None => source.to_owned(),
        };
        assert_eq!(
            (spoke.as_str(), &message["text_content"]),
            (*side, &json!(text))
        );
        assert_eq!(message["interrupted"] == true, *interrupted, "{text}");
    }
    assert_eq!(messages.len(), expected.len());
}

/// This many seconds after 1970.
fn time(seconds: f64) -> Timestamp {
    let micros = Duration::from_secs_f64(seconds).as_micros();
    Timestamp::from_micros(i64::try_from(micros).unwrap())
}

/// A delivery of one message; `None` if its text is empty.
fn one(session: &str, message: Value) -> Option<Value> {
    let text = message["text_content"].as_str()?;
    (!text.trim().is_empty()).then(|| json!({"session": session, "messages": [message]}))
}

/// Joins deliveries of one message each, of the same session.
fn all_of(deliveries: impl Iterator<Item = Value>) -> Option<Value> {
    deliveries.reduce(|mut all, mut next| {
        let message = next["messages"][0].take();
        all["messages"].as_array_mut().unwrap().push(message);
        all
    })
}
