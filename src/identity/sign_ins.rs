//! A guardian's sign-ins, so that they can see them and end one that isn't theirs.

use std::cmp::Reverse;

use super::sign_in::SignIn;
use super::{Identity, IdentityError, SignedIn, store};
use crate::kernel::ids::SignInId;
use crate::kernel::store::StoreError;

impl Identity {
    /// The guardian's sign-ins that hold, the one used last first.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_sign_ins(&self, signed_in: &SignedIn) -> Result<Vec<SignIn>, StoreError> {
        let now = self.clock.now();
        let kept = store::sign_ins(&self.store, signed_in.guardian())?.into_iter();
        let holding = kept.filter_map(|(_, sign_in)| sign_in.holds(now).then_some(sign_in));
        let mut sign_ins = holding.collect::<Vec<_>>();
        sign_ins.sort_by_key(|sign_in| Reverse((sign_in.used_at, sign_in.started_at)));
        Ok(sign_ins)
    }

    /// Ends one of the guardian's sign-ins, at once.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchSignIn`] when it isn't there, or isn't theirs.
    pub async fn end_sign_in(
        &self,
        signed_in: &SignedIn,
        id: SignInId,
    ) -> Result<(), IdentityError> {
        let guardian = signed_in.guardian().clone();
        let ended = self.store.commit(move |change| {
            let found = store::sign_ins(change, &guardian)?.into_iter();
            let mut named = found.filter(|(_, sign_in)| sign_in.id == id);
            let Some((hash, sign_in)) = named.next() else {
                return Err(IdentityError::NoSuchSignIn);
            };
            Ok(store::remove_sign_in(change, hash, &sign_in)?)
        });
        ended.await??;
        tracing::info!(guardian = %signed_in.guardian(), "a sign-in was ended");
        Ok(())
    }
}
