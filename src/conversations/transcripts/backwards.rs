//! Reads a child's messages backwards: newest session first, newest message first.

use std::sync::Arc;

use super::{Message, Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, ChildId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Cursor, Read, StoreError, StoredRow, readable};

const SESSIONS: usize = 64;

const MESSAGES: usize = 64;

pub struct Backwards<'a, V> {
    view: &'a V,
    child: ChildId,
    /// The next sessions, in reverse order.
    listed: Vec<StoredRow>,
    current: Option<Current>,
    /// Where reading continues after the last step.
    position: Option<Cursor>,
    /// Where the last step started.
    position_before: Option<Cursor>,
    /// The last session that was read from.
    last_session: Option<Cursor>,
}

struct Current {
    session: Arc<Session>,
    place: Cursor,
    /// The next messages, newest last.
    messages: Vec<StoredRow>,
    /// Messages before this one are read next; `None` means from the session's end.
    before: Option<Cursor>,
    /// Whether no message of it that somebody said was read yet.
    is_fresh: bool,
}

pub enum Step {
    /// A message, its session, and whether it is the newest readable one that somebody said.
    Message(Message, Arc<Session>, bool),
    /// A message or a session that can't be read.
    Unreadable,
    /// The session has no further messages.
    EndOfSession,
}

impl Transcripts {
    /// Starts after the cursor `after` if it is given.
    pub fn backwards<'a, V: Read>(
        &self,
        view: &'a V,
        access: &ChildAccess,
        after: Option<&str>,
    ) -> Result<Backwards<'a, V>, TranscriptsError> {
        let child = access.child();
        let mut reading = Backwards {
            view,
            child,
            listed: Vec::new(),
            current: None,
            position: None,
            position_before: None,
            last_session: None,
        };
        if let Some(after) = after {
            let (session, message) = store::messages::split_place(&Cursor::parse(after)?)?;
            if let Some(message) = message
                && let Some(row) = store::session_row_at(view, child, &session)?
            {
                // If it has become unreadable, it was already counted when it was first reached.
                readable(reading.begin(&row, Some(&message)))?;
            }
            reading.last_session = Some(session);
        }
        Ok(reading)
    }
}

impl Current {
    fn next_message(&mut self, view: &impl Read) -> Result<Option<StoredRow>, StoreError> {
        if self.messages.is_empty() {
            let (session, before) = (self.session.session_id, self.before.as_ref());
            self.messages = store::messages::last_rows(view, session, before, MESSAGES)?;
            if let Some(last) = self.messages.last() {
                self.before = Some(last.cursor());
            }
            self.messages.reverse();
        }
        Ok(self.messages.pop())
    }
}

impl<V: Read> Backwards<'_, V> {
    /// Returns the next step; `None` at the end.
    pub fn next_step(&mut self) -> Result<Option<Step>, StoreError> {
        self.position_before = self.position.take();
        if self.current.is_none() {
            let Some(row) = self.next_session()? else {
                return Ok(None);
            };
            let place = row.cursor();
            self.last_session = Some(place.clone());
            if readable(self.begin(&row, None))?.is_none() {
                self.position = Some(place);
                return Ok(Some(Step::Unreadable));
            }
        }
        let Some(current) = &mut self.current else {
            // The session was removed, or moved within the list, in the meantime.
            self.position.clone_from(&self.last_session);
            return Ok(Some(Step::EndOfSession));
        };
        let Some(row) = current.next_message(self.view)? else {
            self.position = Some(current.place.clone());
            self.current = None;
            return Ok(Some(Step::EndOfSession));
        };
        self.position = Some(current.place.joined(&row.cursor()));
        match readable(row.read::<Message>(self.view))? {
            Some(Some(message)) => {
                let is_newest = message.is_said() && std::mem::take(&mut current.is_fresh);
                Ok(Some(Step::Message(
                    message,
                    Arc::clone(&current.session),
                    is_newest,
                )))
            }
            None => Ok(Some(Step::Unreadable)),
            Some(None) => self.next_step(),
        }
    }

    fn next_session(&mut self) -> Result<Option<StoredRow>, StoreError> {
        if self.listed.is_empty() {
            let after = self.last_session.as_ref();
            self.listed = store::session_rows(self.view, self.child, after, SESSIONS)?;
            self.listed.reverse();
        }
        Ok(self.listed.pop())
    }

    /// Starts reading a session before the given message, or at its end.
    fn begin(&mut self, row: &StoredRow, before: Option<&Cursor>) -> Result<(), StoreError> {
        let session = row.read::<Session>(self.view)?;
        self.current = session.map(|session| Current {
            messages: Vec::new(),
            before: before.cloned(),
            place: row.cursor(),
            is_fresh: before.is_none(),
            session: Arc::new(session),
        });
        Ok(())
    }

    /// Skips the rest of the session of the last step.
    pub fn skip_session(&mut self) {
        if let Some(current) = self.current.take() {
            self.position = Some(current.place);
        }
    }

    /// The cursor after the last step; `None` before the first step.
    pub fn next_cursor(&self) -> Option<&Cursor> {
        self.position.as_ref()
    }

    /// The cursor before the last step; `None` until the second step.
    pub fn cursor_before(&self) -> Option<&Cursor> {
        self.position_before.as_ref()
    }
}

/// Returns when the session at this cursor began, or when the server first received it.
pub fn when_begun(place: &Cursor) -> Option<Timestamp> {
    store::placed_at(place)
}
