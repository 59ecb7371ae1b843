//! OpenVoiceOS. An answer is several `speak` messages, one per sentence, so it is one message that grows. The session id of a
//! plain installation never changes, so the plug-in starts a new session after a silence.

use serde_json::{Value, json};

use super::{Adapter, Recording, assert_reads, one, time};

/// A new session begins after this many seconds of silence.
const IDLE: f64 = 1_800.0;

fn adapter() -> Adapter {
    let (mut session, mut last) = (String::new(), 0.0);
    let mut answer = None::<Value>;
    let (mut goes_on, mut playing) = (false, false);
    Box::new(move |line| {
        let (frame, at) = (&line["frame"], line["at"].as_f64()?);
        let context = &frame["context"]["session"];
        let mut new = |source: &str, text: &Value| {
            if at - last > IDLE {
                session = format!(
                    "{}:{at}",
                    context["session_id"].as_str().unwrap_or("default")
                );
            }
            last = at;
            json!({"message_id": format!("{source} {at}"), "source": source, "text_content": text,
                "revision": 0, "timestamp": time(at)})
        };
        let message = match (frame["type"].as_str()?, &mut answer) {
            ("recognizer_loop:utterance", _) => {
                goes_on = false;
                // The other entries are alternative transcriptions.
                new("child", &frame["data"]["utterances"][0])
            }
            ("speak", Some(answer)) if goes_on => {
                let (text, more) = (&answer["text_content"], &frame["data"]["utterance"]);
                let text = format!("{} {}", text.as_str()?, more.as_str()?);
                revise(answer, "text_content", json!(text))
            }
            ("speak", _) => {
                (goes_on, playing) = (true, true);
                answer
                    .insert(new("assistant", &frame["data"]["utterance"]))
                    .clone()
            }
            ("mycroft.audio.speech.stop", Some(answer)) if playing => {
                revise(answer, "interrupted", json!(true))
            }
            ("ovos.utterance.handled", _) => {
                goes_on = false;
                return None;
            }
            ("recognizer_loop:audio_output_end", _) => {
                playing = false;
                return None;
            }
            _ => return None,
        };
        let mut delivery = one(&session, message)?;
        let site = context["site_id"]
            .as_str()
            .filter(|site| *site != "unknown");
        delivery["device"] = json!(site);
        Some(delivery)
    })
}

fn revise(message: &mut Value, field: &str, value: Value) -> Value {
    message[field] = value;
    message["revision"] = json!(message["revision"].as_u64().unwrap() + 1);
    message.clone()
}

#[tokio::test]
async fn an_openvoiceos_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/ovos.jsonl"),
        adapter,
        now: 1_795_176_510.0,
        secrets: &["Lawrence", "38.97", "-95.23", "can eyes swim there"],
    };

    let session = recording.delivered().await;

    assert_eq!(session["device"], "childs-room");
    assert_eq!(session["ended"], false);
    assert_reads(
        &session,
        &[
            ("child", "why does the moon have spots", false),
            (
                "assistant",
                "The dark spots are old, cold lava plains. People used to think they were seas, so they still have names like Sea of Tranquility.",
                false,
            ),
            ("child", "can I swim there", false),
            (
                "assistant",
                "No, there is no water in those seas, only dust.",
                false,
            ),
            ("child", "meine Oma heißt Luna 🌕 wie der Mond", false),
            (
                "assistant",
                "Wie schön! Luna is the Latin word for moon.",
                false,
            ),
            ("child", "was there evolution on the moon", false),
            (
                "assistant",
                "That is one for you and your parents to talk about. Do you want to hear about moon craters?",
                false,
            ),
            ("child", "yes", false),
            (
                "assistant",
                "A crater is a round hole made by a rock that fell from space.",
                false,
            ),
            ("child", "tell me a long story about the moon rabbit", false),
            // The whole text, although the child heard only a part of it.
            (
                "assistant",
                "Long ago, people in China and Japan looked at the moon and saw a rabbit. The rabbit was pounding rice to make sweet cakes. Every autumn, children look up to find its long ears.",
                true,
            ),
            ("child", "stop", false),
            ("child", "what is half of eight craters", false),
            ("assistant", "Half of eight is four.", false),
            ("child", "blorp fizzle", false),
            ("assistant", "I am sorry, I do not know that one.", false),
            ("child", "what time is it", false),
            ("assistant", "It is seven fifteen.", false),
            ("child", "good night", false),
            ("assistant", "Good night. Sleep well.", false),
        ],
    );
}

#[test]
fn an_openvoiceos_session_ends_with_a_silence() {
    let mut adapter = adapter();
    let names = [0.0, 60.0, 1_900.0].map(|at| {
        adapter(&json!({"at": 1_795_176_500.0 + at, "frame": {"type": "recognizer_loop:utterance", "data": {"utterances": ["hello"]},
            "context": {"session": {"session_id": "default", "site_id": "unknown"}}}}))
        .unwrap()["session"]
            .take()
    });

    assert_eq!(
        names,
        [
            "default:1795176500",
            "default:1795176500",
            "default:1795178400"
        ]
    );
}
