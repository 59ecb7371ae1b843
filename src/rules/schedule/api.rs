//! The API's types for times.

use poem_openapi::Object;
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::Example;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Pause, QuietHours, RuleBroken, Schedule, Talk, Weekday, Why};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::zones::Minute;
use crate::kernel::http::wire::{Text, documented, given};

/// The maximum length of a time zone's name, in characters.
const LONGEST_ZONE: usize = 64;

documented!(
    Minute,
    "TimeOfDay",
    MetaSchema {
        description: Some("Hours and minutes on the child's clock."),
        min_length: Some(5),
        max_length: Some(5),
        pattern: Some("^([01][0-9]|2[0-3]):[0-5][0-9]$".to_owned()),
        ..MetaSchema::new("string")
    }
);

documented!(
    Weekday,
    "Weekday",
    MetaSchema {
        enum_items: Weekday::NAMES.map(Into::into).into(),
        ..MetaSchema::new("string")
    }
);

/// When an assistant may talk with a child.
#[skip_serializing_none]
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(
    rename = "Schedule",
    deny_unknown_fields,
    example,
    skip_serializing_if_is_none
)]
pub struct ScheduleView {
    /// The child's time zone, by its name in the time zone database.
    time_zone: Text<LONGEST_ZONE>,
    /// A pause; omitted without one.
    #[serde(default, deserialize_with = "given")]
    pause: Option<PauseView>,
    /// When talking is not allowed; at most 28.
    #[oai(validator(max_items = 28))]
    quiet_hours: Vec<QuietHoursView>,
    /// The daily limit in minutes, 1 to 1440; omitted without one.
    #[serde(default, deserialize_with = "given")]
    #[oai(validator(minimum(value = "1"), maximum(value = "1440")))]
    minutes_a_day: Option<u64>,
}

/// School nights, and an hour a day. Without a pause, so that trying the example doesn't stop anybody's conversation.
impl Example for ScheduleView {
    fn example() -> Self {
        use Weekday::{Mon, Sun, Thu, Tue, Wed};
        let minute = |text: &str| text.parse().unwrap_or(Minute::MIDNIGHT);
        let quiet = QuietHoursView {
            days: vec![Sun, Mon, Tue, Wed, Thu],
            from: minute("20:30"),
            to: minute("07:00"),
        };
        Self {
            time_zone: Text::new("Europe/Berlin").unwrap_or_default(),
            pause: None,
            quiet_hours: vec![quiet],
            minutes_a_day: Some(60),
        }
    }
}

/// A pause: talking is not allowed until it ends.
#[skip_serializing_none]
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Pause", deny_unknown_fields, skip_serializing_if_is_none)]
pub struct PauseView {
    /// When it ends; omitted if a guardian must end it.
    #[serde(default, deserialize_with = "given")]
    until: Option<Timestamp>,
}

impl From<Pause> for PauseView {
    fn from(pause: Pause) -> Self {
        Self { until: pause.until }
    }
}

/// Quiet hours.
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "QuietHours", deny_unknown_fields)]
pub struct QuietHoursView {
    /// The days on which they begin, without repeats.
    #[oai(validator(max_items = 7))]
    days: Vec<Weekday>,
    /// When they begin.
    from: Minute,
    /// When they end: on the next day unless this is later than `from`.
    to: Minute,
}

impl ScheduleView {
    /// Validates the times.
    ///
    /// # Errors
    ///
    /// The first rule that is violated.
    pub fn read(self) -> Result<Schedule, RuleBroken> {
        let quiet_hours = self.quiet_hours.into_iter().map(|quiet| QuietHours {
            days: quiet.days,
            from: quiet.from,
            to: quiet.to,
        });
        let pause = self.pause.map(|pause| Pause { until: pause.until });
        Schedule::new(
            &self.time_zone,
            pause,
            quiet_hours.collect(),
            self.minutes_a_day,
        )
    }
}

/// Whether the assistant may talk with the child now.
#[skip_serializing_none]
#[derive(Clone, Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Talk", skip_serializing_if_is_none)]
pub struct TalkView {
    /// Whether it may talk.
    allowed: bool,
    /// The reason why it may not; omitted if it may.
    why: Option<Why>,
    /// If allowed, when the next quiet hours begin; if not, when it becomes allowed, as far as known. Omitted if there is no
    /// such time.
    until: Option<Timestamp>,
    /// The seconds left of the daily limit; omitted without one.
    seconds_left: Option<u64>,
    /// If not allowed: a short sentence for the child.
    goodbye: Option<String>,
}

impl TalkView {
    /// With a goodbye in this language.
    pub fn new(talk: &Talk, language: Language) -> Self {
        Self {
            allowed: talk.is_allowed(),
            why: talk.why,
            until: talk.until,
            seconds_left: talk.seconds_left,
            goodbye: talk.goodbye(language).map(str::to_owned),
        }
    }
}
