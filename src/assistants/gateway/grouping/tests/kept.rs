//! What is stored of texts that were not said in the conversation, and of words that come late.

use super::rules::{beside, sessions, texts};
use super::*;
use crate::conversations::transcripts::MessageKind::{Earlier, Instructions, Reasoning, Tool};

#[test]
fn what_stands_behind_the_words_does_not_make_them_old() {
    let mut caller = Caller::default();
    let first = caller.ask(
        &request(&[">Open?", "<The zoo opens at nine."]),
        0.0,
        "At 9.",
    );
    let history = [
        ">Open?",
        "<At 9.",
        ">And the pool?",
        "<The pool opens at ten.",
    ];
    let second = caller.ask(&request(&history), 9.0, "At 10.");

    assert_eq!(first.place, second.place);
    assert_eq!(sessions(&caller), [">Open? <At 9. >And the pool? <At 10."]);
    let knowledge = [
        (Earlier, "The zoo opens at nine."),
        (Earlier, "The pool opens at ten."),
    ];
    assert_eq!(beside(&caller), knowledge);
}

#[test]
fn a_tool_call_behind_the_words_does_not_make_them_old() {
    let mut caller = Caller::default();
    let call =
        json!({"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let body = json!({"messages": [
        {"role": "user", "content": "What is on my plate?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "Peas."},
    ]});
    caller.ask(&parsed(Dialect::OpenAi, &body, &[]), 0.0, "Peas!");

    assert_eq!(sessions(&caller), [">What is on my plate? <Peas!"]);
    assert_eq!(beside(&caller), [(Tool, "Peas.")]);
    assert!(texts(&caller).contains(&"look {}"));
}

#[test]
fn words_that_were_refused_come_with_the_next_request() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    let history = [">One?", "<Yes.", ">Lost?", "<Sorry, an error.", ">Two?"];
    caller.ask(&request(&history), 9.0, "No.");

    assert_eq!(
        sessions(&caller),
        [">One? <Yes. >Lost? <Sorry, an error. >Two? <No."]
    );
}

#[test]
fn what_a_new_conversation_brings_is_stored_as_said_earlier() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    let history = [">One?", "<Yes.", ">While you were away", "<Hm.", ">Two?"];
    let begun = caller.ask(&request(&history), 5_000.0, "No.");

    assert!(begun.is_new);
    assert_eq!(sessions(&caller), [">One? <Yes.", ">Two? <No."]);
    assert_eq!(
        beside(&caller),
        [(Earlier, "While you were away"), (Earlier, "Hm.")]
    );
}

#[test]
fn other_words_in_an_older_place_are_stored_as_said_earlier() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    caller.ask(&request(&[">One?", "<Yes.", ">Two?"]), 5.0, "No.");
    let history = [">One?", "<Yes.", ">Secret", ">Two?", "<No.", ">Three?"];
    caller.ask(&request(&history), 9.0, "Three.");

    assert_eq!(
        sessions(&caller),
        [">One? <Yes. >Two? <No. >Three? <Three."]
    );
    assert_eq!(beside(&caller), [(Earlier, "Secret")]);
}

#[test]
fn an_empty_answer_separates_older_words() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">Yesterday", "<", ">Today?"]), 0.0, "Yes.");

    assert_eq!(sessions(&caller), [">Today? <Yes."]);
    assert_eq!(beside(&caller), [(Earlier, "Yesterday")]);
}

#[test]
fn a_very_long_history_is_stored_to_its_beginning() {
    let mut caller = Caller::default();
    let texts = (0..1_200).map(|number| format!(">Number {number}"));
    let texts = texts.collect::<Vec<_>>();
    let texts = texts.iter().map(String::as_str).collect::<Vec<_>>();

    caller.ask(&request(&texts), 0.0, "Yes.");

    let stored = self::texts(&caller);
    assert!(texts.iter().all(|text| stored.contains(&&text[1..])));
}

#[test]
fn the_apps_own_texts_are_stored_whole_and_then_as_changes() {
    let mut caller = Caller::default();
    let tools = json!({"tools": [{"type": "function", "function": {"name": "look"}}]});
    let ask = |caller: &mut Caller, system: &str, at| {
        let request = request_with(&[system, ">Hi!"], &[], &tools);
        caller.ask(&request, at, "Hello!");
    };
    ask(&mut caller, "#Be kind.\nIt is noon.", 0.0);
    let first = [
        (Instructions, "Be kind.\nIt is noon."),
        (
            Instructions,
            r#"tools: {"function":{"name":"look"},"type":"function"}"#,
        ),
    ];
    let expected = first.map(|(kind, text)| (kind, text.to_owned()));
    let found = beside(&caller);
    let found = found.iter().map(|(kind, text)| (*kind, (*text).to_owned()));
    assert_eq!(found.collect::<Vec<_>>(), expected);

    ask(&mut caller, "#Be kind.\nIt is one o'clock.", 4_000.0);
    ask(&mut caller, "#Be kind.\nIt is noon.", 8_000.0);

    let changes = beside(&caller).split_off(2);
    assert_eq!(changes, [(Instructions, "It is one o'clock.")]);
}

#[test]
fn what_a_model_wrote_for_itself_is_stored_once() {
    let mut caller = Caller::default();
    let begun = caller.begin(&request(&[">Why?"]), time(0.0));
    let thought = Answer {
        reasoning: "A child asks.".to_owned(),
        ..answer("So.")
    };
    caller.answered(begun.turn, &thought, time(1.0));
    let history = [">Why?", "<<think>A child asks.</think>So.", ">Ah."];
    caller.ask(&request(&history), 9.0, "Yes.");
    let history = [
        ">Why?",
        "<<think>Hidden words</think>So.",
        ">Ah.",
        "<Yes.",
        ">Bye.",
    ];
    caller.ask(&request(&history), 19.0, "Bye.");

    assert_eq!(sessions(&caller), [">Why? <So. >Ah. <Yes. >Bye. <Bye."]);
    assert_eq!(
        beside(&caller),
        [(Reasoning, "A child asks."), (Reasoning, "Hidden words")]
    );
}

#[test]
fn known_lines_in_another_order_are_stored_again() {
    let mut caller = Caller::default();
    let mut ask = |system: &str, at| {
        caller.ask(&request(&[system, ">Hi!"]), at, "Hello!");
    };
    ask("#purple\nbadgers say\ncanary", 0.0);
    ask("#It is one.\npurple\nbadgers say\ncanary", 4_000.0);
    ask("#It is two.\npurple\nbadgers say\ncanary", 8_000.0);
    ask("#purple\ncanary", 12_000.0);

    let changes = [
        (Instructions, "purple\nbadgers say\ncanary"),
        (Instructions, "It is one."),
        (Instructions, "It is two."),
        (Instructions, "canary"),
    ];
    assert_eq!(beside(&caller), changes);
}

#[test]
fn the_same_words_with_other_signs_are_other_words() {
    for (first, second) in [
        (">hello", ">hello ... --- .-- 💣"),
        (">I should", ">I should?"),
        (">2+2", ">2-2"),
        (">hello", ">hello \u{2811}\u{2817}"),
    ] {
        let mut caller = Caller::default();
        caller.ask(&request(&[first]), 0.0, "ok");
        caller.ask(&request(&[second]), 9.0, "OK 💊");

        let said = texts(&caller);
        for text in [&first[1..], "ok", &second[1..], "OK 💊"] {
            assert!(said.contains(&text), "{text} of {said:?}");
        }
    }
}

#[test]
fn other_signs_in_earlier_words_are_stored_beside_them() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One"]), 0.0, "Yes.");
    for at in [5.0, 9.0] {
        caller.ask(&request(&[">One 💣", "<Yes.", ">Two"]), at, "No.");
    }

    assert_eq!(beside(&caller), [(Earlier, "One 💣")]);
}
