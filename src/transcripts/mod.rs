//! Sessions and what was said in them.
//!
//! A session belongs to a child and is seen by that child's guardians. The assistant calls it by a name of its own, which
//! stands for another session with another child, and delivers messages in any order and as often as it likes: a message is
//! known by its id. A higher revision replaces what was delivered before (a sentence that the child cut short is corrected to
//! what was heard); an equal or lower one changes no words, so that a late retry never undoes a correction. A message's place
//! is where its lowest revision says that it was said, and among equal times by arrival: the order of arrival changes nothing.
//!
//! A session that the assistant doesn't complete ends by itself when nothing has arrived for a while, and goes on with the
//! next arrival.
//!
//! What cannot be stored is counted: the page says how many messages are missing, and why.
//!
//! Text is kept exactly as it came. What is missing stays missing; the page shows the defaults.

pub mod api;
mod backwards;
mod delivery;
mod everything;
mod extent;
mod hiding;
mod listed;
mod measures;
mod not_kept;
mod receiving;
mod session;
mod session_metadata;
mod spoken;
mod store;
mod talk;

use crate::children::feature::{Feature, Shown};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::problem::Refusal;
use crate::kernel::store::{
    Cursor, JsonRows, NotACursor, Page, Read, ReadCache, Store, StoreError,
};

pub use backwards::{Backwards, Step, when_begun};
pub use delivery::{
    Delivered, Message, MessageDelivery, NotASessionName, SessionName, is_possible,
};
pub use extent::Extent;
pub use hiding::HiddenSession;
pub use listed::ListedSession;
pub use measures::{Measures, SessionMeasures};
pub use not_kept::{NotKeptCount, NotKeptMessage, NotKeptReason, NotKeptTotal};
pub use receiving::{Ending, NamedSession, Received, SessionDelivery};
pub use session::{Detached, EndedSession, PlacedSession, Session, SessionDetails};
pub use session_metadata::SessionMetadata;
pub use spoken::Spoken;
pub use store::count_not_kept;
pub use store::talk::TALK as TALK_TABLE;
pub use talk::TalkInterval;

/// Why something about transcripts was refused.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptsError {
    /// There is no such session, or it is somebody else's.
    #[error("There is no such session.")]
    NoSuchSession,
    /// There is no such message in the session.
    #[error("There is no such message.")]
    NoSuchMessage,
    /// The child is gone.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The page marker is not one of ours.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<TranscriptsError> for Refusal {
    fn from(error: TranscriptsError) -> Self {
        match error {
            TranscriptsError::NoSuchSession | TranscriptsError::NoSuchMessage => Self::not_there(),
            TranscriptsError::Cursor(error) => Self::malformed(error.to_string()),
            TranscriptsError::Children(error) => error.into(),
            TranscriptsError::Store(error) => error.into(),
        }
    }
}

/// Which messages of a session.
#[derive(Clone, Copy, Debug)]
pub enum Near<'a> {
    /// Those before a page: by its `previous`.
    Before(&'a str),
    /// Those around the message with this id.
    Around(&'a str),
}

/// The most memory for answers of one kind, in bytes: a hundred pages of 200 messages.
const CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// A page of whose list, from where on, of how many rows.
type Pages<Of> = ReadCache<(Of, Option<String>, usize), JsonRows>;

/// The transcripts' façade. Clones share it.
#[derive(Clone)]
pub struct Transcripts {
    store: Store,
    clock: Clock,
    sessions: Pages<ChildId>,
    messages: Pages<(ChildId, SessionId)>,
}

/// What each table of the transcripts holds.
pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    consequences: &store::naming::CONSEQUENCES,
    backfills: &store::backfills::BACKFILLS,
    shown: &[Shown::Sessions(store::sessions_in)],
    erase_some: |change, access| store::erase_some(change, access.child()),
};

impl Transcripts {
    /// Sets the transcripts up.
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            sessions: ReadCache::within(CACHE_BYTES, &store),
            messages: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
        }
    }

    /// A page of the child's sessions, newest first, as JSON.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::Cursor`], or the store's.
    pub fn list_sessions(
        &self,
        access: &ChildAccess,
        before: Option<&str>,
        limit: usize,
    ) -> Result<JsonRows, TranscriptsError> {
        let page = (access.child(), before.map(str::to_owned), limit);
        self.sessions.get(page, |view| {
            let before = before.map(Cursor::parse).transpose()?;
            let page = store::sessions(view, access.child(), before.as_ref(), limit)?;
            let page = page.shown_as(|session| listed::listed(view, session))?;
            Ok(page.to_object("sessions"))
        })
    }

    /// One session.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when it isn't this child's, or the store's.
    pub fn get_session(
        &self,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Session, TranscriptsError> {
        let (state, session) = store::own_session(&self.store, access, session)?;
        if state.is_shown() {
            Ok(session)
        } else {
            Err(TranscriptsError::NoSuchSession)
        }
    }

    /// Whose session this is. Fails with [`TranscriptsError::NoSuchSession`].
    pub fn child_of(&self, session: SessionId) -> Result<ChildId, TranscriptsError> {
        let found = store::shown_state(&self.store, session)?;
        found
            .map(|state| state.child)
            .ok_or(TranscriptsError::NoSuchSession)
    }

    /// Whether this child has this session. It reads the child's whole list: for when the session itself cannot be read.
    pub fn lists(&self, access: &ChildAccess, session: SessionId) -> Result<bool, StoreError> {
        store::lists(&self.store, access.child(), session)
    }

    /// A page of a session's messages, in the order in which they were said, as JSON.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when the session isn't this child's,
    /// [`TranscriptsError::Cursor`], or the store's.
    pub fn list_messages(
        &self,
        access: &ChildAccess,
        session: SessionId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<JsonRows, TranscriptsError> {
        // Of this child's session: what is read for the answer shows that it is.
        let of = (access.child(), session);
        let page = (of, after.map(str::to_owned), limit);
        self.messages.get(page, |view| {
            let page = self.read_messages(view, access, session, after, limit)?;
            Ok(page.to_object("messages"))
        })
    }

    /// [`Transcripts::list_messages`] message by message.
    pub fn read_messages(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, TranscriptsError> {
        let state = store::shown_state(view, session)?;
        if state.is_none_or(|state| state.child != access.child()) {
            return Err(TranscriptsError::NoSuchSession);
        }
        let after = after.map(Cursor::parse).transpose()?;
        Ok(store::messages::messages(
            view,
            session,
            after.as_ref(),
            limit,
        )?)
    }

    /// The last messages of a session before a page that was read, or those around a message, as JSON.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when the session isn't this child's, [`TranscriptsError::NoSuchMessage`],
    /// [`TranscriptsError::Cursor`], or the store's.
    pub fn list_messages_near(
        &self,
        access: &ChildAccess,
        session: SessionId,
        near: Near<'_>,
        limit: usize,
    ) -> Result<JsonRows, TranscriptsError> {
        let view = &self.store;
        let state = store::shown_state(view, session)?;
        if state.is_none_or(|state| state.child != access.child()) {
            return Err(TranscriptsError::NoSuchSession);
        }
        let page = match near {
            Near::Before(page) => {
                store::messages::messages_before(view, session, &Cursor::parse(page)?, limit)?
            }
            Near::Around(message) => {
                store::messages::messages_around(view, session, message, limit)?
                    .ok_or(TranscriptsError::NoSuchMessage)?
            }
        };
        Ok(page.to_object("messages"))
    }

    /// When there was talk with the child, as far as it ended after `since`, in no order. Two sessions may overlap.
    ///
    /// # Errors
    ///
    /// The store's, also when one of them cannot be read: they are counted.
    pub fn talk_intervals(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        since: Timestamp,
    ) -> Result<Vec<TalkInterval>, StoreError> {
        store::talk::intervals(view, access.child(), since)
    }
}
