//! The durable queue of outgoing messages: e-mails, and requests to other servers.
//!
//! A feature registers a [`Composer`] for each kind of message, and gets a [`Kind`]. With it, the feature queues a message in the
//! same commit as the change that causes it. A record contains the recipient and the subject, but no secret and no part of a
//! conversation: the message is composed from the store's state when it is sent. A message that cannot be sent is retried with
//! growing pauses, until its kind [gives up](Policy::gives_up_after).
//!
//! **Recipients are looked up when a message is sent**, so queueing one for an unknown recipient takes the same steps. Messages
//! about access, other messages, and those to strangers have separate [lanes](Lane), each with its own limit of concurrent
//! deliveries. When a kind's queue is full, a new message replaces one without a recipient, or one to a stranger.
//!
//! A message is sent once, unless the process ends after the server's answer and before that is recorded. If the server never
//! answers, the kind's [`NoAnswer`] says whether it is sent again.
//!
//! Requests to one server are a [line](line::ready) of their own. They need no lane, so a server that stalls keeps no e-mail waiting and no
//! other server. Requests to push services are [independent](Route::Independent): each device has its own.

mod composer;
mod delivery;
mod dispatch;
mod kind;
mod line;
mod policy;
mod queued;
mod slots;
mod store;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::watch;

use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::Mailer;
use crate::kernel::outgoing::post::PostClient;
use crate::kernel::store::{Change, Event, Store, StoreError};
use composer::AnyComposer;
use delivery::Progress;
use dispatch::{Delivered, Deliveries};
use queued::{FIRST_PAUSE, Id, LONGEST_PAUSE, Queued};
use slots::SendSlots;

pub use composer::{
    Arrival, Composed, Composer, Item, Lane, Message, OnOutcome, Outcome, Report, Route,
};
pub use delivery::NotSent;
pub use kind::Kind;
pub use policy::{NoAnswer, Places, Policy};
pub use store::{KIND, not_restored};

/// Deliveries start at a random moment within this time of the change that queued them. That is several hundred times as long as
/// the work for one message, so a request that follows at once rarely coincides with that work, which differs between known and
/// unknown recipients.
const SCATTER: Duration = Duration::from_millis(500);

#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    #[error("Too many emails are waiting to be sent. Please try again in a few minutes.")]
    Full,
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[derive(Clone)]
pub struct Queue(Arc<Shared>);

/// Sends messages without queueing them.
#[derive(Clone)]
pub struct Transport {
    pub mailer: Mailer,
    pub client: PostClient,
}

struct Shared {
    store: Store,
    clock: Clock,
    randomness: Randomness,
    mailer: Mailer,
    client: PostClient,
    composers: RwLock<BTreeMap<&'static str, Arc<dyn AnyComposer>>>,
    /// The messages that are being sent.
    in_progress: Mutex<HashMap<Id, watch::Receiver<Progress>>>,
    slots: SendSlots,
}

impl Queue {
    pub fn new(store: Store, clock: Clock, randomness: Randomness, mailer: Mailer) -> Self {
        Self::with_client(store, clock, randomness, mailer, PostClient::default())
    }

    pub fn with_client(
        store: Store,
        clock: Clock,
        randomness: Randomness,
        mailer: Mailer,
        client: PostClient,
    ) -> Self {
        Self(Arc::new(Shared {
            store,
            clock,
            randomness,
            mailer,
            client,
            composers: RwLock::default(),
            in_progress: Mutex::default(),
            slots: SendSlots::default(),
        }))
    }

    /// What messages are sent with.
    pub fn transport(&self) -> Transport {
        Transport {
            mailer: self.0.mailer.clone(),
            client: self.0.client.clone(),
        }
    }

    pub fn sends_email(&self) -> bool {
        !matches!(self.0.mailer, Mailer::Nobody)
    }

    /// Returns the handle with which messages of this kind are queued.
    pub fn register<C: Composer>(&self, composer: C) -> Kind<C::Data> {
        let composer: Arc<dyn AnyComposer> = Arc::new(composer);
        let name = composer.policy().name;
        let composers = self.0.composers.write();
        let mut composers = composers.unwrap_or_else(PoisonError::into_inner);
        let before = composers.insert(name, Arc::clone(&composer));
        assert!(before.is_none(), "two kinds are named {name}");
        Kind::new(self.clone(), name, composer)
    }

    fn composer(&self, kind: &str) -> Option<Arc<dyn AnyComposer>> {
        let composers = self.0.composers.read();
        let composers = composers.unwrap_or_else(PoisonError::into_inner);
        composers.get(kind).cloned()
    }

    /// Sends queued messages until the process ends.
    pub async fn run(self) {
        let mut written = self.0.store.changes();
        let mut deliveries = Deliveries::new();
        loop {
            let pause = match self.begin_due(&mut deliveries).await {
                Ok(next) => next.map_or(LONGEST_PAUSE, |next| next.min(LONGEST_PAUSE)),
                Err(error) => {
                    tracing::error!(%error, "the queue of messages could not be read");
                    FIRST_PAUSE
                }
            };
            let timer = tokio::time::sleep(pause);
            tokio::pin!(timer);
            loop {
                tokio::select! {
                    event = written.next() => match event {
                        None => return,
                        Some(Event::Written(keys)) if !keys.touches(&store::all()) => {}
                        Some(_) => {
                            tokio::time::sleep(self.scatter()).await;
                            break;
                        }
                    },
                    () = &mut timer => break,
                    Some(delivered) = deliveries.join_next() => match delivered {
                        Ok(Ok(Delivered::Line)) => break,
                        Ok(Err(error)) => {
                            tracing::error!(%error, "a queued message could not be worked on");
                            tokio::time::sleep(FIRST_PAUSE).await;
                            break;
                        }
                        Ok(Ok(Delivered::Message)) | Err(_) => {}
                    }
                }
            }
        }
    }

    fn scatter(&self) -> Duration {
        let [high, low, ..] = self.0.randomness.bytes();
        let share = u32::from(u16::from_be_bytes([high, low]));
        SCATTER * share / u32::from(u16::MAX)
    }

    /// Sends every message that is due. Returns the time until the next one is due. Failures to send aren't errors: the message
    /// stays queued.
    pub async fn deliver_due(&self) -> Result<Option<Duration>, StoreError> {
        let mut deliveries = Deliveries::new();
        loop {
            let next = self.begin_due(&mut deliveries).await?;
            match deliveries.join_next().await {
                // If the task panicked, the panic hook has logged it.
                Some(delivered) => {
                    delivered.unwrap_or(Ok(Delivered::Message))?;
                }
                None => return Ok(next),
            }
        }
    }

    fn in_progress(&self) -> std::sync::MutexGuard<'_, HashMap<Id, watch::Receiver<Progress>>> {
        self.0
            .in_progress
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an unreadable message for a later try, or gives it up. Others don't wait for it.
    fn postpone_unreadable(
        &self,
        change: &mut Change,
        id: &Id,
        queued: Queued,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let queued = Queued {
            deferred: true,
            ..queued
        };
        self.postpone(change, id, queued, Duration::ZERO, now)
    }

    /// Keeps a message for a later try, or gives it up.
    fn postpone(
        &self,
        change: &mut Change,
        id: &Id,
        queued: Queued,
        at_least: Duration,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let policy = self.composer(&id.kind).map(|it| it.policy());
        match policy.and_then(|policy| queued.after_failure(now, at_least, &policy)) {
            Some(later) => store::put(change, id, &later),
            None => store::remove(change, id),
        }
    }
}

#[cfg(test)]
mod tests;
