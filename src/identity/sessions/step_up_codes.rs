//! Step-up codes: six digits that are sent by e-mail and typed into the browser that requested them.
//!
//! The guardian is waiting for the e-mail. So it is sent to the mail server before the request is answered, without retries.

mod code;
mod store;

use std::sync::Arc;
use std::time::Duration;

use crate::identity::GuardianId;
use crate::identity::accounts::guardians::Guardian;
use crate::identity::accounts::unverified::UnverifiedAddresses;
use crate::identity::environment::Environment;
use crate::identity::{IdentityError, SignedIn, emails};
use crate::kernel::clock::Clock;
use crate::kernel::limit::{Limit, LimitKey, Rate, take_all};
use crate::kernel::mail::Mailer;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, Purpose, Store, StoreError};

use code::{StepUpCode, digits};

pub use store::{KINDS, NOT_RESTORED};

/// Limits e-mails to one guardian: an impatient one asks three times.
const EMAILS: Rate = Rate::new(5, Duration::from_secs(5 * 60));

/// Limits e-mails to one guardian per day. With five tries for each, guessing for a year makes some 37,000 tries of a million
/// possible codes.
const EMAILS_A_DAY: Rate = Rate::new(20, Duration::from_secs(24 * 60 * 60 / 20));

/// How long the mail server may take.
const PATIENCE: Duration = Duration::from_secs(15);

impl LimitKey for GuardianId {
    fn group(&self) -> impl std::hash::Hash {
        self
    }
}

#[derive(Clone)]
pub struct StepUpCodes {
    store: Store,
    clock: Clock,
    randomness: Randomness,
    mailer: Mailer,
    unverified: UnverifiedAddresses,
    emails: Arc<Limit<GuardianId>>,
    emails_a_day: Arc<Limit<GuardianId>>,
}

impl StepUpCodes {
    pub(in crate::identity) fn new(
        environment: &Environment,
        unverified: UnverifiedAddresses,
    ) -> Self {
        let Environment {
            store,
            clock,
            randomness,
            mailer,
            limits,
            ..
        } = environment.clone();
        Self {
            emails: Arc::new(Limit::new(EMAILS, limits, clock.clone())),
            emails_a_day: Arc::new(Limit::new(EMAILS_A_DAY, limits, clock.clone())),
            store,
            clock,
            randomness,
            mailer,
            unverified,
        }
    }

    /// Sends an e-mail with a new code, which ends the one before. Fails with [`IdentityError::NoEmail`],
    /// [`IdentityError::TooManyEmails`], [`IdentityError::EmailNotSent`].
    pub(in crate::identity) async fn send(
        &self,
        signed_in: &SignedIn,
        guardian: &Guardian,
    ) -> Result<(), IdentityError> {
        if matches!(self.mailer, Mailer::Nobody) {
            return Err(IdentityError::NoEmail);
        }
        let whose = || guardian.id.clone();
        take_all([(&*self.emails, whose()), (&*self.emails_a_day, whose())])
            .map_err(IdentityError::TooManyEmails)?;
        let digits = digits(&self.randomness);
        let (who, now) = (signed_in.clone(), self.clock.now());
        let code = StepUpCode::new(signed_in, &digits, now);
        let made = self.store.commit_for(Purpose::Essential, move |change| {
            store::forget_old(change, &who.guardian, now)?;
            store::put(change, &who, &code)
        });
        made.await??;
        let digits = format!("{} {}", &digits[..3], &digits[3..]);
        let mail = if guardian.verified {
            emails::step_up(guardian, &digits)
        } else {
            match self.unverified.permit(&guardian.email)? {
                Some(permit) => {
                    emails::step_up_unverified(&guardian.email, &digits).permitted(permit)
                }
                // The address may be anybody's, so the person who typed it doesn't learn that it gets no e-mail.
                None => return Ok(()),
            }
        };
        match self.mailer.send_within(&mail, PATIENCE).await {
            Ok(()) => {
                tracing::info!(guardian = %guardian.id, "an email to step up was handed over");
                Ok(())
            }
            Err(reason) => {
                tracing::warn!(guardian = %guardian.id, %reason, "an email to step up was not handed over");
                Err(IdentityError::EmailNotSent)
            }
        }
    }

    /// Uses the code up if the typed digits match. Returns whether they do; a wrong try is counted.
    pub(in crate::identity) fn use_up(
        &self,
        change: &mut Change,
        signed_in: &SignedIn,
        typed: &str,
    ) -> Result<bool, StoreError> {
        let Some(mut code) = store::code(change, signed_in)? else {
            return Ok(false);
        };
        let is_right = code.try_digits(signed_in, typed, self.clock.now());
        if is_right {
            store::remove(change, signed_in)?
        } else {
            store::put(change, signed_in, &code)?
        }
        Ok(is_right)
    }

    /// Ends a guardian's codes, including unreadable ones.
    pub(in crate::identity) fn end_all(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        store::remove_all(change, guardian)
    }
}
