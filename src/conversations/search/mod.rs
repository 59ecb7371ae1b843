//! Full-text search of a child's messages, also of what they said before they were corrected, without the requests that an app
//! made by itself.
//!
//! There is no index: a family's transcripts are read fast enough, no second copy of a child's words has to be erased, and
//! the next search sees recent writes and erasures. The newest sessions come first, and in each the newest messages. A
//! request reads for a short time, returns the matches so far, and a cursor from which the next one continues.

pub mod api;
mod query;

use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::children::{ChildAccess, SessionId};
use crate::conversations::transcripts::{
    Message, MessageKind, Session, Transcripts, TranscriptsError, Visit, Visitor,
};
use crate::identity::{ConcurrencyLimit, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{PageRoom, Read, Store, StoreError, run_blocking};

pub use query::Query;
use query::{InTopic, TimeIsUp};

/// The maximum number of concurrent searches of one guardian.
const AT_A_TIME: usize = 2;

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Two other searches of this guardian are running.
    #[error("Two of your searches are still running. Please try again in a moment.")]
    TooMany,
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    SearchError from Transcripts, Store {
        TooMany => too_many(TooManySearches, 1),
    }
}

/// A message that matches.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    session_id: SessionId,
    topic: Option<String>,
    start_time: Option<Timestamp>,
    date: Option<Timestamp>,
    message_id: String,
    source: Option<String>,
    timestamp: Timestamp,
    text_content: Option<String>,
    kind: Option<MessageKind>,
    ranges: Vec<[usize; 2]>,
    until: Option<Timestamp>,
}

/// The matches so far.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    matches: Vec<Match>,
    next: Option<String>,
    searched_back_to: Option<Timestamp>,
    #[serde(skip)]
    unreadable: u64,
}

#[derive(Clone)]
pub struct Search {
    store: Store,
    transcripts: Transcripts,
    concurrency: ConcurrencyLimit<GuardianId>,
}

impl Search {
    pub fn new(store: Store, transcripts: Transcripts) -> Self {
        Self {
            store,
            transcripts,
            concurrency: ConcurrencyLimit::new(AT_A_TIME),
        }
    }

    /// Searches after the cursor `after`, for at most `limit` matches and until `is_over` returns true, in a separate
    /// thread.
    ///
    /// # Errors
    ///
    /// [`SearchError::TooMany`], or [`TranscriptsError::Cursor`] if the cursor is invalid.
    pub async fn find(
        &self,
        guardian: &GuardianId,
        access: ChildAccess,
        query: Query,
        after: Option<String>,
        limit: usize,
        is_over: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Found, SearchError> {
        let permit = self.concurrency.take(guardian).await;
        let permit = permit.ok_or(SearchError::TooMany)?;
        let (store, transcripts) = (self.store.clone(), self.transcripts.clone());
        run_blocking(move || {
            // Held by the thread: it continues even if the caller is gone.
            let _permit = permit;
            let after = after.as_deref();
            read(&transcripts, &store, &access, &query, after, limit, is_over)
        })
        .await
    }
}

/// Reads messages until the page of matches is full, the time is up, or everything was read; at least one message.
fn read(
    transcripts: &Transcripts,
    view: &impl Read,
    access: &ChildAccess,
    query: &Query,
    after: Option<&str>,
    limit: usize,
    is_over: impl FnMut() -> bool,
) -> Result<Found, SearchError> {
    let mut reading = Reading {
        transcripts,
        view,
        query,
        topic: None,
        room: PageRoom::new(limit),
        is_first: true,
        matches: Vec::new(),
    };
    let visited = transcripts.visit_backwards(view, access, after, is_over, &mut reading)?;
    Ok(Found {
        matches: reading.matches,
        searched_back_to: visited.back_to,
        next: visited.next,
        unreadable: visited.unreadable,
    })
}

struct Reading<'a, V> {
    transcripts: &'a Transcripts,
    view: &'a V,
    query: &'a Query,
    /// The last session, and the words in its topic.
    topic: Option<(SessionId, InTopic)>,
    room: PageRoom,
    is_first: bool,
    matches: Vec<Match>,
}

impl<V: Read> Visitor for Reading<'_, V> {
    fn visit(
        &mut self,
        message: Message,
        session: &Session,
        is_newest: bool,
        mut is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Visit, StoreError> {
        let query = self.query;
        self.topic.take_if(|(of, _)| *of != session.session_id);
        let (_, in_topic) = self
            .topic
            .get_or_insert_with(|| (session.session_id, query.in_topic(session.topic.as_deref())));
        let (mut present, mut found) = (None, None);
        for (version, until) in message.into_versions() {
            let text = version.text_content.as_deref().unwrap_or_default();
            let ranges = match query.ranges(text, in_topic, &mut is_over) {
                // Each request reads at least one message completely.
                Err(TimeIsUp) if self.is_first => query.ranges(text, in_topic, &mut || false),
                ranges => ranges,
            };
            let Ok(ranges) = ranges else {
                return Ok(Visit::StopBefore);
            };
            if let Some(ranges) = ranges {
                found = Some((version, until, ranges));
                break;
            }
            present.get_or_insert((version, until, Vec::new()));
        }
        self.is_first = false;
        let stands_for_topic = is_newest && in_topic.is_match();
        if let Some((version, until, ranges)) = found.or(present.filter(|_| stands_for_topic)) {
            let date = self.transcripts.began(self.view, session)?;
            let matching = matching(session, date, (version, until), ranges);
            if !self.room.take(matching.bytes()) {
                return Ok(Visit::StopBefore);
            }
            self.matches.push(matching);
        }
        Ok(if self.room.is_full() {
            Visit::Stop
        } else {
            Visit::Next
        })
    }
}

impl Match {
    /// The size as JSON, in bytes.
    fn bytes(&self) -> usize {
        serde_json::to_vec(self).map_or(0, |json| json.len())
    }
}

fn matching(
    session: &Session,
    date: Option<Timestamp>,
    (message, until): (Message, Option<Timestamp>),
    ranges: Vec<[usize; 2]>,
) -> Match {
    Match {
        session_id: session.session_id,
        topic: session.topic.clone(),
        start_time: session.start_time,
        date,
        message_id: message.message_id,
        source: message.source,
        timestamp: message.timestamp,
        text_content: message.text_content,
        kind: message.kind,
        ranges,
        until,
    }
}
