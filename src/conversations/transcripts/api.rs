//! API for guardians: a child's sessions and a session's messages.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi, Tags};
use serde::Deserialize;

use super::{MessageKind, Near, Transcripts, TranscriptsError};
use crate::children::accessed::{Shown, record_shown};
use crate::children::api::no_words;
use crate::children::{ChildAccess, ChildId, Children, SessionId};
use crate::identity::AssistantId;
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, Code, MALFORMED, Refusal, Refused, RefusedAt};
use crate::kernel::http::wire::{Listed, PageMarker, PageSize, Query, RawJson, Text};
use crate::kernel::store::ReadError;

#[derive(Tags)]
enum Tag {
    /// Sessions and what was said in them.
    #[oai(rename = "transcripts")]
    Transcripts,
}

/// A learning session.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Session", skip_serializing_if_is_none)]
pub struct SessionView {
    /// The session's id.
    session_id: SessionId,
    /// The child's id.
    child_id: ChildId,
    /// The topic, if the assistant gave one.
    topic: Option<Text<200>>,
    /// When it began, if the assistant gave a time.
    start_time: Option<Timestamp>,
    /// When it began: `start_time`, else the time of its first message. Omitted for a session that has neither.
    date: Option<Timestamp>,
    /// How long the conversation took, in seconds. Omitted if there was none.
    duration: Option<f64>,
    /// The beginning of the child's first message, for a session without a topic.
    first_words: Option<Text<120>>,
    /// The time of the newest message. Omitted if unknown.
    last_message_time: Option<Timestamp>,
    /// The number of messages, without those that nobody said.
    message_count: u64,
    /// Whether it has ended: the assistant ended it, or nothing arrived for the session's idle time.
    ended: bool,
    /// The device it took place on, if the assistant gave one.
    device: Option<Text<64>>,
    /// The name of the assistant that delivered it. Omitted if unknown.
    assistant: Option<Text<200>>,
    /// The id of that assistant. Omitted if unknown.
    assistant_id: Option<AssistantId>,
    /// `true` if a guardian said that somebody else talked, not the child. It then counts in no statistics, and not against the
    /// daily limit.
    not_child: Option<bool>,
    /// The number of messages that were delivered but could not be stored. Omitted if zero; at most 100 per session
    /// are counted.
    not_kept: Option<Vec<NotKeptView>>,
}

/// The number of a session's messages that could not be stored for one reason.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "NotKept")]
pub struct NotKeptView {
    reason: NotKeptReasonView,
    count: u64,
}

/// Why a message could not be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Deserialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "NotKeptReason", rename_all = "snake_case")]
pub enum NotKeptReasonView {
    /// The id was already used for another text, or for too many.
    IdUsedTwice,
    /// The message was invalid.
    Invalid,
    /// The server could not store it at the time, and the assistant continued nevertheless.
    NotStored,
}

/// A page of sessions.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(skip_serializing_if_is_none)]
pub struct SessionPage {
    /// Newest first.
    sessions: Vec<SessionView>,
    /// The `before` of the next page. Omitted on the last one.
    next: Option<String>,
}

/// A message.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "Message", skip_serializing_if_is_none)]
pub struct MessageView {
    /// The assistant's id of the message, unique within the session.
    message_id: Text<200>,
    /// Who spoke; `assistant` for the assistant itself.
    source: Option<Text<200>>,
    /// The text, exactly as delivered; at most 64 KiB.
    text_content: Option<Text<65_536>>,
    /// When it was said.
    timestamp: Timestamp,
    /// The kind of content, as the assistant names it.
    content_type: Option<Text<200>>,
    /// The kind of event, as the assistant names it.
    event_type: Option<Text<200>>,
    /// The offset in the recording, in samples.
    start_sample: Option<u64>,
    /// Whether it was interrupted. The text then ends where the child stopped hearing it, or `heard` says where.
    interrupted: Option<bool>,
    /// The speaker: the name of a voice print, or the assistant's word for an unknown voice.
    speaker: Option<Text<200>>,
    /// Whether it was sent to the app, and it is not known yet whether the child heard it.
    generated: Option<bool>,
    /// How much of an interrupted text the child heard, in UTF-16 code units. Omitted if the text ends there.
    heard: Option<u32>,
    /// Whether the app wrote it in the assistant's name: no model answered it through this server.
    from_app: Option<bool>,
    /// What it is, if it wasn't said in the conversation. Omitted for what was said.
    kind: Option<MessageKind>,
    /// What it said before it was replaced, oldest first, also the whole of an answer that was cut short. Omitted if there is none. A text
    /// that only grew may be missing.
    earlier: Option<Vec<EarlierTextView>>,
}

/// What a message said until the assistant replaced it.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "EarlierText", skip_serializing_if_is_none)]
pub struct EarlierTextView {
    /// Who spoke, as the message said then; `assistant` for the assistant itself.
    source: Option<Text<200>>,
    /// The speaker, as the message said then.
    speaker: Option<Text<200>>,
    /// The text, exactly as delivered; at most 64 KiB.
    text_content: Text<65_536>,
    /// When it was replaced.
    until: Timestamp,
}

/// A page of messages.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(skip_serializing_if_is_none)]
pub struct MessagePage {
    /// In chronological order.
    messages: Vec<MessageView>,
    /// The `before` of the previous page, if this page was requested with `around` or `before`. Omitted on the first one.
    previous: Option<String>,
    /// The `after` of the next page. Omitted on the last one.
    next: Option<String>,
}

const ONE_PLACE: &str = "Only one of after, before and around can be given.";

pub struct TranscriptsApi {
    pub children: Children,
    pub transcripts: Transcripts,
}

#[OpenApi(tag = "Tag::Transcripts")]
impl TranscriptsApi {
    /// List a child's sessions, newest first
    #[oai(
        path = "/sessions",
        method = "get",
        operation_id = "listSessions",
        transform = "no_words"
    )]
    async fn sessions(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        child_id: Query<ChildId>,
        /// The `next` of the previous page.
        before: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
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
        operation_id = "getSession",
        transform = "no_words"
    )]
    async fn session(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
    ) -> Result<RawJson<SessionView>, Refused<{ CHILD }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let session = self.transcripts.get_listed(&access, session.0)?;
        Ok(RawJson::of(&session))
    }

    /// List a session's messages, oldest first
    ///
    /// Starts at the first message unless `after`, `before` or `around` is given. Only one of them can be.
    #[oai(
        path = "/sessions/:sessionId/messages",
        method = "get",
        operation_id = "listMessages"
    )]
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a parameter of the operation"
    )]
    async fn messages(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
        /// The `next` of the previous page.
        after: Query<Option<PageMarker>>,
        /// The `previous` of the following page.
        before: Query<Option<PageMarker>>,
        /// A message's id: the page has this message in the middle.
        around: Query<Option<Text<200>>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
        /// `true` for a conversation that a page opens by itself. Such a read of the first page of the newest conversation isn't
        /// counted in `looks`, for at most three conversations a day; any other read is.
        glance: Query<Option<bool>>,
    ) -> Result<Listed<MessagePage>, Refused<{ CHILD | MALFORMED }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let limit = PageSize::rows(limit.0);
        let after = after.0.as_ref().map(PageMarker::as_str);
        let before = before.0.as_ref().map(PageMarker::as_str);
        let near = match (after, before, &around.0) {
            (_, None, None) => None,
            (None, Some(page), None) => Some(Near::Before(page)),
            (None, None, Some(message)) => Some(Near::Around(message)),
            _ => {
                return Err(Refusal::malformed(Code::ParametersConflict, ONE_PLACE)
                    .at("?around")
                    .into());
            }
        };
        if glance.0 == Some(true) && after.is_none() && near.is_none() {
            let is_newest = self.transcripts.newest(&access)? == Some(session.0);
            record_shown(Shown::Beginning {
                session: session.0,
                is_newest,
            });
        }
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

/// Returns the guardian's access to the session's child; [`TranscriptsError::NoSuchSession`] or [`TranscriptsError::Children`]
/// if the child is somebody else's.
pub fn access_to(
    children: &Children,
    transcripts: &Transcripts,
    guardian: &AsGuardian,
    session: SessionId,
) -> Result<ChildAccess, TranscriptsError> {
    let child = transcripts.child_of(session);
    access_by(children, transcripts, guardian, session, child)
}

/// Like [`access_to`], for a session whose child was looked up in another way.
pub fn access_by(
    children: &Children,
    transcripts: &Transcripts,
    guardian: &AsGuardian,
    session: SessionId,
    child: Result<ChildId, TranscriptsError>,
) -> Result<ChildAccess, TranscriptsError> {
    let child = match child {
        // If the session can't be read, its guardian gets an error and everybody else a 404.
        Err(error) if error.damage().is_some() => {
            for access in children.all_of(&guardian.0)? {
                if transcripts.lists(&access, session)? {
                    return Err(error);
                }
            }
            return Err(TranscriptsError::NoSuchSession);
        }
        // Looked up all the same, so that this takes as long as for another family's session.
        Err(TranscriptsError::NoSuchSession) => NOBODYS,
        found => found?,
    };
    Ok(children.of(&guardian.0, child)?)
}

/// No child has this id: ids start at 1.
const NOBODYS: ChildId = ChildId::new(0);
