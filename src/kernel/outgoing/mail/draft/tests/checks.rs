//! Checks an e-mail in each language and in the test languages, for the tests of those who compose it.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use crate::kernel::host::language::Language;
use crate::kernel::host::texts::tests::test_languages::{TestLanguage, composed_in, english_words};
use crate::kernel::outgoing::mail::Email;
use crate::kernel::outgoing::mail::draft::{Draft, WIDTH};

/// The English e-mails: each with its subject, a line for each paragraph of the plain text, and one for each of the HTML.
const ENGLISH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots/emails.txt");

/// Words of English that no other language has.
const ENGLISH_WORDS: [&str; 12] = [
    "the", "you", "your", "and", "were", "this", "with", "if", "from", "have", "of", "hello",
];

/// What is in no language: names, and the rest of an address.
const NAMES: [&str; 38] = [
    "Ada",
    "Berlin",
    "Europe",
    "Firefox",
    "Kim",
    "Meer",
    "Mia",
    "Mimi",
    "Mond",
    "Noah",
    "Porchlight",
    "Theo",
    "Tiere",
    "UTC",
    "ada",
    "address",
    "an",
    "blue",
    "check",
    "dedyn",
    "example",
    "gt",
    "https",
    "iPhone",
    "io",
    "is",
    "lamp",
    "localhost",
    "lt",
    "my",
    "nbsp",
    "net",
    "online",
    "org",
    "porchlight",
    "small",
    "token",
    "vier",
];

/// A name that is one word.
const LONG_NAME: &str = "Wolfeschlegelsteinhausenbergerdorffvoralternwaren";

/// A folder for the e-mails as HTML, which `make languages` looks at in a browser: `alerts.de.html`.
const FOLDER: &str = "EMAILS";

/// Colours of text and backgrounds, and the classes by which the dark mode replaces them.
const COLOURS: [(&str, &[&str]); 5] = [
    (";color:#262b45", &["ink"]),
    (";color:#565b73", &["muted"]),
    ("background-color:#3f4a8c", &["button", "bar"]),
    ("background-color:#fceed6", &["note"]),
    ("background-color:#f7f4ee", &["page"]),
];

/// Compares the English e-mail with the one that is written down, looks for English in the others, for lines that are too long,
/// and for colours that the dark mode doesn't replace.
pub fn check_in_each_language(name: &str, draft: impl Fn(Language) -> Draft) {
    let to = "ada@example.org".parse().unwrap();
    for language in Language::ALL {
        let email = draft(language).to(Some("Ada <b>"), &to);
        keep(
            name,
            language.code(),
            &draft(language).to(Some(LONG_NAME), &to),
        );
        assert_lines_are_short(&email);
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
    for language in TestLanguage::ALL {
        let compose = |reader| composed_in(language, || draft(Language::En).to(Some(reader), &to));
        keep(name, language.name(), &compose(LONG_NAME));
        if language == TestLanguage::Accented {
            let email = compose("Ada <b>");
            assert_lines_are_short(&email);
            let lines = lines(&email);
            assert_eq!(english_words(&lines, &NAMES), [""; 0], "{name}: {lines}");
        }
    }
}

/// Writes it into the folder of the environment, if there is one.
fn keep(name: &str, language: &str, email: &Email) {
    if let Some(folder) = env::var_os(FOLDER) {
        let file = Path::new(&folder).join(format!("{name}.{language}.html"));
        fs::write(file, &email.html).unwrap();
    }
}

/// A line of the plain text is too long only if it is one word, such as a link.
fn assert_lines_are_short(email: &Email) {
    for line in email.text.lines() {
        let is_short = line.chars().count() <= WIDTH || !line.trim_start().contains(' ');
        assert!(is_short, "{line}");
    }
    assert!(!email.subject.contains('\n') && !email.subject.is_empty());
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
    let all = fs::read_to_string(ENGLISH).unwrap();
    let mut all = all.split("=== ").filter_map(|it| it.split_once('\n'));
    let found = all.find(|(title, _)| *title == name);
    found.unwrap_or_else(|| panic!("no {name}")).1.to_owned()
}

fn lines(email: &Email) -> String {
    let paragraphs = email.text.trim_end().split("\n\n");
    let text = paragraphs.map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
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
