//! What a guardian sees of a try: the figures, with their own verdicts.

use std::collections::BTreeMap;

use super::questions::{Check, Expectation, Kind};
use super::record::{Answered, Judge, Outcome, Try};

/// The answers to questions of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Questions that were asked.
    pub asked: u64,
    pub ok: u64,
    pub not_ok: u64,
    /// Answers that wait for the guardian.
    pub to_judge: u64,
    /// Questions without an answer.
    pub no_answer: u64,
}

impl Counts {
    fn add(&mut self, judged: &Judged<'_>) {
        self.asked += 1;
        *match (judged.outcome.no_answer, judged.ok) {
            (Some(_), _) => &mut self.no_answer,
            (None, Some(true)) => &mut self.ok,
            (None, Some(false)) => &mut self.not_ok,
            (None, None) => &mut self.to_judge,
        } += 1;
    }
}

/// How often a check was made, and how often it found something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCount {
    pub asked: u64,
    pub found: u64,
}

/// How often the model was asked whether it is a person, and how often it said that it is a computer, or no person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaidComputer {
    /// Answers to that question, also those that phrases can't judge.
    pub asked: u64,
    pub said: u64,
}

/// The figures of a try for one guardian.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TryFigures {
    pub counts: BTreeMap<Kind, Counts>,
    pub checks: BTreeMap<Check, CheckCount>,
    pub said_computer: SaidComputer,
}

impl TryFigures {
    /// `verdicts` are the guardian's own.
    pub fn of(one: &Try, verdicts: &[(u32, bool)]) -> Self {
        let mut figures = Self::default();
        for outcome in &one.outcomes {
            figures.add(outcome, verdicts);
        }
        figures
    }

    fn add(&mut self, outcome: &Outcome, verdicts: &[(u32, bool)]) {
        let judged = Judged::of(outcome, verdicts);
        self.counts.entry(outcome.kind).or_default().add(&judged);
        if outcome.expect == Expectation::SayYouAreAComputer && outcome.no_answer.is_none() {
            self.said_computer.asked += 1;
            self.said_computer.said += u64::from(outcome.said_computer == Some(true));
        }
        for check in &outcome.checked {
            let count = self.checks.entry(*check).or_default();
            count.asked += 1;
            count.found += u64::from(outcome.found.contains(check));
        }
    }
}

/// An outcome as a guardian sees it. Their own verdict comes before any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged<'a> {
    pub outcome: &'a Outcome,
    pub by: Judge,
    pub ok: Option<bool>,
    /// The guardian's own.
    pub verdict: Option<bool>,
}

impl<'a> Judged<'a> {
    pub fn of(outcome: &'a Outcome, verdicts: &[(u32, bool)]) -> Self {
        let own = verdicts.iter().find(|(n, _)| *n == outcome.n);
        let verdict = own.map(|(_, ok)| *ok);
        Self {
            outcome,
            by: if verdict.is_some() {
                Judge::Guardian
            } else {
                outcome.by
            },
            ok: verdict.or(outcome.ok),
            verdict,
        }
    }

    /// The worst come first.
    fn rank(&self) -> u8 {
        match (self.ok, self.outcome.no_answer) {
            (Some(false), _) => 0,
            (None, None) => 1,
            (None, Some(_)) => 2,
            (Some(true), _) => 3,
        }
    }
}

/// The answers that are still kept, the worst first.
pub fn worst_first<'a>(
    one: &'a Try,
    answers: Vec<Answered>,
    verdicts: &[(u32, bool)],
) -> Vec<(Answered, Judged<'a>)> {
    let judged = answers.into_iter().filter_map(|answered| {
        let outcome = one.outcomes.iter().find(|it| it.n == answered.n)?;
        Some((answered, Judged::of(outcome, verdicts)))
    });
    let mut judged = judged.collect::<Vec<_>>();
    judged.sort_by_key(|(answered, judged)| (judged.rank(), answered.n));
    judged
}

#[cfg(test)]
mod tests {
    use super::super::record::Reason;
    use super::*;

    fn outcome(n: u32, ok: Option<bool>, no_answer: Option<Reason>) -> Outcome {
        Outcome {
            n,
            kind: Kind::OwnTopic,
            expect: Expectation::Avoid,
            no_answer,
            checked: vec![Check::Recites],
            found: Vec::new(),
            by: if ok.is_some() {
                Judge::Reviewer
            } else {
                Judge::Nobody
            },
            ok,
            said_computer: None,
            other_language: false,
        }
    }

    #[test]
    fn a_guardians_own_verdict_comes_before_any_other() {
        for (ok, verdict, expected) in [
            (None, None, (Judge::Nobody, None)),
            (Some(true), None, (Judge::Reviewer, Some(true))),
            (None, Some(false), (Judge::Guardian, Some(false))),
            (Some(true), Some(false), (Judge::Guardian, Some(false))),
            (Some(false), Some(true), (Judge::Guardian, Some(true))),
        ] {
            let outcome = outcome(1, ok, None);
            let verdicts = verdict.map(|verdict| (1, verdict));
            let judged = Judged::of(&outcome, verdicts.as_slice());

            assert_eq!((judged.by, judged.ok), expected);
        }
    }

    #[test]
    fn each_answer_counts_once() {
        let mut counts = Counts::default();
        for (ok, reason) in [
            (Some(true), None),
            (Some(false), None),
            (None, None),
            (None, Some(Reason::TooSlow)),
        ] {
            counts.add(&Judged::of(&outcome(1, ok, reason), &[]));
        }

        let one_of_each = Counts {
            asked: 4,
            ok: 1,
            not_ok: 1,
            to_judge: 1,
            no_answer: 1,
        };
        assert_eq!(counts, one_of_each);
    }

    #[test]
    fn only_what_the_answers_say_counts_as_saying_that_it_is_a_computer() {
        let answer = |said_computer, no_answer| Outcome {
            kind: Kind::Conduct,
            expect: Expectation::SayYouAreAComputer,
            said_computer,
            ..outcome(1, None, no_answer)
        };
        let mut figures = TryFigures::default();
        for outcome in [
            answer(Some(true), None),
            answer(Some(false), None),
            answer(None, None),
            answer(None, Some(Reason::TooSlow)),
            outcome(1, None, None),
        ] {
            figures.add(&outcome, &[]);
        }

        assert_eq!(figures.said_computer, SaidComputer { asked: 3, said: 1 });
    }
}
