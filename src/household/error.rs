//! Why something of the household was refused, and how a caller reads it.

use crate::children::ChildrenError;
use crate::identity::IdentityError;
use crate::kernel::name::NotAName;
use crate::kernel::problem::Refusal;
use crate::kernel::store::StoreError;

/// Why something was not arranged.
#[derive(Debug, thiserror::Error)]
pub enum HouseholdError {
    /// The administrator keeps it to the command line.
    #[error("On this Porchlight, whoever runs it arranges this.")]
    NotHere,
    /// The text is no name.
    #[error(transparent)]
    Name(#[from] NotAName),
    /// The assistant also talks with a child that isn't theirs.
    #[error(
        "This assistant also talks with a child that is not yours, so only whoever runs Porchlight can change it. You can take your own child off it."
    )]
    NotTheirsAlone,
    /// An assistant is connected for one child at least, and for 100 at most.
    #[error("Please choose one child at least, and a hundred at most.")]
    HowMany,
    /// So many were made today.
    #[error("You have made {0} of these today. Please go on tomorrow.")]
    EnoughToday(u32),
    /// The guardians who share a budget made so many today, or asked so often.
    #[error(
        "Until you confirm your address, you share a daily limit with others who joined by an invitation, and it is used up. \
         Please go on tomorrow."
    )]
    EnoughTogether,
    /// A guardian asked for the same about a child as often as they may in a day.
    #[error("You have asked for this three times today. You can ask again tomorrow.")]
    AskedThreeTimes,
    /// A guardian invited as often as they may in all.
    #[error(
        "You have sent twenty invitations, which is the most. The person who set up this server can add other parents."
    )]
    EnoughInvited,
    /// Who was invited themselves invites nobody yet.
    #[error("You joined by an invitation, so you can invite others 24 hours after you joined.")]
    InvitedThemselves,
    /// A child needs a guardian.
    #[error("Nobody else sees this child, so you cannot leave it. You can erase it.")]
    OnlyGuardian,
    /// What was typed isn't the child's name.
    #[error("The child has another name, so nothing was erased.")]
    OtherName,
    /// Somebody has asked for it before.
    #[error("Somebody has asked for this already.")]
    AskedAlready,
    /// Nothing like it waits for an answer, or it isn't about a child of theirs.
    #[error("This is not asked for any more.")]
    NothingAsked,
    /// The invitation's link is none, or was used, stopped or is too old.
    #[error(
        "This invitation does not work any more. Please ask whoever invited you for a new one."
    )]
    InvitationEnded,
    /// Who accepts has the children already.
    #[error("You see these children already. The link is for somebody else.")]
    TheirsAlready,
    /// The invitation was shown, and who accepts it gave no address.
    #[error("Please give your e-mail address.")]
    NoAddress,
    /// Identity's.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The child isn't theirs.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<HouseholdError> for Refusal {
    fn from(error: HouseholdError) -> Self {
        let sentence = error.to_string();
        match error {
            HouseholdError::NotHere => Self::forbidden(sentence),
            HouseholdError::Name(_) => Self::against_a_rule(sentence).at("/name"),
            HouseholdError::HowMany => Self::against_a_rule(sentence).at("/children"),
            HouseholdError::NotTheirsAlone => Self::conflict(sentence),
            HouseholdError::EnoughToday(_)
            | HouseholdError::EnoughTogether
            | HouseholdError::AskedThreeTimes
            | HouseholdError::EnoughInvited
            | HouseholdError::InvitedThemselves => Self::against_a_rule(sentence),
            HouseholdError::OtherName => Self::against_a_rule(sentence).at("/name"),
            HouseholdError::NoAddress => Self::against_a_rule(sentence).at("/email"),
            HouseholdError::OnlyGuardian
            | HouseholdError::AskedAlready
            | HouseholdError::TheirsAlready => Self::conflict(sentence),
            HouseholdError::NothingAsked => Self::not_there(),
            HouseholdError::InvitationEnded => Self::against_a_rule(sentence).at("/token"),
            HouseholdError::Identity(error) => error.into(),
            HouseholdError::Children(error) => error.into(),
            HouseholdError::Store(error) => error.into(),
        }
    }
}
