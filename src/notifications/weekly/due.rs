//! When a guardian's weekly e-mail is due.

use std::time::Duration;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Day, Minute, Zone};

/// A server that was off sends a due e-mail up to this long afterwards.
const LATE: Duration = Duration::from_secs(24 * 60 * 60);

/// The number of days that an e-mail covers, and the minimum number of days between two e-mails.
pub const WEEK: u16 = 7;

/// The weekday and hour at which the e-mail is due, in the guardian's time zone. An hour that a change of the clock skips is the
/// time of the change; an hour that occurs twice is the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// 0 is Monday.
    pub weekday: u8,
    /// 0 to 23.
    pub hour: u8,
    pub zone: Zone,
}

impl Schedule {
    fn moment_on(&self, day: Day) -> Timestamp {
        let hour = Minute::of_hour(self.hour).unwrap_or(Minute::MIDNIGHT);
        self.zone.moment(day, hour)
    }

    /// The day of the e-mail that is to be sent now; `None` if none is. `since` is when the guardian asked for the e-mails, `last`
    /// the day of the last one.
    pub fn due(&self, since: Timestamp, last: Option<Day>, now: Timestamp) -> Option<Day> {
        let today = self.zone.day_of(now);
        // Where a calendar skips a day, less than a day ago may be two dates ago.
        let days = [today.before(2), today.before(1), today];
        let due = |day: &Day| {
            let moment = self.moment_on(*day);
            day.weekday() == self.weekday
                && since <= moment
                && moment <= now
                && now.since(moment) < LATE
        };
        let earliest = self.earliest(last, today);
        days.into_iter()
            .filter(due)
            .find(|day| earliest.is_none_or(|earliest| earliest <= *day))
    }

    /// The first day on which an e-mail may follow the last one.
    fn earliest(&self, last: Option<Day>, today: Day) -> Option<Day> {
        // In another time zone it may be tomorrow. A later day was recorded while the clock was wrong.
        let last = last.filter(|last| *last <= today.next())?;
        Some(last.after(WEEK))
    }
}

/// The days that the e-mail of this day covers: the seven before.
pub fn week_before(day: Day) -> (Day, Day) {
    (day.before(WEEK), day.previous())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn schedule(zone: &str, weekday: u8, hour: u8) -> Schedule {
        Schedule {
            weekday,
            hour,
            zone: zone.parse().unwrap(),
        }
    }

    /// Sundays at 6 PM in Berlin.
    fn sundays() -> Schedule {
        schedule("Europe/Berlin", 6, 18)
    }

    #[test]
    fn it_is_due_at_its_hour_and_for_less_than_a_day_afterwards() {
        let due = |now| sundays().due(Timestamp::MIN, None, at(now));

        assert_eq!(due("2026-11-22T16:59:59Z"), None);
        assert_eq!(due("2026-11-22T17:00:00Z"), Some(day("2026-11-22")));
        assert_eq!(due("2026-11-23T16:59:59Z"), Some(day("2026-11-22")));
        assert_eq!(due("2026-11-23T17:00:00Z"), None);
    }

    #[test]
    fn none_is_due_that_was_due_before_the_guardian_asked_for_them() {
        let (due, later) = (at("2026-11-22T17:00:00Z"), at("2026-11-22T17:00:01Z"));

        assert_eq!(sundays().due(due, None, later), Some(day("2026-11-22")));
        assert_eq!(sundays().due(later, None, later), None);
    }

    #[test]
    fn at_both_changes_of_the_clock_it_is_the_same_hour_on_the_wall() {
        let cases = [
            // The day before is in the other time.
            ("Europe/Berlin", 6, 18, "2026-03-22", "2026-03-22T17:00:00Z"),
            ("Europe/Berlin", 6, 18, "2026-03-29", "2026-03-29T16:00:00Z"),
            ("Europe/Berlin", 6, 18, "2026-10-25", "2026-10-25T17:00:00Z"),
            (
                "America/New_York",
                6,
                18,
                "2026-03-08",
                "2026-03-08T22:00:00Z",
            ),
            (
                "America/New_York",
                6,
                18,
                "2026-11-01",
                "2026-11-01T23:00:00Z",
            ),
            // An hour that doesn't exist, and one that exists twice.
            ("Europe/Berlin", 6, 2, "2026-03-29", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", 6, 2, "2026-10-25", "2026-10-25T00:00:00Z"),
            (
                "America/New_York",
                6,
                1,
                "2026-11-01",
                "2026-11-01T05:00:00Z",
            ),
            // Midnight doesn't exist, or exists twice.
            ("Africa/Cairo", 4, 0, "2026-04-24", "2026-04-23T22:00:00Z"),
            ("America/Havana", 6, 0, "2026-11-01", "2026-11-01T04:00:00Z"),
            // A Friday that doesn't exist.
            ("Pacific/Apia", 4, 18, "2011-12-30", "2011-12-30T10:00:00Z"),
        ];

        for (zone, weekday, hour, on, moment) in cases {
            let (schedule, moment) = (schedule(zone, weekday, hour), at(moment));
            let due = |now| schedule.due(Timestamp::MIN, None, now);
            assert_eq!(due(moment), Some(day(on)), "{zone} {on}");
            let before = moment.before(Duration::from_micros(1));
            assert_eq!(due(before), None, "{zone} {on}");
        }
    }

    #[test]
    fn after_another_weekday_was_chosen_no_day_is_in_two_emails() {
        let last = Some(day("2026-11-22"));
        let saturdays = schedule("Europe/Berlin", 5, 18);

        let due = |now| saturdays.due(Timestamp::MIN, last, at(now));

        assert_eq!(due("2026-11-28T18:00:00Z"), None);
        assert_eq!(due("2026-12-05T18:00:00Z"), Some(day("2026-12-05")));
    }

    #[test]
    fn a_day_recorded_while_the_clock_was_wrong_holds_nothing_up() {
        let now = at("2026-11-22T17:00:00Z");

        let due = |last: &str| sundays().due(Timestamp::MIN, Some(day(last)), now);

        assert_eq!(due("2027-06-06"), Some(day("2026-11-22")));
        assert_eq!(due("2026-11-23"), None, "in a zone further east");
        assert_eq!(due("2026-11-15"), Some(day("2026-11-22")));
    }

    #[test]
    fn the_week_is_the_seven_days_before() {
        let (first, last) = week_before(day("2026-11-22"));

        assert_eq!((first, last), (day("2026-11-15"), day("2026-11-21")));
    }

    fn zones() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "America/St_Johns",
            "America/Havana",
            "Africa/Cairo",
            "Africa/Casablanca",
            "Asia/Kathmandu",
            "Pacific/Apia",
            "Pacific/Kiritimati",
        ])
    }

    fn schedules() -> impl Strategy<Value = Schedule> {
        (zones(), 0u8..7, 0u8..24).prop_map(|(zone, weekday, hour)| schedule(zone, weekday, hour))
    }

    /// What a server does that looks at these times: the day and time of each e-mail.
    fn sent(
        schedule_at: impl Fn(usize) -> Schedule,
        since: Timestamp,
        access_log: &[Timestamp],
    ) -> Vec<(Day, Timestamp)> {
        let mut sent = Vec::<(Day, Timestamp)>::new();
        for (index, now) in access_log.iter().enumerate() {
            let last = sent.last().map(|(day, _)| *day);
            if let Some(day) = schedule_at(index).due(since, last, *now) {
                sent.push((day, *now));
            }
        }
        sent
    }

    /// Times at which a server looks that is sometimes off.
    fn access_log(start: i64, pauses: &[u64]) -> Vec<Timestamp> {
        let mut now = Timestamp::from_micros(start * 1_000_000);
        let mut access_log = Vec::new();
        for pause in pauses {
            now = now.after(Duration::from_secs(*pause));
            access_log.push(now);
        }
        access_log
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn each_week_has_one_email_if_the_server_ran_within_a_day_of_it(
            schedule in schedules(),
            start in 1_290_000_000i64..1_900_000_000,
            pauses in prop::collection::vec(
                prop_oneof![8 => 600u64..14_400, 1 => 60_000u64..400_000], 100..300,
            ),
        ) {
            let access_log = access_log(start, &pauses);
            let since = access_log[0];

            let sent = sent(|_| schedule.clone(), since, &access_log);

            let mut expected = Vec::new();
            let mut day = schedule.zone.day_of(since);
            while schedule.moment_on(day) <= *access_log.last().unwrap() {
                let moment = schedule.moment_on(day);
                let look = access_log.iter().find(|look| **look >= moment);
                if day.weekday() == schedule.weekday
                    && moment >= since
                    && let Some(look) = look.filter(|look| look.since(moment) < LATE)
                {
                    expected.push((day, *look));
                }
                day = day.next();
            }
            prop_assert_eq!(sent, expected);
        }

        #[test]
        fn whatever_a_guardian_chooses_no_day_is_in_two_emails_and_none_is_late_by_a_day(
            schedules in prop::collection::vec(schedules(), 1..20),
            start in 1_290_000_000i64..1_900_000_000,
            pauses in prop::collection::vec(600u64..100_000, 100..300),
        ) {
            let access_log = access_log(start, &pauses);
            let schedule_at = |index: usize| schedules[index / 20 % schedules.len()].clone();

            let sent = sent(schedule_at, Timestamp::MIN, &access_log);

            for pair in sent.windows(2) {
                let (_, last) = week_before(pair[0].0);
                let (first, _) = week_before(pair[1].0);
                prop_assert!(last < first, "{pair:?}");
            }
            for (day, at) in sent {
                let index = access_log.iter().position(|look| *look == at).unwrap();
                let moment = schedule_at(index).moment_on(day);
                prop_assert!(moment <= at && at.since(moment) < LATE);
            }
        }
    }
}
