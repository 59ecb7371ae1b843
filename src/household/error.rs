use crate::children::ChildrenError;
use crate::identity::IdentityError;
use crate::kernel::host::name::NotAName;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{ReadError, StoreError};
use crate::models::UpstreamsError;
use crate::rules::age::AgeError;

#[derive(Debug, thiserror::Error)]
pub enum HouseholdError {
    /// Only the administrator can do this, on the command line.
    #[error("On this Porchlight, only the administrator can do this.")]
    NotHere,
    #[error(transparent)]
    Name(#[from] NotAName),
    #[error(transparent)]
    Age(#[from] AgeError),
    /// The assistant also talks with a child of other guardians.
    #[error(
        "This assistant also talks with a child that is not yours, so only whoever runs Porchlight can change it. You can take your own child off it."
    )]
    NotExclusive,
    /// The chosen upstream was removed, or has another host than the guardian was shown.
    #[error(
        "This model's server was removed, or has another address by now, so nothing was changed. Please look again where what is \
         said would go."
    )]
    UpstreamChanged,
    /// The assistant's key is for a plug-in.
    #[error(
        "This assistant has a plug-in, and its key doesn't work in an app. Please connect the app as an assistant of its own."
    )]
    NotForGateway,
    /// An assistant must be connected to 1 to 100 children.
    #[error("Please choose one child at least, and a hundred at most.")]
    HowMany,
    /// The daily limit, given as the value, is reached.
    #[error("You have made {0} of these today. Please go on tomorrow.")]
    EnoughToday(u32),
    /// The daily limit of the guardians who share a budget is reached.
    #[error(
        "Until you confirm your address, you share a daily limit with others who joined by an invitation, and it is used up. \
         Please go on tomorrow."
    )]
    EnoughTogether,
    /// The daily limit of invitations to one child is reached.
    #[error("You have asked for this three times today. You can ask again tomorrow.")]
    AskedThreeTimes,
    /// The weekly limit of requests about one child is reached.
    #[error(
        "You have asked for this or changed it three times in the last seven days. Please wait a few days."
    )]
    ChangedThreeTimes,
    /// The guardian's total limit of invitations is reached.
    #[error(
        "You have sent twenty invitations, which is the most. The person who set up this server can add other parents."
    )]
    EnoughInvited,
    /// The guardian joined by an invitation less than a day ago, and can't invite others yet.
    #[error("You joined by an invitation, so you can invite others 24 hours after you joined.")]
    InvitedThemselves,
    /// A child must keep at least one guardian.
    #[error("You're the only guardian. You can delete the profile.")]
    OnlyGuardian,
    /// The typed text isn't the child's name.
    #[error("The child has another name, so nothing was deleted.")]
    OtherName,
    /// The invitation's link is invalid, or was used, cancelled or has expired.
    #[error(
        "This invitation does not work any more. Please ask whoever invited you for a new one."
    )]
    InvitationEnded,
    /// The guardian who accepts already has all of the children.
    #[error("You see these children already. The link is for somebody else.")]
    TheirsAlready,
    /// The link wasn't sent by e-mail, and the guardian who accepts gave no address.
    #[error("Please give your e-mail address.")]
    NoAddress,
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The child isn't this guardian's.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<UpstreamsError> for HouseholdError {
    fn from(error: UpstreamsError) -> Self {
        match error {
            UpstreamsError::Store(error) => Self::Store(error),
            UpstreamsError::OtherKey(_) => Self::NotForGateway,
            // Choosing an upstream fails otherwise only if it was removed.
            _ => Self::UpstreamChanged,
        }
    }
}

impl ReadError for HouseholdError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Store(error) => error.damage(),
            // Who a child's guardians are grants something.
            _ => None,
        }
    }
}

refusals! {
    HouseholdError from Age, Identity, Children, Store {
        NotHere => forbidden(AdministratorOnly),
        NotExclusive => conflict(AssistantNotExclusive),
        OnlyGuardian => conflict(OnlyGuardian),
        UpstreamChanged => conflict(UpstreamChanged),
        NotForGateway => conflict(AssistantNotForGateway),
        TheirsAlready => conflict(ChildrenAlreadyYours),
        EnoughToday(count) => against_a_rule(DailyLimitReached { count: count }),
        EnoughTogether => against_a_rule(SharedDailyLimitReached),
        AskedThreeTimes => against_a_rule(RequestedThreeTimesToday),
        ChangedThreeTimes => against_a_rule(RequestedThreeTimesThisWeek),
        EnoughInvited => against_a_rule(TooManyInvitations),
        InvitedThemselves => against_a_rule(InvitedTooRecently),
        Name(error) => from(error) at "/name",
        OtherName => against_a_rule(OtherChildName) at "/name",
        HowMany => against_a_rule(ChildrenOutOfRange) at "/children",
        NoAddress => against_a_rule(EmailMissing) at "/email",
        InvitationEnded => against_a_rule(InvitationInvalid) at "/token",
    }
}
