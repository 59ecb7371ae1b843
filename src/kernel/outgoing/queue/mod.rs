//! The durable queue of outgoing messages: e-mails, and requests to other servers.
//!
//! A feature registers the [`Kind`]s of messages that it sends, and queues one in the change that causes it. A record contains
//! the recipient and the subject, but no secret and no part of a conversation: the message is composed from the store's state
//! when it is sent. A message that cannot be sent is retried with growing pauses, until its kind [gives
//! up](Policy::gives_up_after).
//!
//! **Recipients are looked up when a message is sent**, so queueing one for an unknown recipient takes the same steps. Messages
//! about access, other messages, and those to strangers have separate [lanes](Lane), each with its own limit of concurrent
//! deliveries. When a kind's queue is full, a new message replaces one without a recipient, or one to a stranger.
//!
//! A message is sent once, unless the process ends after the server's answer and before that is recorded. If the server never
//! answers, the kind's [`NoAnswer`] says whether it is sent again.
//!
//! Requests to one server are a [line](line::ready) of their own. They need no lane, so a server that stalls keeps no e-mail waiting and no
//! other server.

mod delivery;
mod dispatch;
mod kind;
mod line;
mod queued;
mod store;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::outgoing::mail::Mailer;
use crate::kernel::outgoing::post::PostClient;
use crate::kernel::store::{Change, Event, Store, StoreError};
use delivery::{Progress, Slots};
use dispatch::{Delivered, Deliveries};
use queued::{FIRST_PAUSE, Id, LONGEST_PAUSE, Queued, item};

pub use delivery::NotSent;
pub use kind::{
    Arrival, Composed, Item, Kind, Lane, Message, NoAnswer, Outcome, Places, Policy, Report, Settle,
};
pub use store::{KIND, not_restored};

/// Deliveries start at a random moment within this time of the change that queued them. That is several hundred times as long as
/// the work for one message, so a request that follows at once rarely coincides with that work, which differs between known and
/// unknown recipients.
const SCATTER: Duration = Duration::from_millis(500);

#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    #[error("too many messages are waiting to be sent")]
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
    kinds: RwLock<BTreeMap<&'static str, Arc<dyn Kind>>>,
    /// The messages that are being sent.
    in_progress: Mutex<HashMap<Id, watch::Receiver<Progress>>>,
    slots: Slots,
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
            kinds: RwLock::default(),
            in_progress: Mutex::default(),
            slots: Slots::default(),
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

    pub fn register(&self, kind: impl Kind) {
        let name = kind.policy().name;
        let mut kinds = self.0.kinds.write().unwrap_or_else(PoisonError::into_inner);
        let before = kinds.insert(name, Arc::new(kind));
        assert!(before.is_none(), "two kinds are named {name}");
    }

    fn kind(&self, name: &str) -> Option<Arc<dyn Kind>> {
        let kinds = self.0.kinds.read().unwrap_or_else(PoisonError::into_inner);
        kinds.get(name).cloned()
    }

    /// Queues a message. If one of the same kind, recipient and subject is queued, it gets the data of `item` and keeps its
    /// place. Fails with [`QueueError::Full`].
    pub fn put(&self, change: &mut Change, kind: &str, item: Item) -> Result<(), QueueError> {
        let id = Id::new(kind, &item.recipient, &item.about);
        let registered = self.kind(kind).expect("its feature has registered it");
        let before = store::get(change, &id)?;
        if before.is_none() {
            self.make_room(change, registered.as_ref(), &id)?;
        }
        self.store_message(change, &id, before, item.data)
    }

    /// Queues a message like [`put`](Self::put), unless the recipient's places are taken. From then on until it is sent, one
    /// message with the subject `more` stands for all further ones: `merge` adds one to its data.
    pub fn put_or_merge<D: DeserializeOwned + Serialize>(
        &self,
        change: &mut Change,
        kind: &str,
        item: Item,
        more: &str,
        merge: impl FnOnce(Option<D>) -> D,
    ) -> Result<(), StoreError> {
        let id = Id::new(kind, &item.recipient, more);
        let before = store::get(change, &id)?;
        if before.is_none() {
            match self.put(change, kind, item) {
                Ok(()) => return Ok(()),
                Err(QueueError::Full) => {}
                Err(QueueError::Store(error)) => return Err(error),
            }
        }
        let data = before.as_ref().map(|queued| queued.data.clone());
        let data = merge(data.and_then(|data| serde_json::from_value(data).ok()));
        let data = serde_json::to_value(data).expect("it has string keys only");
        self.store_message(change, &id, before, data)
    }

    fn store_message<E: From<StoreError>>(
        &self,
        change: &mut Change,
        id: &Id,
        before: Option<Queued>,
        data: serde_json::Value,
    ) -> Result<(), E> {
        let now = self.0.clock.now();
        let new = || Queued {
            queued_at: now,
            due_at: now,
            tries: 0,
            message_id: hex::encode(&self.0.randomness.bytes()[..16]),
            unanswered_tries: 0,
            set_aside: false,
            data: serde_json::Value::Null,
        };
        let queued = Queued {
            data,
            ..before.unwrap_or_else(new)
        };
        Ok(store::put(change, id, &queued)?)
    }

    /// Queues a message like [`put`](Self::put). If its kind's queue is full, logs that and returns `false`.
    pub fn put_unless_full(
        &self,
        change: &mut Change,
        kind: &str,
        item: Item,
    ) -> Result<bool, StoreError> {
        match self.put(change, kind, item) {
            Ok(()) => Ok(true),
            Err(QueueError::Full) => {
                tracing::warn!(
                    kind,
                    "too many messages wait to be sent, so one was not queued"
                );
                Ok(false)
            }
            Err(QueueError::Store(error)) => Err(error),
        }
    }

    /// The data of a queued message, to be merged into that of a further one.
    pub fn data<D: DeserializeOwned>(
        &self,
        change: &Change,
        kind: &str,
        recipient: &str,
        about: &str,
    ) -> Result<Option<D>, StoreError> {
        let id = Id::new(kind, recipient, about);
        let queued = store::get(change, &id)?;
        Ok(queued.and_then(|queued| serde_json::from_value(queued.data).ok()))
    }

    /// Removes the queued messages of a kind to this recipient.
    pub fn forget(
        &self,
        change: &mut Change,
        kind: &str,
        recipient: &str,
    ) -> Result<(), StoreError> {
        store::remove_all(change, kind, recipient)
    }

    /// If all places are taken, removes messages without a recipient, or else the oldest to a stranger.
    fn make_room(&self, change: &mut Change, kind: &dyn Kind, id: &Id) -> Result<(), QueueError> {
        let policy = kind.policy();
        let places = match policy.places {
            Places::Each(places) => {
                let is_full = store::count_to(change, id, places)? >= places;
                return if is_full {
                    Err(QueueError::Full)
                } else {
                    Ok(())
                };
            }
            Places::Shared(places) => places,
        };
        if store::count(change, policy.name, places)? < places {
            return Ok(());
        }
        let (mut oldest, mut has_room) = (None, false);
        for (id, queued) in store::of_kind(change, policy.name)? {
            match kind.lane(change, &item(&id, &queued))? {
                None => {
                    store::remove(change, &id)?;
                    has_room = true;
                }
                Some(Lane::Strangers) => {
                    let is_older = |other: &(Id, Timestamp)| queued.queued_at < other.1;
                    if oldest.as_ref().is_none_or(is_older) {
                        oldest = Some((id, queued.queued_at));
                    }
                }
                Some(Lane::Security | Lane::Ordinary) => {}
            }
        }
        match oldest {
            _ if has_room => Ok(()),
            Some((id, _)) => Ok(store::remove(change, &id)?),
            None => Err(QueueError::Full),
        }
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
                        Ok(Ok(Delivered::Email)) | Err(_) => {}
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
                    delivered.unwrap_or(Ok(Delivered::Email))?;
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
            set_aside: true,
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
        let policy = self.kind(&id.kind).map(|kind| kind.policy());
        match policy.and_then(|policy| queued.after_failure(now, at_least, &policy)) {
            Some(later) => store::put(change, id, &later),
            None => store::remove(change, id),
        }
    }
}

#[cfg(test)]
mod tests;
