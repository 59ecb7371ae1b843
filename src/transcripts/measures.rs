//! What is counted of sessions: when there was talk in each, and how often the assistant spoke and was interrupted.
//!
//! All of it stands beside the session and not with its messages, so that what is read grows with the sessions of the days that
//! are asked for.

use std::collections::BTreeSet;

use super::{Session, Spoken, TalkInterval, Transcripts, TranscriptsError, store};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{Read, StoreError, StoredRow};

/// What is counted of one session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionMeasures {
    /// Which session.
    pub session_id: SessionId,
    /// When its talk began; without talk, its place in the list: when it began, or was first heard of.
    pub began: Timestamp,
    /// When there was talk.
    pub talk: Option<TalkInterval>,
    /// What it was about.
    pub topic: Option<String>,
    /// How often the assistant spoke.
    pub spoken: Spoken,
}

/// What is counted of some days.
#[derive(Debug, Default)]
pub struct Measures {
    /// The sessions that began on these days.
    pub sessions: Vec<SessionMeasures>,
    /// When there was talk on these days, in no order. Talk that began before is there, too, and two sessions may overlap.
    pub talk: Vec<TalkInterval>,
    /// The sessions of which something cannot be read.
    pub unreadable: BTreeSet<SessionId>,
}

impl Transcripts {
    /// What is counted of the child's sessions from `from` on and before `to`.
    pub fn measure(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Measures, StoreError> {
        let child = access.child();
        let mut measures = Measures::default();
        // The last day there is has no end that can be told from its beginning.
        if to <= from {
            return Ok(measures);
        }
        for (session, row) in store::talk::rows_within(view, child, from, to)? {
            let talk = match row.read::<TalkInterval>(view) {
                Ok(Some(talk)) => talk,
                Ok(None) => continue,
                Err(StoreError::Unreadable(_)) => {
                    measures.unreadable.insert(session);
                    continue;
                }
                Err(error) => return Err(error),
            };
            if talk.start < to && from < talk.end {
                measures.talk.push(talk);
            }
            if (from..to).contains(&talk.start) {
                match store::get_session(view, session) {
                    Ok((state, session)) => measures.sessions.push(of(&state, session, Some(talk))),
                    Err(TranscriptsError::Store(StoreError::Unreadable(_))) => {
                        measures.unreadable.insert(session);
                    }
                    Err(TranscriptsError::Store(error)) => return Err(error),
                    Err(_) => {}
                }
            }
        }
        for (session, row) in store::session_rows_within(view, child, from, to)? {
            match without_talk(view, &row) {
                Ok(session) => measures.sessions.extend(session),
                Err(StoreError::Unreadable(_)) => {
                    measures.unreadable.insert(session);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(measures)
    }
}

/// The session of this row, if there was no talk in it that is found by its time.
fn without_talk(view: &impl Read, row: &StoredRow) -> Result<Option<SessionMeasures>, StoreError> {
    let Some(session) = row.read::<Session>(view)? else {
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
