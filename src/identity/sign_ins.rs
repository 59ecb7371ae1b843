//! A guardian's sign-ins, so that they can see them and end one that isn't theirs.

use std::cmp::Reverse;

use super::sign_in::{SignIn, Standing};
use super::{Identity, IdentityError, SignedIn, store};
use crate::kernel::ids::SignInId;
use crate::kernel::store::{Purpose, StoreError};

impl Identity {
    /// The guardian's sign-ins that have not ended, the one used last first.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_sign_ins(&self, signed_in: &SignedIn) -> Result<Vec<SignIn>, StoreError> {
        let now = self.clock.now();
        let kept = store::sign_ins(&self.store, signed_in.guardian())?.readable;
        let mut sign_ins = Vec::new();
        for (_, mut sign_in) in kept {
            if self.standing(&sign_in, now) != Standing::Ended {
                sign_in.used_at = self.last_use(&sign_in);
                sign_ins.push(sign_in);
            }
        }
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
        let ended =
            self.store
                .commit_for(Purpose::Essential, move |change| match store::end_sign_in(
                    change, &guardian, &id,
                )? {
                    true => Ok(()),
                    false => Err(IdentityError::NoSuchSignIn),
                });
        ended.await??;
        tracing::info!(guardian = %signed_in.guardian(), "a sign-in was ended");
        Ok(())
    }
}
