//! xiaozhi-esp32-server. It reports each sentence of an answer separately, and the same report up to seven times, so an answer
//! is one message that grows. An interruption isn't marked.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{Adapter, Recording, assert_reads, one, time};

/// "Unknown speaker".
const UNKNOWN_VOICE: &str = "未知说话人";

fn adapter() -> Adapter {
    let mut seen = HashSet::new();
    let mut answer = None::<Value>;
    Box::new(move |call| {
        let path = call["request"]["path"].as_str()?;
        if path.contains("/chat-summary/") {
            return Some(json!({"session": path.split('/').nth(4)?, "completion": {}}));
        }
        let report = &call["request"]["body"];
        let session = report["sessionId"].as_str()?;
        let (kind, content) = (report["chatType"].as_u64()?, report["content"].as_str()?);
        let sent = report["reportTime"].as_f64()?;
        if !seen.insert(format!("{session} {kind} {sent} {content}")) {
            return None;
        }
        // Older versions send seconds.
        let at = time(if sent > 1e11 { sent / 1_000.0 } else { sent });
        let message = match (kind, &mut answer) {
            (1, _) => {
                answer = None;
                let voiced = serde_json::from_str::<Value>(content).unwrap_or_default();
                let (text, speaker) = match (voiced["content"].as_str(), voiced["speaker"].as_str())
                {
                    (Some(text), Some(UNKNOWN_VOICE)) => (text, Some("unknown voice")),
                    (Some(text), speaker) => (text, speaker),
                    (None, _) => (content, None),
                };
                json!({"message_id": format!("child {sent}"), "source": "child", "speaker": speaker,
                    "text_content": text, "timestamp": at})
            }
            (2, Some(answer)) => {
                let text = answer["text_content"].as_str()?;
                answer["text_content"] = json!(format!("{text} {content}"));
                answer["revision"] = json!(answer["revision"].as_u64()? + 1);
                answer.clone()
            }
            (2, None) => answer
                .insert(
                    json!({"message_id": format!("assistant {sent}"), "source": "assistant",
                    "text_content": content, "revision": 0, "timestamp": at}),
                )
                .clone(),
            _ => return None,
        };
        let mut delivery = one(session, message)?;
        // The plug-in's name for this device address.
        delivery["device"] = json!("Bear");
        Some(delivery)
    })
}

#[tokio::test]
async fn a_xiaozhi_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/xiaozhi.jsonl"),
        adapter,
        // A minute before the last report, by the device's clock.
        now: 1_795_176_433.0,
        secrets: &[
            "DUMMY-SERVER-SECRET",
            "02:1d:c4:1d:7e:52",
            "search_encyclopedia",
            "Last eruption",
            UNKNOWN_VOICE,
        ],
    };

    let session = recording.delivered().await;

    assert_eq!(session["device"], "Bear");
    assert_eq!(session["ended"], true);
    assert_reads(
        &session,
        &[
            ("child (Nia)", "Why do volcanoes explode?", false),
            (
                "assistant",
                "A volcano is like a shaken bottle of fizzy water. Gas gets trapped in the hot rock, and when it can escape, it pushes everything up and out.",
                false,
            ),
            (
                "child (Nia)",
                "Is the one in Iceland, Eyjafjallajökull 🌋, still awake?",
                false,
            ),
            (
                "assistant",
                "It last erupted in 2010 and it has been quiet since.",
                false,
            ),
            (
                "child (unknown voice)",
                "mum says dinner is nearly ready",
                false,
            ),
            (
                "assistant",
                "Then we have time for one more question!",
                false,
            ),
            (
                "child (Nia)",
                "Did people evolve from dinosaurs or from monkeys?",
                false,
            ),
            (
                "assistant",
                "That one is for you and your family to talk about. Shall we find out why some lava makes islands?",
                false,
            ),
            ("child", "嗯", false),
            // Interrupted by the child's next words, but the report doesn't say so.
            (
                "assistant",
                "Great! Far under the sea, hot rock leaks out and turns hard in the cold water.",
                false,
            ),
            (
                "child",
                "Wait, if one pizza has eight slices and I eat two, is that a quarter?",
                false,
            ),
            (
                "assistant",
                "Yes, two eighths is the same as one quarter. 🍕",
                false,
            ),
            ("child (Nia)", "Bye!", false),
            ("assistant", "Bye, enjoy your dinner!", false),
        ],
    );
}
