use crate::children::ChildrenError;
use crate::household::management::ManagementError;
use crate::household::quotas::QuotaError;
use crate::identity::StepUpError;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The typed text isn't the child's name.
    #[error("The child has another name, so nothing was deleted.")]
    OtherName,
    #[error(transparent)]
    Management(#[from] ManagementError),
    #[error(transparent)]
    Quota(#[from] QuotaError),
    #[error(transparent)]
    StepUp(#[from] StepUpError),
    /// The child isn't this guardian's.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    RequestError from Management, Quota, StepUp, Children, Store {
        OtherName => against_a_rule(OtherChildName) at "/name",
    }
}
