use crate::children::ChildrenError;
use crate::household::management::ManagementError;
use crate::household::quotas::QuotaError;
use crate::identity::AssistantNameError;
use crate::kernel::host::name::NotAName;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::StoreError;
use crate::models::UpstreamsError;

#[derive(Debug, thiserror::Error)]
pub enum AssistantError {
    /// It talks with none of the guardian's children.
    #[error("There is no such assistant.")]
    NoSuchAssistant,
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
    #[error(transparent)]
    Name(#[from] NotAName),
    #[error(transparent)]
    Management(#[from] ManagementError),
    #[error(transparent)]
    Quota(#[from] QuotaError),
    #[error(transparent)]
    Assistant(#[from] AssistantNameError),
    /// A child isn't this guardian's.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<UpstreamsError> for AssistantError {
    fn from(error: UpstreamsError) -> Self {
        match error {
            UpstreamsError::Store(error) => Self::Store(error),
            UpstreamsError::OtherKey(_) => Self::NotForGateway,
            // Choosing an upstream fails otherwise only if it was removed.
            _ => Self::UpstreamChanged,
        }
    }
}

refusals! {
    AssistantError from Management, Quota, Assistant, Children, Store {
        NoSuchAssistant => not_there,
        NotExclusive => conflict(AssistantNotExclusive),
        UpstreamChanged => conflict(UpstreamChanged),
        NotForGateway => conflict(AssistantNotForGateway),
        Name(error) => from(error) at "/name",
    }
}
