//! Chooses the best of a child's questions.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::question::Question;
use crate::children::SessionId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::words::fold;

/// The maximum number of questions shown.
const SHOWN: usize = 3;

/// A question that could be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub session: SessionId,
    pub message_id: String,
    pub at: Timestamp,
    /// The topic of its session.
    pub topic: Option<String>,
    pub question: Question,
    /// Where its subject is, in UTF-16 units.
    pub ranges: Vec<[usize; 2]>,
    /// In how many later messages of the session the child talked about it.
    pub stayed: u64,
    /// Whether the child had not talked about it in a long time.
    pub is_new: bool,
    /// Whether the guardian has hidden it.
    pub is_hidden: bool,
}

/// The best ones: on which the child stayed longest, then those that are new, then the newest. One for each subject and topic, and
/// none about a subject that the guardian has hidden, or that the child had `asked` about before.
pub fn choose(mut candidates: Vec<Candidate>, asked: &HashSet<String>) -> Vec<Candidate> {
    let mut keys = asked.clone();
    let hidden = candidates.iter().filter(|candidate| candidate.is_hidden);
    keys.extend(hidden.map(|candidate| candidate.question.key.clone()));
    candidates.sort_by_key(|candidate| Reverse((candidate.stayed, candidate.is_new, candidate.at)));
    let mut topics = HashSet::new();
    candidates.retain(|candidate| {
        let topic = candidate.topic.as_deref().map(fold);
        let is_other_topic = topic.as_ref().is_none_or(|topic| !topics.contains(topic));
        let is_chosen = is_other_topic && keys.insert(candidate.question.key.clone());
        if is_chosen {
            topics.extend(topic);
        }
        is_chosen
    });
    candidates.truncate(SHOWN);
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: &str, subject: &str) -> Candidate {
        Candidate {
            session: SessionId::new(1),
            message_id: id.to_owned(),
            at: Timestamp::from_micros(1),
            topic: None,
            question: Question {
                subject: subject.to_owned(),
                range: 0..subject.len(),
                key: subject.to_owned(),
            },
            ranges: Vec::new(),
            stayed: 0,
            is_new: false,
            is_hidden: false,
        }
    }

    fn ids(chosen: &[Candidate]) -> Vec<&str> {
        let ids = chosen.iter().map(|candidate| &*candidate.message_id);
        ids.collect()
    }

    #[test]
    fn where_a_child_stayed_longest_comes_first_then_what_is_new_then_the_newest() {
        let plain = candidate("plain", "bees");
        let newest = Candidate {
            at: Timestamp::from_micros(2),
            ..candidate("newest", "moths")
        };
        let new = Candidate {
            is_new: true,
            ..candidate("new", "ants")
        };
        let stayed = Candidate {
            stayed: 1,
            ..candidate("stayed", "moon")
        };

        let chosen = choose(vec![plain, newest, new, stayed], &HashSet::new());

        assert_eq!(ids(&chosen), ["stayed", "new", "newest"]);
    }

    #[test]
    fn each_subject_and_each_topic_comes_once() {
        let of_topic = |id, subject, topic: &str| Candidate {
            topic: Some(topic.to_owned()),
            ..candidate(id, subject)
        };
        let candidates = vec![
            of_topic("a", "moon", "Space"),
            of_topic("b", "stars", "space"),
            of_topic("c", "moon", "Night"),
            candidate("d", "bees"),
            candidate("e", "ants"),
        ];

        assert_eq!(ids(&choose(candidates, &HashSet::new())), ["a", "d", "e"]);
    }

    #[test]
    fn what_was_asked_before_or_is_hidden_is_left_out_with_its_subject() {
        let hidden = Candidate {
            is_hidden: true,
            ..candidate("hidden", "moon")
        };
        let candidates = vec![hidden, candidate("a", "moon"), candidate("b", "bees")];

        let asked = HashSet::from(["bees".to_owned()]);

        assert_eq!(choose(candidates, &asked), []);
    }
}
