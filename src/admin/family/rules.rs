//! The part of a seed file about rules: their versions, the change history, and the assistants' receipts.

use std::collections::HashSet;

use serde::Deserialize;

use super::{AssistantSeed, ChildSeed, Existing, Mistake, Step, When};
use crate::children::history;
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::name::valid_name;
use crate::kernel::http::wire::Text;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::rules::blocked_topics::{BlockedTopic, TopicError};
use crate::rules::context;
use crate::rules::schedule::api::ScheduleView;
use crate::rules::schedule::{RuleBroken, Schedule};
use crate::rules::{
    Changed, Evidence, Followed, IssuedProfile, RefusedList, RuleStatus, SessionReceipt,
    StoredVersion, TopicsVersion, instructions,
};

/// The highest version number: many more changes than a family makes.
const HIGHEST: u64 = 1_000_000_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionSeed {
    pub number: u64,
    pub since: Option<When>,
    pub until: Option<When>,
    pub changed: Option<Changed>,
    /// One of the child's guardians; left out for one who was removed.
    pub by: Option<EmailAddress>,
    #[serde(default)]
    pub blocked_topics: Vec<String>,
    /// Its list of topics; left out if it follows from the previous versions.
    pub list: Option<ListSeed>,
    pub context: Option<Text<{ context::LONGEST }>>,
    pub times: Option<ScheduleView>,
    /// The instructions that assistants received; by default today's instructions for these topics, this context
    /// and a child of unknown age.
    pub instructions: Option<String>,
}

/// A list of blocked topics: the version that last changed it. Its time is left out if it follows from the versions.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSeed {
    pub number: u64,
    pub since: Option<When>,
}

/// An entry of the change history.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntrySeed {
    pub at: When,
    pub what: history::Changed,
    /// The number of changes of this kind that it represents; 1 by default.
    #[serde(default)]
    pub times: Option<u64>,
    /// What exactly was changed.
    pub details: Option<history::Details>,
    /// One of the child's guardians; left out for one who was removed.
    pub by: Option<EmailAddress>,
}

/// An assistant of the child, and its status with respect to the child's rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssistantOfChild {
    pub name: Text<200>,
    pub asked: Option<AskedSeed>,
    pub follows: Option<FollowedSeed>,
    pub refused: Option<RefusedSeed>,
    pub heard_at: Option<When>,
}

/// The version that an assistant last requested.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskedSeed {
    pub version: u64,
    pub at: When,
}

/// The list of topics that the assistant last reported it was following.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FollowedSeed {
    pub list: ListSeed,
    pub evidence: Evidence,
    pub since: When,
    /// When it last reported it; by default when it began to follow the list.
    pub at: Option<When>,
}

/// The list that an assistant last refused.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefusedSeed {
    pub list: ListSeed,
    /// As in the receipt of a session; left out if none has it.
    pub reason: Option<Text<200>>,
    pub at: When,
}

/// An assistant's receipt for the rules in a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptSeed {
    pub version: u64,
    /// The version's list of topics; left out if it follows from the versions.
    pub list: Option<ListSeed>,
    pub evidence: Evidence,
    /// The time of the receipt; by default the session's start.
    pub at: Option<When>,
    pub refused: Option<Text<200>>,
}

/// The list of topics of each version of a child's rules.
pub struct TopicLists {
    now: Timestamp,
    versions: Vec<(u64, TopicsVersion)>,
}

impl TopicLists {
    /// The lists of a child, relative to `now`.
    pub fn of(child: &ChildSeed, now: Timestamp) -> Self {
        let mut lists = Self {
            now,
            versions: Vec::new(),
        };
        let mut previous = TopicsVersion::default();
        for version in &child.rules {
            let own = TopicsVersion {
                number: version.number,
                since: version.since.map(|since| since.moment(now)),
            };
            previous = match (version.list, version.changed) {
                (Some(list), _) if list.number != version.number => lists.read(list),
                (Some(_), _) | (None, Some(Changed::BlockedTopics)) => own,
                (None, _) => previous,
            };
            lists.versions.push((version.number, previous));
        }
        lists
    }

    fn find(&self, version: u64) -> Option<TopicsVersion> {
        let found = self
            .versions
            .iter()
            .find(|(number, _)| *number == version)?;
        Some(found.1)
    }

    fn read(&self, list: ListSeed) -> TopicsVersion {
        let found = || self.find(list.number)?.since;
        let since = list
            .since
            .map(|since| since.moment(self.now))
            .or_else(found);
        let number = list.number;
        TopicsVersion { number, since }
    }

    /// The list of a receipt's version; `None` if it is unknown.
    fn of_receipt(&self, receipt: &ReceiptSeed) -> Option<TopicsVersion> {
        let untouched = (receipt.version == 0).then(TopicsVersion::default);
        let own = receipt.list.map(|list| self.read(list));
        own.or_else(|| self.find(receipt.version)).or(untouched)
    }

    /// A receipt of a session that began at `start`.
    pub fn receipt(&self, seed: &ReceiptSeed, start: Timestamp) -> SessionReceipt {
        SessionReceipt {
            number: seed.version,
            topics: self.of_receipt(seed).unwrap_or_default(),
            evidence: seed.evidence,
            at: seed.at.map_or(start, |at| at.moment(self.now)),
            refused: seed.refused.clone().map(Text::into_string),
        }
    }

    pub fn rule_status(&self, seed: &AssistantOfChild) -> RuleStatus {
        let moment = |when: When| when.moment(self.now);
        RuleStatus {
            issued: seed.asked.map(|asked| (asked.version, moment(asked.at))),
            issued_pause: None,
            follows: seed.follows.map(|followed| Followed {
                topics: self.read(followed.list),
                evidence: followed.evidence,
                since: moment(followed.since),
                at: moment(followed.at.unwrap_or(followed.since)),
            }),
            refused: seed.refused.as_ref().map(|refused| RefusedList {
                topics: self.read(refused.list),
                session: None,
                at: moment(refused.at),
            }),
            heard_at: seed.heard_at.map(moment),
            called: None,
        }
    }

    /// A version of a child's rules. `default_times` are the times before a guardian set any.
    pub fn version(
        &self,
        seed: &VersionSeed,
        by: Option<GuardianId>,
        default_schedule: &Schedule,
    ) -> Result<StoredVersion, RuleBroken> {
        let times = seed.times()?;
        let context = seed.context.clone().map(Text::into_string);
        let profile = IssuedProfile::UNKNOWN;
        let today = || instructions(profile, &seed.blocked_topics, context.as_deref());
        Ok(StoredVersion {
            number: seed.number,
            since: seed.since.map(|since| since.moment(self.now)),
            until: seed.until.map(|until| until.moment(self.now)),
            changed: seed.changed,
            by,
            topics: seed.blocked_topics.clone(),
            topics_version: self.find(seed.number).unwrap_or_default(),
            times: times.unwrap_or_else(|| default_schedule.clone()),
            profile: Some(profile),
            instructions: seed.instructions.clone().unwrap_or_else(today),
            context,
        })
    }
}

impl VersionSeed {
    fn times(&self) -> Result<Option<Schedule>, RuleBroken> {
        let times = self.times.clone().map(ScheduleView::read).transpose()?;
        Ok(times.map(|times| times.without_pause()))
    }

    fn topics(&self) -> Result<(), TopicError> {
        BlockedTopic::list(self.blocked_topics.iter().cloned()).map(drop)
    }
}

/// Checks the assistants that a file declares.
pub(super) fn check_assistants(
    assistants: &[AssistantSeed],
    existing: &impl Existing,
) -> Option<Mistake> {
    let mut declared = HashSet::new();
    for (position, assistant) in assistants.iter().enumerate() {
        let name = valid_name(&assistant.name);
        let sentence = match name {
            Err(error) => error.to_string(),
            Ok(name) if !declared.insert(name.to_lowercase()) => {
                "this assistant is there twice".to_owned()
            }
            Ok(name) if existing.has_assistant(&name) => {
                format!("there is an assistant named {name} already")
            }
            Ok(_) => continue,
        };
        let path = [Step::Field("assistants"), Step::Item(position)];
        return Some(Mistake::new(path, sentence));
    }
    None
}

/// Checks a file's data about a child's rules.
pub(super) fn check_child(child: &ChildSeed, assistants: &[AssistantSeed]) -> Option<Mistake> {
    check_versions(child)
        .or_else(|| check_authors(child))
        .or_else(|| check_followers(child, assistants))
        .or_else(|| check_receipts(child))
}

fn check_versions(child: &ChildSeed) -> Option<Mistake> {
    let mut last = None;
    for (position, version) in child.rules.iter().enumerate() {
        let (field, sentence) = if version.number > HIGHEST {
            let sentence = format!("a version's number is at most {HIGHEST}");
            ("number", sentence)
        } else if last.is_some_and(|last| last >= version.number) {
            let sentence = "versions stand in the order of their numbers, each once";
            ("number", sentence.to_owned())
        } else if let Err(error) = version.topics() {
            ("blocked_topics", error.to_string())
        } else if let Err(error) = version.times() {
            ("times", error.to_string())
        } else {
            last = Some(version.number);
            continue;
        };
        let path = [
            Step::Field("rules"),
            Step::Item(position),
            Step::Field(field),
        ];
        return Some(Mistake::new(path, sentence));
    }
    None
}

fn check_authors(child: &ChildSeed) -> Option<Mistake> {
    let of_versions = child.rules.iter().map(|version| version.by.as_ref());
    let of_entries = child.history.iter().map(|entry| entry.by.as_ref());
    let all = of_versions.enumerate().map(|found| ("rules", found));
    let all = all.chain(of_entries.enumerate().map(|found| ("history", found)));
    for (field, (position, by)) in all {
        let Some(by) = by else { continue };
        if child.guardians.iter().all(|email| email.key() != by.key()) {
            let path = [Step::Field(field), Step::Item(position), Step::Field("by")];
            let sentence = format!("no guardian of this child has the address {by}");
            return Some(Mistake::new(path, sentence));
        }
    }
    None
}

fn check_followers(child: &ChildSeed, assistants: &[AssistantSeed]) -> Option<Mistake> {
    let is_declared = |name: &str| {
        let mut names = assistants.iter().map(|assistant| assistant.name.trim());
        names.any(|declared| declared == name)
    };
    let mut seen = HashSet::new();
    for (position, assistant) in child.assistants.iter().enumerate() {
        let name = assistant.name.trim();
        let sentence = if !is_declared(name) {
            format!("the file has no assistant named {name}")
        } else if !seen.insert(name) {
            "this assistant is there twice".to_owned()
        } else {
            continue;
        };
        let path = [Step::Field("assistants"), Step::Item(position)];
        return Some(Mistake::new(path, sentence));
    }
    None
}

fn check_receipts(child: &ChildSeed) -> Option<Mistake> {
    let lists = TopicLists::of(child, Timestamp::MIN);
    for (session, seed) in child.sessions.iter().enumerate() {
        for (position, receipt) in seed.receipts.iter().enumerate() {
            if lists.of_receipt(receipt).is_none() {
                let path = [
                    Step::Field("sessions"),
                    Step::Item(session),
                    Step::Field("receipts"),
                    Step::Item(position),
                ];
                let sentence = format!(
                    "the file has no version {} of this child's rules",
                    receipt.version
                );
                return Some(Mistake::new(path, sentence));
            }
        }
    }
    None
}
