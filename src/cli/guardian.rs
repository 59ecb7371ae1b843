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
        /// The address for sign-in links
        email: EmailAddress,
        /// The guardian's name
        #[arg(long)]
        name: Option<String>,
    },
    /// List the guardians and their number of children
    List,
    /// Change a guardian's address; sign-ins and links end
    ChangeEmail {
        /// The current address, or the guardian's id
        from: GuardianName,
        /// The new address
        to: EmailAddress,
    },
    /// Sign a guardian out everywhere, and revoke their links and the invitations they made
    SignOut {
        /// The guardian's address or id
        email: GuardianName,
    },
    /// Remove a guardian and sign them out everywhere; the children stay
    Remove {
        /// The guardian's address or id
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
