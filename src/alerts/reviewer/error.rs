use super::settings::NoModel;
use crate::children::ChildrenError;
use crate::identity::StepUpError;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

/// Why a request about the reviewer failed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewerError {
    #[error("The person who runs this server has not chosen a model that reads along.")]
    NoModel(#[from] NoModel),
    #[error(
        "This model was not tested yet, so it cannot be switched on. The person who runs this server can do that: porchlight \
         reviewer test"
    )]
    Untested,
    /// The model is unfit.
    #[error("In its test it pointed at none of the {0} places it should have. Don't rely on it.")]
    FindsNothing(u64),
    #[error(
        "In its test it pointed at only {0} of the {1} places it should have. Don't rely on it."
    )]
    FindsTooLittle(u64, u64),
    #[error("In its test it raised {0} false alarms in {1} ordinary weeks. Don't rely on it.")]
    TooNoisy(u64, u64),
    #[error(
        "The model, or where it is, has changed meanwhile, so nothing was changed. Please look again where every word would go."
    )]
    Changed,
    #[error(transparent)]
    StepUp(#[from] StepUpError),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ReviewerError from StepUp, Children, Store {
        NoModel(_) => conflict(ReviewerWithoutModel),
        Untested => conflict(ReviewerUntested),
        FindsNothing(of) => conflict(ReviewerFindsNothing { of: of }),
        FindsTooLittle(found, of) => conflict(ReviewerFindsTooLittle { found: found, of: of }),
        TooNoisy(alarms, weeks) => conflict(ReviewerTooNoisy { alarms: alarms, weeks: weeks }),
        Changed => conflict(ReviewerChanged),
    }
}
