//! What is searched for, and whether a message has it.
//!
//! Each word has to begin where a word begins; it need not be the whole word. Words in quotes stand together, and are whole
//! words; while the closing quote is missing, the last one may go on. Where a script puts no spaces between words, a word can
//! begin anywhere. All words must occur in the message or in its session's topic.

use std::ops::Range;

use super::text::{fold, is_word_boundary, ranges_in_text};

/// What is searched for. It has no `Debug`, because it is somebody's.
#[derive(Clone)]
pub struct Query(Vec<Term>);

#[derive(Clone)]
struct Term {
    folded: String,
    /// Whether it has to end where a word ends.
    is_whole: bool,
}

impl Query {
    /// Reads what a person typed; `None` when there is nothing to search for in it.
    pub fn parse(words: &str) -> Option<Self> {
        let mut terms = Vec::new();
        // Every other part is in quotes.
        let mut parts = words.split(is_quote).enumerate().peekable();
        while let Some((index, part)) = parts.next() {
            let folded = fold(part);
            let is_quoted = index % 2 == 1;
            let words = match is_quoted {
                true => vec![folded.trim()],
                false => folded.split_whitespace().collect(),
            };
            terms.extend(
                words
                    .iter()
                    .filter(|word| !word.is_empty())
                    .map(|word| Term {
                        folded: (*word).to_owned(),
                        is_whole: is_quoted && parts.peek().is_some(),
                    }),
            );
        }
        (!terms.is_empty()).then_some(Self(terms))
    }

    /// Which of the words occur in a session's topic.
    pub fn in_topic(&self, topic: Option<&str>) -> InTopic {
        let folded = fold(topic.unwrap_or_default());
        let occurs = |term: &Term| term.occurrences(&folded).next().is_some();
        InTopic(self.0.iter().map(occurs).collect())
    }

    /// Where a message has the words, in UTF-16 units; `None` when it doesn't have what the topic lacks, or none at all.
    pub fn ranges(&self, text: &str, in_topic: &InTopic) -> Option<Vec<[usize; 2]>> {
        let folded = fold(text);
        let mut found = Vec::new();
        for (term, is_in_topic) in self.0.iter().zip(&in_topic.0) {
            let before = found.len();
            found.extend(term.occurrences(&folded));
            if found.len() == before && !is_in_topic {
                return None;
            }
        }
        (!found.is_empty()).then(|| ranges_in_text(text, found))
    }
}

/// Which of the words occur in a session's topic.
pub struct InTopic(Vec<bool>);

impl InTopic {
    /// Whether the topic has all of them.
    pub fn is_match(&self) -> bool {
        self.0.iter().all(|occurs| *occurs)
    }
}

/// Keyboards and pages type quotes in several ways.
fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\u{201c}'..='\u{201f}' | '\u{ff02}')
}

impl Term {
    /// Where the term occurs in a folded text, in bytes. Occurrences may overlap.
    fn occurrences<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let first = self.folded.chars().next().map_or(1, char::len_utf8);
        let mut from = 0;
        let candidates = std::iter::from_fn(move || {
            let start = from + text.get(from..)?.find(&self.folded)?;
            from = start + first;
            Some(start..start + self.folded.len())
        });
        candidates.filter(|range| {
            is_boundary_at(text, range.start) && (!self.is_whole || is_boundary_at(text, range.end))
        })
    }
}

fn is_boundary_at(text: &str, position: usize) -> bool {
    let (before, after) = text.split_at(position);
    is_word_boundary(before.chars().next_back(), after.chars().next())
}

#[cfg(test)]
mod tests;
