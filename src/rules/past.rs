//! The rules that were in force in the past, for judging a conversation that is over.

use super::receipts::Evidence;
use super::store::VersionRow;
use super::version::TopicsVersion;
use super::{Rules, pauses, receipts, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError, readable};
use crate::rules::schedule::{self, Limits, NotAllowed, Schedule, Today};

/// A list of topics, and from when until when it was in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListInForce {
    pub since: Timestamp,
    /// Exclusive.
    pub until: Timestamp,
    pub topics: TopicsVersion,
}

/// The blocked-topic lists in force during a conversation, and the lists that its assistant reported to follow.
#[derive(Clone, Debug, Default)]
pub struct ConversationRules {
    /// Without those that are unreadable.
    pub lists: Vec<ListInForce>,
    /// From when on the assistant followed a list, by time; `None` in place of one that it refused.
    pub reports: Vec<(Timestamp, Option<TopicsVersion>)>,
    /// Since when the assistant has followed the list that it last reported.
    pub follows_since: Option<Timestamp>,
}

/// A version, and from when until when it was in force.
struct Held {
    since: Timestamp,
    until: Timestamp,
    /// `None` for the state from before the first change, if there never was one.
    row: Option<VersionRow>,
}

impl Rules {
    /// The periods in which talking was not allowed, by the times and pauses that were in force then. What can't be read
    /// forbade nothing.
    pub fn not_allowed(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<NotAllowed>, StoreError> {
        let times = self.times_between(view, access, from, until)?;
        self.not_allowed_by(view, access, &times, (from, until))
    }

    /// Whether talking is paused now.
    pub fn is_paused(&self, access: &ChildAccess) -> Result<bool, StoreError> {
        let times = self.dependencies.times.current(access)?;
        Ok(times.pause_at(self.clock.now()).is_some())
    }

    /// The number of whole days between the days of these times on which talking was allowed for a while.
    pub fn count_days_with_talk(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<u16, StoreError> {
        let zone = self.dependencies.times.readable_zone(view, access)?;
        let (mut day, last) = (zone.day_of(from).next(), zone.day_of(until));
        let (start, end) = (zone.start_of(day), zone.start_of(last));
        let mut times = self.times_between(view, access, start, end)?;
        for (_, _, times) in &mut times {
            // What others talked with the child says nothing about this assistant.
            times.minutes_a_day = None;
        }
        let not_allowed = self.not_allowed_by(view, access, &times, (start, end))?;
        let mut days = 0;
        while zone.start_of(day) < end {
            let today = Today::at(zone.start_of(day), &zone);
            let within = not_allowed.iter();
            let within = within.map(|period| (period.from, period.until));
            if schedule::used(within, today) < today.end.since(today.start) {
                days += 1;
            }
            day = day.next();
        }
        Ok(days)
    }

    fn not_allowed_by(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        times: &[(Timestamp, Timestamp, Schedule)],
        (from, until): (Timestamp, Timestamp),
    ) -> Result<Vec<NotAllowed>, StoreError> {
        let logged = pauses::logged(view, access.child())?.into_iter();
        let pauses = logged.map(|pause| (pause.from, pause.until.unwrap_or(Timestamp::MAX)));
        let pauses = pauses.collect::<Vec<_>>();
        let limited = times
            .iter()
            .find(|(_, _, times)| times.minutes_a_day.is_some());
        let talked = match limited {
            Some((_, _, times)) => {
                let transcripts = &self.dependencies.transcripts;
                let today = Today::at(from, &times.time_zone);
                // A change of the time zone may have begun the day earlier.
                let since = today.start.before(std::time::Duration::from_secs(86_400));
                readable(transcripts.talk_intervals(view, access, since))?.unwrap_or_default()
            }
            None => Vec::new(),
        };
        let talked = talked.into_iter().map(|talk| (talk.start, talk.end));
        let limits = Limits {
            times,
            pauses: &pauses,
            talked: &talked.collect::<Vec<_>>(),
        };
        Ok(schedule::not_allowed(&limits, from, until))
    }

    fn times_between(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<(Timestamp, Timestamp, Schedule)>, StoreError> {
        let mut between = Vec::new();
        for held in versions_between(view, access, from, until)? {
            let times = if held.until == Timestamp::MAX {
                let current = readable(self.dependencies.times.find(view, access))?.flatten();
                current.map(|times| times.without_pause())
            } else {
                held.row.map(|row| row.times)
            };
            between.extend(times.map(|times| (held.since, held.until, times)));
        }
        Ok(between)
    }

    /// What was in force and reported in a session between these times.
    pub fn rules_of_conversation(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        assistant: &AssistantId,
        session: SessionId,
        (from, until): (Timestamp, Timestamp),
    ) -> Result<ConversationRules, StoreError> {
        let child = access.child();
        let versions = versions_between(view, access, from, until)?;
        let lists = versions.into_iter().map(|held| ListInForce {
            since: held.since,
            until: held.until,
            topics: held.row.map(|row| row.topics_version).unwrap_or_default(),
        });
        let lists = lists.collect();
        let receipts = receipts::all_of_session(view, child, session)?.into_iter();
        let reports = receipts.filter_map(|receipt| {
            if receipt.refused.is_some() {
                Some((receipt.at, None))
            } else if receipt.evidence == Evidence::Fetched {
                None
            } else {
                Some((receipt.at, Some(receipt.topics)))
            }
        });
        let reports = reports.collect();
        let status = readable(receipts::rule_status(view, child, assistant))?.unwrap_or_default();
        Ok(ConversationRules {
            lists,
            reports,
            follows_since: status.follows.map(|followed| followed.since),
        })
    }
}

/// The readable versions that were in force between these times, newest first.
fn versions_between(
    view: &impl Read,
    access: &ChildAccess,
    from: Timestamp,
    until: Timestamp,
) -> Result<Vec<Held>, StoreError> {
    let child = access.child();
    let numbers = store::numbers(view, child)?;
    if numbers.is_empty() {
        let always = Held {
            since: Timestamp::MIN,
            until: Timestamp::MAX,
            row: None,
        };
        return Ok(vec![always]);
    }
    let mut between = Vec::new();
    for number in numbers {
        let Some(row) = readable(store::row(view, child, number))?.flatten() else {
            continue;
        };
        let held = Held {
            since: row.since.unwrap_or(Timestamp::MIN),
            until: row.until.unwrap_or(Timestamp::MAX),
            row: Some(row),
        };
        let is_oldest = held.since <= from;
        if held.since < until && from < held.until {
            between.push(held);
        }
        if is_oldest {
            break;
        }
    }
    Ok(between)
}
