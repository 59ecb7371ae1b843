//! Which texts alerts point at.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The maximum number of texts of one message that are kept for alerts.
pub const MOST_ALERTED: usize = 3;

/// The texts of a session's messages that alerts point at, which no revision removes: by the number with which the message arrived,
/// the beginnings of their hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AlertedTexts(BTreeMap<u64, BTreeSet<u64>>);

impl AlertedTexts {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contain(&self, arrival: u64, text: &str) -> bool {
        let of_message = self.0.get(&arrival);
        of_message.is_some_and(|hashes| hashes.contains(&hash_of(text)))
    }

    /// Returns whether the text is kept from now on, and was not before.
    pub(super) fn add(&mut self, arrival: u64, text: &str) -> bool {
        let of_message = self.0.entry(arrival).or_default();
        of_message.len() < MOST_ALERTED && of_message.insert(hash_of(text))
    }
}

fn hash_of(text: &str) -> u64 {
    let hash: [u8; 32] = Sha256::digest(text).into();
    hash.iter()
        .take(8)
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
