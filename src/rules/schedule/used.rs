//! How much of a day the child has talked.

use std::time::Duration;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::Zone;

/// A day in the child's time zone, from its midnight to the next day's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Today {
    pub start: Timestamp,
    /// The start of the next day.
    pub end: Timestamp,
}

impl Today {
    /// The day that contains `now`.
    pub fn at(now: Timestamp, zone: &Zone) -> Self {
        let day = zone.day_of(now);
        Self {
            start: zone.start_of(day),
            end: zone.start_of(day.next()),
        }
    }
}

/// The part of the day that is covered by these intervals; overlaps count once.
pub fn used(intervals: impl IntoIterator<Item = (Timestamp, Timestamp)>, today: Today) -> Duration {
    let mut within = intervals
        .into_iter()
        .map(|(start, end)| (start.max(today.start), end.min(today.end)))
        .filter(|(start, end)| start < end)
        .collect::<Vec<_>>();
    within.sort_unstable();
    let (mut sum, mut counted_up_to) = (Duration::ZERO, today.start);
    for (start, end) in within {
        sum += end.since(start.max(counted_up_to));
        counted_up_to = counted_up_to.max(end);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_sessions_count_once_and_other_days_do_not_count() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000);
        let today = Today {
            start: at(100),
            end: at(200),
        };
        let cases: [(&[(i64, i64)], u64); 8] = [
            (&[], 0),
            (&[(110, 120)], 10),
            (&[(90, 120), (190, 300)], 30),
            (&[(10, 100), (200, 210)], 0),
            (&[(0, 1_000)], 100),
            (&[(110, 130), (120, 150)], 40),
            (&[(110, 150), (120, 130), (140, 160)], 50),
            (&[(120, 110)], 0),
        ];

        for (intervals, expected) in cases {
            let talked = intervals.iter().map(|(start, end)| (at(*start), at(*end)));
            let seconds = used(talked, today).as_secs();
            assert_eq!(seconds, expected, "{intervals:?}");
        }
    }
}
