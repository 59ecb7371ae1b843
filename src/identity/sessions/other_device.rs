//! Stepping up with another device: it asks the guardian to type the three digits that this one shows.
//!
//! Only a device on which the guardian has been signed in for over a day may answer, so that somebody who has just gained access
//! can't answer their own request. Requests are kept in memory only, for two minutes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

use crate::identity::sessions::shown_digits::{LIFE, SeenDevice, ShownDigits, Try};
use crate::identity::sessions::sign_ins::SignIns;
use crate::identity::{GuardianId, SignInId};
use crate::identity::{IdentityError, SignedIn};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;

/// The broadcast channel's capacity. A receiver that falls further behind learns that it missed some.
const TOLD: usize = 64;

/// A sign-in's request.
struct Question {
    who: SignedIn,
    from: SeenDevice,
    digits: ShownDigits,
}

/// A request, as the guardian's other devices show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskingDevice {
    pub sign_in: SignInId,
    pub device: SeenDevice,
}

#[derive(Clone)]
pub struct OtherDevices {
    clock: Clock,
    randomness: Randomness,
    sign_ins: SignIns,
    questions: Arc<Mutex<Vec<Question>>>,
    changed: broadcast::Sender<GuardianId>,
}

impl OtherDevices {
    pub(in crate::identity) fn new(
        clock: Clock,
        randomness: Randomness,
        sign_ins: SignIns,
    ) -> Self {
        Self {
            clock,
            randomness,
            sign_ins,
            questions: Arc::default(),
            changed: broadcast::channel(TOLD).0,
        }
    }

    /// Subscribes to the guardians whose requests change.
    pub fn changes(&self) -> broadcast::Receiver<GuardianId> {
        self.changed.subscribe()
    }

    /// The requests that have not expired.
    fn questions(&self) -> MutexGuard<'_, Vec<Question>> {
        let all = &self.questions;
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        all.retain(|question| !question.from.is_over(now));
        all
    }

    fn tell(&self, guardian: &GuardianId) {
        // Fails only without subscribers.
        let _ = self.changed.send(guardian.clone());
    }

    /// Asks the guardian's other devices, which ends an earlier request of this sign-in. Returns the digits to show here, and
    /// when they expire. Fails with [`IdentityError::NoOtherDevice`] if no other device may answer.
    pub fn ask(
        &self,
        who: &SignedIn,
        from: SeenDevice,
    ) -> Result<(String, Timestamp), IdentityError> {
        if !self.sign_ins.has_other_old_one(who)? {
            return Err(IdentityError::NoOtherDevice);
        }
        let digits = ShownDigits::generate(&self.randomness);
        let answer = (digits.reveal().to_owned(), from.at.after(LIFE));
        let who = who.clone();
        let guardian = who.guardian().clone();
        let mut all = self.questions();
        all.retain(|question| question.who != who);
        all.push(Question { who, from, digits });
        drop(all);
        self.tell(&guardian);
        Ok(answer)
    }

    /// Whether this sign-in's request is pending.
    pub fn is_asking(&self, who: &SignedIn) -> bool {
        self.questions().iter().any(|question| question.who == *who)
    }

    /// The requests that this device may answer, the oldest first.
    pub fn asked(&self, by: &SignedIn) -> Result<Vec<AskingDevice>, IdentityError> {
        let all = self.questions();
        let others = all.iter().filter(|question| is_elsewhere(question, by));
        let asking = others.map(|question| AskingDevice {
            sign_in: question.who.sign_in().clone(),
            device: question.from.clone(),
        });
        let asking = asking.collect::<Vec<_>>();
        drop(all);
        if asking.is_empty() || self.sign_ins.is_old(by)? {
            Ok(asking)
        } else {
            Ok(Vec::new())
        }
    }

    /// Steps the other sign-in up, if the digits match those it shows. Fails with [`IdentityError::NothingAsked`], with
    /// [`IdentityError::NotTheDigits`], and on the third wrong try with [`IdentityError::DigitsEnded`].
    pub async fn answer(
        &self,
        by: &SignedIn,
        sign_in: &SignInId,
        typed: &str,
    ) -> Result<(), IdentityError> {
        if !self.sign_ins.is_old(by)? {
            return Err(IdentityError::NothingAsked);
        }
        let who = {
            let mut all = self.questions();
            let is_meant = |question: &Question| {
                is_elsewhere(question, by) && question.who.sign_in() == sign_in
            };
            let position = all.iter().position(is_meant);
            let position = position.ok_or(IdentityError::NothingAsked)?;
            match all[position].digits.compare(typed) {
                Try::Wrong => return Err(IdentityError::NotTheDigits),
                Try::Right => Ok(all.remove(position).who),
                Try::LastWrong => {
                    all.remove(position);
                    Err(IdentityError::DigitsEnded)
                }
            }
        };
        self.tell(by.guardian());
        self.sign_ins.step_up_by_other_device(&who?).await
    }

    /// Refuses the other sign-in's request. Fails with [`IdentityError::NothingAsked`].
    pub fn refuse(&self, by: &SignedIn, sign_in: &SignInId) -> Result<(), IdentityError> {
        let mut all = self.questions();
        let before = all.len();
        all.retain(|question| {
            question.who.guardian() != by.guardian() || question.who.sign_in() != sign_in
        });
        if all.len() == before {
            return Err(IdentityError::NothingAsked);
        }
        drop(all);
        self.tell(by.guardian());
        Ok(())
    }
}

/// Whether the request comes from another device of the same guardian.
fn is_elsewhere(question: &Question, by: &SignedIn) -> bool {
    question.who.guardian() == by.guardian() && question.who != *by
}
