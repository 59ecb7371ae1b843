//! Reads a child's messages backwards, newest session first and newest message first, for a limited time.

use std::ops::ControlFlow::{self, Break, Continue};

use super::{Message, Session, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Cursor, Read, StoreError, readable, readable_or_counted};

/// The number of sessions, or messages, that are read at once.
const AT_ONCE: usize = 64;

/// How reading continues after a message.
pub enum Visit {
    Next,
    SkipSession,
    /// The next reading starts after this message.
    Stop,
    /// The next reading starts with this message. Not for the first one.
    StopBefore,
}

pub trait Visitor {
    /// Visits an examined message. `is_newest` tells whether it is the session's newest readable one that somebody said; `is_over`,
    /// whether the time is up.
    fn visit(
        &mut self,
        message: Message,
        session: &Session,
        is_newest: bool,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Visit, StoreError>;

    /// Whether nothing is needed of conversations that began at this time, or earlier.
    fn is_complete_at(&self, _began: Timestamp) -> bool {
        false
    }
}

#[derive(Default)]
pub struct Visited {
    /// The cursor where the next reading starts; `None` if this one is complete.
    pub next: Option<String>,
    /// When the session at `next` began, or when the server first received it.
    pub back_to: Option<Timestamp>,
    /// The number of messages and sessions that can't be read.
    pub unreadable: u64,
}

impl Transcripts {
    /// Starts after the cursor `after` if it is given. `is_over` is asked after each message.
    pub fn visit_backwards(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        after: Option<&str>,
        mut is_over: impl FnMut() -> bool,
        visitor: &mut impl Visitor,
    ) -> Result<Visited, TranscriptsError> {
        let child = access.child();
        let mut reading = Reading {
            view,
            visitor,
            is_over: &mut is_over,
            position: None,
            visited: Visited::default(),
        };
        let mut last = None;
        if let Some(after) = after {
            let (place, message) = store::messages::split_place(&Cursor::parse(after)?)?;
            if message.is_some()
                && let Some(row) = store::session_row_at(view, child, &place)?
                // If it has become unreadable, it was already counted when it was first reached.
                && let Some(Some(session)) = readable(row.read::<Session>(view))?
                && reading.read_session(&place, &session, message)?.is_break()
            {
                return Ok(reading.visited);
            }
            last = Some(place);
        }
        loop {
            let rows = store::session_rows(view, child, last.as_ref(), AT_ONCE)?;
            if rows.is_empty() {
                return Ok(reading.visited);
            }
            for row in rows {
                let place = row.cursor();
                let unreadable = &mut reading.visited.unreadable;
                let session = readable_or_counted(row.read::<Session>(view), unreadable)?;
                let flow = match session.flatten() {
                    Some(session) => reading.read_session(&place, &session, None)?,
                    None => reading.go_on(place.clone()),
                };
                if flow.is_break() {
                    return Ok(reading.visited);
                }
                last = Some(place);
            }
        }
    }
}

struct Reading<'a, V, W> {
    view: &'a V,
    visitor: &'a mut W,
    is_over: &'a mut dyn FnMut() -> bool,
    /// Behind what was read last.
    position: Option<Cursor>,
    visited: Visited,
}

impl<V: Read, W: Visitor> Reading<'_, V, W> {
    /// Reads the messages before this one, or all.
    fn read_session(
        &mut self,
        place: &Cursor,
        session: &Session,
        mut before: Option<Cursor>,
    ) -> Result<ControlFlow<()>, StoreError> {
        let id = session.session_id;
        let mut is_fresh = match &before {
            Some(before) => !self.was_said_from(id, before)?,
            None => true,
        };
        loop {
            let rows = store::messages::last_rows(self.view, id, before.as_ref(), AT_ONCE)?;
            let Some(last) = rows.last() else {
                return Ok(self.go_on(place.clone()));
            };
            before = Some(last.cursor());
            for row in rows {
                let here = place.joined(&row.cursor());
                let unreadable = &mut self.visited.unreadable;
                let found = readable_or_counted(row.read::<Message>(self.view), unreadable)?;
                if let Some(message) = found.flatten() {
                    let is_newest = message.is_said() && std::mem::take(&mut is_fresh);
                    let visit = if message.is_examined() {
                        let (visitor, is_over) = (&mut *self.visitor, &mut *self.is_over);
                        visitor.visit(message, session, is_newest, is_over)?
                    } else {
                        Visit::Next
                    };
                    match visit {
                        Visit::Next => {}
                        Visit::SkipSession => return Ok(self.go_on(place.clone())),
                        Visit::Stop => return Ok(self.stop(Some(here))),
                        Visit::StopBefore => {
                            let position = self.position.take();
                            return Ok(self.stop(position));
                        }
                    }
                }
                if self.go_on(here).is_break() {
                    return Ok(Break(()));
                }
            }
        }
    }

    /// Whether this message or a newer one of the session was said. If that isn't known after [`AT_ONCE`] messages, it is assumed.
    fn was_said_from(&self, session: SessionId, oldest: &Cursor) -> Result<bool, StoreError> {
        for row in store::messages::last_rows(self.view, session, None, AT_ONCE)? {
            let message = readable(row.read::<Message>(self.view))?.flatten();
            if message.is_some_and(|message| message.is_said()) {
                return Ok(true);
            }
            if row.cursor() == *oldest {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stops at this position if nothing older is needed, or the time is up.
    fn go_on(&mut self, position: Cursor) -> ControlFlow<()> {
        let began = store::placed_at(&position);
        if began.is_some_and(|began| self.visitor.is_complete_at(began)) {
            return Break(());
        }
        if (self.is_over)() {
            return self.stop(Some(position));
        }
        self.position = Some(position);
        Continue(())
    }

    fn stop(&mut self, next: Option<Cursor>) -> ControlFlow<()> {
        self.visited.back_to = next.as_ref().and_then(store::placed_at);
        self.visited.next = next.as_ref().map(Cursor::to_text);
        Break(())
    }
}
