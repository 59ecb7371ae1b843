//! Guardians: the adults who sign in.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::AdminError;
use super::changing::{Compacted, change, change_and_run_maintenance};
use super::entries::Entries;
use super::operation::{Operation, Reports};
use crate::app::App;
use crate::children::ChildId;
use crate::household;
use crate::identity::{Caller, Guardian, GuardianId, GuardianName, NamedGuardian};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::name::valid_name;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose, Read, StoreError};
use crate::notifications::{ChannelsTested, TestRecipient};

#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuardianEntry {
    pub id: GuardianId,
    /// The address of their sign-in links, once it is verified.
    pub email: EmailAddress,
    /// Whether the address is unverified; `false` if that is unreadable.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unverified: bool,
    /// Whether a restored backup suspended them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspended: bool,
    pub name: Option<String>,
    /// When they were added; left out if that is unreadable.
    pub added_at: Option<Timestamp>,
    /// The children they see.
    pub children: Vec<ChildId>,
}

pub(super) fn guardian_entry(
    app: &App,
    view: &impl Read,
    guardian: Guardian,
) -> Result<GuardianEntry, StoreError> {
    let caller = Caller::Guardian(guardian.id.clone());
    let suspended = app.identity.guardians.is_suspended(view, &guardian.id)?;
    Ok(GuardianEntry {
        id: guardian.id,
        email: guardian.email,
        unverified: !guardian.verified,
        suspended,
        name: guardian.name,
        added_at: Some(guardian.added_at),
        children: app.children.linked_to(view, &caller)?,
    })
}

/// A guardian who was removed or signed out, with the children that are still linked to them.
fn removed_entry(
    app: &App,
    view: &impl Read,
    removed: NamedGuardian,
) -> Result<GuardianEntry, StoreError> {
    if let Some(guardian) = removed.guardian {
        return guardian_entry(app, view, guardian);
    }
    let caller = Caller::Guardian(removed.id.clone());
    Ok(GuardianEntry {
        id: removed.id,
        email: removed.email,
        unverified: false,
        suspended: false,
        name: None,
        added_at: None,
        children: app.children.linked_to(view, &caller)?,
    })
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct AddGuardian {
    /// The address for sign-in links
    pub email: EmailAddress,
    /// The guardian's name
    #[arg(long)]
    pub name: Option<String>,
}

impl Operation for AddGuardian {
    type Answer = GuardianEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<GuardianEntry, AdminError> {
        let add = move |app: &App, change: &mut Change| {
            let name = self.name.map(|name| valid_name(&name)).transpose()?;
            let guardian = app.identity.guardians.add(change, &self.email, name)?;
            Ok(guardian_entry(app, change, guardian)?)
        };
        change(app, Purpose::Ordinary, add).await
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ListGuardians;

impl Operation for ListGuardians {
    type Answer = Entries<GuardianEntry>;

    async fn run(self, app: &App, _: &Reports) -> Result<Self::Answer, AdminError> {
        let all = app.identity.guardians.list(&app.store)?;
        let mut listed = Entries::of(all, |it| guardian_entry(app, &app.store, it))?;
        let guardians = &mut listed.entries;
        guardians.sort_by_cached_key(|entry| (entry.added_at, entry.email.key()));
        Ok(listed)
    }
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct ChangeEmail {
    /// The current address, or the guardian's id
    pub from: GuardianName,
    /// The new address
    pub to: EmailAddress,
}

impl Operation for ChangeEmail {
    type Answer = Compacted<GuardianEntry>;

    async fn run(self, app: &App, reports: &Reports) -> Result<Self::Answer, AdminError> {
        let change = move |app: &App, change: &mut Change| {
            let identity = &app.identity;
            let guardian = identity.change_email(change, &self.from, &self.to)?;
            Ok(guardian_entry(app, change, guardian)?)
        };
        change_and_run_maintenance(app, reports, Purpose::Essential, change).await
    }
}

/// Signs a guardian out everywhere, and invalidates their links.
#[derive(Args, Clone, Serialize, Deserialize)]
pub struct SignOutGuardian {
    /// The guardian's address or id
    pub email: GuardianName,
}

impl Operation for SignOutGuardian {
    type Answer = GuardianEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<GuardianEntry, AdminError> {
        let sign_out = move |app: &App, change: &mut Change| {
            let identity = &app.identity;
            let signed_out = identity.sign_guardian_out(change, &self.email)?;
            Ok(removed_entry(app, change, signed_out)?)
        };
        change(app, Purpose::Essential, sign_out).await
    }
}

/// Removes a guardian, and signs them out everywhere.
#[derive(Args, Clone, Serialize, Deserialize)]
pub struct RemoveGuardian {
    /// The guardian's address or id
    pub email: GuardianName,
}

impl Operation for RemoveGuardian {
    type Answer = Compacted<GuardianEntry>;

    async fn run(self, app: &App, reports: &Reports) -> Result<Self::Answer, AdminError> {
        let remove = move |app: &App, change: &mut Change| {
            let removed = app.identity.remove_guardian(change, &self.email)?;
            let entry = removed_entry(app, change, removed)?;
            let caller = Caller::Guardian(entry.id.clone());
            app.children.unlink_all(change, &caller)?;
            household::forget_guardian(change, &entry.id)?;
            Ok(entry)
        };
        change_and_run_maintenance(app, reports, Purpose::Essential, remove).await
    }
}

/// Sends a guardian one message by each channel.
#[derive(Clone, Serialize, Deserialize)]
pub struct TestChannels {
    pub email: GuardianName,
}

#[derive(Serialize, Deserialize)]
pub enum TestedChannels {
    Sent(ChannelsTested),
    /// No message was sent, because no server runs, or no channel is configured there. The command must send them itself.
    NotSent(Box<TestRecipient>),
}

impl Operation for TestChannels {
    type Answer = TestedChannels;

    async fn run(self, app: &App, _: &Reports) -> Result<TestedChannels, AdminError> {
        let guardian = app.identity.guardians.named(&app.store, &self.email)?;
        let to = app.notifications.test_recipient(&app.store, guardian)?;
        Ok(match app.notifications.test(&to).await {
            Some(tested) => TestedChannels::Sent(tested),
            None => TestedChannels::NotSent(Box::new(to)),
        })
    }
}
