//! What a change of a child's times changed, for the child's history.

use crate::children::history::{Changed as ChildChange, Details};
use crate::rules::schedule::Schedule;

/// The parts of the times that differ.
pub(super) fn changes(before: &Schedule, after: &Schedule) -> Vec<(ChildChange, Option<Details>)> {
    let mut changed = Vec::new();
    let mut add = |what, details| changed.push((what, Some(details)));
    if before.time_zone != after.time_zone {
        let zone = after.time_zone.name().to_owned();
        add(ChildChange::TimeZone, Details::of_value(Some(zone)));
    }
    if before.quiet_hours != after.quiet_hours {
        let details = Details::between(&clock_times(before), &clock_times(after));
        add(ChildChange::QuietHours, details);
    }
    if before.minutes_a_day != after.minutes_a_day {
        let minutes = after.minutes_a_day.map(|minutes| minutes.to_string());
        add(ChildChange::MinutesADay, Details::of_value(minutes));
    }
    if before.pause != after.pause {
        match &after.pause {
            Some(pause) => {
                let until = pause.until.map(|until| until.to_string());
                add(ChildChange::Paused, Details::of_value(until));
            }
            None => changed.push((ChildChange::PauseEnded, None)),
        }
    }
    changed
}

/// The quiet hours without their days, such as `20:30/07:00`.
fn clock_times(times: &Schedule) -> Vec<String> {
    let quiet = times.quiet_hours.iter();
    quiet
        .map(|quiet| format!("{}/{}", quiet.from, quiet.to))
        .collect()
}
