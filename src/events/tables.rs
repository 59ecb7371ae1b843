//! Which tables are behind what a guardian sees. In each of them, a child's rows are keyed by the child's number first.

use super::What;
use crate::children::ChildId;
use crate::kernel::store::{RecordKind, Table, Written};
use crate::{
    activities, blocked_topics, children, context, household, keeping, rules, summary, times,
    transcripts,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    One(What),
    Anything,
}

/// Calls `note` for each child and thing that a group of writes changed. May repeat a pair.
pub(super) fn changes_in(written: &Written, mut note: impl FnMut(ChildId, Change)) {
    for (child, session) in transcripts::sessions_in(written) {
        note(child, Change::One(What::Session(session)));
    }
    for table in children::SHARED_BY_PAGES {
        tell(written, table, Change::Anything, &mut note);
    }
    let of_rules = rules::TABLES.map(|table| (table, What::Rules));
    let one_table = [
        (times::TABLE, What::Times),
        (keeping::ERASED_TABLE, What::ErasedSessions),
    ];
    let of_requests = household::REQUEST_TABLES.map(|table| (table, What::Requests));
    let of_kinds = [
        (summary::KINDS.as_slice(), What::Summary),
        (&activities::KINDS, What::Activities),
        (&blocked_topics::KINDS, What::BlockedTopics),
        (&context::KINDS, What::Context),
        (&rules::RECEIPT_KINDS, What::Receipts),
        (&[children::history::KIND], What::History),
    ];
    let of_kinds = of_kinds.into_iter().flat_map(|(kinds, what)| {
        let tables = kinds.iter().map(RecordKind::table);
        tables.map(move |table| (table, what))
    });
    for (table, what) in of_rules
        .into_iter()
        .chain(of_requests)
        .chain(one_table)
        .chain(of_kinds)
    {
        tell(written, table, Change::One(what), &mut note);
    }
}

fn tell(written: &Written, table: Table, change: Change, note: &mut impl FnMut(ChildId, Change)) {
    for child in written.numbers_in(table) {
        note(ChildId::new(child), change);
    }
}
