//! A page that tells a child what is kept of its conversations, and who can read it.
//!
//! It has an edition for younger children and one for older ones, which a guardian of the child chooses. The names on it are
//! those of the child's guardians and assistants. It says nothing of what guardians block or look for.

pub mod api;
mod file;
mod store;

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::children::feature::{Feature, Shown, tables};
use crate::children::history::{Changed, Entry, History};
use crate::children::{ChildAccess, ChildId, Children, ChildrenError};
use crate::identity::{AssistantId, Assistants, Caller, GuardianId, Guardians};
use crate::kernel::host::clock::Clock;
use crate::kernel::store::{Read, Store, StoreError, readable_or_counted};

/// In characters.
const LONGEST_HELPLINE: usize = 100;

/// The edition of a child's page: `younger` for ages 6 to 9, `older` from 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "PageEdition", rename_all = "snake_case")]
pub enum Edition {
    /// For children from 6 to 9.
    Younger,
    /// For children from 10.
    Older,
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[],
    backfills: &[],
    shown: &[Shown::Part("for_child", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[file::FIELD],
    session_fields: &[],
};

/// The name and number of a place that helps children: the administrator's `--helpline`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helpline(String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a helpline is a name and a number on one line, such as \"Childline 0800 1111\", of at most {LONGEST_HELPLINE} characters"
)]
pub struct InvalidHelpline;

impl FromStr for Helpline {
    type Err = InvalidHelpline;

    fn from_str(text: &str) -> Result<Self, InvalidHelpline> {
        let text = text.trim();
        let has_number = text.chars().any(|character| character.is_ascii_digit());
        let is_line = !text.chars().any(char::is_control);
        if has_number && is_line && text.chars().count() <= LONGEST_HELPLINE {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidHelpline)
        }
    }
}

impl std::fmt::Display for Helpline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a child's page is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildNotice {
    /// `None` until a guardian chooses one.
    pub edition: Option<Edition>,
    pub child_name: String,
    /// The child's guardians, the earliest first; `None` for one without a name.
    pub guardians: Vec<Option<String>>,
    /// The assistants that talk with the child, the earliest first.
    pub assistants: Vec<String>,
    pub helpline: Option<Helpline>,
    /// Whether a model reads along.
    pub is_reviewed: bool,
    /// The child's age, if assistants are told it.
    pub age: Option<u8>,
    /// The assistants that are told the age, the earliest first.
    pub told_age: Vec<String>,
    /// The assistants that were tested with made-up questions, the earliest first.
    pub tested: Vec<String>,
}

/// Tells how old a child is; `None` if it isn't known.
pub type AgeOf = Arc<dyn Fn(&Store, ChildId) -> Result<Option<u8>, StoreError> + Send + Sync>;

/// Tells which assistants were tested with made-up questions.
pub type TriedAssistants =
    Arc<dyn Fn(&Store, ChildId) -> Result<BTreeSet<AssistantId>, StoreError> + Send + Sync>;

/// Tells whether a model reads a child's conversations.
pub type IsReviewed = Arc<dyn Fn(&Store, ChildId) -> Result<bool, StoreError> + Send + Sync>;

#[derive(Clone)]
pub struct ChildNotices {
    pub store: Store,
    pub clock: Clock,
    pub children: Children,
    pub history: History,
    pub guardians: Guardians,
    pub assistants: Assistants,
    pub helpline: Option<Helpline>,
    pub is_reviewed: IsReviewed,
    pub age: AgeOf,
    pub tried_assistants: TriedAssistants,
}

impl ChildNotices {
    /// Returns the page, and the number of assistants that are left out because they are unreadable.
    pub fn get(&self, access: &ChildAccess) -> Result<(ChildNotice, u64), ChildrenError> {
        let (mut guardians, mut assistants, mut unreadable) = (Vec::new(), Vec::new(), 0);
        for caller in self.children.callers_of(&self.store, access.child())? {
            match caller {
                Caller::Guardian(id) => guardians.push(self.guardians.name_of(&self.store, &id)?),
                Caller::Assistant(id) => match self.assistants.find_by_id(&self.store, &id)? {
                    Some(assistant) => assistants.push(assistant),
                    None => unreadable += 1,
                },
            }
        }
        assistants.sort_by_key(|assistant| (assistant.added_at, assistant.id.clone()));
        let age = (self.age)(&self.store, access.child())?;
        let mut told_age = Vec::new();
        for assistant in assistants.iter().filter(|_| age.is_some()) {
            if self.children.sharing(&self.store, &assistant.id)?.is_none() {
                told_age.push(assistant.name.clone());
            }
        }
        let tried = (self.tried_assistants)(&self.store, access.child());
        let tried = readable_or_counted(tried, &mut unreadable)?.unwrap_or_default();
        let tested = assistants.iter().filter(|one| tried.contains(&one.id));
        let tested = tested.map(|one| one.name.clone()).collect();
        let page = ChildNotice {
            edition: store::edition(&self.store, access.child())?,
            child_name: self.children.get(&self.store, access.child())?.name,
            guardians,
            assistants: assistants.into_iter().map(|one| one.name).collect(),
            helpline: self.helpline.clone(),
            is_reviewed: (self.is_reviewed)(&self.store, access.child())?,
            age: age.filter(|_| !told_age.is_empty()),
            told_age,
            tested,
        };
        Ok((page, unreadable))
    }

    /// `None` until a guardian chooses one.
    pub fn edition(&self, view: &impl Read, child: ChildId) -> Result<Option<Edition>, StoreError> {
        store::edition(view, child)
    }

    /// Idempotent.
    pub async fn choose(
        &self,
        access: ChildAccess,
        by: GuardianId,
        edition: Edition,
    ) -> Result<(), ChildrenError> {
        let pages = self.clone();
        let chosen = self.store.commit(move |change| {
            access.confirm(change)?;
            if !store::put(change, access.child(), edition)? {
                return Ok(());
            }
            let entry = Entry::new(pages.clock.now(), Changed::PageForChild, Some(by));
            Ok(pages.history.record(change, &access, entry)?)
        });
        chosen.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_helpline_is_one_line_with_a_number() {
        let line = " Nummer gegen Kummer 116 111 ".parse::<Helpline>().unwrap();
        assert_eq!(line.to_string(), "Nummer gegen Kummer 116 111");

        for text in ["", "Childline", "116\n111", &"1".repeat(101)] {
            assert_eq!(text.parse::<Helpline>(), Err(InvalidHelpline), "{text:?}");
        }
    }
}
