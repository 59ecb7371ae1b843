//! OpenAI Live. There are no turns, only fragments with offsets in milliseconds. Each side's fragments form one message until
//! it pauses and the other side has spoken, so a message grows. An interrupted answer isn't marked: it is one that ended soon
//! after the child began to speak during it.

use serde_json::{Value, json};

use super::{Adapter, Recording, all_of, assert_reads, one, time};

/// When the plug-in opened the connection, by its own clock: seconds since 1970.
const CONNECTED: f64 = 1_795_176_600.0;

/// A message that may grow.
struct Turn {
    message: Value,
    /// Milliseconds since the connection was opened.
    start: u64,
    end: u64,
}

impl Turn {
    fn revise(&mut self, field: &str, value: Value) {
        self.message[field] = value;
        self.message["revision"] = json!(self.message["revision"].as_u64().unwrap() + 1);
    }

    /// Whether a fragment that starts then continues this turn.
    fn goes_on(&self, start: u64, other: Option<&Self>) -> bool {
        let pause = start.saturating_sub(self.end);
        let answered = other.is_some_and(|other| other.end > self.end);
        pause <= if answered { 500 } else { 5_000 }
    }

    /// Whether this answer ended soon after the child began to speak during it.
    fn is_cut_by(&self, child: &Self) -> bool {
        let during = self.start < child.start && child.start < self.end;
        during && self.end - child.start < 1_500
    }
}

fn adapter() -> Adapter {
    let mut session = String::new();
    let (mut child, mut answer) = (None::<Turn>, None::<Turn>);
    Box::new(move |event| {
        let (source, turn, other) = match event["type"].as_str()? {
            "session.started" => {
                session = event["session"]["id"].as_str()?.to_owned();
                return None;
            }
            "session.closed" => return Some(json!({"session": session, "completion": {}})),
            "session.input_transcript.delta" => ("child", &mut child, answer.as_ref()),
            "session.output_transcript.delta" => ("assistant", &mut answer, child.as_ref()),
            _ => return None,
        };
        let (start, end) = (event["start_ms"].as_u64()?, event["end_ms"].as_u64()?);
        let fragment = event["delta"].as_str()?;
        match turn.as_mut().filter(|turn| turn.goes_on(start, other)) {
            Some(turn) => {
                let text = turn.message["text_content"].as_str()?;
                turn.revise("text_content", json!(format!("{text}{fragment}")));
                turn.end = end;
            }
            None => {
                let at = f64::from(u32::try_from(start).ok()?) / 1_000.0;
                let message = json!({"message_id": event["event_id"], "source": source, "text_content": fragment,
                    "interrupted": false, "revision": 0, "timestamp": time(CONNECTED + at)});
                *turn = Some(Turn {
                    message,
                    start,
                    end,
                });
            }
        }
        if let (Some(child), Some(answer)) = (&child, &mut answer) {
            let cut = answer.is_cut_by(child);
            if answer.message["interrupted"] != cut {
                answer.revise("interrupted", json!(cut));
            }
        }
        // Both may have changed.
        let turns = [&child, &answer].into_iter().flatten();
        let deliveries = turns.filter_map(|turn| one(&session, turn.message.clone()));
        all_of(deliveries)
    })
}

#[tokio::test]
async fn an_openai_live_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/openai-live.jsonl"),
        adapter,
        now: CONNECTED + 70.0,
        secrets: &["You are a kind learning buddy", "rules_2026", "dlg_Fx1"],
    };

    let session = recording.delivered().await;

    assert_eq!(session["ended"], true);
    assert_reads(
        &session,
        &[
            ("child", "How does a rainbow get its colours?", false),
            (
                "assistant",
                "Sunlight is a mix of all colours. A raindrop bends each colour a little differently, so they come out side by side.",
                false,
            ),
            ("child", "Is it true that Íris is a rainbow girl? 🌈", false),
            (
                "assistant",
                "Yes, in old Greek stories Iris is the messenger who walks on the rainbow.",
                false,
            ),
            (
                "child",
                "Umm so if I count the colours there are seven right because my teacher said seven",
                false,
            ),
            ("assistant", "Mm-hm.", false),
            (
                "assistant",
                "People often count seven, but really the colours slide into each other with no line between.",
                false,
            ),
            (
                "child",
                "Where do people come from, is evolution a true thing?",
                false,
            ),
            (
                "assistant",
                "That is a question for your family, they will like it. Shall we make a rainbow with a glass of water?",
                false,
            ),
            ("child", "yes", false),
            (
                "assistant",
                "Put a glass of water on the window sill, with a white paper on the floor.",
                false,
            ),
            ("child", "Tell me about all kinds of rainbows.", false),
            (
                "assistant",
                "There are double rainbows where the second one has its colours the other way round, and moonbows which",
                true,
            ),
            (
                "child",
                "Stop stop! A double one? I saw one in Kraków!",
                false,
            ),
            ("assistant", "Lucky you! Was the upper one paler?", false),
            ("child", "Yes, paler. Bye!", false),
            ("assistant", "Bye bye!", false),
        ],
    );
}
