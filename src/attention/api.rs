//! API for guardians: what needs them.

use poem_openapi::param::Path;
use poem_openapi::types::Example;
use poem_openapi::{Enum, Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Attention, Channel, ChildAttention, ConnectedAssistant, Need};
use crate::alerts::api::AlertView;
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::AssistantId;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, CHILD, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Done, Listed, Page, Text};
use crate::kernel::store::JsonRows;
use crate::rules::api::LastHeardView;

#[derive(Tags)]
enum Tag {
    /// What needs the guardian.
    #[oai(rename = "attention")]
    Attention,
}

/// What waits for the caller about a child, gravest first. Each has its own way of leaving, and nothing that another guardian does
/// to an alert or an assistant changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "AttentionState", rename_all = "snake_case")]
enum StateView {
    /// An open `alert` of a reviewer that is urgent: the newest. Leaves when the caller has dealt with it (`setAlertDealtWith`) or
    /// finds it not worrying (`setAlertNotWorrying`).
    Urgent,
    /// The newest other open `alert`. Leaves in the same ways, or with its concern (`replaceNotWorrying`).
    Alert,
    /// Messages about alerts don't reach the caller: by `channel` none arrived, `since` the first that was refused, or a device can
    /// no longer be notified (`ended_since` of `getPushSubscription`, which says how that leaves). Leaves when one arrives, or when
    /// the caller switches that channel off.
    NotReached,
    /// `assistant` refused the rules. Leaves when it confirms that it follows the rules, or when the caller doesn't use it any
    /// more (`setAssistantNotInUse`).
    RulesRefused,
    /// `assistant` was heard and hasn't confirmed the rules. Leaves in the same ways.
    RulesUnconfirmed,
    /// `assistant` may not get all of the rules: in the newest try its model didn't repeat all check words. Leaves after a try in
    /// which it does, or when the caller doesn't use it any more (`setAssistantNotInUse`).
    RulesIncomplete,
    /// Messages of a conversation could not be saved: `alert.count` of them, at `alert.at`. Leaves after 7 days.
    NotSaved,
    /// `conversations` were not reviewed. Leaves after 7 days.
    NotReviewed,
    /// `assistant` hasn't connected `since`. Leaves when it connects, or when the caller doesn't use it any more
    /// (`setAssistantNotInUse`).
    Silent,
    /// Nothing waits. `last_heard` says how far that goes.
    NothingOpen,
    /// Nothing waits, and nothing was ever heard.
    NothingHeard,
    /// Nothing waits, and no assistant is connected.
    NoAssistant,
}

/// An assistant that is connected to a child.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AttentionAssistant")]
struct AssistantView {
    assistant_id: AssistantId,
    name: Text<200>,
    /// Whether the caller doesn't use it any more. Ends when it connects again.
    not_in_use: bool,
}

impl From<ConnectedAssistant> for AssistantView {
    fn from(assistant: ConnectedAssistant) -> Self {
        Self {
            assistant_id: assistant.id,
            name: Text::new(assistant.name).unwrap_or_default(),
            not_in_use: assistant.not_in_use,
        }
    }
}

/// How far Porchlight sees.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AttentionSight")]
struct SightView {
    /// The assistants that are connected to the child, by name. Porchlight sees only what they send.
    assistants: Vec<AssistantView>,
    /// The number of phrases that the caller watches for with this child.
    watched_phrases: u64,
    /// Whether an AI reader reads this child's conversations.
    reviewer: bool,
}

/// What needs the caller about one child: the gravest thing that waits, and the values of its sentence.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ChildAttention", skip_serializing_if_is_none)]
struct ChildAttentionView {
    child_id: ChildId,
    child_name: Text<200>,
    /// The gravest thing that waits for the caller.
    state: StateView,
    /// Of `urgent`, `alert` and `not_saved`: the alert, without the words of the conversation. `alert_id` and `session_id` are what
    /// to link to.
    alert: Option<AlertView>,
    /// Of `rules_refused`, `rules_unconfirmed`, `rules_incomplete` and `silent`: the assistant.
    assistant: Option<AssistantView>,
    /// Of `not_reached`.
    channel: Option<Channel>,
    /// Of `not_reached`: when the first message was refused since the last that arrived. Of `silent`: when it was last connected.
    since: Option<Timestamp>,
    /// Of `not_reviewed`: the number of conversations.
    conversations: Option<u64>,
    /// How many other things wait, also of the same state.
    more: u64,
    /// The number of open alerts: those of `urgent` and `alert`.
    open_alerts: u64,
    /// The conversation with the newest message. Omitted if nothing was ever heard.
    last_heard: Option<LastHeardView>,
    sees: SightView,
}

impl From<ChildAttention> for ChildAttentionView {
    fn from(attention: ChildAttention) -> Self {
        let quiet = if attention.assistants.is_empty() {
            StateView::NoAssistant
        } else if attention.last_heard.is_none() {
            StateView::NothingHeard
        } else {
            StateView::NothingOpen
        };
        let mut view = Self {
            child_id: attention.child,
            child_name: Text::new(attention.name).unwrap_or_default(),
            state: quiet,
            alert: None,
            assistant: None,
            channel: None,
            since: None,
            conversations: None,
            more: attention.more,
            open_alerts: attention.open_alerts,
            last_heard: attention.last_heard.map(LastHeardView::from),
            sees: SightView {
                assistants: attention.assistants.into_iter().map(Into::into).collect(),
                watched_phrases: attention.watched_phrases,
                reviewer: attention.is_reviewed,
            },
        };
        if let Some(need) = attention.need {
            view.set(need);
        }
        view
    }
}

impl ChildAttentionView {
    fn set(&mut self, need: Need) {
        self.state = match &need {
            Need::Alert(alert) if alert.alert.is_urgent() => StateView::Urgent,
            Need::Alert(_) => StateView::Alert,
            Need::NotReached { .. } => StateView::NotReached,
            Need::RulesRefused(_) => StateView::RulesRefused,
            Need::RulesUnconfirmed(_) => StateView::RulesUnconfirmed,
            Need::RulesIncomplete(_) => StateView::RulesIncomplete,
            Need::NotSaved(_) => StateView::NotSaved,
            Need::NotReviewed { .. } => StateView::NotReviewed,
            Need::Silent { .. } => StateView::Silent,
        };
        match need {
            Need::Alert(alert) | Need::NotSaved(alert) => self.alert = Some((*alert).into()),
            Need::NotReached { channel, since } => {
                self.channel = Some(channel);
                self.since = Some(since);
            }
            Need::NotReviewed { conversations } => self.conversations = Some(conversations),
            Need::RulesRefused(assistant)
            | Need::RulesUnconfirmed(assistant)
            | Need::RulesIncomplete(assistant) => {
                self.assistant = Some(assistant.into());
            }
            Need::Silent { assistant, since } => {
                self.assistant = Some(assistant.into());
                self.since = Some(since);
            }
        }
    }
}

/// Whether the caller doesn't use an assistant any more.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "AssistantNotInUse", deny_unknown_fields, example)]
struct NotInUseView {
    /// `false` undoes it.
    not_in_use: bool,
}

impl Example for NotInUseView {
    fn example() -> Self {
        Self { not_in_use: true }
    }
}

pub struct AttentionApi {
    pub children: Children,
    pub attention: Attention,
}

#[OpenApi(tag = "Tag::Attention")]
impl AttentionApi {
    /// List what needs the caller
    ///
    /// For each of the caller's children, by id: the gravest thing that waits, how many others do, and how far Porchlight sees. It
    /// is the caller's own view. The event `attention` comes when `sees.assistants[].not_in_use` changes; `alerts`, `receipts`,
    /// `reviewer`, `history` and `session` come when something else in it may have changed.
    #[oai(
        path = "/attention",
        method = "get",
        operation_id = "getAttention",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
    ) -> Result<Listed<Page<ChildAttentionView>>, Refused<{ SIGNED_IN }>> {
        let (children, unreadable) = self.attention.list(guardian.0).await?;
        let answer = Page::<ChildAttentionView>::whole(children);
        Ok(JsonRows::of(&answer, unreadable).into())
    }

    /// Say whether one doesn't use an assistant any more
    ///
    /// For the caller alone, and one child: no other guardian learns of it, and no time is kept. It doesn't disconnect the
    /// assistant, and ends when the assistant connects again.
    #[oai(
        path = "/child/:childId/assistants/:assistantId/not_in_use",
        method = "put",
        operation_id = "setAssistantNotInUse"
    )]
    async fn set_not_in_use(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The assistant's id.
        #[oai(name = "assistantId")]
        assistant: Path<AssistantId>,
        body: Body<NotInUseView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let (assistant, not_in_use) = (assistant.0, body.0.not_in_use);
        self.attention
            .set_not_in_use(access, by, assistant, not_in_use)
            .await?;
        Ok(Done)
    }
}
