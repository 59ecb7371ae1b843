//! Which texts alerts point at.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::not_kept::hash;

/// The maximum number of texts of one message that are kept for alerts.
pub const MOST_ALERTED: usize = 3;

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

    /// Returns whether the text was added: not if it was there before, or the message has [`MOST_ALERTED`].
    pub(super) fn add(&mut self, arrival: u64, text: &str) -> bool {
        let of_message = self.0.entry(arrival).or_default();
        of_message.len() < MOST_ALERTED && of_message.insert(hash(&text))
    }
}
