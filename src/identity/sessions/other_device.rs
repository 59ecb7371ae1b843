//! Stepping up with another device: it asks the guardian to type the three digits that this one shows.
//!
//! Only a device on which the guardian has been signed in for over a day may answer, so that somebody who has just gained access
//! can't answer their own request. Requests are kept in memory only, for two minutes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::broadcast;

use crate::identity::sessions::shown_digits::{DigitsError, LIFE, SeenDevice, ShownDigits};
use crate::identity::sessions::sign_ins::{SignInError, SignIns};
use crate::identity::{GuardianId, SignInId, SignedIn};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

/// The broadcast channel's capacity. A receiver that falls further behind learns that it missed some.
const TOLD: usize = 64;

/// Why stepping up with another device failed.
#[derive(Debug, thiserror::Error)]
pub enum OtherDeviceError {
    /// The guardian has no other device that may answer.
    #[error("There is no other device on which you have been signed in for over a day.")]
    NoOtherDevice,
    /// The other device has no pending request.
    #[error("There is no request to answer.")]
    NothingAsked,
    #[error(transparent)]
    Digits(#[from] DigitsError),
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    OtherDeviceError from Digits, SignIn, Store {
        NoOtherDevice => against_a_rule(NoOtherDevice),
        NothingAsked => not_there,
    }
}

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
    /// when they expire.
    pub fn ask(
        &self,
        who: &SignedIn,
        from: SeenDevice,
    ) -> Result<(String, Timestamp), OtherDeviceError> {
        if !self.sign_ins.has_other_old_one(who)? {
            return Err(OtherDeviceError::NoOtherDevice);
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
    pub fn asked(&self, by: &SignedIn) -> Result<Vec<AskingDevice>, StoreError> {
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

    /// Steps the other sign-in up, if the digits match those it shows. The third wrong try ends its request.
    pub async fn answer(
        &self,
        by: &SignedIn,
        sign_in: &SignInId,
        typed: &str,
    ) -> Result<(), OtherDeviceError> {
        if !self.sign_ins.is_old(by)? {
            return Err(OtherDeviceError::NothingAsked);
        }
        let answered = {
            let mut all = self.questions();
            let is_meant = |question: &Question| {
                is_elsewhere(question, by) && question.who.sign_in() == sign_in
            };
            let position = all.iter().position(is_meant);
            let position = position.ok_or(OtherDeviceError::NothingAsked)?;
            match all[position].digits.compare(typed) {
                Err(DigitsError::Wrong) => return Err(DigitsError::Wrong.into()),
                right_or_last => {
                    let question = all.remove(position);
                    right_or_last.map(|()| question.who)
                }
            }
        };
        self.tell(by.guardian());
        Ok(self.sign_ins.step_up_by_other_device(&answered?).await?)
    }

    /// Refuses the other sign-in's request.
    pub fn refuse(&self, by: &SignedIn, sign_in: &SignInId) -> Result<(), OtherDeviceError> {
        let mut all = self.questions();
        let before = all.len();
        all.retain(|question| {
            question.who.guardian() != by.guardian() || question.who.sign_in() != sign_in
        });
        if all.len() == before {
            return Err(OtherDeviceError::NothingAsked);
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
