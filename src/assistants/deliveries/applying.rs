//! Deliveries to one session each, applied atomically, and ending sessions whose idle time has passed.

use std::sync::Arc;
use std::time::Duration;

use super::delivery_status::{DeliveryOutcome, Sent};
use super::{AssistantError, AssistantService, Excess, latest};
use crate::alerts::{Kind, Matched, reviewer};
use crate::children::{AssistantAccess, ChildAccess, ChildId, ChildrenError, SessionId};
use crate::conversations::transcripts::{EndedSession, Ending, PlacedSession, SessionDelivery};
use crate::identity::SignedAssistant;
use crate::insights::activities::{Activities, CompletedActivity, Completion, Score};
use crate::insights::summary::{SessionOutcome, Summaries};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError, readable};
use crate::rules::{CheckedReceipts, Receipt};

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
    /// Stores a delivery to one session in a single commit. Fails if the child isn't this assistant's, if the child is
    /// ambiguous, or if the server's clock was set back.
    pub async fn deliver(
        self: &Arc<Self>,
        child: Option<ChildId>,
        delivery: SessionDelivery,
        completion: Option<SessionCompletion>,
        receipts: Vec<Receipt>,
    ) -> Result<DeliveryOutcome, AssistantError> {
        let assistant = delivery.assistant.clone();
        let sent = Sent::of(&delivery, completion.is_some(), receipts.len());
        let child = match self.child_of(&assistant, child) {
            Ok(child) => child,
            Err(error) => {
                if let Some(kind) = error.refusal_kind() {
                    self.record_key_refusal(&assistant, kind);
                }
                return Err(error);
            }
        };
        let outcome = self.deliver_of(child, delivery, completion, receipts).await;
        self.record_outcome(&assistant, child, &sent, &outcome);
        outcome
    }

    async fn deliver_of(
        self: &Arc<Self>,
        child: ChildId,
        delivery: SessionDelivery,
        completion: Option<SessionCompletion>,
        receipts: Vec<Receipt>,
    ) -> Result<DeliveryOutcome, AssistantError> {
        let assistant = delivery.assistant.clone();
        let access = self.children.of(&assistant, child)?;
        let receipts = self.rules.check_receipts(&access, assistant.id(), receipts);
        let receipts = receipts.await?;
        let SessionDelivery { messages, .. } = delivery;
        let (messages, matched) = self.alerts.compare(child, messages).await?;
        let delivery = SessionDelivery {
            messages,
            ..delivery
        };
        self.write(&assistant, &access, move |service, change, access| {
            let outcome =
                service.apply_delivery(change, access, delivery, completion, receipts, &matched)?;
            service.count(change, access, Excess::Refused)?;
            Ok(outcome)
        })
        .await
    }

    /// Returns the named child, or the assistant's only one.
    pub(super) fn child_of(
        &self,
        assistant: &SignedAssistant,
        child: Option<ChildId>,
    ) -> Result<ChildId, AssistantError> {
        if let Some(child) = child {
            return Ok(child);
        }
        let [only] = <[_; 1]>::try_from(self.children.all_of(assistant)?)
            .map_err(|_| AssistantError::WhichChild)?;
        Ok(only.child())
    }

    /// Stores a delivery to one session, as a part of a [write](Self::write), which counts it. `matched` are the watched phrases
    /// in its messages.
    pub fn apply_delivery(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        mut delivery: SessionDelivery,
        completion: Option<SessionCompletion>,
        receipts: CheckedReceipts,
        matched: &Matched,
    ) -> Result<DeliveryOutcome, AssistantError> {
        self.latest.check(change, self.clock.now())?;
        let named = self
            .transcripts
            .find_named(change, access, &delivery.name)?;
        let erased_before = match &named {
            Some(named) => named.erased_before(),
            None => self
                .retention
                .erased_before(change, access, &delivery.name)?,
        };
        let erased = erased_before.map_or(0, |until| delivery.leave_out_erased(until));
        let is_of_erased = erased > 0 || named.is_none() && erased_before.is_some();
        if is_of_erased && delivery.messages.is_empty() {
            return Ok(DeliveryOutcome::of_erased(erased));
        }
        let mut received =
            self.transcripts
                .receive(change, access, delivery, named, erased_before)?;
        let owner = received.owner;
        let session = received.placed.session.session_id;
        let has_words = !received.delivered.stored.is_empty();
        if received.placed.is_hidden
            && (received.is_corrected || received.delivered.changed_anything())
            && let Some(shown) =
                (self.retention).record_arrival(change, &owner, session, has_words)?
        {
            received.placed = shown;
        }
        if received.is_reopened {
            self.reopen(change, &owner, &received.placed)?;
        }
        if received.is_corrected {
            self.update_derived_data(change, &owner, received.placed)?;
        }
        match completion {
            Some(completion) => self.complete(change, &owner, session, completion)?,
            None if received.is_over => {
                let ended = self.transcripts.end_now(change, &owner, session)?;
                self.complete_silently(change, &owner, ended)?;
            }
            None => {}
        }
        reviewer::add_revisions(change, owner.child(), session, &received.delivered)?;
        self.alerts.record_delivery(
            change,
            access,
            &owner,
            session,
            &received.delivered,
            matched,
        )?;
        if received.not_kept > 0 {
            let (kind, count) = (Kind::NotKept, received.not_kept);
            self.alerts
                .record_for_all(change, access, &owner, session, kind, count)?;
        }
        let unknown_versions = self.take_receipts(change, access, &owner, session, receipts)?;
        Ok(DeliveryOutcome {
            session: Some(session),
            delivered: received.delivered,
            erased,
            unknown_versions,
        })
    }

    /// Stores receipts, and an alert if the assistant begins to refuse the rules. Receipts refer to the rules of the child that
    /// the assistant named, even if the session has been moved to another child.
    fn take_receipts(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        owner: &ChildAccess,
        session: SessionId,
        receipts: CheckedReceipts,
    ) -> Result<Vec<usize>, StoreError> {
        let has_receipts = !receipts.is_empty();
        let was_refusing = has_receipts && self.rules.is_refusing(change, access)?;
        let unknown = self
            .rules
            .take_receipts(change, access, session, receipts)?;
        if has_receipts && !was_refusing && self.rules.is_refusing(change, access)? {
            self.alerts
                .record_for_all(change, access, owner, session, Kind::Rules, 1)?;
        }
        Ok(unknown)
    }

    /// Undoes the session's completion.
    fn reopen(
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
    fn complete_silently(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        ended: EndedSession,
    ) -> Result<(), AssistantError> {
        let seconds = ended.duration.as_secs_f64();
        let completion = Completion {
            duration: serde_json::Number::from_f64(seconds).expect("a duration is finite"),
            score: None,
            mood: None,
            ended_at: Some(ended.ended_at),
        };
        self.store_outcome(change, access, ended.placed, completion)
    }

    /// Trusts the server's current time although it is before an earlier delivery's.
    pub fn accept_clock(&self, change: &mut Change) -> Result<Timestamp, StoreError> {
        latest::accept(change, self.clock.now())
    }

    /// Ends a session and turns it into a completed activity. Fails if the session isn't this child's.
    pub fn complete(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        completion: SessionCompletion,
    ) -> Result<(), AssistantError> {
        let SessionCompletion {
            duration,
            ended_at,
            score,
            mood,
            topic,
        } = completion;
        let ending = Ending {
            topic,
            ended_at,
            duration: duration.as_ref().and_then(length),
        };
        let ended = self.transcripts.end(change, access, session, ending)?;
        let seconds = || serde_json::Number::from_f64(ended.duration.as_secs_f64());
        let completion = Completion {
            duration: duration.or_else(seconds).expect("a duration is finite"),
            score,
            mood,
            ended_at: Some(ended.ended_at),
        };
        self.store_outcome(change, access, ended.placed, completion)
    }

    fn store_outcome(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        ended: PlacedSession,
        completion: Completion,
    ) -> Result<(), AssistantError> {
        let is_hidden = ended.is_hidden;
        let facts = ended.facts(self.clock.now());
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
