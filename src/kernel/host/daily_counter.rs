//! Counts by day (UTC), for limits that end at midnight.
//!
//! The counts of the last few days on which something was counted are kept, so a clock that jumps back and forth renews nothing.
//! If the clock was set back within a day, counting continues on the later day. Days further ahead were counted under a wrong
//! clock: they don't use up today.

use serde::{Deserialize, Serialize};

use crate::kernel::host::clock::Timestamp;

/// The number of days that are kept. A jumping clock causes two or three.
const DAYS: usize = 8;

/// The counts `T` of the last few days.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DailyCounter<T> {
    /// The last element is the day that was used last.
    days: Vec<Counted<T>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Counted<T> {
    /// Days since 1970-01-01 UTC.
    day: i64,
    counts: T,
}

impl<T: Default> DailyCounter<T> {
    /// The counts that hold now.
    pub fn counts(&mut self, now: Timestamp) -> &mut T {
        let day = self.day(now);
        let known = self.days.iter().position(|counted| counted.day == day);
        let counted = known.map(|place| self.days.remove(place));
        self.days.push(counted.unwrap_or_else(|| Counted {
            day,
            counts: T::default(),
        }));
        let too_many = self.days.len().saturating_sub(DAYS);
        self.days.drain(..too_many);
        &mut self.days.last_mut().expect("a day was just added").counts
    }

    /// The counts of the seven days that end with the one that holds now.
    pub fn of_week(&self, now: Timestamp) -> impl Iterator<Item = &T> {
        let last = self.day(now);
        let days = self.days.iter();
        let week = days.filter(move |counted| (last - 6..=last).contains(&counted.day));
        week.map(|counted| &counted.counts)
    }

    /// Seconds until the counts that hold now end; at least 1.
    pub fn seconds_left(&self, now: Timestamp) -> u32 {
        let end = Timestamp::start_of_utc_day(self.day(now) + 1);
        let seconds = end.since(now).as_micros().div_ceil(1_000_000).max(1);
        u32::try_from(seconds).unwrap_or(u32::MAX)
    }

    /// Whether something was counted today or later.
    pub fn is_current(&self, now: Timestamp) -> bool {
        let today = now.utc_day();
        self.days.iter().any(|counted| counted.day >= today)
    }

    fn day(&self, now: Timestamp) -> i64 {
        let today = now.utc_day();
        let is_tomorrow = self.days.iter().any(|counted| counted.day == today + 1);
        today + i64::from(is_tomorrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    struct Count {
        made: u32,
    }

    fn at(day: i64) -> Timestamp {
        Timestamp::from_micros(Timestamp::start_of_utc_day(day).micros() + 7_000_000)
    }

    /// Counts one on each of these days. Returns the counts.
    fn counted(days: &[i64]) -> Vec<u32> {
        let mut counter = DailyCounter::<Count>::default();
        let one_more = |day: &i64| {
            let count = counter.counts(at(*day));
            count.made += 1;
            count.made
        };
        days.iter().map(one_more).collect()
    }

    #[test]
    fn each_day_begins_at_zero() {
        assert_eq!(counted(&[1, 1, 2, 2, 2, 4]), [1, 2, 1, 2, 3, 1]);
    }

    #[test]
    fn setting_the_clock_back_renews_nothing() {
        assert_eq!(counted(&[5, 5, 4]), [1, 2, 3], "by a day");
        assert_eq!(counted(&[5, 6, 7, 5]), [1, 1, 1, 2], "by two days");
        assert_eq!(
            counted(&[5, 400, 5, 400, 5]),
            [1, 1, 2, 2, 3],
            "ahead and back"
        );
    }

    #[test]
    fn a_day_more_than_a_day_ahead_does_not_use_up_today() {
        assert_eq!(counted(&[365, 365, 0, 0]), [1, 2, 1, 2]);
        assert_eq!(counted(&[2, 2, 0]), [1, 2, 1]);
    }

    #[test]
    fn the_counts_end_at_the_midnight_of_their_day() {
        let mut counter = DailyCounter::<Count>::default();
        let evening = Timestamp::parse("2026-11-21T23:59:00Z").unwrap();
        let next = Timestamp::parse("2026-11-22T00:00:00Z").unwrap();

        counter.counts(evening).made += 1;
        assert_eq!(counter.seconds_left(evening), 60);
        counter.counts(next).made += 1;

        assert_eq!(counter.seconds_left(evening), 60 + 24 * 60 * 60);
        assert!(counter.is_current(next) && !counter.is_current(at(next.utc_day() + 1)));
    }

    #[test]
    fn few_days_are_stored() {
        let mut counter = DailyCounter::<Count>::default();
        for day in 100..200 {
            counter.counts(at(day)).made += 1;
        }

        let stored = serde_json::to_value(&counter).unwrap();

        let days = stored["days"].as_array().unwrap();
        assert_eq!(days.len(), DAYS);
        assert_eq!(
            days[DAYS - 1],
            serde_json::json!({"day": 199, "counts": {"made": 1}})
        );
        assert_eq!(
            serde_json::from_value::<DailyCounter<Count>>(stored).unwrap(),
            counter
        );
    }
}
