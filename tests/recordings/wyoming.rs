//! Wyoming. Each text passes three times: the child's is taken from the recognition event, the assistant's from the speech
//! event. Nothing has an id or a time: the speaker and the event's arrival identify a message. A client that closes before
//! `audio-stop` interrupted the answer; how much of it the child heard is unknown.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Adapter, Recording, assert_reads, one, time};

fn adapter() -> Adapter {
    // By connection.
    let mut contexts = HashMap::<u64, Value>::new();
    let mut streamed = HashMap::<u64, String>::new();
    let mut spoken = HashMap::<u64, Value>::new();
    Box::new(move |event| {
        let (connection, data) = (event["conn"].as_u64()?, &event["data"]);
        if data["context"].is_object() {
            contexts.insert(connection, data["context"].clone());
        }
        let (source, text) = match (event["service"].as_str()?, event["type"].as_str()) {
            ("stt", Some("transcript")) => ("child", data["text"].as_str()?.to_owned()),
            ("tts", Some("synthesize")) => ("assistant", data["text"].as_str()?.to_owned()),
            ("tts", Some("synthesize-chunk")) => {
                *streamed.entry(connection).or_default() += data["text"].as_str()?;
                return None;
            }
            ("tts", Some("synthesize-stop")) => ("assistant", streamed.remove(&connection)?),
            ("tts", Some("audio-stop")) => {
                spoken.remove(&connection);
                return None;
            }
            ("tts", None) if event["closed_by"] == "client" => {
                let mut cut = spoken.remove(&connection)?;
                cut["messages"][0]["interrupted"] = json!(true);
                cut["messages"][0]["revision"] = json!(1);
                return Some(cut);
            }
            _ => return None,
        };
        let (context, at) = (contexts.get(&connection)?, time(event["at"].as_f64()?));
        let message = json!({
            "message_id": format!("{source} {at}"), "source": source, "text_content": text, "timestamp": at,
        });
        let mut delivery = one(context["conversation_id"].as_str()?, message)?;
        delivery["device"] = context["device"].clone();
        if source == "assistant" {
            spoken.insert(connection, delivery.clone());
        }
        Some(delivery)
    })
}

#[tokio::test]
async fn a_wyoming_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/wyoming.jsonl"),
        adapter,
        now: 1_795_176_440.0,
        secrets: &["en_GB-kind-medium", "tiny-fake"],
    };

    let session = recording.delivered().await;

    assert_eq!(session["device"], "bedroom-satellite");
    assert_eq!(session["ended"], false);
    assert_reads(
        &session,
        &[
            ("child", "why do some animals sleep all winter", false),
            (
                "assistant",
                "They hibernate. There is little to eat in winter, so their bodies slow down to save energy.",
                false,
            ),
            ("child", "Do bears snore?", false),
            (
                "assistant",
                "They can! A sleeping bear breathes slowly, and sometimes it makes a rumbling sound.",
                false,
            ),
            (
                "child",
                "My friend Jürgen says Murmeltiere sleep six months 😴",
                false,
            ),
            (
                "assistant",
                "Jürgen is right. Marmots sleep for about six or seven months.",
                false,
            ),
            ("child", "Did bears evolve from fish?", false),
            (
                "assistant",
                "I leave questions about where animals came from to your family. Do you want to hear what a bear eats in spring?",
                false,
            ),
            ("child", "yes", false),
            ("assistant", "Grass, roots and berries.", false),
            ("child", "tell me about all animals that hibernate", false),
            // The whole text, although the child heard only a part of it.
            (
                "assistant",
                "Hedgehogs curl up under leaves, dormice make a tiny round nest, bats hang upside down in caves, snails close their door with a dry lid, and queen bumblebees dig a small hole in the ground where they wait for the first warm day of spring.",
                true,
            ),
            ("child", "stop stop, my hamster is awake!", false),
            (
                "assistant",
                "Hello to your hamster! Hamsters only sleep deeply if it gets very cold.",
                false,
            ),
            ("child", "zzz grmbl", false),
            ("assistant", "Sorry, I did not catch that.", false),
            ("child", "how slow is their heart", false),
            (
                "assistant",
                "A hedgehog's heart goes from about 190 beats a minute down to about 20.",
                false,
            ),
            ("child", "wow! good night", false),
            ("assistant", "Sleep tight, but not until spring.", false),
        ],
    );
}
