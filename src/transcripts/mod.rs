//! Sessions and what was said in them.
//!
//! A session belongs to a child and is seen by that child's guardians. The assistant opens it under a name
//! of its own and delivers messages in any order and as often as it likes: a message is known by its id.
//! A higher revision replaces what was delivered before (a sentence that the child cut short is corrected to
//! what was heard); an equal or lower one changes nothing, so that a late retry never undoes a correction. The
//! first delivery fixes a message's place: by its timestamp, and among equal ones by arrival.
//!
//! Text is kept exactly as it came. What is missing stays missing; the page shows the defaults.

pub mod api;
mod delivery;
mod everything;
mod session;
mod session_metadata;
mod store;

use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::identity::AssistantId;
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::problem::Refusal;
use crate::kernel::store::{
    Change, Cursor, JsonRows, NotACursor, Page, Read, ReadCache, RecordKind, Store, StoreError,
    Weigh,
};

pub use delivery::{Delivered, Message, MessageDelivery, NotASessionName, SessionName};
pub use session::{PlacedSession, Session, SessionDetails};
pub use session_metadata::SessionMetadata;

/// Why something about transcripts was refused.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptsError {
    /// There is no such session, or it is somebody else's.
    #[error("There is no such session.")]
    NoSuchSession,
    /// The session was opened for another child.
    #[error("This session belongs to another child. A session never changes its child.")]
    AnotherChild,
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
            TranscriptsError::NoSuchSession => Self::not_there(),
            TranscriptsError::AnotherChild => Self::conflict(error.to_string()),
            TranscriptsError::Cursor(error) => Self::malformed(error.to_string()),
            TranscriptsError::Children(error) => error.into(),
            TranscriptsError::Store(error) => error.into(),
        }
    }
}

/// The most memory for answers of one kind, in bytes: a hundred pages of 200 messages.
const CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// The most memory for names of sessions, in bytes: some thousand of them.
const NAME_CACHE_BYTES: u64 = 256 * 1024;

/// A page of whose list, from where on, of how many rows.
type Pages<Of> = ReadCache<(Of, Option<String>, usize), JsonRows>;

impl Weigh for SessionId {
    fn weight(&self) -> u64 {
        0
    }
}

/// The transcripts' façade. Clones share it.
#[derive(Clone)]
pub struct Transcripts {
    store: Store,
    clock: Clock,
    sessions: Pages<ChildId>,
    messages: Pages<(ChildId, SessionId)>,
    names: ReadCache<(AssistantId, SessionName), SessionId>,
}

/// What each table of the transcripts holds.
pub const KINDS: [RecordKind; 5] = store::KINDS;

impl Transcripts {
    /// Sets the transcripts up.
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            sessions: ReadCache::within(CACHE_BYTES, &store),
            messages: ReadCache::within(CACHE_BYTES, &store),
            names: ReadCache::within(NAME_CACHE_BYTES, &store),
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
        let (_, session) = store::get_session(&self.store, session)?;
        if session.child_id != access.child() {
            return Err(TranscriptsError::NoSuchSession);
        }
        Ok(session)
    }

    /// Whose session this is.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`].
    pub fn child_of(&self, session: SessionId) -> Result<ChildId, TranscriptsError> {
        let found = store::state(&self.store, session)?;
        found
            .map(|state| state.child)
            .ok_or(TranscriptsError::NoSuchSession)
    }

    /// Whether this child has this session. It reads the child's whole list: for when the session itself cannot be read.
    ///
    /// # Errors
    ///
    /// The store's.
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
    ///
    /// # Errors
    ///
    /// The same.
    pub fn read_messages(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page, TranscriptsError> {
        let state = store::state(view, session)?;
        if state.is_none_or(|state| state.child != access.child()) {
            return Err(TranscriptsError::NoSuchSession);
        }
        let after = after.map(Cursor::parse).transpose()?;
        Ok(store::messages(view, session, after.as_ref(), limit)?)
    }

    /// The session that an assistant calls by this name, and its child.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`].
    pub fn find_by_name(
        &self,
        assistant: &AssistantId,
        name: &SessionName,
    ) -> Result<(SessionId, ChildId), TranscriptsError> {
        let named = (assistant.clone(), name.clone());
        let session = self.names.get(named, |view| {
            store::session_by_name(view, assistant, name)?.ok_or(TranscriptsError::NoSuchSession)
        })?;
        Ok((session, self.child_of(session)?))
    }

    /// Opens the session that an assistant calls by this name, or corrects it.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::AnotherChild`] when it was opened for another child.
    pub fn open(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        assistant: &AssistantId,
        name: &SessionName,
        details: SessionDetails,
    ) -> Result<PlacedSession, TranscriptsError> {
        access.confirm(change)?;
        if let Some(session) = store::session_by_name(change, assistant, name)? {
            return self.correct(change, access, session, details);
        }
        let placed = self.begin(change, access, details)?;
        store::put_name(change, assistant, name, placed.session.session_id)?;
        Ok(placed)
    }

    /// Opens a session that no assistant will speak of again: one that is brought in from a file.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn begin(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        details: SessionDetails,
    ) -> Result<PlacedSession, TranscriptsError> {
        let session = Session {
            session_id: store::next_id(change)?,
            child_id: access.child(),
            topic: details.topic,
            start_time: details.start_time,
            last_message_time: None,
            message_count: 0,
            ended: false,
        };
        let first_seen = self.clock.now();
        let state = store::State::new(&session, first_seen);
        store::put_counted_session(change, &state, &session)?;
        Ok(PlacedSession {
            session,
            date: state.placed_at,
        })
    }

    fn correct(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        details: SessionDetails,
    ) -> Result<PlacedSession, TranscriptsError> {
        let (mut state, mut session) = store::get_session(change, session)?;
        if session.child_id != access.child() {
            return Err(TranscriptsError::AnotherChild);
        }
        store::remove_session_row(change, &state, &session)?;
        session.topic = details.topic.or(session.topic);
        session.start_time = details.start_time.or(session.start_time);
        state.place(&session);
        store::put_counted_session(change, &state, &session)?;
        Ok(PlacedSession {
            session,
            date: state.placed_at,
        })
    }

    /// Takes in messages.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when the session isn't this child's.
    pub fn deliver(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        messages: Vec<MessageDelivery>,
    ) -> Result<Delivered, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, mut session) = store::get_session(change, session)?;
        if session.child_id != access.child() {
            return Err(TranscriptsError::NoSuchSession);
        }
        let mut delivered = Delivered::default();
        for message in messages {
            let kept = store::kept(change, session.session_id, &message.message_id)?;
            match delivery::place(kept, &message, state.arrived) {
                delivery::Verdict::Store(place) => {
                    state.arrived += 1;
                    session.count_message(place.at);
                    delivered.stored += 1;
                    store::put_new_message(change, session.session_id, place, message.into())?;
                }
                delivery::Verdict::Replace(place) => {
                    delivered.replaced += 1;
                    store::replace_message(change, session.session_id, place, message.into())?;
                }
                delivery::Verdict::Ignore => delivered.ignored += 1,
            }
        }
        if delivered.changed_anything() {
            store::put_session(change, &state, &session)?;
        }
        delivered.message_count = session.message_count;
        Ok(delivered)
    }

    /// Ends a session. Ending it again only corrects its topic.
    ///
    /// # Errors
    ///
    /// [`TranscriptsError::NoSuchSession`] when the session isn't this child's.
    pub fn end(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        topic: Option<String>,
        ended_at: Option<Timestamp>,
    ) -> Result<PlacedSession, TranscriptsError> {
        access.confirm(change)?;
        let (mut state, mut session) = store::get_session(change, session)?;
        if session.child_id != access.child() {
            return Err(TranscriptsError::NoSuchSession);
        }
        state.ended_at = ended_at.or(state.ended_at);
        session.ended = true;
        session.topic = topic.or(session.topic);
        store::put_counted_session(change, &state, &session)?;
        Ok(PlacedSession {
            session,
            date: state.placed_at,
        })
    }

    /// Erases a part of what the child said; whether anything is left.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn erase_some(
        &self,
        change: &mut Change,
        access: &ChildAccess,
    ) -> Result<bool, StoreError> {
        store::erase_some(change, access.child())
    }
}
