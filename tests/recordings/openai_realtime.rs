//! OpenAI Realtime. Items have ids, but most transcripts arrive late, and no item has a time of day. A message gets its time
//! when its item is added: that of the speech, and at least a millisecond after the previous item. The event that an answer was
//! interrupted may come a turn later, and doesn't say at which word.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Adapter, Recording, assert_reads, one, time};

/// When the plug-in opened the connection, by its own clock: seconds since 1970.
const CONNECTED: f64 = 1_795_176_600.0;

fn adapter() -> Adapter {
    let mut session = String::new();
    // By item: milliseconds since the connection was opened, and the answer as it was last delivered.
    let (mut places, mut answers) = (
        HashMap::<String, u32>::new(),
        HashMap::<String, Value>::new(),
    );
    Box::new(move |event| {
        let item = event["item_id"].as_str().or(event["item"]["id"].as_str());
        let said = |source: &str, places: &HashMap<String, u32>| {
            let place = f64::from(*places.get(item?)?) / 1_000.0;
            Some(
                json!({"message_id": item, "source": source, "text_content": event["transcript"],
                "timestamp": time(CONNECTED + place)}),
            )
        };
        let message = match event["type"].as_str()? {
            "session.created" => {
                session = event["session"]["id"].as_str()?.to_owned();
                return None;
            }
            "input_audio_buffer.speech_started" => {
                let start = u32::try_from(event["audio_start_ms"].as_u64()?).ok()?;
                places.insert(item?.to_owned(), start);
                return None;
            }
            "conversation.item.added" => {
                let before = event["previous_item_id"].as_str();
                let after = before
                    .and_then(|before| places.get(before))
                    .map_or(0, |at| at + 1);
                let place = places.entry(item?.to_owned()).or_default();
                *place = after.max(*place);
                return None;
            }
            "conversation.item.input_audio_transcription.completed" => said("child", &places)?,
            "response.output_audio_transcript.done" => {
                let answer = said("assistant", &places)?;
                answers.insert(item?.to_owned(), answer.clone());
                answer
            }
            "conversation.item.truncated" => interrupted(answers.get_mut(item?)?),
            "response.done" if event["response"]["status"] == "cancelled" => {
                let mut cut = event["response"]["output"].as_array()?.iter();
                let cut =
                    cut.find_map(|item| item["id"].as_str().filter(|id| answers.contains_key(*id)));
                interrupted(answers.get_mut(cut?)?)
            }
            _ => return None,
        };
        one(&session, message)
    })
}

fn interrupted(answer: &mut Value) -> Value {
    answer["interrupted"] = json!(true);
    answer["revision"] = json!(1);
    answer.clone()
}

#[tokio::test]
async fn an_openai_realtime_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/openai-realtime.jsonl"),
        adapter,
        now: CONNECTED + 70.0,
        secrets: &[
            "You are a kind learning buddy",
            "visible_stars",
            "\"count",
            "could not be transcribed",
        ],
    };

    let session = recording.delivered().await;

    assert_eq!(session["ended"], false);
    assert_reads(
        &session,
        &[
            (
                "child",
                "Why is the sky dark at night if there are so many stars?",
                false,
            ),
            (
                "assistant",
                "Most stars are so far away that very little of their light reaches us, and the sky between them stays black.",
                false,
            ),
            ("child", "How far is far?", false),
            (
                "assistant",
                "The nearest star after the sun is so far that its light needs more than four years to get here.",
                false,
            ),
            (
                "child",
                "Can you look up how many stars you can see from Malmö?",
                false,
            ),
            (
                "assistant",
                "In the middle of Malmö you can see about two hundred, and far from the city a few thousand.",
                false,
            ),
            ("child", "Wow 🤩 ¡cuántas estrellas!", false),
            (
                "assistant",
                "So many! They look white, but some are red and some are blue.",
                false,
            ),
            ("child", "Did stars make people, like in evolution?", false),
            (
                "assistant",
                "How people came to be is one for your family. I can tell you what stars are made of.",
                false,
            ),
            ("child", "ok", false),
            (
                "assistant",
                "Mostly hydrogen, the lightest gas there is.",
                false,
            ),
            ("child", "Tell me about every planet, all of them!", false),
            // The whole text, although the child heard only a part of it.
            (
                "assistant",
                "Mercury is the smallest and it has no moon. Venus is the hottest because of its thick clouds. Earth is ours. Mars is red with rust. Jupiter is a giant with a storm as big as a planet. Saturn has rings of ice, Uranus rolls on its side, and Neptune is windy and blue.",
                true,
            ),
            ("child", "Stop! Pluto, what about Pluto?", false),
            (
                "assistant",
                "Pluto is a dwarf planet now. It is smaller than our moon.",
                false,
            ),
            // This speech of the child could not be transcribed.
            (
                "assistant",
                "Sorry, I could not hear that. Can you say it once more?",
                false,
            ),
            ("child", "Poor Pluto.", false),
            (
                "assistant",
                "Pluto has a heart shape on it, made of frozen nitrogen, and a moon that",
                true,
            ),
            ("child", "Bye!", false),
            ("assistant", "Bye, sleep under the stars.", false),
        ],
    );
}
