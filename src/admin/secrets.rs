//! Which answers hold a secret, and what to do when nobody saw it.

use super::{Answer, Request};

impl Request {
    /// Whether the answer holds a secret, which nobody but the one who asks may see.
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
            | Self::RemoveChild { .. }
            | Self::ListAssistants
            | Self::RevokeAssistant { .. }
            | Self::Admit(_)
            | Self::Seed { .. }
            | Self::Backup
            | Self::Verify
            | Self::Export { .. }
            | Self::BackupState
            | Self::TracesLeft
            | Self::NotKept
            | Self::AcceptClock
            | Self::ClockState
            | Self::Forwarding
            | Self::PublicUrl
            | Self::Ready => false,
        }
    }
}

impl Answer {
    /// What to do when the secret in it could not be shown; `None` if it holds none.
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
