//! Trying a phrase: how often it would have alerted a guardian.
//!
//! There is no index. Like a search, a request reads for a short time, returns what it has, and a cursor from which the next one
//! continues. A conversation counts once, as it would bring one alert.

use std::time::Duration;

use tokio::task;

use super::phrase::{Finder, WatchedPhrase, voice};
use super::watching::names_of_others;
use super::{Alerts, Dependencies};
use crate::children::{ChildAccess, SessionId};
use crate::conversations::transcripts::{Message, Step, TranscriptsError, when_begun};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Cursor, PageRoom, StoreError};

/// How far back a try reads.
const BACK: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The maximum number of matches that one request returns.
const SHOWN: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum TryError {
    #[error("Two of your phrases are still being tried. Please try again in a moment.")]
    TooMany,
    #[error(transparent)]
    Transcripts(#[from] TranscriptsError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    TryError from Transcripts, Store {
        TooMany => too_many(1),
    }
}

/// A message that would have caused an alert.
pub struct Match {
    pub session: SessionId,
    pub message: Message,
    pub ranges: Vec<[usize; 2]>,
}

/// The result so far.
pub struct Tried {
    /// The number of conversations that would have caused an alert.
    pub count: u64,
    /// The newest of them.
    pub matches: Vec<Match>,
    /// The start of the time that is read.
    pub since: Timestamp,
    pub next: Option<String>,
    pub unreadable: u64,
}

impl Alerts {
    /// Tries a phrase in the conversations of the last 90 days, after the cursor `after`, until `is_over` returns true.
    ///
    /// # Errors
    ///
    /// [`TryError::TooMany`], or [`TranscriptsError::Cursor`] if the cursor is invalid.
    pub async fn try_phrase(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        phrase: WatchedPhrase,
        after: Option<String>,
        is_over: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Tried, TryError> {
        let permit = self.tries.take(&guardian).await;
        let permit = permit.ok_or(TryError::TooMany)?;
        let alerts = self.clone();
        let trying = task::spawn_blocking(move || {
            // Held by the thread: it continues even if the caller is gone.
            let _permit = permit;
            alerts.read_matches(&access, &guardian, &phrase, after.as_deref(), is_over)
        });
        // It is only cancelled when the server stops.
        trying.await.unwrap_or(Err(StoreError::Unavailable.into()))
    }

    fn read_matches(
        &self,
        access: &ChildAccess,
        guardian: &GuardianId,
        phrase: &WatchedPhrase,
        after: Option<&str>,
        mut is_over: impl FnMut() -> bool,
    ) -> Result<Tried, TryError> {
        let Dependencies {
            children,
            guardians,
            transcripts,
            ..
        } = &self.dependencies;
        let view = &self.store;
        let others = names_of_others(view, access.child(), guardian, children, guardians)?;
        let finder = Finder::of(phrase);
        let mut tried = Tried {
            count: 0,
            matches: Vec::new(),
            since: self.clock.now().before(BACK),
            next: None,
            unreadable: 0,
        };
        let mut room = PageRoom::new(SHOWN);
        let mut reading = transcripts.backwards(view, access, after)?;
        while let Some(step) = reading.next_step()? {
            match step {
                Step::Message(message, session, _) => {
                    let voice = voice(
                        message.source.as_deref(),
                        message.speaker.as_deref(),
                        &others,
                    );
                    let text = message.text_content.as_deref().unwrap_or_default();
                    let counts = message.timestamp >= tried.since
                        && message.is_examined()
                        && phrase.side.includes(voice);
                    let ranges = if counts {
                        finder.ranges(text)
                    } else {
                        Vec::new()
                    };
                    if !ranges.is_empty() {
                        tried.count += 1;
                        if !room.is_full() && room.take(text.len() + 256) {
                            tried.matches.push(Match {
                                session: session.session_id,
                                message,
                                ranges,
                            });
                        }
                        reading.skip_session();
                    } else if message.timestamp < tried.since && message.is_said() {
                        // The rest of it is older.
                        reading.skip_session();
                    }
                }
                Step::Unreadable => tried.unreadable += 1,
                Step::EndOfSession => {}
            }
            let place = reading.next_cursor();
            // A conversation can last a day, so one that began earlier may still have messages from that time.
            let is_behind = place
                .and_then(when_begun)
                .is_some_and(|begun| begun < tried.since.before(Duration::from_secs(86_400)));
            if is_behind {
                break;
            }
            if is_over() {
                tried.next = place.map(Cursor::to_text);
                break;
            }
        }
        Ok(tried)
    }
}
