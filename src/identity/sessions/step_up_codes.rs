//! Step-up codes: six digits that are sent by e-mail and typed into the browser that requested them.
//!
//! The guardian is waiting for the e-mail. So it is sent to the mail server before the request is answered, without retries. The
//! code is generated when the e-mail is composed.

mod code;
mod store;

use std::sync::Arc;
use std::time::Duration;

use crate::identity::accounts::guardians::Guardians;
use crate::identity::accounts::unverified::UnverifiedAddresses;
use crate::identity::emails::{self, EmailError};
use crate::identity::environment::Environment;
use crate::identity::{GuardianId, SignInId, SignedIn};
use crate::kernel::host::clock::Clock;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::limit::{Limit, LimitKey, Rate, take_all};
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, Lane, NoAnswer, Places, Policy,
};
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
    sends_email: bool,
    email: Kind<()>,
    emails: Arc<Limit<GuardianId>>,
    emails_a_day: Arc<Limit<GuardianId>>,
}

impl StepUpCodes {
    pub(in crate::identity) fn new(
        environment: &Environment,
        guardians: Guardians,
        unverified: UnverifiedAddresses,
    ) -> Self {
        let Environment {
            store,
            clock,
            randomness,
            queue,
            limits,
            ..
        } = environment.clone();
        let email = queue.register(StepUpEmail {
            clock: clock.clone(),
            randomness,
            guardians,
            unverified,
        });
        Self {
            emails: Arc::new(Limit::new(EMAILS, limits, clock.clone())),
            emails_a_day: Arc::new(Limit::new(EMAILS_A_DAY, limits, clock.clone())),
            store,
            clock,
            sends_email: queue.sends_email(),
            email,
        }
    }

    /// Sends an e-mail with a new code, which ends the one before.
    pub(in crate::identity) async fn send(&self, signed_in: &SignedIn) -> Result<(), EmailError> {
        let guardian = &signed_in.guardian;
        if !self.sends_email {
            return Err(EmailError::NotConfigured);
        }
        let whose = || guardian.clone();
        take_all([(&*self.emails, whose()), (&*self.emails_a_day, whose())])
            .map_err(EmailError::TooMany)?;
        let (guardian, sign_in) = (guardian.as_str(), signed_in.sign_in.as_str());
        let (email, item) = (self.email.clone(), Item::new(guardian, sign_in, ()));
        let queued = self
            .store
            .commit_for(Purpose::Essential, move |change| email.put(change, &item));
        queued.await?;
        let sending = self.email.send_now(guardian, sign_in, PATIENCE);
        sending.await.map_err(|_| EmailError::NotSent)
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

/// E-mails with a step-up code, by guardian and sign-in.
struct StepUpEmail {
    clock: Clock,
    randomness: Randomness,
    guardians: Guardians,
    unverified: UnverifiedAddresses,
}

impl Composer for StepUpEmail {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: "step-up-code",
            places: Places::OF_EACH,
            gives_up_after: code::LIFE,
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
        let who = SignedIn {
            guardian: GuardianId::from_text(&item.recipient),
            sign_in: SignInId::from_text(&item.about),
            // Its sign-ins step up without a code.
            by_command_line: false,
        };
        let Some(guardian) = self.guardians.find_by_id(change, &who.guardian)? else {
            return Ok(None);
        };
        let now = self.clock.now();
        let digits = digits(&self.randomness);
        let shown = format!("{} {}", &digits[..3], &digits[3..]);
        let email: Composed = if guardian.verified {
            emails::step_up(&guardian, &shown).into()
        } else {
            // If the limit is reached, no e-mail is sent. The person who typed the address doesn't learn it: it may be anybody's.
            match self.unverified.permit_typed(change, &guardian.email) {
                Some(permit) => emails::step_up_unverified(&guardian, &shown).permitted(permit),
                None => return Ok(None),
            }
        };
        store::forget_old(change, &who.guardian, now)?;
        store::put(change, &who, &StepUpCode::new(&who, &digits, now))?;
        Ok(Some(email))
    }
}
