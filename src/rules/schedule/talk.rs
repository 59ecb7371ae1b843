//! Whether the assistant may talk with the child at a certain time, and when that changes.

use std::time::Duration;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::{Schedule, Today};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;

/// How many days ahead a change is searched for. Quiet hours repeat weekly; in one week a change of the clock may skip
/// the only minutes that are free.
const DAYS_AHEAD: usize = 15;

/// Why talking is not allowed.
// The first reason that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "WhyNot", rename_all = "snake_case")]
pub enum Why {
    /// A guardian paused talking.
    Paused,
    /// Quiet hours.
    QuietHours,
    /// The day's minutes are used up.
    TimeUsedUp,
}

impl Why {
    const ALL: [Self; 3] = [Self::Paused, Self::QuietHours, Self::TimeUsedUp];

    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Paused => "paused",
            Self::QuietHours => "quiet_hours",
            Self::TimeUsedUp => "time_used_up",
        }
    }

    /// What an assistant can say to the child: short, without blame, and without anybody's gender.
    pub const fn goodbye(self, language: Language) -> &'static str {
        use Language::{De, En, Es, Fr};
        match (self, language) {
            (Self::Paused, En) => {
                "We are taking a break from talking now. I look forward to next time!"
            }
            (Self::Paused, De) => {
                "Wir machen jetzt eine Pause. Ich freue mich auf das nächste Mal!"
            }
            (Self::Paused, Fr) => {
                "On fait une pause maintenant. J’ai hâte de te retrouver la prochaine fois\u{202f}!"
            }
            (Self::Paused, Es) => {
                "Ahora hacemos una pausa. ¡Tengo muchas ganas de volver a hablar contigo!"
            }
            (Self::QuietHours, En) => {
                "It is quiet time now. I look forward to talking with you again later!"
            }
            (Self::QuietHours, De) => {
                "Jetzt ist Ruhezeit. Ich freue mich, wenn wir später wieder miteinander reden!"
            }
            (Self::QuietHours, Fr) => {
                "C’est l’heure du calme maintenant. J’ai hâte de reparler avec toi plus tard\u{202f}!"
            }
            (Self::QuietHours, Es) => {
                "Ahora es un ratito de calma. ¡Tengo ganas de volver a hablar contigo más tarde!"
            }
            (Self::TimeUsedUp, En) => {
                "We have used all our talking time for today. I look forward to another day with you!"
            }
            (Self::TimeUsedUp, De) => {
                "Für heute ist unsere Zeit zum Reden vorbei. Ich freue mich auf ein anderes Mal mit dir!"
            }
            (Self::TimeUsedUp, Fr) => {
                "On a utilisé tout notre temps pour aujourd’hui. J’ai hâte de te retrouver un autre jour\u{202f}!"
            }
            (Self::TimeUsedUp, Es) => {
                "Por hoy ya usamos todo nuestro tiempo para hablar. ¡Qué ganas de hablar contigo otro día!"
            }
        }
    }
}

/// Whether this is what an assistant says to a child instead of talking, in any language: the child's may have changed since.
pub fn is_goodbye(text: &str) -> bool {
    let is_said = |why: Why| {
        let mut all = Language::ALL.into_iter();
        all.any(|language| why.goodbye(language) == text.trim())
    };
    Why::ALL.into_iter().any(is_said)
}

/// Whether the assistant may talk with the child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Talk {
    /// Why not; `None` if it is allowed.
    pub why: Option<Why>,
    /// While it is allowed: when the next quiet hours begin. Otherwise: when it is allowed again, as far as that is known.
    pub until: Option<Timestamp>,
    /// How much of the day's time is left, if it is limited.
    pub seconds_left: Option<u64>,
}

impl Talk {
    pub fn is_allowed(&self) -> bool {
        self.why.is_none()
    }

    /// What an assistant can say to the child if it is not allowed.
    pub fn goodbye(&self, language: Language) -> Option<&'static str> {
        self.why.map(|why| why.goodbye(language))
    }
}

/// Whether an assistant may talk if it cannot tell which of these children speaks: only if it may talk with all of them.
pub fn talk_with_all(talks: &[Talk]) -> Talk {
    let (allowed, not) = talks
        .iter()
        .partition::<Vec<_>, _>(|talk| talk.is_allowed());
    let until = if not.is_empty() {
        allowed.iter().filter_map(|talk| talk.until).min()
    } else {
        // If one of them has no end, neither has the result.
        not.iter()
            .map(|talk| talk.until)
            .collect::<Option<Vec<_>>>()
            .and_then(|ends| ends.into_iter().max())
    };
    Talk {
        why: not.iter().find_map(|talk| talk.why),
        until,
        seconds_left: talks.iter().filter_map(|talk| talk.seconds_left).min(),
    }
}

/// Whether the assistant may talk with the child, who has talked for `used` today, and the next time at which that changes by the
/// clock alone: whether it may, or why not.
pub fn talk_and_next_change(
    times: &Schedule,
    now: Timestamp,
    used: Duration,
) -> (Talk, Option<Timestamp>) {
    let ahead = Ahead::new(times, now, used);
    (ahead.talk(used), ahead.next_change())
}

fn in_time(minutes: u16) -> Duration {
    Duration::from_secs(u64::from(minutes) * 60)
}

/// The known constraints of the next days.
struct Ahead<'a> {
    times: &'a Schedule,
    now: Timestamp,
    today: Today,
    is_used_up: bool,
    /// The quiet hours of some days, from the end of a pause if there is one: until then they change nothing.
    quiet: Vec<(Timestamp, Timestamp)>,
    /// `quiet` is complete up to this time.
    known_until: Timestamp,
}

impl<'a> Ahead<'a> {
    fn new(times: &'a Schedule, now: Timestamp, used: Duration) -> Self {
        let mut ahead = Self {
            times,
            now,
            today: Today::at(now, &times.time_zone),
            is_used_up: times
                .minutes_a_day
                .is_some_and(|minutes| used >= in_time(minutes)),
            quiet: Vec::new(),
            known_until: Timestamp::MAX,
        };
        if !times.quiet_hours.is_empty() {
            let from = ahead.pause_ends().unwrap_or(now).max(now);
            // Quiet hours that began the day before may still last.
            let first = times.time_zone.day_of(from).previous();
            let mut day = first;
            for _ in 0..DAYS_AHEAD + 2 {
                ahead.quiet.extend(times.quiet_on(day));
                day = day.next();
            }
            ahead.known_until = times.time_zone.start_of(day);
        }
        ahead
    }

    fn talk(&self, used: Duration) -> Talk {
        let why = self.why_not(self.now);
        let limit = self.times.minutes_a_day.map(in_time);
        // Rounded up, so that none are left exactly when the time is used up.
        let left = limit.map(|limit| {
            limit
                .saturating_sub(used)
                .as_nanos()
                .div_ceil(1_000_000_000)
        });
        Talk {
            why,
            until: match why {
                None => self.next_quiet_hours(),
                Some(_) => self.free_at(),
            },
            seconds_left: left.map(|seconds| u64::try_from(seconds).unwrap_or(u64::MAX)),
        }
    }

    fn next_change(&self) -> Option<Timestamp> {
        let why = self.why_not(self.now);
        if why == Some(Why::Paused) {
            return self.pause_ends();
        }
        let quiet = self.quiet.iter().flat_map(|(start, end)| [*start, *end]);
        let mut moments = quiet.chain([self.today.end]).collect::<Vec<_>>();
        moments.sort_unstable();
        let is_ahead = |moment: &Timestamp| *moment > self.now && *moment < self.known_until;
        let mut later = moments.into_iter().filter(is_ahead);
        later.find(|moment| self.why_not(*moment) != why)
    }

    fn pause_ends(&self) -> Option<Timestamp> {
        self.times.pause.as_ref()?.until
    }

    fn is_paused(&self, at: Timestamp) -> bool {
        self.times.pause_at(at).is_some()
    }

    /// The end of the quiet hours at this time.
    fn quiet_until(&self, at: Timestamp) -> Option<Timestamp> {
        let around = self.quiet.iter();
        let around = around.filter(|(start, end)| *start <= at && at < *end);
        around.map(|(_, end)| *end).max()
    }

    fn is_used_up(&self, at: Timestamp) -> bool {
        self.is_used_up && at < self.today.end
    }

    fn why_not(&self, at: Timestamp) -> Option<Why> {
        if self.is_paused(at) {
            Some(Why::Paused)
        } else if self.quiet_until(at).is_some() {
            Some(Why::QuietHours)
        } else if self.is_used_up(at) {
            Some(Why::TimeUsedUp)
        } else {
            None
        }
    }

    fn next_quiet_hours(&self) -> Option<Timestamp> {
        let starts = self.quiet.iter().map(|(start, _)| *start);
        starts.filter(|start| *start > self.now).min()
    }

    /// When no constraint applies any more; `None` if only a guardian can change that.
    fn free_at(&self) -> Option<Timestamp> {
        let mut at = self.now;
        while let Some(why) = self.why_not(at) {
            at = match why {
                Why::Paused => self.pause_ends()?,
                Why::QuietHours => self.quiet_until(at)?,
                Why::TimeUsedUp => self.today.end,
            };
            // The quiet hours are contiguous, week after week.
            if at >= self.known_until {
                return None;
            }
        }
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::kernel::host::zones::{Minute, Zone};
    use crate::rules::schedule::{Pause, QuietHours, Weekday};

    const HOUR: Duration = Duration::from_secs(60 * 60);
    const WEEKEND: [Weekday; 2] = [Weekday::Sat, Weekday::Sun];

    fn talk(times: &Schedule, now: Timestamp, used: Duration) -> Talk {
        talk_and_next_change(times, now, used).0
    }

    fn next_change(times: &Schedule, now: Timestamp, used: Duration) -> Option<Timestamp> {
        talk_and_next_change(times, now, used).1
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn times(zone: &str) -> Schedule {
        Schedule::without_limits(zone.parse().unwrap())
    }

    fn quiet(zone: &str, days: &[Weekday], from: &str, to: &str) -> Schedule {
        let quiet_hours = QuietHours {
            days: days.to_vec(),
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
        };
        Schedule {
            quiet_hours: vec![quiet_hours],
            ..times(zone)
        }
    }

    /// The reason and its end.
    fn of(times: &Schedule, now: &str, used: Duration) -> (Option<Why>, Option<Timestamp>) {
        let told = talk(times, at(now), used);
        (told.why, told.until)
    }

    #[test]
    fn with_several_children_talking_is_allowed_only_if_it_is_with_each() {
        let moment = |seconds| Some(Timestamp::from_micros(seconds));
        let talk = |why, until, seconds_left| Talk {
            why,
            until,
            seconds_left,
        };
        let free = talk(None, moment(30), Some(600));
        let freer = talk(None, moment(50), None);
        let quiet = talk(Some(Why::QuietHours), moment(20), None);
        let used_up = talk(Some(Why::TimeUsedUp), moment(90), Some(0));
        let paused = talk(Some(Why::Paused), None, None);

        assert_eq!(talk_with_all(&[free.clone(), freer]), free);
        let both = talk_with_all(&[free.clone(), quiet.clone(), used_up]);
        assert_eq!(both, talk(Some(Why::QuietHours), moment(90), Some(0)));
        assert_eq!(talk_with_all(&[quiet, paused]).until, None);
    }

    #[test]
    fn a_goodbye_is_recognised_in_every_language() {
        let mut all = BTreeSet::new();
        for why in Why::ALL {
            for language in Language::ALL {
                let goodbye = why.goodbye(language);
                assert!(is_goodbye(&format!(" {goodbye}\n")), "{goodbye}");
                assert!(all.insert(goodbye), "{goodbye}");
            }
        }

        assert!(!is_goodbye("Goodbye!") && !is_goodbye(""));
    }

    #[test]
    fn quiet_hours_begin_and_end_by_the_clock_on_the_wall() {
        use Why::QuietHours as Quiet;
        let every_day = &Weekday::ALL;
        let berlin = quiet("Europe/Berlin", every_day, "20:30", "07:00");
        let berlin_at_two = quiet("Europe/Berlin", every_day, "02:15", "02:45");
        let new_york = quiet("America/New_York", every_day, "01:30", "02:30");
        let lord_howe = quiet("Australia/Lord_Howe", every_day, "01:45", "02:15");
        let sao_paulo = quiet("America/Sao_Paulo", every_day, "23:00", "00:30");
        let saturday = quiet("UTC", &WEEKEND[..1], "22:00", "06:00");
        let cases = [
            // An ordinary night, and both nights with a change of the clock: 9½ and 11½ hours.
            (
                &berlin,
                "2026-11-23T19:29:59Z",
                None,
                "2026-11-23T19:30:00Z",
            ),
            (
                &berlin,
                "2026-11-23T19:30:00Z",
                Some(Quiet),
                "2026-11-24T06:00:00Z",
            ),
            (
                &berlin,
                "2026-11-24T06:00:00Z",
                None,
                "2026-11-24T19:30:00Z",
            ),
            (
                &berlin,
                "2026-03-28T19:30:00Z",
                Some(Quiet),
                "2026-03-29T05:00:00Z",
            ),
            (
                &berlin,
                "2026-10-24T18:30:00Z",
                Some(Quiet),
                "2026-10-25T06:00:00Z",
            ),
            // A change of the clock skips them completely: the next ones are those of the next night.
            (
                &berlin_at_two,
                "2026-03-29T00:59:00Z",
                None,
                "2026-03-30T00:15:00Z",
            ),
            // They occur twice; only the first occurrence counts.
            (
                &berlin_at_two,
                "2026-10-25T00:15:00Z",
                Some(Quiet),
                "2026-10-25T00:45:00Z",
            ),
            (
                &berlin_at_two,
                "2026-10-25T01:20:00Z",
                None,
                "2026-10-26T01:15:00Z",
            ),
            // 01:30 is an hour before 02:00 becomes 03:00; 02:30 is skipped.
            (
                &new_york,
                "2026-03-08T06:30:00Z",
                Some(Quiet),
                "2026-03-08T07:00:00Z",
            ),
            // From the first 01:30 to the only 02:30.
            (
                &new_york,
                "2026-11-01T05:30:00Z",
                Some(Quiet),
                "2026-11-01T07:30:00Z",
            ),
            // 02:00 becomes 02:30: the rest of them is skipped.
            (
                &lord_howe,
                "2026-10-03T15:15:00Z",
                Some(Quiet),
                "2026-10-03T15:30:00Z",
            ),
            // 02:00 becomes 01:30.
            (
                &lord_howe,
                "2026-04-04T14:45:00Z",
                Some(Quiet),
                "2026-04-04T15:45:00Z",
            ),
            // Midnight becomes 01:00.
            (
                &sao_paulo,
                "2018-11-04T02:30:00Z",
                Some(Quiet),
                "2018-11-04T03:00:00Z",
            ),
            // On a Saturday, until Sunday.
            (
                &saturday,
                "2026-11-28T00:00:00Z",
                None,
                "2026-11-28T22:00:00Z",
            ),
            (
                &saturday,
                "2026-11-29T05:59:00Z",
                Some(Quiet),
                "2026-11-29T06:00:00Z",
            ),
            (
                &saturday,
                "2026-11-29T23:00:00Z",
                None,
                "2026-12-05T22:00:00Z",
            ),
        ];

        for (times, now, why, until) in cases {
            let told = of(times, now, Duration::ZERO);
            assert_eq!(told, (why, Some(at(until))), "{times:?} {now}");
        }
    }

    #[test]
    fn the_minutes_of_a_day_are_full_again_at_local_midnight() {
        let limited = |zone| Schedule {
            minutes_a_day: Some(60),
            ..times(zone)
        };
        let cases = [
            ("UTC", "2026-11-23T15:00:00Z", "2026-11-24T00:00:00Z"),
            (
                "America/New_York",
                "2026-11-23T15:00:00Z",
                "2026-11-24T05:00:00Z",
            ),
            (
                "America/New_York",
                "2026-11-01T15:00:00Z",
                "2026-11-02T05:00:00Z",
            ),
            (
                "America/Sao_Paulo",
                "2018-11-03T15:00:00Z",
                "2018-11-04T03:00:00Z",
            ),
            (
                "Africa/Cairo",
                "2026-04-23T15:00:00Z",
                "2026-04-23T22:00:00Z",
            ),
        ];

        for (zone, now, until) in cases {
            let told = of(&limited(zone), now, HOUR);
            assert_eq!(told, (Some(Why::TimeUsedUp), Some(at(until))), "{zone}");
        }
        let told = |used| talk(&limited("UTC"), at("2026-11-23T15:00:00Z"), used);
        let almost = told(HOUR - Duration::from_millis(1));
        assert_eq!(
            (almost.why, almost.until, almost.seconds_left),
            (None, None, Some(1))
        );
        assert_eq!(told(2 * HOUR).seconds_left, Some(0));
    }

    #[test]
    fn a_pause_takes_precedence_over_quiet_hours_and_these_over_used_minutes() {
        let mut all = quiet("UTC", &Weekday::ALL, "20:00", "07:00");
        all.minutes_a_day = Some(60);
        let paused = |times: &Schedule, until| Schedule {
            pause: Some(Pause { until }),
            ..times.clone()
        };
        let now = "2026-11-23T15:00:00Z";
        let in_the_night = Some(at("2026-11-23T23:00:00Z"));
        let morning = Some(at("2026-11-24T07:00:00Z"));

        // The pause ends at night, and the quiet hours in the morning.
        let told = of(&paused(&all, in_the_night), now, Duration::ZERO);
        assert_eq!(told, (Some(Why::Paused), morning));
        // A pause that has ended has no effect.
        let ended = paused(&all, Some(at(now)));
        assert_eq!(of(&ended, now, HOUR), (Some(Why::TimeUsedUp), morning));
        let evening = "2026-11-23T21:00:00Z";
        assert_eq!(of(&all, evening, HOUR), (Some(Why::QuietHours), morning));
        assert_eq!(
            of(&paused(&all, None), now, HOUR),
            (Some(Why::Paused), None)
        );
    }

    #[test]
    fn quiet_hours_without_a_gap_never_end_by_the_clock() {
        let mut always = quiet("Europe/Berlin", &Weekday::ALL, "07:00", "19:00");
        let night = quiet("Europe/Berlin", &Weekday::ALL, "19:00", "07:00");
        always.quiet_hours.extend(night.quiet_hours);
        let now = "2026-03-20T12:00:00Z";

        assert_eq!(of(&always, now, HOUR), (Some(Why::QuietHours), None));
        assert_eq!(next_change(&always, at(now), HOUR), None);
    }

    #[test]
    fn the_reason_can_change_before_talking_is_allowed_again() {
        let mut times = quiet("UTC", &Weekday::ALL, "20:00", "07:00");
        times.minutes_a_day = Some(60);
        let next = |now, used| next_change(&times, at(now), used);

        let evening = Some(at("2026-11-23T20:00:00Z"));
        assert_eq!(next("2026-11-23T15:00:00Z", HOUR), evening);
        assert_eq!(next("2026-11-23T15:00:00Z", Duration::ZERO), evening);
        let morning = Some(at("2026-11-24T07:00:00Z"));
        assert_eq!(next("2026-11-23T20:00:00Z", HOUR), morning);
    }

    #[test]
    fn without_limits_nothing_changes() {
        let now = at("2026-11-23T15:00:00Z");

        assert_eq!(next_change(&times("UTC"), now, HOUR), None);
        let told = talk(&times("UTC"), now, HOUR);
        assert_eq!(
            (told.why, told.until, told.seconds_left),
            (None, None, None)
        );
        assert_eq!(told.goodbye(Language::De), None);
    }

    fn any_zone() -> impl Strategy<Value = Zone> {
        let names = [
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "America/Sao_Paulo",
            "Africa/Cairo",
            "America/St_Johns",
            "Africa/Casablanca",
            "Pacific/Apia",
        ];
        prop::sample::select(names.to_vec()).prop_map(|name| name.parse().unwrap())
    }

    fn any_quiet_hours() -> impl Strategy<Value = QuietHours> {
        let minute = || {
            (0u16..24, prop::sample::select(vec![0u16, 1, 15, 30, 59])).prop_map(
                |(hour, minute)| format!("{hour:02}:{minute:02}").parse::<Minute>().unwrap(),
            )
        };
        let days = prop::sample::subsequence(Weekday::ALL.to_vec(), 1..=7);
        let quiet = (days, minute(), minute());
        quiet
            .prop_map(|(days, from, to)| QuietHours { days, from, to })
            .prop_filter("they have a length", |quiet| quiet.from != quiet.to)
    }

    /// About half of them are near a change of the clock.
    fn any_moment() -> impl Strategy<Value = Timestamp> {
        let changes = [
            "2026-03-29T01:00:00Z",
            "2026-10-25T01:00:00Z",
            "2026-03-08T07:00:00Z",
            "2026-11-01T06:00:00Z",
            "2026-04-04T15:00:00Z",
            "2026-10-03T15:30:00Z",
            "2018-11-04T03:00:00Z",
            "2010-11-07T02:31:00Z",
            "2011-12-30T10:00:00Z",
        ];
        let near = (
            prop::sample::select(changes.to_vec()),
            0u64..4 * 24 * 60 * 60,
        );
        let near = near.prop_map(|(change, later)| {
            let earlier = at(change).micros() - 2 * 24 * 60 * 60 * 1_000_000;
            Timestamp::from_micros(earlier).after(Duration::from_secs(later))
        });
        let any =
            (1_262_300_000i64..1_893_456_000).prop_map(|s| Timestamp::from_micros(s * 1_000_000));
        prop_oneof![near, any]
    }

    fn any_times_and_moment() -> impl Strategy<Value = (Schedule, Timestamp, Duration)> {
        let pause = prop::option::of(prop::option::of(0u64..3 * 24 * 60 * 60));
        let quiet = prop::collection::vec(any_quiet_hours(), 0..5);
        let minutes = prop::option::of(1u16..120);
        let used = (0u64..3 * 60 * 60).prop_map(Duration::from_secs);
        let parts = (any_zone(), quiet, minutes, pause, any_moment(), used);
        parts.prop_map(
            |(time_zone, quiet_hours, minutes_a_day, pause, now, used)| {
                let pause = pause.map(|until| Pause {
                    // An hour ago at the earliest.
                    until: until.map(|later| {
                        Timestamp::from_micros(now.micros() - 3_600_000_000)
                            .after(Duration::from_secs(later))
                    }),
                });
                let times = Schedule {
                    time_zone,
                    pause,
                    quiet_hours,
                    minutes_a_day,
                };
                (times, now, used)
            },
        )
    }

    /// The result at a later time, if nobody talked in between.
    fn later(times: &Schedule, now: Timestamp, used: Duration, moment: Timestamp) -> Talk {
        let is_today = moment < Today::at(now, &times.time_zone).end;
        talk(times, moment, if is_today { used } else { Duration::ZERO })
    }

    /// Times between these two: random ones, the last one, and those around which a clock change may matter.
    fn between(now: Timestamp, end: Timestamp, chances: &[f64]) -> Vec<Timestamp> {
        let length = end.since(now);
        let rng = chances.iter().map(|rng| now.after(length.mul_f64(*rng)));
        let last = Timestamp::from_micros(end.micros() - 1);
        let quarters = (1..=16).map(|quarter| now.after(Duration::from_secs(15 * 60 * quarter)));
        let all = rng.chain([last]).chain(quarters);
        all.filter(|moment| now <= *moment && *moment < end)
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_result_is_valid_until_the_returned_time_exclusively(
            (times, now, used) in any_times_and_moment(),
            chances in prop::collection::vec(0.0f64..1.0, 8),
        ) {
            let told = talk(&times, now, used);
            let fortnight = now.after(14 * 24 * HOUR);

            for moment in between(now, told.until.unwrap_or(fortnight), &chances) {
                let then = later(&times, now, used, moment);
                prop_assert_eq!(then.is_allowed(), told.is_allowed(), "at {}", moment);
            }
            if let Some(until) = told.until {
                prop_assert!(until > now);
                prop_assert_ne!(later(&times, now, used, until).is_allowed(), told.is_allowed());
            }
        }

        #[test]
        fn the_reason_is_valid_until_the_next_change_exclusively(
            (times, now, used) in any_times_and_moment(),
            chances in prop::collection::vec(0.0f64..1.0, 8),
        ) {
            let told = talk(&times, now, used);
            let next = next_change(&times, now, used);
            let fortnight = now.after(14 * 24 * HOUR);

            for moment in between(now, next.unwrap_or(fortnight), &chances) {
                prop_assert_eq!(later(&times, now, used, moment).why, told.why, "at {}", moment);
            }
            if let Some(next) = next {
                prop_assert!(next > now);
                prop_assert_ne!(later(&times, now, used, next).why, told.why);
            }
            // The result changes at a change.
            if let (Some(until), Some(next)) = (told.until, next) {
                prop_assert!(next <= until);
            }
        }
    }
}
