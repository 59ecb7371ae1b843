//! Recovery codes: ten that a guardian keeps on paper, in case they receive no e-mail and have no signed-in device.
//!
//! A code works once and needs no address. Making new codes ends the old ones.

mod code;
mod store;

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use crate::identity::accounts::guardians::Guardian;
use crate::identity::sessions::sign_ins::{
    self, BeginSignInError, CodesMade, Device, IssuedIdentity, Refresh, SignInContext, SignInError,
    SignIns, StepUpError, Via,
};
use crate::identity::{GuardianId, SignInId, SignedIn};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::limit::{Limit, LimitKey, LimitMode, Rate, TooMany};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Purpose, Read, StoreError};

pub use code::RecoveryCode;
pub use store::{KINDS, NOT_RESTORED};

/// How many codes a guardian gets.
pub const CODES: usize = 10;

/// Limits how often a guardian makes new codes to three times in any 24 hours: each time sends them an e-mail.
const MADE: Rate = Rate::new(3, Duration::from_secs(24 * 60 * 60));

/// Why recovery codes were not used or made.
#[derive(Debug, thiserror::Error)]
pub enum RecoveryCodeError {
    /// The text is no recovery code, or one that was used or belongs to another guardian.
    #[error("This code does not work. Each works once, and making new ones ends the old.")]
    NotACode,
    /// The guardian's limit of new recovery codes is reached.
    #[error("You have made new codes three times today. You can make new ones tomorrow.")]
    TooMany(TooMany),
    #[error(transparent)]
    StepUp(#[from] StepUpError),
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error(transparent)]
    Begin(#[from] BeginSignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    RecoveryCodeError from StepUp, SignIn, Begin, Store {
        NotACode => against_a_rule(RecoveryCodeInvalid) at "/code",
        TooMany(limit) => too_many(TooManyRecoveryCodes, limit.seconds),
    }
}

/// The key of that limit. Signing out everywhere starts a new count, so that somebody who was signed in as the guardian cannot
/// use up theirs.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Maker {
    guardian: GuardianId,
    sign_out_count: u32,
}

impl LimitKey for Maker {
    fn group(&self) -> impl Hash {
        &self.guardian
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodesLeft {
    /// How many are unused.
    pub left: usize,
    /// When the current codes were made.
    pub made_at: Timestamp,
    /// The sign-in that made them, if known.
    pub by: Option<SignInId>,
}

#[derive(Clone)]
pub struct RecoveryCodes {
    clock: Clock,
    randomness: Randomness,
    made: Arc<Limit<Maker>>,
}

impl RecoveryCodes {
    pub(in crate::identity) fn new(
        clock: Clock,
        randomness: Randomness,
        limits: LimitMode,
    ) -> Self {
        Self {
            made: Arc::new(Limit::new(MADE, limits, clock.clone())),
            clock,
            randomness,
        }
    }

    /// Makes new codes and ends the old ones.
    pub(in crate::identity) fn replace(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        by: Option<SignInId>,
    ) -> Result<Vec<RecoveryCode>, RecoveryCodeError> {
        let maker = Maker {
            guardian: guardian.id.clone(),
            sign_out_count: guardian.sign_out_count,
        };
        self.made
            .take_in(change, maker)
            .map_err(RecoveryCodeError::TooMany)?;
        Ok(self.replace_uncounted(change, &guardian.id, by)?)
    }

    fn replace_uncounted(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        by: Option<SignInId>,
    ) -> Result<Vec<RecoveryCode>, StoreError> {
        store::remove_all(change, guardian)?;
        let codes = (0..CODES).map(|_| RecoveryCode::generate(&self.randomness));
        let codes = codes.collect::<Vec<_>>();
        let hashes = codes.iter().map(RecoveryCode::hash);
        let at = self.clock.now();
        store::put_all(change, guardian, hashes, &CodesMade { at, by })?;
        Ok(codes)
    }

    /// Uses a code up. Returns its guardian, or `None` if the code is invalid.
    pub(in crate::identity) fn use_up(
        &self,
        change: &mut Change,
        code: &RecoveryCode,
    ) -> Result<Option<GuardianId>, StoreError> {
        let owner = store::owner(change, code.hash())?;
        if let Some(guardian) = &owner {
            store::remove(change, guardian, code.hash())?;
        }
        Ok(owner)
    }

    /// Uses a code up if it belongs to this guardian. Returns whether the code was valid and theirs. Another guardian's code
    /// stays valid.
    pub(in crate::identity) fn use_up_own(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        code: &RecoveryCode,
    ) -> Result<bool, StoreError> {
        let is_theirs = store::owner(change, code.hash())?.as_ref() == Some(guardian);
        if is_theirs {
            store::remove(change, guardian, code.hash())?;
        }
        Ok(is_theirs)
    }

    /// Uses up a recovery code and signs its guardian in, in one change. The sign-in is stepped up.
    pub async fn sign_in(
        &self,
        sign_ins: &SignIns,
        typed: &str,
        device: Device,
    ) -> Result<(IssuedIdentity, Refresh), RecoveryCodeError> {
        let code = RecoveryCode::parse(typed).ok_or(RecoveryCodeError::NotACode)?;
        let (codes, of_change) = (self.clone(), sign_ins.clone());
        let used = sign_ins
            .store
            .commit_for(Purpose::Essential, move |change| {
                let guardian = codes.use_up(change, &code)?;
                let guardian = guardian.ok_or(RecoveryCodeError::NotACode)?;
                let guardian = of_change.guardians.find_admitted(change, &guardian)?;
                let guardian = guardian.ok_or(RecoveryCodeError::NotACode)?;
                let via = Via::RecoveryCode;
                let begun =
                    of_change.begin_stepped_up(change, &guardian, SignInContext { via, device })?;
                of_change.notify_by_email(change, &begun.0)?;
                Ok::<_, RecoveryCodeError>((guardian, begun))
            });
        let (guardian, (sign_in, refresh)) = used.await?;
        tracing::info!(guardian = %guardian.id, sign_in = %sign_in.id, "signed in with a recovery code");
        Ok((sign_ins.issue(guardian, &sign_in), refresh))
    }

    /// Steps up with one of the guardian's own recovery codes and uses it up. Returns when stepping up expires.
    pub async fn step_up(
        &self,
        sign_ins: &SignIns,
        signed_in: &SignedIn,
        typed: &str,
    ) -> Result<Timestamp, RecoveryCodeError> {
        let code = RecoveryCode::parse(typed).ok_or(RecoveryCodeError::NotACode)?;
        let (codes, of_change, who) = (self.clone(), sign_ins.clone(), signed_in.clone());
        let stepped_up = sign_ins
            .store
            .commit_for(Purpose::Essential, move |change| {
                if codes.use_up_own(change, &who.guardian, &code)? {
                    Ok(of_change.step_up(change, &who)?)
                } else {
                    Err(RecoveryCodeError::NotACode)
                }
            });
        let until = stepped_up.await?;
        tracing::info!(guardian = %signed_in.guardian, sign_in = %signed_in.sign_in, "stepped up with a recovery code");
        Ok(until)
    }

    /// Replaces the guardian's recovery codes. This requires stepping up, unless there is no record of codes and the guardian signed in
    /// less than ten minutes ago.
    pub async fn make_new(
        &self,
        sign_ins: &SignIns,
        signed_in: &SignedIn,
    ) -> Result<Vec<RecoveryCode>, RecoveryCodeError> {
        let (codes, of_change, who) = (self.clone(), sign_ins.clone(), signed_in.clone());
        let made = sign_ins
            .store
            .commit_for(Purpose::Essential, move |change| {
                let sign_in = of_change.by_id(change, &who)?;
                let sign_in = sign_in.ok_or(SignInError::Gone)?;
                let now = codes.clock.now();
                let first = codes.left(change, &who.guardian)?.is_none() && sign_in.is_fresh(now);
                if !first && sign_in.stepped_up_until(now).is_none() {
                    return Err(StepUpError::Needed.into());
                }
                let guardian = of_change.guardians.find_by_id(change, &who.guardian)?;
                let guardian = guardian.ok_or(SignInError::Gone)?;
                let made = codes.replace(change, &guardian, Some(who.sign_in))?;
                of_change.notify_of_codes(change, &sign_in, now)?;
                Ok::<_, RecoveryCodeError>(made)
            });
        let codes = made.await?;
        tracing::info!(guardian = %signed_in.guardian, "new recovery codes were made");
        Ok(codes)
    }

    /// `None` without a record of codes.
    pub fn left(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
    ) -> Result<Option<CodesLeft>, StoreError> {
        let Some(made) = sign_ins::codes_made(view, guardian)? else {
            return Ok(None);
        };
        Ok(Some(CodesLeft {
            left: store::count(view, guardian)?,
            made_at: made.at,
            by: made.by,
        }))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::clock::ManualClock;
    use crate::kernel::store::Store;

    async fn in_a_change(
        test: impl FnOnce(&RecoveryCodes, &mut Change) -> Result<(), StoreError> + Send + 'static,
    ) {
        let data = tempfile::TempDir::new().unwrap();
        let store = Store::open(data.path()).unwrap();
        let clock = Clock::Manual(ManualClock::at(Timestamp::from_micros(7)));
        let codes = RecoveryCodes::new(clock, Randomness::repeatable(), LimitMode::Usual);
        let done = store.commit(move |change| test(&codes, change));
        done.await.unwrap();
    }

    fn guardian(name: &str) -> GuardianId {
        GuardianId::from_text(name)
    }

    #[tokio::test]
    async fn a_code_works_once() {
        in_a_change(|codes, change| {
            let made = codes.replace_uncounted(change, &guardian("ada"), None)?;
            assert_eq!(made.len(), CODES);

            assert_eq!(codes.use_up(change, &made[3])?, Some(guardian("ada")));
            assert_eq!(codes.use_up(change, &made[3])?, None);

            let made_at = Timestamp::from_micros(7);
            let left = codes.left(change, &guardian("ada"))?;
            let by = None;
            let expected = CodesLeft {
                left: 9,
                made_at,
                by,
            };
            assert_eq!(left, Some(expected));
            Ok(())
        })
        .await;
    }

    #[tokio::test]
    async fn new_codes_end_the_old_ones_of_that_guardian_alone() {
        in_a_change(|codes, change| {
            let old = codes.replace_uncounted(change, &guardian("ada"), None)?;
            let others = codes.replace_uncounted(change, &guardian("ben"), None)?;

            codes.replace_uncounted(change, &guardian("ada"), None)?;

            assert_eq!(codes.use_up(change, &old[0])?, None);
            assert_eq!(codes.use_up(change, &others[0])?, Some(guardian("ben")));
            Ok(())
        })
        .await;
    }

    #[tokio::test]
    async fn somebody_elses_code_is_not_used_up() {
        in_a_change(|codes, change| {
            let bens = codes.replace_uncounted(change, &guardian("ben"), None)?;

            assert!(!codes.use_up_own(change, &guardian("ada"), &bens[0])?);
            assert!(codes.use_up_own(change, &guardian("ben"), &bens[0])?);
            assert!(!codes.use_up_own(change, &guardian("ben"), &bens[0])?);
            Ok(())
        })
        .await;
    }

    #[tokio::test]
    async fn who_used_all_codes_up_still_had_some() {
        in_a_change(|codes, change| {
            assert_eq!(codes.left(change, &guardian("ada"))?, None);
            for code in codes.replace_uncounted(change, &guardian("ada"), None)? {
                codes.use_up(change, &code)?;
            }
            let left = codes.left(change, &guardian("ada"))?;
            assert_eq!(left.map(|left| left.left), Some(0));

            codes.end_all(change, &guardian("ada"))?;
            assert_eq!(codes.left(change, &guardian("ada"))?, None);
            Ok(())
        })
        .await;
    }

    #[tokio::test]
    async fn codes_that_could_not_be_stored_are_not_counted() {
        let data = tempfile::TempDir::new().unwrap();
        let store = Store::open(data.path()).unwrap();
        let clock = Clock::Manual(ManualClock::at(Timestamp::from_micros(7)));
        let codes = RecoveryCodes::new(clock, Randomness::repeatable(), LimitMode::Usual);
        let maker = || Maker {
            guardian: guardian("ada"),
            sign_out_count: 0,
        };
        let counts = |fails: bool| {
            let made = Arc::clone(&codes.made);
            store.commit(move |change| {
                made.take_in(change, maker())
                    .map_err(RecoveryCodeError::TooMany)?;
                if fails {
                    return Err(StoreError::Unavailable.into());
                }
                Ok::<_, RecoveryCodeError>(())
            })
        };

        for _ in 0..10 {
            let failed = counts(true).await;
            assert!(matches!(failed, Err(RecoveryCodeError::Store(_))));
        }

        for _ in 0..3 {
            counts(false).await.unwrap();
        }
        let refused = counts(false).await;
        assert!(matches!(refused, Err(RecoveryCodeError::TooMany(_))));
    }
}
