//! Home Assistant. A turn is a pipeline run: `intent-start` has the child's text, typed or spoken, and `intent-end` has the
//! answer. Runs overlap, so the frame's id tells their events apart. The debug calls return the events of the last ten runs
//! again, with the same times, so the time of `intent-start` identifies a turn.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Adapter, Recording, all_of, assert_reads, one};

#[derive(Default)]
struct Run {
    session: String,
    device: Value,
    asked: String,
    /// When the answer began.
    answered: Option<Value>,
    pieces: String,
    ended: bool,
}

impl Run {
    fn take(&mut self, event: &Value) -> Option<Value> {
        let (data, at) = (&event["data"], &event["timestamp"]);
        match event["type"].as_str()? {
            "run-start" => {
                self.session = data["conversation_id"].as_str()?.to_owned();
                None
            }
            "intent-start" => {
                self.asked = at.as_str()?.to_owned();
                self.device = data["device_id"].clone();
                self.say("child", &data["intent_input"], at, false)
            }
            "intent-progress" => {
                self.answered.get_or_insert_with(|| at.clone());
                self.pieces += data["chat_log_delta"]["content"].as_str()?;
                None
            }
            "intent-end" => {
                self.ended = true;
                let at = self.answered.get_or_insert_with(|| at.clone()).clone();
                let speech = &data["intent_output"]["response"]["speech"]["plain"]["speech"];
                self.say("assistant", speech, &at, false)
            }
            "run-end" if !self.ended => {
                let (text, at) = (json!(self.pieces.trim_end()), self.answered.clone()?);
                self.say("assistant", &text, &at, true)
            }
            _ => None,
        }
    }

    fn say(&self, source: &str, text: &Value, at: &Value, interrupted: bool) -> Option<Value> {
        let message = json!({
            "message_id": format!("{source} {}", self.asked), "source": source, "text_content": text,
            "interrupted": interrupted, "timestamp": at,
        });
        let mut delivery = one(&self.session, message)?;
        delivery["device"] = self.device.clone();
        Some(delivery)
    }
}

fn adapter() -> Adapter {
    let mut runs = HashMap::<u64, Run>::new();
    Box::new(move |line| {
        let frame = &line["frame"];
        let run = runs.entry(frame["id"].as_u64()?).or_default();
        let Some(events) = frame["result"]["events"].as_array() else {
            return run.take(&frame["event"]);
        };
        all_of(events.iter().filter_map(|event| run.take(event)))
    })
}

#[tokio::test]
async fn a_home_assistant_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/home-assistant.jsonl"),
        adapter,
        now: 1_795_176_260.0,
        secrets: &[
            "ACCESS_TOKEN",
            "tts-token",
            "media-source",
            "stt-stream-failed",
        ],
    };

    let session = recording.delivered().await;

    assert_eq!(session["ended"], false);
    // Speech recognition failed for what the child said before "Is magma the same as lava?".
    assert_reads(
        &session,
        &[
            (
                "child",
                "Hi Star Buddy, can we talk about volcanoes today?",
                false,
            ),
            (
                "assistant",
                "Yes! Volcanoes are mountains with a very hot secret. What would you like to know first?",
                false,
            ),
            ("child", "why is lava red", false),
            (
                "assistant",
                "Lava is rock so hot that it glows. The hottest lava shines yellow, then orange, and when it cools down a little it turns red, like the wire inside a toaster.",
                false,
            ),
            ("child", "How hot is it? Hotter than our oven?", false),
            (
                "assistant",
                "Much hotter. An oven bakes at about 200 degrees. Lava is around 1,000 degrees, so about five times as hot.",
                false,
            ),
            (
                "child",
                "Mamá says there is one called Popocatépetl 🌋 ¿es verdad?",
                false,
            ),
            (
                "assistant",
                "¡Sí! Popocatépetl is in Mexico. Its name means smoking mountain in the Nahuatl language.",
                false,
            ),
            (
                "child",
                "My cousin says people came from monkeys and volcanoes made the dinosaurs go away. Is evolution real?",
                false,
            ),
            (
                "assistant",
                "That is a big question, and it is one to talk about with a grown-up at home. I can tell you what scientists find in old lava, if you like.",
                false,
            ),
            ("child", "ok", false),
            (
                "assistant",
                "Great. Cooled lava keeps tiny gas bubbles inside, and those bubbles tell us how fast it came out.",
                false,
            ),
            (
                "child",
                "Tell me a really long story about a volcano island",
                false,
            ),
            (
                "assistant",
                "Once upon a time, deep under the sea, a small crack opened in the floor of the ocean. Warm rock",
                true,
            ),
            (
                "child",
                "Stop, stop! I have to say something. I built a volcano with baking soda at school!",
                false,
            ),
            (
                "assistant",
                "Wonderful! Baking soda and vinegar make a gas called carbon dioxide, and the gas pushes the foam out. What colour was your lava?",
                false,
            ),
            ("child", "Purple!", false),
            ("assistant", "Purple lava, I love it.", false),
            ("child", "Is magma the same as lava?", false),
            (
                "assistant",
                "Almost. It is called magma while it is under the ground, and lava once it has come out.",
                false,
            ),
            ("child", "Bye bye, I have to eat dinner now", false),
            (
                "assistant",
                "Enjoy your dinner. Today you learned about lava, magma and Popocatépetl. Bye!",
                false,
            ),
        ],
    );
}
