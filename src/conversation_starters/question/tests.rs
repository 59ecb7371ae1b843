//! The labelled messages.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Case {
    text: String,
    /// `None` if it must not be shown.
    subject: Option<String>,
}

const CASES: [(&str, &str); 6] = [
    (
        "en",
        include_str!("../../../tests/conversation_starters/en.json"),
    ),
    (
        "de",
        include_str!("../../../tests/conversation_starters/de.json"),
    ),
    (
        "fr",
        include_str!("../../../tests/conversation_starters/fr.json"),
    ),
    (
        "es",
        include_str!("../../../tests/conversation_starters/es.json"),
    ),
    (
        "it",
        include_str!("../../../tests/conversation_starters/it.json"),
    ),
    (
        "nl",
        include_str!("../../../tests/conversation_starters/nl.json"),
    ),
];

/// Words that were in private messages, by language.
const PRIVATE_WORDS: &str = include_str!("../../../tests/conversation_starters/private_words.json");

fn subject(text: &str) -> Option<String> {
    question(text).map(|question| question.subject)
}

#[test]
fn of_the_labelled_messages_nothing_private_is_shown_and_most_of_the_rest_is_shown_correctly() {
    let mut all = 0;
    for (language, cases) in CASES {
        let cases: Vec<Case> = serde_json::from_str(cases).unwrap();
        all += cases.len();
        let (mut to_show, mut correct) = (0, 0);
        for Case {
            text,
            subject: expected,
        } in cases
        {
            let found = subject(&text);
            match expected {
                None => assert_eq!(found, None, "{language}: {text}"),
                Some(expected) => {
                    to_show += 1;
                    correct += usize::from(found == Some(expected));
                }
            }
        }
        assert!(to_show >= 10, "{language} has {to_show} to show");
        assert!(
            correct * 10 >= to_show * 8,
            "{language}: {correct} of {to_show}"
        );
    }
    assert!(all >= 120);
}

#[test]
fn of_private_messages_about_harmless_things_none_is_shown() {
    const PRIVATE: &str = include_str!("../../../tests/conversation_starters/private.json");
    let private: HashMap<String, Vec<String>> = serde_json::from_str(PRIVATE).unwrap();

    assert_eq!(private.len(), CASES.len());
    for (language, messages) in private {
        assert!(messages.len() >= 100, "{language}");
        for text in messages {
            assert_eq!(subject(&text), None, "{language}: {text}");
        }
    }
}

#[derive(Deserialize)]
struct Labelled {
    text: String,
    /// Whether a parent would bring it up.
    to_talk_about: bool,
}

#[test]
fn of_mixed_messages_only_those_to_talk_about_are_shown_and_a_third_of_them_at_least() {
    const MIXED: &str = include_str!("../../../tests/conversation_starters/mixed.json");
    let mixed: HashMap<String, Vec<Labelled>> = serde_json::from_str(MIXED).unwrap();

    let all = mixed.values().flatten();
    let shown: Vec<_> = all.filter(|case| subject(&case.text).is_some()).collect();

    for case in &shown {
        assert!(case.to_talk_about, "{}", case.text);
    }
    let count = mixed.values().flatten().count();
    assert!(count >= 300 && shown.len() * 3 >= count, "{}", shown.len());
}

#[test]
fn a_subject_is_a_listed_noun_and_no_particular_thing_at_home() {
    for (text, expected) in [
        ("Why do otters float so well?", Some("otters")),
        ("Why do wallets float so well?", None),
        ("What happens if a rocket lands there?", Some("a rocket")),
        ("What happens if the rocket lands there?", None),
        ("Who invented the car anyway?", Some("the car")),
        ("Why does the car smoke?", None),
        ("Where does bread come from?", Some("bread")),
        ("How does bread get green?", None),
        ("Why do sea turtles swim alone?", None),
        ("Why do sea turtles swim so far?", Some("sea turtles")),
        ("How does a black hole work?", Some("a black hole")),
        ("How does a hole work then?", None),
    ] {
        assert_eq!(subject(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn another_noun_with_an_article_must_be_listed_too() {
    for (text, expected) in [
        ("Why does a boat float on the sea?", Some("a boat")),
        ("Why does a boat float on the carpet?", None),
        (
            "Warum schwimmt ein Schiff auf dem Meer?",
            Some("ein Schiff"),
        ),
        ("Warum schwimmt ein Schiff auf dem Teppich?", None),
    ] {
        assert_eq!(subject(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn one_word_that_is_not_listed_leaves_the_question_out() {
    let text = "What happens if a lake gets turned off?";
    assert_eq!(subject(text), None);
    assert_eq!(
        subject(&text.replace("turned off", "turned blue")),
        Some("a lake".to_owned())
    );
}

#[test]
fn no_private_word_is_listed_and_no_phrase_is_too_long_to_be_found() {
    let private: HashMap<String, String> = serde_json::from_str(PRIVATE_WORDS).unwrap();
    let in_any_language = &private["all"];
    for (language, (code, _)) in LANGUAGES.iter().zip(CASES) {
        let words = format!("{in_any_language} {}", private[code]);
        let words: HashSet<_> = words.split_whitespace().collect();
        let of_kinds = language.kinds.iter().flat_map(|kind| &kind.subjects);
        for phrase in of_kinds.chain(&language.also).chain(&language.before) {
            assert!(!words.contains(phrase.as_str()), "{code}: {phrase}");
            let length = phrase.split(' ').count();
            assert!((1..=LONGEST_PHRASE).contains(&length), "{code}: {phrase}");
            assert!(!phrase.is_empty(), "{code}");
        }
    }
}

#[test]
fn each_language_lists_openings_and_subjects_of_each_kind() {
    for language in LANGUAGES.iter() {
        assert!(language.before.len() > 10);
        assert!(language.also.len() > 300);
        assert!(language.kinds[0].subjects.len() > 150);
        for kind in &language.kinds {
            assert!(!kind.openings.is_empty() && !kind.subjects.is_empty());
        }
    }
}

#[test]
fn the_subject_is_among_the_first_words() {
    for (text, expected) in [
        ("Why does the moon shine at night?", Some("the moon")),
        ("Why is it so dark when the moon is new?", None),
        (
            "Pourquoi brillent les étoiles la nuit ?",
            Some("les étoiles"),
        ),
        ("¿Por qué duerme de día cuando el sol brilla?", None),
    ] {
        assert_eq!(subject(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn the_range_is_where_the_subject_is() {
    let text = "Ähm, warum leuchtet der Mond so hell?";

    let found = question(text).unwrap();

    assert_eq!(found.subject, "der Mond");
    assert_eq!(&text[found.range], "der Mond");
    assert_eq!(found.key, "mond");
}

#[test]
fn singular_and_plural_are_mostly_equal() {
    assert_eq!(key("volcanoes"), "volcanoe");
    assert_eq!(key("bees"), key("bee"));
    assert_eq!(key("gas"), "gas");
    assert!(keys("Do BEES sleep?").contains("bee"));
}

#[test]
fn a_question_has_4_to_25_words_and_no_digit() {
    let rest = "so bright and round up there in the dark sky over all of many hills and towns and woods far away";
    let words = |count: usize| {
        let rest: Vec<_> = rest.split(' ').take(count - 4).collect();
        format!("Why is the moon {}", rest.join(" "))
    };

    assert_eq!(subject("Why is the moon?"), Some("the moon".to_owned()));
    assert_eq!(subject("Why moon?"), None);
    assert_eq!(subject(&words(25)), Some("the moon".to_owned()));
    assert_eq!(subject(&format!("{} again", words(25))), None);
    assert_eq!(
        subject(&format!("{} again", words(24))),
        Some("the moon".to_owned())
    );
    assert_eq!(subject("Why is the moon 3 times brighter?"), None);
}
