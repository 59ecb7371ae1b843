//! Counts conversations that were not reviewed: given up, or dropped when a guardian switched the reviewer off.

use super::store::{self, NotReviewed, day_of};
use crate::children::ChildId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Read, StoreError};

/// For how many days they are counted.
pub const COUNTED_DAYS: i64 = 30;

/// Counts further conversations of a child.
pub fn add(
    change: &mut Change,
    child: ChildId,
    now: Timestamp,
    conversations: u64,
) -> Result<(), StoreError> {
    if conversations == 0 {
        return Ok(());
    }
    let today = day_of(now);
    let mut not_reviewed = store::readable_not_reviewed(change, child)?;
    not_reviewed
        .by_day
        .retain(|day, _| (today - COUNTED_DAYS..=today).contains(day));
    *not_reviewed.by_day.entry(today).or_default() += conversations;
    store::put_not_reviewed(change, child, &not_reviewed)
}

/// How many of all children's conversations were not reviewed in the last thirty days.
pub fn count_all_not_reviewed(view: &impl Read, now: Timestamp) -> Result<u64, StoreError> {
    let all = store::all_not_reviewed(view)?;
    Ok(all
        .iter()
        .map(|of_child| count(of_child, now, COUNTED_DAYS))
        .sum())
}

pub fn count(not_reviewed: &NotReviewed, now: Timestamp, days: i64) -> u64 {
    let today = day_of(now);
    let days = not_reviewed.by_day.range(today - days + 1..=today);
    days.map(|(_, count)| count).sum()
}
