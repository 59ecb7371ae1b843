//! Which texts alerts point at.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::not_kept::hash;

/// The maximum length of the texts of one message that are kept for alerts, in bytes; each counts as [`SHORTEST_BYTES`] at least. A
/// single one is always kept.
const MOST_BYTES: usize = 256 * 1024;

/// The length that a shorter text counts as, in bytes, because its hash and times are stored too.
const SHORTEST_BYTES: usize = 1024;

/// The maximum number of texts of one message that are kept for alerts.
pub const MOST_ALERTED: usize = MOST_BYTES / SHORTEST_BYTES;

/// Which texts of a session's messages no revision removes, because alerts point at them. Only hashes of the texts are stored, by the
/// message's arrival number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AlertedTexts(BTreeMap<u64, BTreeSet<String>>);

impl AlertedTexts {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contain(&self, arrival: u64, text: &str) -> bool {
        let of_message = self.0.get(&arrival);
        of_message.is_some_and(|hashes| hashes.contains(&hash(&text)))
    }

    /// Returns whether the text was added: not if it was there before, or if the message, which has these `texts`, would keep more
    /// than [`MOST_BYTES`].
    pub(super) fn add<'a>(
        &mut self,
        arrival: u64,
        text: &str,
        texts: impl Iterator<Item = &'a str>,
    ) -> bool {
        let length = |text: &str| text.len().max(SHORTEST_BYTES);
        let kept = texts.filter(|text| self.contain(arrival, text));
        let kept = kept.map(length).sum::<usize>();
        let has_room = kept == 0 || kept + length(text) <= MOST_BYTES;
        has_room && self.0.entry(arrival).or_default().insert(hash(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_of_a_message_are_bounded_in_bytes_and_a_single_one_always_fits() {
        let long = |letter: &str, bytes: usize| letter.repeat(bytes);
        let mut alerted = AlertedTexts::default();
        let mut texts = Vec::<String>::new();
        let mut add = |arrival: u64, text: String| {
            let is_added = alerted.add(arrival, &text, texts.iter().map(String::as_str));
            if is_added {
                texts.push(text);
            }
            is_added
        };

        assert!(add(1, long("a", MOST_BYTES + 1)));
        assert!(!add(1, "b".to_owned()));
        assert!(add(2, long("c", MOST_BYTES / 2)));
        assert!(!add(2, long("c", MOST_BYTES / 2)));
        assert!(!add(2, long("d", MOST_BYTES / 2 + 1)));
        assert!(add(2, long("e", MOST_BYTES / 2)));
        let short = (0..=MOST_ALERTED).filter(|number| add(3, number.to_string()));
        assert_eq!(short.count(), MOST_ALERTED);
    }
}
