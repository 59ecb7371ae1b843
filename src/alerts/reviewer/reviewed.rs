//! How much of a session was reviewed, and which of its messages were replaced since.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::conversations::transcripts::ConversationPart;

/// How much of a session was reviewed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reviewed {
    /// All messages that arrived before this number were reviewed.
    pub arrivals: u64,
    /// The arrival numbers of messages that were replaced after their review.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub revised: BTreeSet<u64>,
    /// The number of revisions so far. It differs after a review if a message was replaced during the review.
    pub revisions: u64,
    /// How often `revised` became too long.
    pub overflows: u64,
}

/// The maximum number of revised messages that are remembered one by one. With more, all from the first of them are reviewed again.
const MAX_REVISED: usize = 1000;

impl Reviewed {
    /// All before this number, in any revision.
    pub fn up_to(arrivals: u64) -> Self {
        Self {
            arrivals,
            ..Self::default()
        }
    }

    pub fn add_revision(&mut self, arrival: u64) {
        self.revisions += 1;
        self.revised.insert(arrival);
        if self.revised.len() > MAX_REVISED
            && let Some(first) = self.revised.pop_first()
        {
            self.arrivals = self.arrivals.min(first);
            self.revised.clear();
            self.overflows += 1;
        }
    }

    /// Adds what was revised while the session was deleted.
    pub fn add_revisions_of(&mut self, meanwhile: &Self) {
        for arrival in &meanwhile.revised {
            self.add_revision(*arrival);
        }
        if meanwhile.overflows > 0 {
            self.arrivals = 0;
        }
    }

    /// The progress once `part` was reviewed. `before` is the progress with which the part was read. Messages that were replaced during
    /// the review stay in `revised`.
    pub fn after(mut self, part: &ConversationPart, before: &Self) -> Self {
        if self.revisions == before.revisions {
            self.revised
                .retain(|arrival| !part.revised.contains(arrival));
        }
        // After an overflow, some of the part may have been replaced since it was read.
        if self.overflows == before.overflows {
            self.arrivals = part.next;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_again_if_too_many_of_its_messages_were_replaced_meanwhile() {
        let before = Reviewed::default();
        let part = ConversationPart {
            next: 2000,
            ..ConversationPart::default()
        };
        let mut now = before.clone();
        for arrival in 0..=1000 {
            now.add_revision(arrival);
        }
        let after = now.after(&part, &before);

        assert_eq!((after.arrivals, after.revised.len()), (0, 0));
        assert_eq!(after.clone().after(&part, &after).arrivals, 2000);
    }

    #[test]
    fn what_was_revised_while_the_session_was_deleted_is_reviewed() {
        let mut meanwhile = Reviewed::default();
        meanwhile.add_revision(3);
        let mut reviewed = Reviewed::up_to(9);
        reviewed.add_revisions_of(&meanwhile);
        assert_eq!((reviewed.arrivals, reviewed.revised), (9, [3].into()));

        for arrival in 0..=1000 {
            meanwhile.add_revision(arrival);
        }
        let mut reviewed = Reviewed::up_to(9);
        reviewed.add_revisions_of(&meanwhile);
        assert_eq!(reviewed.arrivals, 0);
    }
}
