use crate::identity::emails::EmailError;
use crate::identity::sessions::sign_ins::SignInError;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

/// Why changing an address failed.
#[derive(Debug, thiserror::Error)]
pub enum AddressChangeError {
    /// The new address is the guardian's present one.
    #[error("This is your address already.")]
    OwnAddress,
    /// The e-mailed link that confirms or cancels an address change is invalid or has expired.
    #[error(
        "This link does not work any more. If you still want to change your address, please ask for it again."
    )]
    LinkEnded,
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    AddressChangeError from Email, SignIn, Store {
        OwnAddress => against_a_rule(AddressUnchanged) at "/email",
        LinkEnded => against_a_rule(AddressLinkInvalid) at "/token",
    }
}
