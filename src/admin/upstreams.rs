//! The administrator's operations on upstreams.

use serde::{Deserialize, Serialize};

use super::entries::{Entries, assistant_entry};
use super::{AdminError, Answer};
use crate::app::App;
use crate::gateway::upstreams::{
    NewUpstream, Upstream, UpstreamForm, UpstreamUrl, WhenNotKept, probe,
};
use crate::identity::AssistantId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Read, StoreError};

/// A new upstream, as the command line reads it.
#[derive(Clone, Serialize, Deserialize)]
pub struct UpstreamToAdd {
    pub name: String,
    pub url: UpstreamUrl,
    pub key: Option<String>,
    pub models: Vec<String>,
    pub form: UpstreamForm,
}

/// An upstream, as the administrator sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UpstreamEntry {
    pub name: String,
    pub url: UpstreamUrl,
    pub form: UpstreamForm,
    pub has_key: bool,
    /// The models that it is limited to; left out if to none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<String>,
    pub added_at: Timestamp,
    /// The names of the assistants that use it.
    pub assistants: Vec<String>,
}

/// An upstream that was removed, and may have been unreadable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RemovedUpstream {
    pub name: String,
}

fn entry(app: &App, view: &impl Read, upstream: Upstream) -> Result<UpstreamEntry, StoreError> {
    Ok(UpstreamEntry {
        assistants: app
            .gateway
            .upstreams
            .assistants_with(view, &upstream.name)?,
        name: upstream.name,
        url: upstream.url,
        form: upstream.form,
        has_key: upstream.key.is_some(),
        models: upstream.models,
        added_at: upstream.added_at,
    })
}

pub(super) fn add(
    app: &App,
    change: &mut Change,
    new: UpstreamToAdd,
) -> Result<Answer, AdminError> {
    let new = NewUpstream {
        name: new.name,
        url: new.url,
        key: new.key.map(|key| key.parse()).transpose()?,
        models: new.models,
        form: new.form,
    };
    let upstream = app.gateway.upstreams.add(change, new)?;
    Ok(Answer::UpstreamAdded(entry(app, change, upstream)?))
}

pub(super) fn list(app: &App) -> Result<Entries<UpstreamEntry>, StoreError> {
    let (all, unreadable) = app.gateway.upstreams.list(&app.store)?;
    let entries = all.into_iter();
    let entries = entries.map(|upstream| entry(app, &app.store, upstream));
    Ok(Entries {
        entries: entries.collect::<Result<_, _>>()?,
        unreadable,
    })
}

pub(super) fn remove(
    app: &App,
    change: &mut Change,
    name: String,
) -> Result<RemovedUpstream, AdminError> {
    app.gateway.upstreams.remove(change, &name)?;
    Ok(RemovedUpstream { name })
}

/// Asks the upstream, and a model of it if one is named.
pub(super) async fn test(
    app: &App,
    name: &str,
    model: Option<String>,
) -> Result<Answer, AdminError> {
    let upstream = app.gateway.upstreams.get(&app.store, name)?;
    let seen = probe(&app.gateway.client, &upstream, model.as_deref()).await?;
    Ok(Answer::UpstreamTested {
        name: upstream.name,
        models: seen.models,
        answered: seen.answered,
    })
}

/// Lets an assistant use this upstream, or none.
pub(super) fn choose(
    app: &App,
    change: &mut Change,
    assistant: &str,
    upstream: Option<&str>,
    when_not_kept: WhenNotKept,
) -> Result<Answer, AdminError> {
    let assistant = app.identity.assistants.named(change, assistant)?;
    set(app, change, &assistant.id, upstream, when_not_kept)?;
    let entry = assistant_entry(app, change, assistant)?;
    Ok(Answer::AssistantChanged(entry))
}

pub(super) fn set(
    app: &App,
    change: &mut Change,
    assistant: &AssistantId,
    upstream: Option<&str>,
    when_not_kept: WhenNotKept,
) -> Result<(), AdminError> {
    match upstream {
        Some(name) => {
            app.gateway
                .upstreams
                .set_for_key(change, assistant, name, when_not_kept)?;
        }
        None => app.gateway.upstreams.unset_for_key(change, assistant)?,
    }
    Ok(())
}
