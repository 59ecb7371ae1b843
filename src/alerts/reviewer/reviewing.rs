//! Reviews what was said: a queue of sessions, from which one at a time is read and sent to the model.
//!
//! A session is due once it has ended, and every thirty minutes of a long one. Whether it may be sent is decided again right
//! before its first byte leaves: it isn't deleted, and the consent is in force. What a review finds is stored together with how
//! much of the session it covers, so nothing is reviewed twice for the same alert, and nothing is forgotten.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use super::assessing::{Judged, Model, ask, estimated_tokens};
use super::consents::{Consents, Permitted};
use super::conversation::Conversation;
use super::locating::Finding;
use super::request::{Request, Said};
use super::reviewed::Reviewed;
use super::store::{self, DAY_MICROS, Queued, Spent, day_of};
use super::turns::FairScheduler;
use crate::alerts::{Alerts, Concern, Flag, Flagged, QuotePosition, words_at};
use crate::children::{ChildAccess, SessionId};
use crate::conversations::transcripts::{
    ConversationPart, Message, Names, PartMessage, PartsOf, PlacedSession, Transcripts,
    TranscriptsError,
};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::words::find_quote;
use crate::kernel::store::{Read, ReadError, StoreError, run_blocking};
use crate::models::UpstreamClient;
use crate::rules::blocked_topics::BlockedTopics;

/// After the first failure; twice as long after each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(60);

const LONGEST_PAUSE: Duration = Duration::from_secs(2 * 60 * 60);

/// The text of one request, in bytes. A small model reads some 8,000 tokens.
const PART_BYTES: usize = 16 * 1024;

/// The number of earlier messages that a part is shown with.
const CONTEXT: usize = 6;

/// How often it is checked, during a request, whether the model may still read this.
const WITHDRAWN_EVERY: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct Reviewing {
    pub consents: Consents,
    pub transcripts: Transcripts,
    pub blocked_topics: BlockedTopics,
    pub alerts: Alerts,
    pub client: UpstreamClient,
    pub rng: Randomness,
    pub turns: FairScheduler,
    /// For one answer of the model.
    pub deadline: Duration,
}

/// A session that is to be reviewed now.
#[derive(Clone)]
pub struct DueSession {
    pub access: ChildAccess,
    pub session: SessionId,
    pub permitted: Permitted,
    pub due_since: Timestamp,
}

/// Whether a request may be sent.
enum Begin {
    Send,
    NotNow,
}

impl Reviewing {
    /// The session, unless it is deleted, or somebody else talked in it.
    pub fn reviewable(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<PlacedSession>, StoreError> {
        let found = self.transcripts.find_placed(view, access, session)?;
        Ok(found.filter(|found| !found.is_hidden && !found.session.not_child))
    }

    /// Whether this model may read this session now.
    fn may_send(&self, view: &impl Read, due: &DueSession) -> Result<bool, StoreError> {
        let child = due.access.child();
        let permitted = self.consents.permitted(view, child)?;
        Ok(permitted.as_ref() == Some(&due.permitted)
            && self.reviewable(view, &due.access, due.session)?.is_some())
    }

    /// Reviews a part of a session.
    pub async fn review(&self, queued: Queued, due: DueSession) -> Result<(), StoreError> {
        let (reviewed, part) = match self.read(&due).await {
            Ok(read) => read,
            Err(TranscriptsError::Store(error)) if error.damage().is_some() => {
                return self.record_failure(queued, due, error, 0).await;
            }
            Err(TranscriptsError::Store(error)) => return Err(error),
            // It was deleted or moved meanwhile.
            Err(_) => return Ok(()),
        };
        if !part.messages.iter().any(|message| message.is_new) {
            return self
                .finish(queued, due, (reviewed, part), Vec::new(), 0)
                .await;
        }
        let said = part.messages.iter().map(said).collect::<Vec<_>>();
        let topics = match self.blocked_topics.avoided(&due.access) {
            Err(error) if error.damage().is_some() => {
                return self.record_failure(queued, due, error, 0).await;
            }
            topics => topics?,
        };
        let Conversation {
            said,
            blocked_topics,
        } = Conversation::new(said, &topics.custom);
        let model = &due.permitted.model.name;
        let request = Request::new(model, &said, &blocked_topics, &self.rng);
        let estimate = estimated_tokens(&request);
        let due = Arc::new(due);
        match self.begin(&due, &queued, estimate).await? {
            Begin::Send => {}
            Begin::NotNow => return Ok(()),
        }
        let (reviewing, checked) = (self.clone(), due.clone());
        let check = move || {
            matches!(
                reviewing.may_send(&reviewing.consents.store, &checked),
                Ok(true)
            )
        };
        let asked = ask(
            &self.client,
            &due.permitted.model,
            request,
            &said,
            self.deadline,
            check,
        );
        let judged = tokio::select! {
            judged = asked => judged,
            () = self.until_withdrawn(&due) => return Ok(()),
        };
        let due = DueSession::clone(&due);
        match judged {
            Ok(Judged { located, tokens }) => {
                if !located.not_there.is_empty() {
                    let (session, count) = (due.session, located.not_there.len());
                    tracing::info!(%session, count, "the model quoted what nobody said");
                }
                let more = tokens.saturating_sub(estimate);
                let read = (reviewed, part);
                self.finish(queued, due, read, located.findings, more).await
            }
            Err(failed) => {
                let unused = if failed.is_before_sending() {
                    estimate
                } else {
                    0
                };
                self.record_failure(queued, due, failed, unused).await
            }
        }
    }

    /// Reads what was reviewed so far, and the next part.
    async fn read(
        &self,
        due: &DueSession,
    ) -> Result<(Reviewed, ConversationPart), TranscriptsError> {
        let (reviewing, access, session) = (self.clone(), due.access.clone(), due.session);
        let since = due.permitted.since;
        run_blocking(move || {
            let view = &reviewing.consents.store;
            let reviewed = store::reviewed(view, access.child(), session)?;
            let parts = PartsOf {
                since,
                bytes: PART_BYTES,
                context: CONTEXT,
            };
            let waiting = reviewed.waiting.iter().map(|there| there.texts);
            let (from, waiting) = (reviewed.arrivals, waiting.collect::<Vec<_>>());
            let transcripts = &reviewing.transcripts;
            let part = transcripts.read_part(view, &access, session, from, &waiting, parts)?;
            Ok((reviewed, part))
        })
        .await
    }

    /// Charges the budget, if this may be sent.
    async fn begin(
        &self,
        due: &Arc<DueSession>,
        queued: &Queued,
        tokens: u64,
    ) -> Result<Begin, StoreError> {
        let (reviewing, due, queued) = (self.clone(), due.clone(), queued.clone());
        let begun = self.consents.store.commit(move |change| {
            let (child, session) = (due.access.child(), due.session);
            if due.access.confirm(change).is_err() || !reviewing.may_send(change, &due)? {
                return Ok(Begin::NotNow);
            }
            let now = reviewing.consents.clock.now();
            let day = day_of(now);
            let spent = store::spent_on(change, child, day)?.saturating_add(tokens);
            if spent > reviewing.consents.settings.budget.tokens() {
                let paused = Queued {
                    not_before: Some(start_of(day + 1)),
                    ..queued
                };
                store::put_queued(change, child, session, &paused)?;
                return Ok(Begin::NotNow);
            }
            store::put_spent(change, child, Spent { day, tokens: spent })?;
            Ok::<_, StoreError>(Begin::Send)
        });
        begun.await
    }

    /// Returns once the session may no longer be sent, or that can't be known.
    async fn until_withdrawn(&self, due: &DueSession) {
        while matches!(self.may_send(&self.consents.store, due), Ok(true)) {
            tokio::time::sleep(WITHDRAWN_EVERY).await;
        }
    }

    /// Stores what was found, and how far the session was reviewed.
    async fn finish(
        &self,
        queued: Queued,
        due: DueSession,
        (before, part): (Reviewed, ConversationPart),
        findings: Vec<Finding>,
        more_tokens: u64,
    ) -> Result<(), StoreError> {
        let reviewing = self.clone();
        let finished = self.consents.store.commit(move |change| {
            let (child, session) = (due.access.child(), due.session);
            if due.access.confirm(change).is_err() || !reviewing.may_send(change, &due)? {
                // What was found is dropped, as if it hadn't been sent.
                return Ok(());
            }
            let day = day_of(reviewing.consents.clock.now());
            let tokens = store::spent_on(change, child, day)?.saturating_add(more_tokens);
            store::put_spent(change, child, Spent { day, tokens })?;
            let reviewed = store::reviewed(change, child, session)?.after(&part, &before);
            store::put_reviewed(change, child, session, &reviewed)?;
            let is_told = reviewing.consents.at_home(change, child)?.is_some();
            let flags = flags(&due.permitted.model, &part, findings, is_told);
            reviewing
                .alerts
                .record_flags(change, child, session, flags)?;
            let arrived = reviewing
                .transcripts
                .count_arrived(change, &due.access, session)?;
            if reviewed.waiting.is_empty()
                && arrived.is_none_or(|arrived| arrived <= reviewed.arrivals)
            {
                return store::remove_queued(change, child, session);
            }
            let rest = Queued {
                seen_at: queued.seen_at,
                due_since: queued.due_since,
                ..Queued::default()
            };
            store::put_queued(change, child, session, &rest)
        });
        finished.await
    }

    /// Lets a review be tried again after a pause. `unused_tokens` were charged for it.
    async fn record_failure(
        &self,
        queued: Queued,
        due: DueSession,
        why: impl Display,
        unused_tokens: u64,
    ) -> Result<(), StoreError> {
        tracing::warn!(session = %due.session, error = %why, "a conversation could not be reviewed; it is tried again");
        let now = self.consents.clock.now();
        let noted = self.consents.store.commit(move |change| {
            let (child, session) = (due.access.child(), due.session);
            if unused_tokens > 0 {
                let day = day_of(now);
                let tokens = store::spent_on(change, child, day)?.saturating_sub(unused_tokens);
                store::put_spent(change, child, Spent { day, tokens })?;
            }
            if store::queued(change, child, session)?.is_none() {
                return Ok(());
            }
            let doubled = 1_u32.checked_shl(queued.failures.min(16)).unwrap_or(1);
            let pause = FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE);
            let failed = Queued {
                failures: queued.failures.saturating_add(1),
                not_before: Some(now.after(pause)),
                ..queued
            };
            store::put_queued(change, child, session, &failed)
        });
        noted.await
    }
}

fn said(part: &PartMessage) -> Said {
    let message = &part.message;
    Said {
        by: message.said_by(Names::UNKNOWN),
        speaker: message.speaker.clone(),
        text: message.text_content.clone().unwrap_or_default(),
        is_replaced: part.is_replaced,
    }
}

/// The findings that become alerts. Those about home don't unless a guardian asked for it, nor does another finding in the same
/// message.
fn flags(
    model: &Model,
    part: &ConversationPart,
    findings: Vec<Finding>,
    is_home_told: bool,
) -> Vec<Flag> {
    let is_of_home = |finding: &Finding| finding.concern == Concern::HurtAtHome;
    let homes = findings.iter().filter(|finding| is_of_home(finding));
    let homes = homes.map(|finding| finding.message).collect::<Vec<_>>();
    let told = findings
        .into_iter()
        .filter(|finding| is_home_told || !homes.contains(&finding.message));
    let flags = told.filter_map(|finding| {
        let of = part.messages.get(finding.message).filter(|of| of.is_new)?;
        let text = of.message.text_content.as_deref()?;
        Some(Flag {
            message: of.message.clone(),
            is_known: was_said(&of.message, &words_at(text, finding.range)?),
            flagged: Flagged {
                concern: finding.concern,
                severity: finding.severity,
                model: model.name.clone(),
                place: QuotePosition::of(text, finding.range)?,
            },
        })
    });
    flags.collect()
}

/// Whether one of a message's texts that were reviewed before has these words, apart from punctuation before and after them.
fn was_said(message: &Message, words: &str) -> bool {
    let words = words.trim_matches(|character: char| !character.is_alphanumeric());
    let mut earlier = message.earlier.iter();
    earlier.any(|it| it.source == message.source && find_quote(&it.text_content, words).is_some())
}

fn start_of(day: i64) -> Timestamp {
    Timestamp::from_micros(day.saturating_mul(DAY_MICROS))
}
