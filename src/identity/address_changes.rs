//! Changes of a guardian's e-mail address, requested in the browser.
//!
//! A change takes effect once the link in the e-mail to the new address was used and 24 hours have passed without a cancellation
//! from the old address, so that somebody holding a signed-in phone cannot take over the guardian's e-mail unnoticed. If the old
//! address is unverified, nobody could cancel the change from there, so it takes effect as soon as the new one is confirmed. If
//! another guardian has the new address, the response and the stored request are the same, to reveal nothing. The address is
//! looked up only when its e-mail is due, and then no e-mail is sent.

mod error;
mod store;

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::accounts::guardians::{Guardian, Guardians};
use super::accounts::unverified::UnverifiedAddresses;
use super::emails::{self, EmailError};
use super::environment::Environment;
use super::methods::links::link::Owner;
use super::methods::links::{LinkRequests, Links};
use super::notices::NOTICE_GIVEN_UP_AFTER;
use super::sessions::sign_ins::{SignInError, SteppedUp};
use super::sessions::step_up_codes::StepUpCodes;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::http::limit::{Limit, Rate, take_all};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, Lane, NoAnswer, Places, Policy,
};
use crate::kernel::store::due::{DueBy, DueClock};
use crate::kernel::store::{Change, Purpose, Store, StoreError, readable};

pub use error::AddressChangeError;
pub use store::{KINDS, NOT_RESTORED};

/// How long the change can be cancelled from the old address.
const STOPPABLE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long the link in the e-mail to the new address works.
const ANSWERABLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Limits a guardian's requests: each sends an e-mail to an address that they chose.
const REQUESTS: Rate = Rate::new(5, Duration::from_secs(24 * 60 * 60 / 5));

/// A requested change.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressChange {
    pub guardian: GuardianId,
    pub to: EmailAddress,
    pub asked_at: Timestamp,
    /// When the link in the e-mail to the new address was used.
    pub answered_at: Option<Timestamp>,
    /// The token in the e-mail to the new address.
    answer: SecretHash,
    /// The token in the e-mail to the old address.
    stop: SecretHash,
}

impl AddressChange {
    /// The earliest time at which it takes effect if it is confirmed and not cancelled. At once if the old address is unverified.
    pub fn due_at(&self, guardian: &Guardian) -> Timestamp {
        if guardian.verified {
            self.asked_at.after(STOPPABLE)
        } else {
            self.asked_at
        }
    }

    fn is_due(&self, guardian: &Guardian, by: DueBy) -> bool {
        let waits = guardian.verified && !by.is_due(self.due_at(guardian));
        self.answered_at.is_some() && !waits
    }

    /// [`AddressChange::has_ended`] for removal, which waits while the clock isn't trusted.
    fn is_over(&self, by: DueBy) -> bool {
        self.answered_at.is_none() && by.has_passed(self.asked_at, ANSWERABLE)
    }

    /// Whether it was not confirmed in time.
    fn has_ended(&self, now: Timestamp) -> bool {
        self.answered_at.is_none() && self.asked_at.after(ANSWERABLE) <= now
    }
}

/// What following a link in an e-mail did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkUsed {
    /// Verified the new address.
    Answered,
    /// Cancelled the change.
    Stopped,
}

#[derive(Clone)]
pub struct AddressChanges {
    store: Store,
    clock: Clock,
    due: DueClock,
    randomness: Randomness,
    sends_email: bool,
    /// To the old address and to the new one.
    emails: [Kind<()>; 2],
    guardians: Guardians,
    links: Links,
    link_requests: LinkRequests,
    step_up_codes: StepUpCodes,
    requests: Arc<Limit<GuardianId>>,
}

impl AddressChanges {
    pub(super) fn new(
        environment: &Environment,
        guardians: Guardians,
        links: Links,
        link_requests: LinkRequests,
        step_up_codes: StepUpCodes,
        unverified: &UnverifiedAddresses,
    ) -> Self {
        let Environment {
            store,
            clock,
            due,
            randomness,
            queue,
            limits,
            ..
        } = environment.clone();
        let emails = [Page::Stop, Page::Answer].map(|page| {
            queue.register(AddressEmail {
                page,
                randomness: randomness.clone(),
                addresses: environment.addresses(),
                guardians: guardians.clone(),
                unverified: unverified.clone(),
            })
        });
        Self {
            requests: Arc::new(Limit::new(REQUESTS, limits, clock.clone())),
            store,
            clock,
            due,
            randomness,
            sends_email: queue.sends_email(),
            emails,
            guardians,
            links,
            link_requests,
            step_up_codes,
        }
    }

    /// Requests a new address and ends an earlier request. Queues an e-mail to both addresses.
    pub async fn ask(&self, by: &SteppedUp, to: EmailAddress) -> Result<(), AddressChangeError> {
        if !self.sends_email {
            return Err(EmailError::NotConfigured.into());
        }
        let id = by.guardian().clone();
        take_all([(&*self.requests, id.clone())]).map_err(EmailError::TooMany)?;
        let unsent = |kind| Secret::generate(kind, &self.randomness).hash();
        let asked = AddressChange {
            guardian: id.clone(),
            to,
            asked_at: self.clock.now(),
            answered_at: None,
            answer: unsent(SecretKind::AddressAnswer),
            stop: unsent(SecretKind::AddressStop),
        };
        let (guardians, emails) = (self.guardians.clone(), self.emails.clone());
        let kept = self.store.commit(move |change| {
            let guardian = guardians.find_by_id(change, &asked.guardian)?;
            let guardian = guardian.ok_or(SignInError::Gone)?;
            if guardian.verified && guardian.email.key() == asked.to.key() {
                return Err(AddressChangeError::OwnAddress);
            }
            store::remove(change, &guardian.id)?;
            store::put(change, &asked)?;
            for email in emails {
                let queued = email.put(change, &Item::new(guardian.id.as_str(), "", ()));
                queued.map_err(EmailError::from)?;
            }
            Ok(())
        });
        kept.await?;
        tracing::info!(guardian = %id, "a new address was asked for");
        Ok(())
    }

    /// Returns the guardian and their pending change, if any.
    pub fn of(
        &self,
        signed_in: &SignedIn,
    ) -> Result<(Guardian, Option<AddressChange>), SignInError> {
        let (id, now) = (signed_in.guardian(), self.clock.now());
        let guardian = self.guardians.find_by_id(&self.store, id)?;
        let asked = store::of(&self.store, id)?;
        Ok((
            guardian.ok_or(SignInError::Gone)?,
            asked.filter(|asked| !asked.has_ended(now)),
        ))
    }

    /// Cancels this guardian's pending change. Does nothing without one.
    pub async fn stop(&self, signed_in: &SignedIn) -> Result<(), StoreError> {
        let id = signed_in.guardian().clone();
        let stopped = self
            .store
            .commit_for(Purpose::Essential, move |change| store::remove(change, &id));
        stopped.await
    }

    /// Performs the action of an e-mail's link: verifies the new address, or cancels the change.
    pub async fn use_link(&self, token: &str) -> Result<LinkUsed, AddressChangeError> {
        let ended = || AddressChangeError::LinkEnded;
        let answer = Secret::parse(SecretKind::AddressAnswer, token);
        let stop = Secret::parse(SecretKind::AddressStop, token);
        let hash = answer.as_ref().or(stop.as_ref()).ok_or_else(ended)?.hash();
        let (changes, answers) = (self.clone(), answer.is_some());
        let used = self.store.commit_for(Purpose::Essential, move |change| {
            let now = changes.clock.now();
            let Some(mut asked) = store::by_token(change, hash)? else {
                return Err(AddressChangeError::LinkEnded);
            };
            let id = asked.guardian.clone();
            if !answers {
                store::remove(change, &id)?;
            } else if asked.has_ended(now) {
                return Err(AddressChangeError::LinkEnded);
            } else {
                asked.answered_at.get_or_insert(now);
                store::put(change, &asked)?;
                changes.complete_if_due(change, &id, changes.due.due())?;
            }
            Ok(id)
        });
        let guardian = used.await?;
        let used = if answers {
            LinkUsed::Answered
        } else {
            LinkUsed::Stopped
        };
        tracing::info!(%guardian, ?used, "the link of an email about an address was used");
        Ok(used)
    }

    /// Applies the changes that are due, and removes those that were not confirmed in time.
    pub async fn complete_due(&self, by: DueBy) -> Result<(), StoreError> {
        let mut first = Ok(());
        for id in store::all(&self.store)? {
            let changes = self.clone();
            let completed = self.store.commit_for(Purpose::Essential, move |change| {
                changes.complete_if_due(change, &id, by)
            });
            // An address change whose record is damaged never takes effect.
            let completed = readable(completed.await);
            first = first.and(completed.map(drop));
        }
        first
    }

    /// Applies a change if it is due.
    fn complete_if_due(
        &self,
        change: &mut Change,
        id: &GuardianId,
        by: DueBy,
    ) -> Result<(), StoreError> {
        let Some(asked) = store::of(change, id)? else {
            return Ok(());
        };
        let Some(mut guardian) = self.guardians.find_by_id(change, id)? else {
            return store::remove(change, id);
        };
        if asked.is_over(by) {
            return store::remove(change, id);
        }
        if !asked.is_due(&guardian, by) {
            return Ok(());
        }
        store::remove(change, id)?;
        let old = guardian.clone();
        let guardians = &self.guardians;
        if !guardians.change_email(change, &mut guardian, &asked.to)? {
            // The address belongs to another guardian by now.
            return Ok(());
        }
        // The old mailbox may be somebody else's by now, so links and codes sent there end. Sign-ins stay valid: the guardian is
        // the same.
        self.links.end_all(change, &Owner::Guardian(id.clone()))?;
        self.step_up_codes.end_all(change, id)?;
        if old.verified {
            self.links
                .end_all(change, &Owner::Address(old.email.clone()))?;
            self.link_requests.forget(change, &old.email)?;
        }
        change.require_compaction_at_night()
    }

    /// Removes a guardian's pending change, even if it is unreadable.
    pub(super) fn end(&self, change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
        store::remove(change, id)
    }
}

/// What the link in an e-mail about a change does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Page {
    /// Verifies the new address, which it is sent to.
    Answer,
    /// Cancels the change. It is sent to the old address.
    Stop,
}

/// E-mails about an address change, by guardian.
struct AddressEmail {
    page: Page,
    randomness: Randomness,
    addresses: Addresses,
    guardians: Guardians,
    unverified: UnverifiedAddresses,
}

impl AddressEmail {
    /// Replaces the token in the stored request. Returns the link with the new one.
    fn link(&self, change: &mut Change, mut asked: AddressChange) -> Result<String, StoreError> {
        let (name, kind) = match self.page {
            Page::Answer => ("token", SecretKind::AddressAnswer),
            Page::Stop => ("stop", SecretKind::AddressStop),
        };
        let token = Secret::generate(kind, &self.randomness);
        store::remove(change, &asked.guardian)?;
        match self.page {
            Page::Answer => asked.answer = token.hash(),
            Page::Stop => asked.stop = token.hash(),
        }
        store::put(change, &asked)?;
        let page = format!("/address#{name}={}", token.reveal());
        Ok(self.addresses.for_links().page(&page))
    }
}

impl Composer for AddressEmail {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: match self.page {
                Page::Answer => "new-address",
                Page::Stop => "address-change",
            },
            places: Places::OF_EACH,
            gives_up_after: NOTICE_GIVEN_UP_AFTER,
            // A second e-mail would end the link in the first.
            on_no_answer: NoAnswer::CountsAsSent,
        }
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Security))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let id = GuardianId::from_text(&item.recipient);
        let (guardian, asked) = (
            self.guardians.find_by_id(change, &id)?,
            store::of(change, &id)?,
        );
        let (Some(guardian), Some(asked)) = (guardian, asked) else {
            return Ok(None);
        };
        let to = asked.to.clone();
        let email: Composed = match self.page {
            Page::Stop if !guardian.verified => return Ok(None),
            Page::Stop => emails::address_change(&guardian, &to, &self.link(change, asked)?).into(),
            // Another guardian has it.
            Page::Answer if self.guardians.have(change, &to)? => return Ok(None),
            Page::Answer => match self.unverified.permit(change, &to)? {
                Some(permit) => {
                    let link = self.link(change, asked)?;
                    emails::new_address(&guardian, &to, &link).permitted(permit)
                }
                None => return Ok(None),
            },
        };
        Ok(Some(email))
    }
}
