//! Completed and upcoming activities of a child.
//!
//! A session that the assistant completes becomes a completed activity. Upcoming activities are the assistant's proposals, in
//! its order. A guardian gives each a vote and, optionally, a reason; it is then hidden, even if the assistant proposes it again.
//! The assistant reads the feedback, oldest first. Feedback that replaces another is returned as new; the replaced one no longer is.
//!
//! The guardian who gave the newest feedback can take it back; taking it back again changes nothing. Another guardian's feedback that it had replaced then counts again.
//! Otherwise the activity is shown in its old place again, unless its assistant has withdrawn it. For that, activities with feedback
//! stay in the stored list, and are left out when it is read. No guardian can take back another's feedback.
//!
//! Each assistant has its own list of proposals, which ends when it is disconnected from the child. A guardian sees all of them,
//! one list after the other.

pub mod api;
mod completed;
mod file;
mod store;
mod upcoming;

use crate::children::feature::{DetachedData, Feature, OfSession, SessionFacts, Shown, tables};
use crate::children::{self, AssistantAccess, ChildAccess, ChildId, ChildrenError, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::zones::Zone;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{
    Change, Cursor, JsonRows, NotACursor, Page, ReadCache, Store, StoreError, Trigger, readable,
};

pub use completed::{CompletedActivity, CompletedPage, Completion, Score};
pub use upcoming::{
    ActivityId, Feedback, NotAnActivityId, Proposal, SameIdTwice, UpcomingActivity, Verdict, Vote,
};

/// In bytes, per kind of answer.
const CACHE_BYTES: u64 = 1024 * 1024;

/// The field of a session's completed activity in [`DetachedData`].
const TAKEN_OUT: &str = "activity";

/// Why a request about activities failed.
#[derive(Debug, thiserror::Error)]
pub enum ActivitiesError {
    /// It was never proposed, or the proposal was withdrawn before it got feedback.
    #[error("There is no such activity.")]
    NoSuchActivity,
    /// Another guardian has given feedback since.
    #[error("This feedback isn't known to be yours, so you can't take it back.")]
    NotYours,
    /// A proposal has two activities with the same id.
    #[error(transparent)]
    SameIdTwice(#[from] SameIdTwice),
    /// The cursor is invalid.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    /// The child doesn't exist any more.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ActivitiesError from Children, Cursor, Store {
        NoSuchActivity => not_there,
        NotYours => conflict(FeedbackNotYours),
        SameIdTwice(same) => against_a_rule(ActivityIdRepeated) at format!("/{}/activity_id", same.second),
    }
}

/// Service for activities. Cheap to clone.
#[derive(Clone)]
pub struct Activities {
    store: Store,
    clock: Clock,
    completed: ReadCache<(ChildId, Option<SessionId>, Zone), CompletedPage>,
    upcoming: ReadCache<ChildId, JsonRows>,
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &[
        Trigger {
            table: children::ASSISTANTS,
            run: |change, keys| {
                for (child, assistant) in children::former_assistants_in(change, keys)? {
                    store::forget_upcoming(change, child, &assistant)?;
                }
                Ok(())
            },
        },
        Trigger {
            table: children::GUARDIANS,
            run: |change, keys| {
                for (child, guardian) in children::former_guardians_in(change, keys)? {
                    store::forget_replaced_of(change, child, &guardian)?;
                }
                Ok(())
            },
        },
    ],
    backfills: &[],
    shown: &[Shown::Part("activities", || tables(&store::KINDS))],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        take_out: |change, access, session, taken| {
            let activity = store::find_completed(change, access.child(), session)?;
            taken.set(TAKEN_OUT, activity.as_ref());
            store::remove_completed(change, access.child(), session)
        },
        put_back: |change, access, facts, taken| {
            let Some(activity) = taken.get::<CompletedActivity>(TAKEN_OUT)? else {
                return Ok(());
            };
            access.confirm(change)?;
            let activity = CompletedActivity {
                not_child: facts.not_child,
                ..activity.updated(facts.date, facts.topic.clone())
            };
            Ok(store::put_completed(change, access.child(), &activity)?)
        },
        keys: &store::KEYS,
        erase_batch: |_, _, _| Ok(false),
    }),
    child_fields: &[file::UPCOMING, file::FEEDBACK],
    session_fields: &[],
};

/// A page of feedback.
#[derive(Debug)]
pub struct VerdictPage {
    /// Oldest first.
    pub verdicts: Page,
    /// The cursor of the next request, also if nothing follows yet.
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
    /// The page size of completed activities.
    pub const COMPLETED_AT_ONCE: usize = 500;

    /// The page size of feedback.
    pub const VERDICTS_AT_ONCE: usize = 100;

    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            completed: ReadCache::within(CACHE_BYTES, &store),
            upcoming: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
        }
    }

    /// Returns a child's completed activities, newest first, as a JSON list with dates in the given time zone. With `before`,
    /// only those older than that session's activity; an empty list if it has none.
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

    /// Returns the completed activity of a session.
    pub fn find_completed(
        &self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<CompletedActivity>, StoreError> {
        store::find_completed(&self.store, access.child(), session)
    }

    /// Creates or updates a session's completed activity. Fails if the child doesn't exist any more.
    pub fn complete(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        facts: SessionFacts,
        completion: Completion,
    ) -> Result<CompletedActivity, ActivitiesError> {
        access.confirm(change)?;
        let before = store::find_completed(change, access.child(), facts.session)?;
        let activity = completion.of_session(facts, before);
        store::put_completed(change, access.child(), &activity)?;
        Ok(activity)
    }

    /// Removes a session's completed activity because the session continues.
    pub fn reopen(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<(), ActivitiesError> {
        Ok(store::remove_completed(change, access.child(), session)?)
    }

    /// Updates a session's completed activity, if it has one, after the session's topic or start changed.
    pub fn follow(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        date: Timestamp,
        topic: Option<String>,
    ) -> Result<(), ActivitiesError> {
        let Some(activity) = store::find_completed(change, access.child(), session)? else {
            return Ok(());
        };
        let activity = activity.updated(date, topic);
        Ok(store::put_completed(change, access.child(), &activity)?)
    }

    /// [`Activities::complete`] for a session that was taken out of the child's lists.
    pub fn complete_taken_out(
        taken: &mut DetachedData,
        facts: SessionFacts,
        completion: Completion,
    ) -> Result<CompletedActivity, StoreError> {
        let before = taken.get(TAKEN_OUT)?;
        let activity = completion.of_session(facts, before);
        taken.set(TAKEN_OUT, Some(&activity));
        Ok(activity)
    }

    /// [`Activities::reopen`] for a session that was taken out of the child's lists.
    pub fn reopen_taken_out(taken: &mut DetachedData) {
        taken.set::<CompletedActivity>(TAKEN_OUT, None);
    }

    /// Returns the proposals without feedback as a JSON list: that of each assistant in its order.
    pub fn list_upcoming(&self, access: &ChildAccess) -> Result<JsonRows, StoreError> {
        let child = access.child();
        self.upcoming
            .get(child, |view| Ok(store::upcoming(view, child)?.to_array()))
    }

    /// Replaces an assistant's proposals for a child. Those that already got feedback stay hidden. `is_only_assistant` tells
    /// whether proposals of an unknown assistant can be nobody else's. Fails if the child doesn't exist any more.
    pub fn replace_upcoming(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        is_only_assistant: bool,
        proposal: Proposal,
    ) -> Result<(), ActivitiesError> {
        access.child().confirm(change)?;
        let (child, proposed) = (access.child().child(), proposal.into_activities());
        store::remove_unowned_upcoming(change, child, |unowned| {
            let is_repeated = |unowned: &UpcomingActivity| {
                let id = &unowned.activity_id;
                proposed.iter().any(|activity| activity.activity_id == *id)
            };
            is_only_assistant || unowned.is_some_and(is_repeated)
        })?;
        store::replace_upcoming(change, child, access.assistant(), &proposed)?;
        Ok(())
    }

    /// Adds proposals from a file, whose assistant is unknown. Fails if the child doesn't exist any more.
    pub fn import_upcoming(
        change: &mut Change,
        access: &ChildAccess,
        activities: &[UpcomingActivity],
    ) -> Result<(), ChildrenError> {
        access.confirm(change)?;
        Ok(store::put_unowned_upcoming(
            change,
            access.child(),
            activities,
        )?)
    }

    /// Stores a guardian's feedback on an activity, which hides it.
    ///
    /// Fails with [`ActivitiesError::NoSuchActivity`] if it is neither proposed nor already has feedback.
    pub async fn give_feedback(
        &self,
        access: ChildAccess,
        by: GuardianId,
        activity: ActivityId,
        feedback: Feedback,
    ) -> Result<(), ActivitiesError> {
        let clock = self.clock.clone();
        let given = self.store.commit(move |change| {
            let verdict = feedback.on(activity, clock.now(), Some(by));
            judge(change, &access, verdict)
        });
        given.await
    }

    /// Takes back a guardian's feedback on an activity; see the [module](self). Does nothing if none is theirs, also if the activity
    /// is unknown: it may have been withdrawn since a first attempt whose response was lost.
    pub async fn take_back_feedback(
        &self,
        access: ChildAccess,
        by: GuardianId,
        activity: ActivityId,
    ) -> Result<(), ActivitiesError> {
        let taken_back = self
            .store
            .commit(move |change| take_back(change, &access, &by, &activity));
        taken_back.await
    }

    /// Returns the feedback on a child's proposals, oldest first, starting after the cursor `after`.
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

fn judge(
    change: &mut Change,
    access: &ChildAccess,
    verdict: Verdict,
) -> Result<(), ActivitiesError> {
    access.confirm(change)?;
    let child = access.child();
    let activity = &verdict.activity_id;
    let is_known =
        store::is_judged(change, child, activity)? || store::is_proposed(change, child, activity)?;
    if !is_known {
        return Err(ActivitiesError::NoSuchActivity);
    }
    let previous = readable(store::find_verdict(change, child, activity))?;
    let verdict = match previous.flatten() {
        Some(previous) => verdict.replacing(previous),
        None => verdict,
    };
    Ok(store::put_verdict(change, child, &verdict)?)
}

fn take_back(
    change: &mut Change,
    access: &ChildAccess,
    by: &GuardianId,
    activity: &ActivityId,
) -> Result<(), ActivitiesError> {
    access.confirm(change)?;
    let child = access.child();
    let Some(verdict) = store::find_verdict(change, child, activity)? else {
        return Ok(());
    };
    if verdict.by.as_ref() != Some(by) {
        return if verdict.replaces_one_of(by) {
            Err(ActivitiesError::NotYours)
        } else {
            Ok(())
        };
    }
    match verdict.into_replaced() {
        // With a new number: assistants have read the newer one.
        Some(replaced) => store::put_verdict(change, child, &replaced)?,
        None => store::remove_verdict(change, child, activity)?,
    }
    Ok(())
}
