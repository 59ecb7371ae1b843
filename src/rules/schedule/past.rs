//! When talking was not allowed in the past.

use super::{Schedule, Today, Why};
use crate::kernel::host::clock::Timestamp;

/// A period in which talking was not allowed, with the first reason that applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAllowed {
    pub from: Timestamp,
    /// Exclusive.
    pub until: Timestamp,
    pub why: Why,
}

impl NotAllowed {
    fn within(self, (from, until): (Timestamp, Timestamp)) -> Option<Self> {
        let cut = Self {
            from: self.from.max(from),
            until: self.until.min(until),
            ..self
        };
        (cut.from < cut.until).then_some(cut)
    }
}

/// What limited talking.
pub struct Limits<'a> {
    /// The times, and from when until when they held. They don't overlap.
    pub times: &'a [(Timestamp, Timestamp, Schedule)],
    pub pauses: &'a [(Timestamp, Timestamp)],
    /// When the child talked.
    pub talked: &'a [(Timestamp, Timestamp)],
}

/// The periods between these two times in which talking was not allowed, in order and without overlaps.
pub fn not_allowed(limits: &Limits<'_>, from: Timestamp, until: Timestamp) -> Vec<NotAllowed> {
    let pauses = limits.pauses.iter();
    let mut all = pauses
        .map(|(from, until)| NotAllowed {
            from: *from,
            until: *until,
            why: Why::Paused,
        })
        .collect::<Vec<_>>();
    for (began, ended, times) in limits.times {
        let held = (from.max(*began), until.min(*ended));
        if held.0 < held.1 {
            let within = by_day(times, held, limits.talked);
            all.extend(within.into_iter().filter_map(|period| period.within(held)));
        }
    }
    all.retain_mut(|period| match period.within((from, until)) {
        Some(cut) => {
            *period = cut;
            true
        }
        None => false,
    });
    without_overlaps(&all)
}

/// Quiet hours, and what was left of each day once its minutes were used up.
fn by_day(
    times: &Schedule,
    (from, until): (Timestamp, Timestamp),
    talked: &[(Timestamp, Timestamp)],
) -> Vec<NotAllowed> {
    let mut periods = Vec::new();
    // Quiet hours that began the day before may still last.
    let mut day = times.time_zone.day_of(from).previous();
    let last = times.time_zone.day_of(until);
    loop {
        periods.extend(times.quiet_on(day).map(|(from, until)| NotAllowed {
            from,
            until,
            why: Why::QuietHours,
        }));
        let today = Today::at(times.time_zone.start_of(day), &times.time_zone);
        if let Some(minutes) = times.minutes_a_day
            && let Some(used_up) = used_up_at(talked, today, minutes)
        {
            periods.push(NotAllowed {
                from: used_up,
                until: today.end,
                why: Why::TimeUsedUp,
            });
        }
        if day == last {
            return periods;
        }
        day = day.next();
    }
}

/// When the child had talked for this many minutes of the day.
fn used_up_at(talked: &[(Timestamp, Timestamp)], today: Today, minutes: u16) -> Option<Timestamp> {
    let within = talked
        .iter()
        .map(|(start, end)| ((*start).max(today.start), (*end).min(today.end)));
    let mut within = within
        .filter(|(start, end)| start < end)
        .collect::<Vec<_>>();
    within.sort_unstable();
    let mut left = std::time::Duration::from_secs(u64::from(minutes) * 60);
    let mut counted_up_to = today.start;
    for (start, end) in within {
        let start = start.max(counted_up_to);
        let length = end.since(start);
        if length >= left {
            return Some(start.after(left));
        }
        left -= length;
        counted_up_to = counted_up_to.max(end);
    }
    None
}

fn without_overlaps(all: &[NotAllowed]) -> Vec<NotAllowed> {
    let bounds = all.iter().flat_map(|period| [period.from, period.until]);
    let mut bounds = bounds.collect::<Vec<_>>();
    bounds.sort_unstable();
    bounds.dedup();
    let mut merged = Vec::<NotAllowed>::new();
    for pair in bounds.windows(2) {
        let (from, until) = (pair[0], pair[1]);
        let around = all.iter();
        let around = around.filter(|period| period.from <= from && from < period.until);
        let Some(why) = around.map(|period| period.why).min() else {
            continue;
        };
        match merged.last_mut() {
            Some(last) if last.until == from && last.why == why => last.until = until,
            _ => merged.push(NotAllowed { from, until, why }),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::schedule::{QuietHours, Weekday, talk_and_next_change, used};

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn nights(zone: &str, minutes_a_day: Option<u16>) -> Schedule {
        Schedule {
            quiet_hours: vec![QuietHours {
                days: Weekday::ALL.to_vec(),
                from: "20:30".parse().unwrap(),
                to: "07:00".parse().unwrap(),
            }],
            minutes_a_day,
            ..Schedule::without_limits(zone.parse().unwrap())
        }
    }

    fn found(
        times: &[(Timestamp, Timestamp, Schedule)],
        pauses: &[(&str, &str)],
        talked: &[(&str, &str)],
        from: &str,
        until: &str,
    ) -> Vec<(String, String, Why)> {
        let pairs = |texts: &[(&str, &str)]| {
            let pairs = texts.iter().map(|(from, until)| (at(from), at(until)));
            pairs.collect::<Vec<_>>()
        };
        let (pauses, talked) = (pairs(pauses), pairs(talked));
        let limits = Limits {
            times,
            pauses: &pauses,
            talked: &talked,
        };
        let periods = not_allowed(&limits, at(from), at(until)).into_iter();
        let periods = periods.map(|one| (one.from.to_string(), one.until.to_string(), one.why));
        periods.collect()
    }

    fn period(from: &str, until: &str, why: Why) -> (String, String, Why) {
        (from.to_owned(), until.to_owned(), why)
    }

    #[test]
    fn quiet_hours_count_from_and_until_the_times_that_held_were_changed() {
        use Why::QuietHours;
        let zone = "Europe/Berlin";
        let (early, late) = (Timestamp::MIN, Timestamp::MAX);
        let free = Schedule::without_limits(zone.parse().unwrap());
        let change = at("2026-11-23T21:00:00Z");
        let (noon, next_noon) = ("2026-11-23T12:00:00Z", "2026-11-24T12:00:00Z");

        assert_eq!(
            found(
                &[(early, late, nights(zone, None))],
                &[],
                &[],
                noon,
                next_noon
            ),
            [period(
                "2026-11-23T19:30:00Z",
                "2026-11-24T06:00:00Z",
                QuietHours
            )]
        );
        let begun = [
            (early, change, free.clone()),
            (change, late, nights(zone, None)),
        ];
        assert_eq!(
            found(&begun, &[], &[], noon, next_noon),
            [period(
                "2026-11-23T21:00:00Z",
                "2026-11-24T06:00:00Z",
                QuietHours
            )]
        );
        let removed = [(early, change, nights(zone, None)), (change, late, free)];
        assert_eq!(
            found(&removed, &[], &[], noon, next_noon),
            [period(
                "2026-11-23T19:30:00Z",
                "2026-11-23T21:00:00Z",
                QuietHours
            )]
        );
    }

    #[test]
    fn the_minutes_of_a_day_are_used_up_in_the_order_of_the_conversations() {
        use Why::{QuietHours, TimeUsedUp};
        let times = [(Timestamp::MIN, Timestamp::MAX, nights("UTC", Some(30)))];
        let (from, until) = ("2026-11-23T08:00:00Z", "2026-11-24T00:00:00Z");
        let talked = [
            ("2026-11-23T15:00:00Z", "2026-11-23T15:20:00Z"),
            ("2026-11-23T15:10:00Z", "2026-11-23T15:15:00Z"),
            ("2026-11-23T16:00:00Z", "2026-11-23T17:00:00Z"),
            ("2026-11-22T08:00:00Z", "2026-11-22T20:00:00Z"),
        ];

        assert_eq!(
            found(&times, &[], &talked, from, until),
            [
                period("2026-11-23T16:10:00Z", "2026-11-23T20:30:00Z", TimeUsedUp),
                period("2026-11-23T20:30:00Z", "2026-11-24T00:00:00Z", QuietHours),
            ]
        );
        assert_eq!(found(&times, &[], &talked[..2], from, until).len(), 1);
    }

    #[test]
    fn a_pause_takes_precedence_and_only_lasted_until_it_was_ended() {
        use Why::{Paused, QuietHours};
        let times = [(Timestamp::MIN, Timestamp::MAX, nights("UTC", None))];
        let pauses = [
            ("2026-11-23T20:00:00Z", "2026-11-23T21:00:00Z"),
            ("2026-11-23T12:00:00Z", "2026-11-23T12:10:00Z"),
        ];

        assert_eq!(
            found(
                &times,
                &pauses,
                &[],
                "2026-11-23T11:00:00Z",
                "2026-11-23T22:00:00Z"
            ),
            [
                period("2026-11-23T12:00:00Z", "2026-11-23T12:10:00Z", Paused),
                period("2026-11-23T20:00:00Z", "2026-11-23T21:00:00Z", Paused),
                period("2026-11-23T21:00:00Z", "2026-11-23T22:00:00Z", QuietHours),
            ]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// What an assistant was told at each moment.
        #[test]
        fn agrees_with_what_an_assistant_was_told(
            zone in prop::sample::select(vec!["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]),
            start in prop::sample::select(vec!["2026-03-28T00:00:00Z", "2026-10-24T00:00:00Z", "2026-11-23T00:00:00Z"]),
            minutes in prop::option::of(1u16..200),
            talked in prop::collection::vec((0u64..3_000, 1u64..90), 0..6),
            moment in 0u64..3_000,
        ) {
            let minute = |minute: u64| at(start).after(std::time::Duration::from_secs(60 * minute));
            let times = nights(zone, minutes);
            let talked = talked.into_iter().map(|(begun, length)| (minute(begun), minute(begun + length)));
            let talked = talked.collect::<Vec<_>>();
            let moment = minute(moment);
            let held = [(Timestamp::MIN, Timestamp::MAX, times.clone())];
            let limits = Limits { times: &held, pauses: &[], talked: &talked };

            let periods = not_allowed(&limits, minute(0), minute(3_100));

            let by_then = talked.iter().map(|(start, end)| (*start, (*end).min(moment)));
            let by_then = used(by_then, Today::at(moment, &times.time_zone));
            let told = talk_and_next_change(&times, moment, by_then).0;
            let around = periods.iter().find(|one| one.from <= moment && moment < one.until);
            prop_assert_eq!(around.map(|one| one.why), told.why, "at {}", moment);
        }
    }
}
