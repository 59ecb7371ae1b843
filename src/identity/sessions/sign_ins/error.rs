//! Why a sign-in doesn't begin, or no longer counts.

use crate::kernel::host::public_url::PublicUrl;
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

/// The guardian has signed in at the home's name for https, which can be used: the plain address is closed for them.
#[derive(Debug, thiserror::Error)]
#[error(
    "You have signed in at {0}. Please open Porchlight there: this address is closed for you as long as that works."
)]
pub struct OpenTheName(pub PublicUrl);

refusals! { OpenTheName(url) => forbidden(OpenTheName { url: url.origin() }) }

/// The clock shows an earlier time than when the sign-in was last used.
#[derive(Debug, thiserror::Error)]
#[error(
    "The clock of this server is behind: it shows a time before you last signed in. You stay signed in; please try \
     again when the clock is right."
)]
pub struct ClockIsBehind;

refusals! { ClockIsBehind => not_now(ClockBehind, 60) }

/// Why a sign-in didn't begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginSignInError {
    #[error(transparent)]
    OpenTheName(#[from] OpenTheName),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! { BeginSignInError from OpenTheName, Store }

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
