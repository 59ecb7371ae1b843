//! Hiding a session, showing it again, giving it to another child, and taking it apart for good.

use super::session::{Detached, PlacedSession, Session};
use super::store::own_session;
use super::{Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, ChildId, Receiving, SessionId};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Change, Read, StoreError};

/// A hidden session.
#[derive(Clone, Debug)]
pub struct HiddenSession {
    /// The session, and its place.
    pub placed: PlacedSession,
    /// Since when it is hidden.
    pub since: Timestamp,
}

impl Transcripts {
    /// Whose session this is, hidden or not. Fails with [`TranscriptsError::NoSuchSession`].
    pub fn owner_of(&self, session: SessionId) -> Result<ChildId, TranscriptsError> {
        let found = store::state(&self.store, session)?;
        found
            .map(|state| state.child)
            .ok_or(TranscriptsError::NoSuchSession)
    }

    /// A hidden session of the child; `None` when it is shown.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when it isn't this child's.
    pub fn find_hidden(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<HiddenSession>, TranscriptsError> {
        let (state, session) = own_session(view, access, session)?;
        Ok(state.hidden_at.map(|since| HiddenSession {
            since,
            placed: placed(state, session),
        }))
    }

    /// Hides a session from the child's guardians. What is delivered of it is hidden with it. Returns the time since which it is
    /// hidden: not before the last of its words arrived, so that a clock that was behind shortens no time that follows.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when it isn't this child's.
    pub fn hide(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Timestamp, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, session) = own_session(change, access, session)?;
        let now = self.clock.now();
        let at = state.last_arrival.map_or(now, |last| last.max(now));
        store::moving::set_hidden(change, &mut state, &session, Some(at))?;
        // No answer that is in memory may show it any more.
        change.drop_stale_answers();
        Ok(at)
    }

    /// Shows a hidden session again, in its place.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when it isn't this child's.
    pub fn show(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<PlacedSession, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, session) = own_session(change, access, session)?;
        store::moving::set_hidden(change, &mut state, &session, None)?;
        Ok(placed(state, session))
    }

    /// Gives a session that is not hidden to another child. What is delivered under its old name follows it.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when it isn't this child's.
    pub fn give_to(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        to: &Receiving<'_>,
    ) -> Result<PlacedSession, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, mut session) = own_session(change, access, session)?;
        if !state.is_shown() {
            return Err(TranscriptsError::NoSuchSession);
        }
        store::moving::give_to(change, &mut state, &mut session, to.access().child())?;
        change.drop_stale_answers();
        Ok(placed(state, session))
    }

    /// Takes a hidden session out of everything that leads to it, also when it cannot be read. Its messages are left, and are
    /// [erased](Self::erase_messages) in parts.
    pub fn detach(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Detached, StoreError> {
        change.drop_stale_answers();
        store::moving::detach(change, access.child(), session)
    }

    /// Erases a part of the messages of a session that was [detached](Self::detach); whether there were any.
    pub fn erase_messages(
        &self,
        change: &mut Change,
        session: SessionId,
    ) -> Result<bool, StoreError> {
        store::moving::erase_messages(change, session)
    }
}

fn placed(state: store::State, session: Session) -> PlacedSession {
    PlacedSession {
        date: state.began(&session),
        is_hidden: !state.is_shown(),
        session,
    }
}
