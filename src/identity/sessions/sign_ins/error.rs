//! Why a sign-in no longer counts.

use super::plain_address::OpenTheName;
use super::validity::ClockIsBehind;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

/// Why somebody isn't signed in any more.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// The sign-in or its guardian is gone.
    #[error("You are not signed in any more. Please sign in again.")]
    Gone,
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    SignInError from Store {
        Gone => unauthorized(SignInAgainRequired),
    }
}

/// Why a cookie got no identity token.
#[derive(Debug, thiserror::Error)]
pub enum RefreshError {
    /// The cookie belongs to no sign-in.
    #[error("You are not signed in any more. Please sign in again.")]
    Gone,
    /// The sign-in has expired by the server's clock.
    #[error("You are not signed in any more. Please sign in again.")]
    Expired,
    #[error(transparent)]
    OpenTheName(#[from] OpenTheName),
    #[error(transparent)]
    ClockIsBehind(#[from] ClockIsBehind),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    RefreshError from OpenTheName, ClockIsBehind, Store {
        Gone | Expired => unauthorized(SignInAgainRequired),
    }
}

/// Why it is unknown whether an identity token is valid.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error(transparent)]
    ClockIsBehind(#[from] ClockIsBehind),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! { TokenError from ClockIsBehind, Store }

/// Why a sign-in wasn't ended.
#[derive(Debug, thiserror::Error)]
pub enum EndSignInError {
    /// There is no such sign-in, or it belongs to another guardian.
    #[error("There is no such sign-in.")]
    NoSuchSignIn,
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    EndSignInError from Store {
        NoSuchSignIn => not_there,
    }
}
