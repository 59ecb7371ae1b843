//! What a guardian chose to be notified of, and when.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::alerts::NotifiableKind;
use crate::children::ChildId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::{Minute, NoSuchZone, Zone};
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::ntfy;
use crate::rules::schedule::Weekday;

/// The maximum number of children that a guardian can choose.
const MOST_CHILDREN: usize = 100;

/// The hours of a day.
const HOURS: u64 = 24;

/// The hours of each day in which a guardian gets no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnQuietHours {
    pub from: Minute,
    /// When they end: on the next day unless this is later than `from`.
    pub to: Minute,
}

impl OwnQuietHours {
    /// When the quiet hours of this time end; `None` outside of them.
    pub fn end_at(self, zone: &Zone, now: Timestamp) -> Option<Timestamp> {
        let today = zone.day_of(now);
        let spans = [today.previous(), today].map(|day| {
            let last = if self.to > self.from { day } else { day.next() };
            (zone.moment(day, self.from), zone.moment(last, self.to))
        });
        let current = spans
            .into_iter()
            .find(|(from, to)| *from <= now && now < *to);
        current.map(|(_, to)| to)
    }
}

/// What a guardian is notified of at once.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtOnce {
    /// Whether by e-mail.
    pub email: bool,
    pub kinds: BTreeSet<NotifiableKind>,
    /// `None` for all of the guardian's children, also later ones.
    pub children: Option<BTreeSet<ChildId>>,
    pub quiet_hours: Option<OwnQuietHours>,
    /// Whether a reviewer's urgent finding is sent during quiet hours, and right after another message.
    pub urgent_passes: bool,
}

impl AtOnce {
    pub fn includes(&self, kind: NotifiableKind, child: ChildId) -> bool {
        self.kinds.contains(&kind) && self.includes_child(child)
    }

    pub fn includes_child(&self, child: ChildId) -> bool {
        let children = self.children.as_ref();
        children.is_none_or(|children| children.contains(&child))
    }
}

/// The weekly e-mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weekly {
    pub enabled: bool,
    pub weekday: Weekday,
    /// 0 to 23.
    pub hour: u8,
}

/// The topic to which notifications are published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Topic {
    pub name: ntfy::Topic,
    pub since: Timestamp,
}

/// What restoring a backup ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    pub at: Timestamp,
    /// Whether e-mails included quotes and topics.
    pub quotes: bool,
    /// Whether notifications were on.
    pub notifications: bool,
}

/// A guardian's subscription.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    /// The guardian's own.
    pub time_zone: Zone,
    pub at_once: AtOnce,
    pub weekly: Weekly,
    /// Since when the weekly e-mail is on; `None` if it isn't.
    pub weekly_since: Option<Timestamp>,
    /// Whether the administrator's webhook must not be notified of the alerts of the guardian's children. It has a table of its own.
    #[serde(skip)]
    pub webhook_refused: bool,
    /// Since when e-mails include quotes and topics; `None` if they don't.
    pub quotes_since: Option<Timestamp>,
    /// `None` while notifications are off.
    pub topic: Option<Topic>,
    /// Set by restoring a backup, until the guardian chooses again.
    pub restored: Option<Restored>,
    /// The guardian's [`sign_out_count`](crate::identity::Guardian::sign_out_count) when this was written. Signing out everywhere
    /// ends what required a step-up.
    pub sign_out_count: u32,
}

impl Subscription {
    /// With everything off.
    pub fn off(time_zone: Zone) -> Self {
        Self {
            time_zone,
            at_once: AtOnce {
                email: false,
                kinds: NotifiableKind::ALL.into(),
                children: None,
                quiet_hours: None,
                urgent_passes: false,
            },
            weekly: Weekly {
                enabled: false,
                weekday: Weekday::Sun,
                hour: 18,
            },
            weekly_since: None,
            webhook_refused: false,
            quotes_since: None,
            topic: None,
            restored: None,
            sign_out_count: 0,
        }
    }

    /// Whether e-mails may include quotes and topics.
    pub fn has_quotes(&self) -> bool {
        self.quotes_since.is_some()
    }

    /// Ends what required a step-up. Returns whether there was anything.
    pub fn end_step_ups(&mut self) -> bool {
        let quotes = self.quotes_since.take();
        let topic = self.topic.take();
        quotes.is_some() || topic.is_some()
    }
}

/// What a guardian can choose in a request.
#[derive(Clone, Debug)]
pub struct Settings {
    pub time_zone: Zone,
    pub at_once: AtOnce,
    pub weekly: Weekly,
    pub quotes: bool,
    pub webhook_refused: bool,
}

impl Settings {
    /// Whether these switch nothing on that was off before.
    pub fn only_takes_back(&self, before: &Subscription) -> bool {
        (before.has_quotes() || !self.quotes)
            && (before.weekly.enabled || !self.weekly.enabled)
            && (before.at_once.email || !self.at_once.email)
            && self.at_once.kinds.is_subset(&before.at_once.kinds)
            && (self.webhook_refused || !before.webhook_refused)
    }
}

/// Why settings are invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleBroken {
    #[error(transparent)]
    Zone(#[from] NoSuchZone),
    /// The index of the repeated kind.
    #[error("Each kind of alert can be chosen once.")]
    RepeatedKind(usize),
    #[error("At most {MOST_CHILDREN} children can be chosen.")]
    TooManyChildren,
    #[error("Quiet hours must end at another time than they begin.")]
    EmptyQuietHours,
    #[error("The hour is 0 to 23.")]
    Hour,
}

refusals! {
    RuleBroken {
        Zone(error) => from(error) at "/time_zone",
        RepeatedKind(index) => against_a_rule(AlertKindRepeated) at format!("/at_once/kinds/{index}"),
        TooManyChildren => against_a_rule(TooManyChildren { most: MOST_CHILDREN }) at "/at_once/children",
        EmptyQuietHours => against_a_rule(QuietHoursEmpty) at "/at_once/quiet_hours/to",
        Hour => against_a_rule(HourInvalid) at "/weekly/hour",
    }
}

/// Fails with the first repeated kind.
pub fn kinds(kinds: Vec<NotifiableKind>) -> Result<BTreeSet<NotifiableKind>, RuleBroken> {
    let mut all = BTreeSet::new();
    for (index, kind) in kinds.into_iter().enumerate() {
        if !all.insert(kind) {
            return Err(RuleBroken::RepeatedKind(index));
        }
    }
    Ok(all)
}

pub fn children(children: Vec<ChildId>) -> Result<BTreeSet<ChildId>, RuleBroken> {
    if children.len() > MOST_CHILDREN {
        return Err(RuleBroken::TooManyChildren);
    }
    Ok(children.into_iter().collect())
}

pub fn quiet_hours(from: Minute, to: Minute) -> Result<OwnQuietHours, RuleBroken> {
    if from == to {
        return Err(RuleBroken::EmptyQuietHours);
    }
    Ok(OwnQuietHours { from, to })
}

pub fn hour(hour: u64) -> Result<u8, RuleBroken> {
    if hour < HOURS {
        u8::try_from(hour).map_err(|_| RuleBroken::Hour)
    } else {
        Err(RuleBroken::Hour)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute(text: &str) -> Minute {
        text.parse().unwrap()
    }

    #[test]
    fn quiet_hours_may_pass_midnight_and_follow_the_guardians_clock() {
        /// The zone, from when until when, the time, and when it ends.
        type Case<'a> = (&'a str, [&'a str; 2], &'a str, Option<&'a str>);
        let cases: [Case<'_>; 13] = [
            ("UTC", ["22:00", "07:00"], "2026-11-25T21:59:59Z", None),
            (
                "UTC",
                ["22:00", "07:00"],
                "2026-11-25T22:00:00Z",
                Some("2026-11-26T07:00:00Z"),
            ),
            (
                "UTC",
                ["22:00", "07:00"],
                "2026-11-26T06:59:59Z",
                Some("2026-11-26T07:00:00Z"),
            ),
            ("UTC", ["22:00", "07:00"], "2026-11-26T07:00:00Z", None),
            (
                "UTC",
                ["13:00", "15:00"],
                "2026-11-26T14:00:00Z",
                Some("2026-11-26T15:00:00Z"),
            ),
            ("UTC", ["13:00", "15:00"], "2026-11-26T12:00:00Z", None),
            (
                "UTC",
                ["22:00", "00:00"],
                "2026-11-25T23:30:00Z",
                Some("2026-11-26T00:00:00Z"),
            ),
            (
                "UTC",
                ["00:00", "07:00"],
                "2026-11-26T00:00:00Z",
                Some("2026-11-26T07:00:00Z"),
            ),
            (
                "America/New_York",
                ["22:00", "07:00"],
                "2026-11-26T03:30:00Z",
                Some("2026-11-26T12:00:00Z"),
            ),
            // The night in which 02:00 becomes 03:00 is an hour shorter.
            (
                "Europe/Berlin",
                ["22:00", "07:00"],
                "2026-03-28T21:00:00Z",
                Some("2026-03-29T05:00:00Z"),
            ),
            (
                "Europe/Berlin",
                ["22:00", "07:00"],
                "2026-03-29T05:00:00Z",
                None,
            ),
            // The night in which 03:00 becomes 02:00 is an hour longer.
            (
                "Europe/Berlin",
                ["22:00", "07:00"],
                "2026-10-24T20:00:00Z",
                Some("2026-10-25T06:00:00Z"),
            ),
            // An hour that occurs twice is quiet from its first beginning.
            (
                "Europe/Berlin",
                ["02:30", "03:30"],
                "2026-10-25T01:15:00Z",
                Some("2026-10-25T02:30:00Z"),
            ),
        ];

        for (zone, [from, to], now, end) in cases {
            let quiet = quiet_hours(minute(from), minute(to)).unwrap();

            let found = quiet.end_at(&zone.parse().unwrap(), now.parse().unwrap());

            let expected = end.map(|end| end.parse::<Timestamp>().unwrap());
            assert_eq!(found, expected, "{zone} {from} {to} {now}");
        }
    }

    #[test]
    fn quiet_hours_have_a_length() {
        let seven = minute("07:00");
        assert_eq!(quiet_hours(seven, seven), Err(RuleBroken::EmptyQuietHours));
    }

    #[test]
    fn a_subscription_begins_with_everything_off() {
        let off = Subscription::off(Zone::UTC);

        assert!(!off.at_once.email && !off.weekly.enabled && !off.has_quotes());
        assert!(off.topic.is_none() && !off.at_once.urgent_passes && !off.webhook_refused);
        assert!(
            off.at_once
                .includes(NotifiableKind::Phrase, ChildId::new(7))
        );
    }
}
