//! Sessions and their messages.
//!
//! A session belongs to a child; the child's guardians can read it. The assistant names each session, and the same name with
//! another child means another session. It may deliver messages in any order and repeatedly: a message is identified by its id.
//! A higher revision replaces the stored text (for example, an interrupted sentence is shortened to what the child heard). An
//! equal or lower revision never changes the text, so a late retry can't undo a correction. A message's position is the time
//! given by its lowest revision, then the order of arrival. A text that was replaced stays [with the message](EarlierText).
//!
//! A session that the assistant doesn't end ends when nothing arrives for its idle time; the next arrival reopens it.
//!
//! Messages that could not be stored are counted: the page says how many are missing, and why.
//!
//! The gateway knows what it sent to an app, but not at once whether the child heard it: until then the message is `generated`.
//! The gateway also delivers what was not said in a conversation, but what the model read or wrote: such a message has a [`MessageKind`],
//! and doesn't count as conversation.
//!
//! Text is stored exactly as delivered. Missing fields stay missing; the page shows the defaults.

mod ages;
pub mod api;
mod backwards;
mod delivery;
mod earlier;
mod everything;
mod extent;
mod file;
mod hiding;
mod listed;
mod live;
mod measures;
mod message_lookup;
mod not_kept;
mod part;
mod receiving;
mod session;
mod session_lookup;
mod session_metadata;
mod speaker;
mod spoken;
mod store;
mod talk;

use crate::children::feature::{Feature, OfSession, Shown};
use crate::children::{ChildAccess, ChildId, ChildrenError, SessionId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{
    Cursor, JsonRows, NotACursor, Page, Read, ReadCache, ReadError, Store, StoreError,
};

pub use ages::SessionAge;
pub use backwards::{Visit, Visited, Visitor};
pub use delivery::{
    Delivered, EarlierText, Message, MessageDelivery, MessageKind, NotASessionName, SessionName,
    StoredMessage, is_possible,
};
pub use extent::Extent;
pub use hiding::HiddenSession;
pub use listed::ListedSession;
pub use live::Heard;
pub use measures::{Measures, SessionMeasures};
pub use not_kept::{NotKeptCount, NotKeptMessage, NotKeptReason, NotKeptTotal};
pub use part::{ConversationPart, PartMessage, PartsOf, TextsOf};
pub use receiving::{Ending, NamedSession, Received, SessionDelivery};
pub use session::{Detached, EndedSession, PlacedSession, Session, SessionDetails};
pub use session_metadata::SessionMetadata;
pub use speaker::{Names, Speaker};
pub use spoken::Spoken;
pub use store::talk::TALK as TALK_TABLE;
pub use store::{SESSION as SESSION_TABLE, count_not_kept, sessions_at};
pub use talk::TalkInterval;

/// Why a request about transcripts failed.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptsError {
    /// There is no such session, or it belongs to another family.
    #[error("There is no such session.")]
    NoSuchSession,
    #[error("There is no such message.")]
    NoSuchMessage,
    #[error("This message was revised too often. Send the text as a message of its own.")]
    RevisedTooOften,
    /// The child doesn't exist any more.
    #[error(transparent)]
    Children(#[from] ChildrenError),
    /// The cursor is invalid.
    #[error(transparent)]
    Cursor(#[from] NotACursor),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadError for TranscriptsError {
    fn damage(&self) -> Option<&str> {
        match self {
            Self::Store(error) => error.damage(),
            _ => None,
        }
    }
}

/// `None` if there is no such session.
pub fn existing<T>(found: Result<T, TranscriptsError>) -> Result<Option<T>, StoreError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(TranscriptsError::Store(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

refusals! {
    TranscriptsError from Children, Cursor, Store {
        NoSuchSession | NoSuchMessage => not_there,
        RevisedTooOften => against_a_rule(RevisedTooOften) at "/revision",
    }
}

/// Which page of a session's messages.
#[derive(Clone, Copy, Debug)]
pub enum Near<'a> {
    /// The page before the one with this `previous`.
    Before(&'a str),
    /// The page around the message with this id.
    Around(&'a str),
}

/// In bytes, per kind of answer: a hundred pages of 200 messages.
const CACHE_BYTES: u64 = 4 * 1024 * 1024;

/// Keyed by list, cursor and page size.
type Pages<Of> = ReadCache<(Of, Option<String>, usize), JsonRows>;

/// Service for sessions and messages. Cheap to clone.
#[derive(Clone)]
pub struct Transcripts {
    store: Store,
    clock: Clock,
    sessions: Pages<ChildId>,
    messages: Pages<(ChildId, SessionId)>,
}

pub static FEATURE: Feature = Feature {
    kinds: &store::KINDS,
    not_restored: &[],
    triggers: &store::naming::TRIGGERS,
    backfills: &[],
    shown: &[Shown::Sessions(store::sessions_in)],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: Some(OfSession {
        // It is hidden, and moved, by the rest of this module.
        take_out: |_, _, _, _| Ok(()),
        put_back: |_, _, _, _| Ok(()),
        keys: &store::KEYS,
        erase_batch: |change, _, session| store::moving::erase_messages(change, session),
    }),
    child_fields: &[],
    session_fields: &[file::NOT_KEPT],
};

impl Transcripts {
    pub fn new(store: Store, clock: Clock) -> Self {
        Self {
            sessions: ReadCache::within(CACHE_BYTES, &store),
            messages: ReadCache::within(CACHE_BYTES, &store),
            store,
            clock,
        }
    }

    /// Returns a page of the child's sessions, newest first, as JSON.
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

    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
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

    /// Returns the child that has the session; [`TranscriptsError::NoSuchSession`] if it does not exist.
    pub fn child_of(&self, session: SessionId) -> Result<ChildId, TranscriptsError> {
        let found = store::shown_state(&self.store, session)?;
        found
            .map(|state| state.child)
            .ok_or(TranscriptsError::NoSuchSession)
    }

    /// The first session in the child's list.
    pub fn newest(&self, access: &ChildAccess) -> Result<Option<SessionId>, StoreError> {
        store::newest(&self.store, access.child())
    }

    /// Whether the child's list has this session. Scans the whole list: only for a session whose own record can't be read.
    pub fn lists(&self, access: &ChildAccess, session: SessionId) -> Result<bool, StoreError> {
        store::lists(&self.store, access.child(), session)
    }

    /// Returns a page of a session's messages in chronological order, as JSON; [`TranscriptsError::NoSuchSession`] if the
    /// session isn't this child's.
    pub fn list_messages(
        &self,
        access: &ChildAccess,
        session: SessionId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<JsonRows, TranscriptsError> {
        // The key includes the child: reading the page checked that the session is this child's.
        let of = (access.child(), session);
        let page = (of, after.map(str::to_owned), limit);
        self.messages.get(page, |view| {
            let page = self.read_messages(view, access, session, after, limit)?;
            Ok(page.to_object("messages"))
        })
    }

    /// [`Transcripts::list_messages`] as records instead of JSON.
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

    /// Returns the page before another page, or the page around a message, as JSON.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
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

    /// Returns the conversations that ended after `since`, unordered; two may overlap.
    ///
    /// Fails if one of them can't be read, because their minutes count against the child's daily limit.
    pub fn talk_intervals(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        since: Timestamp,
    ) -> Result<Vec<TalkInterval>, StoreError> {
        store::talk::intervals(view, access.child(), since)
    }
}
