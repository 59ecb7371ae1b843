//! What a child has done and could do next.
//!
//! A session that the assistant completes becomes a completed activity. What the assistant proposes are
//! upcoming activities, in its own order; a guardian judges each with a vote and, if they like, a
//! reason, and a judged one is not shown again, even if it is proposed again.

pub mod api;
mod completed;
mod store;

use crate::children::{ChildAccess, ChildrenError};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::SessionId;
use crate::kernel::problem::Refusal;
use crate::kernel::store::{Change, Row, Store, StoreError};

pub use completed::{CompletedActivity, Completion, Score};

/// Why something about activities was refused.
#[derive(Debug, thiserror::Error)]
pub enum ActivitiesError {
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
            ActivitiesError::Children(error) => error.into(),
            ActivitiesError::Store(error) => error.into(),
        }
    }
}

/// The activities' façade. Clones share it.
#[derive(Clone)]
pub struct Activities {
    store: Store,
}

impl Activities {
    /// How many completed activities one answer holds (contract, section 4).
    pub const COMPLETED_AT_ONCE: usize = 500;

    /// Sets the activities up.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// A child's completed activities, newest first; with `before` those that follow this session's.
    /// Nothing follows one that isn't there.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_completed(
        &self,
        access: &ChildAccess,
        before: Option<SessionId>,
    ) -> Result<Vec<Row>, StoreError> {
        store::completed(&self.store, access.child(), before, Self::COMPLETED_AT_ONCE)
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
        let activity = completion.of_session(session, date, topic);
        store::put_completed(change, access.child(), &activity)?;
        Ok(activity)
    }

    /// Follows a session whose topic or start was corrected, if it is a completed activity.
    ///
    /// # Errors
    ///
    /// The store's.
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

    /// Erases a part of the child's activities; whether anything is left.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        store::erase_some(change, access.child())
    }
}
