//! API for guardians: assistants' receipts for the rules they follow.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Tag;
use crate::children::api::no_words;
use crate::children::{ChildId, Children, SessionId};
use crate::conversations::transcripts::Transcripts;
use crate::conversations::transcripts::api::access_to;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, MALFORMED, Refused};
use crate::kernel::http::wire::{Listed, PageMarker, PageSize, Query, Text};
use crate::kernel::store::{Cursor, JsonRows};
use crate::rules::{Evidence, Follower, ListStatus, Rules, SessionReceipt};

/// Whether an assistant follows the list, according to its reports.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
enum FollowerKind {
    /// It reports that it follows the current list, or the gateway put it into the prompt.
    Following,
    /// The last list that it reported to follow is an older one.
    Older,
    /// It refused the current list.
    Refused,
    /// It has requested the rules, but never reported that it uses them.
    Asked,
    /// It has never requested or reported anything.
    Silent,
}

/// An assistant of the child, and whether it follows the list of blocked topics, according to its reports.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Follower", skip_serializing_if_is_none)]
struct FollowerView {
    name: Text<200>,
    kind: FollowerKind,
    /// What was done with the list, if it follows it.
    evidence: Option<Evidence>,
    /// When it began to follow the list, or requested it.
    since: Option<Timestamp>,
    /// When the older list took effect; omitted for the list from before the first change.
    topics_since: Option<Timestamp>,
    /// When it last delivered something, with a resolution of one minute; omitted if it never did.
    heard_at: Option<Timestamp>,
    /// The reason why it refuses the list, in its own words.
    reason: Option<Text<200>>,
}

impl From<Follower> for FollowerView {
    fn from(follower: Follower) -> Self {
        let view = |kind| Self {
            name: Text::new(follower.name).unwrap_or_default(),
            kind,
            evidence: None,
            since: None,
            topics_since: None,
            heard_at: None,
            reason: None,
        };
        match follower.status {
            ListStatus::Following {
                since,
                evidence,
                heard_at,
            } => Self {
                since: Some(since),
                evidence: Some(evidence),
                heard_at,
                ..view(FollowerKind::Following)
            },
            ListStatus::Older {
                topics_since,
                heard_at,
            } => Self {
                topics_since,
                heard_at: Some(heard_at),
                ..view(FollowerKind::Older)
            },
            ListStatus::Refused { reason } => Self {
                reason: reason.and_then(|reason| Text::new(reason).ok()),
                ..view(FollowerKind::Refused)
            },
            ListStatus::Asked { since } => Self {
                since: Some(since),
                ..view(FollowerKind::Asked)
            },
            ListStatus::Silent { heard_at } => Self {
                heard_at,
                ..view(FollowerKind::Silent)
            },
        }
    }
}

/// Which assistants follow the list of blocked topics.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct Receipts {
    /// The number of the rules' version in force.
    number: u64,
    /// The number of the version that last changed the topics; 0 before the first change.
    topics_number: u64,
    /// When this list took effect; omitted before the first change.
    topics_since: Option<Timestamp>,
    /// The child's assistants, by name.
    assistants: Vec<FollowerView>,
}

/// A report of the rules that a session ran under: its assistant's, or the gateway's.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "SessionReceipt", skip_serializing_if_is_none)]
struct SessionReceiptView {
    number: u64,
    evidence: Evidence,
    /// When it took effect.
    at: Timestamp,
    /// The reason why the assistant refuses it, in its own words.
    refused: Option<Text<200>>,
    /// When the version's list of topics took effect; omitted for the list from before the first change.
    topics_since: Option<Timestamp>,
}

impl From<SessionReceipt> for SessionReceiptView {
    fn from(receipt: SessionReceipt) -> Self {
        Self {
            number: receipt.number,
            evidence: receipt.evidence,
            at: receipt.at,
            refused: receipt.refused.and_then(|reason| Text::new(reason).ok()),
            topics_since: receipt.topics.since,
        }
    }
}

/// The rules that a session ran under, as its assistant reported.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct SessionReceipts {
    /// The assistant's name; omitted if unknown.
    assistant: Option<Text<200>>,
    /// In chronological order; empty if it reported nothing.
    items: Vec<SessionReceiptView>,
    /// The `after` of the next page. Omitted on the last one.
    next: Option<String>,
}

pub(super) struct ReceiptsApi {
    pub(super) children: Children,
    pub(super) rules: Rules,
    pub(super) transcripts: Transcripts,
}

#[OpenApi(tag = "Tag::Rules")]
impl ReceiptsApi {
    /// List whether a child's assistants follow its blocked topics, according to their reports
    #[oai(
        path = "/child/:childId/rules/receipts",
        method = "get",
        operation_id = "getReceipts",
        transform = "no_words"
    )]
    async fn receipts(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<Receipts>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let rules = self.rules.in_force(&access)?;
        let (followers, unreadable) = self.rules.list_followers(&access)?;
        let answer = Receipts {
            number: rules.number,
            topics_number: rules.topics_version.number,
            topics_since: rules.topics_version.since,
            assistants: followers.into_iter().map(FollowerView::from).collect(),
        };
        Ok(JsonRows::of(&answer, unreadable).into())
    }

    /// List the rules that a session ran under, as its assistant reported
    #[oai(
        path = "/sessions/:sessionId/receipts",
        method = "get",
        operation_id = "listSessionReceipts",
        transform = "no_words"
    )]
    async fn of_session(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
        /// The `next` of the previous page.
        after: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<SessionReceipts>, Refused<{ CHILD | MALFORMED }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let assistant = self.transcripts.get_session(&access, session.0)?.assistant;
        let after = after.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let page = self.rules.list_receipts(&access, session.0, after, limit)?;
        let receipts = page.receipts.into_iter().map(SessionReceiptView::from);
        let answer = SessionReceipts {
            assistant: assistant.and_then(|name| Text::new(name).ok()),
            items: receipts.collect(),
            next: page.next.as_ref().map(Cursor::to_text),
        };
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }
}
