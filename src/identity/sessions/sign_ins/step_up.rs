//! Stepping up (RFC 9470 calls it step-up authentication): the guardian authenticates again before an action that gives
//! access, takes data out or can't be undone.
//!
//! Anybody who picks up a parent's unlocked phone is signed in. So downloading a child's data, erasing permanently and making
//! recovery codes require a second proof. Ending sign-ins and revoking keys never do. Stepping up lasts ten minutes and applies
//! to one sign-in.

use super::validity::SignInStatus;
use super::{SignInError, SignIns, store};
use crate::identity::emails::EmailError;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Purpose, Read, StoreError};

/// Why an action that requires stepping up was refused.
#[derive(Debug, thiserror::Error)]
pub enum StepUpError {
    /// The guardian hasn't stepped up in this browser, or too long ago.
    #[error("Please confirm first that it is you.")]
    Needed,
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    StepUpError from Store {
        Needed => forbidden(StepUpRequired),
    }
}

/// Why stepping up by e-mail failed.
#[derive(Debug, thiserror::Error)]
pub enum StepUpCodeError {
    /// The digits don't match the latest e-mail, or the code has expired.
    #[error("This code does not work. Please take it from the latest email, or ask for a new one.")]
    Wrong,
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    StepUpCodeError from Email, SignIn, Store {
        Wrong => against_a_rule(EmailCodeInvalid) at "/code",
    }
}

/// Proof that a guardian has stepped up in this browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SteppedUp(SignedIn);

impl SteppedUp {
    pub fn guardian(&self) -> &GuardianId {
        self.0.guardian()
    }

    pub fn signed_in(&self) -> &SignedIn {
        &self.0
    }
}

impl SignIns {
    /// Checks that the guardian has stepped up.
    pub fn require_step_up(&self, signed_in: &SignedIn) -> Result<SteppedUp, StepUpError> {
        self.require_step_up_in(&self.store, signed_in)
    }

    /// Like [`require_step_up`](Self::require_step_up), for a change that needs it only in some cases.
    pub fn require_step_up_in(
        &self,
        view: &impl Read,
        signed_in: &SignedIn,
    ) -> Result<SteppedUp, StepUpError> {
        let stepped_up = self.stepped_up(view, signed_in)?;
        stepped_up.ok_or(StepUpError::Needed)
    }

    /// When stepping up expires; `None` if the guardian isn't stepped up.
    pub fn stepped_up_until(
        &self,
        view: &impl Read,
        signed_in: &SignedIn,
    ) -> Result<Option<Timestamp>, StoreError> {
        let sign_in = self.by_id(view, signed_in)?;
        let now = self.clock.now();
        Ok(sign_in.and_then(|sign_in| sign_in.stepped_up_until(now)))
    }

    /// Sends the guardian an e-mail with a code for this browser.
    pub async fn send_step_up_code(&self, signed_in: &SignedIn) -> Result<(), StepUpCodeError> {
        let guardian = self
            .guardians
            .find_by_id(&self.store, &signed_in.guardian)?;
        guardian.ok_or(SignInError::Gone)?;
        Ok(self.step_up_codes.send(signed_in).await?)
    }

    /// Steps up with the code from the latest e-mail and uses it up. Returns when stepping up expires. A wrong try is
    /// counted.
    pub async fn step_up_with_email(
        &self,
        signed_in: &SignedIn,
        typed: &str,
    ) -> Result<Timestamp, StepUpCodeError> {
        let (sign_ins, who, typed) = (self.clone(), signed_in.clone(), typed.to_owned());
        let stepped_up = self.store.commit_for(Purpose::Essential, move |change| {
            if !sign_ins.step_up_codes.use_up(change, &who, &typed)? {
                // Not an error, which would discard the count of wrong tries.
                return Ok::<_, StepUpCodeError>(None);
            }
            // The code proves access to the mailbox, so the address is verified.
            sign_ins.guardians.prove(change, &who.guardian)?;
            Ok(Some(sign_ins.step_up(change, &who)?))
        });
        let until = stepped_up.await?.ok_or(StepUpCodeError::Wrong)?;
        tracing::info!(guardian = %signed_in.guardian, sign_in = %signed_in.sign_in, "stepped up with an email's code");
        Ok(until)
    }

    /// Whether the guardian has been signed in here long enough for this device to answer for another one.
    pub(in crate::identity) fn is_old(&self, signed_in: &SignedIn) -> Result<bool, StoreError> {
        let sign_in = self.by_id(&self.store, signed_in)?;
        let now = self.clock.now();
        Ok(sign_in.is_some_and(|sign_in| sign_in.is_old(now)))
    }

    /// Whether another device may answer for this one.
    pub fn has_other_old_one(&self, signed_in: &SignedIn) -> Result<bool, StoreError> {
        let now = self.clock.now();
        let all = store::of(&self.store, &signed_in.guardian)?.readable;
        Ok(all.iter().any(|(_, other)| {
            other.id != signed_in.sign_in
                && other.is_old(now)
                && self.validity.status(other, now) == SignInStatus::Holds
        }))
    }

    /// Steps a sign-in up that another device has confirmed.
    pub(in crate::identity) async fn step_up_by_other_device(
        &self,
        who: &SignedIn,
    ) -> Result<(), SignInError> {
        let (sign_ins, asking) = (self.clone(), who.clone());
        let stepped_up = self.store.commit_for(Purpose::Essential, move |change| {
            sign_ins.step_up(change, &asking).map(drop)
        });
        stepped_up.await?;
        tracing::info!(guardian = %who.guardian, sign_in = %who.sign_in, "stepped up with another device");
        Ok(())
    }

    pub(in crate::identity) fn stepped_up(
        &self,
        view: &impl Read,
        signed_in: &SignedIn,
    ) -> Result<Option<SteppedUp>, StoreError> {
        let until = self.stepped_up_until(view, signed_in)?;
        Ok(until.map(|_| SteppedUp(signed_in.clone())))
    }

    /// Steps a sign-in up in the store. Returns when it expires.
    pub(in crate::identity) fn step_up(
        &self,
        change: &mut Change,
        signed_in: &SignedIn,
    ) -> Result<Timestamp, SignInError> {
        let found = store::cookie_of(change, &signed_in.guardian, &signed_in.sign_in)?;
        let (hash, mut sign_in) = found.ok_or(SignInError::Gone)?;
        let until = sign_in.step_up(self.clock.now());
        store::put(change, hash, &sign_in)?;
        Ok(until)
    }
}
