//! The plain address of a home with a name for https. It is closed for a guardian who has signed in at the name, as long as the
//! name can be used.

use super::{SignIns, Via, store};
use crate::identity::GuardianId;
use crate::identity::accounts::guardians::Guardian;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::store::{Change, StoreError};

impl SignIns {
    /// The name's URL if the plain address is closed for this guardian.
    pub(super) fn closed_plain(&self, guardian: &Guardian) -> Option<&PublicUrl> {
        let named = self.named.as_ref()?;
        (guardian.uses_name && named.status.is_usable()).then_some(&named.url)
    }

    /// Ends a guardian's sign-ins at the plain address: anybody on the Wi-Fi may have read their cookies, which would count again
    /// whenever the name can't be used. Returns whether there were any.
    pub(super) fn end_plain(
        change: &mut Change,
        guardian: &GuardianId,
    ) -> Result<bool, StoreError> {
        let mut plain = store::of(change, guardian)?.readable;
        plain.retain(|(_, sign_in)| !sign_in.at_name && sign_in.via != Via::CommandLine);
        for (hash, sign_in) in &plain {
            store::remove(change, *hash, sign_in)?;
        }
        Ok(!plain.is_empty())
    }
}
