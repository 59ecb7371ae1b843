//! `porchlight guardian …`

use clap::Subcommand;

use crate::admin::Request;
use crate::identity::GuardianName;
use crate::kernel::mail::EmailAddress;

/// Guardians: the adults who sign in.
#[derive(Subcommand)]
pub enum Guardian {
    /// Add a guardian, who can sign in from then on
    Add {
        /// Where their sign-in links go
        email: EmailAddress,
        /// What to call them
        #[arg(long)]
        name: Option<String>,
    },
    /// List the guardians and how many children each has
    List,
    /// Give a guardian another address; sign-ins and links end
    ChangeEmail {
        /// The address as it is, or the guardian's id
        from: GuardianName,
        /// The address as it shall be
        to: EmailAddress,
    },
    /// Sign a guardian out everywhere, and end their links and the invitations that they made
    SignOut {
        /// Whom: their address, or their id
        email: GuardianName,
    },
    /// Remove a guardian and sign them out everywhere; the children stay
    Remove {
        /// Whom: their address, or their id
        email: GuardianName,
    },
}

impl From<Guardian> for Request {
    fn from(command: Guardian) -> Self {
        match command {
            Guardian::Add { email, name } => Self::AddGuardian { email, name },
            Guardian::List => Self::ListGuardians,
            Guardian::ChangeEmail { from, to } => Self::ChangeEmail { from, to },
            Guardian::SignOut { email } => Self::SignOutGuardian { email },
            Guardian::Remove { email } => Self::RemoveGuardian { email },
        }
    }
}
