use super::subscription::RuleBroken;
use crate::children::ChildrenError;
use crate::identity::{EmailError, SignInError, StepUpError};
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::push::{InvalidDeviceKeys, InvalidEndpoint};
use crate::kernel::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum NotificationsError {
    /// The subscription has been changed since.
    #[error(
        "Your choices were changed meanwhile. Please look at them again and repeat your change."
    )]
    Changed,
    #[error(transparent)]
    Rule(#[from] RuleBroken),
    /// A chosen child isn't the guardian's, or isn't there.
    #[error("There is no such child.")]
    NoSuchChild,
    /// The administrator names no ntfy server.
    #[error(
        "This server cannot send notifications. Whoever looks after it can set that up (--ntfy)."
    )]
    NoNotifications,
    /// The server has no https address. Browsers subscribe to push messages only over https.
    #[error(
        "This server cannot notify devices. Whoever looks after it can set up https for that (--https-name)."
    )]
    NoPush,
    /// The browser subscribed with another key of the server.
    #[error(
        "This server has a new key for notifications. Please load the page again and switch them on."
    )]
    PushKeyReplaced,
    #[error(transparent)]
    InvalidEndpoint(#[from] InvalidEndpoint),
    #[error(transparent)]
    InvalidDeviceKeys(#[from] InvalidDeviceKeys),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Email(#[from] EmailError),
    #[error(transparent)]
    SignIn(#[from] SignInError),
    #[error(transparent)]
    StepUp(#[from] StepUpError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    NotificationsError from Rule, Children, Email, SignIn, StepUp, Store {
        Changed => changed(NotificationsChanged),
        NoSuchChild => not_there at "/at_once/children",
        NoNotifications => conflict(NotificationsNotConfigured),
        NoPush => conflict(PushNotConfigured),
        PushKeyReplaced => conflict(PushKeyReplaced),
        InvalidEndpoint(_) => against_a_rule(PushEndpointUnknown) at "/endpoint",
        InvalidDeviceKeys(_) => against_a_rule(PushKeysInvalid) at "/p256dh",
    }
}
