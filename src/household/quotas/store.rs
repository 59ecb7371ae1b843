//! How many children, keys and invitations a guardian created today, and how many requests they made.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::children::ChildId;
use crate::identity::{BudgetOwner, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const MADE_TODAY: Table = Table::new("made-today");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaKind {
    Children,
    Keys,
    Invitations,
}

/// What a guardian, or all who share a budget, created and requested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DailyCounts {
    daily: DailyCounter<Counts>,
    /// Invitations on all days.
    #[serde(default)]
    invitations_in_all: u32,
}

/// The counts of one day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    children: u32,
    keys: u32,
    invitations: u32,
    /// Invitations by child.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    invitations_to: BTreeMap<u64, u32>,
    /// Requests that were made or changed, by child.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    requests_of: BTreeMap<u64, u32>,
}

impl Record for DailyCounts {}

pub const KIND: RecordKind = RecordKind::of::<DailyCounts>(MADE_TODAY);

impl DailyCounts {
    /// Returns the new count.
    pub fn count(&mut self, kind: QuotaKind, now: Timestamp) -> u32 {
        let today = self.daily.counts(now);
        one_more(match kind {
            QuotaKind::Children => &mut today.children,
            QuotaKind::Keys => &mut today.keys,
            QuotaKind::Invitations => {
                one_more(&mut self.invitations_in_all);
                &mut today.invitations
            }
        })
    }

    /// Counts an invitation to a child. Returns the new count of today.
    pub fn count_invitation_to(&mut self, child: ChildId, now: Timestamp) -> u32 {
        let today = self.daily.counts(now);
        one_more(today.invitations_to.entry(child.number()).or_default())
    }

    /// Counts a request about a child. Returns the new count of the last seven days.
    pub fn count_request(&mut self, child: ChildId, now: Timestamp) -> u32 {
        let child = child.number();
        one_more(self.daily.counts(now).requests_of.entry(child).or_default());
        let week = self.daily.of_week(now);
        week.filter_map(|day| day.requests_of.get(&child)).sum()
    }

    pub fn invited_in_all(&self) -> u32 {
        self.invitations_in_all
    }

    /// Uncounts an invitation that could not be sent.
    pub fn uncount_invitation(&mut self) {
        self.invitations_in_all = self.invitations_in_all.saturating_sub(1);
    }
}

fn one_more(count: &mut u32) -> u32 {
    *count = count.saturating_add(1);
    *count
}

fn key(owner: &BudgetOwner) -> Key {
    match owner {
        BudgetOwner::Guardian(id) => MADE_TODAY.key().text(id.as_str()),
        BudgetOwner::InvitedBy(id) => MADE_TODAY.key().text(id.as_str()).text("invited"),
    }
}

/// Unreadable counts are treated as zero: otherwise the guardian could create nothing any more, not even a new key after a
/// theft.
pub fn read_counts(view: &impl Read, owner: &BudgetOwner) -> Result<DailyCounts, StoreError> {
    let counts = view.get_readable(&key(owner))?;
    Ok(counts.unwrap_or_default())
}

pub fn put_counts(
    change: &mut Change,
    owner: &BudgetOwner,
    counts: &DailyCounts,
) -> Result<(), StoreError> {
    change.put(&key(owner), counts)
}

/// Removes the counts of a guardian, and those shared by guardians they invited.
pub fn remove_counts(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    change.remove(&key(&BudgetOwner::Guardian(guardian.clone())))?;
    change.remove(&key(&BudgetOwner::InvitedBy(guardian.clone())))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_kind_is_counted_separately_and_starts_at_zero_each_day() {
        let day = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400 + 7));
        let mut counts = DailyCounts::default();

        assert_eq!(counts.count(QuotaKind::Children, day(1)), 1);
        assert_eq!(counts.count(QuotaKind::Children, day(1)), 2);
        assert_eq!(counts.count(QuotaKind::Keys, day(1)), 1);
        assert_eq!(counts.count(QuotaKind::Children, day(2)), 1);
        assert_eq!(
            counts.count(QuotaKind::Children, day(1)),
            2,
            "the clock was set back"
        );
    }

    #[test]
    fn what_was_made_under_a_clock_far_ahead_counts_only_in_all() {
        let day = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400 + 7));
        let mut counts = DailyCounts::default();

        assert_eq!(counts.count(QuotaKind::Invitations, day(300)), 1);

        assert_eq!(counts.count(QuotaKind::Invitations, day(1)), 1);
        assert_eq!(counts.invited_in_all(), 2);
    }
}
