//! A child's sessions and the messages of one of them, for its guardians.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi, Tags};
use serde::Deserialize;

use super::{Near, Transcripts, TranscriptsError};
use crate::children::{ChildAccess, ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{CHILD, MALFORMED, Refusal, Refused, RefusedAt};
use crate::kernel::store::StoreError;
use crate::kernel::wire::{Listed, PageMarker, PageSize, Query, RawJson, Text};

/// The tag of these calls.
#[derive(Tags)]
enum Tag {
    /// Sessions and what was said in them.
    #[oai(rename = "transcripts")]
    Transcripts,
}

/// A learning session.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Session")]
pub struct SessionView {
    /// The session's number.
    session_id: SessionId,
    /// Whose session it is.
    child_id: ChildId,
    /// What it is about, if the assistant said.
    #[oai(skip_serializing_if_is_none)]
    topic: Option<Text<200>>,
    /// When it began, if the assistant said.
    #[oai(skip_serializing_if_is_none)]
    start_time: Option<Timestamp>,
    /// When it began: `start_time`, else when its first message was said; left out for a session without any.
    #[oai(skip_serializing_if_is_none)]
    date: Option<Timestamp>,
    /// How long there was talk, in seconds; left out when there was none.
    #[oai(skip_serializing_if_is_none)]
    duration: Option<f64>,
    /// The beginning of what the child said first, of a session without a topic.
    #[oai(skip_serializing_if_is_none)]
    first_words: Option<Text<120>>,
    /// When the newest message was said; left out when that is not known.
    #[oai(skip_serializing_if_is_none)]
    last_message_time: Option<Timestamp>,
    /// How many messages there are.
    message_count: u64,
    /// Whether it is over: the assistant said so, or has brought nothing for a while.
    ended: bool,
    /// Where it was said, if the assistant said.
    #[oai(skip_serializing_if_is_none)]
    device: Option<Text<64>>,
    /// The name of the assistant that delivered it; left out when that is not known.
    #[oai(skip_serializing_if_is_none)]
    assistant: Option<Text<200>>,
    /// How many of its messages the assistant delivered that could not be stored; left out when there are none. At most 100 of
    /// a session are counted.
    #[oai(skip_serializing_if_is_none)]
    not_kept: Option<Vec<NotKeptView>>,
}

/// How many messages of a session could not be stored for one reason.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NotKept")]
pub struct NotKeptView {
    reason: NotKeptReasonView,
    count: u64,
}

/// Why a message could not be stored: another text had its id before, or it was invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "NotKeptReason", rename_all = "snake_case")]
pub enum NotKeptReasonView {
    /// Another text had its id before.
    IdUsedTwice,
    /// It was invalid.
    Invalid,
}

/// A page of sessions.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionPage {
    /// Newest first.
    sessions: Vec<SessionView>,
    /// For `before`, to get the next page; left out on the last one.
    #[oai(skip_serializing_if_is_none)]
    next: Option<String>,
}

/// One utterance.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Message")]
pub struct MessageView {
    /// The assistant's id for it, unique within the session.
    message_id: Text<200>,
    /// Who spoke; the assistant's own label is `assistant`.
    #[oai(skip_serializing_if_is_none)]
    source: Option<Text<200>>,
    /// What was said, exactly as it was delivered; at most 64 KiB.
    #[oai(skip_serializing_if_is_none)]
    text_content: Option<Text<65_536>>,
    /// When it was said.
    timestamp: Timestamp,
    /// The kind of content, in the assistant's words.
    #[oai(skip_serializing_if_is_none)]
    content_type: Option<Text<200>>,
    /// The kind of event, in the assistant's words.
    #[oai(skip_serializing_if_is_none)]
    event_type: Option<Text<200>>,
    /// Where in the recording it starts, in samples.
    #[oai(skip_serializing_if_is_none)]
    start_sample: Option<u64>,
    /// Whether it was cut short; then the text is what was heard.
    #[oai(skip_serializing_if_is_none)]
    interrupted: Option<bool>,
    /// Whose voice it was: a voice print's name, or the assistant's word for a voice that it does not know.
    #[oai(skip_serializing_if_is_none)]
    speaker: Option<Text<200>>,
}

/// A page of messages.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessagePage {
    /// In the order in which they were said.
    messages: Vec<MessageView>,
    /// For `before`, to get the page before, when this one was asked for by `around` or `before`; left out on the first one.
    #[oai(skip_serializing_if_is_none)]
    previous: Option<String>,
    /// For `after`, to get the next page; left out on the last one.
    #[oai(skip_serializing_if_is_none)]
    next: Option<String>,
}

const ONE_PLACE: &str = "Only one of after, before and around can be given.";

/// The transcripts' calls.
pub struct TranscriptsApi {
    /// Who may see whom.
    pub children: Children,
    /// The transcripts' façade.
    pub transcripts: Transcripts,
}

#[OpenApi(tag = "Tag::Transcripts")]
impl TranscriptsApi {
    /// List a child's sessions, newest first
    #[oai(path = "/sessions", method = "get", operation_id = "listSessions")]
    async fn sessions(
        &self,
        guardian: AsGuardian,
        /// Whose sessions.
        child_id: Query<ChildId>,
        /// Where the page before ended: its `next`.
        before: Query<Option<PageMarker>>,
        /// How many, 50 when left out.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<SessionPage>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child_id.0);
        let access = access.refused_at("?child_id")?;
        let page = self.transcripts.list_sessions(
            &access,
            before.0.as_ref().map(PageMarker::as_str),
            PageSize::rows(limit.0),
        )?;
        Ok(page.into())
    }

    /// Get a session
    #[oai(
        path = "/sessions/:sessionId",
        method = "get",
        operation_id = "getSession"
    )]
    async fn session(
        &self,
        guardian: AsGuardian,
        /// Which session.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
    ) -> Result<RawJson<SessionView>, Refused<{ CHILD }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let session = self.transcripts.get_listed(&access, session.0)?;
        Ok(RawJson::of(&session))
    }

    /// List what was said in a session, in order
    ///
    /// From the beginning, or from where `after`, `before` or `around` says; only one of them can be given.
    #[oai(
        path = "/sessions/:sessionId/messages",
        method = "get",
        operation_id = "listMessages"
    )]
    async fn messages(
        &self,
        guardian: AsGuardian,
        /// Which session.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
        /// Where the page before ended: its `next`.
        after: Query<Option<PageMarker>>,
        /// Where the page behind began: its `previous`.
        before: Query<Option<PageMarker>>,
        /// The id of a message: the page has it in its middle.
        around: Query<Option<Text<200>>>,
        /// How many, 50 when left out.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<MessagePage>, Refused<{ CHILD | MALFORMED }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let limit = PageSize::rows(limit.0);
        let after = after.0.as_ref().map(PageMarker::as_str);
        let before = before.0.as_ref().map(PageMarker::as_str);
        let near = match (after, before, &around.0) {
            (_, None, None) => None,
            (None, Some(page), None) => Some(Near::Before(page)),
            (None, None, Some(message)) => Some(Near::Around(message)),
            _ => return Err(Refusal::malformed(ONE_PLACE).at("?around").into()),
        };
        let page = match near {
            Some(near) => self
                .transcripts
                .list_messages_near(&access, session.0, near, limit)?,
            None => self
                .transcripts
                .list_messages(&access, session.0, after, limit)?,
        };
        Ok(page.into())
    }
}

/// The guardian's access to the child whose session this is.
///
/// # Errors
///
/// [`TranscriptsError::NoSuchSession`] or [`TranscriptsError::Children`] when it is somebody else's, or the store's.
pub fn access_to(
    children: &Children,
    transcripts: &Transcripts,
    guardian: &AsGuardian,
    session: SessionId,
) -> Result<ChildAccess, TranscriptsError> {
    let child = match transcripts.child_of(session) {
        // For a session that cannot be read: an error for its guardian, and 404 for everybody else.
        Err(TranscriptsError::Store(error @ StoreError::Unreadable(_))) => {
            for access in children.all_of(&guardian.0)? {
                if transcripts.lists(&access, session)? {
                    return Err(error.into());
                }
            }
            return Err(TranscriptsError::NoSuchSession);
        }
        // Its answer takes as long as that for another family's.
        Err(TranscriptsError::NoSuchSession) => NOBODYS,
        found => found?,
    };
    Ok(children.of(&guardian.0, child)?)
}

/// The number of no child: they count from 1.
const NOBODYS: ChildId = ChildId::new(0);
