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
    pub waiting: Vec<Waiting>,
    /// How often a text went on.
    pub continuations: u64,
    /// How often `waiting` became too long.
    pub overflows: u64,
}

/// Texts of a message that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    #[serde(flatten)]
    pub texts: TextsOf,
    /// The number of the last continuation that was this message's; 0 without one.
    #[serde(default)]
    continuation: u64,
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

    /// Queues texts of a message. `goes_on`: the message's current text was extended in place, so its number of texts is unchanged.
    pub fn add_waiting(&mut self, texts: TextsOf, goes_on: bool) {
        self.continuations += u64::from(goes_on);
        let continuation = if goes_on { self.continuations } else { 0 };
        let mut waiting = self.waiting.iter_mut();
        match waiting.find(|there| there.texts.arrival == texts.arrival) {
            Some(there) => {
                there.texts.from = there.texts.from.min(texts.from);
                there.texts.to = there.texts.to.max(texts.to);
                there.continuation = there.continuation.max(continuation);
            }
            None => self.waiting.push(Waiting {
                texts,
                continuation,
            }),
        }
        if self.waiting.len() > MOST_WAITING {
            let arrivals = self.waiting.iter().map(|there| there.texts.arrival);
            self.arrivals = arrivals.fold(self.arrivals, u64::min);
            self.waiting.clear();
            self.overflows += 1;
        }
    }

    /// Adds what began to wait while the session was deleted.
    pub fn add_all_waiting(&mut self, meanwhile: &Self) {
        for there in &meanwhile.waiting {
            self.add_waiting(there.texts, there.continuation > 0);
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
        for Waiting {
            texts,
            continuation,
        } in &mut self.waiting
        {
            if let Some(left) = left.remove(&texts.arrival) {
                // The last text that was read may have gone on since.
                let went_on = *continuation > before.continuations;
                texts.from = left.from.saturating_sub(usize::from(went_on));
                texts.to = texts.to.max(left.to);
            }
        }
        self.waiting.extend(left.into_values().map(|texts| Waiting {
            texts,
            continuation: 0,
        }));
        self.waiting
            .retain(|there| there.texts.from < there.texts.to);
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
            now.add_waiting(texts(arrival, 1, 2), false);
        }
        let after = now.after(&part, &before);

        assert_eq!((after.arrivals, after.waiting.len()), (0, 0));
        assert_eq!(after.clone().after(&part, &after).arrivals, 2000);
    }

    #[test]
    fn what_came_while_the_session_was_deleted_is_reviewed() {
        let mut meanwhile = Reviewed::default();
        meanwhile.add_waiting(texts(3, 2, 3), false);
        let mut reviewed = Reviewed::up_to(9);
        reviewed.add_waiting(texts(3, 1, 2), false);
        reviewed.add_all_waiting(&meanwhile);
        assert_eq!(
            (reviewed.arrivals, reviewed.waiting[0].texts),
            (9, texts(3, 1, 3))
        );

        for arrival in 0..=1000 {
            meanwhile.add_waiting(texts(arrival, 1, 2), false);
        }
        let mut reviewed = Reviewed::up_to(9);
        reviewed.add_all_waiting(&meanwhile);
        assert_eq!(reviewed.arrivals, 0);
    }

    #[test]
    fn each_text_waits_until_it_was_in_a_part() {
        let mut before = Reviewed::up_to(9);
        for texts in [texts(5, 1, 3), texts(2, 1, 2), texts(9, 1, 2)] {
            before.add_waiting(texts, false);
        }
        let part = ConversationPart {
            next: 11,
            left: vec![
                texts(9, 2, 2),
                texts(10, 1, 2),
                texts(5, 2, 3),
                texts(4, 1, 1),
            ],
            ..ConversationPart::default()
        };
        let mut now = before.clone();
        now.add_waiting(texts(9, 2, 3), false);
        now.add_waiting(texts(4, 0, 1), true);
        let after = now.after(&part, &before);

        assert_eq!(after.arrivals, 11);
        let waiting = [
            texts(5, 2, 3),
            texts(2, 1, 2),
            texts(9, 2, 3),
            texts(4, 0, 1),
            texts(10, 1, 2),
        ];
        let texts = after.waiting.iter().map(|there| there.texts);
        assert_eq!(texts.collect::<Vec<_>>(), waiting);
    }
}
