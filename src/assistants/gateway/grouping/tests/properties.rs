//! What holds for any traffic.

use proptest::prelude::*;

use super::traffic::{Run, run_of};
use super::*;
use crate::conversations::transcripts::MessageKind;

impl Caller {
    /// The conversations with these words of the child.
    fn places_of(&self, words: &str) -> Vec<ConversationRef> {
        let with = self.stored.messages.values();
        let with = with.filter(|it| it.source == SourceLabel::Child && it.text == words);
        let with = with.filter(|it| it.kind != Some(MessageKind::Earlier));
        let mut places = with.map(|message| message.place).collect::<Vec<_>>();
        places.dedup();
        places
    }

    /// Whether a message begins with these words and says more.
    fn has_longer_form(&self, words: &str) -> bool {
        let words = words.trim_end_matches(['.', '?']);
        let mut messages = self.stored.messages.values();
        messages.any(|message| message.text.len() > words.len() && message.text.starts_with(words))
    }

    /// Whether a text of this role is stored, in any form.
    fn has(&self, role: &str, text: &str) -> bool {
        let mut messages = self.stored.messages.values();
        messages.any(|message| {
            let is_role = match role {
                "user" => message.source == SourceLabel::Child,
                "assistant" => message.source == SourceLabel::Assistant,
                "tool" => message.source == SourceLabel::Tool,
                _ => message.source == SourceLabel::App,
            };
            is_role && message.text.contains(text.trim())
        })
    }
}

/// The child's words at the end of a request.
fn last_words(body: &Value) -> Option<&str> {
    let last = body["messages"].as_array()?.last()?;
    (last["role"] == "user").then(|| last["content"].as_str().unwrap())
}

/// The words that break the rule that answered words are in exactly one transcript, or folded.
fn misplaced_words(run: &Run) -> Vec<String> {
    let mut caller = Caller::default();
    for event in &run.events {
        event.play(&mut caller);
    }
    let answered = run.events.iter().filter(|event| event.answer().is_some());
    let words = answered.filter_map(|event| Some((event, last_words(&event.body)?)));
    let misplaced = words.filter(|(event, words)| match caller.places_of(words)[..] {
        [ConversationRef::Background(_)] => !event.is_background,
        // A title of something that was not stored is shown as a conversation.
        [ConversationRef::Session(_)] => false,
        [] => !caller.has_longer_form(words),
        _ => true,
    });
    misplaced.map(|(_, words)| words.to_owned()).collect()
}

/// What a model read or wrote in this traffic, and what is stored nowhere: role and text.
fn lost_texts(run: &Run) -> Vec<(String, String)> {
    let mut caller = Caller::default();
    let mut lost = Vec::new();
    for event in &run.events {
        event.play(&mut caller);
        for message in event.body["messages"].as_array().unwrap() {
            let (role, text) = (
                message["role"].as_str().unwrap(),
                message["content"].as_str(),
            );
            let text = text.unwrap_or_default();
            if !caller.has(role, text) {
                lost.push((role.to_owned(), text.to_owned()));
            }
        }
        if let Some(answer) = event.answer()
            && !caller.has("assistant", &answer.text)
        {
            lost.push(("assistant".to_owned(), answer.text));
        }
    }
    lost
}

/// The number of runs, of some 38 requests each.
fn runs() -> u64 {
    let runs = std::env::var("GATEWAY_RUNS");
    runs.map_or(120, |runs| runs.parse().unwrap())
}

#[test]
fn no_text_of_random_traffic_is_lost() {
    for seed in 0..runs() {
        let lost = lost_texts(&run_of(seed, false));
        assert!(lost.is_empty(), "{seed}: {lost:?}");
    }
}

#[test]
fn answered_words_are_in_exactly_one_transcript_or_folded() {
    for seed in 0..100 {
        let misplaced = misplaced_words(&run_of(seed, true));
        assert!(misplaced.is_empty(), "{seed}: {misplaced:?}");
    }
}

proptest! {
    #[test]
    fn no_words_are_lost_in_any_sequence_of_requests(
        requests in prop::collection::vec(
            (
                prop::collection::vec("[><#](a|b|ab|abc|c d|e)", 0..7),
                prop::option::of("[st]"),
                any::<(bool, bool)>(),
                0..4_u8,
                0.0..2_000.0_f64,
            ),
            1..25,
        ),
    ) {
        let mut caller = Caller::default();
        let mut at = 0.0;
        let mut open = Vec::new();
        let mut asked = Vec::new();
        for (messages, session, (is_retry, is_structured), outcome, pause) in &requests {
            at += if *pause < 1_000.0 { pause / 500.0 } else { *pause };
            let messages = messages.iter().map(String::as_str).collect::<Vec<_>>();
            let retries = if *is_retry { "1" } else { "0" };
            let mut headers = vec![("X-Stainless-Retry-Count", retries)];
            headers.extend(session.as_ref().map(|session| ("X-Porchlight-Session", session.as_str())));
            let format = if *is_structured { "json_object" } else { "text" };
            let fields = json!({"response_format": {"type": format}});
            let begun = caller.begin(&request_with(&messages, &headers, &fields), time(at));
            if let Some(words) = messages.last().and_then(|last| last.strip_prefix('>')) {
                asked.push(words);
            }
            // Answers may come later, and in any order.
            open.push((begun.turn, *outcome));
            if *outcome != 3 {
                for (turn, outcome) in open.drain(..).rev() {
                    let mut answer = answer(["abc", "ab", "f", "e"][usize::from(outcome)]);
                    answer.cut = (outcome == 1).then_some(CutBy::Client);
                    match outcome {
                        2 => caller.failed(turn, time(at)),
                        _ => caller.answered(turn, &answer, time(at)),
                    }
                }
            }
        }
        for words in asked {
            prop_assert!(!caller.places_of(words).is_empty() || caller.has_longer_form(words), "{words}");
        }
        for (messages, ..) in &requests {
            for message in messages {
                let (role, text) = match message.split_at(1) {
                    (">", text) => ("user", text),
                    ("<", text) => ("assistant", text),
                    (_, text) => ("system", text),
                };
                prop_assert!(caller.has(role, text), "{role} {text}");
            }
        }
    }
}
