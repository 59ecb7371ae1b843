//! Matches the items of a request's history with the entries of a session.

use std::cell::RefCell;
use std::collections::HashMap;

use super::entry::Entry;
use super::history::{Item, compared};
use super::kind::Kind;
use super::message::ConversationRef;
use super::stored_text_lookup::StoredTextLookup;

/// The pairs of an item's and an entry's index, ascending in both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alignment {
    pairs: Vec<(usize, usize)>,
}

impl Alignment {
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    pub fn entry_of(&self, item: usize) -> Option<usize> {
        let place = self.pairs.binary_search_by_key(&item, |pair| pair.0);
        place.ok().map(|place| self.pairs[place].1)
    }

    pub fn has_entry(&self, entry: usize) -> bool {
        let place = self.pairs.binary_search_by_key(&entry, |pair| pair.1);
        place.is_ok()
    }

    /// The entry that is paired with the next item after this one; `end` without one.
    pub fn next_entry(&self, item: usize, end: usize) -> usize {
        let after = self.pairs.partition_point(|pair| pair.0 < item);
        self.pairs.get(after).map_or(end, |pair| pair.1)
    }

    /// The index at which an entry for this item belongs: after the entry of the item before it.
    pub fn place_for(&self, item: usize) -> usize {
        let after = self.pairs.partition_point(|pair| pair.0 < item);
        let before = after.checked_sub(1).map(|before| self.pairs[before].1);
        before.map_or(0, |entry| entry + 1)
    }

    /// Pairs an item with an entry that was inserted at this index.
    pub fn insert(&mut self, item: usize, entry: usize) {
        let place = self.pairs.partition_point(|pair| pair.0 < item);
        for pair in &mut self.pairs[place..] {
            pair.1 += 1;
        }
        self.pairs.insert(place, (item, entry));
    }

    pub fn last(&self) -> Option<(usize, usize)> {
        self.pairs.last().copied()
    }
}

/// Compares items with the entries of a session. An entry has no text: that of an answer is read where it matters.
pub struct Matcher<'a> {
    stored: &'a dyn StoredTextLookup,
    place: ConversationRef,
    /// A cache of the answers' stored texts, in the form in which they are compared, by the entry's number.
    answers: RefCell<HashMap<u64, Option<String>>>,
}

impl<'a> Matcher<'a> {
    pub fn new(stored: &'a dyn StoredTextLookup, place: ConversationRef) -> Self {
        Self {
            stored,
            place,
            answers: RefCell::default(),
        }
    }

    /// The weight of the match between an item and an entry; 0 if they differ. The beginning of an answer matches the answer.
    pub fn weight(&self, item: &Item, entry: &Entry) -> u32 {
        if item.kind != entry.kind || item.compared.is_empty() {
            return 0;
        }
        let is_equal = item.hash == entry.hash;
        match item.kind {
            Kind::User if is_equal => 2,
            Kind::Assistant if is_equal || self.is_beginning_of(item, entry) => 3,
            Kind::ToolCall | Kind::ToolResult if is_equal => 1,
            _ => 0,
        }
    }

    /// Whether an answer begins with the item's text, or is the same before it was cut short.
    fn is_beginning_of(&self, item: &Item, entry: &Entry) -> bool {
        let Some(stored) = &entry.stored else {
            return false;
        };
        if item.start != entry.start && !item.is_short() {
            return false;
        }
        let mut answers = self.answers.borrow_mut();
        let whole = answers.entry(entry.number).or_insert_with(|| {
            let text = self.stored.text(self.place, stored.id);
            text.map(|text| compared(&text))
        });
        whole
            .as_ref()
            .is_some_and(|whole| whole.starts_with(&item.compared))
    }
}

/// The number of items up to the last one that isn't the user's: the answered part.
pub fn answered_part(history: &[Item]) -> usize {
    let last = history.iter().rposition(Item::is_answer);
    last.map_or(0, |last| last + 1)
}

/// The index at which the child's newest words begin: of the last items of the user without another one between them. What a
/// client puts behind the words doesn't answer them.
pub fn words_start(history: &[Item]) -> usize {
    let Some(last) = history.iter().rposition(|item| item.kind == Kind::User) else {
        return history.len();
    };
    let before = history[..last].iter().rposition(Item::is_answer);
    before.map_or(0, |before| before + 1)
}

/// Aligns the history up to its last answer with the entries, and then the words after it with the entries after the last match.
pub fn align(history: &[Item], entries: &[Entry], matcher: &Matcher<'_>) -> Alignment {
    let (answered, words) = history.split_at(answered_part(history));
    let mut alignment = common_subsequence(answered, entries, matcher);
    let after = match alignment.last() {
        Some((_, entry)) => entry + 1,
        None if answered.is_empty() => 0,
        None => return alignment,
    };
    let rest = common_subsequence(words, &entries[after..], matcher);
    let shifted = rest.pairs.iter();
    let shifted = shifted.map(|(item, entry)| (item + answered.len(), entry + after));
    alignment.pairs.extend(shifted);
    alignment
}

/// The heaviest common subsequence. Among equal ones, it takes the earliest items and the latest entries.
fn common_subsequence(history: &[Item], entries: &[Entry], matcher: &Matcher<'_>) -> Alignment {
    /// More than a history can have items, so that a preference never outweighs a match.
    const SCALE: u32 = 1024;
    let score = |item: usize, entry: usize| match matcher.weight(&history[item], &entries[entry]) {
        0 => 0,
        weight => weight * SCALE + u32::from(!entries[entry].is_older),
    };
    let width = entries.len() + 1;
    let scores =
        (0..history.len()).flat_map(|item| (0..entries.len()).map(move |entry| (item, entry)));
    let scores = scores
        .map(|(item, entry)| score(item, entry))
        .collect::<Vec<_>>();
    let score = |item: usize, entry: usize| scores[item * entries.len() + entry];
    let mut best = vec![0_u32; (history.len() + 1) * width];
    for item in 0..history.len() {
        for entry in 0..entries.len() {
            let above = best[item * width + entry + 1];
            let left = best[(item + 1) * width + entry];
            let with = match score(item, entry) {
                0 => 0,
                score => best[item * width + entry] + score,
            };
            best[(item + 1) * width + entry + 1] = above.max(left).max(with);
        }
    }

    let (mut item, mut entry) = (history.len(), entries.len());
    let mut pairs = Vec::new();
    while item > 0 && entry > 0 {
        let here = best[item * width + entry];
        let score = score(item - 1, entry - 1);
        if here == best[(item - 1) * width + entry] {
            item -= 1;
        } else if score > 0 && here == best[(item - 1) * width + entry - 1] + score {
            (item, entry) = (item - 1, entry - 1);
            pairs.push((item, entry));
        } else {
            entry -= 1;
        }
    }
    pairs.reverse();
    Alignment { pairs }
}

#[cfg(test)]
mod tests {
    use super::super::message::{MessageId, SessionNumber, StoredRef};
    use super::super::text_hash::{TextHash, TextKey};
    use super::*;
    use crate::kernel::host::clock::Timestamp;
    use crate::kernel::host::randomness::Randomness;
    use crate::kernel::store::hmac_key::HmacKey;

    fn key() -> TextKey {
        TextKey(HmacKey::generate(&Randomness::repeatable()))
    }

    /// The text of the message with the number N is the Nth word.
    struct Words<'a>(&'a str);

    impl StoredTextLookup for Words<'_> {
        fn has(&self, _: TextHash) -> bool {
            false
        }

        fn text(&self, _: ConversationRef, id: MessageId) -> Option<String> {
            let mut words = self.0.split_whitespace();
            words
                .nth(usize::try_from(id.number()).unwrap())
                .map(str::to_owned)
        }
    }

    fn aligned(history: &[Item], entries: &[Entry], known: &str) -> Alignment {
        let words = Words(known);
        let place = ConversationRef::Session(SessionNumber(0));
        align(history, entries, &Matcher::new(&words, place))
    }

    /// One item per word: `u…` from the user, `a…` from the assistant.
    fn history(words: &str) -> Vec<Item> {
        let words = words.split_whitespace();
        let items = words.map(|word| match word.as_bytes()[0] {
            b'u' => Item::user(word, &key()),
            _ => Item::assistant(word, &key()),
        });
        items.collect()
    }

    fn entries(words: &str) -> Vec<Entry> {
        let items = history(words);
        let numbered = items.iter().zip(0..);
        let stored = |number| StoredRef {
            id: MessageId(number),
            at: Timestamp::MIN,
            revision: 0,
            generated: true,
        };
        numbered
            .map(|(item, number)| Entry {
                stored: Some(stored(number)),
                ..Entry::new(number, item)
            })
            .collect()
    }

    fn pairs(words: &str, known: &str) -> Vec<(usize, usize)> {
        aligned(&history(words), &entries(known), known).pairs
    }

    #[test]
    fn what_is_known_is_found_around_gaps() {
        for (words, known, expected) in [
            ("u1 a1 u2", "u1 a1", &[(0, 0), (1, 1)][..]),
            // The front was trimmed, or something is missing in between.
            ("a1 u2 a2 u3", "u1 a1 u2 a2", &[(0, 1), (1, 2), (2, 3)]),
            ("u1 u2 a2 u3", "u1 a1 u2 a2", &[(0, 0), (1, 2), (2, 3)]),
            // The answer was cut.
            ("u1 a1234 u2", "u1 a123456", &[(0, 0), (1, 1)]),
            ("u1", "u1 a1 u1 a1", &[(0, 2)]),
            ("u1 a1 u1", "u1 a1 u1", &[(0, 0), (1, 1), (2, 2)]),
            ("u8 a8 u1", "u1 a1", &[]),
            ("", "u1", &[]),
            ("u1", "", &[]),
        ] {
            assert_eq!(pairs(words, known), expected, "{words} in {known}");
        }
    }

    #[test]
    fn own_entries_are_preferred_to_older_ones() {
        let words = "u1 a1 u1 a1";
        let mut known = entries(words);
        known[2].is_older = true;
        known[3].is_older = true;

        assert_eq!(
            aligned(&history("u1 a1 u2"), &known, words).pairs,
            [(0, 0), (1, 1)]
        );
    }
}
