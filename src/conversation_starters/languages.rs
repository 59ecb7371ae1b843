//! What a harmless question may say, by language. The lists are text files, so that somebody who speaks the language can check them.
//!
//! A file has paragraphs: words before a question, then openings and their subjects, then what else may stand in a question. Subjects are
//! harmless in any question, except those of three more kinds: where something comes from, who invented it (nobody asks that about
//! their own car), and exact questions, such as why cats purr (a child may ask much else about its own cat).
//!
//! Commas separate phrases. `a/an: star, planet` stands for "a star", "an star", "a planet" and "an planet", and `the/-: stars` for
//! "the stars" and "stars". An opening such as `why do … purr` is one only if the words after the dots follow later.
//!
//! A word that says something about a person beside a subject is listed only in a phrase: not "they", but "because they"; not
//! "back", but "came back". Spanish and Italian leave out pronouns ("è tra le stelle"), so prepositions, "has" and nouns with "a"
//! aren't listed by themselves, either.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::{joined, split};

pub static LANGUAGES: LazyLock<[LanguagePhrases; 6]> =
    LazyLock::new(|| FILES.map(LanguagePhrases::of));

const FILES: [&str; 6] = [
    include_str!("languages/en.txt"),
    include_str!("languages/de.txt"),
    include_str!("languages/fr.txt"),
    include_str!("languages/es.txt"),
    include_str!("languages/it.txt"),
    include_str!("languages/nl.txt"),
];

pub struct LanguagePhrases {
    /// Words before a question that don't belong to it.
    pub before: HashSet<String>,
    pub kinds: [Kind; 4],
    /// What else may stand in a question, with the subjects of the first kind.
    pub also: HashSet<String>,
}

/// The openings of some questions, and what these may be about.
pub struct Kind {
    pub openings: Vec<Opening>,
    pub subjects: HashSet<String>,
}

pub struct Opening {
    pub begins_with: String,
    /// Words that must follow later; often none.
    pub then: String,
}

impl LanguagePhrases {
    fn of(file: &str) -> Self {
        let general = phrases(file, "subjects");
        let kind = |name: &str, others: &HashSet<String>| Kind {
            openings: openings(file, &format!("{name}openings")),
            subjects: &phrases(file, &format!("{name}subjects")) | others,
        };
        Self {
            before: phrases(file, "before"),
            kinds: [
                kind("", &general),
                kind("origin ", &general),
                kind("invention ", &general),
                kind("exact ", &HashSet::new()),
            ],
            also: &phrases(file, "also") | &general,
        }
    }
}

fn openings(file: &str, heading: &str) -> Vec<Opening> {
    let openings = paragraph(file, heading).flat_map(|line| line.split(','));
    let parts = openings.map(|opening| opening.split_once('…').unwrap_or((opening, "")));
    let opening = |(begins_with, then)| Opening {
        begins_with: folded(begins_with),
        then: folded(then),
    };
    parts.map(opening).collect()
}

fn phrases(file: &str, heading: &str) -> HashSet<String> {
    let lines = paragraph(file, heading);
    let lines = lines.map(|line| line.split_once(':').unwrap_or(("", line)));
    let phrases = lines.flat_map(|(articles, nouns)| {
        let of_article = move |article| nouns.split(',').map(move |noun| (article, noun));
        articles.split('/').flat_map(of_article)
    });
    phrases
        .map(|(article, noun)| folded(&format!("{article} {noun}")))
        .collect()
}

/// A phrase as it is compared.
fn folded(phrase: &str) -> String {
    joined(&split(phrase))
}

/// The lines below a heading.
fn paragraph<'f>(file: &'f str, heading: &str) -> impl Iterator<Item = &'f str> {
    let mut paragraphs = file.split("\n\n");
    let lines = paragraphs.find_map(|paragraph| {
        let lines = paragraph.strip_prefix(heading)?;
        lines.strip_prefix('\n')
    });
    lines.unwrap_or_default().lines()
}
