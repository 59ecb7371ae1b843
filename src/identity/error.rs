use super::{GuardianId, LinkError};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::limit::TooMany;
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::outgoing::queue::QueueError;
use crate::kernel::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The cookie belongs to no sign-in.
    #[error("You are not signed in any more. Please sign in again.")]
    SignInGone,
    /// The sign-in has expired by the server's clock.
    #[error("You are not signed in any more. Please sign in again.")]
    SignInEnded,
    /// The guardian has signed in at the home's name for https, which can be used: the plain address is closed for them.
    #[error(
        "You have signed in at {0}. Please open Porchlight there: this address is closed for you as long as that works."
    )]
    OpenTheName(PublicUrl),
    /// The clock shows an earlier time than when the sign-in was last used.
    #[error(
        "The clock of this server is behind: it shows a time before you last signed in. You stay signed in; please try \
         again when the clock is right."
    )]
    ClockIsBehind,
    /// The limit of sign-in links for this address is reached, whether or not a guardian has it.
    #[error(
        "Your network asked for several sign-in links to this address. Please look for the latest email, \
         or try again in a few minutes."
    )]
    TooManyLinks(TooMany),
    /// The guardian's daily limit of changes is reached.
    #[error(
        "You've reached today's limit of changes. You can change things again tomorrow (UTC). \
         Stopping, disconnecting, pausing and deleting still work."
    )]
    TooManyChanges(TooMany),
    /// The daily limit of changes of the guardians who share a budget is reached.
    #[error(
        "Until you confirm your address, you share a daily limit of changes with others who joined by an invitation, and it is \
         used up. You can change things again tomorrow (UTC). Stopping, disconnecting, pausing and deleting still work."
    )]
    TooManySharedChanges(TooMany),
    /// The assistant's write limit is reached.
    #[error(
        "The assistant sends more than Porchlight takes at once. Please try again in a moment."
    )]
    TooManyWrites(TooMany),
    /// The assistant's key is invalid or was revoked.
    #[error(
        "This assistant's key does not hold, or not any more. `porchlight assistant rotate` prints a new one."
    )]
    KeyEnded,
    #[error("This Porchlight sends no emails.")]
    NoEmail,
    /// The limit of e-mails with step-up codes is reached.
    #[error(
        "Several emails were asked for. Please look for the latest one, or try again in a few minutes."
    )]
    TooManyEmails(TooMany),
    /// The mail server did not accept the e-mail.
    #[error("The email could not be sent. Please try again in a moment.")]
    EmailNotSent,
    /// The digits don't match the latest e-mail, or the code has expired.
    #[error("This code does not work. Please take it from the latest email, or ask for a new one.")]
    NotTheEmailsCode,
    /// The text is no recovery code, or one that was used or belongs to another guardian.
    #[error("This code does not work. Each works once, and making new ones ends the old.")]
    NotACode,
    /// The guardian's limit of new recovery codes is reached.
    #[error("You have made new codes three times today. You can make new ones tomorrow.")]
    TooManyCodes(TooMany),
    /// The setup link is invalid or was replaced by a newer one, or setup is finished.
    #[error(
        "This link does not work any more. The newest one stands where Porchlight runs; `porchlight setup-link` shows it."
    )]
    SetupLinkEnded,
    /// A guardian was already created with this setup link.
    #[error("Somebody has begun with this link already. Please open it again to go on.")]
    SetupBegun,
    /// Setup can be finished only once recovery codes exist.
    #[error("Please make your recovery codes first.")]
    NoCodesYet,
    /// The pairing code is invalid or has expired.
    #[error(
        "This code does not work any more. Please show a new one on the device that is signed in."
    )]
    PairingEnded,
    /// The other device shows different digits.
    #[error("The other device shows other digits. Please look again.")]
    NotTheDigits,
    /// The third wrong try.
    #[error("Wrong digits three times. Please begin again.")]
    DigitsEnded,
    /// The guardian has no other device that may answer.
    #[error("There is no other device on which you have been signed in for over a day.")]
    NoOtherDevice,
    /// The other device has no pending request.
    #[error("There is no request to answer.")]
    NothingAsked,
    /// The new address is the guardian's present one.
    #[error("This is your address already.")]
    OwnAddress,
    /// The e-mailed link that confirms or cancels an address change is invalid or has expired.
    #[error(
        "This link does not work any more. If you still want to change your address, please ask for it again."
    )]
    AddressLinkEnded,
    #[error("Please confirm first that it is you.")]
    StepUpNeeded,
    /// There is no such sign-in, or it belongs to another guardian.
    #[error("There is no such sign-in.")]
    NoSuchSignIn,
    #[error("Too many emails are waiting to be sent. Please try again in a few minutes.")]
    QueueFull,
    #[error("A guardian with the address {0} exists already.")]
    GuardianExists(EmailAddress),
    #[error("There is no guardian with the address {0}.")]
    NoSuchGuardian(EmailAddress),
    #[error("There is no guardian with the id {0}.")]
    NoSuchGuardianId(GuardianId),
    /// Several guardians have typed this address, and none has verified it.
    #[error(
        "Several guardians have typed the address {0}, and none of them has confirmed it. Please name one by the id: {ids}.",
        ids = listed(.1)
    )]
    SeveralGuardians(EmailAddress, Vec<GuardianId>),
    /// A guardian has typed this address, but not verified it.
    #[error(
        "A guardian has typed the address {0} and not confirmed it, so it may be somebody else's. If you know that this is \
         whom you mean, please name them by the id: {1}."
    )]
    UnconfirmedAddress(EmailAddress, GuardianId),
    #[error("An assistant named “{0}” exists already.")]
    AssistantExists(String),
    /// Several guardians added an assistant with this name.
    #[error(
        "Several assistants are named “{0}”. Please name it by its id; `porchlight assistant list --json` shows it."
    )]
    SeveralAssistants(String),
    #[error("There is no assistant named “{0}”.")]
    NoSuchAssistant(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn listed(ids: &[GuardianId]) -> String {
    let ids = ids.iter().map(GuardianId::as_str);
    ids.collect::<Vec<_>>().join(", ")
}

impl From<QueueError> for IdentityError {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Full => Self::QueueFull,
            QueueError::Store(error) => error.into(),
        }
    }
}

refusals! {
    IdentityError from Link, Store {
        SignInGone | SignInEnded => unauthorized(SignInAgainRequired),
        KeyEnded => unauthorized(AssistantKeyInvalid),
        SetupLinkEnded => unauthorized(SetupLinkInvalid) at "/token",
        StepUpNeeded => forbidden(StepUpRequired),
        OpenTheName(url) => forbidden(OpenTheName { url: url.origin() }),
        NoSuchGuardian(_) | NoSuchGuardianId(_) | NoSuchAssistant(_) | NoSuchSignIn | NothingAsked => not_there,
        SetupBegun => conflict(SetupBegun),
        GuardianExists(email) => conflict(GuardianExists { email: email }),
        AssistantExists(name) => conflict(AssistantExists { name: name }),
        SeveralAssistants(name) => conflict(SeveralAssistants { name: name }),
        SeveralGuardians(email, ids) => conflict(SeveralGuardians { email: email, ids: listed(&ids) }),
        UnconfirmedAddress(email, id) => conflict(AddressUnconfirmed { email: email, id: id.as_str() }),
        NoCodesYet => against_a_rule(RecoveryCodesMissing),
        NoEmail => against_a_rule(EmailNotConfigured),
        PairingEnded => against_a_rule(PairingCodeInvalid),
        DigitsEnded => against_a_rule(DigitsWrongThreeTimes),
        NoOtherDevice => against_a_rule(NoOtherDevice),
        NotTheEmailsCode => against_a_rule(EmailCodeInvalid) at "/code",
        NotACode => against_a_rule(RecoveryCodeInvalid) at "/code",
        NotTheDigits => against_a_rule(DigitsWrong) at "/digits",
        OwnAddress => against_a_rule(AddressUnchanged) at "/email",
        AddressLinkEnded => against_a_rule(AddressLinkInvalid) at "/token",
        TooManyLinks(limit) => too_many(TooManyLinks, limit.seconds),
        TooManyEmails(limit) => too_many(TooManyEmails, limit.seconds),
        TooManyCodes(limit) => too_many(TooManyRecoveryCodes, limit.seconds),
        TooManyChanges(limit) => too_many(TooManyChanges, limit.seconds),
        TooManySharedChanges(limit) => too_many(TooManySharedChanges, limit.seconds),
        TooManyWrites(limit) => too_many(TooManyWrites, limit.seconds),
        QueueFull => too_many(EmailQueueFull, 300),
        ClockIsBehind => not_now(ClockBehind, 60),
        EmailNotSent => not_now(EmailNotSent, 30),
    }
}
