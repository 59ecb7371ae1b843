//! How many children, keys and invitations a guardian made today.

use serde::{Deserialize, Serialize};

use crate::identity::GuardianId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Read, Record, RecordKind, StoreError, Table};

const MADE_TODAY: Table = Table::new("made-today");

const MICROS_A_DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Children,
    Keys,
    Invitations,
}

/// How many a guardian made on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The day: days since 1970, in UTC.
    day: i64,
    children: u32,
    keys: u32,
    #[serde(default)]
    invitations: u32,
}

impl Record for Made {}

/// What the table holds.
pub const KIND: RecordKind = RecordKind::of::<Made>(MADE_TODAY);

impl Made {
    /// Counts one more; returns how many that makes. On a clock that has been set back the later day goes on.
    pub fn count(&mut self, sort: Sort, now: Timestamp) -> u32 {
        let today = now.micros().div_euclid(MICROS_A_DAY);
        if today > self.day {
            *self = Self {
                day: today,
                ..Self::default()
            };
        }
        let count = match sort {
            Sort::Children => &mut self.children,
            Sort::Keys => &mut self.keys,
            Sort::Invitations => &mut self.invitations,
        };
        *count = count.saturating_add(1);
        *count
    }
}

pub fn made(view: &impl Read, guardian: &GuardianId) -> Result<Option<Made>, StoreError> {
    view.get(&MADE_TODAY.key().text(guardian.as_str()))
}

pub fn put_made(change: &mut Change, guardian: &GuardianId, made: &Made) -> Result<(), StoreError> {
    change.put(&MADE_TODAY.key().text(guardian.as_str()), made)
}

pub fn remove_made(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    change.remove(&MADE_TODAY.key().text(guardian.as_str()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn each_sort_counts_for_itself_and_begins_anew_with_the_next_day() {
        let day = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400 + 7));
        let mut made = Made::default();

        assert_eq!(made.count(Sort::Children, day(1)), 1);
        assert_eq!(made.count(Sort::Children, day(1)), 2);
        assert_eq!(made.count(Sort::Keys, day(1)), 1);
        assert_eq!(made.count(Sort::Children, day(2)), 1);
        assert_eq!(
            made.count(Sort::Children, day(1)),
            2,
            "the clock was set back"
        );
    }
}
