//! `porchlight guardian …`

use clap::Subcommand;

use super::output::{numbers, traces};
use super::{Context, Outcome};
use crate::admin::{
    AddGuardian, ChangeEmail, GuardianEntry, ListGuardians, RemoveGuardian, SignOutGuardian,
};
use crate::kernel::host::words::plain;

/// Guardians: the adults who sign in.
#[derive(Subcommand)]
pub enum Guardian {
    /// Add a guardian, who can sign in from then on
    Add(AddGuardian),
    /// List the guardians and their number of children
    List,
    /// Change a guardian's address; sign-ins and links end
    ChangeEmail(ChangeEmail),
    /// Sign a guardian out everywhere, and revoke their links and the invitations they made
    SignOut(SignOutGuardian),
    /// Remove a guardian and sign them out everywhere; the children stay
    Remove(RemoveGuardian),
}

pub async fn run(context: &Context, command: Guardian) -> Outcome {
    match command {
        Guardian::Add(add) => {
            let added = context.ask(add, |guardian| {
                format!(
                    "Added {0}. They can sign in now.\nGive them a child with: porchlight child add NAME \
                     --guardian {0}\n",
                    guardian.email
                )
            });
            added.await
        }
        Guardian::List => {
            let heads = ["E-mail", "Name", "Children"];
            let empty = "There are no guardians yet. Add one with: porchlight guardian add EMAIL";
            context.list(ListGuardians, &heads, row, empty).await
        }
        Guardian::ChangeEmail(change) => {
            let changed = context.ask(change, |changed| {
                format!(
                    "Sign-in links go to {} from now on. They were signed out everywhere.\n{}",
                    changed.entry.email,
                    traces(changed)
                )
            });
            changed.await
        }
        Guardian::SignOut(sign_out) => {
            let signed_out = context.ask(sign_out, |guardian| {
                format!(
                    "Signed {} out everywhere, and ended their links and the invitations that they made.\n{}",
                    guardian.email,
                    not_confirmed(guardian)
                )
            });
            signed_out.await
        }
        Guardian::Remove(remove) => {
            let removed = context.ask(remove, |removed| {
                format!(
                    "Removed {} and signed them out everywhere. Backups made before keep their name and address.\n{}{}",
                    removed.entry.email,
                    not_confirmed(&removed.entry),
                    traces(removed)
                )
            });
            removed.await
        }
    }
}

fn row(guardian: &GuardianEntry) -> Vec<String> {
    let name = guardian.name.clone().unwrap_or_else(|| "-".to_owned());
    let email = if guardian.unverified {
        format!("{} (not confirmed, id {})", guardian.email, guardian.id)
    } else {
        guardian.email.to_string()
    };
    let email = if guardian.suspended {
        format!("{email} (suspended)")
    } else {
        email
    };
    vec![email, name, numbers(&guardian.children)]
}

/// The warning that an unverified address may be somebody else's, and which guardian typed it; empty for a verified address.
pub fn not_confirmed(guardian: &GuardianEntry) -> String {
    if !guardian.unverified {
        return String::new();
    }
    let called = match &guardian.name {
        Some(name) => format!(", called {}", plain(name)),
        None => String::new(),
    };
    format!(
        "Nobody has confirmed the address {}. It was typed by the guardian {}{called}.\n",
        guardian.email, guardian.id
    )
}
