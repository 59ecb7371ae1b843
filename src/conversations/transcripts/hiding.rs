//! Hiding a session (a guardian deleted it, or its time was over; it can still be restored), showing it again, moving it to another
//! child, marking it as not the child's, and taking it out of the lists before it is erased.

use super::session::{Detached, PlacedSession, Session};
use super::store::own_session;
use super::{Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, ChildId, Receiving, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, Read, StoreError};

#[derive(Clone, Debug)]
pub struct HiddenSession {
    pub placed: PlacedSession,
    pub since: Timestamp,
}

impl Transcripts {
    /// Returns the child that has the session, hidden or not; [`TranscriptsError::NoSuchSession`] if it does not exist.
    pub fn owner_of(&self, session: SessionId) -> Result<ChildId, TranscriptsError> {
        let found = store::state(&self.store, session)?;
        found
            .map(|state| state.child)
            .ok_or(TranscriptsError::NoSuchSession)
    }

    /// Returns `None` if the session is shown, and [`TranscriptsError::NoSuchSession`] if it isn't this child's.
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

    /// Hides a session from the child's guardians; later deliveries to it stay hidden too. Returns the time from which it
    /// counts as hidden: at the earliest the last arrival, so that a clock that was behind doesn't shorten the time to undo it.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn hide(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Timestamp, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, session) = own_session(change, access, session)?;
        let now = self.clock.now();
        let at = state.latest_arrival().map_or(now, |latest| latest.max(now));
        store::moving::set_hidden(change, &mut state, &session, Some(at))?;
        // Cached answers still contain it.
        change.drop_stale_answers();
        Ok(at)
    }

    /// Shows a hidden session again at its old position; [`TranscriptsError::NoSuchSession`] if it isn't this child's.
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

    /// Records whether somebody else talked in a visible session, not the child. Returns `None` if this was already recorded.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn mark_not_child(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        not_child: bool,
    ) -> Result<Option<PlacedSession>, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, mut session) = own_session(change, access, session)?;
        if !state.is_shown() {
            return Err(TranscriptsError::NoSuchSession);
        }
        if session.not_child == not_child {
            return Ok(None);
        }
        session.not_child = not_child;
        store::put_session(change, &mut state, &session)?;
        Ok(Some(placed(state, session)))
    }

    /// Moves a visible session to another child. Later deliveries under its name follow it.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
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

    /// Removes a hidden session and every reference to it, even if it is unreadable. Its messages stay until
    /// the feature's [`OfSession::erase_batch`](crate::children::feature::OfSession::erase_batch) has removed them.
    pub fn detach(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Detached, StoreError> {
        change.drop_stale_answers();
        store::moving::detach(change, access.child(), session)
    }
}

fn placed(state: store::State, session: Session) -> PlacedSession {
    PlacedSession {
        date: state.began(&session),
        is_hidden: !state.is_shown(),
        session,
    }
}
