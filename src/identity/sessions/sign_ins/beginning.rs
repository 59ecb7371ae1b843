//! Beginning a sign-in; also signing up, signing in from another device, and the administrator's token.

use super::plain_address::OpenTheName;
use super::sign_in::{Device, SignIn, SignInContext, Via};
use super::{IssuedIdentity, Refresh, SignIns, store};
use crate::identity::accounts::guardians::{Guardian, GuardianName, GuardianNameError};
use crate::identity::{GuardianId, SignInId, SignedIn};
use crate::kernel::host::language::Language;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose, StoreError};

/// Why a sign-in didn't begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginSignInError {
    #[error(transparent)]
    OpenTheName(#[from] OpenTheName),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! { BeginSignInError from OpenTheName, Store }

/// A person who becomes a guardian.
#[derive(Clone, Debug)]
pub struct NewGuardian {
    pub name: String,
    pub email: EmailAddress,
    /// Whether they used a link from an e-mail to the address. If not, or if another guardian has verified it, the address is
    /// unverified.
    pub answered_email: bool,
    pub invited_by: GuardianId,
}

impl SignIns {
    /// Adds a guardian and signs them in. `with` adds further data in the same change. The sign-in isn't stepped up. Fails with
    /// the errors of `with`.
    pub async fn sign_up<E>(
        &self,
        new_guardian: NewGuardian,
        via: Via,
        device: Device,
        with: impl FnOnce(&mut Change, &Guardian) -> Result<(), E> + Send + 'static,
    ) -> Result<(IssuedIdentity, Refresh), E>
    where
        E: From<BeginSignInError> + From<StoreError> + Send + 'static,
    {
        let sign_ins = self.clone();
        let begun = self.store.commit(move |change| {
            let NewGuardian {
                name,
                email,
                answered_email,
                invited_by,
            } = new_guardian;
            let guardian =
                sign_ins
                    .guardians
                    .add_newcomer(change, email, name, answered_email, invited_by)?;
            with(change, &guardian)?;
            let (sign_in, refresh) =
                sign_ins.begin(change, &guardian, SignInContext { via, device })?;
            Ok::<_, E>((guardian, sign_in, refresh))
        });
        let (guardian, sign_in, refresh) = begun.await?;
        tracing::info!(guardian = %guardian.id, "a new guardian has signed up");
        Ok((self.issue(guardian, &sign_in), refresh))
    }

    /// Signs in a device that another signed-in device has confirmed. The sign-in isn't stepped up. `None` if the other
    /// device's sign-in has ended.
    pub(in crate::identity) async fn sign_in_by_pairing(
        &self,
        by: SignedIn,
        device: Device,
    ) -> Result<Option<(IssuedIdentity, Refresh)>, BeginSignInError> {
        let sign_ins = self.clone();
        let paired = self.store.commit_for(Purpose::Essential, move |change| {
            if !sign_ins.validity.holds(change, &by.guardian, &by.sign_in)? {
                return Ok::<_, BeginSignInError>(None);
            }
            let Some(guardian) = sign_ins.guardians.find_admitted(change, &by.guardian)? else {
                return Ok(None);
            };
            let via = Via::Pairing;
            let (mut sign_in, refresh) =
                sign_ins.begin(change, &guardian, SignInContext { via, device })?;
            sign_in.let_in_by = Some(by.sign_in);
            store::put(change, refresh.hash(), &sign_in)?;
            sign_ins.notify_by_email(change, &sign_in)?;
            Ok(Some((guardian, sign_in, refresh)))
        });
        let Some((guardian, sign_in, refresh)) = paired.await? else {
            return Ok(None);
        };
        tracing::info!(guardian = %guardian.id, sign_in = %sign_in.id, "another device was signed in");
        Ok(Some((self.issue(guardian, &sign_in), refresh)))
    }

    /// Begins a sign-in. Returns its record and the secret of its cookie. If it fails, the change doesn't use the credential up.
    pub(in crate::identity) fn begin(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        arrival: SignInContext,
    ) -> Result<(SignIn, Refresh), BeginSignInError> {
        self.require_open(guardian, arrival.device.at_name)?;
        let language = arrival.device.language;
        let sign_in = self.new_sign_in(guardian, arrival);
        Ok(self.put_new(change, guardian, language, sign_in)?)
    }

    /// Begins a sign-in that is already stepped up. Fails as [`SignIns::begin`].
    pub(in crate::identity) fn begin_stepped_up(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        arrival: SignInContext,
    ) -> Result<(SignIn, Refresh), BeginSignInError> {
        self.require_open(guardian, arrival.device.at_name)?;
        Ok(self.put_stepped_up(change, guardian, arrival)?)
    }

    fn new_sign_in(&self, guardian: &Guardian, arrival: SignInContext) -> SignIn {
        let id = SignInId::generate(&self.randomness);
        SignIn::begin(id, guardian, arrival, self.clock.now())
    }

    fn put_stepped_up(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        arrival: SignInContext,
    ) -> Result<(SignIn, Refresh), StoreError> {
        let language = arrival.device.language;
        let mut sign_in = self.new_sign_in(guardian, arrival);
        sign_in.step_up(sign_in.started_at);
        self.put_new(change, guardian, language, sign_in)
    }

    fn put_new(
        &self,
        change: &mut Change,
        guardian: &Guardian,
        language: Option<Language>,
        mut sign_in: SignIn,
    ) -> Result<(SignIn, Refresh), StoreError> {
        if sign_in.at_name {
            self.guardians.record_name(change, &guardian.id)?;
            sign_in.ended_plain = Self::end_plain(change, &guardian.id)?;
        }
        // E-mails are in the first browser's language until the guardian chooses one.
        if let Some(language) = language
            && guardian.language.is_none()
        {
            self.guardians
                .set_language(change, &guardian.id, language)?;
        }
        let refresh = Secret::generate(SecretKind::Refresh, &self.randomness);
        self.forget_ended(change, &sign_in.guardian, sign_in.started_at)?;
        let others = store::of(change, &sign_in.guardian)?.readable;
        let is_elsewhere =
            |(_, other): &(_, SignIn)| self.is_on_a_device(other, sign_in.started_at);
        let last = others.iter().map(|(_, other)| other.order).max();
        sign_in.order = last.unwrap_or(0).saturating_add(1);
        sign_in.is_new = sign_in.via != Via::CommandLine
            && (!sign_in.via.is_independent() || others.iter().any(is_elsewhere));
        store::put(change, refresh.hash(), &sign_in)?;
        Ok((sign_in, refresh))
    }

    /// Issues an identity token for the Swagger UI and scripts, also while the plain address is closed for the guardian.
    pub async fn token_for(
        &self,
        whom: &GuardianName,
    ) -> Result<IssuedIdentity, GuardianNameError> {
        let guardian = self.guardians.named(&self.store, whom)?;
        let (sign_ins, whose) = (self.clone(), guardian.clone());
        // Nobody has this secret, so the sign-in can't be refreshed: it lives as long as its token.
        let begun = self.store.commit_for(Purpose::Essential, move |change| {
            sign_ins.guardians.reinstate(change, &whose.id)?;
            let (via, device) = (Via::CommandLine, Device::default());
            sign_ins.put_stepped_up(change, &whose, SignInContext { via, device })
        });
        let (sign_in, _) = begun.await?;
        Ok(self.issue(guardian, &sign_in))
    }
}
