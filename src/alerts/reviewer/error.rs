use super::settings::NoModel;
use crate::children::ChildrenError;
use crate::identity::IdentityError;
use crate::kernel::http::problem::Refusal;
use crate::kernel::store::StoreError;

/// Why a request about the reviewer failed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewerError {
    #[error(transparent)]
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

impl From<ReviewerError> for Refusal {
    fn from(error: ReviewerError) -> Self {
        match error {
            ReviewerError::NoModel(_) => Self::conflict(
                "The person who runs this server has not chosen a model that reads along.",
            ),
            ReviewerError::Untested | ReviewerError::Changed => Self::conflict(error.to_string()),
            ReviewerError::Identity(error) => error.into(),
            ReviewerError::Children(error) => error.into(),
            ReviewerError::Store(error) => error.into(),
        }
    }
}
