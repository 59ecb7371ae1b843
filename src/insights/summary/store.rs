//! By child: each session's contribution, the totals, and the summary as it is returned.

use std::collections::BTreeMap;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;

use super::Report;
use super::tally::{LastSession, Overview, Part, ReportBy, SessionCount, Totals};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::words;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table,
};

const PART: Table = Table::new("summary-part");
const LATEST: Table = Table::new("summary-latest");
const TOTALS: Table = Table::new("summary-totals");
const OVERVIEW: Table = Table::new("summary");
const REPORT: Table = Table::new("report");
const REPORT_BY: Table = Table::new("report-by");

/// How often words occurred: a count per word, and an index by count.
#[derive(Clone, Copy)]
pub(super) struct Frequencies {
    count: Table,
    rank: Table,
}

pub(super) const TOPICS: Frequencies = Frequencies {
    count: Table::new("summary-topic"),
    rank: Table::new("summary-topic-rank"),
};

pub(super) const MOODS: Frequencies = Frequencies {
    count: Table::new("summary-mood"),
    rank: Table::new("summary-mood-rank"),
};

/// The version of the stored JSON.
const VERSION: u8 = 1;

impl Record for Part {}
impl Record for Totals {}
impl Record for SessionCount {}
impl Record for LastSession {}

/// The stored summary when read; it is written from an [`Overview`].
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredOverview {
    sessions: u64,
    minutes: u64,
    last_session: Option<LastSession>,
    topics: Vec<StoredTopic>,
    moods: BTreeMap<String, u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTopic {
    topic: String,
    sessions: u64,
}

/// The stored report when read; it is written from a [`Report`].
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct StoredReport(serde_json::Map<String, Value>);

impl Record for ReportBy {}
impl Record for StoredOverview {}
impl Record for StoredReport {}

pub(super) const KINDS: [RecordKind; 10] = [
    RecordKind::of::<Part>(PART),
    RecordKind::of::<LastSession>(LATEST),
    RecordKind::of::<Totals>(TOTALS),
    RecordKind::of::<StoredOverview>(OVERVIEW),
    RecordKind::of::<StoredReport>(REPORT),
    RecordKind::of::<ReportBy>(REPORT_BY),
    RecordKind::of::<u64>(TOPICS.count),
    RecordKind::of::<SessionCount>(TOPICS.rank),
    RecordKind::of::<u64>(MOODS.count),
    RecordKind::of::<SessionCount>(MOODS.rank),
];

pub(super) const KEYS: [KeyPlace; 2] = [
    KeyPlace::after(PART, &[Before::Number]),
    KeyPlace::after(LATEST, &[Before::Number, Before::Number]).descending(),
];

fn of(table: Table, child: ChildId) -> Key {
    table.key().number(child.number())
}

pub(super) fn part(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Option<Part>, StoreError> {
    view.get(&of(PART, child).number(session.number()))
}

pub(super) fn put_part(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    part: &Part,
) -> Result<(), StoreError> {
    change.put(&of(PART, child).number(session.number()), part)
}

pub(super) fn remove_part(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<(), StoreError> {
    let key = of(PART, child).number(session.number());
    change.remove(&key).map(drop)
}

pub(super) fn totals(view: &impl Read, child: ChildId) -> Result<Totals, StoreError> {
    Ok(view.get(&of(TOTALS, child))?.unwrap_or_default())
}

pub(super) fn put_totals(
    change: &mut Change,
    child: ChildId,
    totals: Totals,
) -> Result<(), StoreError> {
    change.put(&of(TOTALS, child), &totals)
}

fn latest_key(child: ChildId, date: Timestamp, session: SessionId) -> Key {
    // Of two sessions with the same time the later one comes first, as in the list of sessions.
    of(LATEST, child)
        .descending(date.micros())
        .descending_number(session.number())
}

pub(super) fn put_latest(
    change: &mut Change,
    child: ChildId,
    session: &LastSession,
) -> Result<(), StoreError> {
    let key = latest_key(child, session.date, session.session_id);
    change.put(&key, session)
}

pub(super) fn remove_latest(
    change: &mut Change,
    child: ChildId,
    date: Timestamp,
    session: SessionId,
) -> Result<(), StoreError> {
    change.remove(&latest_key(child, date, session))?;
    Ok(())
}

/// The most recent session.
pub(super) fn last_session(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<LastSession>, StoreError> {
    Ok(view.first(&of(LATEST, child), 1)?.pop())
}

impl Frequencies {
    fn rank_key(self, child: ChildId, sessions: u64, caseless: &str) -> Key {
        of(self.rank, child)
            .descending_number(sessions)
            .text(caseless)
    }

    /// Counts the words once more. Ignores blank ones.
    pub fn add(self, change: &mut Change, child: ChildId, words: &str) -> Result<(), StoreError> {
        self.recount(change, child, words, |sessions| sessions + 1)
    }

    /// Counts the words once less.
    pub fn remove(
        self,
        change: &mut Change,
        child: ChildId,
        words: &str,
    ) -> Result<(), StoreError> {
        self.recount(change, child, words, |sessions| sessions.saturating_sub(1))
    }

    fn recount(
        self,
        change: &mut Change,
        child: ChildId,
        words: &str,
        next: impl FnOnce(u64) -> u64,
    ) -> Result<(), StoreError> {
        let words = words::trim(words);
        if words.is_empty() {
            return Ok(());
        }
        let caseless = words::caseless(words);
        let count_key = of(self.count, child).text(&caseless);
        let before = change.get::<u64>(&count_key)?.unwrap_or(0);
        let rank_key = self.rank_key(child, before, &caseless);
        let known = change.get::<SessionCount>(&rank_key)?;
        change.remove(&rank_key)?;
        let sessions = next(before);
        if sessions == 0 {
            change.remove(&count_key)?;
            return Ok(());
        }
        let words = known.map_or_else(|| words.to_owned(), |known| known.words);
        change.put(&count_key, &sessions)?;
        let rank_key = self.rank_key(child, sessions, &caseless);
        change.put(&rank_key, &SessionCount { words, sessions })
    }

    /// Returns at most `limit` words by descending count, then alphabetically.
    pub fn most_frequent(
        self,
        view: &impl Read,
        child: ChildId,
        limit: usize,
    ) -> Result<Vec<SessionCount>, StoreError> {
        view.first(&of(self.rank, child), limit)
    }
}

pub(super) fn overview(view: &impl Read, child: ChildId) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(view
        .json::<StoredOverview>(&of(OVERVIEW, child))?
        .map(Vec::from))
}

pub(super) fn put_overview(
    change: &mut Change,
    child: ChildId,
    overview: &Overview,
) -> Result<(), StoreError> {
    change.put_json(&of(OVERVIEW, child), VERSION, &overview.to_json())
}

pub(super) fn remove_overview(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    change.remove(&of(OVERVIEW, child)).map(drop)
}

/// The latest report of the connected assistants; if there is none, one whose assistant is unknown.
pub(super) fn latest_report(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<(Bytes, Option<ReportBy>)>, StoreError> {
    let all = view.list::<ReportBy>(&of(REPORT_BY, child))?;
    let latest = all.into_iter().max_by_key(|by| by.at);
    let key = match &latest {
        Some(by) => of(REPORT, child).text(by.assistant_id.as_str()),
        None => unowned_report(child),
    };
    let report = view.json::<StoredReport>(&key)?;
    Ok(report.map(|report| (report, latest)))
}

/// The place of a report from a file, or from before each assistant had its own.
fn unowned_report(child: ChildId) -> Key {
    of(REPORT, child)
}

pub(super) fn put_unowned_report(
    change: &mut Change,
    child: ChildId,
    report: &Report,
) -> Result<(), StoreError> {
    let json = report.json().as_bytes();
    change.put_json_counted(&unowned_report(child), VERSION, json)
}

pub(super) fn remove_unowned_report(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    change.remove(&unowned_report(child)).map(drop)
}

pub(super) fn put_report(
    change: &mut Change,
    child: ChildId,
    report: &Report,
    by: &ReportBy,
) -> Result<(), StoreError> {
    let place = |table| of(table, child).text(by.assistant_id.as_str());
    change.put(&place(REPORT_BY), by)?;
    change.put_json_counted(&place(REPORT), VERSION, report.json().as_bytes())
}

/// Removes the report of an assistant that is no longer connected.
pub(super) fn remove_report(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    for table in [REPORT, REPORT_BY] {
        change.remove(&of(table, child).text(assistant.as_str()))?;
    }
    Ok(())
}

/// Removes a batch of the child's records. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let tables = [
        PART,
        LATEST,
        TOTALS,
        TOPICS.count,
        TOPICS.rank,
        MOODS.count,
        MOODS.rank,
        OVERVIEW,
        REPORT,
        REPORT_BY,
    ];
    let mut removed = 0;
    for table in tables {
        removed += change.remove_some_below(&of(table, child))?;
    }
    Ok(removed > 0)
}
