//! What exactly a change changed. Topics are among it: it never goes to a log.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::kernel::store::is_default;

/// The maximum number of added and of removed texts per change.
pub const MOST: usize = 5;

/// The maximum length of a text, in characters.
pub const LONGEST: usize = 200;

/// Bounded, because the history is stored as long as the child.
#[skip_serializing_none]
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Details {
    /// Topics that were blocked, or quiet hours that were added, such as `20:30/07:00`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Topics that were unblocked, or quiet hours that were removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// The number of texts that were left out of both.
    #[serde(default, skip_serializing_if = "is_default")]
    pub more: u64,
    /// The new daily limit in minutes, time zone, end of the pause, number of days for which conversations are kept, or the model
    /// that reads along and its host. `None` if
    /// the limit was removed, the pause has no end, or conversations are kept for ever.
    /// Names aren't here: the history would hold former ones forever.
    pub value: Option<String>,
}

impl std::fmt::Debug for Details {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Details(..)")
    }
}

impl Details {
    pub fn of_value(value: Option<String>) -> Self {
        Self {
            value,
            ..Self::default()
        }
        .bounded()
    }

    /// The differences between two lists.
    pub fn between(before: &[String], after: &[String]) -> Self {
        let missing = |from: &[String], all: &[String]| {
            let there = from.iter().collect::<std::collections::HashSet<_>>();
            let new = all.iter().filter(|text| !there.contains(text));
            new.cloned().collect::<Vec<_>>()
        };
        Self {
            added: missing(before, after),
            removed: missing(after, before),
            ..Self::default()
        }
        .bounded()
    }

    /// Leaves out the texts over the maximum, and counts them.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        for texts in [&mut self.added, &mut self.removed] {
            let over = texts.len().saturating_sub(MOST);
            self.more = self
                .more
                .saturating_add(u64::try_from(over).unwrap_or(u64::MAX));
            texts.truncate(MOST);
        }
        let texts = self.added.iter_mut().chain(&mut self.removed);
        for text in texts.chain(&mut self.value) {
            if let Some((end, _)) = text.char_indices().nth(LONGEST) {
                text.truncate(end);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn the_differences_of_two_lists_are_what_is_in_one_alone() {
        let found = Details::between(&texts(&["sharks", "guns"]), &texts(&["guns", "war"]));

        assert_eq!(found.added, ["war"]);
        assert_eq!(found.removed, ["sharks"]);
        assert_eq!((found.more, found.value), (0, None));
    }

    #[test]
    fn many_and_long_texts_are_cut() {
        let many = (0..12).map(|number| format!("{number}{}", "é".repeat(300)));

        let found = Details::between(&many.collect::<Vec<_>>(), &texts(&["war"]));

        assert_eq!(found.removed.len(), MOST);
        assert!(
            found
                .removed
                .iter()
                .all(|text| text.chars().count() == LONGEST)
        );
        assert_eq!((found.added.len(), found.more), (1, 7));
    }

    #[test]
    fn topics_are_not_in_debug_output() {
        let found = Details::between(&[], &texts(&["sharks"]));

        assert!(!format!("{found:?}").contains("sharks"));
    }
}
