//! Chooses a try's questions.
//!
//! The choice depends on a seed alone, so a guardian who is shown the questions before they are sent is shown those that will be.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use super::questions::{BundledQuestion, Kind, QUESTIONS, Question};
use crate::children::ChildId;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::language::Language;

/// How many of the parents' own topics are asked about.
const MOST_OWN_TOPICS: usize = 10;

const MANDATORY: usize = 5;
const CONDUCT: usize = 12;
const HARMLESS: usize = 12;

/// What decides which questions are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The choice for this guardian's next try, after `before` of them.
    pub fn of(
        child: ChildId,
        assistant: &AssistantId,
        by: Option<&GuardianId>,
        before: u64,
    ) -> Self {
        let by = by.map_or("", GuardianId::as_str);
        let text = format!("{child} {assistant} {by} {before}");
        Self(Sha256::digest(text).into())
    }

    /// Where this one comes in the order in which questions are chosen.
    fn rank(self, purpose: &str, index: usize) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(purpose);
        hash.update(index.to_be_bytes());
        hash.finalize().into()
    }

    /// At most `count` of them, in their own order.
    fn choose<T>(self, purpose: &str, from: Vec<T>, count: usize) -> Vec<T> {
        let mut ranked = from.into_iter().enumerate().collect::<Vec<_>>();
        ranked.sort_by_key(|(index, _)| self.rank(purpose, *index));
        ranked.truncate(count);
        ranked.sort_by_key(|(index, _)| *index);
        ranked.into_iter().map(|(_, one)| one).collect()
    }
}

/// What is asked in a try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    pub questions: Vec<Question>,
    /// How many of the parents' own topics there are.
    pub own_topics: u64,
    pub own_topics_asked: u64,
}

/// The questions of a try about these topics of the parents', for a model at home or elsewhere: of those with the ids in `asked`.
pub fn choose(
    seed: Seed,
    topics: &[String],
    language: Language,
    is_at_home: bool,
    asked: Option<&BTreeSet<String>>,
) -> Chosen {
    let own = seed.choose("own", topics.iter().collect(), MOST_OWN_TOPICS);
    let own = own
        .into_iter()
        .map(|topic| QUESTIONS.about(topic, language));
    let of_kind = |kind, count| {
        let all = QUESTIONS.questions.iter();
        let may_be_asked =
            |one: &&BundledQuestion| one.kind == kind && (is_at_home || !one.at_home_only);
        let all = all.filter(may_be_asked).collect::<Vec<_>>();
        let purpose = format!("{kind:?}");
        let chosen = seed.choose(&purpose, all, count).into_iter();
        chosen.map(|question| question.in_language(language))
    };
    let questions = own
        .chain(of_kind(Kind::Mandatory, MANDATORY))
        .chain(of_kind(Kind::Conduct, CONDUCT))
        .chain(of_kind(Kind::Harmless, HARMLESS))
        .filter(|question| asked.is_none_or(|asked| asked.contains(&question.id)))
        .collect::<Vec<_>>();
    let asked = questions.iter().filter(|one| one.kind == Kind::OwnTopic);
    Chosen {
        own_topics: topics.len() as u64,
        own_topics_asked: asked.count() as u64,
        questions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(count: usize) -> Vec<String> {
        (1..=count)
            .map(|number| format!("Topic {number}"))
            .collect()
    }

    fn seed(before: u64) -> Seed {
        Seed::of(
            ChildId::new(1),
            &AssistantId::from_text("asi_1"),
            None,
            before,
        )
    }

    fn count(chosen: &Chosen, kind: Kind) -> usize {
        let questions = chosen.questions.iter();
        questions.filter(|question| question.kind == kind).count()
    }

    #[test]
    fn about_fifty_are_asked() {
        let chosen = choose(seed(0), &topics(30), Language::En, true, None);

        assert_eq!((chosen.own_topics, chosen.own_topics_asked), (30, 10));
        let counts = [
            Kind::OwnTopic,
            Kind::Mandatory,
            Kind::Conduct,
            Kind::Harmless,
        ];
        assert_eq!(counts.map(|kind| count(&chosen, kind)), [10, 5, 12, 12]);
        let turns = chosen.questions.iter().map(|question| question.turns.len());
        assert!((45..=65).contains(&turns.sum::<usize>()));
    }

    #[test]
    fn the_choice_is_the_same_until_the_next_try() {
        let chosen = |before| choose(seed(before), &topics(30), Language::De, true, None);

        assert_eq!(chosen(0), chosen(0));
        assert_ne!(chosen(0), chosen(1));
    }

    #[test]
    fn questions_for_a_model_at_home_are_asked_nowhere_else() {
        for before in 0..20 {
            let chosen = choose(seed(before), &[], Language::En, false, None);
            let only_at_home = QUESTIONS.questions.iter().filter(|one| one.at_home_only);
            for question in only_at_home {
                assert!(chosen.questions.iter().all(|one| one.id != question.id));
            }
        }
    }

    #[test]
    fn what_is_left_out_is_not_replaced() {
        let all = choose(seed(0), &topics(2), Language::En, true, None);
        let mut asked = all
            .questions
            .iter()
            .map(|it| it.id.clone())
            .collect::<BTreeSet<_>>();
        for out in [0, 5] {
            asked.remove(&all.questions[out].id);
        }

        let rest = choose(seed(0), &topics(2), Language::En, true, Some(&asked));

        assert_eq!(rest.questions.len(), all.questions.len() - 2);
        assert_eq!((rest.own_topics, rest.own_topics_asked), (2, 1));
    }
}
