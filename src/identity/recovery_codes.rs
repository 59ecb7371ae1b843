//! Recovery codes: ten that a guardian keeps on paper, in case they receive no e-mail and have no signed-in device.
//!
//! A code works once and needs no address. Making new codes ends the old ones.

mod code;
mod store;

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use super::IdentityError;
use super::guardians::Guardian;
use crate::identity::{GuardianId, SignInId};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::limit::{Limit, LimitKey, LimitMode, Rate};
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Change, Read, StoreError};

pub use code::RecoveryCode;
pub use store::{KINDS, NOT_RESTORED};

/// How many codes a guardian gets.
pub const CODES: usize = 10;

/// Limits how often a guardian makes new codes to three times in any 24 hours: each time sends them an e-mail.
const MADE: Rate = Rate::new(3, Duration::from_secs(24 * 60 * 60));

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
    pub(super) fn new(clock: Clock, randomness: Randomness, limits: LimitMode) -> Self {
        Self {
            made: Arc::new(Limit::new(MADE, limits, clock.clone())),
            clock,
            randomness,
        }
    }

    /// Makes new codes and ends the old ones. Fails with [`IdentityError::TooManyCodes`].
    pub(super) fn replace(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        by: Option<SignInId>,
    ) -> Result<Vec<RecoveryCode>, IdentityError> {
        let maker = Maker {
            guardian: guardian.id.clone(),
            sign_out_count: guardian.sign_out_count,
        };
        self.made.take(maker).map_err(IdentityError::TooManyCodes)?;
        self.replace_uncounted(change, &guardian.id, by)
            .map_err(IdentityError::from)
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
        store::put_all(change, guardian, hashes, store::Made { at, by })?;
        Ok(codes)
    }

    /// Uses a code up. Returns its guardian, or `None` if the code is invalid.
    pub(super) fn use_up(
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

    /// Uses a code up if it belongs to this guardian. Returns whether it does. Another guardian's code stays valid.
    pub(super) fn use_up_own(
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

    /// `None` if no codes were ever made.
    pub fn left(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
    ) -> Result<Option<CodesLeft>, StoreError> {
        let Some(made) = store::made(view, guardian)? else {
            return Ok(None);
        };
        Ok(Some(CodesLeft {
            left: store::count(view, guardian)?,
            made_at: made.at,
            by: made.by,
        }))
    }

    /// Ends a guardian's codes, including unreadable ones.
    pub(super) fn end_all(
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
    use crate::kernel::clock::ManualClock;
    use crate::kernel::store::Store;

    async fn in_a_change(
        test: impl FnOnce(&RecoveryCodes, &mut Change) -> Result<(), StoreError> + Send + 'static,
    ) {
        let data = tempfile::TempDir::new().unwrap();
        let store = Store::open(data.path(), false).unwrap();
        let clock = Clock::Manual(ManualClock::at(Timestamp::from_micros(7)));
        let codes = RecoveryCodes::new(clock, Randomness::repeatable(), LimitMode::Usual);
        let done = store.commit(move |change| test(&codes, change));
        done.await.unwrap().unwrap();
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
}
