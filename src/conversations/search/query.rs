//! Parses a search query, and matches messages.
//!
//! Each word has to match the beginning of a word. Words in quotes must match consecutive whole
//! words; while the closing quote is missing, the last one may be incomplete. In scripts without spaces between words, a match
//! can begin anywhere. All words must occur in the message or in its session's topic.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::kernel::host::words::{Folding, is_word_boundary, ranges_in_text};

/// Of queries, messages and topics.
const FOLDING: Folding = Folding::SpacesJoined;

/// The maximum number of marked ranges in a message.
pub const MOST_RANGES: usize = 100;

/// The number of bytes of a message that are read between two checks of the time limit.
const READ_AT_ONCE: usize = 64 * 1024;

/// The number of bytes that an occurrence of a word counts as.
const OCCURRENCE: usize = 32;

/// The time limit was reached in the middle of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeIsUp;

/// A parsed query. It has no `Debug`, because it is private.
#[derive(Clone)]
pub struct Query(Vec<Term>);

#[derive(Clone, PartialEq, Eq)]
struct Term {
    folded: String,
    /// Whether the match has to end at the end of a word.
    is_whole: bool,
}

impl Query {
    /// Parses what a person typed; `None` if it contains nothing to search for.
    pub fn parse(words: &str) -> Option<Self> {
        let mut terms = Vec::new();
        // Every other part is in quotes.
        let mut parts = words.split(is_quote).enumerate().peekable();
        while let Some((index, part)) = parts.next() {
            let folded = FOLDING.fold(part);
            let is_quoted = index % 2 == 1;
            let words = if is_quoted {
                vec![folded.trim()]
            } else {
                folded.split_whitespace().collect()
            };
            for word in words.into_iter().filter(|word| !word.is_empty()) {
                let term = Term {
                    folded: word.to_owned(),
                    is_whole: is_quoted && parts.peek().is_some(),
                };
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
        }
        (!terms.is_empty()).then_some(Self(terms))
    }

    /// The words that occur in a session's topic.
    pub fn in_topic(&self, topic: Option<&str>) -> InTopic {
        let folded = FOLDING.fold(topic.unwrap_or_default());
        let occurs = |term: &Term| Occurrences::of(term, &folded).next().is_some();
        InTopic(self.0.iter().map(occurs).collect())
    }

    /// The matches in a message, in UTF-16 units: the first [`MOST_RANGES`]. `None` if a word is in neither the message nor the
    /// topic, or if the message contains no word at all.
    ///
    /// # Errors
    ///
    /// [`TimeIsUp`] if `is_over` returns true meanwhile.
    pub fn ranges(
        &self,
        text: &str,
        in_topic: &InTopic,
        is_over: &mut impl FnMut() -> bool,
    ) -> Result<Option<Vec<[usize; 2]>>, TimeIsUp> {
        let mut read = 0;
        let mut look = |bytes: usize| {
            read += bytes;
            if read >= READ_AT_ONCE {
                read = 0;
                if is_over() { Err(TimeIsUp) } else { Ok(()) }
            } else {
                Ok(())
            }
        };
        for folding in Folding::of_searched(text) {
            let found = self.ranges_as(text, folding, in_topic, &mut look)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn ranges_as(
        &self,
        text: &str,
        folding: Folding,
        in_topic: &InTopic,
        look: &mut impl FnMut(usize) -> Result<(), TimeIsUp>,
    ) -> Result<Option<Vec<[usize; 2]>>, TimeIsUp> {
        let folded = folding.fold(text);
        look(folded.len())?;
        let mut occurrences = Vec::new();
        // The next occurrence of each word, the first of them on top.
        let mut next = BinaryHeap::new();
        for (term, is_in_topic) in self.0.iter().zip(&in_topic.0) {
            let mut of_term = Occurrences::of(term, &folded);
            match of_term.next_within(look)? {
                Some(first) => {
                    next.push(Reverse((first.start, first.end, occurrences.len())));
                    occurrences.push(of_term);
                }
                None if *is_in_topic => {}
                None => return Ok(None),
            }
        }
        let mut found = Vec::<Range<usize>>::new();
        while let Some(Reverse((start, end, index))) = next.pop() {
            let is_full = found.len() == MOST_RANGES;
            match found.last_mut().filter(|last| start <= last.end) {
                Some(last) => last.end = last.end.max(end),
                None if is_full => break,
                None => found.push(start..end),
            }
            let marked = found.last().map_or(0, |last| last.end);
            let of_term = &mut occurrences[index];
            of_term.skip_up_to(marked);
            if let Some(place) = of_term.next_within(look)? {
                next.push(Reverse((place.start, place.end, index)));
            }
        }
        Ok((!found.is_empty()).then(|| ranges_in_text(text, folding, &found)))
    }
}

/// The words that occur in a session's topic.
pub struct InTopic(Vec<bool>);

impl InTopic {
    /// Whether the topic contains all words.
    pub fn is_match(&self) -> bool {
        self.0.iter().all(|occurs| *occurs)
    }
}

/// Whether it is one of the various quotes that keyboards and pages produce.
fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\u{201c}'..='\u{201f}' | '\u{ff02}')
}

/// The occurrences of a term in a folded text, in bytes. They may overlap.
struct Occurrences<'a> {
    term: &'a Term,
    text: &'a str,
    /// Where the search for the next one begins.
    from: usize,
}

impl<'a> Occurrences<'a> {
    fn of(term: &'a Term, text: &'a str) -> Self {
        Self {
            term,
            text,
            from: 0,
        }
    }

    fn next(&mut self) -> Option<Range<usize>> {
        let Ok(next) = self.next_within(&mut |_| Ok::<_, std::convert::Infallible>(()));
        next
    }

    /// The next occurrence; `look` is called with the number of bytes read, and may abort.
    fn next_within<E>(
        &mut self,
        look: &mut impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<Range<usize>>, E> {
        let folded = self.term.folded.as_str();
        let first = folded.chars().next().map_or(1, char::len_utf8);
        while let Some(rest) = self.text.get(self.from..) {
            let Some(place) = rest.find(folded) else {
                self.from = self.text.len() + 1;
                look(rest.len())?;
                break;
            };
            let start = self.from + place;
            let range = start..start + folded.len();
            self.from = start + first;
            look(place + OCCURRENCE)?;
            if is_boundary_at(self.text, range.start)
                && (!self.term.is_whole || is_boundary_at(self.text, range.end))
            {
                return Ok(Some(range));
            }
        }
        Ok(None)
    }

    /// Skips the occurrences that end at or before this position.
    fn skip_up_to(&mut self, end: usize) {
        let first = (end + 1).saturating_sub(self.term.folded.len());
        if self.from < first && first <= self.text.len() {
            self.from = self.text.floor_char_boundary(first).max(self.from);
        }
    }
}

fn is_boundary_at(text: &str, position: usize) -> bool {
    let (before, after) = text.split_at(position);
    is_word_boundary(before.chars().next_back(), after.chars().next())
}

#[cfg(test)]
mod tests;
