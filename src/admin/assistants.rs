//! Voice assistants and their keys.

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::AdminError;
use super::changing::change;
use super::entries::Entries;
use super::operation::{Operation, Reports};
use crate::app::App;
use crate::children::ChildId;
use crate::identity::{Assistant, AssistantId, Caller, KeyKind, RevokedAssistant};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::name::valid_name;
use crate::kernel::host::secret::Secret;
use crate::kernel::store::{Change, Purpose, Read, StoreError};
use crate::models::StoreFailurePolicy;

#[skip_serializing_none]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssistantEntry {
    pub id: AssistantId,
    pub name: String,
    /// Whether a restored backup suspended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspended: bool,
    /// When it was added; left out if that is unreadable.
    pub added_at: Option<Timestamp>,
    /// The children it delivers for.
    pub children: Vec<ChildId>,
    /// What its key opens; left out if that is unreadable.
    pub kind: Option<KeyKind>,
    /// The upstream that its requests to the gateway are passed on to; left out if it has none, or that is unreadable.
    pub upstream: Option<String>,
    pub when_not_kept: Option<StoreFailurePolicy>,
}

fn assistant_entry(
    app: &App,
    view: &impl Read,
    assistant: Assistant,
) -> Result<AssistantEntry, StoreError> {
    let caller = Caller::Assistant(assistant.id.clone());
    let suspended = app.identity.assistants.is_suspended(view, &assistant.id)?;
    let upstreams = &app.gateway.upstreams;
    let (upstream, when_not_kept) = upstreams
        .chosen_for_key(view, &assistant.id)?
        .map(|chosen| (chosen.upstream, chosen.when_not_kept))
        .unzip();
    Ok(AssistantEntry {
        id: assistant.id,
        name: assistant.name,
        suspended,
        added_at: Some(assistant.added_at),
        kind: Some(assistant.kind),
        children: app.children.linked_to(view, &caller)?,
        upstream,
        when_not_kept,
    })
}

/// An assistant that was removed under this name, with the children that are still linked to it.
fn revoked_entry(
    app: &App,
    view: &impl Read,
    name: String,
    revoked: RevokedAssistant,
) -> Result<AssistantEntry, StoreError> {
    if let Some(assistant) = revoked.assistant {
        return assistant_entry(app, view, assistant);
    }
    let caller = Caller::Assistant(revoked.id.clone());
    Ok(AssistantEntry {
        id: revoked.id,
        name,
        suspended: false,
        added_at: None,
        children: app.children.linked_to(view, &caller)?,
        kind: None,
        upstream: None,
        when_not_kept: None,
    })
}

/// An assistant's new key, which is shown only once.
#[derive(Serialize, Deserialize)]
pub struct AssistantKey {
    pub assistant: AssistantEntry,
    pub key: String,
}

fn with_key(
    app: &App,
    view: &impl Read,
    (assistant, key): (Assistant, Secret),
) -> Result<AssistantKey, AdminError> {
    Ok(AssistantKey {
        assistant: assistant_entry(app, view, assistant)?,
        key: key.reveal().to_owned(),
    })
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct AddAssistant {
    /// The assistant's name
    pub name: String,
    /// The number of a child that the assistant talks with; may be given more than once
    #[arg(long = "child", value_name = "ID", required = true)]
    pub children: Vec<ChildId>,
    /// The upstream with the model that it talks through; see `porchlight upstream`. The key is then for the gateway, otherwise
    /// for a plug-in
    #[arg(long, value_name = "NAME")]
    pub upstream: Option<String>,
}

impl Operation for AddAssistant {
    type Answer = AssistantKey;

    async fn run(self, app: &App, _: &Reports) -> Result<AssistantKey, AdminError> {
        let add = move |app: &App, change: &mut Change| {
            let kind = if self.upstream.is_some() {
                KeyKind::Gateway
            } else {
                KeyKind::AssistantApi
            };
            let name = valid_name(&self.name)?;
            let (assistant, key) = app.identity.assistants.add(change, &name, None, kind)?;
            let caller = Caller::Assistant(assistant.id.clone());
            for child in self.children {
                app.children.link(change, child, &caller)?;
            }
            let upstream = self.upstream.as_deref();
            choose(
                app,
                change,
                &assistant.id,
                upstream,
                StoreFailurePolicy::default(),
            )?;
            with_key(app, change, (assistant, key))
        };
        change(app, Purpose::Ordinary, add).await
    }
}

/// Lets an assistant use this upstream, or none.
fn choose(
    app: &App,
    change: &mut Change,
    assistant: &AssistantId,
    upstream: Option<&str>,
    when_not_kept: StoreFailurePolicy,
) -> Result<(), AdminError> {
    let upstreams = &app.gateway.upstreams;
    match upstream {
        Some(name) => drop(upstreams.set_for_key(change, assistant, name, when_not_kept)?),
        None => upstreams.unset_for_key(change, assistant)?,
    }
    Ok(())
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ListAssistants;

impl Operation for ListAssistants {
    type Answer = Entries<AssistantEntry>;

    async fn run(self, app: &App, _: &Reports) -> Result<Self::Answer, AdminError> {
        let all = app.identity.assistants.list(&app.store)?;
        let mut listed = Entries::of(all, |it| assistant_entry(app, &app.store, it))?;
        let assistants = &mut listed.entries;
        assistants.sort_by_cached_key(|entry| (entry.added_at, entry.name.clone()));
        Ok(listed)
    }
}

/// Replaces an assistant's key.
#[derive(Args, Clone, Serialize, Deserialize)]
pub struct RotateAssistant {
    /// The assistant's name or id
    pub name: String,
}

impl Operation for RotateAssistant {
    type Answer = AssistantKey;

    async fn run(self, app: &App, _: &Reports) -> Result<AssistantKey, AdminError> {
        let rotate = move |app: &App, change: &mut Change| {
            let assistants = &app.identity.assistants;
            let rotated = assistants.rotate(change, &self.name, None)?;
            with_key(app, change, rotated)
        };
        change(app, Purpose::Essential, rotate).await
    }
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct RevokeAssistant {
    /// The assistant's name or id
    pub name: String,
}

impl Operation for RevokeAssistant {
    type Answer = AssistantEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<AssistantEntry, AdminError> {
        let revoke = move |app: &App, change: &mut Change| {
            let revoked = app.identity.assistants.revoke(change, &self.name)?;
            let entry = revoked_entry(app, change, self.name, revoked)?;
            let caller = Caller::Assistant(entry.id.clone());
            app.children.unlink_all(change, &caller)?;
            Ok(entry)
        };
        change(app, Purpose::Essential, revoke).await
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ChooseUpstream {
    pub assistant: String,
    /// `None` for none.
    pub upstream: Option<String>,
    pub when_not_kept: StoreFailurePolicy,
}

impl Operation for ChooseUpstream {
    type Answer = AssistantEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<AssistantEntry, AdminError> {
        let purpose = Purpose::essential_if(self.upstream.is_none());
        let choose = move |app: &App, change: &mut Change| {
            let assistant = app.identity.assistants.named(change, &self.assistant)?;
            let upstream = self.upstream.as_deref();
            choose(app, change, &assistant.id, upstream, self.when_not_kept)?;
            Ok(assistant_entry(app, change, assistant)?)
        };
        change(app, purpose, choose).await
    }
}
