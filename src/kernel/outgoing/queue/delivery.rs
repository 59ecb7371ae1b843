//! One try to send a message.

use std::time::Duration;

use tokio::sync::watch;

use super::composer::Report;
use super::line::TRIES_BEFORE_DEFERRED;
use super::slots::Slot;
use super::{
    Arrival, Composed, Id, Kind, Lane, Message, NoAnswer, OnOutcome, Outcome, Queue, Queued, Route,
    store,
};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::{Email, HandedOver, MailError, Mailer};
use crate::kernel::outgoing::post::{PostAnswer, PostError, Verdict};
use crate::kernel::store::{Purpose, StoreError};

/// Why a message was not sent while a person waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message was not sent")]
pub struct NotSent;

/// How far a try has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Begun,
    /// All of it was sent, and the answer is awaited.
    Complete,
    Ended {
        is_sent: bool,
    },
}

/// The exclusive right to send a message.
pub struct Claim {
    queue: Queue,
    id: Id,
    progress: watch::Sender<Progress>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.queue.in_progress().remove(&self.id);
    }
}

/// The result of a try. The texts say why the message was not taken.
pub enum Tried {
    Sent(Timestamp),
    /// Sent completely at this time, but never answered.
    Unanswered(Timestamp),
    Refused(String),
    /// The recipient has ended.
    Gone(String),
    Failed(String),
    /// The server answered that it may work later, but not before this has passed.
    PutOff(Duration, String),
}

impl Tried {
    fn arrival(&self, now: Timestamp) -> Arrival {
        match self {
            Self::Sent(at) => Arrival::Taken(*at),
            Self::Unanswered(at) => Arrival::NotTaken(
                *at,
                "The server got all of it and did not answer.".to_owned(),
            ),
            Self::Refused(why) | Self::Gone(why) | Self::Failed(why) | Self::PutOff(_, why) => {
                Arrival::NotTaken(now, why.clone())
            }
        }
    }
}

/// What there is to send.
pub(super) enum ToSend {
    Message(Box<(Queued, Composed)>),
    /// No message was composed.
    Nothing,
    /// It was removed, or it cannot be composed now.
    Unknown,
}

impl<T> Kind<T> {
    /// Sends a queued message while a person waits, at most this long. A message that fails or takes longer is removed, because
    /// the person sees the failure and tries again. If it was sent completely, the answer isn't awaited. Fails with [`NotSent`],
    /// also if it isn't known whether it was sent.
    pub async fn send_now(
        &self,
        recipient: &str,
        about: &str,
        patience: Duration,
    ) -> Result<(), NotSent> {
        let (queue, id) = (self.queue.clone(), self.id(recipient, about));
        let Some(claim) = queue.claim(id.clone()) else {
            // Another task is sending it, and removes it if it fails.
            let Some(seen) = queue.in_progress().get(&id).cloned() else {
                return Err(NotSent);
            };
            let is_sent = is_sent_within(seen, patience).await;
            return if is_sent { Ok(()) } else { Err(NotSent) };
        };
        let seen = claim.progress.subscribe();
        let sending = tokio::spawn(async move {
            let slot = queue.0.slots.acquire(Lane::Security).await;
            queue.try_to_send(&claim, Some(slot)).await
        });
        if is_sent_within(seen, patience).await {
            return Ok(());
        }
        sending.abort();
        let store = &self.queue.0.store;
        let forgotten =
            store.commit_for(Purpose::Essential, move |change| store::remove(change, &id));
        if let Err(error) = forgotten.await {
            tracing::error!(%error, "a message that was not sent could not be removed");
        }
        Err(NotSent)
    }
}

impl Queue {
    /// `None` if it is being sent.
    pub(super) fn claim(&self, id: Id) -> Option<Claim> {
        let mut in_progress = self.in_progress();
        if in_progress.contains_key(&id) {
            return None;
        }
        let (progress, seen) = watch::channel(Progress::Begun);
        in_progress.insert(id.clone(), seen);
        drop(in_progress);
        Some(Claim {
            queue: self.clone(),
            id,
            progress,
        })
    }

    pub(super) async fn deliver(self, claim: Claim, lane: Lane) -> Result<(), StoreError> {
        let slot = self.0.slots.acquire(lane).await;
        self.try_to_send(&claim, Some(slot)).await
    }

    pub(super) async fn deliver_independently(self, claim: Claim) -> Result<(), StoreError> {
        let _slot = self.0.slots.acquire_independent().await;
        self.try_to_send(&claim, None).await
    }

    /// Composes the message, sends it, and records the outcome.
    async fn try_to_send(&self, claim: &Claim, slot: Option<Slot>) -> Result<(), StoreError> {
        let tried = self.try_and_record(claim, slot).await;
        let is_sent = *tried.as_ref().unwrap_or(&false);
        claim.progress.send_replace(Progress::Ended { is_sent });
        tried.map(drop)
    }

    /// Returns whether it counts as sent.
    async fn try_and_record(&self, claim: &Claim, slot: Option<Slot>) -> Result<bool, StoreError> {
        let (queued, composed) = match self.compose(&claim.id).await? {
            ToSend::Message(composed) => *composed,
            ToSend::Nothing => return Ok(true),
            ToSend::Unknown => return Ok(false),
        };
        let Composed {
            message,
            on_outcome,
            report,
        } = composed;
        let kind = claim.id.kind.as_str();
        let tried = match message {
            Message::Email(mut email) => {
                email.message_id = u128::from_str_radix(&queued.message_id, 16).ok();
                let at_final_dot = || {
                    claim.progress.send_replace(Progress::Complete);
                };
                self.hand_over(kind, &email, slot, at_final_dot).await
            }
            Message::Request(post) => self.answered(kind, self.0.client.send(&post).await),
            Message::Push(post) => match self.0.client.send_to_internet(&post).await {
                Ok(answer) if answer.is_gone() => {
                    tracing::info!(kind, "a push subscription has ended");
                    Tried::Gone(answer.complaint())
                }
                answered => self.answered(kind, answered),
            },
        };
        let counts = matches!(tried, Tried::Sent(_) | Tried::Unanswered(_));
        self.record(claim.id.clone(), on_outcome, report, tried)
            .await?;
        Ok(counts)
    }

    async fn hand_over(
        &self,
        kind: &str,
        email: &Email,
        mut slot: Option<Slot>,
        at_final_dot: impl FnOnce() + Send,
    ) -> Tried {
        let mut sent_at = None;
        let handed_over = self.0.mailer.hand_over(email, || {
            sent_at = Some(self.0.clock.now());
            if let Some(slot) = &mut slot {
                slot.wait_for_answer();
            }
            at_final_dot();
        });
        let handed_over = handed_over.await;
        let sent_at = sent_at.unwrap_or_else(|| self.0.clock.now());
        match handed_over {
            Ok(outcome) => {
                tracing::info!(kind, ?outcome, "an email was handed over");
                match outcome {
                    HandedOver::Accepted => Tried::Sent(sent_at),
                    HandedOver::Unknown => Tried::Unanswered(sent_at),
                }
            }
            Err(MailError::Permanent(reason)) => {
                tracing::warn!(kind, %reason, "an email was refused");
                Tried::Refused(reason)
            }
            Err(MailError::Temporary(reason)) => {
                tracing::warn!(kind, %reason, "an email did not get through");
                Tried::Failed(reason)
            }
        }
    }

    fn answered(&self, kind: &str, answered: Result<PostAnswer, PostError>) -> Tried {
        let now = self.0.clock.now();
        match answered {
            Ok(answer) => {
                let status = answer.status.as_u16();
                match answer.verdict(now) {
                    Verdict::Received => {
                        tracing::info!(kind, status, "a message was handed over");
                        Tried::Sent(now)
                    }
                    Verdict::Later(after) => {
                        tracing::warn!(kind, status, "a message was not taken; it is tried again");
                        Tried::PutOff(after.unwrap_or_default(), answer.complaint())
                    }
                    Verdict::Refused => {
                        tracing::warn!(kind, status, "a message was refused");
                        Tried::Refused(answer.complaint())
                    }
                }
            }
            Err(error) => {
                tracing::warn!(kind, %error, "a message did not get through");
                if error.may_be_received() {
                    Tried::Unanswered(now)
                } else {
                    Tried::Failed(error.to_string())
                }
            }
        }
    }

    /// Tries to send a message to a server. Returns whether the next message to that server may be sent.
    pub(super) async fn deliver_in_line(&self, claim: &Claim) -> Result<bool, StoreError> {
        self.try_to_send(claim, None).await?;
        let left = store::get(&self.0.store, &claim.id)?;
        Ok(left.is_none_or(|queued| queued.deferred))
    }

    pub(super) async fn compose(&self, id: &Id) -> Result<ToSend, StoreError> {
        let (queue, id) = (self.clone(), id.clone());
        let composed = self.0.store.commit_for(Purpose::Essential, move |change| {
            let Some(queued) = store::get(change, &id)? else {
                return Ok(ToSend::Unknown);
            };
            let Some(composer) = queue.composer(&id.kind) else {
                return Ok(ToSend::Unknown);
            };
            if composer.route() == Route::Mail && matches!(queue.0.mailer, Mailer::Nobody) {
                tracing::warn!(
                    kind = id.kind,
                    "no mail server is configured, so a message was dropped"
                );
                store::remove(change, &id)?;
                return Ok(ToSend::Unknown);
            }
            match composer.compose(change, &id, &queued) {
                Ok(Some(composed)) => Ok(ToSend::Message(Box::new((queued, composed)))),
                Ok(None) => {
                    store::remove(change, &id)?;
                    Ok(ToSend::Nothing)
                }
                Err(StoreError::Unreadable(cause)) => {
                    tracing::error!(%cause, kind = id.kind, "a message could not be composed");
                    queue.postpone_unreadable(change, &id, queued, queue.0.clock.now())?;
                    Ok(ToSend::Unknown)
                }
                Err(error) => Err(error),
            }
        });
        composed.await
    }

    pub(super) async fn record(
        &self,
        id: Id,
        on_outcome: Option<OnOutcome>,
        report: Option<Report>,
        tried: Tried,
    ) -> Result<(), StoreError> {
        let queue = self.clone();
        let recorded = self.0.store.commit_for(Purpose::Essential, move |change| {
            let now = queue.0.clock.now();
            if let Some(report) = report {
                report(change, tried.arrival(now))?;
            }
            let policy = queue.composer(&id.kind).map(|it| it.policy());
            let on_no_answer = policy.map_or(NoAnswer::CountsAsSent, |it| it.on_no_answer);
            let queued = store::get(change, &id)?;
            let unanswered = queued.as_ref().map_or(0, |queued| queued.unanswered_tries) + 1;
            let is_sent_again = unanswered < on_no_answer.sends();
            let outcome = match tried {
                Tried::Unanswered(_) if is_sent_again && on_no_answer == NoAnswer::TriedAgain => {
                    Outcome::NotSent
                }
                Tried::Sent(at) | Tried::Unanswered(at) => Outcome::Sent(at),
                Tried::Gone(_) => Outcome::Gone,
                Tried::Refused(_) | Tried::Failed(_) | Tried::PutOff(..) => Outcome::NotSent,
            };
            if let Some(on_outcome) = on_outcome {
                on_outcome(change, outcome)?;
            }
            // It may have been removed while it was sent, for instance because the recipient's access was ended.
            let Some(mut queued) = queued else {
                return Ok(());
            };
            let reached = matches!(tried, Tried::Unanswered(_) | Tried::PutOff(..));
            queued.deferred |= reached && queued.tries + 1 >= TRIES_BEFORE_DEFERRED;
            match tried {
                Tried::Unanswered(_) if is_sent_again => {
                    queued.unanswered_tries = unanswered;
                    queue.postpone(change, &id, queued, Duration::ZERO, now)
                }
                Tried::Failed(_) => queue.postpone(change, &id, queued, Duration::ZERO, now),
                Tried::PutOff(after, _) => queue.postpone(change, &id, queued, after, now),
                Tried::Sent(_) | Tried::Unanswered(_) | Tried::Refused(_) | Tried::Gone(_) => {
                    store::remove(change, &id)
                }
            }
        });
        recorded.await
    }
}

/// Waits until a try has ended, at most this long. Returns whether the message counts as sent by then.
async fn is_sent_within(mut progress: watch::Receiver<Progress>, patience: Duration) -> bool {
    let ended = progress.wait_for(|progress| matches!(progress, Progress::Ended { .. }));
    // If nothing is left that sends it, what was last seen counts.
    let _ = tokio::time::timeout(patience, ended)
        .await
        .map(|ended| ended.map(drop));
    let last = *progress.borrow();
    matches!(last, Progress::Complete | Progress::Ended { is_sent: true })
}
