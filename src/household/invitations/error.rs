use crate::children::ChildrenError;
use crate::household::management::ManagementError;
use crate::household::quotas::QuotaError;
use crate::identity::{BeginSignInError, EmailError, SignInError};
use crate::kernel::host::name::NotAName;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum InvitationError {
    /// The guardian joined by an invitation less than a day ago, and can't invite others yet.
    #[error("You joined by an invitation, so you can invite others 24 hours after you joined.")]
    InvitedThemselves,
    /// The invitation's link is invalid, or was used, cancelled or has expired.
    #[error(
        "This invitation does not work any more. Please ask whoever invited you for a new one."
    )]
    Ended,
    /// The guardian who accepts already has all of the children.
    #[error("You see these children already. The link is for somebody else.")]
    ChildrenAlreadyTheirs,
    /// The link wasn't sent by e-mail, and the guardian who accepts gave no address.
    #[error("Please give your e-mail address.")]
    NoAddress,
    #[error(transparent)]
    Name(#[from] NotAName),
    #[error(transparent)]
    Management(#[from] ManagementError),
    #[error(transparent)]
    Quota(#[from] QuotaError),
    #[error(transparent)]
    Begin(#[from] BeginSignInError),
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    SignIn(#[from] SignInError),
    /// A child isn't this guardian's.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    InvitationError from Management, Quota, Begin, Email, SignIn, Children, Store {
        InvitedThemselves => against_a_rule(InvitedTooRecently),
        Ended => against_a_rule(InvitationInvalid) at "/token",
        ChildrenAlreadyTheirs => conflict(ChildrenAlreadyYours),
        NoAddress => against_a_rule(EmailMissing) at "/email",
        Name(error) => from(error) at "/name",
    }
}
