//! Which answers contain a secret, and what to do if it could not be shown.

use super::{Answer, Request};

impl Request {
    /// Whether the answer contains a secret for the caller alone.
    pub fn asks_for_a_secret(&self) -> bool {
        match self {
            Self::AddAssistant { .. }
            | Self::RotateAssistant { .. }
            | Self::SetupLink
            | Self::SignInLink { .. }
            | Self::Token { .. } => true,
            Self::AddGuardian { .. }
            | Self::ListGuardians
            | Self::ChangeEmail { .. }
            | Self::SignOutGuardian { .. }
            | Self::RemoveGuardian { .. }
            | Self::AddChild { .. }
            | Self::ListChildren
            | Self::RenameChild { .. }
            | Self::LinkChild { .. }
            | Self::UnlinkChild { .. }
            | Self::ChooseRetention { .. }
            | Self::RemoveChild { .. }
            | Self::ListAssistants
            | Self::RevokeAssistant { .. }
            | Self::ChooseUpstream { .. }
            | Self::AddUpstream(_)
            | Self::ListUpstreams
            | Self::RemoveUpstream { .. }
            | Self::TestUpstream { .. }
            | Self::FindReviewer(_)
            | Self::TestReviewer(_)
            | Self::TestChannels { .. }
            | Self::Reinstate(_)
            | Self::Seed { .. }
            | Self::Backup
            | Self::Verify
            | Self::Export { .. }
            | Self::BackupState
            | Self::TracesLeft
            | Self::NotKept
            | Self::NotReviewed
            | Self::NotArriving
            | Self::AcceptClock
            | Self::ClockState
            | Self::Forwarding
            | Self::PublicUrl
            | Self::Ready => false,
        }
    }
}

impl Answer {
    /// What to do if the secret in it could not be shown; `None` if it contains none.
    pub fn if_unseen(&self) -> Option<String> {
        match self {
            Self::AssistantKey { assistant, .. } => Some(format!(
                "The key of {0} is lost, because it is shown only once. Please make another: porchlight assistant rotate {0}",
                assistant.name
            )),
            Self::SetupLink { .. } | Self::SignInLink { .. } | Self::Token { .. } => {
                Some("Please run the command again.".to_owned())
            }
            _ => None,
        }
    }
}
