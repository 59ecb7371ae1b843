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
    /// The number of revisions so far. A review compares it to notice revisions that were stored during the review.
    pub revisions: u64,
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
        }
    }

    /// The progress after a review of this part, which was read when `before` was stored. Messages that were replaced during the
    /// review stay in `revised`.
    pub fn after(mut self, part: &ConversationPart, before: &Self) -> Self {
        if self.revisions == before.revisions {
            self.revised
                .retain(|arrival| !part.revised.contains(arrival));
        }
        if self.arrivals == before.arrivals {
            self.arrivals = part.next;
        }
        self
    }
}
