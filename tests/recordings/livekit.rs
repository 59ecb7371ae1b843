//! LiveKit Agents. Items have ids and times; only messages are speech. `user_input_transcribed` repeats them without an id.

use serde_json::{Value, json};

use super::{Adapter, Recording, assert_reads, one, time};

/// The events don't name the job; the process that delivers knows it.
const JOB: &str = "AJ_moonCarDemo";

fn adapter() -> Adapter {
    Box::new(|event| {
        let item = &event["item"];
        let source = match item["role"].as_str() {
            Some("user") => "child",
            Some("assistant") => "assistant",
            _ if event["type"] == "close" => {
                let end = time(event["created_at"].as_f64()?);
                return Some(json!({"session": JOB, "completion": {"end_time": end}}));
            }
            _ => return None,
        };
        let parts = item["content"].as_array()?.iter();
        let text = parts.filter_map(Value::as_str).collect::<String>();
        one(
            JOB,
            json!({
                "message_id": item["id"], "source": source, "text_content": text.trim_end(),
                "interrupted": item["interrupted"], "timestamp": time(item["created_at"].as_f64()?),
            }),
        )
    })
}

#[tokio::test]
async fn a_livekit_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/livekit-events.jsonl"),
        adapter,
        now: 1_795_176_070.0,
        secrets: &["moonrise", "wait wait did they", "agent_handoff"],
    };

    let session = recording.delivered().await;

    assert_eq!(session["ended"], true);
    assert_reads(
        &session,
        &[
            (
                "child",
                "Why does the moon follow our car when we drive?",
                false,
            ),
            (
                "assistant",
                "It looks like it follows you because it is so far away. Trees near the road slide past quickly, but the moon is about 384,000 kilometres off, so it hardly moves in your view.",
                false,
            ),
            ("child", "So it is not really following us?", false),
            (
                "assistant",
                "Right. Everybody in every car sees the very same thing tonight.",
                false,
            ),
            ("child", "Even my abuela in Bogotá? ¡Qué chévere! 🌙", false),
            (
                "assistant",
                "Even your abuela in Bogotá! She may see it tilted the other way, because she lives much closer to the equator.",
                false,
            ),
            ("child", "What time does the moon come up today?", false),
            (
                "assistant",
                "The moon comes up at 17:42 today, just before dinner time.",
                false,
            ),
            (
                "child",
                "Where did people come from? Is evolution true, did we come from apes?",
                false,
            ),
            (
                "assistant",
                "That is a topic I leave to you and your grown-ups. Ask them at dinner, they will like the question. Shall we go back to the moon?",
                false,
            ),
            ("child", "ok", false),
            (
                "assistant",
                "Good. Did you know that the same side of the moon always faces us?",
                false,
            ),
            ("child", "Tell me everything about the moon landing.", false),
            (
                "assistant",
                "In July 1969 three astronauts flew for four days to reach the moon. Michael Collins stayed in orbit while Neil Armstrong and Buzz Aldrin climbed down a",
                true,
            ),
            ("child", "Wait wait, did they bring snacks?", false),
            (
                "assistant",
                "They did! One of the first things they ate on the moon was bacon, with peaches and sugar cookie cubes.",
                false,
            ),
            (
                "child",
                "Is there a half moon because one half plus one half is a whole?",
                false,
            ),
            (
                "assistant",
                "Nice thinking with fractions! Half of the moon is always lit by the sun, and on a half moon night we see one half of that lit half, which is one quarter of the whole ball.",
                false,
            ),
            ("child", "Thank you, good night!", false),
            ("assistant", "Good night, sleep well.", false),
        ],
    );
}
