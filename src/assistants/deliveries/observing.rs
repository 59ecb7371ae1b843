//! Deliveries, and their results as recorded in [`Connections`](super::Connections).

use std::collections::BTreeSet;
use std::sync::Arc;

use super::connections::Affected;
use super::{
    AssistantError, AssistantService, Check, ClockError, DeliveryOutcome, RefusalKind,
    SessionCompletion,
};
use crate::children::ChildId;
use crate::conversations::transcripts::{SessionDelivery, StoredMessage};
use crate::identity::{Caller, GuardianId, SignedAssistant};
use crate::kernel::store::StoreError;
use crate::rules::Receipt;

/// The properties of a delivery before it is stored.
struct Sent {
    has_schedule: bool,
    has_invalid: bool,
    is_completed: bool,
    receipts: usize,
}

impl Sent {
    fn of(delivery: &SessionDelivery, is_completed: bool, receipts: usize) -> Self {
        Self {
            has_schedule: delivery.messages.iter().any(|it| it.said_at().is_some()),
            has_invalid: !delivery.invalid.is_empty(),
            is_completed,
            receipts,
        }
    }

    fn checks(&self, outcome: &DeliveryOutcome) -> BTreeSet<Check> {
        let delivered = &outcome.delivered;
        let is_revision = |it: &StoredMessage| matches!(it, StoredMessage::Revision { .. });
        [
            (Check::Times, self.has_schedule),
            (Check::RepeatedIds, delivered.repeated > 0),
            (Check::Correction, delivered.stored.iter().any(is_revision)),
            (Check::Completion, self.is_completed),
            (
                Check::Receipt,
                self.receipts > outcome.unknown_versions.len(),
            ),
        ]
        .into_iter()
        .filter_map(|(check, is_seen)| is_seen.then_some(check))
        .collect()
    }

    fn refused(&self, outcome: &DeliveryOutcome) -> Option<RefusalKind> {
        if self.has_invalid {
            Some(RefusalKind::Malformed)
        } else if !outcome.delivered.conflicting.is_empty() {
            Some(RefusalKind::ReusedId)
        } else if !outcome.delivered.adjusted.is_empty() {
            Some(RefusalKind::AssistantClock)
        } else {
            None
        }
    }
}

impl AssistantError {
    /// `None` for errors that the assistant's maker can't correct.
    fn refusal_kind(&self) -> Option<RefusalKind> {
        match self {
            Self::Children(_) => Some(RefusalKind::Child),
            Self::WhichChild => Some(RefusalKind::ChildMissing),
            Self::Clock(ClockError::SetBack) => Some(RefusalKind::ServerClock),
            Self::Quota(_) => Some(RefusalKind::Limit),
            Self::Transcripts(_) => Some(RefusalKind::Malformed),
            _ => None,
        }
    }
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
                    self.note_refused(&assistant, kind);
                }
                return Err(error);
            }
        };
        let outcome = self.deliver_of(child, delivery, completion, receipts).await;
        self.observe(&assistant, child, &sent, &outcome);
        outcome
    }

    /// Notes the outcome of a delivery.
    fn observe(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        sent: &Sent,
        outcome: &Result<DeliveryOutcome, AssistantError>,
    ) {
        match outcome {
            Ok(outcome) => {
                let (seen, refused) = (sent.checks(outcome), sent.refused(outcome));
                let now = self.clock.now();
                self.connections
                    .note_heard(assistant.id(), child, &seen, refused, now);
            }
            Err(error) => self.observe_error(assistant, child, error),
        }
    }

    /// Records why a request for a child could not be stored.
    pub fn observe_error(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        error: &AssistantError,
    ) {
        match error.refusal_kind() {
            None => {}
            // The child may be another family's.
            Some(kind @ RefusalKind::Child) => self.note_refused(assistant, kind),
            Some(kind) => {
                let (id, now) = (assistant.id(), self.clock.now());
                self.connections.note_refused(id, child, kind, now);
            }
        }
    }

    /// Records that a request with this key was refused for a reason that doesn't concern a single child.
    pub fn note_refused(&self, assistant: &SignedAssistant, kind: RefusalKind) {
        let now = self.clock.now();
        if !self.connections.note_refused_key(assistant.id(), kind, now) {
            return;
        }
        // If this fails, the next notification follows within a minute.
        for guardian in self.guardians_of_all(assistant).unwrap_or_default() {
            self.connections.notify(Affected::Guardian(guardian));
        }
    }

    /// The guardians who have access to all of the key's children. Only they see refusals that concern no single child.
    fn guardians_of_all(&self, assistant: &SignedAssistant) -> Result<Vec<GuardianId>, StoreError> {
        let caller = Caller::Assistant(assistant.id().clone());
        let mut children = self.children.numbers_of(&self.store, &caller)?.into_iter();
        let Some(first) = children.next() else {
            return Ok(Vec::new());
        };
        let mut common = self.children.callers_of(&self.store, first)?;
        for child in children {
            let callers = self.children.callers_of(&self.store, child)?;
            common.retain(|caller| callers.contains(caller));
        }
        let guardians = common.into_iter().filter_map(Caller::into_guardian);
        Ok(guardians.collect())
    }
}
