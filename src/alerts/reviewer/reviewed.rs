//! How much of a session was reviewed, and which texts of its messages wait for a review.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::conversations::transcripts::{ConversationPart, TextsOf};

/// How much of a session was reviewed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reviewed {
    /// All messages that arrived before this number were reviewed, but for the texts that wait.
    pub arrivals: u64,
    /// Texts that came after their message's review, or perhaps during it, in the order in which the first of each message came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<TextsOf>,
    /// How often `waiting` became too long.
    pub overflows: u64,
}

/// The maximum number of messages whose waiting texts are remembered one by one. With more, all from the first of them are reviewed
/// again.
const MOST_WAITING: usize = 1000;

impl Reviewed {
    /// All before this number, in any revision.
    pub fn up_to(arrivals: u64) -> Self {
        Self {
            arrivals,
            ..Self::default()
        }
    }

    pub fn add_waiting(&mut self, texts: TextsOf) {
        let mut waiting = self.waiting.iter_mut();
        match waiting.find(|there| there.arrival == texts.arrival) {
            Some(there) => {
                there.from = there.from.min(texts.from);
                there.to = there.to.max(texts.to);
            }
            None => self.waiting.push(texts),
        }
        if self.waiting.len() > MOST_WAITING {
            let arrivals = self.waiting.iter().map(|texts| texts.arrival);
            self.arrivals = arrivals.fold(self.arrivals, u64::min);
            self.waiting.clear();
            self.overflows += 1;
        }
    }

    /// Adds what began to wait while the session was deleted.
    pub fn add_all_waiting(&mut self, meanwhile: &Self) {
        for texts in &meanwhile.waiting {
            self.add_waiting(*texts);
        }
        if meanwhile.overflows > 0 {
            self.arrivals = 0;
        }
    }

    /// The progress once `part` was reviewed. `before` is the progress with which the part was read. Texts that came during the
    /// review wait.
    pub fn after(mut self, part: &ConversationPart, before: &Self) -> Self {
        let left = part.left.iter().map(|left| (left.arrival, *left));
        let mut left = left.collect::<BTreeMap<_, _>>();
        for waiting in &mut self.waiting {
            if let Some(left) = left.remove(&waiting.arrival) {
                waiting.from = left.from;
                waiting.to = waiting.to.max(left.to);
            }
        }
        self.waiting.extend(left.into_values());
        self.waiting.retain(|texts| texts.from < texts.to);
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

    fn texts(arrival: u64, from: usize, to: usize) -> TextsOf {
        TextsOf { arrival, from, to }
    }

    #[test]
    fn a_part_is_read_again_if_too_many_of_its_messages_were_replaced_meanwhile() {
        let before = Reviewed::default();
        let part = ConversationPart {
            next: 2000,
            ..ConversationPart::default()
        };
        let mut now = before.clone();
        for arrival in 0..=1000 {
            now.add_waiting(texts(arrival, 1, 2));
        }
        let after = now.after(&part, &before);

        assert_eq!((after.arrivals, after.waiting.len()), (0, 0));
        assert_eq!(after.clone().after(&part, &after).arrivals, 2000);
    }

    #[test]
    fn what_came_while_the_session_was_deleted_is_reviewed() {
        let mut meanwhile = Reviewed::default();
        meanwhile.add_waiting(texts(3, 2, 3));
        let mut reviewed = Reviewed::up_to(9);
        reviewed.add_waiting(texts(3, 1, 2));
        reviewed.add_all_waiting(&meanwhile);
        assert_eq!(
            (reviewed.arrivals, reviewed.waiting),
            (9, vec![texts(3, 1, 3)])
        );

        for arrival in 0..=1000 {
            meanwhile.add_waiting(texts(arrival, 1, 2));
        }
        let mut reviewed = Reviewed::up_to(9);
        reviewed.add_all_waiting(&meanwhile);
        assert_eq!(reviewed.arrivals, 0);
    }

    #[test]
    fn each_text_waits_until_it_was_in_a_part() {
        let mut before = Reviewed::up_to(9);
        for texts in [texts(5, 1, 3), texts(2, 1, 2), texts(9, 1, 2)] {
            before.add_waiting(texts);
        }
        let part = ConversationPart {
            next: 11,
            left: vec![texts(9, 2, 2), texts(10, 1, 2), texts(5, 2, 3)],
            ..ConversationPart::default()
        };
        let mut now = before.clone();
        now.add_waiting(texts(9, 2, 3));
        let after = now.after(&part, &before);

        assert_eq!(after.arrivals, 11);
        let waiting = [
            texts(5, 2, 3),
            texts(2, 1, 2),
            texts(9, 2, 3),
            texts(10, 1, 2),
        ];
        assert_eq!(after.waiting, waiting);
    }
}
