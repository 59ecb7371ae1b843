//! How single requests are grouped into sessions.

use super::*;

/// The sessions as one line each: `>` before the child's words, `<` before the assistant's, `…` after an interrupted text.
fn sessions(caller: &Caller) -> Vec<String> {
    let transcripts = caller.transcripts().into_values();
    let lines = transcripts.map(|messages| {
        let messages = messages.iter().map(|message| {
            let sign = if message.speaker == Speaker::Child {
                '>'
            } else {
                '<'
            };
            let end = if message.interrupted { "…" } else { "" };
            format!("{sign}{}{end}", message.text)
        });
        messages.collect::<Vec<_>>().join(" ")
    });
    lines.collect()
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
    assert_eq!(begun.confirmed.len(), 1);
    let generated = caller.messages.values().filter(|it| it.generated).count();
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
fn what_was_heard_replaces_what_was_generated() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">Why?"]), 0.0, "Because it is so far away.");
    let begun = caller.ask(&request(&[">Why?", "<Because it", ">What?"]), 5.0, "Far.");

    assert_eq!(sessions(&caller), [">Why? <Because it… >What? <Far."]);
    assert_eq!(
        (begun.messages[0].revision, begun.messages[0].generated),
        (1, false)
    );

    // Another text in its place is ignored.
    let history = [">Why?", "<Something else", ">What?", "<Far.", ">Ah."];
    caller.ask(&request(&history), 9.0, "Yes.");
    assert_eq!(
        sessions(&caller),
        [">Why? <Because it… >What? <Far. >Ah. <Yes."]
    );
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
fn examples_for_the_model_are_not_added() {
    let mut caller = Caller::default();
    for (at, words) in [(0.0, ">One?"), (60.0, ">Two?")] {
        caller.ask(&request(&[">Sing.", "<La.", words]), at, "Yes.");
    }

    assert_eq!(sessions(&caller), [">One? <Yes.", ">Two? <Yes."]);
}

#[test]
fn the_same_words_after_a_failure_are_a_retry() {
    let mut caller = Caller::default();
    let first = caller.begin(&request(&[">One?"]), time(0.0));
    caller.failed(first.turn, time(1.0));
    let second = caller.ask(&request(&[">One?"]), 2.0, "Yes.");

    assert!(second.is_repeated && !second.is_new);
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
    caller.ask(&again, 12.0, "Perhaps!");

    assert!(repeated.is_repeated);
    assert_eq!(sessions(&caller), [">One? <Yes. >Two? <No. <Perhaps."]);
}

#[test]
fn an_answer_that_the_client_discards_is_replaced() {
    let mut caller = Caller::default();
    let first = caller.begin(&request(&[">One?"]), time(0.0));
    let mut cut = answer("Yes, it is");
    cut.cut = Some(CutBy::Upstream);
    caller.answered(first.turn, &cut, time(1.0));
    let retry = request_with(&[">One?"], &[("X-Stainless-Retry-Count", "1")], &json!({}));
    let failed = caller.begin(&retry, time(2.0));
    caller.failed(failed.turn, time(2.0));
    assert_eq!(sessions(&caller), [">One? <Yes, it is…"]);
    caller.ask(&retry, 3.0, "Yes.");

    assert_eq!(sessions(&caller), [">One? <Yes."]);
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
fn a_longer_form_within_three_seconds_is_a_revision() {
    let mut caller = Caller::default();
    let early = caller.begin(&request(&[">Tell me a joke"]), time(0.0));
    caller.ask(&request(&[">Tell me a joke about cats."]), 1.0, "Meow.");
    // The answer to the shorter one was never spoken.
    caller.answered(early.turn, &answer("Knock, knock."), time(2.0));
    let history = [">Tell me a joke about cats.", "<Meow.", ">Another"];
    caller.ask(&request(&history), 20.0, "Moo.");
    let history = [">Tell me a joke about cats.", "<Meow.", ">Another one."];
    caller.ask(&request(&history), 22.0, "Woof.");
    let history = [
        ">Tell me a joke about cats.",
        "<Meow.",
        ">Another one. Please!",
    ];
    caller.ask(&request(&history), 40.0, "Baa.");

    assert_eq!(
        sessions(&caller),
        [">Tell me a joke about cats. <Meow. >Another one. <Woof. >Another one. Please! <Baa."]
    );
}

#[test]
fn of_several_new_words_the_earlier_wait_for_a_later_history() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">Tell me", ">a joke."]), 0.0, "Meow.");
    assert_eq!(sessions(&caller), [">a joke. <Meow."]);
    caller.ask(
        &request(&[">Tell me", ">a joke.", "<Meow.", ">Thanks."]),
        9.0,
        "Yes.",
    );
    assert_eq!(
        sessions(&caller),
        [">Tell me >a joke. <Meow. >Thanks. <Yes."]
    );

    // A program's words are in one request only.
    caller.ask(&request(&[">It is noon.", ">Red?"]), 20.0, "Yes.");
    caller.ask(&request(&[">Red?", "<Yes.", ">Blue?"]), 30.0, "No.");
    caller.end(time(40.0));
    assert_eq!(sessions(&caller)[1], ">Red? <Yes. >Blue? <No.");
}

#[test]
fn waiting_words_are_kept_when_the_session_ends() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">Tell me", ">a joke."]), 0.0, "Meow.");
    caller.end(time(9.0));

    assert_eq!(sessions(&caller), [">Tell me >a joke. <Meow."]);
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
fn a_background_request_is_folded_and_moves_in_with_a_history() {
    let mut caller = Caller::default();
    let structured = json!({"response_format": {"type": "json_object"}});
    let first = caller.ask(
        &request_with(&[">A planet?"], &[], &structured),
        0.0,
        "Mars.",
    );
    assert_eq!(first.background, Some(BackgroundReason::StructuredOutput));
    assert!(sessions(&caller).is_empty());
    assert_eq!(caller.messages.len(), 2);

    let begun = caller.ask(
        &request(&[">A planet?", "<Mars.", ">Why?"]),
        9.0,
        "It is red.",
    );
    assert_eq!(begun.moved_in.len(), 1);
    assert_eq!(sessions(&caller), [">A planet? <Mars. >Why? <It is red."]);
}

#[test]
fn a_background_request_of_a_known_session_moves_into_its_place() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    let check = request_with(&[">One?", "<Yes.", ">Two?"], &[], &json!({"max_tokens": 5}));
    let folded = caller.ask(&check, 5.0, "No.");
    assert_eq!(folded.background, Some(BackgroundReason::Probe));
    let Place::Session(session) = caller.messages.values().next().unwrap().place else {
        panic!("the first words are in a session")
    };
    assert_eq!(folded.beside, Some(session));
    let history = [">One?", "<Yes.", ">Two?", "<No.", ">Three?"];
    let begun = caller.ask(&request(&history), 9.0, "Yes, three.");

    assert!(!begun.is_new);
    assert_eq!(
        sessions(&caller),
        [">One? <Yes. >Two? <No. >Three? <Yes, three."]
    );
}

#[test]
fn a_quotation_of_a_session_is_background() {
    let mut caller = Caller::default();
    caller.ask(
        &request(&[">Why is the sea salty?"]),
        0.0,
        "Rivers wash salt into it.",
    );
    let summary = request(&[">Sum up: 'Why is the sea salty?' / 'Rivers wash salt into it.'"]);

    let begun = caller.begin(&summary, time(9.0));
    assert_eq!(begun.background, Some(BackgroundReason::Quotation));
}

#[test]
fn an_instruction_at_the_end_adds_no_words() {
    let mut caller = Caller::default();
    caller.ask(&request(&[">One?"]), 0.0, "Yes.");
    let begun = caller.ask(&request(&[">One?", "<Yes.", "#Say goodbye."]), 60.0, "Bye.");

    assert!(!begun.is_new && begun.messages.is_empty());
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
    assert_eq!(sessions(&caller), [">One? <Yes, one.… >Two? <Yes, two."]);

    let history = [">One?", "<Yes,", ">Two?", "<Yes, two.", ">Three?"];
    caller.begin(&request(&history), time(9.0));
    assert_eq!(sessions(&caller), [">One? <Yes,… >Two? <Yes, two. >Three?"]);
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
fn the_memory_is_bounded() {
    let mut grouping = Grouping::default();
    for number in 0..10 {
        let now = time(f64::from(number));
        let mut history = Vec::new();
        for turn in 0..12 {
            history.push(format!(">{number} {turn} {}", "long words ".repeat(2_000)));
            let texts = history.iter().map(String::as_str).collect::<Vec<_>>();
            let begun = grouping.begin(&request(&texts), now);
            let answer = answer(&format!(
                "{number} {turn} {}",
                "and an answer ".repeat(2_000)
            ));
            grouping.answered(begun.turn, &answer, now);
            history.push(format!("<{}", answer.text));
        }
    }

    let stored = serde_json::to_vec(&grouping).unwrap();
    assert!(stored.len() < 1_200_000, "{}", stored.len());
    assert!(stored.len() > 500_000, "{}", stored.len());
}
