//! Everything that a session is counted in, in one place: whoever adds a tally adds it to both functions.

use super::{Keeping, KeepingError};
use crate::activities::CompletedActivity;
use crate::children::{ChildAccess, SessionId};
use crate::kernel::store::Change;
use crate::summary::Outcome;
use crate::transcripts::PlacedSession;

impl Keeping {
    /// Takes a session out of everything that it is counted in. The session itself is still where it was. Returns the completed
    /// activity that it was.
    pub(super) fn take_out(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<CompletedActivity>, KeepingError> {
        self.joined.summaries.remove(change, access, session)?;
        Ok(self.joined.activities.take_out(change, access, session)?)
    }

    /// Counts a session that was [taken out](Self::take_out), as it is now, for the child that it is in now.
    pub(super) fn count_again(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: &PlacedSession,
        activity: Option<CompletedActivity>,
    ) -> Result<(), KeepingError> {
        let (session, date) = (placed.session.session_id, placed.date);
        let (summaries, topic) = (&self.joined.summaries, placed.session.topic.clone());
        let Some(mut activity) = activity else {
            return Ok(summaries.count_session(change, access, session, date, topic)?);
        };
        activity.date = date;
        activity.topic = topic.clone().unwrap_or(activity.topic);
        self.joined.activities.put_back(change, access, &activity)?;
        let outcome = Outcome {
            seconds: activity.duration.as_f64().unwrap_or_default(),
            mood: activity.mood,
        };
        Ok(summaries.count_outcome(change, access, session, date, topic, outcome)?)
    }
}
