//! Signing in, staying signed in, and listing one's sign-ins.
//!
//! A sign-in's cookie is exchanged for identity tokens. Verifying one costs a hundred microseconds of JSON and elliptic-curve
//! arithmetic, so a [`CachedToken`] is kept until its sign-in changes. A token contains its guardian's address, so a sign-in's
//! tokens are dropped when it ends.

mod beginning;
mod device;
mod error;
mod news;
mod plain_address;
mod sign_in;
mod step_up;
mod store;
mod validity;

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use crate::identity::accounts::guardians::{Guardian, Guardians};
use crate::identity::environment::Environment;
use crate::identity::notices::Notices;
use crate::identity::sessions::step_up_codes::StepUpCodes;
use crate::identity::sessions::tokens::{self, Tokens};
use crate::identity::{GuardianId, SignInId, SignedIn};
use crate::kernel::host::addresses::NamedAddress;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::store::{Change, Purpose, Read, ReadCache, Store, StoreError, Weigh, Written};

use error::{EndSignInError, TokenError};
use validity::{ClockIsBehind, SignInStatus, WITH_MAIL, WITHOUT_MAIL};

pub use beginning::{BeginSignInError, NewGuardian};
pub use device::device;
pub use error::{RefreshError, SignInError};
pub use sign_in::{Device, SignIn, SignInContext, Via};
pub use step_up::{StepUpError, SteppedUp};
pub use store::{
    CodesMade, KINDS, NOT_RESTORED, RECORDS, codes_made, ended_in, put_codes_made,
    remove_codes_made,
};
pub use validity::SignInValidity;

/// How often the last use of a sign-in is stored. In between it is only in memory.
const NOTED_EVERY: Duration = Duration::from_secs(60 * 60);

/// How far in the future an identity token may have been issued: clocks are regularly corrected by seconds.
const CLOCK_SKEW: Duration = Duration::from_secs(5 * 60);

/// How many ended sign-ins are kept for each guardian. A clock that ran ahead ends them all, and they are valid again once it is
/// right.
const ENDED_KEPT: usize = 16;

/// The memory limit of the cache of verified tokens, in bytes: about a thousand tokens.
const CACHE_BYTES: u64 = 1024 * 1024;

#[derive(Clone, Debug)]
pub struct IssuedIdentity {
    /// The identity token, an OpenID Connect ID token.
    pub identity_token: String,
    /// The token's lifetime in seconds.
    pub expires_in: u64,
    /// The guardian named by the token.
    pub guardian: Guardian,
    /// The number of unacknowledged sign-ins on other devices.
    pub new_sign_ins: u64,
    /// Whether recovery codes were made on another device, unacknowledged on this one.
    pub new_recovery_codes: bool,
    /// Whether this sign-in, at the home's name, has just ended those at the plain address.
    pub ended_plain: bool,
}

/// One of a guardian's sign-ins, as shown to their device.
#[derive(Clone, Debug)]
pub struct ListedSignIn {
    pub sign_in: SignIn,
    /// Whether it is this device's own.
    pub is_current: bool,
    /// Whether it is new and unacknowledged on this device.
    pub is_news: bool,
}

pub type Refresh = Secret;

/// A verified token with its sign-in.
#[derive(Debug)]
struct CachedToken {
    signed_in: SignedIn,
    ends: Timestamp,
    sign_in: SignIn,
}

impl Weigh for Arc<CachedToken> {
    fn weight(&self) -> u64 {
        // Includes the token, which has some 500 bytes.
        768
    }
}

#[derive(Clone)]
pub struct SignIns {
    pub(in crate::identity) store: Store,
    clock: Clock,
    randomness: Randomness,
    tokens: Arc<Tokens>,
    pub(in crate::identity) guardians: Guardians,
    step_up_codes: StepUpCodes,
    notices: Notices,
    validity: SignInValidity,
    named: Option<NamedAddress>,
    verified: ReadCache<String, Arc<CachedToken>>,
}

impl SignIns {
    pub(in crate::identity) fn new(
        environment: &Environment,
        tokens: Arc<Tokens>,
        guardians: Guardians,
        step_up_codes: StepUpCodes,
        notices: Notices,
    ) -> Self {
        let Environment {
            store,
            clock,
            randomness,
            queue,
            named,
            ..
        } = environment.clone();
        let lifetime = if queue.sends_email() {
            WITH_MAIL
        } else {
            WITHOUT_MAIL
        };
        Self {
            validity: SignInValidity::new(&clock, lifetime),
            notices,
            step_up_codes,
            verified: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
            randomness,
            named,
            tokens,
            guardians,
        }
    }

    /// Issues an identity token for the cookie's sign-in, without waiting for a write; `None` if the sign-in is of the other
    /// address.
    pub fn refresh(
        &self,
        cookie: &str,
        at_name: bool,
    ) -> Result<Option<IssuedIdentity>, RefreshError> {
        let gone = || RefreshError::Gone;
        let refresh = Secret::parse(SecretKind::Refresh, cookie).ok_or_else(gone)?;
        let (hash, now) = (refresh.hash(), self.clock.now());
        let sign_in = store::sign_in(&self.store, hash)?.ok_or_else(gone)?;
        if sign_in.at_name != at_name {
            return Ok(None);
        }
        let guardian = self
            .guardians
            .find_by_id(&self.store, &sign_in.guardian)?
            .ok_or_else(gone)?;
        match self.validity.status(&sign_in, now) {
            SignInStatus::Holds => {}
            SignInStatus::Ended => return Err(RefreshError::Expired),
            SignInStatus::ClockIsBehind => return Err(ClockIsBehind.into()),
        }
        self.require_open(&guardian, at_name)?;
        self.note_use(hash, &sign_in, now);
        Ok(Some(self.issue(guardian, &sign_in)))
    }

    /// Returns the guardian and sign-in of a refresh cookie; `None` if the sign-in has ended, or is of the other address.
    pub fn signed_in_by(
        &self,
        cookie: &str,
        at_name: bool,
    ) -> Result<Option<SignedIn>, StoreError> {
        let Some(cookie) = Secret::parse(SecretKind::Refresh, cookie) else {
            return Ok(None);
        };
        let found = store::sign_in(&self.store, cookie.hash())?;
        let now = self.clock.now();
        let found = found.filter(|sign_in| {
            sign_in.at_name == at_name && self.validity.status(sign_in, now) == SignInStatus::Holds
        });
        Ok(found.map(|sign_in| SignedIn {
            by_command_line: sign_in.via == Via::CommandLine,
            guardian: sign_in.guardian,
            sign_in: sign_in.id,
        }))
    }

    /// Records that a sign-in was used: in memory at once, and in the store at most hourly, in the background, and only while the
    /// disk has space.
    fn note_use(&self, hash: SecretHash, sign_in: &SignIn, now: Timestamp) {
        self.validity.note_use(sign_in, now);
        if now.since(sign_in.used_at) < NOTED_EVERY {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            let noted = store.commit(move |change| {
                // The sign-in may have ended meanwhile.
                let Some(mut sign_in) = store::sign_in(change, hash)? else {
                    return Ok(());
                };
                sign_in.used_at = sign_in.used_at.max(now);
                store::put(change, hash, &sign_in)
            });
            if let Err(error) = noted.await {
                tracing::debug!(%error, "the last use of a sign-in could not be noted");
            }
        });
    }

    pub fn validity(&self) -> &SignInValidity {
        &self.validity
    }

    /// Removes the guardian's ended sign-ins except the last ones, those of the command line first. The number kept doesn't
    /// depend on the clock, which may be wrong.
    fn forget_ended(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut ended = store::of(change, guardian)?.readable;
        ended.retain(|(_, sign_in)| self.validity.status(sign_in, now) == SignInStatus::Ended);
        ended.sort_by_key(|(_, sign_in)| {
            (sign_in.via == Via::CommandLine, Reverse(sign_in.used_at))
        });
        for (position, (hash, sign_in)) in ended.into_iter().enumerate() {
            if position >= ENDED_KEPT {
                store::remove(change, hash, &sign_in)?;
            }
        }
        Ok(())
    }

    /// The maximum lifetime of a sign-in.
    pub fn lifetime(&self) -> Duration {
        self.validity.lifetime()
    }

    pub(in crate::identity) fn find(
        &self,
        view: &impl Read,
        cookie: SecretHash,
    ) -> Result<Option<SignIn>, StoreError> {
        store::sign_in(view, cookie)
    }

    pub(in crate::identity) fn by_id(
        &self,
        view: &impl Read,
        signed_in: &SignedIn,
    ) -> Result<Option<SignIn>, StoreError> {
        store::by_id(view, &signed_in.guardian, &signed_in.sign_in)
    }

    pub(in crate::identity) fn end_one(
        &self,
        change: &mut Change,
        cookie: SecretHash,
        sign_in: &SignIn,
    ) -> Result<(), StoreError> {
        store::remove(change, cookie, sign_in)
    }

    /// Ends a guardian's sign-ins, including unreadable ones.
    pub(in crate::identity) fn end_all(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        store::end_all(change, guardian)
    }

    /// Returns who is signed in with this identity token, if it is valid.
    pub fn verify(&self, token: &str) -> Result<Option<SignedIn>, TokenError> {
        // Checking the signature costs more than the rest of a request. Refusals aren't cached: there are arbitrarily many.
        let found = self.verified.get(token.to_owned(), |view| {
            let claims = self.tokens.verify(token).ok_or(None)?;
            let sign_in = store::by_id(view, &claims.guardian, &claims.sign_in)?;
            let sign_in = sign_in.ok_or(None)?;
            Ok(Arc::new(CachedToken {
                ends: claims.ends,
                signed_in: SignedIn {
                    by_command_line: sign_in.via == Via::CommandLine,
                    guardian: claims.guardian,
                    sign_in: claims.sign_in,
                },
                sign_in,
            }))
        });
        let now = self.clock.now();
        let found = match found {
            Ok(found) if now < found.ends => found,
            Ok(_) | Err(None) => return Ok(None),
            Err(Some(error)) => return Err(StoreError::into(error)),
        };
        match self.validity.status(&found.sign_in, now) {
            SignInStatus::Holds => {
                // A token issued in the future would be valid for longer than its ten minutes.
                let has_begun = found.ends <= now.after(tokens::LIFE).after(CLOCK_SKEW);
                Ok(has_begun.then(|| found.signed_in.clone()))
            }
            SignInStatus::ClockIsBehind => Err(ClockIsBehind.into()),
            SignInStatus::Ended => Ok(None),
        }
    }

    /// Whether a sign-in was written, so that one may have ended.
    pub fn are_in(written: &Written) -> bool {
        store::is_in(written)
    }

    /// Whether the sign-in is still valid, even if its token has expired.
    pub fn holds(&self, signed_in: &SignedIn) -> Result<bool, StoreError> {
        let SignedIn {
            guardian, sign_in, ..
        } = signed_in;
        self.validity.holds(&self.store, guardian, sign_in)
    }

    /// Checks in a change that the sign-in is still valid.
    pub fn require_in(&self, change: &Change, signed_in: &SignedIn) -> Result<(), SignInError> {
        let SignedIn {
            guardian, sign_in, ..
        } = signed_in;
        if self.validity.holds(change, guardian, sign_in)? {
            Ok(())
        } else {
            Err(SignInError::Gone)
        }
    }

    /// Issues a token for a sign-in that has begun.
    pub(in crate::identity) fn issue(
        &self,
        guardian: Guardian,
        sign_in: &SignIn,
    ) -> IssuedIdentity {
        let (identity_token, expires_in) = self.tokens.issue(&guardian, &sign_in.id);
        IssuedIdentity {
            identity_token,
            expires_in,
            guardian,
            new_sign_ins: self.count_new(sign_in),
            new_recovery_codes: self.is_told_of_codes(sign_in),
            ended_plain: sign_in.tells_of_ended_plain(self.clock.now()),
        }
    }

    /// The guardian's valid sign-ins, the last used first.
    pub fn list(&self, signed_in: &SignedIn) -> Result<Vec<ListedSignIn>, StoreError> {
        let now = self.clock.now();
        let kept = store::of(&self.store, signed_in.guardian())?.readable;
        let current = kept
            .iter()
            .map(|(_, sign_in)| sign_in)
            .find(|sign_in| sign_in.id == *signed_in.sign_in());
        let mut listed = Vec::new();
        for (_, sign_in) in &kept {
            if self.validity.status(sign_in, now) != SignInStatus::Ended {
                listed.push(ListedSignIn {
                    is_current: sign_in.id == *signed_in.sign_in(),
                    is_news: current.is_some_and(|current| sign_in.is_unacknowledged_on(current)),
                    sign_in: SignIn {
                        used_at: self.validity.last_use(sign_in),
                        ..sign_in.clone()
                    },
                });
            }
        }
        listed.sort_by_key(|listed| Reverse((listed.sign_in.used_at, listed.sign_in.started_at)));
        Ok(listed)
    }

    /// Ends one of the guardian's sign-ins at once. Fails with [`EndSignInError::NoSuchSignIn`] also for another guardian's
    /// sign-in.
    pub async fn end(&self, signed_in: &SignedIn, id: SignInId) -> Result<(), EndSignInError> {
        let guardian = signed_in.guardian().clone();
        let ended = self.store.commit_for(Purpose::Essential, move |change| {
            if store::end(change, &guardian, &id)? {
                Ok(())
            } else {
                Err(EndSignInError::NoSuchSignIn)
            }
        });
        ended.await?;
        tracing::info!(guardian = %signed_in.guardian(), "a sign-in was ended");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Identity, IdentitySettings};
    use crate::kernel::host::clock::ManualClock;
    use crate::kernel::outgoing::mail::{EmailAddress, Mailer};
    use crate::kernel::outgoing::queue::Queue;
    use crate::kernel::store::due::DueClock;

    const DAY: u64 = 24 * 60 * 60;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    /// A guardian, and the services that sign them in.
    struct Fixture {
        records: Store,
        clock: ManualClock,
        identity: Identity,
        ada: Guardian,
        _data: tempfile::TempDir,
    }

    async fn fixture() -> Fixture {
        let data = tempfile::TempDir::new().unwrap();
        let records = Store::open(data.path()).unwrap();
        let clock = ManualClock::at(at(0));
        let (manual, randomness) = (Clock::Manual(clock.clone()), Randomness::repeatable());
        let mailer = Mailer::Memory(Arc::default());
        let queue = Queue::new(records.clone(), manual.clone(), randomness.clone(), mailer);
        let identity = Identity::start(
            records.clone(),
            manual.clone(),
            DueClock::start(&records, &manual, true).unwrap(),
            randomness,
            queue,
            IdentitySettings::usual("https://porchlight.example".parse().unwrap()),
        );
        let identity = identity.await.unwrap();
        let email = "ada@example.org".parse::<EmailAddress>().unwrap();
        let (adding, added) = (identity.guardians.clone(), email);
        let ada = records.commit(move |change| adding.add(change, &added, None));
        let ada = ada.await.unwrap();
        Fixture {
            records,
            clock,
            identity,
            ada,
            _data: data,
        }
    }

    impl Fixture {
        async fn sign_in(&self, via: Via) -> Refresh {
            let (sign_ins, ada) = (self.identity.sign_ins.clone(), self.ada.clone());
            let begun = self.records.commit(move |change| {
                sign_ins.begin(
                    change,
                    &ada,
                    SignInContext {
                        via,
                        device: Device::default(),
                    },
                )
            });
            begun.await.unwrap().1
        }

        fn kept(&self) -> Vec<SignIn> {
            let kept = store::of(&self.records, &self.ada.id).unwrap();
            let kept = kept.readable.into_iter();
            kept.map(|(_, sign_in)| sign_in).collect()
        }
    }

    #[tokio::test]
    async fn a_clock_that_ran_a_year_ahead_forgets_no_sign_in() {
        let fixture = fixture().await;
        let before = fixture.sign_in(Via::Link).await;

        fixture.clock.set(at(365 * DAY));
        let refused = fixture.identity.sign_ins.refresh(before.reveal(), false);
        assert!(matches!(refused, Err(RefreshError::Expired)));
        let meanwhile = fixture.sign_in(Via::Link).await;
        fixture.clock.set(at(DAY));

        assert!(
            fixture
                .identity
                .sign_ins
                .refresh(before.reveal(), false)
                .is_ok()
        );
        let refused = fixture.identity.sign_ins.refresh(meanwhile.reveal(), false);
        assert!(matches!(refused, Err(RefreshError::ClockIsBehind(_))));
        assert_eq!(fixture.kept().len(), 2);
    }

    #[tokio::test]
    async fn of_many_sign_ins_that_ended_the_last_are_kept() {
        let fixture = fixture().await;

        for number in 0..40 {
            fixture.clock.set(at(8 * DAY * number));
            fixture.sign_in(Via::Link).await;
            fixture.sign_in(Via::CommandLine).await;
        }

        let mut kept = fixture.kept();
        kept.retain(|sign_in| sign_in.via == Via::Link);
        let oldest = kept.iter().map(|sign_in| sign_in.started_at).min();
        assert_eq!(kept.len(), ENDED_KEPT + 1);
        assert_eq!(oldest, Some(at(8 * DAY * (39 - ENDED_KEPT as u64))));
        assert!(fixture.kept().len() <= ENDED_KEPT + 3);
    }

    #[tokio::test]
    async fn a_use_is_noted_hourly_and_counts_at_once() {
        let fixture = fixture().await;
        let cookie = fixture.sign_in(Via::Link).await;
        let noted = || fixture.kept()[0].used_at;

        fixture.clock.set(at(3_599));
        fixture
            .identity
            .sign_ins
            .refresh(cookie.reveal(), false)
            .unwrap();
        fixture.clock.set(at(7 * DAY + 3_598));
        fixture
            .identity
            .sign_ins
            .refresh(cookie.reveal(), false)
            .unwrap();

        // The use is recorded in an earlier change, so it is stored once this one is.
        let after = fixture.records.commit(|_| Ok::<_, StoreError>(()));
        tokio::task::yield_now().await;
        after.await.unwrap();
        assert_eq!(noted(), at(7 * DAY + 3_598));
    }
}
