//! Pipecat. Nothing has an id: the speaker and the start identify a turn, and the first turn identifies the conversation. Both
//! user events carry the same text, so only one is read.

use serde_json::json;

use super::{Adapter, Recording, assert_reads, one};

fn adapter() -> Adapter {
    let mut session = None;
    Box::new(move |event| {
        let source = match event["event"].as_str()? {
            "on_user_turn_message_added" => "child",
            "on_assistant_turn_stopped" => "assistant",
            _ => return None,
        };
        let message = &event["message"];
        let at = message["timestamp"].as_str()?;
        let session = session.get_or_insert_with(|| at.replace('+', "."));
        one(
            session,
            json!({
                "message_id": format!("{source} {at}"), "source": source, "text_content": message["content"],
                "interrupted": message["interrupted"], "timestamp": at,
            }),
        )
    })
}

#[tokio::test]
async fn a_pipecat_conversation_reads_word_for_word() {
    let recording = Recording {
        events: include_str!("../fixtures/recordings/pipecat.jsonl"),
        adapter,
        now: 1_795_176_300.0,
        secrets: &["UserTurnMessageAddedMessage"],
    };

    let session = recording.delivered().await;

    // There is no event for the end.
    assert_eq!(session["ended"], false);
    // The answer to "Hmm." was empty.
    assert_reads(
        &session,
        &[
            ("child", "What is bigger, one third or one quarter?", false),
            (
                "assistant",
                "One third is bigger. If you cut a pizza in three parts, each slice is larger than when you cut it in four.",
                false,
            ),
            ("child", "But four is more than three!", false),
            (
                "assistant",
                "Four slices is more slices, but every slice is smaller. That is the trick with fractions.",
                false,
            ),
            (
                "child",
                "Zoë and Łukasz shared my crêpe 🥞, how much did each of us get?",
                false,
            ),
            (
                "assistant",
                "You were three friends with one crêpe, so each of you got one third.",
                false,
            ),
            ("child", "What is half of one half?", false),
            ("assistant", "One quarter.", false),
            (
                "child",
                "Is it true that we have half our genes from mum because of evolution?",
                false,
            ),
            (
                "assistant",
                "That is a topic I leave for you and your family. I can stay with fractions: you can ask me for half of nearly anything!",
                false,
            ),
            ("child", "ok", false),
            (
                "assistant",
                "Try this one: what is two quarters the same as?",
                false,
            ),
            ("child", "Tell me how they invented fractions.", false),
            (
                "assistant",
                "A very long time ago in Egypt, the river Nile flooded the fields every summer, and afterwards everyone had to measure",
                true,
            ),
            ("child", "Sorry, my dog barked! What did you say?", false),
            (
                "assistant",
                "No problem. I said that people in Egypt wrote fractions with a little mouth sign.",
                false,
            ),
            ("child", "Hmm.", false),
            ("child", "Are you there?", false),
            (
                "assistant",
                "Yes, I am here. Two quarters is the same as one half.",
                false,
            ),
            ("child", "I knew that! Bye!", false),
            ("assistant", "Well done. Bye, see you tomorrow!", false),
        ],
    );
}
