//! One try to send a message.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::line::TRIES_BEFORE_SET_ASIDE;
use super::{Composed, Id, Lane, Message, NoAnswer, Outcome, Queue, Queued, Settle, item, store};
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::{Email, HandedOver, MailError, Mailer};
use crate::kernel::post::{Post, Verdict};
use crate::kernel::store::{Purpose, StoreError};

/// How many messages of each lane are sent at a time: few enough for any mail server, and enough that one slow delivery blocks no
/// other.
const AT_ONCE: usize = 4;

/// How many messages of each lane may additionally wait for the mail server's answer: each keeps a connection open. Above that,
/// deliveries keep their slot until answered.
const WAITING: usize = 32;

/// Why a message was not sent while a person waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the message was not sent")]
pub struct NotSent;

#[derive(Default)]
pub struct Slots([LaneSlots; 3]);

struct LaneSlots {
    sending: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Default for LaneSlots {
    fn default() -> Self {
        Self {
            sending: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Arc::new(Semaphore::new(WAITING)),
        }
    }
}

/// A delivery's permit, released on drop.
struct Slot {
    permit: OwnedSemaphorePermit,
    waiting: Arc<Semaphore>,
}

impl Slots {
    async fn acquire(&self, lane: Lane) -> Slot {
        let slots = &self.0[lane as usize];
        let sending = Arc::clone(&slots.sending);
        Slot {
            permit: sending.acquire_owned().await.expect("it is never closed"),
            waiting: Arc::clone(&slots.waiting),
        }
    }
}

impl Slot {
    /// To be called when the message is completely sent: lets the next delivery start, unless too many wait for an answer.
    fn wait_for_answer(&mut self) {
        if let Ok(permit) = Arc::clone(&self.waiting).try_acquire_owned() {
            self.permit = permit;
        }
    }
}

/// The exclusive right to send a message.
pub struct Claim {
    queue: Queue,
    id: Id,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.queue.in_progress().remove(&self.id);
    }
}

/// The result of a try.
pub enum Tried {
    Sent(Timestamp),
    /// Sent completely at this time, but never answered.
    Unanswered(Timestamp),
    Refused,
    Failed,
    /// The server answered that it may work later, but not before this has passed.
    PutOff(Duration),
}

impl Queue {
    /// `None` if it is being sent.
    pub(super) fn claim(&self, id: Id) -> Option<Claim> {
        let is_new = self.in_progress().insert(id.clone());
        is_new.then(|| Claim {
            queue: self.clone(),
            id,
        })
    }

    /// Sends a queued message while a person waits, at most this long. A message that fails or takes longer is removed, because
    /// the person sees the failure and tries again. If it was sent completely, the answer isn't awaited. Fails with [`NotSent`].
    pub async fn send_now(
        &self,
        kind: &str,
        recipient: &str,
        about: &str,
        patience: Duration,
    ) -> Result<(), NotSent> {
        let id = Id::new(kind, recipient, about);
        // Another request for the same message may be sending it.
        let Some(claim) = self.claim(id.clone()) else {
            return Ok(());
        };
        let is_sent = Arc::new(AtomicBool::new(false));
        let at_final_dot = {
            let is_sent = Arc::clone(&is_sent);
            move || is_sent.store(true, Ordering::Release)
        };
        let queue = self.clone();
        let mut sending = tokio::spawn(async move {
            let slot = queue.0.slots.acquire(Lane::Security).await;
            queue.try_to_send(&claim, Some(slot), at_final_dot).await
        });
        let sent = match tokio::time::timeout(patience, &mut sending).await {
            Ok(Ok(Ok(tried))) => tried,
            Ok(_) => false,
            Err(_) if is_sent.load(Ordering::Acquire) => true,
            Err(_) => {
                sending.abort();
                false
            }
        };
        if sent {
            return Ok(());
        }
        let forgotten = self
            .0
            .store
            .commit_for(Purpose::Essential, move |change| store::remove(change, &id));
        if let Err(error) = forgotten.await.and_then(|inner| inner) {
            tracing::error!(%error, "a message that was not sent could not be removed");
        }
        Err(NotSent)
    }

    pub(super) async fn deliver(self, claim: Claim, lane: Lane) -> Result<(), StoreError> {
        let slot = self.0.slots.acquire(lane).await;
        self.try_to_send(&claim, Some(slot), || ()).await.map(drop)
    }

    /// Composes the message, sends it, and records the outcome. Returns whether it counts as sent.
    async fn try_to_send(
        &self,
        claim: &Claim,
        slot: Option<Slot>,
        at_final_dot: impl FnOnce() + Send,
    ) -> Result<bool, StoreError> {
        let Some((queued, composed)) = self.compose(&claim.id).await? else {
            return Ok(true);
        };
        let Composed { message, settle } = composed;
        let kind = claim.id.kind.as_str();
        let tried = match message {
            Message::Email(mut email) => {
                email.message_id = u128::from_str_radix(&queued.message_id, 16).ok();
                self.hand_over(kind, &email, slot, at_final_dot).await
            }
            Message::Request(post) => self.request(kind, &post).await,
        };
        let counts = matches!(tried, Tried::Sent(_) | Tried::Unanswered(_));
        self.record(claim.id.clone(), settle, tried).await?;
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
                Tried::Refused
            }
            Err(MailError::Temporary(reason)) => {
                tracing::warn!(kind, %reason, "an email did not get through");
                Tried::Failed
            }
        }
    }

    async fn request(&self, kind: &str, post: &Post) -> Tried {
        let answered = self.0.client.send(post).await;
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
                        Tried::PutOff(after.unwrap_or_default())
                    }
                    Verdict::Refused => {
                        tracing::warn!(kind, status, "a message was refused");
                        Tried::Refused
                    }
                }
            }
            Err(error) => {
                tracing::warn!(kind, %error, "a message did not get through");
                if error.may_be_received() {
                    Tried::Unanswered(now)
                } else {
                    Tried::Failed
                }
            }
        }
    }

    /// Tries to send a message to a server. Returns whether the next message to that server may be sent.
    pub(super) async fn deliver_in_line(&self, claim: &Claim) -> Result<bool, StoreError> {
        self.try_to_send(claim, None, || ()).await?;
        let left = store::get(&self.0.store, &claim.id)?;
        Ok(left.is_none_or(|queued| queued.set_aside))
    }

    /// `None` if there is nothing to send: it was removed since it was read, or its kind has nothing to send any more.
    pub(super) async fn compose(&self, id: &Id) -> Result<Option<(Queued, Composed)>, StoreError> {
        let (queue, id) = (self.clone(), id.clone());
        let composed = self.0.store.commit_for(Purpose::Essential, move |change| {
            let Some(queued) = store::get(change, &id)? else {
                return Ok(None);
            };
            let Some(kind) = queue.kind(&id.kind) else {
                return Ok(None);
            };
            if kind.server().is_none() && matches!(queue.0.mailer, Mailer::Nobody) {
                tracing::warn!(
                    kind = id.kind,
                    "no mail server is configured, so a message was dropped"
                );
                store::remove(change, &id)?;
                return Ok(None);
            }
            match kind.compose(change, &item(&id, &queued)) {
                Ok(Some(composed)) => Ok(Some((queued, composed))),
                Ok(None) => {
                    store::remove(change, &id)?;
                    Ok(None)
                }
                Err(StoreError::Unreadable(cause)) => {
                    tracing::error!(%cause, kind = id.kind, "a message could not be composed");
                    queue.postpone_unreadable(change, &id, queued, queue.0.clock.now())?;
                    Ok(None)
                }
                Err(error) => Err(error),
            }
        });
        composed.await?
    }

    pub(super) async fn record(
        &self,
        id: Id,
        settle: Option<Settle>,
        tried: Tried,
    ) -> Result<(), StoreError> {
        let queue = self.clone();
        let recorded = self.0.store.commit_for(Purpose::Essential, move |change| {
            let policy = queue.kind(&id.kind).map(|kind| kind.policy());
            let on_no_answer = policy.map(|policy| policy.on_no_answer);
            let again = on_no_answer == Some(NoAnswer::TriedAgain);
            let outcome = match tried {
                Tried::Unanswered(_) if again => Outcome::NotSent,
                Tried::Sent(at) | Tried::Unanswered(at) => Outcome::Sent(at),
                Tried::Refused | Tried::Failed | Tried::PutOff(_) => Outcome::NotSent,
            };
            if let Some(settle) = settle {
                settle(change, outcome)?;
            }
            // It may have been removed while it was sent, for instance because the recipient's access was ended.
            let Some(mut queued) = store::get(change, &id)? else {
                return Ok(());
            };
            let once_more = on_no_answer == Some(NoAnswer::SendOnceMore);
            let now = queue.0.clock.now();
            let reached = matches!(tried, Tried::Unanswered(_) | Tried::PutOff(_));
            queued.set_aside |= reached && queued.tries + 1 >= TRIES_BEFORE_SET_ASIDE;
            match tried {
                Tried::Unanswered(_) if once_more && !queued.unanswered => {
                    queued.unanswered = true;
                    queue.postpone(change, &id, queued, Duration::ZERO, now)
                }
                Tried::Unanswered(_) if again => {
                    queue.postpone(change, &id, queued, Duration::ZERO, now)
                }
                Tried::Failed => queue.postpone(change, &id, queued, Duration::ZERO, now),
                Tried::PutOff(after) => queue.postpone(change, &id, queued, after, now),
                Tried::Sent(_) | Tried::Unanswered(_) | Tried::Refused => {
                    store::remove(change, &id)
                }
            }
        });
        recorded.await?
    }
}
