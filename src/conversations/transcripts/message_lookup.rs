//! Single stored messages, for features that deliver on behalf of an assistant.

use super::delivery::Message;
use super::store::{self, messages};
use super::{Transcripts, TranscriptsError, existing};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::store::{Change, Read, Row, StoreError, readable};

impl Transcripts {
    /// A message as it is stored; [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn find_message(
        &self,
        change: &Change,
        owner: &ChildAccess,
        session: SessionId,
        message_id: &str,
    ) -> Result<Option<Message>, TranscriptsError> {
        self.confirmed(change, owner, session)?;
        match messages::kept(change, session, message_id)? {
            Some(place) => Ok(messages::message(change, session, place)?),
            None => Ok(None),
        }
    }

    /// A message, in the middle of its neighbours, and whether all of them could be read.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's, or is deleted.
    pub fn read_around(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
        message_id: &str,
    ) -> Result<(Vec<Message>, bool), TranscriptsError> {
        let state = store::shown_state(view, session)?;
        if state.is_none_or(|state| state.child != access.child()) {
            return Err(TranscriptsError::NoSuchSession);
        }
        let page = messages::messages_around(view, session, message_id, 3)?;
        let page = page.ok_or(TranscriptsError::NoSuchMessage)?;
        let messages = page.rows.iter().map(Row::record);
        Ok((messages.collect::<Result<_, _>>()?, page.unreadable == 0))
    }

    /// Whether a session goes on: not once it is deleted, or marked as not the child's.
    pub fn continues(&self, view: &impl Read, session: SessionId) -> Result<bool, StoreError> {
        let found = readable(existing(store::get_session(view, session)))?;
        // An unreadable one goes on.
        Ok(found.is_none_or(|found| {
            found.is_some_and(|(state, session)| state.is_shown() && !session.not_child)
        }))
    }

    /// Records that the child heard a message: removes `generated` from it, at the same revision. `heard` returns how much of
    /// its text was heard, in UTF-16 code units, if not all. Does nothing if the message is gone;
    /// [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn confirm_heard(
        &self,
        change: &mut Change,
        owner: &ChildAccess,
        session: SessionId,
        message_id: &str,
        heard: impl FnOnce(&str) -> Option<usize>,
    ) -> Result<(), TranscriptsError> {
        let (mut state, row) = self.confirmed(change, owner, session)?;
        let confirmed = messages::confirm_heard(change, session, message_id, heard)?;
        if let Some((before, after)) = confirmed {
            state.spoken.subtract(&before);
            state.spoken.add(&after);
            // Open pages learn of a change from the session's row.
            store::put_session(change, &mut state, &row)?;
        }
        Ok(())
    }

    /// The text of a message, for a comparison with what the assistant that stored it says now. The owner isn't checked.
    pub fn text_of(
        &self,
        view: &impl Read,
        session: SessionId,
        message_id: &str,
    ) -> Result<Option<String>, StoreError> {
        let Some(place) = messages::kept(view, session, message_id)? else {
            return Ok(None);
        };
        let message = messages::message(view, session, place)?;
        Ok(message.and_then(|message| message.text_content))
    }
}
