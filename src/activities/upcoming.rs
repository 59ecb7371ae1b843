//! Upcoming activities: what the assistant proposes, and how a guardian judges it.

use std::collections::HashSet;

use serde::{Deserialize, Deserializer, Serialize};

use crate::kernel::clock::Timestamp;
use crate::kernel::words;

/// The assistant's id for an activity: 1 to 200 characters, unique among those proposed for the child.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct ActivityId(String);

/// Text that cannot be an activity's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("An activity's id has 1 to 200 characters, and is neither one dot nor two.")]
pub struct NotAnActivityId;

impl ActivityId {
    /// The longest id, in characters (contract, section 2).
    pub const LONGEST: usize = 200;

    /// Takes text that can be an id. One dot or two cannot: in an address they mean this folder and the one
    /// above, so that no browser could ever name the activity.
    pub fn new(text: String) -> Result<Self, NotAnActivityId> {
        let fits = !text.is_empty() && text.chars().count() <= Self::LONGEST;
        if fits && text != "." && text != ".." {
            Ok(Self(text))
        } else {
            Err(NotAnActivityId)
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ActivityId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// What the child could do next. This is also its stored form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpcomingActivity {
    /// The assistant's id for it.
    pub activity_id: ActivityId,
    /// What it is about.
    pub topic: String,
    /// What it would be like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
}

/// All that is proposed for a child, in the assistant's order.
#[derive(Clone)]
pub struct Proposal(Vec<UpcomingActivity>);

/// The same id stands twice in a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Two of the proposed activities have the same id. Each needs one of its own.")]
pub struct SameIdTwice {
    /// Where the id stands for the second time, counted from 0.
    pub second: usize,
}

impl Proposal {
    /// How many activities are proposed at most (contract, section 4).
    pub const MOST: usize = 100;

    /// Takes activities whose ids are all different.
    pub fn new(activities: Vec<UpcomingActivity>) -> Result<Self, SameIdTwice> {
        let mut seen = HashSet::new();
        let mut ids = activities.iter().map(|one| &one.activity_id);
        match ids.position(|id| !seen.insert(id)) {
            None => Ok(Self(activities)),
            Some(second) => Err(SameIdTwice { second }),
        }
    }

    /// The activities.
    pub fn into_activities(self) -> Vec<UpcomingActivity> {
        self.0
    }
}

/// Like or dislike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vote {
    /// Like.
    Up,
    /// Dislike.
    Down,
}

/// How a guardian judges an upcoming activity.
#[derive(Clone)]
pub struct Feedback {
    /// Like or dislike.
    pub vote: Vote,
    /// Why, without white space around it; `None` when there's nothing else (specification, section 5).
    pub reason: Option<String>,
}

impl Feedback {
    /// A vote, and what was typed beside it.
    pub fn new(vote: Vote, typed: Option<&str>) -> Self {
        let reason = typed.map(words::trim).filter(|reason| !reason.is_empty());
        Self {
            vote,
            reason: reason.map(str::to_owned),
        }
    }

    /// The verdict on an activity.
    pub fn on(self, activity_id: ActivityId, at: Timestamp) -> Verdict {
        Verdict {
            activity_id,
            feedback: self.vote,
            reason: self.reason,
            at,
        }
    }
}

/// How a guardian judged an activity, as the assistant reads it. This is also its stored form.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The assistant's id for the activity.
    pub activity_id: ActivityId,
    /// Like or dislike.
    pub feedback: Vote,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was judged.
    pub at: Timestamp,
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
    fn an_id_is_what_an_address_can_name() {
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
    fn no_id_stands_twice_in_a_proposal() {
        assert!(Proposal::new(vec![activity("a"), activity("A")]).is_ok());
        let twice = Proposal::new(vec![activity("a"), activity("b"), activity("a")]);
        assert_eq!(twice.err(), Some(SameIdTwice { second: 2 }));
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
