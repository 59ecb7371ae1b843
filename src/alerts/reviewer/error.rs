use super::settings::NoModel;
use crate::children::ChildrenError;
use crate::identity::IdentityError;
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
    #[error(
        "The model, or where it is, has changed meanwhile, so nothing was changed. Please look again where every word would go."
    )]
    Changed,
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    ReviewerError from Identity, Children, Store {
        NoModel(_) => conflict(ReviewerWithoutModel),
        Untested => conflict(ReviewerUntested),
        Changed => conflict(ReviewerChanged),
    }
}
