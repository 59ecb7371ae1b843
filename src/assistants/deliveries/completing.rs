//! The outcome of sessions: they are completed by their assistant, or end after their idle time, and are reopened by later words.

use std::sync::Arc;
use std::time::Duration;

use super::{AssistantError, AssistantService};
use crate::children::{ChildAccess, ChildrenError, SessionId};
use crate::conversations::transcripts::{EndedSession, Ending, PlacedSession};
use crate::insights::activities::{Activities, CompletedActivity, Completion, Score};
use crate::insights::summary::{SessionOutcome, Summaries};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, readable};

/// How a session went, as far as the assistant reported.
#[derive(Clone, Debug, Default)]
pub struct SessionCompletion {
    /// In seconds; if `None`, computed from the times of the session.
    pub duration: Option<serde_json::Number>,
    pub ended_at: Option<Timestamp>,
    pub score: Option<Score>,
    pub mood: Option<String>,
    pub topic: Option<String>,
}

/// Converts seconds to a duration; too large values become the longest one.
fn length(seconds: &serde_json::Number) -> Option<Duration> {
    let seconds = seconds.as_f64().filter(|seconds| *seconds >= 0.0)?;
    Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

impl AssistantService {
    /// Undoes the session's completion.
    pub(super) fn reopen(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: &PlacedSession,
    ) -> Result<(), AssistantError> {
        let (session, topic) = (placed.session.session_id, placed.session.topic.clone());
        if placed.is_hidden {
            let reopened = self
                .retention
                .edit_taken_out(change, access, session, |taken| {
                    Activities::reopen_taken_out(taken);
                    Summaries::set_outcome_taken_out(taken, None);
                    Ok(())
                });
            return Ok(reopened?);
        }
        self.activities.reopen(change, access, session)?;
        let outcome = SessionOutcome {
            seconds: 0.0,
            mood: None,
        };
        self.summaries
            .count_outcome(change, access, session, placed.date, topic, outcome)?;
        Ok(())
    }

    /// Ends sessions that were not completed and have received nothing for their idle time.
    pub async fn end_silent_sessions(self: &Arc<Self>) -> Result<(), AssistantError> {
        for (child, session) in self.transcripts.list_silent()? {
            let access = match self.children.for_administrator(child) {
                Ok(access) => access,
                // The child is being erased.
                Err(ChildrenError::NoSuchChild(_)) => continue,
                Err(error) => return Err(error.into()),
            };
            let service = Arc::clone(self);
            let ended = self.store.commit(move |change| {
                match service
                    .transcripts
                    .end_if_silent(change, &access, session)?
                {
                    Some(ended) => service.complete_silently(change, &access, ended),
                    None => Ok(()),
                }
            });
            readable(ended.await)?;
        }
        Ok(())
    }

    /// Turns a session that ended after its idle time into a completed activity.
    pub(super) fn complete_silently(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        ended: EndedSession,
    ) -> Result<(), AssistantError> {
        self.store_outcome(change, access, ended, SessionCompletion::default())
    }

    /// Ends a session and turns it into a completed activity. Fails if the session isn't this child's.
    pub fn complete(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        mut completion: SessionCompletion,
    ) -> Result<(), AssistantError> {
        let ending = Ending {
            topic: completion.topic.take(),
            ended_at: completion.ended_at,
            duration: completion.duration.as_ref().and_then(length),
        };
        let ended = self.transcripts.end(change, access, session, ending)?;
        self.store_outcome(change, access, ended, completion)
    }

    fn store_outcome(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        ended: EndedSession,
        reported: SessionCompletion,
    ) -> Result<(), AssistantError> {
        let seconds = || serde_json::Number::from_f64(ended.duration.as_secs_f64());
        let duration = reported.duration.or_else(seconds);
        let completion = Completion {
            duration: duration.expect("a duration is finite"),
            score: reported.score,
            mood: reported.mood,
            ended_at: Some(ended.ended_at),
        };
        let is_hidden = ended.placed.is_hidden;
        let facts = ended.placed.facts(self.clock.now());
        if is_hidden {
            let completed = self
                .retention
                .edit_taken_out(change, access, facts.session, |taken| {
                    let activity = Activities::complete_taken_out(taken, facts, completion)?;
                    Summaries::set_outcome_taken_out(taken, Some(outcome_of(activity)));
                    Ok(())
                });
            return Ok(completed?);
        }
        let (session, date, topic) = (facts.session, facts.date, facts.topic.clone());
        let activity = self
            .activities
            .complete(change, access, facts, completion)?;
        let outcome = outcome_of(activity);
        self.summaries
            .count_outcome(change, access, session, date, topic, outcome)?;
        Ok(())
    }
}

fn outcome_of(activity: CompletedActivity) -> SessionOutcome {
    SessionOutcome {
        seconds: activity.duration.as_f64().unwrap_or_default(),
        mood: activity.mood,
    }
}
