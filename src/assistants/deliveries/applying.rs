//! Deliveries to one session each, applied atomically.

use std::sync::Arc;

use super::delivery_outcome::{DeliveryOutcome, Sent};
use super::{AssistantError, AssistantService, Excess, SessionCompletion, latest};
use crate::alerts::{Kind, Matched, reviewer};
use crate::children::{AssistantAccess, ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::{PlacedSession, Session, SessionDelivery, SessionDetails};
use crate::identity::{Guardians, Permit, SignedAssistant};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError};
use crate::rules::{CheckedReceipts, Receipt};

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

    /// Stores a delivery to one session, as a part of a [write](Self::write), at whose end its caller [counts](Self::count) what
    /// is stored. `matched` are the watched phrases in its messages.
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

    /// Opens a session that is imported from a file; no assistant can write to it.
    pub fn begin_session(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        details: SessionDetails,
        assistant: Option<String>,
    ) -> Result<Session, AssistantError> {
        let placed = self.transcripts.begin(change, access, details, assistant)?;
        self.update_derived_data(change, access, placed)
    }

    /// Updates the other features after a session was opened or changed. Hidden sessions aren't counted.
    fn update_derived_data(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        placed: PlacedSession,
    ) -> Result<Session, AssistantError> {
        let (session, date) = (placed.session, placed.date);
        if placed.is_hidden {
            return Ok(session);
        }
        let (id, topic) = (session.session_id, &session.topic);
        self.activities
            .follow(change, access, id, date, topic.clone())?;
        self.summaries
            .count_session(change, access, id, date, topic.clone())?;
        Ok(session)
    }

    /// Trusts the server's current time although it is before an earlier delivery's.
    pub fn accept_clock(&self, change: &mut Change) -> Result<Timestamp, StoreError> {
        latest::accept(change, self.clock.now())
    }

    /// Commits a change to a child's data for an assistant whose key is for this child. All deliveries are written by it.
    /// The commit checks again that the key is valid and covers the child, and that check decides.
    pub async fn write<T: Send + 'static>(
        self: &Arc<Self>,
        assistant: &SignedAssistant,
        access: &ChildAccess,
        write: impl FnOnce(&Self, &mut Change, &AssistantAccess) -> Result<T, AssistantError>
        + Send
        + 'static,
    ) -> Result<T, AssistantError> {
        let permit = self.permit(assistant).await?;
        let (service, assistant, child) = (Arc::clone(self), assistant.clone(), access.child());
        let written = self.store.commit(move |change| {
            // Held until the change has run, even if its caller is gone.
            let _permit = permit;
            service.assistants.require_valid(&assistant)?;
            let access = service.children.of_assistant(change, &assistant, child)?;
            write(&service, change, &access)
        });
        written.await
    }

    /// Waits until few other changes by keys of the same guardian are queued. Assistants added by the administrator never wait.
    async fn permit(&self, assistant: &SignedAssistant) -> Result<Option<Permit>, StoreError> {
        let Some(guardian) = assistant.made_by() else {
            return Ok(None);
        };
        let owner = Guardians::budget_owner(&self.store, guardian)?;
        Ok(self.concurrency.wait(&owner).await)
    }

    /// Counts what the change stores against the key's quota. Called once, at the end of the change.
    pub fn count(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        excess: Excess,
    ) -> Result<(), AssistantError> {
        let (totals, now) = (&self.totals, self.clock.now());
        Ok(self.quota.count(change, access, totals, excess, now)?)
    }
}
