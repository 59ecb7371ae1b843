//! The plain address of a home with a name for https. It is closed for a guardian who has signed in at the name, as long as the
//! name can be used.

use super::{SignIns, Via, store};
use crate::identity::GuardianId;
use crate::identity::accounts::guardians::Guardian;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, StoreError};

/// The guardian has signed in at the home's name for https, which can be used: the plain address is closed for them.
#[derive(Debug, thiserror::Error)]
#[error(
    "You have signed in at {0}. Please open Porchlight there: this address is closed for you as long as that works."
)]
pub struct OpenTheName(pub PublicUrl);

refusals! { OpenTheName(url) => forbidden(OpenTheName { url: url.origin() }) }

impl SignIns {
    /// Fails if this is the plain address, and it is closed for this guardian.
    pub(super) fn require_open(
        &self,
        guardian: &Guardian,
        at_name: bool,
    ) -> Result<(), OpenTheName> {
        match &self.named {
            Some(named) if !at_name && guardian.uses_name && named.status.is_usable() => {
                Err(OpenTheName(named.url.clone()))
            }
            _ => Ok(()),
        }
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
