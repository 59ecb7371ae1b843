//! What a child has done and could do next.
//!
//! A session that the assistant completes becomes a completed activity. What the assistant proposes are
//! upcoming activities, in its own order; a guardian judges each with a vote and, if they like, a
//! reason, and a judged one is not shown again, even if it is proposed again. The assistant reads the
//! verdicts, oldest first; one that a guardian changed their mind about comes again, in its new form alone.
//!
//! There is one list for each child: of several assistants, the last one to propose is heard.

pub mod api;
mod completed;
mod store;
mod upcoming;

use crate::children::feature::{Feature, Shown, tables};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::problem::Refusal;
use crate::kernel::store::{
    Change, Cursor, JsonRows, NotACursor, Page, Read, ReadCache, Store, StoreError,
};
use crate::kernel::zones::Zone;

pub use completed::{CompletedActivity, CompletedPage, Completion, Score};
pub use upcoming::{
    ActivityId, Feedback, NotAnActivityId, Proposal, SameIdTwice, UpcomingActivity, Verdict, Vote,
};

/// The most memory for answers of one kind, in bytes.
const CACHE_BYTES: u64 = 1024 * 1024;

/// Why something about activities was refused.
#[derive(Debug, thiserror::Error)]
pub enum ActivitiesError {
    /// It was never proposed, or it was taken back before anybody judged it.
    #[error("There is no such activity.")]
    NoSuchActivity,
    /// A proposal names an activity twice.
    #[error(transparent)]
    SameIdTwice(#[from] SameIdTwice),
    /// The page marker is not one of ours.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ActivitiesError> for Refusal {
    fn from(error: ActivitiesError) -> Self {
        match error {
            ActivitiesError::NoSuchActivity => Self::not_there(),
            ActivitiesError::SameIdTwice(error) => {
                Self::against_a_rule(error.to_string()).at(format!("/{}/activity_id", error.second))
            }
            ActivitiesError::Cursor(error) => Self::malformed(error.to_string()),
            ActivitiesError::Children(error) => error.into(),
            ActivitiesError::Store(error) => error.into(),
        }
    }
}

/// The activities' façade. Clones share it.
#[derive(Clone)]
pub struct Activities {
    store: Store,
    clock: Clock,
    completed: ReadCache<(ChildId, Option<SessionId>, Zone), CompletedPage>,
    upcoming: ReadCache<ChildId, JsonRows>,
}

/// What each table of the activities holds.
pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    consequences: &[],
    backfills: &[],
    shown: &[Shown::Part("activities", || tables(&store::KINDS))],
    erase_some: |change, access| store::erase_some(change, access.child()),
};

/// Verdicts, and where the ones to come will begin.
#[derive(Debug)]
pub struct VerdictPage {
    /// Oldest first.
    pub verdicts: Page,
    /// For the next question, even when nothing is left for now.
    pub next: String,
}

impl VerdictPage {
    /// `{"feedback": […], "next": "…"}`
    pub fn to_json(&self) -> JsonRows {
        self.verdicts
            .to_object_with_next("feedback", Some(&self.next))
    }
}

impl Activities {
    /// How many completed activities one answer holds (contract, section 4).
    pub const COMPLETED_AT_ONCE: usize = 500;

    /// How many verdicts one answer holds.
    pub const VERDICTS_AT_ONCE: usize = 100;

    /// Sets the activities up.
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            completed: ReadCache::within(CACHE_BYTES, &store),
            upcoming: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
        }
    }

    /// A child's completed activities, newest first, as a list in JSON, with days in the child's time zone; with `before`
    /// those that follow this session's. Nothing follows one that isn't there.
    pub fn list_completed(
        &self,
        access: &ChildAccess,
        before: Option<SessionId>,
        zone: &Zone,
    ) -> Result<CompletedPage, StoreError> {
        let (child, limit) = (access.child(), Self::COMPLETED_AT_ONCE);
        self.completed.get((child, before, zone.clone()), |view| {
            CompletedPage::of(store::completed(view, child, before, limit)?, zone)
        })
    }

    /// The completed activity that a session became, if it did.
    pub fn find_completed(
        &self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<CompletedActivity>, StoreError> {
        store::find_completed(&self.store, access.child(), session)
    }

    /// Makes a session a completed activity, or corrects the one it is. `date` is when the session began.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn complete(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
        completion: Completion,
    ) -> Result<CompletedActivity, ActivitiesError> {
        access.confirm(change)?;
        let before = store::find_completed(change, access.child(), session)?;
        let activity = completion.of_session(session, date, topic, before);
        store::put_completed(change, access.child(), &activity)?;
        Ok(activity)
    }

    /// Takes back that a session is a completed activity: it goes on.
    pub fn reopen(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<(), ActivitiesError> {
        Ok(store::remove_completed(change, access.child(), session)?)
    }

    /// Follows a session whose topic or start was corrected, if it is a completed activity.
    pub fn follow(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
    ) -> Result<(), ActivitiesError> {
        let Some(mut activity) = store::find_completed(change, access.child(), session)? else {
            return Ok(());
        };
        activity.date = date;
        activity.topic = topic.unwrap_or(activity.topic);
        Ok(store::put_completed(change, access.child(), &activity)?)
    }

    /// Takes the completed activity that a session became from the child, if it did.
    pub fn take_out(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<CompletedActivity>, StoreError> {
        let activity = store::find_completed(change, access.child(), session)?;
        store::remove_completed(change, access.child(), session)?;
        Ok(activity)
    }

    /// Gives a completed activity that was [taken out](Self::take_out) to the child.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn put_back(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        activity: &CompletedActivity,
    ) -> Result<(), ActivitiesError> {
        access.confirm(change)?;
        Ok(store::put_completed(change, access.child(), activity)?)
    }

    /// What the child could do next and nobody has judged yet, in the assistant's order: a list in JSON.
    pub fn list_upcoming(&self, access: &ChildAccess) -> Result<JsonRows, StoreError> {
        let child = access.child();
        self.upcoming.get(child, |view| {
            Ok(self.read_upcoming(view, access)?.to_array())
        })
    }

    /// [`Activities::list_upcoming`] row by row.
    pub fn read_upcoming(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<Page, StoreError> {
        store::upcoming(view, access.child())
    }

    /// Replaces all that is proposed for a child. What was judged before stays hidden.
    ///
    /// # Errors
    ///
    /// When the child is gone, or the store's.
    pub fn replace_upcoming(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        proposal: Proposal,
    ) -> Result<(), ActivitiesError> {
        access.confirm(change)?;
        let mut shown = Vec::new();
        for activity in proposal.into_activities() {
            if !store::is_judged(change, access.child(), &activity.activity_id)? {
                shown.push(activity);
            }
        }
        Ok(store::replace_upcoming(change, access.child(), &shown)?)
    }

    /// Keeps a guardian's verdict on an activity and takes it off the list, in one change.
    ///
    /// # Errors
    ///
    /// [`ActivitiesError::NoSuchActivity`] when it is neither proposed nor judged before.
    pub async fn give_feedback(
        &self,
        access: ChildAccess,
        activity: ActivityId,
        feedback: Feedback,
    ) -> Result<(), ActivitiesError> {
        let activities = self.clone();
        let given = self
            .store
            .commit(move |change| activities.judge(change, &access, activity, feedback));
        given.await?
    }

    /// [`Activities::give_feedback`] within a change.
    pub fn judge(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        activity: ActivityId,
        feedback: Feedback,
    ) -> Result<(), ActivitiesError> {
        access.confirm(change)?;
        let child = access.child();
        let proposed = store::remove_upcoming(change, child, &activity)?;
        if !proposed && !store::is_judged(change, child, &activity)? {
            return Err(ActivitiesError::NoSuchActivity);
        }
        let verdict = feedback.on(activity, self.clock.now());
        Ok(store::put_verdict(change, child, &verdict)?)
    }

    /// The verdicts on what was proposed for a child, oldest first, those behind `after`.
    ///
    /// # Errors
    ///
    /// [`ActivitiesError::Cursor`], or the store's.
    pub fn list_verdicts(
        &self,
        access: &ChildAccess,
        after: Option<&str>,
    ) -> Result<VerdictPage, ActivitiesError> {
        let after = match after {
            Some(text) => Cursor::parse(text)?,
            None => store::before_verdicts(access.child()),
        };
        let limit = Self::VERDICTS_AT_ONCE;
        let verdicts = store::verdicts(&self.store, access.child(), &after, limit)?;
        let next = verdicts.end.as_ref().unwrap_or(&after).to_text();
        Ok(VerdictPage { verdicts, next })
    }
}
