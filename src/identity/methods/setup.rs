//! Setting the server up: in a store that never had a guardian, a link lets anybody who can read the server's terminal become the
//! first one.
//!
//! Each start makes a new link, which ends the one before. The link works repeatedly, for the same guardian, until they have
//! saved their recovery codes, because the browser opened by a phone's scanner may forget its cookies. Then setup is finished for
//! good, and also when a guardian is added, removed or signed out everywhere: from then on the administrator decides.

use std::sync::{Arc, Mutex, PoisonError};

use crate::identity::accounts::guardians::setup::{self, SetupState};
use crate::identity::accounts::guardians::{Guardian, Guardians};
use crate::identity::methods::recovery_codes::RecoveryCodes;
use crate::identity::sessions::sign_ins::{
    BeginSignInError, Device, IssuedIdentity, Refresh, SignIn, SignInContext, SignIns, Via,
};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose, Read, Store, StoreError};

/// Why a step of setting the server up failed.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The setup link is invalid or was replaced by a newer one, or setup is finished.
    #[error(
        "This link does not work any more. The newest one stands where Porchlight runs; `porchlight setup-link` shows it."
    )]
    LinkEnded,
    /// A guardian was already created with this setup link.
    #[error("Somebody has begun with this link already. Please open it again to go on.")]
    Begun,
    /// Setup can be finished only once recovery codes exist.
    #[error("Please make your recovery codes first.")]
    NoCodesYet,
    #[error(transparent)]
    Begin(#[from] BeginSignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    SetupError from Begin, Store {
        LinkEnded => unauthorized(SetupLinkInvalid) at "/token",
        Begun => conflict(SetupBegun),
        NoCodesYet => against_a_rule(RecoveryCodesMissing),
    }
}

#[derive(Clone)]
pub struct Setup {
    pub(in crate::identity) store: Store,
    pub(in crate::identity) randomness: Randomness,
    pub(in crate::identity) addresses: Addresses,
    pub(in crate::identity) guardians: Guardians,
    pub(in crate::identity) recovery_codes: RecoveryCodes,
    pub(in crate::identity) sign_ins: SignIns,
    /// This process's link; the store keeps only its hash.
    pub(in crate::identity) link: Arc<Mutex<Option<Secret>>>,
}

impl Setup {
    /// Makes this process's link, if no guardian was ever added.
    pub async fn open(&self) -> Result<(), StoreError> {
        if self.is_over()? {
            return Ok(());
        }
        let link = Secret::generate(SecretKind::Setup, &self.randomness);
        let (setup, hash) = (self.clone(), link.hash());
        let opened = self.store.commit_for(Purpose::Essential, move |change| {
            if setup.is_over_in(change)? {
                return Ok(false);
            }
            let guardian = match setup::state(change)? {
                Some(SetupState::Open { guardian, .. }) => guardian,
                _ => None,
            };
            let link = hash;
            setup::put(change, &SetupState::Open { link, guardian })?;
            Ok::<_, StoreError>(true)
        });
        let opened = match opened.await {
            // A full disk doesn't prevent the server from starting.
            Err(StoreError::Full) => false,
            other => other?,
        };
        if opened {
            *self.link.lock().unwrap_or_else(PoisonError::into_inner) = Some(link);
        }
        Ok(())
    }

    /// The URL of the setup page, until setup is finished. The token is in the fragment, which browsers send neither to servers
    /// nor in `Referer`.
    pub fn link(&self) -> Result<Option<String>, StoreError> {
        if self.is_over()? {
            return Ok(None);
        }
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        let page = |link: &Secret| format!("/welcome#setup={}", link.reveal());
        Ok(link
            .as_ref()
            .map(|link| self.addresses.for_links().page(&page(link))))
    }

    pub fn is_over(&self) -> Result<bool, StoreError> {
        self.is_over_in(&self.store)
    }

    /// A store without a setup record is set up if it has guardians.
    fn is_over_in(&self, view: &impl Read) -> Result<bool, StoreError> {
        match setup::state(view)? {
            Some(state) => Ok(state == SetupState::Closed),
            None => self.guardians.are_there(view),
        }
    }

    /// Returns once setup is finished, or the store is closed.
    pub async fn wait_until_over(&self) {
        let mut changes = self.store.changes();
        while matches!(self.is_over(), Ok(false)) {
            if changes.next().await.is_none() {
                return;
            }
        }
    }

    /// The guardian who was created with this link, if any.
    fn begun_by(&self, view: &impl Read, token: &str) -> Result<Option<GuardianId>, SetupError> {
        let token = Secret::parse(SecretKind::Setup, token);
        match (setup::state(view)?, token) {
            (Some(SetupState::Open { link, guardian }), Some(token)) if link == token.hash() => {
                Ok(guardian)
            }
            _ => Err(SetupError::LinkEnded),
        }
    }

    /// Signs in the guardian who was created with this link; `None` if nobody was yet.
    pub async fn sign_in(
        &self,
        token: &str,
        device: Device,
    ) -> Result<Option<(IssuedIdentity, Refresh)>, SetupError> {
        let (setup, token) = (self.clone(), token.to_owned());
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            let Some(id) = setup.begun_by(change, &token)? else {
                return Ok::<_, SetupError>(None);
            };
            let guardian = setup.guardians.find_by_id(change, &id)?;
            let guardian = guardian.ok_or(SetupError::LinkEnded)?;
            Ok(Some(setup.sign_in_as(change, guardian, device)?))
        });
        let Some((guardian, sign_in, refresh)) = begun.await? else {
            return Ok(None);
        };
        Ok(Some((self.sign_ins.issue(guardian, &sign_in), refresh)))
    }

    /// Makes the holder of the link the first guardian, with an unverified address, and signs them in. `with` adds the
    /// household's other data in the same change. Fails also with the errors of `with`.
    pub async fn begin<E>(
        &self,
        token: &str,
        name: String,
        email: EmailAddress,
        device: Device,
        with: impl FnOnce(&mut Change, &Guardian) -> Result<(), E> + Send + 'static,
    ) -> Result<(IssuedIdentity, Refresh), E>
    where
        E: From<SetupError> + From<StoreError> + Send + 'static,
    {
        let (setup, token) = (self.clone(), token.to_owned());
        let begun = self.store.commit(move |change| {
            if setup.begun_by(change, &token)?.is_some() {
                return Err(E::from(SetupError::Begun));
            }
            let guardian = setup.guardians.add_first(change, email, name)?;
            with(change, &guardian)?;
            Ok(setup.sign_in_as(change, guardian, device)?)
        });
        let (guardian, sign_in, refresh) = begun.await?;
        tracing::info!(guardian = %guardian.id, "the first run has begun");
        Ok((self.sign_ins.issue(guardian, &sign_in), refresh))
    }

    fn sign_in_as(
        &self,
        change: &mut Change,
        guardian: Guardian,
        device: Device,
    ) -> Result<(Guardian, SignIn, Refresh), SetupError> {
        // The holder of the link has access to the administrator's terminal, so a suspension is lifted.
        self.guardians.reinstate(change, &guardian.id)?;
        let sign_ins = &self.sign_ins;
        let via = Via::Setup;
        let arrival = SignInContext { via, device };
        let (sign_in, refresh) = sign_ins.begin_stepped_up(change, &guardian, arrival)?;
        Ok((guardian, sign_in, refresh))
    }

    /// Finishes setup, after the guardian has saved their recovery codes. Does nothing if it is finished already.
    pub async fn finish(&self, signed_in: &SignedIn) -> Result<(), SetupError> {
        let (setup, who) = (self.clone(), signed_in.guardian().clone());
        let finished = self.store.commit_for(Purpose::Essential, move |change| {
            match setup::state(change)? {
                Some(SetupState::Open { guardian, .. }) if guardian.as_ref() == Some(&who) => {}
                _ => return Ok(()),
            }
            match setup.recovery_codes.left(change, &who)? {
                Some(_) => Ok(setup::close(change)?),
                None => Err(SetupError::NoCodesYet),
            }
        });
        finished.await
    }
}
