//! Figures per session: when the conversation took place, how often the assistant spoke, and how often it was interrupted.
//!
//! They are stored in the session's state, not computed from its messages, so that a read grows with the number of sessions in
//! the requested days only.

use std::collections::BTreeSet;

use super::{Session, Spoken, TalkInterval, Transcripts, existing, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError, StoredRow, readable};

/// The figures of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionMeasures {
    pub session_id: SessionId,
    /// When its conversation began; without one, when the session began or was first received.
    pub began: Timestamp,
    /// When the conversation took place.
    pub talk: Option<TalkInterval>,
    pub topic: Option<String>,
    pub spoken: Spoken,
}

/// The figures of a range of days.
#[derive(Debug, Default)]
pub struct Measures {
    /// The sessions that began within the range.
    pub sessions: Vec<SessionMeasures>,
    /// Conversations within the range, unordered. One that began earlier is included, and two may overlap.
    pub talk: Vec<TalkInterval>,
    /// Sessions that can't be read, in full or in part.
    pub unreadable: BTreeSet<SessionId>,
}

impl Measures {
    /// `None` also for what can't be read; notes the session.
    fn readable<T>(
        &mut self,
        session: SessionId,
        found: Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let found = readable(found)?;
        if found.is_none() {
            self.unreadable.insert(session);
        }
        Ok(found.flatten())
    }
}

impl Transcripts {
    /// Covers the sessions from `from` (inclusive) to `to` (exclusive).
    pub fn measure(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Measures, StoreError> {
        let child = access.child();
        let mut measures = Measures::default();
        // The last representable day has an empty range.
        if to <= from {
            return Ok(measures);
        }
        for (session, row) in store::talk::rows_within(view, child, from, to)? {
            let talk = measures.readable(session, row.read::<TalkInterval>(view))?;
            let Some(talk) = talk else {
                continue;
            };
            if talk.start < to && from < talk.end {
                measures.talk.push(talk);
            }
            if (from..to).contains(&talk.start) {
                let found = existing(store::get_session(view, session));
                let found = measures.readable(session, found)?;
                let session = found.map(|(state, session)| of(&state, session, Some(talk)));
                measures.sessions.extend(session);
            }
        }
        for (session, row) in store::session_rows_within(view, child, from, to)? {
            let session = measures.readable(session, without_talk(view, &row))?;
            measures.sessions.extend(session);
        }
        Ok(measures)
    }
}

/// Returns the session of this row unless it has a conversation: that one is found by its time.
fn without_talk(view: &impl Read, row: &StoredRow) -> Result<Option<SessionMeasures>, StoreError> {
    let Some(session) = row.read::<Session>(view)?.filter(|it| !it.not_child) else {
        return Ok(None);
    };
    let state = store::state(view, session.session_id)?.filter(|state| state.talk_hour.is_none());
    Ok(state.map(|state| of(&state, session, None)))
}

fn of(state: &store::State, session: Session, talk: Option<TalkInterval>) -> SessionMeasures {
    SessionMeasures {
        session_id: session.session_id,
        began: talk.map_or(state.placed_at, |talk| talk.start),
        talk,
        topic: session.topic,
        spoken: state.spoken,
    }
}
