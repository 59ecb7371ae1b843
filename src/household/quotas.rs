//! Limits on what a guardian can create, and on requests that wait for other guardians. They count against [their
//! budget](Guardians::budget_owner), which they may share.

mod store;

use crate::children::ChildId;
use crate::identity::{BudgetOwner, GuardianId, Guardians};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, StoreError};

pub use store::{KIND, QuotaKind, remove_counts as forget_guardian};

/// The limit per day (UTC) of children added, and of keys shown.
const MAX_PER_DAY: u32 = 20;

/// The limit of invitations per day (UTC).
const INVITATIONS_A_DAY: u32 = 5;

/// The limit of invitations to the same child, per day (UTC).
const INVITATIONS_TO_CHILD_A_DAY: u32 = 3;

/// The limit of requests about the same child, made or changed, in seven days (UTC): a changed one begins everybody's seven days
/// anew.
const REQUESTS_A_WEEK: u32 = 3;

/// The limit of invitations in total.
const INVITATIONS_IN_ALL: u32 = 20;

#[derive(Debug, thiserror::Error)]
pub enum QuotaError {
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
    #[error(
        "You have invited somebody for this child three times today. You can invite again tomorrow."
    )]
    InvitedThreeTimes,
    /// The guardian's total limit of invitations is reached.
    #[error(
        "You have sent twenty invitations, which is the most. The person who set up this server can add other parents."
    )]
    EnoughInvited,
    /// The weekly limit of requests about one child is reached.
    #[error(
        "You have asked for this or changed it three times in the last seven days. Please wait a few days."
    )]
    RequestedThreeTimes,
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    QuotaError from Store {
        EnoughToday(count) => against_a_rule(DailyLimitReached { count: count }),
        EnoughTogether => against_a_rule(SharedDailyLimitReached),
        InvitedThreeTimes => against_a_rule(RequestedThreeTimesToday),
        EnoughInvited => against_a_rule(TooManyInvitations),
        RequestedThreeTimes => against_a_rule(RequestedThreeTimesThisWeek),
    }
}

/// Counts one more thing that is limited per day.
pub fn charge(
    change: &mut Change,
    guardian: &GuardianId,
    kind: QuotaKind,
    now: Timestamp,
) -> Result<(), QuotaError> {
    let owner = Guardians::budget_owner(change, guardian)?;
    let mut counts = store::read_counts(change, &owner)?;
    let most = match kind {
        QuotaKind::Children | QuotaKind::Keys => MAX_PER_DAY,
        QuotaKind::Invitations => INVITATIONS_A_DAY,
    };
    if counts.count(kind, now) > most {
        return Err(match owner {
            BudgetOwner::Guardian(_) => QuotaError::EnoughToday(most),
            BudgetOwner::InvitedBy(_) => QuotaError::EnoughTogether,
        });
    }
    if kind == QuotaKind::Invitations && counts.invited_in_all() > INVITATIONS_IN_ALL {
        return Err(QuotaError::EnoughInvited);
    }
    Ok(store::put_counts(change, &owner, &counts)?)
}

/// Counts one more invitation to a child.
pub fn charge_invitation_to(
    change: &mut Change,
    guardian: &GuardianId,
    child: ChildId,
    now: Timestamp,
) -> Result<(), QuotaError> {
    let owner = Guardians::budget_owner(change, guardian)?;
    let mut counts = store::read_counts(change, &owner)?;
    match (counts.count_invitation_to(child, now), &owner) {
        (count, _) if count <= INVITATIONS_TO_CHILD_A_DAY => {
            Ok(store::put_counts(change, &owner, &counts)?)
        }
        (_, BudgetOwner::Guardian(_)) => Err(QuotaError::InvitedThreeTimes),
        (_, BudgetOwner::InvitedBy(_)) => Err(QuotaError::EnoughTogether),
    }
}

/// Counts one more request about a child, made or changed. Not shared with others: what one guardian asks for uses up nothing of
/// another's.
pub fn charge_request(
    change: &mut Change,
    guardian: &GuardianId,
    child: ChildId,
    now: Timestamp,
) -> Result<(), QuotaError> {
    let owner = BudgetOwner::Guardian(guardian.clone());
    let mut counts = store::read_counts(change, &owner)?;
    if counts.count_request(child, now) > REQUESTS_A_WEEK {
        return Err(QuotaError::RequestedThreeTimes);
    }
    Ok(store::put_counts(change, &owner, &counts)?)
}

/// Uncounts an invitation that could not be sent.
pub fn uncount_invitation(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    let owner = Guardians::budget_owner(change, guardian)?;
    let mut counts = store::read_counts(change, &owner)?;
    counts.uncount_invitation();
    store::put_counts(change, &owner, &counts)
}
