//! The endpoint for choosing the model's server of an assistant, and what the page shows of the servers.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::own_assistant::OwnAssistantView;
use super::{Tag, require_step_up};
use crate::household::assistants::{ManagedAssistants, UpstreamChoice};
use crate::household::management::Management;
use crate::identity::AssistantId;
use crate::identity::api::AsGuardian;
use crate::kernel::http::problem::{BODY, CONFLICT, NOT_FOUND, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Text, by_documented_name, given};
use crate::models::{Upstream, UpstreamForm};

/// A server with models, which the administrator added.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Upstream")]
pub(super) struct UpstreamView {
    name: String,
    /// Its host, with the port unless it is the scheme's default.
    host: String,
    #[serde(serialize_with = "by_documented_name")]
    form: UpstreamForm,
    /// The models that assistants may use; empty for all that it has.
    models: Vec<String>,
}

impl From<Upstream> for UpstreamView {
    fn from(upstream: Upstream) -> Self {
        Self {
            host: upstream.url.host(),
            name: upstream.name,
            form: upstream.form,
            models: upstream.models,
        }
    }
}

/// A model's server, and where it is.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "UpstreamChoice", deny_unknown_fields)]
pub(super) struct UpstreamChoiceView {
    name: Text<200>,
    /// The host that the guardian was shown.
    host: Text<300>,
}

impl From<UpstreamChoiceView> for UpstreamChoice {
    fn from(chosen: UpstreamChoiceView) -> Self {
        Self {
            name: chosen.name.into_string(),
            host: chosen.host.into_string(),
        }
    }
}

/// The model's server that an assistant is to use.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct ChooseUpstreamRequest {
    /// Omitted for none.
    #[serde(default, deserialize_with = "given")]
    upstream: Option<UpstreamChoiceView>,
}

pub struct UpstreamsApi {
    pub management: Management,
    pub assistants: ManagedAssistants,
}

#[OpenApi(tag = "Tag::Household")]
impl UpstreamsApi {
    /// Choose the model's server of an assistant
    ///
    /// Requires stepping up (403 otherwise). 409 if the server was removed or has another host, or if the assistant also talks
    /// with a child that isn't the caller's.
    #[oai(
        path = "/assistants/:assistantId/upstream",
        method = "put",
        operation_id = "chooseAssistantUpstream"
    )]
    async fn choose(
        &self,
        guardian: AsGuardian,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
        body: Body<ChooseUpstreamRequest>,
    ) -> Result<Body<OwnAssistantView>, Refused<{ SIGNED_IN | NOT_FOUND | BODY | CONFLICT | WRITE }>>
    {
        let by = require_step_up(&self.management, &guardian)?;
        let choice = body.0.upstream.map(UpstreamChoice::from);
        let chosen = self.assistants.choose_upstream(&by, assistant.0, choice);
        Ok(Body(chosen.await?.into()))
    }
}
