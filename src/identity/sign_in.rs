//! Signing in, staying signed in, and signing out.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::guardians::Guardian;
use super::link::LinkError;
use super::token::Verified;
use super::{Caller, Identity, IdentityError, SignedAssistant, SignedIn, store};
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::{GuardianId, SignInId};
use crate::kernel::mail::EmailAddress;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, StoreError};

/// How long a sign-in holds without being used (contract, section 4).
const IDLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a sign-in holds at most (contract, section 4).
pub const LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

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

impl SignIn {
    /// Whether it still holds.
    pub fn holds(&self, now: Timestamp) -> bool {
        // What lies in the future was written by a clock that has since been set back.
        let in_order = self.started_at <= now && self.used_at <= now;
        in_order && now < self.used_at.after(IDLE) && now < self.ends_at()
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
        let used = self.store.commit(move |change| {
            let Some(mut link) = store::link(change, hash)? else {
                return Ok(Err(LinkError::Unknown));
            };
            let outcome = link.use_up(&email, now);
            store::put_link(change, hash, &link)?;
            // A refusal is kept too, because it counts the wrong address: hence the inner result.
            if let Err(problem) = outcome {
                return Ok::<_, StoreError>(Err(problem));
            }
            let Some(guardian) = store::guardian(change, &link.guardian)? else {
                return Ok(Err(LinkError::Unknown));
            };
            let (sign_in, refresh) = identity.begin_sign_in(change, &guardian, Via::Link)?;
            Ok(Ok((guardian, sign_in, refresh)))
        });
        let (guardian, sign_in, refresh) = used.await???;
        tracing::info!(guardian = %guardian.id, sign_in = %sign_in.id, "signed in");
        Ok((self.issue(guardian, &sign_in), refresh))
    }

    /// Begins a sign-in: its record, and the secret of its cookie. What has ended by now is forgotten.
    pub(super) fn begin_sign_in(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        via: Via,
    ) -> Result<(SignIn, Refresh), StoreError> {
        let refresh = Secret::generate(SecretKind::Refresh, &self.randomness);
        let id = SignInId::generate(&self.randomness);
        let sign_in = begin(id, guardian, via, self.clock.now());
        forget_ended(change, &guardian.id, sign_in.started_at)?;
        store::put_sign_in(change, refresh.hash(), &sign_in)?;
        Ok((sign_in, refresh))
    }

    /// Mints an identity token for the sign-in that the cookie names.
    ///
    /// # Errors
    ///
    /// [`IdentityError::SignInEnded`] when it no longer holds.
    pub async fn refresh(&self, cookie: &str) -> Result<IssuedIdentity, IdentityError> {
        let refresh =
            Secret::parse(SecretKind::Refresh, cookie).ok_or(IdentityError::SignInEnded)?;
        let (hash, now) = (refresh.hash(), self.clock.now());
        let used = self.store.commit(move |change| {
            let Some(mut sign_in) = store::sign_in(change, hash)? else {
                return Ok(None);
            };
            let guardian = store::guardian(change, &sign_in.guardian)?;
            let Some(guardian) = guardian.filter(|_| sign_in.holds(now)) else {
                store::remove_sign_in(change, hash, &sign_in)?;
                return Ok::<_, StoreError>(None);
            };
            sign_in.used_at = now;
            store::put_sign_in(change, hash, &sign_in)?;
            Ok(Some((guardian, sign_in)))
        });
        let (guardian, sign_in) = used.await??.ok_or(IdentityError::SignInEnded)?;
        Ok(self.issue(guardian, &sign_in))
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
        let ended = self.store.commit(move |change| {
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
        let begun = self
            .store
            .commit(move |change| identity.begin_sign_in(change, &whose, Via::CommandLine));
        let (sign_in, _) = begun.await??;
        Ok(self.issue(guardian, &sign_in))
    }

    /// Who is signed in with this identity token, if anybody.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn verify(&self, token: &str) -> Result<Option<SignedIn>, StoreError> {
        // A token that doesn't hold isn't remembered: there is no end of them.
        let found = self.verified.get_by(token, |view| {
            let (named, ends) = self.tokens.verify(token).ok_or(None)?;
            let sign_in = store::sign_in_by_id(view, &named.guardian, &named.sign_in)?;
            Ok(Verified {
                sign_in: sign_in.ok_or(None)?,
                named,
                ends,
            })
        });
        let now = self.clock.now();
        match found {
            Ok(found) if now < found.ends && found.sign_in.holds(now) => Ok(Some(found.named)),
            Ok(_) | Err(None) => Ok(None),
            Err(Some(error)) => Err(error),
        }
    }

    /// Whose credential this is, of whichever kind.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn recognise(&self, credential: &str) -> Result<Option<Recognised>, StoreError> {
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

/// Removes the guardian's sign-ins that hold no more.
fn forget_ended(
    change: &mut Change,
    guardian: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let ended = store::sign_ins(change, guardian)?.readable.into_iter();
    for (hash, sign_in) in ended.filter(|(_, sign_in)| !sign_in.holds(now)) {
        store::remove_sign_in(change, hash, &sign_in)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{IdentitySettings, token};
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

        assert!(sign_in.holds(at(7 * DAY - 1)));
        assert!(!sign_in.holds(at(7 * DAY)));
    }

    #[test]
    fn a_sign_in_that_is_used_daily_ends_after_thirty_days() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(29 * DAY);

        assert!(sign_in.holds(at(30 * DAY - 1)));
        assert!(!sign_in.holds(at(30 * DAY)));
    }

    #[test]
    fn the_command_lines_sign_in_lives_as_long_as_its_token() {
        let sign_in = sign_in(Via::CommandLine);

        assert!(sign_in.holds(at(599)));
        assert!(!sign_in.holds(at(600)));
    }

    #[test]
    fn a_sign_in_from_the_future_does_not_hold() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(10);

        assert!(!sign_in.holds(at(9)));
    }

    #[tokio::test]
    async fn a_new_sign_in_forgets_those_that_have_ended() {
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
        let (house, added) = (identity.clone(), email.clone());
        let ada = records.commit(move |change| house.add_guardian(change, &added, None));
        let ada = ada.await.unwrap().unwrap();
        let kept = || store::sign_ins(&records, &ada.id).unwrap().readable.len();

        identity.token_for(&email).await.unwrap();
        identity.token_for(&email).await.unwrap();
        assert_eq!(kept(), 2);
        clock.advance(token::LIFE);
        identity.token_for(&email).await.unwrap();

        assert_eq!(kept(), 1);
    }
}
