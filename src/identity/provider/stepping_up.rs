//! Stepping up at the provider: the guardian proves there again who they are.

use super::{Completed, Provider, ProviderProblem, ProviderSignIns, account, redemption, store};
use crate::identity::{IdentityError, SignedIn};
use crate::kernel::store::{Purpose, StoreError};

/// What a guardian can do at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderOffer {
    /// Link the account there that has their address.
    Link,
    /// Step up with the account that is linked.
    StepUp,
}

impl ProviderSignIns {
    /// What a guardian can do at the provider that is configured; `None` without one.
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

    /// Steps a sign-in up whose guardian has just proved at the provider who they are. An account that is nobody's yet becomes
    /// theirs if it has their address; that confirms an address that was only typed, if they have stepped up already. Who has
    /// may also link an account without a fresh proof.
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
            let has_stepped_up = facade.sign_ins.has_stepped_up(change, &by)?;
            let links = email.filter(|_| is_fresh || has_stepped_up);
            if let Some(email) = &links {
                let (guardians, id) = (&facade.guardians, by.guardian());
                account::bind_own(guardians, change, &account, email, id, has_stepped_up, now)?;
            } else {
                account::note_auth_time(change, &account)?;
            }
            if !is_fresh {
                return Ok(links.is_some());
            }
            let stepped_up = facade.sign_ins.step_up(change, &by);
            // It was ended meanwhile.
            stepped_up.map(|_| true).map_err(|error| match error {
                IdentityError::Store(error) => ProviderProblem::Store(error),
                _ => ProviderProblem::Expired,
            })
        });
        if !stepped_up.await?? {
            return Err(ProviderProblem::failed(
                "its ID token tells no fresh auth_time",
            ));
        }
        tracing::info!(guardian = %who.guardian, sign_in = %who.sign_in, "stepped up at the provider");
        Ok(Completed::SteppedUp)
    }
}
