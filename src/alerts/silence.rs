//! Assistants that no longer connect: the rule behind `silent`.

use std::time::Duration;

use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;

/// For an assistant that holds a connection, in days on which talking was allowed.
const WITHOUT_CALL: u16 = 2;

/// For another one, in days on which talking was allowed.
const WITHOUT_DELIVERY: u16 = 7;

/// Another assistant of the child has delivered something in this time.
const LATELY: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What became silent longer ago is no news.
pub const LONG_AGO: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// An assistant of a child, and its last sign of life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connected {
    pub assistant: AssistantId,
    /// Its last call or delivery.
    pub last: Timestamp,
    pub delivered_at: Option<Timestamp>,
    /// Whether it holds a connection.
    pub is_standing: bool,
    /// The number of whole days since then on which talking was allowed.
    pub days: u16,
    /// Whether there was an alert about this silence.
    pub is_told: bool,
}

/// What to alert the guardians of.
#[derive(Debug, PartialEq, Eq)]
pub enum Silent<'a> {
    One(&'a Connected),
    /// All of the child's assistants became silent.
    All(&'a [Connected]),
}

impl Silent<'_> {
    pub fn last(&self) -> Timestamp {
        match self {
            Self::One(one) => one.last,
            Self::All(all) => all
                .iter()
                .map(|one| one.last)
                .max()
                .unwrap_or(Timestamp::MIN),
        }
    }
}

/// Judges the assistants of a child.
pub fn silent(all: &[Connected], now: Timestamp) -> Vec<Silent<'_>> {
    let is_silent = |one: &&Connected| {
        let is_overdue = if one.is_standing {
            one.days >= WITHOUT_CALL
        } else {
            one.days >= WITHOUT_DELIVERY && has_other_delivered(all, one, now)
        };
        is_overdue && now.since(one.last) <= LONG_AGO
    };
    if all.len() > 1 && all.iter().all(|one| is_silent(&one) && !one.is_told) {
        return vec![Silent::All(all)];
    }
    let silent = all.iter().filter(is_silent);
    silent.filter(|one| !one.is_told).map(Silent::One).collect()
}

fn has_other_delivered(all: &[Connected], one: &Connected, now: Timestamp) -> bool {
    one.delivered_at.is_some()
        && all.iter().any(|other| {
            other.delivered_at > one.delivered_at
                && other
                    .delivered_at
                    .is_some_and(|delivered| now.since(delivered) < LATELY)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 60 * 60;

    fn at(day: i64) -> Timestamp {
        Timestamp::from_micros(day * DAY * 1_000_000)
    }

    /// It was last seen on this day. `days` is as if talking was allowed on all days.
    fn standing(name: &str, day: i64) -> Connected {
        Connected {
            is_standing: true,
            ..delivering(name, day)
        }
    }

    fn delivering(name: &str, day: i64) -> Connected {
        Connected {
            assistant: AssistantId::from_text(name),
            last: at(day),
            delivered_at: Some(at(day)),
            is_standing: false,
            days: u16::try_from(100 - day).unwrap(),
            is_told: false,
        }
    }

    fn names(all: &[Connected]) -> Vec<String> {
        let found = silent(all, at(100)).into_iter();
        let names = found.map(|silent| match silent {
            Silent::One(one) => one.assistant.as_str().to_owned(),
            Silent::All(_) => "all".to_owned(),
        });
        names.collect()
    }

    #[test]
    fn an_assistant_is_silent_after_two_days_without_a_call_or_seven_while_another_delivers() {
        let never_delivered = |days: i64| Connected {
            delivered_at: None,
            ..delivering("Toy", 100 - days)
        };
        let cases: [(Vec<Connected>, &[&str]); 15] = [
            (vec![], &[]),
            (vec![standing("Kitchen", 99)], &[]),
            (vec![standing("Kitchen", 98)], &["Kitchen"]),
            // For long.
            (vec![standing("Kitchen", 69)], &[]),
            (vec![delivering("Toy", 80)], &[]),
            (
                vec![delivering("Toy", 93), delivering("Kitchen", 99)],
                &["Toy"],
            ),
            (vec![delivering("Toy", 94), delivering("Kitchen", 99)], &[]),
            // The other one has delivered nothing lately, either.
            (vec![delivering("Toy", 80), delivering("Kitchen", 93)], &[]),
            (vec![never_delivered(20), delivering("Kitchen", 99)], &[]),
            (
                vec![standing("Kitchen", 98), standing("Hall", 99)],
                &["Kitchen"],
            ),
            (
                vec![standing("Kitchen", 98), standing("Hall", 97)],
                &["all"],
            ),
            (
                vec![standing("Kitchen", 98), delivering("Toy", 93)],
                &["all"],
            ),
            // A while after the other one.
            (
                vec![
                    standing("Kitchen", 98),
                    Connected {
                        is_told: true,
                        ..standing("Hall", 97)
                    },
                ],
                &["Kitchen"],
            ),
            (
                vec![Connected {
                    is_told: true,
                    ..standing("Kitchen", 97)
                }],
                &[],
            ),
            // Talking was never allowed meanwhile.
            (
                vec![Connected {
                    days: 0,
                    ..standing("Kitchen", 90)
                }],
                &[],
            ),
        ];

        for (index, (all, expected)) in cases.into_iter().enumerate() {
            assert_eq!(names(&all), expected, "case {index}");
        }
    }
}
