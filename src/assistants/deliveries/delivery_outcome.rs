//! The outcome of a delivery, and what [`Connections`](super::Connections) records of it.

use std::collections::BTreeSet;

use super::connections::Affected;
use super::{AssistantError, AssistantService, Check, ClockError, RefusalKind};
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::{Delivered, SessionDelivery, StoredMessage};
use crate::identity::{Caller, GuardianId, SignedAssistant};
use crate::kernel::store::StoreError;

pub struct DeliveryOutcome {
    /// `None` if everything in the delivery belongs to an erased session.
    pub session: Option<SessionId>,
    pub delivered: Delivered,
    /// How many messages belong to an erased session and were dropped.
    pub erased: u64,
    /// The indices of the receipts whose version was never sent to this assistant.
    pub unknown_versions: Vec<usize>,
}

impl DeliveryOutcome {
    pub(super) fn of_erased(erased: u64) -> Self {
        Self {
            session: None,
            delivered: Delivered::default(),
            erased,
            unknown_versions: Vec::new(),
        }
    }
}

/// The properties of a delivery before it is stored.
pub(super) struct Sent {
    has_timestamps: bool,
    has_invalid: bool,
    is_completed: bool,
    receipts: usize,
}

impl Sent {
    pub(super) fn of(delivery: &SessionDelivery, is_completed: bool, receipts: usize) -> Self {
        Self {
            has_timestamps: delivery.messages.iter().any(|it| it.said_at().is_some()),
            has_invalid: !delivery.invalid.is_empty(),
            is_completed,
            receipts,
        }
    }

    fn checks(&self, outcome: &DeliveryOutcome) -> BTreeSet<Check> {
        let delivered = &outcome.delivered;
        let is_revision = |it: &StoredMessage| matches!(it, StoredMessage::Revision { .. });
        [
            (Check::Times, self.has_timestamps),
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
        } else if !outcome.delivered.conflicting.is_empty()
            || !outcome.delivered.revised_too_often.is_empty()
        {
            Some(RefusalKind::ReusedId)
        } else if !outcome.delivered.adjusted.is_empty() {
            Some(RefusalKind::AssistantClock)
        } else {
            None
        }
    }
}

impl AssistantError {
    /// What guardians see as the reason; `None` for failures that are only logged.
    pub(super) fn refusal_kind(&self) -> Option<RefusalKind> {
        match self {
            _ if self.is_store_failure() => None,
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
    /// Records the outcome of a delivery.
    pub(super) fn record_outcome(
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
                    .record_delivery(assistant.id(), child, &seen, refused, now);
            }
            Err(error) => self.record_error(assistant, child, error),
        }
    }

    /// Records why a request for a child could not be stored.
    pub fn record_error(
        &self,
        assistant: &SignedAssistant,
        child: ChildId,
        error: &AssistantError,
    ) {
        match error.refusal_kind() {
            None => {}
            // The child may be another family's.
            Some(kind @ RefusalKind::Child) => self.record_key_refusal(assistant, kind),
            Some(kind) => {
                let (id, now) = (assistant.id(), self.clock.now());
                self.connections.record_child_refusal(id, child, kind, now);
            }
        }
    }

    /// Records that a request with this key was refused for a reason that doesn't concern a single child.
    pub fn record_key_refusal(&self, assistant: &SignedAssistant, kind: RefusalKind) {
        let now = self.clock.now();
        if !self
            .connections
            .record_key_refusal(assistant.id(), kind, now)
        {
            return;
        }
        // If this fails, a later request of the key notifies them.
        for guardian in self.guardians_of_all(assistant).unwrap_or_default() {
            self.connections.notify(Affected::Guardian(guardian));
        }
    }

    /// The guardians who have access to all of the key's children. Only they see refusals that concern no single child.
    fn guardians_of_all(&self, assistant: &SignedAssistant) -> Result<Vec<GuardianId>, StoreError> {
        let caller = Caller::Assistant(assistant.id().clone());
        let mut children = self.children.linked_to(&self.store, &caller)?.into_iter();
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

#[cfg(test)]
mod tests {
    use super::super::QuotaError;
    use super::*;
    use crate::children::ChildrenError;
    use crate::conversations::transcripts::TranscriptsError;

    #[test]
    fn a_failure_of_the_store_is_no_fault_of_the_assistant() {
        let children = || ChildrenError::Store(StoreError::Full);
        let failures = [
            StoreError::Full.into(),
            children().into(),
            TranscriptsError::Store(StoreError::Full).into(),
            TranscriptsError::Children(children()).into(),
            QuotaError::Store(StoreError::Full).into(),
        ];
        for error in failures {
            assert_eq!(AssistantError::refusal_kind(&error), None, "{error:?}");
        }
        let refused = AssistantError::from(TranscriptsError::NoSuchSession);
        assert_eq!(refused.refusal_kind(), Some(RefusalKind::Malformed));
    }
}
