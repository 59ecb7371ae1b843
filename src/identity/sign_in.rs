//! Signing in, staying signed in, and signing out.

use std::cmp::Reverse;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::guardians::Guardian;
use super::link::LinkError;
use super::token::Verified;
use super::{Caller, Identity, IdentityError, SignedAssistant, SignedIn, store};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::{GuardianId, SignInId};
use crate::kernel::mail::EmailAddress;
use crate::kernel::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::store::{Change, Purpose, StoreError};

/// How long a sign-in holds without being used (contract, section 4).
const IDLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a sign-in holds at most (contract, section 4).
pub const LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How often the last use of a sign-in is written down. In between it stands in memory.
const NOTED_EVERY: Duration = Duration::from_secs(60 * 60);

/// How many sign-ins are known in memory by when they were last used.
pub(super) const LAST_USES: usize = 4096;

/// How far the clock may stand before what it showed earlier: it is corrected by seconds all the time.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// How many sign-ins of a guardian are kept after they ended. A clock that ran ahead ends them all, and they hold again
/// once it is right.
const ENDED_KEPT: usize = 16;

/// How a guardian signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// By the link in a letter.
    Link,
    /// By `porchlight token`.
    CommandLine,
    /// With an account at the external provider.
    Oidc,
}

/// One sign-in of a guardian.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    pub id: SignInId,
    pub guardian: GuardianId,
    pub via: Via,
    pub started_at: Timestamp,
    pub used_at: Timestamp,
}

/// How a sign-in stands at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It holds.
    Holds,
    /// It was not used for too long, or began too long ago.
    Ended,
    /// The clock shows an earlier time than it did when the sign-in was last used. Whether it holds is not known
    /// until the clock is right.
    ClockIsBehind,
}

impl SignIn {
    /// How it stands at this moment.
    fn standing(&self, now: Timestamp) -> Standing {
        if now.after(TOLERANCE) < self.used_at.max(self.started_at) {
            return Standing::ClockIsBehind;
        }
        match now < self.used_at.after(IDLE) && now < self.ends_at() {
            true => Standing::Holds,
            false => Standing::Ended,
        }
    }

    fn ends_at(&self) -> Timestamp {
        let life = match self.via {
            Via::Link | Via::Oidc => LIFE,
            Via::CommandLine => super::token::LIFE,
        };
        self.started_at.after(life)
    }
}

/// What signing in gives: a token for the calls, and who one is.
#[derive(Clone, Debug)]
pub struct IssuedIdentity {
    /// The identity token, an OpenID Connect ID token.
    pub identity_token: String,
    /// For how many seconds it holds.
    pub expires_in: u64,
    /// Whom it names.
    pub guardian: Guardian,
}

/// The secret of the refresh cookie.
pub type Refresh = Secret;

impl Identity {
    /// Uses up a link and signs its guardian in: both or neither.
    ///
    /// # Errors
    ///
    /// [`IdentityError::Link`] says why the link doesn't work. A wrong address is counted.
    pub async fn sign_in_by_link(
        &self,
        email: EmailAddress,
        token: &str,
    ) -> Result<(IssuedIdentity, Refresh), IdentityError> {
        let token = Secret::parse(SecretKind::Link, token).ok_or(LinkError::Unknown)?;
        let (hash, now, identity) = (token.hash(), self.clock.now(), self.clone());
        let used = self.store.commit_for(Purpose::Essential, move |change| {
            let Some(mut link) = store::link(change, hash)? else {
                return Ok(Err(LinkError::Unknown));
            };
            let outcome = link.use_up(&email, now);
            store::put_link(change, hash, &link)?;
            // A refusal is kept too, because it counts the wrong address: hence the inner result.
            if let Err(problem) = outcome {
                return Ok::<_, StoreError>(Err(problem));
            }
            let guardian = match &link.guardian {
                Some(guardian) => store::guardian(change, guardian)?,
                None => identity.owner_of_proven(change, &link.email)?,
            };
            let Some(guardian) = guardian else {
                return Ok(Err(LinkError::Unknown));
            };
            let (sign_in, refresh) = identity.begin_sign_in(change, &guardian, Via::Link)?;
            Ok(Ok((guardian, sign_in, refresh)))
        });
        let (guardian, sign_in, refresh) = used.await???;
        tracing::info!(guardian = %guardian.id, sign_in = %sign_in.id, "signed in");
        Ok((self.issue(guardian, &sign_in), refresh))
    }

    /// The guardian of an address whose owner has just proved it by a link: where anybody may sign up, they
    /// become one by that.
    fn owner_of_proven(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        match store::guardian_by_email(change, email)? {
            None if self.settings.open_sign_up => match self.add_guardian(change, email, None) {
                Ok(added) => Ok(Some(added)),
                Err(IdentityError::Store(error)) => Err(error),
                Err(_) => Ok(None),
            },
            known => Ok(known),
        }
    }

    /// Begins a sign-in: its record, and the secret of its cookie.
    pub(super) fn begin_sign_in(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        via: Via,
    ) -> Result<(SignIn, Refresh), StoreError> {
        let refresh = Secret::generate(SecretKind::Refresh, &self.randomness);
        let id = SignInId::generate(&self.randomness);
        let sign_in = begin(id, guardian, via, self.clock.now());
        self.forget_ended(change, &guardian.id, sign_in.started_at)?;
        store::put_sign_in(change, refresh.hash(), &sign_in)?;
        Ok((sign_in, refresh))
    }

    /// Mints an identity token for the sign-in that the cookie names. It waits for no write.
    ///
    /// # Errors
    ///
    /// [`IdentityError::SignInGone`] when there is none, [`IdentityError::SignInEnded`] when it no longer holds,
    /// [`IdentityError::ClockIsBehind`].
    pub fn refresh(&self, cookie: &str) -> Result<IssuedIdentity, IdentityError> {
        let gone = || IdentityError::SignInGone;
        let refresh = Secret::parse(SecretKind::Refresh, cookie).ok_or_else(gone)?;
        let (hash, now) = (refresh.hash(), self.clock.now());
        let sign_in = store::sign_in(&self.store, hash)?.ok_or_else(gone)?;
        let guardian = store::guardian(&self.store, &sign_in.guardian)?.ok_or_else(gone)?;
        match self.standing(&sign_in, now) {
            Standing::Holds => {}
            Standing::Ended => return Err(IdentityError::SignInEnded),
            Standing::ClockIsBehind => return Err(IdentityError::ClockIsBehind),
        }
        self.note_use(hash, &sign_in, now);
        Ok(self.issue(guardian, &sign_in))
    }

    /// Notes that a sign-in was used: in memory at once, and in the store at most hourly, in the background, and only while
    /// there is room.
    fn note_use(&self, hash: SecretHash, sign_in: &SignIn, now: Timestamp) {
        self.last_uses.insert(sign_in.id.clone(), now);
        if now.since(sign_in.used_at) < NOTED_EVERY {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            let noted = store.commit(move |change| {
                // It may have ended meanwhile.
                let Some(mut sign_in) = store::sign_in(change, hash)? else {
                    return Ok(());
                };
                sign_in.used_at = sign_in.used_at.max(now);
                store::put_sign_in(change, hash, &sign_in)
            });
            if let Err(error) = noted.await.and_then(|inner| inner) {
                tracing::debug!(%error, "the last use of a sign-in could not be noted");
            }
        });
    }

    /// When a sign-in was last used, as far as is known.
    pub(super) fn last_use(&self, sign_in: &SignIn) -> Timestamp {
        let known = self.last_uses.get(&sign_in.id);
        known.map_or(sign_in.used_at, |used| used.max(sign_in.used_at))
    }

    /// How a sign-in stands at this moment.
    pub(super) fn standing(&self, sign_in: &SignIn, now: Timestamp) -> Standing {
        match sign_in.standing(now) {
            Standing::Ended => {
                let used_at = self.last_use(sign_in);
                let sign_in = sign_in.clone();
                SignIn { used_at, ..sign_in }.standing(now)
            }
            standing => standing,
        }
    }

    /// Removes sign-ins of the guardian's that ended, all but the last, and those of the command line first. How many that
    /// are doesn't depend on the clock, which may be wrong.
    fn forget_ended(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let mut ended = store::sign_ins(change, guardian)?.readable;
        ended.retain(|(_, sign_in)| self.standing(sign_in, now) == Standing::Ended);
        ended.sort_by_key(|(_, sign_in)| {
            (sign_in.via == Via::CommandLine, Reverse(sign_in.used_at))
        });
        for (position, (hash, sign_in)) in ended.into_iter().enumerate() {
            if position >= ENDED_KEPT {
                store::remove_sign_in(change, hash, &sign_in)?;
            }
        }
        Ok(())
    }

    /// Ends the cookie's sign-in, or with `everywhere` [all that lets its guardian in](Self::end_access). A cookie that names
    /// none is fine.
    ///
    /// # Errors
    ///
    /// The store's.
    pub async fn sign_out(&self, cookie: &str, everywhere: bool) -> Result<(), IdentityError> {
        let Some(refresh) = Secret::parse(SecretKind::Refresh, cookie) else {
            return Ok(());
        };
        let (hash, identity) = (refresh.hash(), self.clone());
        let ended = self.store.commit_for(Purpose::Essential, move |change| {
            let Some(sign_in) = store::sign_in(change, hash)? else {
                return Ok(());
            };
            match everywhere {
                true => identity.end_access(change, &sign_in.guardian).map(drop),
                false => store::remove_sign_in(change, hash, &sign_in),
            }
        });
        Ok(ended.await??)
    }

    /// An identity token for the Swagger UI and for scripts.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`].
    pub async fn token_for(&self, email: &EmailAddress) -> Result<IssuedIdentity, IdentityError> {
        let guardian = self.get_guardian(&self.store, email)?;
        let (identity, whose) = (self.clone(), guardian.clone());
        // Nobody holds this secret, so nothing can refresh the sign-in: it lives as long as its token.
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            identity.begin_sign_in(change, &whose, Via::CommandLine)
        });
        let (sign_in, _) = begun.await??;
        Ok(self.issue(guardian, &sign_in))
    }

    /// Who is signed in with this identity token, if anybody.
    ///
    /// # Errors
    ///
    /// [`IdentityError::ClockIsBehind`], or the store's.
    pub fn verify(&self, token: &str) -> Result<Option<SignedIn>, IdentityError> {
        // Checking the signature costs more than the rest of a request. Refusals aren't cached: there are arbitrarily many.
        let found = self.verified.get(token.to_owned(), |view| {
            let (named, ends) = self.tokens.verify(token).ok_or(None)?;
            let sign_in = store::sign_in_by_id(view, &named.guardian, &named.sign_in)?;
            Ok(Verified {
                sign_in: sign_in.ok_or(None)?,
                named,
                ends,
            })
        });
        let now = self.clock.now();
        let found = match found {
            Ok(found) if now < found.ends => found,
            Ok(_) | Err(None) => return Ok(None),
            Err(Some(error)) => return Err(StoreError::into(error)),
        };
        match self.standing(&found.sign_in, now) {
            Standing::Holds => Ok(Some(found.named)),
            Standing::ClockIsBehind => Err(IdentityError::ClockIsBehind),
            Standing::Ended => Ok(None),
        }
    }

    /// Whose credential this is, of whichever kind.
    ///
    /// # Errors
    ///
    /// [`IdentityError::ClockIsBehind`], or the store's.
    pub fn recognise(&self, credential: &str) -> Result<Option<Recognised>, IdentityError> {
        if credential.starts_with(SecretKind::AssistantKey.prefix()) {
            return Ok(self
                .recognise_assistant(credential)?
                .map(Recognised::Assistant));
        }
        Ok(self.verify(credential)?.map(Recognised::Guardian))
    }

    fn issue(&self, guardian: Guardian, sign_in: &SignIn) -> IssuedIdentity {
        let (identity_token, expires_in) = self.tokens.issue(&guardian, sign_in);
        IssuedIdentity {
            identity_token,
            expires_in,
            guardian,
        }
    }
}

/// A credential that holds.
#[derive(Clone, Debug)]
pub enum Recognised {
    /// An identity token.
    Guardian(SignedIn),
    /// An assistant's key.
    Assistant(SignedAssistant),
}

impl From<&SignedIn> for Caller {
    fn from(signed_in: &SignedIn) -> Self {
        Self::Guardian(signed_in.guardian.clone())
    }
}

impl From<&SignedAssistant> for Caller {
    fn from(assistant: &SignedAssistant) -> Self {
        Self::Assistant(assistant.id().clone())
    }
}

fn begin(id: SignInId, guardian: &Guardian, via: Via, now: Timestamp) -> SignIn {
    SignIn {
        id,
        guardian: guardian.id.clone(),
        via,
        started_at: now,
        used_at: now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::IdentitySettings;
    use crate::kernel::clock::{Clock, ManualClock};
    use crate::kernel::mail::Mailer;
    use crate::kernel::randomness::Randomness;
    use crate::kernel::store::Store;

    const DAY: u64 = 24 * 60 * 60;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    fn sign_in(via: Via) -> SignIn {
        let randomness = Randomness::repeatable();
        SignIn {
            id: SignInId::generate(&randomness),
            guardian: GuardianId::generate(&randomness),
            via,
            started_at: at(0),
            used_at: at(0),
        }
    }

    #[test]
    fn a_sign_in_that_is_not_used_ends_after_seven_days() {
        let sign_in = sign_in(Via::Link);

        assert_eq!(sign_in.standing(at(7 * DAY - 1)), Standing::Holds);
        assert_eq!(sign_in.standing(at(7 * DAY)), Standing::Ended);
    }

    #[test]
    fn a_sign_in_that_is_used_daily_ends_after_thirty_days() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(29 * DAY);

        assert_eq!(sign_in.standing(at(30 * DAY - 1)), Standing::Holds);
        assert_eq!(sign_in.standing(at(30 * DAY)), Standing::Ended);
    }

    #[test]
    fn the_command_lines_sign_in_lives_as_long_as_its_token() {
        let sign_in = sign_in(Via::CommandLine);

        assert_eq!(sign_in.standing(at(599)), Standing::Holds);
        assert_eq!(sign_in.standing(at(600)), Standing::Ended);
    }

    #[test]
    fn a_sign_in_waits_for_a_clock_that_is_more_than_minutes_behind_it() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(DAY);
        let minutes = |minutes: u64| at(DAY - 60 * minutes);

        assert_eq!(sign_in.standing(minutes(5)), Standing::Holds);
        assert_eq!(sign_in.standing(minutes(6)), Standing::ClockIsBehind);
        assert_eq!(sign_in.standing(at(0)), Standing::ClockIsBehind);
        assert_eq!(sign_in.standing(at(2 * DAY)), Standing::Holds);
    }

    /// A guardian, and what signs them in.
    struct Fixture {
        records: Store,
        clock: ManualClock,
        identity: Identity,
        ada: Guardian,
        _data: tempfile::TempDir,
    }

    async fn fixture() -> Fixture {
        let data = tempfile::TempDir::new().unwrap();
        let records = Store::open(data.path(), false).unwrap();
        let clock = ManualClock::at(at(0));
        let identity = Identity::start(
            records.clone(),
            Clock::Manual(clock.clone()),
            Randomness::repeatable(),
            Mailer::Nobody,
            IdentitySettings::usual("https://porchlight.example".parse().unwrap()),
        );
        let identity = identity.await.unwrap();
        let email = "ada@example.org".parse::<EmailAddress>().unwrap();
        let (adding, added) = (identity.clone(), email);
        let ada = records.commit(move |change| adding.add_guardian(change, &added, None));
        let ada = ada.await.unwrap().unwrap();
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
            let (identity, ada) = (self.identity.clone(), self.ada.clone());
            let begun = self
                .records
                .commit(move |change| identity.begin_sign_in(change, &ada, via));
            begun.await.unwrap().unwrap().1
        }

        fn kept(&self) -> Vec<SignIn> {
            let kept = store::sign_ins(&self.records, &self.ada.id).unwrap();
            let kept = kept.readable.into_iter();
            kept.map(|(_, sign_in)| sign_in).collect()
        }
    }

    #[tokio::test]
    async fn a_clock_that_ran_a_year_ahead_forgets_no_sign_in() {
        let fixture = fixture().await;
        let before = fixture.sign_in(Via::Link).await;

        fixture.clock.set(at(365 * DAY));
        let refused = fixture.identity.refresh(before.reveal());
        assert!(matches!(refused, Err(IdentityError::SignInEnded)));
        let meanwhile = fixture.sign_in(Via::Link).await;
        fixture.clock.set(at(DAY));

        assert!(fixture.identity.refresh(before.reveal()).is_ok());
        let refused = fixture.identity.refresh(meanwhile.reveal());
        assert!(matches!(refused, Err(IdentityError::ClockIsBehind)));
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
        fixture.identity.refresh(cookie.reveal()).unwrap();
        fixture.clock.set(at(7 * DAY + 3_598));
        fixture.identity.refresh(cookie.reveal()).unwrap();

        // The note is a change of its own, which the next one comes after.
        let after = fixture.records.commit(|_| Ok::<_, StoreError>(()));
        tokio::task::yield_now().await;
        after.await.unwrap().unwrap();
        assert_eq!(noted(), at(7 * DAY + 3_598));
    }
}
