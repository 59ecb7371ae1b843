//! Stepping up at the provider: the guardian authenticates there again.

use super::{Completed, Provider, ProviderProblem, ProviderSignIns, account, redemption, store};
use crate::identity::SignedIn;
use crate::identity::sessions::sign_ins::SignInError;
use crate::kernel::store::{Purpose, StoreError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderOffer {
    /// Link the account there that has their address.
    Link,
    /// Step up with the linked account.
    StepUp,
}

impl ProviderSignIns {
    /// What a guardian can do at the provider; `None` if none is configured.
    pub fn offer_to(&self, signed_in: &SignedIn) -> Result<Option<ProviderOffer>, StoreError> {
        let Some(provider) = &self.provider else {
            return Ok(None);
        };
        let issuer = provider.settings.issuer().as_str();
        let account = store::account_of(&self.store, signed_in.guardian(), issuer)?;
        Ok(match account {
            None => Some(ProviderOffer::Link),
            Some(account) if account.lacks_auth_time => None,
            Some(_) => Some(ProviderOffer::StepUp),
        })
    }

    /// Steps up the sign-in of a guardian who has just authenticated at the provider. An unlinked account is linked to them if it
    /// has their address; that verifies an unverified address, if they have stepped up before. A guardian who is already stepped
    /// up may also link an account without a fresh proof.
    pub(super) async fn step_up_by_account(
        &self,
        provider: &Provider,
        account: redemption::Redeemed,
        who: SignedIn,
        is_fresh: bool,
    ) -> Result<Completed, ProviderProblem> {
        let email = match store::account(&self.store, &account.name)? {
            Some(bound) if bound.guardian == *who.guardian() => None,
            Some(_) => return Err(ProviderProblem::OtherAccount),
            None => Some(provider.email(&account).await?),
        };
        let (facade, now, by) = (self.clone(), self.clock.now(), who.clone());
        let stepped_up = self.store.commit_for(Purpose::Essential, move |change| {
            let before = facade.sign_ins.stepped_up(change, &by)?;
            let (stepped_up, links) = (before.as_ref(), email);
            let links = links.filter(|_| is_fresh || stepped_up.is_some());
            if let Some(email) = &links {
                let (guardians, id) = (&facade.guardians, by.guardian());
                account::bind_own(guardians, change, &account, email, id, stepped_up, now)?;
            } else {
                account::record_auth_time(change, &account)?;
            }
            if !is_fresh {
                return Ok(links.is_some());
            }
            let stepped_up = facade.sign_ins.step_up(change, &by);
            stepped_up.map(|_| true).map_err(|error| match error {
                // It was ended meanwhile.
                SignInError::Gone => ProviderProblem::Expired,
                SignInError::Store(error) => ProviderProblem::Store(error),
            })
        });
        if !stepped_up.await? {
            return Err(ProviderProblem::failed(
                "its ID token tells no fresh auth_time",
            ));
        }
        tracing::info!(guardian = %who.guardian, sign_in = %who.sign_in, "stepped up at the provider");
        Ok(Completed::SteppedUp)
    }
}
