//! The servers with the models that assistants talk through.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::AdminError;
use super::changing::{Compacted, change, change_and_run_maintenance};
use super::entries::Entries;
use super::operation::{Operation, Reports};
use crate::app::App;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Purpose, Read, StoreError};
use crate::models::{NewUpstream, Upstream, UpstreamForm, UpstreamUrl, probe};

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

fn entry(app: &App, view: &impl Read, upstream: Upstream) -> Result<UpstreamEntry, StoreError> {
    let upstreams = &app.gateway.upstreams;
    Ok(UpstreamEntry {
        assistants: upstreams.assistants_with(view, &upstream.name)?,
        name: upstream.name,
        url: upstream.url,
        form: upstream.form,
        has_key: upstream.key.is_some(),
        models: upstream.models,
        added_at: upstream.added_at,
    })
}

#[derive(Clone, Serialize, Deserialize)]
pub struct AddUpstream {
    pub name: String,
    pub url: UpstreamUrl,
    pub key: Option<String>,
    pub models: Vec<String>,
    pub form: UpstreamForm,
}

impl Operation for AddUpstream {
    type Answer = UpstreamEntry;

    async fn run(self, app: &App, _: &Reports) -> Result<UpstreamEntry, AdminError> {
        let add = move |app: &App, change: &mut Change| {
            let new = NewUpstream {
                name: self.name,
                url: self.url,
                key: self.key.map(|key| key.parse()).transpose()?,
                models: self.models,
                form: self.form,
            };
            let upstream = app.gateway.upstreams.add(change, new)?;
            Ok(entry(app, change, upstream)?)
        };
        change(app, Purpose::Ordinary, add).await
    }
}

#[derive(Clone, Serialize, Deserialize)]
pub struct ListUpstreams;

impl Operation for ListUpstreams {
    type Answer = Entries<UpstreamEntry>;

    async fn run(self, app: &App, _: &Reports) -> Result<Self::Answer, AdminError> {
        let all = app.gateway.upstreams.list(&app.store)?;
        Ok(Entries::of(all, |it| entry(app, &app.store, it))?)
    }
}

#[derive(Args, Clone, Serialize, Deserialize)]
pub struct RemoveUpstream {
    /// The upstream's name
    pub name: String,
}

/// Only its name, because the record may be unreadable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RemovedUpstream {
    pub name: String,
}

impl Operation for RemoveUpstream {
    type Answer = Compacted<RemovedUpstream>;

    async fn run(self, app: &App, reports: &Reports) -> Result<Self::Answer, AdminError> {
        let Self { name } = self;
        let remove = move |app: &App, change: &mut Change| {
            app.gateway.upstreams.remove(change, &name)?;
            Ok(RemovedUpstream { name })
        };
        change_and_run_maintenance(app, reports, Purpose::Essential, remove).await
    }
}

/// Asks an upstream for its models, and one of them for an answer.
#[derive(Args, Clone, Serialize, Deserialize)]
pub struct TestUpstream {
    /// The upstream's name
    pub name: String,
    /// The model to ask. Default: the first --model that the upstream was added with
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct TestedUpstream {
    pub name: String,
    /// The models that it lists.
    pub models: Vec<String>,
    /// The model that answered a request; `None` if none was asked.
    pub answered: Option<String>,
}

impl Operation for TestUpstream {
    type Answer = TestedUpstream;

    async fn run(self, app: &App, _: &Reports) -> Result<TestedUpstream, AdminError> {
        let upstream = app.gateway.upstreams.get(&app.store, &self.name)?;
        let seen = probe(&app.gateway.client, &upstream, self.model.as_deref()).await?;
        Ok(TestedUpstream {
            name: upstream.name,
            models: seen.models,
            answered: seen.answered,
        })
    }
}
