//! The endpoints of App Settings' pages about people and assistants.

mod answers;
mod connections;
mod invitations;
mod own_assistant;
mod requests;
mod retention_period;
mod setup;
mod upstreams;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::assistants::{ManagedAssistant, ManagedAssistants, UpstreamChoice};
use super::invitations::Invitations;
use super::management::Management;
use super::profiles::{ChildGuardians, ChildProfiles};
use crate::assistants::plugins::{STACKS, Stack};
use crate::children::api::{ChildView, no_words};
use crate::children::history::api::AuthorView;
use crate::children::{Child, ChildId};
use crate::identity::api::{AsGuardian, uncounted};
use crate::identity::{AssistantId, AssistantKey, SteppedUp};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::problem::{
    BODY, CHILD, CONFLICT, NOT_FOUND, RULE, Refusal, Refused, SIGNED_IN, WRITE,
};
use crate::kernel::http::wire::{Body, Created, Done, Listed, Text, at_most, given};
use crate::kernel::store::backup_state::ScheduleState;
use crate::kernel::store::{JsonRows, readable_or_counted};

pub use connections::ConnectionsApi;
pub use invitations::InvitationsApi;
pub use requests::RequestsApi;
pub use retention_period::RetentionPeriodApi;
pub use setup::SetupApi;
pub use upstreams::UpstreamsApi;

use own_assistant::OwnAssistantView;
use retention_period::AddChildRequest;
use upstreams::{UpstreamChoiceView, UpstreamView};

#[derive(Tags)]
enum Tag {
    /// What guardians can manage.
    #[oai(rename = "household")]
    Household,
}

/// A voice stack with a plug-in.
#[derive(Debug, Object, Serialize)]
struct Plugin {
    /// Its name in the download URL.
    stack: String,
    /// Its name as its makers write it.
    title: String,
    /// What to do after downloading the plug-in.
    steps: Vec<String>,
}

/// The guardians of a child.
#[derive(Debug, Object, Serialize)]
struct GuardiansOfChild {
    /// The child's id.
    child_id: ChildId,
    /// Its guardians, the caller first.
    guardians: Vec<AuthorView>,
}

impl From<ChildGuardians> for GuardiansOfChild {
    fn from(of: ChildGuardians) -> Self {
        let guardians = of.guardians.into_iter().map(AuthorView::from);
        Self {
            child_id: of.child,
            guardians: guardians.collect(),
        }
    }
}

/// What the caller can manage.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Household", skip_serializing_if_is_none)]
struct HouseholdView {
    /// Whether guardians manage this in the browser. Otherwise only the administrator does, and all changes get 403.
    guardians_manage: bool,
    /// The server's URL for assistants.
    server: String,
    /// The caller's children, each with its guardians.
    children: Vec<GuardiansOfChild>,
    /// The assistants, the earliest added first.
    assistants: Vec<OwnAssistantView>,
    /// The plug-ins, which connect an assistant without writing code.
    plugins: Vec<Plugin>,
    /// The base URL for apps that speak OpenAI's API; omitted if there is no model's server to choose.
    gateway: Option<String>,
    /// The models' servers that the caller can choose for an assistant.
    upstreams: Vec<UpstreamView>,
    /// When a scheduled backup of this server last succeeded; omitted if none ever did.
    last_backup_at: Option<Timestamp>,
    /// When a guardian without a child last accepted an invitation that the child's other guardians can still answer; omitted
    /// otherwise.
    accepted_invitation_at: Option<Timestamp>,
}

/// A name.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct NameRequest {
    /// Trimmed; not empty and without control characters.
    name: Text<200>,
}

/// An assistant to connect.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct ConnectRequest {
    /// Its name, unique among the caller's assistants.
    name: Text<200>,
    /// The caller's children that it may talk with.
    #[serde(deserialize_with = "at_most::<100, _, _>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    children: Vec<ChildId>,
    /// The model's server that it uses; omitted for none.
    #[serde(default, deserialize_with = "given")]
    upstream: Option<UpstreamChoiceView>,
}

/// A new assistant and its key.
#[derive(Debug, Object, Serialize)]
struct ConnectedAssistant {
    assistant: OwnAssistantView,
    /// The key, `ast_…`. It can't be requested again.
    key: String,
}

impl From<(ManagedAssistant, AssistantKey)> for ConnectedAssistant {
    fn from((assistant, key): (ManagedAssistant, AssistantKey)) -> Self {
        Self {
            assistant: assistant.into(),
            key: key.reveal().to_owned(),
        }
    }
}

/// Checks that guardians may manage anything, and that this one has stepped up.
fn require_step_up(management: &Management, guardian: &AsGuardian) -> Result<SteppedUp, Refusal> {
    management.require()?;
    Ok(management.sign_ins.require_step_up(&guardian.0)?)
}

pub struct HouseholdApi {
    pub management: Management,
    pub profiles: ChildProfiles,
    pub invitations: Invitations,
    pub assistants: ManagedAssistants,
    pub public_url: PublicUrl,
}

#[OpenApi(tag = "Tag::Household")]
impl HouseholdApi {
    /// List the assistants that talk with one's children
    #[oai(
        path = "/household",
        method = "get",
        operation_id = "getHousehold",
        transform = "no_words"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
    ) -> Result<Listed<HouseholdView>, Refused<{ SIGNED_IN }>> {
        let (assistants, mut unreadable) = self.assistants.list_for(&guardian.0)?;
        let backups = ScheduleState::of(&self.management.store);
        let backups = readable_or_counted(backups, &mut unreadable)?;
        let (upstreams, unreadable_upstreams) = self.assistants.upstreams()?;
        unreadable += unreadable_upstreams;
        let assistants = assistants.into_iter().map(OwnAssistantView::from);
        let children = self.profiles.guardians_by_child(&guardian.0)?;
        let accepted_invitation_at = if children.is_empty() {
            self.invitations.last_accepted(&guardian.0)?
        } else {
            None
        };
        let answer = HouseholdView {
            guardians_manage: self.management.guardians_manage,
            server: self.public_url.to_string(),
            children: children.into_iter().map(GuardiansOfChild::from).collect(),
            assistants: assistants.collect(),
            plugins: STACKS.iter().map(as_plugin).collect(),
            gateway: (!upstreams.is_empty()).then(|| format!("{}/gateway/v1", self.public_url)),
            upstreams: upstreams.into_iter().map(UpstreamView::from).collect(),
            last_backup_at: backups.and_then(|backups| backups.succeeded_at),
            accepted_invitation_at,
        };
        Ok(JsonRows::of(&answer, unreadable).into())
    }

    /// Add a child
    ///
    /// At most twenty a day.
    #[oai(path = "/children", method = "post", operation_id = "addChild")]
    async fn add_child(
        &self,
        guardian: AsGuardian,
        body: Body<AddChildRequest>,
    ) -> Result<Created<ChildView>, Refused<{ SIGNED_IN | BODY | RULE | WRITE }>> {
        let (sent, profile) = (&body.0, body.0.profile());
        let added = self
            .profiles
            .add(&guardian.0, &sent.name, sent.retention_days, profile);
        let child = added.await?;
        Ok(Created(as_view(child)))
    }

    /// Rename a child
    ///
    /// 409 while a request to delete the child is pending. 422 for more than twenty new names by the caller in 30 days.
    #[oai(
        path = "/child/:childId/name",
        method = "put",
        operation_id = "renameChild"
    )]
    async fn rename_child(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<NameRequest>,
    ) -> Result<Body<ChildView>, Refused<{ CHILD | BODY | RULE | CONFLICT | WRITE }>> {
        let renamed = self.profiles.rename(&guardian.0, child.0, &body.0.name);
        Ok(Body(as_view(renamed.await?)))
    }

    /// Connect an assistant to one's children
    ///
    /// Requires stepping up (403 otherwise). The key can't be requested again. At most twenty keys a day. 409 if the model's
    /// server was removed or has another host.
    #[oai(
        path = "/assistants",
        method = "post",
        operation_id = "connectAssistant"
    )]
    async fn connect(
        &self,
        guardian: AsGuardian,
        body: Body<ConnectRequest>,
    ) -> Result<
        Created<ConnectedAssistant>,
        Refused<{ SIGNED_IN | NOT_FOUND | BODY | RULE | CONFLICT | WRITE }>,
    > {
        let by = require_step_up(&self.management, &guardian)?;
        let ConnectRequest {
            name,
            children,
            upstream,
        } = body.0;
        let upstream = upstream.map(UpstreamChoice::from);
        let connected = self.assistants.connect(&by, &name, children, upstream);
        Ok(Created(connected.await?.into()))
    }

    /// Rename an assistant
    ///
    /// 409 if it also talks with a child that isn't the caller's.
    #[oai(
        path = "/assistants/:assistantId/name",
        method = "put",
        operation_id = "renameAssistant"
    )]
    async fn rename(
        &self,
        guardian: AsGuardian,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
        body: Body<NameRequest>,
    ) -> Result<
        Body<OwnAssistantView>,
        Refused<{ SIGNED_IN | NOT_FOUND | BODY | RULE | CONFLICT | WRITE }>,
    > {
        let name = &body.0.name;
        let renamed = self.assistants.rename(&guardian.0, assistant.0, name);
        Ok(Body(renamed.await?.into()))
    }

    /// Give an assistant a new key
    ///
    /// Revokes the old one at once. Requires stepping up (403 otherwise). 409 if it also talks with a child that isn't the
    /// caller's.
    #[oai(
        path = "/assistants/:assistantId/key",
        method = "post",
        operation_id = "rotateAssistant",
        transform = "uncounted"
    )]
    async fn rotate(
        &self,
        guardian: AsGuardian,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
    ) -> Result<
        Created<ConnectedAssistant>,
        Refused<{ SIGNED_IN | NOT_FOUND | RULE | CONFLICT | WRITE }>,
    > {
        let by = require_step_up(&self.management, &guardian)?;
        let rotated = self.assistants.rotate(&by, assistant.0);
        Ok(Created(rotated.await?.into()))
    }

    /// Keep an assistant's key although a former guardian has seen it
    ///
    /// 409 if it also talks with a child that isn't the caller's.
    #[oai(
        path = "/assistants/:assistantId/key/kept",
        method = "put",
        operation_id = "keepAssistantKey"
    )]
    async fn keep_key(
        &self,
        guardian: AsGuardian,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND | CONFLICT | WRITE }>> {
        self.assistants.keep_key(&guardian.0, assistant.0).await?;
        Ok(Done)
    }

    /// Revoke an assistant
    ///
    /// Its key becomes invalid at once; what it delivered stays. 409 if it also talks with a child that isn't the caller's.
    #[oai(
        path = "/assistants/:assistantId",
        method = "delete",
        operation_id = "revokeAssistant"
    )]
    async fn revoke(
        &self,
        guardian: AsGuardian,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND | CONFLICT | WRITE }>> {
        self.assistants.revoke(&guardian.0, assistant.0).await?;
        Ok(Done)
    }

    /// Remove one's child from an assistant
    ///
    /// Also from an assistant that somebody else added. An assistant that a guardian added is revoked with its last child.
    #[oai(
        path = "/child/:childId/assistants/:assistantId",
        method = "delete",
        operation_id = "takeChildOff"
    )]
    async fn remove_child(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        self.assistants
            .remove_child(&guardian.0, assistant.0, child.0)
            .await?;
        Ok(Done)
    }
}

fn as_plugin(stack: &Stack) -> Plugin {
    Plugin {
        stack: stack.name.to_owned(),
        title: stack.title.to_owned(),
        steps: stack.steps(stack.path, "the key above"),
    }
}

fn as_view(child: Child) -> ChildView {
    ChildView::new(child.child_id, &child.name)
}
