//! Stepping up at the provider: the guardian proves there again who they are.

use super::{Completed, Provider, ProviderProblem, ProviderSignIns, account, redemption, store};
use crate::identity::{IdentityError, SignedIn};
use crate::kernel::store::Purpose;

impl ProviderSignIns {
    /// Steps a sign-in up whose guardian has just proved at the provider who they are. An account that is nobody's yet becomes
    /// theirs if it has their address; that confirms an address that was only typed, if they have stepped up already.
    pub(super) async fn step_up_by_account(
        &self,
        provider: &Provider,
        account: redemption::Redeemed,
        who: SignedIn,
    ) -> Result<Completed, ProviderProblem> {
        let email = match store::account(&self.store, &account.name)? {
            Some(bound) if bound.guardian == *who.guardian() => None,
            Some(_) => return Err(ProviderProblem::OtherAccount),
            None => Some(provider.verified_email(&account).await?),
        };
        let (facade, name, now, by) = (self.clone(), account.name, self.clock.now(), who.clone());
        let stepped_up = self.store.commit_for(Purpose::Essential, move |change| {
            if let Some(email) = email {
                let may_prove = facade.sign_ins.has_stepped_up(change, &by)?;
                let (guardians, id) = (&facade.guardians, by.guardian());
                account::bind_own(guardians, change, &name, &email, id, may_prove, now)?;
            }
            let stepped_up = facade.sign_ins.step_up(change, &by);
            // It was ended meanwhile.
            stepped_up.map_err(|error| match error {
                IdentityError::Store(error) => ProviderProblem::Store(error),
                _ => ProviderProblem::Expired,
            })
        });
        stepped_up.await??;
        tracing::info!(guardian = %who.guardian, sign_in = %who.sign_in, "stepped up at the provider");
        Ok(Completed::SteppedUp)
    }
}
