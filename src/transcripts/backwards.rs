//! What was said to a child, message by message: the newest sessions first, and in each the newest messages first.
//!
//! The store reads forwards, so a session is read to its end, and decoded from there: what is passed over costs little.

use std::sync::Arc;

use super::{Message, Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, ChildId};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Cursor, Read, StoreError, StoredRow};

/// How many sessions are listed at a time.
const SESSIONS: usize = 64;

/// Reads a child's messages backwards.
pub struct Backwards<'a, V> {
    view: &'a V,
    child: ChildId,
    /// Sessions that were listed and come next, the first one last.
    listed: Vec<StoredRow>,
    current: Option<Current>,
    /// Behind what was read.
    position: Option<Cursor>,
    /// The last session of which something was read.
    last_session: Option<Cursor>,
}

/// A session that is being read.
struct Current {
    session: Arc<Session>,
    place: Cursor,
    /// The messages that come next, the newest last.
    messages: Vec<StoredRow>,
    /// Whether none of its messages was read before.
    is_fresh: bool,
}

/// What comes next.
pub enum Step {
    /// A message, its session, and whether it is the newest one of the session that can be read.
    Message(Message, Arc<Session>, bool),
    /// A message or a session that cannot be read.
    Unreadable,
    /// The session has no further messages.
    EndOfSession,
}

impl Transcripts {
    /// Reads what was said to the child backwards, behind `after` if it is given.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::Cursor`], or the store's.
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
            last_session: None,
        };
        if let Some(after) = after {
            let (session, message) = store::messages::split_place(&Cursor::parse(after)?)?;
            if let Some(message) = message
                && let Some(row) = store::session_row_at(view, child, &session)?
            {
                // What cannot be read any more was counted when it was first met.
                let begun = reading.begin(&row, Some(&message));
                begun.or_else(|error| match error {
                    StoreError::Unreadable(_) => Ok(()),
                    other => Err(other),
                })?;
            }
            reading.last_session = Some(session);
        }
        Ok(reading)
    }
}

impl<V: Read> Backwards<'_, V> {
    /// The next message, or what stands in its place; `None` at the end.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn next_step(&mut self) -> Result<Option<Step>, StoreError> {
        if self.current.is_none() {
            let Some(row) = self.next_session()? else {
                return Ok(None);
            };
            let place = row.cursor();
            self.last_session = Some(place.clone());
            match self.begin(&row, None) {
                Ok(()) => {}
                Err(StoreError::Unreadable(_)) => {
                    self.position = Some(place);
                    return Ok(Some(Step::Unreadable));
                }
                Err(error) => return Err(error),
            }
        }
        let Some(current) = &mut self.current else {
            // The session was removed, or moved in the list, meanwhile.
            self.position.clone_from(&self.last_session);
            return Ok(Some(Step::EndOfSession));
        };
        let Some(row) = current.messages.pop() else {
            self.position = Some(current.place.clone());
            self.current = None;
            return Ok(Some(Step::EndOfSession));
        };
        self.position = Some(current.place.joined(&row.cursor()));
        match row.read::<Message>(self.view) {
            Ok(Some(message)) => {
                let is_newest = std::mem::take(&mut current.is_fresh);
                Ok(Some(Step::Message(
                    message,
                    Arc::clone(&current.session),
                    is_newest,
                )))
            }
            Err(StoreError::Unreadable(_)) => Ok(Some(Step::Unreadable)),
            Ok(None) => self.next_step(),
            Err(error) => Err(error),
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

    /// Begins to read a session, before one of its messages or at its end.
    fn begin(&mut self, row: &StoredRow, before: Option<&Cursor>) -> Result<(), StoreError> {
        self.current = match row.read::<Session>(self.view)? {
            None => None,
            Some(session) => Some(Current {
                messages: store::messages::rows(self.view, session.session_id, before)?,
                place: row.cursor(),
                is_fresh: before.is_none(),
                session: Arc::new(session),
            }),
        };
        Ok(())
    }

    /// From where the reading goes on behind the last step; `None` before the first one.
    pub fn next_cursor(&self) -> Option<&Cursor> {
        self.position.as_ref()
    }

    /// When the session began of which something was read last, or was first heard of.
    pub fn reached(&self) -> Option<Timestamp> {
        let place = self.last_session.as_ref()?;
        store::placed_at(place)
    }
}
