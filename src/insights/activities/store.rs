//! Completed activities by child, newest first; each assistant's proposals in its order; feedback, oldest first.

use super::{ActivityId, CompletedActivity, UpcomingActivity, Verdict};
use crate::children::{ChildId, SessionId};
use crate::identity::AssistantId;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Cursor, Key, KeyPlace, Page, Read, Record, RecordKind, StoreError, Table,
};

const COMPLETED: Table = Table::new("completed");
const COMPLETED_AT: Table = Table::new("completed-at");
const UPCOMING: Table = Table::new("upcoming");
const VERDICT: Table = Table::new("verdict");
const VERDICT_ON: Table = Table::new("verdict-on");
/// The number of a child's last verdict, also if it was taken back.
const LAST_VERDICT: Table = Table::new("last-verdict");

impl Record for CompletedActivity {}
impl Record for UpcomingActivity {}
impl Record for Verdict {}

pub(super) const KINDS: [RecordKind; 6] = [
    RecordKind::of::<CompletedActivity>(COMPLETED),
    RecordKind::of::<Timestamp>(COMPLETED_AT),
    RecordKind::of::<UpcomingActivity>(UPCOMING),
    RecordKind::of::<Verdict>(VERDICT),
    RecordKind::of::<u64>(VERDICT_ON),
    RecordKind::of::<u64>(LAST_VERDICT),
];

pub(super) const KEYS: [KeyPlace; 2] = [
    KeyPlace::after(COMPLETED, &[Before::Number, Before::Number]).descending(),
    KeyPlace::after(COMPLETED_AT, &[Before::Number]),
];

fn completed_of(child: ChildId) -> Key {
    COMPLETED.key().number(child.number())
}

fn completed_at_of(child: ChildId) -> Key {
    COMPLETED_AT.key().number(child.number())
}

fn row_key(child: ChildId, date: Timestamp, session: SessionId) -> Key {
    completed_of(child)
        .descending(date.micros())
        .descending_number(session.number())
}

fn at_key(child: ChildId, session: SessionId) -> Key {
    completed_at_of(child).number(session.number())
}

pub(super) fn completed(
    view: &impl Read,
    child: ChildId,
    before: Option<SessionId>,
    limit: usize,
) -> Result<Page, StoreError> {
    let all = completed_of(child);
    let Some(session) = before else {
        return view.page::<CompletedActivity>(&all, None, limit);
    };
    match view.get::<Timestamp>(&at_key(child, session))? {
        Some(date) => {
            let cursor = row_key(child, date, session).cursor_below(&all);
            view.page::<CompletedActivity>(&all, cursor.as_ref(), limit)
        }
        None => Ok(Page::default()),
    }
}

pub(super) fn find_completed(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Option<CompletedActivity>, StoreError> {
    match view.get::<Timestamp>(&at_key(child, session))? {
        Some(date) => view.get(&row_key(child, date, session)),
        None => Ok(None),
    }
}

/// Writes a completed activity at its date, and removes it from the previous one.
pub(super) fn put_completed(
    change: &mut Change,
    child: ChildId,
    activity: &CompletedActivity,
) -> Result<(), StoreError> {
    let session = activity.session_id;
    let at = at_key(child, session);
    if let Some(date) = change.get::<Timestamp>(&at)? {
        change.remove(&row_key(child, date, session))?;
    }
    change.put(&at, &activity.date)?;
    change.put_counted(&row_key(child, activity.date, session), activity)
}

pub(super) fn remove_completed(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<(), StoreError> {
    let at = at_key(child, session);
    if let Some(date) = change.get::<Timestamp>(&at)? {
        change.remove(&row_key(child, date, session))?;
        change.remove(&at)?;
    }
    Ok(())
}

fn upcoming_of(child: ChildId) -> Key {
    UPCOMING.key().number(child.number())
}

/// The proposals without feedback.
pub(super) fn upcoming(view: &impl Read, child: ChildId) -> Result<Page, StoreError> {
    let mut page = view.whole_page::<UpcomingActivity>(&upcoming_of(child))?;
    let mut open = Vec::with_capacity(page.rows.len());
    for row in page.rows {
        let activity = row.record::<UpcomingActivity>()?;
        if !is_judged(view, child, &activity.activity_id)? {
            open.push(row);
        }
    }
    page.rows = open;
    Ok(page)
}

/// Whether an assistant proposes the activity, with or without feedback. A scan is enough: [`Proposal::MOST`](super::Proposal::MOST) limits each list.
pub(super) fn is_proposed(
    view: &impl Read,
    child: ChildId,
    activity: &ActivityId,
) -> Result<bool, StoreError> {
    let (proposed, _) = view.list_readable::<UpcomingActivity>(&upcoming_of(child))?;
    Ok(proposed.iter().any(|one| one.activity_id == *activity))
}

/// The list of one assistant, after the [unowned](unowned_key) one.
fn upcoming_by(child: ChildId, assistant: &AssistantId) -> Key {
    upcoming_of(child).text(assistant.as_str())
}

/// The place of a proposal whose assistant is unknown: it is from a file, or from before each assistant had its own list.
fn unowned_key(child: ChildId, place: u64) -> Key {
    upcoming_of(child).number(place)
}

/// Replaces the proposals of one assistant.
pub(super) fn replace_upcoming(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    activities: &[UpcomingActivity],
) -> Result<(), StoreError> {
    let own = upcoming_by(child, assistant);
    change.remove_below(&own, usize::MAX)?;
    for (place, activity) in (0..).zip(activities) {
        change.put_counted(&own.clone().number(place), activity)?;
    }
    Ok(())
}

/// Removes the proposals of an assistant that is no longer connected.
pub(super) fn forget_upcoming(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
) -> Result<(), StoreError> {
    let own = upcoming_by(child, assistant);
    change.remove_below(&own, usize::MAX).map(drop)
}

pub(super) fn put_unowned_upcoming(
    change: &mut Change,
    child: ChildId,
    activities: &[UpcomingActivity],
) -> Result<(), StoreError> {
    for (place, activity) in (0..).zip(activities) {
        change.put_counted(&unowned_key(child, place), activity)?;
    }
    Ok(())
}

/// Removes the unowned proposals that are chosen; an unreadable one is `None`.
pub(super) fn remove_unowned_upcoming(
    change: &mut Change,
    child: ChildId,
    is_chosen: impl Fn(Option<&UpcomingActivity>) -> bool,
) -> Result<(), StoreError> {
    let all = upcoming_of(child);
    for key in change.keys_below(&all, usize::MAX)? {
        let place = key.components_below(&all).number();
        let is_unowned = place.is_some_and(|place| key == unowned_key(child, place));
        if is_unowned && is_chosen(change.get_readable(&key)?.as_ref()) {
            change.remove(&key)?;
        }
    }
    Ok(())
}

fn verdicts_of(child: ChildId) -> Key {
    VERDICT.key().number(child.number())
}

fn verdicts_on_of(child: ChildId) -> Key {
    VERDICT_ON.key().number(child.number())
}

fn last_verdict_of(child: ChildId) -> Key {
    LAST_VERDICT.key().number(child.number())
}

fn verdict_on(child: ChildId, activity: &ActivityId) -> Key {
    verdicts_on_of(child).text(activity.as_str())
}

/// The cursor before all feedback: numbers start at 1.
pub(super) fn before_verdicts(child: ChildId) -> Cursor {
    let all = verdicts_of(child);
    let none = all.clone().number(0).cursor_below(&all);
    none.expect("a key begins with what it was made from")
}

/// Feedback as it is [shown](Verdict::shown).
pub(super) fn verdicts(
    view: &impl Read,
    child: ChildId,
    after: &Cursor,
    limit: usize,
) -> Result<Page, StoreError> {
    let page = view.page::<Verdict>(&verdicts_of(child), Some(after), limit)?;
    page.shown_as(|verdict: Verdict| Ok(verdict.shown()))
}

pub(super) fn is_judged(
    view: &impl Read,
    child: ChildId,
    activity: &ActivityId,
) -> Result<bool, StoreError> {
    view.contains(&verdict_on(child, activity))
}

pub(super) fn find_verdict(
    view: &impl Read,
    child: ChildId,
    activity: &ActivityId,
) -> Result<Option<Verdict>, StoreError> {
    match view.get::<u64>(&verdict_on(child, activity))? {
        Some(number) => view.get(&verdicts_of(child).number(number)),
        None => Ok(None),
    }
}

/// The number of the child's next verdict, greater than in any cursor of its feedback. Counted per child: cursors contain it, and
/// one child's assistant must not learn how much feedback others get.
fn next_verdict(change: &mut Change, child: ChildId) -> Result<u64, StoreError> {
    let key = last_verdict_of(child);
    let last = match change.get::<u64>(&key)? {
        Some(last) => last,
        // Verdicts had one sequence for all children before.
        None => change.last_number("verdict")?,
    };
    change.put(&key, &(last + 1))?;
    Ok(last + 1)
}

/// Appends feedback and removes the one it replaces.
pub(super) fn put_verdict(
    change: &mut Change,
    child: ChildId,
    verdict: &Verdict,
) -> Result<(), StoreError> {
    remove_verdict(change, child, &verdict.activity_id)?;
    let number = next_verdict(change, child)?;
    change.put(&verdict_on(child, &verdict.activity_id), &number)?;
    change.put(&verdicts_of(child).number(number), verdict)
}

pub(super) fn remove_verdict(
    change: &mut Change,
    child: ChildId,
    activity: &ActivityId,
) -> Result<(), StoreError> {
    let on = verdict_on(child, activity);
    if let Some(number) = change.get::<u64>(&on)? {
        change.remove(&verdicts_of(child).number(number))?;
        change.remove(&on)?;
    }
    Ok(())
}

/// Removes the feedback of a former guardian that another guardian's replaced: nobody could take it back once it counts again.
pub(super) fn forget_replaced_of(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    for (key, mut verdict) in change.readable_rows::<Verdict>(&verdicts_of(child))? {
        if verdict.forget_replaced_of(guardian) {
            change.put(&key, &verdict)?;
        }
    }
    Ok(())
}

/// Removes a batch of the child's records. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    let mut removed = 0;
    let tables = [
        completed_of(child),
        completed_at_of(child),
        upcoming_of(child),
        verdicts_of(child),
        verdicts_on_of(child),
        last_verdict_of(child),
    ];
    for prefix in tables {
        removed += change.remove_some_below(&prefix)?;
    }
    Ok(removed > 0)
}
