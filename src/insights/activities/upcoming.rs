//! Upcoming activities, which the assistant proposes, and a guardian's feedback on them.

use std::collections::HashSet;

use poem_openapi::Enum;
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::words;

/// The assistant's id of an activity: 1 to 200 characters, unique among the child's proposals.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct ActivityId(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("An activity's id has 1 to 200 characters, and is neither one dot nor two.")]
pub struct NotAnActivityId;

impl ActivityId {
    /// In characters.
    pub const LONGEST: usize = 200;

    /// Rejects `.` and `..`: in a URL path they mean this folder and its parent, so no browser could address the activity.
    pub fn new(text: String) -> Result<Self, NotAnActivityId> {
        let fits = !text.is_empty() && text.chars().count() <= Self::LONGEST;
        if fits && text != "." && text != ".." {
            Ok(Self(text))
        } else {
            Err(NotAnActivityId)
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ActivityId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// This is also its stored form.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpcomingActivity {
    pub activity_id: ActivityId,
    pub topic: String,
    /// What the child would do.
    pub summary: Option<String>,
}

/// All proposals for a child, in the assistant's order.
#[derive(Clone)]
pub struct Proposal(Vec<UpcomingActivity>);

/// Two activities of a proposal have the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Two of the proposed activities have the same id. Each needs one of its own.")]
pub struct SameIdTwice {
    /// The index of the second one.
    pub second: usize,
}

impl Proposal {
    /// The maximum length of the list.
    pub const MOST: usize = 100;

    /// Fails if two activities have the same id.
    pub fn new(activities: Vec<UpcomingActivity>) -> Result<Self, SameIdTwice> {
        let mut seen = HashSet::new();
        let mut ids = activities.iter().map(|one| &one.activity_id);
        match ids.position(|id| !seen.insert(id)) {
            None => Ok(Self(activities)),
            Some(second) => Err(SameIdTwice { second }),
        }
    }

    pub fn into_activities(self) -> Vec<UpcomingActivity> {
        self.0
    }
}

/// Like or dislike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(try_from = "String", rename_all = "lowercase")]
#[oai(rename = "Vote", rename_all = "lowercase")]
pub enum Vote {
    /// Like.
    Up,
    /// Dislike.
    Down,
}

/// Parsed from a string, because a derived `Deserialize` would accept `{"up": null}` too.
impl TryFrom<String> for Vote {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "up" => Ok(Self::Up),
            "down" => Ok(Self::Down),
            _ => Err("One of these is expected here: up, down."),
        }
    }
}

#[derive(Clone)]
pub struct Feedback {
    pub vote: Vote,
    /// Trimmed; `None` if nothing remains.
    pub reason: Option<String>,
}

impl Feedback {
    /// Feedback with the reason as typed.
    pub fn new(vote: Vote, typed: Option<&str>) -> Self {
        let reason = typed.map(words::trim).filter(|reason| !reason.is_empty());
        Self {
            vote,
            reason: reason.map(str::to_owned),
        }
    }

    pub fn on(self, activity_id: ActivityId, at: Timestamp, by: Option<GuardianId>) -> Verdict {
        Verdict {
            activity_id,
            feedback: self.vote,
            reason: self.reason,
            at,
            by,
            replaced: Vec::new(),
        }
    }
}

/// The feedback on an activity, and the other guardians' feedback that it replaced.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    pub activity_id: ActivityId,
    pub feedback: Vote,
    pub reason: Option<String>,
    pub at: Timestamp,
    /// Who gave it; `None` if it was imported, or stored before this field existed.
    pub by: Option<GuardianId>,
    /// Oldest first, at most one of each guardian.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    replaced: Vec<Self>,
}

impl Verdict {
    /// The maximum number of replaced verdicts. A child has at most eight guardians at a time.
    const MOST_REPLACED: usize = 8;

    /// This verdict instead of `previous`, which is kept unless the same guardian gave it.
    pub fn replacing(self, mut previous: Self) -> Self {
        let mut replaced = std::mem::take(&mut previous.replaced);
        replaced.push(previous);
        replaced.retain(|verdict| verdict.by != self.by);
        replaced.drain(..replaced.len().saturating_sub(Self::MOST_REPLACED));
        Self { replaced, ..self }
    }

    /// The verdict that counts again once this one is taken back.
    pub fn into_replaced(mut self) -> Option<Self> {
        let last = self.replaced.pop()?;
        Some(Self {
            replaced: self.replaced,
            ..last
        })
    }

    /// Whether it replaced feedback of this guardian.
    pub(super) fn replaces_one_of(&self, guardian: &GuardianId) -> bool {
        let mut replaced = self.replaced.iter();
        replaced.any(|verdict| verdict.by.as_ref() == Some(guardian))
    }

    /// Returns whether there was any.
    pub(super) fn forget_replaced_of(&mut self, guardian: &GuardianId) -> bool {
        let before = self.replaced.len();
        self.replaced
            .retain(|verdict| verdict.by.as_ref() != Some(guardian));
        self.replaced.len() < before
    }

    /// As assistants and exports have it: without guardians.
    pub(super) fn shown(self) -> Self {
        Self {
            by: None,
            replaced: Vec::new(),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn activity(id: &str) -> UpcomingActivity {
        UpcomingActivity {
            activity_id: ActivityId::new(id.to_owned()).unwrap(),
            topic: String::new(),
            summary: None,
        }
    }

    #[test]
    fn an_id_can_be_part_of_a_url_path() {
        let longest = "ä".repeat(200);
        for id in ["a", " ", "a/b", "...", "%2e", "\0", &longest] {
            assert!(ActivityId::new(id.to_owned()).is_ok(), "{id:?}");
        }
        let too_long = "a".repeat(201);
        for id in ["", ".", "..", &too_long] {
            assert_eq!(
                ActivityId::new(id.to_owned()),
                Err(NotAnActivityId),
                "{id:?}"
            );
        }
    }

    #[test]
    fn an_id_occurs_only_once_in_a_proposal() {
        assert!(Proposal::new(vec![activity("a"), activity("A")]).is_ok());
        let twice = Proposal::new(vec![activity("a"), activity("b"), activity("a")]);
        assert_eq!(twice.err(), Some(SameIdTwice { second: 2 }));
    }

    #[test]
    fn a_verdict_keeps_the_latest_of_each_other_guardian() {
        let verdict = |by: &str, reason: usize| {
            let feedback = Feedback::new(Vote::Up, Some(&reason.to_string()));
            let by = serde_json::from_value(by.into()).unwrap();
            let id = ActivityId::new("a".to_owned()).unwrap();
            feedback.on(id, Timestamp::MIN, Some(by))
        };
        let first_two = verdict("ben", 1).replacing(verdict("ada", 0));
        let newest = verdict("ada", 3).replacing(verdict("ada", 2).replacing(first_two));

        let many = (0..20).fold(verdict("ada", 0), |now, number| {
            verdict(&number.to_string(), number).replacing(now)
        });

        let bens = newest.into_replaced().unwrap();
        assert_eq!(bens.reason.as_deref(), Some("1"));
        assert!(bens.into_replaced().is_none());
        assert_eq!(many.replaced.len(), Verdict::MOST_REPLACED);
        assert_eq!(many.replaced[0].reason.as_deref(), Some("11"));
    }

    #[test]
    fn a_reason_is_trimmed_and_left_out_when_nothing_remains() {
        let cases = [
            (None, None),
            (Some(""), None),
            (Some(" \u{feff}\u{a0}\n"), None),
            (Some("\u{feff} Too loud. \n"), Some("Too loud.")),
            (Some("\u{85}"), Some("\u{85}")),
        ];

        for (typed, expected) in cases {
            let feedback = Feedback::new(Vote::Down, typed);
            assert_eq!(feedback.reason.as_deref(), expected, "{typed:?}");
        }
    }
}
