use crate::kernel::http::limit::TooMany;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

/// Why a name or id names no assistant, or can't become one's.
#[derive(Debug, thiserror::Error)]
pub enum AssistantNameError {
    #[error("An assistant named “{0}” exists already.")]
    Exists(String),
    #[error("There is no assistant named “{0}”.")]
    NoSuch(String),
    /// Several guardians added an assistant with this name.
    #[error(
        "Several assistants are named “{0}”. Please name it by its id; `porchlight assistant list --json` shows it."
    )]
    Several(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    AssistantNameError from Store {
        Exists(name) => conflict(AssistantExists { name: name }),
        NoSuch(_) => not_there,
        Several(name) => conflict(SeveralAssistants { name: name }),
    }
}

/// Why an assistant's key isn't accepted.
#[derive(Debug, thiserror::Error)]
pub enum AssistantKeyError {
    /// It is invalid or was revoked.
    #[error(
        "This assistant's key does not hold, or not any more. `porchlight assistant rotate` prints a new one."
    )]
    Ended,
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    AssistantKeyError from Store {
        Ended => unauthorized(AssistantKeyInvalid),
    }
}

/// The assistant's write limit is reached.
#[derive(Debug, thiserror::Error)]
#[error("The assistant sends more than Porchlight takes at once. Please try again in a moment.")]
pub struct TooManyWrites(pub TooMany);

refusals! { TooManyWrites(limit) => too_many(TooManyWrites, limit.seconds) }
