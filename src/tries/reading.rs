//! Reads tries for a guardian.

use super::record::{Answered, Try, TryId};
use super::service::Tries;
use super::{TriesError, store};
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId};
use crate::identity::{AssistantId, GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Cursor, Read, StoreError, readable};
use crate::rules::Changed as RulesChanged;

/// A page of tries.
pub struct TriesPage {
    pub tries: Vec<Try>,
    pub next: Option<String>,
    pub unreadable: u64,
}

/// A try with the answers that are still kept, and the reader's own verdicts.
pub struct WithAnswers {
    pub one: Try,
    pub answers: Vec<Answered>,
    pub unreadable: u64,
    pub verdicts: Vec<(u32, bool)>,
}

impl Tries {
    /// The child's tries, the newest first, without those that the reader has hidden.
    pub fn list(
        &self,
        access: &ChildAccess,
        reader: &GuardianId,
        before: Option<&str>,
        limit: usize,
    ) -> Result<TriesPage, TriesError> {
        let before = before.map(Cursor::parse).transpose()?;
        let child = access.child();
        let page = store::page(&self.store, child, before.as_ref(), limit)?;
        let mut tries = Vec::new();
        for row in &page.rows {
            let one = row.record::<Try>()?;
            if !store::is_hidden(&self.store, child, reader, one.id)? {
                tries.push(one);
            }
        }
        Ok(TriesPage {
            tries,
            next: page.next(),
            unreadable: page.unreadable,
        })
    }

    /// Fails with [`TriesError::NoSuchTry`], also for one that the reader has hidden.
    pub fn get(
        &self,
        access: &ChildAccess,
        reader: &GuardianId,
        id: TryId,
    ) -> Result<WithAnswers, TriesError> {
        let child = access.child();
        let one = self.visible(&self.store, access, reader, id)?;
        let (answers, unreadable) = store::answers(&self.store, child, id)?;
        Ok(WithAnswers {
            verdicts: self.verdicts(access, reader, id)?,
            one,
            answers,
            unreadable,
        })
    }

    /// A try with the answers that are still kept.
    pub fn find_for_administrator(
        &self,
        access: &ChildAccess,
        id: TryId,
    ) -> Result<(Try, Vec<Answered>), TriesError> {
        let child = access.child();
        let one = store::find(&self.store, child, id)?.ok_or(TriesError::NoSuchTry)?;
        Ok((one, store::answers(&self.store, child, id)?.0))
    }

    /// The reader's own verdicts, each with the answer's number.
    pub fn verdicts(
        &self,
        access: &ChildAccess,
        reader: &GuardianId,
        id: TryId,
    ) -> Result<Vec<(u32, bool)>, StoreError> {
        store::verdicts(&self.store, access.child(), reader, id)
    }

    /// How the reader sees the guardian who started a try; `None` for a former guardian.
    pub fn author(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        by: &GuardianId,
    ) -> Result<Option<Author>, StoreError> {
        self.history.author(&self.store, access, reader, by)
    }

    /// When the rules were first changed after the version that a try had; `None` if they are still the same. When the assistant
    /// may talk is not in a prompt.
    pub fn rules_changed_since(
        &self,
        access: &ChildAccess,
        one: &Try,
    ) -> Result<Option<Timestamp>, StoreError> {
        let later = self.rules.list_version_numbers(access)?.into_iter();
        for number in later.filter(|number| *number > one.rules) {
            let version = readable(self.rules.find_version(access, number))?.flatten();
            if let Some(version) = version
                && version.changed != Some(RulesChanged::Times)
            {
                return Ok(version.since);
            }
        }
        Ok(None)
    }

    /// Whether check words were missing in the newest try of a child and an assistant that had any.
    pub fn has_missing_words(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
    ) -> Result<bool, StoreError> {
        let tries = store::all(&self.store, access.child())?.into_iter();
        let mut own = tries.filter(|one| one.assistant == *assistant);
        let words = own.find_map(|one| one.check_words);
        Ok(words.is_some_and(|words| !words.has_all()))
    }

    pub(super) fn visible(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        reader: &GuardianId,
        id: TryId,
    ) -> Result<Try, TriesError> {
        let child = access.child();
        let found = store::find(view, child, id)?.ok_or(TriesError::NoSuchTry)?;
        if store::is_hidden(view, child, reader, id)? {
            return Err(TriesError::NoSuchTry);
        }
        Ok(found)
    }

    /// When the guardian may start the next try of this child, if not now: a day (UTC) has one.
    pub(super) fn next_allowed(
        &self,
        view: &impl Read,
        child: ChildId,
        by: &GuardianId,
    ) -> Result<Option<Timestamp>, StoreError> {
        let last = store::last_of(&store::all(view, child)?, by);
        let next = last.map(|last| Timestamp::start_of_utc_day(last.utc_day() + 1));
        Ok(next.filter(|next| *next > self.clock.now()))
    }
}
