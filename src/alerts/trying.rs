//! Trying a phrase: how often it would have alerted a guardian.
//!
//! There is no index. Like a search, a request reads for a short time, returns what it has, and a cursor from which the next one
//! continues. A conversation counts once, as it would bring one alert.

use std::time::Duration;

use super::phrase::{Finder, Side, WatchedPhrase};
use super::watching::names_of_others;
use super::{Alerts, Dependencies};
use crate::children::{ChildAccess, SessionId};
use crate::conversations::transcripts::{
    Message, Names, Session, TranscriptsError, Visit, Visitor,
};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{PageRoom, StoreError, run_blocking};

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
        TooMany => too_many(TooManyTrials, 1),
    }
}

/// A message that would have caused an alert.
pub struct Match {
    pub session: SessionId,
    pub message: Message,
    pub ranges: Vec<[usize; 2]>,
    /// Until when the message said so, if it was corrected.
    pub until: Option<Timestamp>,
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
        run_blocking(move || {
            // Held by the thread: it continues even if the caller is gone.
            let _permit = permit;
            alerts.read_matches(&access, &guardian, &phrase, after.as_deref(), is_over)
        })
        .await
    }

    fn read_matches(
        &self,
        access: &ChildAccess,
        guardian: &GuardianId,
        phrase: &WatchedPhrase,
        after: Option<&str>,
        is_over: impl FnMut() -> bool,
    ) -> Result<Tried, TryError> {
        let Dependencies {
            children,
            guardians,
            transcripts,
            ..
        } = &self.dependencies;
        let view = &self.store;
        let mut trial = Trial {
            finder: Finder::of(phrase),
            side: phrase.side,
            others: names_of_others(view, access.child(), guardian, children, guardians)?,
            room: PageRoom::new(SHOWN),
            tried: Tried {
                count: 0,
                matches: Vec::new(),
                since: self.clock.now().before(BACK),
                next: None,
                unreadable: 0,
            },
        };
        let visited = transcripts.visit_backwards(view, access, after, is_over, &mut trial)?;
        Ok(Tried {
            next: visited.next,
            unreadable: visited.unreadable,
            ..trial.tried
        })
    }
}

struct Trial {
    finder: Finder,
    side: Side,
    others: Vec<String>,
    room: PageRoom,
    tried: Tried,
}

impl Visitor for Trial {
    fn visit(
        &mut self,
        message: Message,
        session: &Session,
        _: bool,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<Visit, StoreError> {
        if message.timestamp < self.tried.since {
            // The rest of it is older.
            return Ok(if message.is_said() {
                Visit::SkipSession
            } else {
                Visit::Next
            });
        }
        for (message, until) in message.into_versions() {
            let speaker = message.said_by(Names::Others(&self.others));
            let text = message.text_content.as_deref().unwrap_or_default();
            let ranges = if self.side.includes(speaker) {
                self.finder.ranges(text)
            } else {
                Vec::new()
            };
            if ranges.is_empty() {
                continue;
            }
            self.tried.count += 1;
            if !self.room.is_full() && self.room.take(text.len() + 256) {
                self.tried.matches.push(Match {
                    session: session.session_id,
                    message,
                    ranges,
                    until,
                });
            }
            return Ok(Visit::SkipSession);
        }
        Ok(Visit::Next)
    }

    /// A conversation can last a day, so one that began earlier may still have messages from that time.
    fn is_complete_at(&self, began: Timestamp) -> bool {
        began < self.tried.since.before(Duration::from_secs(86_400))
    }
}
