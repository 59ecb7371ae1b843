//! Guardians, children and assistants as the administrator sees them, even if parts of them are unreadable.

use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::children::{Child, ChildId};
use crate::gateway::upstreams::WhenNotKept;
use crate::identity::{
    Assistant, AssistantId, Caller, Guardian, GuardianId, Guardians, KeyKind, NamedGuardian,
    RevokedAssistant,
};
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::{Read, StoreError};

/// A guardian, as the administrator sees them.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When they were added; left out if that is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_at: Option<Timestamp>,
    /// The children they see.
    pub children: Vec<ChildId>,
}

/// A child, as the administrator sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChildEntry {
    pub child_id: ChildId,
    pub name: String,
    /// The guardians who see the child.
    pub guardians: Vec<EmailAddress>,
    /// The assistants that deliver for the child.
    pub assistants: Vec<String>,
}

/// An assistant, as the administrator sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssistantEntry {
    pub id: AssistantId,
    pub name: String,
    /// Whether a restored backup suspended it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub suspended: bool,
    /// When it was added; left out if that is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_at: Option<Timestamp>,
    /// The children it delivers for.
    pub children: Vec<ChildId>,
    /// What its key opens; left out if that is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<KeyKind>,
    /// The upstream that its requests to the gateway are passed on to; left out if it has none, or that is unreadable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upstream: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_not_kept: Option<WhenNotKept>,
}

/// A list, and the number of entries that are missing because they are unreadable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entries<T> {
    /// The readable entries.
    pub entries: Vec<T>,
    /// The number of unreadable ones.
    pub unreadable: u64,
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
        children: app.children.numbers_of(view, &caller)?,
    })
}

/// A guardian who was removed or signed out, with the children that are still linked to them.
pub(super) fn removed_guardian(
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
        children: app.children.numbers_of(view, &caller)?,
    })
}

pub(super) fn child_entry(
    app: &App,
    view: &impl Read,
    child: Child,
) -> Result<ChildEntry, StoreError> {
    let Child { child_id, name } = child;
    let (mut guardians, mut assistants) = (Vec::new(), Vec::new());
    for caller in app.children.callers_of(view, child_id)? {
        match caller {
            Caller::Guardian(id) => {
                let found = Guardians::find_readable(view, &id)?;
                guardians.extend(found.map(|guardian| guardian.email));
            }
            Caller::Assistant(id) => {
                let found = app.identity.assistants.find_by_id(view, &id)?;
                assistants.extend(found.map(|assistant| assistant.name));
            }
        }
    }
    guardians.sort_by_cached_key(EmailAddress::key);
    assistants.sort();
    Ok(ChildEntry {
        child_id,
        name,
        guardians,
        assistants,
    })
}

pub(super) fn assistant_entry(
    app: &App,
    view: &impl Read,
    assistant: Assistant,
) -> Result<AssistantEntry, StoreError> {
    let caller = Caller::Assistant(assistant.id.clone());
    let suspended = app.identity.assistants.is_suspended(view, &assistant.id)?;
    let (upstream, when_not_kept) = app
        .gateway
        .upstreams
        .chosen_for_key(view, &assistant.id)?
        .map(|chosen| (chosen.upstream, chosen.when_not_kept))
        .unzip();
    Ok(AssistantEntry {
        id: assistant.id,
        name: assistant.name,
        suspended,
        added_at: Some(assistant.added_at),
        kind: Some(assistant.kind),
        children: app.children.numbers_of(view, &caller)?,
        upstream,
        when_not_kept,
    })
}

/// An assistant that was removed under this name, with the children that are still linked to it.
pub(super) fn revoked_assistant(
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
        children: app.children.numbers_of(view, &caller)?,
        kind: None,
        upstream: None,
        when_not_kept: None,
    })
}

pub(super) fn guardians(app: &App) -> Result<Entries<GuardianEntry>, StoreError> {
    let (all, unreadable) = app.identity.guardians.list(&app.store)?;
    let entries = all.into_iter();
    let entries = entries.map(|guardian| guardian_entry(app, &app.store, guardian));
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_cached_key(|entry| (entry.added_at, entry.email.key()));
    Ok(Entries {
        entries,
        unreadable,
    })
}

pub(super) fn children(app: &App) -> Result<Entries<ChildEntry>, StoreError> {
    let (all, unreadable) = app.children.list_all(&app.store)?;
    let entries = all.into_iter();
    let entries = entries.map(|child| child_entry(app, &app.store, child));
    Ok(Entries {
        entries: entries.collect::<Result<_, _>>()?,
        unreadable,
    })
}

pub(super) fn assistants(app: &App) -> Result<Entries<AssistantEntry>, StoreError> {
    let (all, unreadable) = app.identity.assistants.list(&app.store)?;
    let entries = all.into_iter();
    let entries = entries.map(|assistant| assistant_entry(app, &app.store, assistant));
    let mut entries = entries.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_cached_key(|entry| (entry.added_at, entry.name.clone()));
    Ok(Entries {
        entries,
        unreadable,
    })
}
