//! Everything that counts sessions, in one place: a new counter must be added to both functions.

use super::{Retention, RetentionError};
use crate::activities::CompletedActivity;
use crate::children::{ChildAccess, SessionId};
use crate::kernel::store::Change;
use crate::summary::Outcome;
use crate::transcripts::PlacedSession;

impl Retention {
    /// Removes a session from all counts, but doesn't remove the session itself. Returns its completed activity, if any.
    pub(super) fn take_out(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<CompletedActivity>, RetentionError> {
        self.dependencies
            .summaries
            .remove(change, access, session)?;
        Ok(self
            .dependencies
            .activities
            .take_out(change, access, session)?)
    }

    /// Counts a session that was [taken out](Self::take_out), in its present form and for its present child.
    pub(super) fn count_again(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: &PlacedSession,
        activity: Option<CompletedActivity>,
    ) -> Result<(), RetentionError> {
        let (session, date) = (placed.session.session_id, placed.date);
        let (summaries, topic) = (&self.dependencies.summaries, placed.session.topic.clone());
        let Some(mut activity) = activity else {
            return Ok(summaries.count_session(change, access, session, date, topic)?);
        };
        activity.date = date;
        activity.topic = topic.clone().unwrap_or(activity.topic);
        self.dependencies
            .activities
            .put_back(change, access, &activity)?;
        let outcome = Outcome {
            seconds: activity.duration.as_f64().unwrap_or_default(),
            mood: activity.mood,
        };
        Ok(summaries.count_outcome(change, access, session, date, topic, outcome)?)
    }
}
