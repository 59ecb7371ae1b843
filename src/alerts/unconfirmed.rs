//! Decides when an alert of kind `rules` is due because an assistant talked without confirming the current rules.
//!
//! Counts how long an assistant, which has reported before, has talked with a child without a report that it follows the list
//! in force, in one conversation or several. It alerts once, until the assistant reports the list in force.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::outside::{Run, in_minutes};
use crate::kernel::host::clock::Timestamp;
use crate::rules::{ConversationRules, TopicsVersion};

/// An assistant may talk for this long before it has confirmed the list in force.
const TOLERATED: Duration = Duration::from_secs(10 * 60);

/// How an assistant has confirmed a child's rules so far. This is also its stored form.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confirming {
    /// How long it has talked without a confirmation.
    pub seconds: u64,
    /// When that began.
    pub since: Option<Timestamp>,
    /// Whether there was an alert since the last confirmation.
    #[serde(default)]
    pub is_told: bool,
    /// Whether it has ever reported a list.
    #[serde(default)]
    pub has_reported: bool,
    /// Talk and reports up to this time have been judged.
    pub judged_until: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    pub since: Timestamp,
    pub minutes: u64,
}

/// Whether an assistant had confirmed the list in force, in one part of a conversation.
enum Confirmation {
    Confirmed,
    Unconfirmed,
    /// It refused the list, or nothing is known.
    Other,
}

impl Confirming {
    /// Judges a conversation. Returns what to alert the guardians of.
    pub fn judge(&mut self, runs: &[Run], rules: &ConversationRules) -> Option<Unconfirmed> {
        let judged_until = self.judged_until.unwrap_or(Timestamp::MIN);
        let has_reported = self.has_reported
            || runs
                .first()
                .zip(rules.follows_since)
                .is_some_and(|((start, _), since)| since < *start);
        let mut alert = None::<Unconfirmed>;
        for (start, end) in parts(runs, rules) {
            if end <= judged_until {
                continue;
            }
            match confirmation_at(start, rules, has_reported) {
                Confirmation::Confirmed => self.confirm(),
                Confirmation::Unconfirmed => {
                    let start = start.max(judged_until);
                    let since = *self.since.get_or_insert(start);
                    self.seconds += end.since(start).as_secs();
                    let length = Duration::from_secs(self.seconds);
                    if length > TOLERATED && !self.is_told {
                        self.is_told = true;
                        alert = Some(Unconfirmed { since, minutes: 0 });
                    }
                    if let Some(alert) = alert.as_mut().filter(|alert| alert.since == since) {
                        alert.minutes = in_minutes(length);
                    }
                }
                Confirmation::Other => {}
            }
        }
        // A report after the last words counts, too.
        let last = rules.reports.last().filter(|(at, _)| *at > judged_until);
        if last.is_some_and(|(at, _)| {
            matches!(confirmation_at(*at, rules, true), Confirmation::Confirmed)
        }) {
            self.confirm();
        }
        self.has_reported |= rules.reports.iter().any(|(_, topics)| topics.is_some());
        let ends = runs.iter().map(|(_, end)| *end);
        self.judged_until = self.judged_until.max(ends.max());
        alert
    }

    fn confirm(&mut self) {
        self.seconds = 0;
        self.since = None;
        self.is_told = false;
    }
}

/// The runs, cut where the list or the report changed.
fn parts(runs: &[Run], rules: &ConversationRules) -> Vec<Run> {
    let lists = rules.lists.iter().map(|list| list.since);
    let reports = rules.reports.iter().map(|(at, _)| *at);
    let mut cuts = lists.chain(reports).collect::<Vec<_>>();
    cuts.sort_unstable();
    let mut parts = Vec::new();
    for (start, end) in runs {
        let within = cuts.iter().filter(|cut| start < *cut && *cut < end);
        let mut from = *start;
        for cut in within {
            parts.push((from, *cut));
            from = *cut;
        }
        parts.push((from, *end));
    }
    parts.retain(|(start, end)| start < end);
    parts
}

fn confirmation_at(at: Timestamp, rules: &ConversationRules, has_reported: bool) -> Confirmation {
    let mut lists = rules.lists.iter();
    let Some(list) = lists.find(|list| list.since <= at && at < list.until) else {
        return Confirmation::Other;
    };
    let is_current = |topics: &TopicsVersion| *topics == list.topics;
    match rules.reports.iter().rfind(|(reported, _)| *reported <= at) {
        Some((_, Some(topics))) if is_current(topics) => Confirmation::Confirmed,
        Some((_, None)) => Confirmation::Other,
        Some(_) => Confirmation::Unconfirmed,
        None if has_reported => Confirmation::Unconfirmed,
        None => Confirmation::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::ListInForce;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_micros(minute * 60_000_000)
    }

    fn list(number: u64) -> TopicsVersion {
        TopicsVersion {
            number,
            since: Some(at(10 * i64::try_from(number).unwrap())),
        }
    }

    /// List 0, then list 10 from minute 100, then list 20 from minute 200.
    fn rules(reports: &[(i64, Option<u64>)]) -> ConversationRules {
        let lists = [
            (Timestamp::MIN, at(100), 0),
            (at(100), at(200), 10),
            (at(200), Timestamp::MAX, 20),
        ];
        let reports = reports.iter();
        ConversationRules {
            lists: lists
                .map(|(since, until, number)| ListInForce {
                    since,
                    until,
                    topics: list(number),
                })
                .to_vec(),
            reports: reports
                .map(|(minute, number)| (at(*minute), number.map(list)))
                .collect(),
            follows_since: None,
        }
    }

    /// Its first and last minute, and its reports.
    type Conversation = (i64, i64, &'static [(i64, Option<u64>)]);

    /// The minutes of the alerts after each of these conversations.
    fn judge(conversations: &[Conversation]) -> Vec<Option<u64>> {
        let mut state = Confirming {
            has_reported: true,
            ..Confirming::default()
        };
        let judged = conversations.iter().map(|(from, until, reports)| {
            let alert = state.judge(&[(at(*from), at(*until))], &rules(reports));
            alert.map(|alert| alert.minutes)
        });
        judged.collect()
    }

    #[test]
    fn more_than_ten_minutes_without_the_list_in_force_alert_once_until_it_is_reported() {
        let cases: [(&[Conversation], &[Option<u64>]); 11] = [
            (&[(110, 140, &[(109, Some(10))])], &[None]),
            (&[(110, 120, &[])], &[None]),
            (&[(110, 124, &[])], &[Some(14)]),
            // An older list.
            (&[(110, 124, &[(109, Some(0))])], &[Some(14)]),
            (&[(190, 214, &[(189, Some(10))])], &[Some(14)]),
            (&[(190, 208, &[(189, Some(10))])], &[None]),
            // It confirms late.
            (&[(110, 130, &[(119, Some(10))])], &[None]),
            (&[(110, 130, &[(122, Some(10))])], &[Some(12)]),
            // Short ones add up, and it alerts once.
            (
                &[(110, 116, &[]), (120, 126, &[]), (130, 160, &[])],
                &[None, Some(12), None],
            ),
            // It was right in between.
            (
                &[
                    (110, 124, &[]),
                    (130, 131, &[(131, Some(10))]),
                    (140, 154, &[]),
                ],
                &[Some(14), None, Some(14)],
            ),
            // A refusal has an alert of its own.
            (&[(110, 140, &[(109, None)])], &[None]),
        ];

        for (index, (conversations, expected)) in cases.into_iter().enumerate() {
            assert_eq!(judge(conversations), expected, "case {index}");
        }
    }

    #[test]
    fn an_assistant_that_never_reported_is_not_judged() {
        let mut state = Confirming::default();
        let talk = [(at(110), at(150))];

        assert_eq!(state.judge(&talk, &rules(&[])), None);
        let before = ConversationRules {
            follows_since: Some(at(50)),
            ..rules(&[])
        };
        let mut state = Confirming::default();
        assert_eq!(state.judge(&talk, &before).unwrap().minutes, 40);
        let only_then = ConversationRules {
            follows_since: Some(at(140)),
            ..rules(&[(140, Some(10))])
        };
        let mut state = Confirming::default();
        assert_eq!(state.judge(&talk, &only_then), None);
        assert!(state.has_reported);
    }

    #[test]
    fn a_conversation_that_continues_is_counted_once() {
        let mut state = Confirming {
            has_reported: true,
            ..Confirming::default()
        };

        assert_eq!(state.judge(&[(at(110), at(116))], &rules(&[])), None);
        assert_eq!(state.judge(&[(at(110), at(120))], &rules(&[])), None);
        let alert = state.judge(&[(at(110), at(121))], &rules(&[])).unwrap();
        assert_eq!((alert.since, alert.minutes), (at(110), 11));
    }

    #[test]
    fn of_an_unreadable_list_nothing_is_told() {
        let mut unknown = rules(&[]);
        unknown.lists.clear();
        let mut state = Confirming {
            has_reported: true,
            ..Confirming::default()
        };

        assert_eq!(state.judge(&[(at(110), at(150))], &unknown), None);
    }
}
