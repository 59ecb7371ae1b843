//! Recognizes a question that a parent could talk about with a child, and what it is about.
//!
//! A question is shown only if it begins with a listed opening, has a harmless subject, and each other word is listed, too. So
//! nothing has to be known about what is private: a word that nobody listed is enough to leave the message out.

use std::collections::HashSet;
use std::ops::Range;

use super::languages::{Kind, LANGUAGES, LanguagePhrases};
use super::words::{Word, joined, split};

/// How many words a question has.
const WORDS: std::ops::RangeInclusive<usize> = 4..=25;

/// Longer texts are no questions of 25 words.
const MAX_BYTES: usize = 400;

/// The maximum number of words of a listed phrase.
const LONGEST_PHRASE: usize = 6;

/// How many phrases may come before the subject. What comes later may not be what the question is about.
const MAX_BEFORE: usize = 2;

/// The minimum length of a key and of a word without its plural's ending, in characters.
const FEWEST_LETTERS: usize = 3;

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// As it was said, such as "the moon".
    pub subject: String,
    /// Where it is in the text, in bytes.
    pub range: Range<usize>,
    /// Equal for questions about the same.
    pub key: String,
}

/// What the message asks about; `None` if it isn't a question to show.
pub fn question(text: &str) -> Option<Question> {
    if text.len() > MAX_BYTES
        || !WORDS.contains(&text.split_whitespace().count())
        || text.contains(|character: char| {
            character.is_ascii_digit() || "@/\\<>+=%*".contains(character)
        })
    {
        return None;
    }
    let words = split(text);
    LANGUAGES
        .iter()
        .find_map(|language| asked(language, &words, text))
}

fn asked(language: &LanguagePhrases, words: &[Word], text: &str) -> Option<Question> {
    let is_before = |word: &&Word| language.before.contains(&word.folded);
    let rest = &words[words.iter().take_while(is_before).count()..];
    let joined = joined(rest);
    language.kinds.iter().find_map(|kind| {
        kind.openings.iter().find_map(|opening| {
            let after = joined.strip_prefix(&opening.begins_with)?;
            if !after.is_empty() && !after.starts_with(' ') {
                return None;
            }
            let after = &rest[opening.begins_with.split(' ').count()..];
            let subject = subject(language, kind, after, &opening.then)?;
            let (first, last) = (after.get(subject.start)?, after[subject].last()?);
            let range = first.range.start..last.range.end;
            Some(Question {
                subject: text.get(range.clone())?.to_owned(),
                range,
                key: key(&last.folded),
            })
        })
    })
}

/// The words of the subject, if all words are parts of listed phrases. The longest phrase counts: "the sea turtles" are not "the sea".
fn subject(
    language: &LanguagePhrases,
    kind: &Kind,
    words: &[Word],
    then: &str,
) -> Option<Range<usize>> {
    let mut found = None;
    let mut is_complete = then.is_empty();
    let (mut at, mut before) = (0, 0);
    while at < words.len() {
        let ends = (at + 1..=words.len().min(at + LONGEST_PHRASE)).rev();
        let mut phrases = ends.map(|end| (joined(&words[at..end]), end));
        at = phrases.find_map(|(phrase, end)| {
            if before <= MAX_BEFORE && kind.subjects.contains(&phrase) {
                found.get_or_insert(at..end);
            } else if phrase == then {
                is_complete = true;
            } else if !language.also.contains(&phrase) {
                return None;
            }
            Some(end)
        })?;
        before += 1;
    }
    found.filter(|_| is_complete)
}

/// The form of a word in which its singular and its plural are mostly equal.
pub fn key(folded: &str) -> String {
    let stem = folded.strip_suffix('s').unwrap_or(folded);
    let is_long = stem.chars().count() >= FEWEST_LETTERS;
    if is_long { stem } else { folded }.to_owned()
}

/// The keys of all words of a text that could be a subject.
pub fn keys(text: &str) -> HashSet<String> {
    let words = split(text).into_iter().map(|word| word.folded);
    let long = words.filter(|word| word.chars().count() >= FEWEST_LETTERS);
    long.map(|word| key(&word)).collect()
}

#[cfg(test)]
mod tests;
