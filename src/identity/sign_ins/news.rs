//! A new sign-in is seen: on the guardian's other devices, until they say that it was them, and by letter.

use super::sign_in::{SignIn, Standing};
use super::{SignIns, store};
use crate::identity::guardians::Guardian;
use crate::identity::{IdentityError, SignedIn, letters};
use crate::kernel::store::{Purpose, StoreError};

impl SignIns {
    /// How many new sign-ins of the guardian's there are elsewhere. What cannot be read isn't counted, as the list of sign-ins
    /// then says so.
    pub(super) fn count_new(&self, current: &SignIn) -> u64 {
        let Ok(all) = store::of(&self.store, &current.guardian) else {
            return 0;
        };
        let now = self.clock.now();
        let is_new = |other: &SignIn| {
            other.is_news_to(&current.id) && self.standing(other, now) == Standing::Holds
        };
        let new = all.readable.iter().filter(|(_, other)| is_new(other));
        new.count() as u64
    }

    /// Notes that the guardian has seen the new sign-ins elsewhere, and that it was them. A sign-in says so of others alone, so
    /// that no stranger's says it of itself.
    ///
    /// # Errors
    ///
    /// The store's.
    pub async fn see(&self, signed_in: &SignedIn) -> Result<(), IdentityError> {
        let who = signed_in.clone();
        let seen = self.store.commit_for(Purpose::Essential, move |change| {
            for (hash, mut sign_in) in store::of(change, &who.guardian)?.readable {
                if sign_in.is_new && sign_in.id != who.sign_in {
                    sign_in.is_new = false;
                    store::put(change, hash, &sign_in)?;
                }
            }
            Ok::<_, StoreError>(())
        });
        Ok(seen.await??)
    }

    /// Tells the guardian of a sign-in that no letter has led to. Nobody waits for it.
    pub(in crate::identity) fn tell_by_letter(&self, guardian: &Guardian, sign_in: &SignIn) {
        let device = sign_in.device.as_deref().unwrap_or("an unknown device");
        let at = self.notices.time_zone.in_words(sign_in.started_at);
        let letter = letters::new_sign_in(guardian, device, &at);
        self.notices.send(guardian, letter);
    }
}
