//! The labelled messages.

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Case {
    text: String,
    /// `None` if it must not be shown.
    subject: Option<String>,
}

const CASES: [(&str, &str); 6] = [
    ("en", include_str!("../../../tests/curious_cases/en.json")),
    ("de", include_str!("../../../tests/curious_cases/de.json")),
    ("fr", include_str!("../../../tests/curious_cases/fr.json")),
    ("es", include_str!("../../../tests/curious_cases/es.json")),
    ("it", include_str!("../../../tests/curious_cases/it.json")),
    ("nl", include_str!("../../../tests/curious_cases/nl.json")),
];

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
fn two_words_are_excluded_together() {
    let text = "What happens if a lake gets turned off?";
    assert_eq!(subject(text), None);
    assert_eq!(
        subject(&text.replace("turned off", "turned blue")),
        Some("a lake".to_owned())
    );
}

#[test]
fn the_nouns_are_folded_and_no_noun_is_excluded() {
    for rules in RULES.iter() {
        let nouns = rules.nouns.all();
        assert!(nouns.len() > 1000);
        assert_eq!(rules.language.nouns.split("\n\n").count(), 5);
        for noun in nouns {
            assert_eq!(fold(noun), noun);
            let is_excluded = rules.excluded.contains(noun) || EXCLUDED_WORDS.contains(noun);
            assert!(!is_excluded, "{noun}");
        }
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
    assert_eq!(subject(&format!("{} yonder really", words(25))), None);
    assert_eq!(subject("Why is the moon 3 times brighter?"), None);
}
