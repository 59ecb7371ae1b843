use crate::identity::GuardianId;
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::StoreError;

/// Why the administrator's [name](super::GuardianName) of a guardian names none, or can't become one's.
#[derive(Debug, thiserror::Error)]
pub enum GuardianNameError {
    #[error("A guardian with the address {0} exists already.")]
    Exists(EmailAddress),
    #[error("There is no guardian with the address {0}.")]
    NoSuchAddress(EmailAddress),
    #[error("There is no guardian with the id {0}.")]
    NoSuchId(GuardianId),
    /// Several guardians have typed this address, and none has verified it.
    #[error(
        "Several guardians have typed the address {0}, and none of them has confirmed it. Please name one by the id: {ids}.",
        ids = listed(.1)
    )]
    Several(EmailAddress, Vec<GuardianId>),
    /// A guardian has typed this address, but not verified it.
    #[error(
        "A guardian has typed the address {0} and not confirmed it, so it may be somebody else's. If you know that this is \
         whom you mean, please name them by the id: {1}."
    )]
    Unconfirmed(EmailAddress, GuardianId),
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn listed(ids: &[GuardianId]) -> String {
    let ids = ids.iter().map(GuardianId::as_str);
    ids.collect::<Vec<_>>().join(", ")
}

refusals! {
    GuardianNameError from Store {
        Exists(email) => conflict(GuardianExists { email: email }),
        NoSuchAddress(_) | NoSuchId(_) => not_there,
        Several(email, ids) => conflict(SeveralGuardians { email: email, ids: listed(&ids) }),
        Unconfirmed(email, id) => conflict(AddressUnconfirmed { email: email, id: id.as_str() }),
    }
}
