//! Checks an e-mail in each language, for the tests of those who compose it.

use std::collections::BTreeSet;

use super::Draft;
use crate::kernel::host::language::Language;
use crate::kernel::outgoing::mail::Email;

/// The English e-mails: each with its subject, a line for each paragraph of the plain text, and one for each of the HTML.
const ENGLISH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/emails.txt");

/// Words of English that no other language has.
const ENGLISH_WORDS: [&str; 12] = [
    "the", "you", "your", "and", "were", "this", "with", "if", "from", "have", "of", "hello",
];

/// Colours of text and backgrounds, and the classes by which the dark mode replaces them.
const COLOURS: [(&str, &[&str]); 5] = [
    (";color:#262b45", &["ink"]),
    (";color:#565b73", &["muted"]),
    ("background-color:#3f4a8c", &["button", "bar"]),
    ("background-color:#fceed6", &["note"]),
    ("background-color:#f7f4ee", &["page"]),
];

/// Compares the English e-mail with the one that is written down, looks for English in the others, and for colours that the dark
/// mode doesn't replace.
pub fn check_in_each_language(name: &str, draft: impl Fn(Language) -> Draft) {
    let to = "ada@example.org".parse().unwrap();
    for language in Language::ALL {
        let email = draft(language).to(Some("Ada <b>"), &to);
        assert!(
            email
                .html
                .contains(&format!("lang=\"{}\"", language.code())),
            "{name}"
        );
        assert!(email.html.contains("Ada &lt;b&gt;"), "{name}");
        assert_dark_mode_replaces_colours(&email.html);
        let lines = lines(&email);
        assert!(!lines.contains(['{', '}']), "{language:?} {name}: {lines}");
        if language == Language::En {
            assert_eq!(lines, written_down(name), "{name}");
        } else {
            let lines = lines.to_lowercase();
            let words = lines.split(|character: char| !character.is_alphabetic());
            let words = words.collect::<BTreeSet<_>>();
            for word in ENGLISH_WORDS {
                assert!(!words.contains(word), "{language:?} {name}: {word}");
            }
        }
    }
}

fn assert_dark_mode_replaces_colours(html: &str) {
    let mut found = 0;
    for tag in html.split('<') {
        let (_, class) = tag.split_once("class=\"").unwrap_or_default();
        let classes = class.split('"').next().unwrap_or_default();
        let classes = classes.split(' ').collect::<Vec<_>>();
        for (colour, expected) in COLOURS {
            if tag.contains(colour) {
                found += 1;
                let is_replaced = classes.iter().any(|class| expected.contains(class));
                assert!(is_replaced, "{tag}");
            }
        }
    }
    assert!(found >= 4, "{found}");
}

fn written_down(name: &str) -> String {
    let all = std::fs::read_to_string(ENGLISH).unwrap();
    let mut all = all.split("=== ").filter_map(|it| it.split_once('\n'));
    let found = all.find(|(title, _)| *title == name);
    found.unwrap_or_else(|| panic!("no {name}")).1.to_owned()
}

fn lines(email: &Email) -> String {
    let paragraphs = email.text.trim_end().split("\n\n");
    let text = paragraphs.map(|paragraph| paragraph.replace('\n', " "));
    let (_, body) = email.html.split_once("Porchlight\n").unwrap();
    let html = body.replace("<br>", " ");
    let html = html.lines().map(|line| {
        let texts = line.split('<').filter_map(|tag| tag.split_once('>'));
        texts.map(|(_, text)| text).collect::<String>()
    });
    let html = html.filter(|line| !line.is_empty());
    let all = [email.subject.clone()].into_iter().chain(text).chain(html);
    all.map(|line| line + "\n").collect()
}
