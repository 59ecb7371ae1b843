//! A session as guardians see it: the stored record and what is derived from its messages.

use serde::Serialize;
use serde_with::skip_serializing_none;

use super::talk::interval;
use super::{NotKeptCount, Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};

/// Only this many messages are searched for the child's first one.
const LOOKED_THROUGH: usize = 20;

/// In characters.
const FIRST_WORDS: usize = 120;

/// A session and what is derived from its messages.
#[skip_serializing_none]
#[derive(Clone, Debug, Serialize)]
pub struct ListedSession {
    #[serde(flatten)]
    session: Session,
    date: Option<Timestamp>,
    duration: Option<f64>,
    first_words: Option<String>,
    assistant_id: Option<AssistantId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_kept: Vec<NotKeptCount>,
}

impl Transcripts {
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn get_listed(
        &self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<ListedSession, TranscriptsError> {
        let session = self.get_session(access, session)?;
        Ok(listed(&self.store, session)?)
    }

    /// When the session began: the time the assistant gave, else that of the first message; `None` without either.
    pub fn began(
        &self,
        view: &impl Read,
        session: &Session,
    ) -> Result<Option<Timestamp>, StoreError> {
        match session.start_time {
            None => store::messages::first_said_at(view, session.session_id),
            start => Ok(start),
        }
    }
}

pub(super) fn listed(view: &impl Read, session: Session) -> Result<ListedSession, StoreError> {
    let id = session.session_id;
    let state = store::state(view, id)?;
    let first = match state.as_ref().and_then(|state| state.first_message_time) {
        None if session.message_count > 0 => store::messages::first_said_at(view, id)?,
        first => first,
    };
    let not_kept = state
        .as_ref()
        .map_or_else(Vec::new, |state| state.not_kept.counts());
    let assistant_id = state.as_ref().and_then(|state| state.assistant().cloned());
    let talk = state.and_then(|state| {
        let said = first.zip(session.last_message_time);
        let reported = state.reported();
        interval(said, session.start_time, state.ended_at, reported)
    });
    let has_topic = session
        .topic
        .as_ref()
        .is_some_and(|topic| !topic.trim().is_empty());
    let first_words = if has_topic || session.message_count == 0 {
        None
    } else {
        first_words(view, id)?
    };
    Ok(ListedSession {
        date: session.start_time.or(first),
        duration: talk.map(|talk| talk.end.since(talk.start).as_secs_f64()),
        first_words,
        assistant_id,
        not_kept,
        session,
    })
}

/// The beginning of the child's first message.
fn first_words(view: &impl Read, session: SessionId) -> Result<Option<String>, StoreError> {
    let page = store::messages::messages(view, session, None, LOOKED_THROUGH)?;
    for row in &page.rows {
        let message = row.record::<super::Message>()?;
        let text = message.text_content.as_deref().unwrap_or_default().trim();
        let is_childs = message.is_said() && !message.is_assistants();
        if is_childs && !text.is_empty() {
            return Ok(Some(text.chars().take(FIRST_WORDS).collect()));
        }
    }
    Ok(None)
}
