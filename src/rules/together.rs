//! The combined rules of several children, for a device that cannot tell who speaks.

use std::collections::BTreeSet;

use super::version_name::{Numbers, VersionName};
use super::{Issued, IssuedProfile, IssuedRules, Rules, instructions};
use crate::children::{ChildAccess, ChildrenError};
use crate::identity::{Caller, SignedAssistant};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;
use crate::rules::schedule;

/// Why a key has no combined rules.
#[derive(Debug, thiserror::Error)]
pub enum TogetherError {
    #[error("This key is for no child, so there are no rules.")]
    NoChild,
    /// No guardian has all of the children, and rules must not be revealed to another family.
    #[error(
        "No guardian has all children of this key, so there are no rules for all of them together. Please ask for each child's."
    )]
    NoCommonGuardian,
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    TogetherError from Children, Store {
        NoChild => conflict(KeyWithoutChild),
        NoCommonGuardian => conflict(NoCommonGuardian),
    }
}

impl Rules {
    /// The combined rules of all of an assistant's children, without the guardians' texts about each, and what it states about
    /// each child.
    pub fn of_all(
        &self,
        assistant: &SignedAssistant,
    ) -> Result<(IssuedRules, Vec<Issued>), TogetherError> {
        let all = self.dependencies.children.all_of(assistant)?;
        if all.is_empty() {
            return Err(TogetherError::NoChild);
        }
        self.demand_common_guardian(&all)?;
        let (mut topics, mut numbers) = (Vec::<String>::new(), Vec::new());
        let (mut tags, mut of) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        let (mut talks, mut next_change) = (Vec::new(), None::<Timestamp>);
        let (mut pauses, mut profiles) = (Vec::new(), Vec::new());
        for access in all {
            let rules = self.in_force(&access)?;
            let child = access.child();
            let (number, text) = rules.named(false);
            profiles.push(rules.profile);
            let new = rules.topics.iter();
            topics.extend(
                new.filter(|topic| seen.insert(topic.to_lowercase()))
                    .cloned(),
            );
            tags.push(self.key.tag(assistant.id(), child, number, text));
            numbers.push((child, number));
            let now = self.talk(&access)?;
            talks.push(now.talk);
            pauses.extend(now.pause.clone());
            next_change = next_change.into_iter().chain(now.next_change).min();
            of.push(Issued {
                access,
                number,
                pause: now.pause,
            });
        }
        let profile = IssuedProfile::shared(&profiles);
        let talk = schedule::talk_with_all(&talks);
        let name = VersionName {
            numbers: Numbers::Each(numbers),
            tag: self.key.tag_of_all(assistant.id(), &tags),
        };
        let issued = IssuedRules {
            version: name.to_string(),
            instructions: instructions(profile, &topics, None),
            shared_age: None,
            topics,
            context: None,
            talk,
            language: profile.language.unwrap_or_default(),
            next_change,
            pauses,
        };
        Ok((issued, of))
    }

    fn demand_common_guardian(&self, all: &[ChildAccess]) -> Result<(), TogetherError> {
        let mut common: Option<Vec<Caller>> = None;
        for access in all {
            let callers = self
                .dependencies
                .children
                .callers_of(&self.store, access.child())?;
            let is_guardian = |caller: &Caller| matches!(caller, Caller::Guardian(_));
            let guardians = callers.into_iter().filter(is_guardian);
            common = Some(match common {
                None => guardians.collect(),
                Some(common) => guardians.filter(|one| common.contains(one)).collect(),
            });
        }
        if common.is_some_and(|common| !common.is_empty()) {
            Ok(())
        } else {
            Err(TogetherError::NoCommonGuardian)
        }
    }
}
