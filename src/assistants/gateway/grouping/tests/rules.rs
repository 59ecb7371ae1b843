//! How single requests are grouped into sessions.

use super::*;
use crate::conversations::transcripts::MessageKind;
use MessageKind::Earlier;

/// The sessions as one line each: `>` before the child's words, `<` before the assistant's, `…` after an interrupted text.
pub fn sessions(caller: &Caller) -> Vec<String> {
    let transcripts = caller.transcripts().into_values();
    let lines = transcripts.map(|messages| {
        let messages = messages.iter().map(|message| {
            let sign = if message.source == SourceLabel::Child {
                '>'
            } else {
                '<'
            };
            let end = if message.interrupted { "…" } else { "" };
            format!("{sign}{}{end}", caller.read(message))
        });
        messages.collect::<Vec<_>>().join(" ")
    });
    lines.collect()
}

/// What is stored beside the conversations, with its kind.
pub fn beside(caller: &Caller) -> Vec<(MessageKind, &str)> {
    let messages = caller.stored.messages.values();
    let beside = messages.filter_map(|message| Some((message.kind?, message.text.as_str())));
    beside.collect()
}

/// All texts that are stored, in any form.
pub fn texts(caller: &Caller) -> Vec<&str> {
    let messages = caller.stored.messages.values();
    messages.map(|message| message.text.as_str()).collect()
}

#[test]
fn a_history_continues_its_session_and_confirms_the_answer() {
    let mut caller = Caller::default();
    caller.ask(&request(&["#Be kind.", ">One?"]), 0.0, "Yes, one.");
    let other = caller.ask(&request(&["#Be kind.", ">Two?"]), 5.0, "Yes, two.");
    let begun = caller.ask(
        &request(&["#Be brief.", ">One?", "<yes one", ">Why?"]),
        9.0,
        "So.",
    );

    assert!(other.is_new && !begun.is_new);
    assert_eq!(
        sessions(&caller),
        [">One? <Yes, one. >Why? <So.", ">Two? <Yes, two."]
    );
    assert_eq!(begun.added.confirmed.len(), 1);
    let stored = caller.stored.messages.values();
    let generated = stored.filter(|it| it.generated).count();
    assert_eq!(generated, 2);
}

#[test]
fn a_session_ends_after_thirty_minutes() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes, one.");
    let within = caller.ask(&request(&[">One?", "<Yes, one.", ">Two?"]), 1_800.0, "Two.");
    let history = [">One?", "<Yes, one.", ">Two?", "<Two.", ">Three?"];
    let beyond = caller.ask(&request(&history), 3_601.0, "Three.");

    assert!(!within.is_new && beyond.is_new);
    assert_eq!(
        sessions(&caller),
        [">One? <Yes, one. >Two? <Two.", ">Three? <Three."]
    );
}

#[test]
fn an_explicit_id_decides_and_other_ids_only_separate() {
    let mut caller = Caller::default();
    let mut begin = |id: &str, user: &str, messages: &[&str]| {
        let headers = [("X-Porchlight-Session", id)];
        let request = request_with(messages, &headers, &json!({"user": user}));
        caller.ask(&request, 0.0, "Yes.").place
    };

    let first = begin("a", "", &[">One?"]);
    assert_ne!(begin("b", "", &[">One?", "<Yes.", ">Two?"]), first);
    assert_eq!(begin("a", "", &[">Something else?"]), first);
    assert_ne!(begin("", "", &[">One?", "<Yes.", ">Two?"]), first);

    let ada = begin("", "ada", &[">Red?"]);
    let bob = begin("", "bob", &[">Red?", "<Yes.", ">Blue?"]);
    assert_ne!(ada, bob);
    assert_eq!(begin("", "ada", &[">Red?", "<Yes.", ">Green?"]), ada);
}

#[test]
fn what_was_not_heard_stays_in_the_text() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">Why?"]), 0.0, "Because it is so far away.");
    let begun = caller.ask(&request(&[">Why?", "<Because it", ">What?"]), 5.0, "Far.");

    assert_eq!(sessions(&caller), [">Why? <Because it… >What? <Far."]);
    assert_eq!(begun.added.heard.len(), 1);
    assert!(texts(&caller).contains(&"Because it is so far away."));

    // Another text in its place is stored beside it.
    let history = [">Why?", "<Something else", ">What?", "<Far.", ">Ah."];
    caller.ask(&request(&history), 9.0, "Yes.");
    assert_eq!(
        sessions(&caller),
        [">Why? <Because it… >What? <Far. >Ah. <Yes."]
    );
    assert_eq!(beside(&caller), [(Earlier, "Something else")]);
}

#[test]
fn what_the_client_says_by_itself_is_added() {
    let mut caller = Caller::default();
    caller.ask(&request(&["<Hi, I am Bo!", ">Hello."]), 0.0, "How are you?");
    let history = [
        "<Hi, I am Bo!",
        ">Hello.",
        "<How are you?",
        "<It is bedtime.",
        ">No!",
    ];
    caller.ask(&request(&history), 60.0, "Yes.");

    assert_eq!(
        sessions(&caller),
        ["<Hi, I am Bo! >Hello. <How are you? <It is bedtime. >No! <Yes."]
    );
}

#[test]
fn examples_for_the_model_stand_beside_the_conversation() {
    let mut caller = Caller::default();
    for (at, words) in [(0.0, ">One?"), (60.0, ">Two?")] {
        caller.ask(&request(&[">Sing.", "<La.", words]), at, "Yes.");
    }

    assert_eq!(sessions(&caller), [">One? <Yes.", ">Two? <Yes."]);
    // They are stored once.
    assert_eq!(beside(&caller), [(Earlier, "Sing."), (Earlier, "La.")]);
}

#[test]
fn the_same_words_after_a_failure_are_a_retry() {
    let mut caller = Caller::default();
    let first = caller.begin(&request(&[">One?"]), time(0.0));
    caller.failed(first.turn, time(1.0));
    let second = caller.ask(&request(&[">One?"]), 2.0, "Yes.");

    assert!(second.added.messages.is_empty() && !second.is_new);
    assert_eq!(sessions(&caller), [">One? <Yes."]);
    // After a whole answer they are a new conversation.
    assert!(caller.ask(&request(&[">One?"]), 9.0, "Yes.").is_new);
}

#[test]
fn the_same_words_after_an_answer_get_a_second_answer() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    let again = request(&[">One?", "<Yes.", ">Two?"]);
    caller.ask(&again, 5.0, "No.");
    let repeated = caller.ask(&again, 9.0, "Perhaps.");
    caller.ask(&again, 12.0, "Perhaps.");
    caller.ask(&again, 15.0, "Perhaps!");

    assert!(repeated.added.messages.is_empty());
    assert_eq!(
        sessions(&caller),
        [">One? <Yes. >Two? <No. <Perhaps. <Perhaps!"]
    );
}

#[test]
fn an_answer_that_the_client_discards_stays() {
    let mut caller = Caller::default();
    let first = caller.begin(&request(&[">One?"]), time(0.0));
    let mut cut = answer("Yes, it is");
    cut.cut = Some(CutBy::Server);
    caller.answered(first.turn, &cut, time(1.0));
    let retry = request_with(&[">One?"], &[("X-Stainless-Retry-Count", "1")], &json!({}));
    caller.ask(&retry, 3.0, "Yes.");

    assert_eq!(sessions(&caller), [">One? <Yes, it is… <Yes."]);
}

#[test]
fn other_words_in_the_same_place_leave_both() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    caller.ask(&request(&[">One?", "<Yes.", ">Two?"]), 5.0, "No.");
    caller.ask(&request(&[">One?", "<Yes.", ">Three?"]), 60.0, "Perhaps.");

    assert_eq!(
        sessions(&caller),
        [">One? <Yes. >Two? <No. >Three? <Perhaps."]
    );
}

#[test]
fn a_longer_form_within_three_seconds_is_a_revision_if_nothing_was_passed_on() {
    let mut caller = Caller::default();
    let early = caller.begin(&request(&[">Tell me a joke"]), time(0.0));
    caller.failed(early.turn, time(0.5));
    caller.ask(&request(&[">Tell me a joke about cats."]), 1.0, "Meow.");
    let history = [">Tell me a joke about cats.", "<Meow.", ">Another"];
    caller.ask(&request(&history), 20.0, "Moo.");
    let history = [">Tell me a joke about cats.", "<Meow.", ">Another one."];
    caller.ask(&request(&history), 22.0, "Woof.");

    assert_eq!(
        sessions(&caller),
        [">Tell me a joke about cats. <Meow. >Another <Moo. >Another one. <Woof."]
    );
}

#[test]
fn answered_words_are_never_replaced_by_longer_ones() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">No"]), 0.0, "All right.");
    caller.ask(&request(&[">Nobody loves me"]), 1.0, "I am sorry.");

    assert_eq!(
        sessions(&caller),
        [">No <All right. >Nobody loves me <I am sorry."]
    );
}

#[test]
fn several_new_words_are_all_stored_in_their_order() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">Tell me", ">a joke."]), 0.0, "Meow.");
    let history = [">Tell me", ">a joke.", "<Meow.", ">Thanks.", ">Bye."];
    caller.ask(&request(&history), 9.0, "Bye.");

    assert_eq!(
        sessions(&caller),
        [">Tell me >a joke. <Meow. >Thanks. >Bye. <Bye."]
    );
}

#[test]
fn a_client_without_memory_gets_one_session_per_sitting() {
    let mut caller = Caller::default();
    for (at, words) in [">One?", ">Two?", ">Three?", ">Four?", ">Five?"]
        .iter()
        .enumerate()
    {
        caller.ask(&request(&[words]), 60.0 * at as f64, "Yes.");
    }

    assert_eq!(
        sessions(&caller),
        [
            ">One? <Yes.",
            ">Two? <Yes.",
            ">Three? <Yes. >Four? <Yes. >Five? <Yes."
        ]
    );
}

#[test]
fn a_client_without_memory_says_the_same_words_again() {
    let mut caller = Caller::default();
    for (at, words) in [">One?", ">Two?", ">Three?", ">Yes.", ">Yes."]
        .iter()
        .enumerate()
    {
        caller.ask(
            &request(&[words]),
            60.0 * at as f64,
            &format!("Answer {at}."),
        );
    }

    assert_eq!(
        sessions(&caller)[2],
        ">Three? <Answer 2. >Yes. <Answer 3. >Yes. <Answer 4."
    );
}

#[test]
fn an_instruction_at_the_end_adds_no_words() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    let begun = caller.ask(&request(&[">One?", "<Yes.", "#Say goodbye."]), 60.0, "Bye.");

    assert!(!begun.is_new);
    assert_eq!(sessions(&caller), [">One? <Yes. <Bye."]);
}

#[test]
fn answers_that_come_out_of_order_follow_their_words() {
    let mut caller = Caller::default();
    let one = caller.begin(&request(&[">One?"]), time(0.0));
    let two = caller.begin(&request(&[">Two?"]), time(1.0));
    caller.answered(two.turn, &answer("Yes, two."), time(2.0));
    caller.answered(one.turn, &answer("Yes, one."), time(3.0));
    caller.ask(&request(&[">One?", "<Yes, one.", ">Red?"]), 9.0, "Red.");

    assert_eq!(
        sessions(&caller),
        [">One? <Yes, one. >Red? <Red.", ">Two? <Yes, two."]
    );
}

#[test]
fn an_answer_that_was_interrupted_by_the_next_words_stands_before_them() {
    let mut caller = Caller::default();
    let one = caller.begin(&request(&[">One?"]), time(0.0));
    let two = caller.begin(&request(&[">One?", "<Yes,", ">Two?"]), time(3.0));
    let mut interrupted = answer("Yes, one.");
    interrupted.cut = Some(CutBy::Client);
    interrupted.began = Some(time(1.0));
    caller.answered(one.turn, &interrupted, time(4.0));
    caller.answered(two.turn, &answer("Yes, two."), time(5.0));
    assert_eq!(sessions(&caller), [">One? <Yes… >Two? <Yes, two."]);

    let history = [">One?", "<Yes,", ">Two?", "<Yes, two.", ">Three?"];
    caller.begin(&request(&history), time(9.0));
    assert_eq!(sessions(&caller), [">One? <Yes… >Two? <Yes, two. >Three?"]);
}

#[test]
fn an_answer_to_a_forgotten_session_is_kept() {
    let mut caller = Caller::default();
    let slow = caller.begin(&request(&[">Slow?"]), time(0.0));
    for number in 0..40 {
        caller.ask(
            &request(&[&format!(">Number {number}?"), "<No."]),
            1.0,
            "Yes.",
        );
    }
    caller.answered(slow.turn, &answer("Here."), time(60.0));

    assert_eq!(sessions(&caller)[0], ">Slow? <Here.");
}

#[test]
fn an_empty_answer_is_no_message_and_an_error_is_a_failure() {
    let mut caller = Caller::default();
    let first = caller.ask(&request(&[">One?"]), 0.0, " ");
    let mut error = answer("");
    error.has_error = true;
    let history = request(&[">One?", ">Two?"]);
    let second = caller.begin(&history, time(5.0));
    caller.answered(second.turn, &error, time(5.0));
    let third = caller.ask(&history, 6.0, "Yes.");

    assert_eq!((second.place, third.place), (first.place, first.place));
    assert_eq!(sessions(&caller), [">One? >Two? <Yes."]);
}

#[test]
fn what_is_remembered_is_bounded_and_has_no_text() {
    let mut caller = Caller::default();
    for number in 0..40 {
        let mut history = Vec::new();
        for turn in 0..4 {
            let now = 4.0 * f64::from(number) + f64::from(turn);
            history.push(format!(">{number} {turn} {}", "canary words ".repeat(200)));
            let texts = history.iter().map(String::as_str).collect::<Vec<_>>();
            let said = format!("{number} {turn} {}", "and a canary answer ".repeat(200));
            caller.ask(&request(&texts), now, &said);
            history.push(format!("<{said}"));
        }
    }

    let sessions = serde_json::to_string(&caller.tracker.sessions).unwrap();
    let rest = serde_json::to_string(&caller.tracker).unwrap();
    assert_eq!(caller.tracker.sessions.len(), 32);
    assert!(sessions.len() < 32 * 2_000, "{}", sessions.len());
    assert!(rest.len() < 10_000, "{}", rest.len());
    assert!(!sessions.contains("canary") && !rest.contains("canary"));
}
