pub mod test_languages;

use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// Texts that are rightly the same as in English, and those of signs alone.
const SAME_AS_ENGLISH: &[(Language, &[&str])] = &[
    (
        Language::De,
        &["device-and-time", "hours-and-minutes", "label-and-value"],
    ),
    (
        Language::Fr,
        &[
            "device-and-time",
            "hours-and-minutes",
            "minutes",
            "weekly-conversations",
        ],
    ),
    (
        Language::Es,
        &["device-and-time", "label-and-value", "moment"],
    ),
];

/// Texts that don't use all their values in each language: English has two halves of a day and articles of devices, Spanish two
/// words for "and".
const NOT_ALL_VALUES: [&str; 3] = ["time", "list", "device"];

/// The texts of a language by key, each as it stands in the file.
fn texts(language: Language) -> BTreeMap<&'static str, String> {
    let mut texts = BTreeMap::<_, String>::new();
    let mut key = "";
    for line in file(language).lines() {
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let rest = match line.split_once(" =") {
            Some((found, rest)) if !line.starts_with(' ') => {
                key = found;
                assert!(texts.insert(key, String::new()).is_none(), "{key} twice");
                rest
            }
            _ => line,
        };
        let text = texts.get_mut(key).unwrap();
        text.push_str(rest.trim());
        text.push('\n');
    }
    texts
}

/// The names of the values that are inserted or choose a form, except the count that chooses a plural form.
fn values(text: &str) -> BTreeSet<&str> {
    let rest = text.split('$').skip(1);
    rest.map(|rest| {
        let end = rest.find([' ', '}']).unwrap();
        &rest[..end]
    })
    .filter(|name| *name != "count")
    .collect()
}

fn translations() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|it| *it != Language::En)
}

#[test]
fn every_language_has_every_text_with_the_same_values() {
    let english = texts(Language::En);

    for language in translations() {
        let translated = texts(language);
        let keys = |texts: &BTreeMap<_, _>| texts.keys().copied().collect::<Vec<&str>>();
        assert_eq!(keys(&translated), keys(&english), "{language:?}");
        for (key, text) in &english {
            if NOT_ALL_VALUES.contains(key) {
                continue;
            }
            let [found, expected] = [&translated[key], text].map(|text| values(text));
            assert_eq!(found, expected, "{language:?} {key}");
        }
    }
}

#[test]
fn no_translation_is_the_english_text() {
    let english = texts(Language::En);

    for language in translations() {
        let translated = texts(language);
        let same = english
            .iter()
            .filter(|(key, text)| translated[*key] == **text);
        let same = same.map(|(key, _)| *key).collect::<BTreeSet<_>>();
        let (_, expected) = SAME_AS_ENGLISH
            .iter()
            .find(|(it, _)| *it == language)
            .unwrap();
        let expected = expected.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(same, expected, "{language:?}");
    }
}

#[test]
fn the_plural_form_is_that_of_the_language() {
    let minutes = |count| Language::ALL.map(|language| counted(language, "minutes", count));

    assert_eq!(
        minutes(0),
        ["0 minutes", "0 Minuten", "0 minute", "0 minutos"]
    );
    assert_eq!(minutes(1), ["1 minute", "1 Minute", "1 minute", "1 minuto"]);
    assert_eq!(
        minutes(2),
        ["2 minutes", "2 Minuten", "2 minutes", "2 minutos"]
    );
}

#[test]
fn fluents_syntax_in_a_name_stays_text() {
    let name = "{ $last } { -term } { NUMBER(1) }";

    let list = joined(Language::De, vec![name.to_owned(), "Mia".to_owned()]);

    assert_eq!(list, format!("{name} und Mia"));
}
