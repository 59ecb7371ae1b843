//! Why something about identity was refused, and how a caller reads it.

use super::{GuardianId, LinkError};
use crate::kernel::limit::TooMany;
use crate::kernel::mail::EmailAddress;
use crate::kernel::problem::Refusal;
use crate::kernel::store::StoreError;

/// Why something about identity was refused.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The link doesn't sign anybody in.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The cookie belongs to no sign-in.
    #[error("You are not signed in any more. Please sign in again.")]
    SignInGone,
    /// The sign-in ended, as the clock has it.
    #[error("You are not signed in any more. Please sign in again.")]
    SignInEnded,
    /// The clock shows an earlier time than it did when the sign-in was last used.
    #[error(
        "The clock of this server is behind: it shows a time before you last signed in. You stay signed in; please try \
         again when the clock is right."
    )]
    ClockIsBehind,
    /// Too many links were asked for with this address, known or not.
    #[error(
        "Several sign-in links were asked for with this address. Please look for the latest letter, \
         or try again in a few minutes."
    )]
    TooManyLinks(TooMany),
    /// A guardian changes more in a day than a person does.
    #[error(
        "You have changed more today than Porchlight takes in a day. You can change things again tomorrow (UTC). \
         Stopping, disconnecting, pausing and deleting still work."
    )]
    TooManyChanges(TooMany),
    /// The guardians who share a budget change more in a day than people do.
    #[error(
        "Until you confirm your address, you share a daily limit of changes with others who joined by an invitation, and it is \
         used up. You can change things again tomorrow (UTC). Stopping, disconnecting, pausing and deleting still work."
    )]
    TooManySharedChanges(TooMany),
    /// An assistant writes too often.
    #[error(
        "The assistant sends more than Porchlight takes at once. Please try again in a moment."
    )]
    TooManyWrites(TooMany),
    /// The assistant's key doesn't hold.
    #[error(
        "This assistant's key does not hold, or not any more. `porchlight assistant rotate` prints a new one."
    )]
    KeyEnded,
    /// No mail server is configured.
    #[error("This Porchlight sends no letters.")]
    NoLetters,
    /// Too many letters to step up were asked for.
    #[error(
        "Several letters were asked for. Please look for the latest one, or try again in a few minutes."
    )]
    TooManyLetters(TooMany),
    /// The mail server did not take the letter.
    #[error("The letter could not be sent. Please try again in a moment.")]
    LetterNotSent,
    /// The digits aren't those of the latest letter, or it is too old.
    #[error(
        "This code does not work. Please take it from the latest letter, or ask for a new one."
    )]
    NotTheLettersCode,
    /// What was typed is no recovery code, or one that was used, or somebody else's.
    #[error("This code does not work. Each works once, and making new ones ends the old.")]
    NotACode,
    /// A guardian made new recovery codes as often as they may.
    #[error("You have made new codes three times today. You can make new ones tomorrow.")]
    TooManyCodes(TooMany),
    /// The link of the first run is none, or an earlier one, or the first run is over.
    #[error(
        "This link does not work any more. The newest one stands where Porchlight runs; `porchlight setup-link` shows it."
    )]
    SetupLinkEnded,
    /// Somebody began with this link.
    #[error("Somebody has begun with this link already. Please open it again to go on.")]
    SetupBegun,
    /// The first run ends with recovery codes.
    #[error("Please make your recovery codes first.")]
    NoCodesYet,
    /// The code that pairs two devices is none, or it is over.
    #[error(
        "This code does not work any more. Please show a new one on the device that is signed in."
    )]
    PairingEnded,
    /// The other device shows other digits.
    #[error("The other device shows other digits. Please look again.")]
    NotTheDigits,
    /// Wrong digits were typed three times.
    #[error("These were not the digits, three times. Please begin again.")]
    DigitsEnded,
    /// There is no other device that could answer.
    #[error("There is no other device on which you have been signed in for over a day.")]
    NoOtherDevice,
    /// No other device asks for this, or not any more.
    #[error("Nothing is asked.")]
    NothingAsked,
    /// The guardian asks for the address that they have.
    #[error("This is your address already.")]
    OwnAddress,
    /// The link of a letter about an address is none, or it has ended.
    #[error(
        "This link does not work any more. If you still want to change your address, please ask for it again."
    )]
    AddressLinkEnded,
    /// The call needs a proof beside the sign-in.
    #[error("Please confirm first that it is you.")]
    StepUpNeeded,
    /// The sign-in isn't there, or isn't theirs.
    #[error("There is no such sign-in.")]
    NoSuchSignIn,
    /// Too many letters wait to be sent.
    #[error("Too many letters are waiting to be sent. Please try again in a few minutes.")]
    OutboxFull,
    /// A guardian with this address exists.
    #[error("A guardian with the address {0} exists already.")]
    GuardianExists(EmailAddress),
    /// There is no guardian with this address.
    #[error("There is no guardian with the address {0}.")]
    NoSuchGuardian(EmailAddress),
    /// There is no guardian with this id.
    #[error("There is no guardian with the id {0}.")]
    NoSuchGuardianId(GuardianId),
    /// Several guardians typed this address, and none has confirmed it.
    #[error(
        "Several guardians have typed the address {0}, and none of them has confirmed it. Please name one by the id: {ids}.",
        ids = listed(.1)
    )]
    SeveralGuardians(EmailAddress, Vec<GuardianId>),
    /// A guardian typed this address, and has not confirmed it.
    #[error(
        "A guardian has typed the address {0} and not confirmed it, so it may be somebody else's. If you know that this is \
         whom you mean, please name them by the id: {1}."
    )]
    UnconfirmedAddress(EmailAddress, GuardianId),
    /// An assistant of this name exists.
    #[error("An assistant named “{0}” exists already.")]
    AssistantExists(String),
    /// Several guardians added an assistant of this name.
    #[error(
        "Several assistants are named “{0}”. Please name it by its id; `porchlight assistant list --json` shows it."
    )]
    SeveralAssistants(String),
    /// There is no assistant of this name.
    #[error("There is no assistant named “{0}”.")]
    NoSuchAssistant(String),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn listed(ids: &[GuardianId]) -> String {
    let ids = ids.iter().map(GuardianId::as_str);
    ids.collect::<Vec<_>>().join(", ")
}

impl From<IdentityError> for Refusal {
    fn from(error: IdentityError) -> Self {
        let sentence = error.to_string();
        match error {
            IdentityError::Store(error) => error.into(),
            IdentityError::Link(LinkError::WrongEmail) => Self::unauthorized(sentence).at("/email"),
            IdentityError::Link(_) => Self::unauthorized(sentence).at("/token"),
            IdentityError::SignInGone | IdentityError::SignInEnded | IdentityError::KeyEnded => {
                Self::unauthorized(sentence)
            }
            IdentityError::SetupLinkEnded => Self::unauthorized(sentence).at("/token"),
            IdentityError::SetupBegun => Self::conflict(sentence),
            IdentityError::NoCodesYet => Self::against_a_rule(sentence),
            IdentityError::NotTheLettersCode | IdentityError::NotACode => {
                Self::against_a_rule(sentence).at("/code")
            }
            IdentityError::OwnAddress => Self::against_a_rule(sentence).at("/email"),
            IdentityError::AddressLinkEnded => Self::against_a_rule(sentence).at("/token"),
            IdentityError::NotTheDigits => Self::against_a_rule(sentence).at("/digits"),
            IdentityError::PairingEnded
            | IdentityError::DigitsEnded
            | IdentityError::NoOtherDevice => Self::against_a_rule(sentence),
            IdentityError::StepUpNeeded => Self::forbidden(sentence),
            IdentityError::ClockIsBehind => Self::not_now(sentence, 60),
            IdentityError::OutboxFull => Self::too_many(sentence, 300),
            IdentityError::NoLetters => Self::against_a_rule(sentence),
            IdentityError::LetterNotSent => Self::not_now(sentence, 30),
            IdentityError::TooManyLinks(too_many)
            | IdentityError::TooManyLetters(too_many)
            | IdentityError::TooManyCodes(too_many)
            | IdentityError::TooManyChanges(too_many)
            | IdentityError::TooManySharedChanges(too_many)
            | IdentityError::TooManyWrites(too_many) => Self::too_many(sentence, too_many.seconds),
            IdentityError::GuardianExists(_)
            | IdentityError::AssistantExists(_)
            | IdentityError::SeveralGuardians(..)
            | IdentityError::UnconfirmedAddress(..)
            | IdentityError::SeveralAssistants(_) => Self::conflict(sentence),
            IdentityError::NoSuchGuardian(_)
            | IdentityError::NoSuchGuardianId(_)
            | IdentityError::NoSuchAssistant(_)
            | IdentityError::NoSuchSignIn
            | IdentityError::NothingAsked => Self::not_there(),
        }
    }
}
