//! The handle of a registered kind, with which a feature queues messages.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::composer::{AnyComposer, Item, Lane};
use super::policy::Places;
use super::queued::{Id, Queued};
use super::{Queue, QueueError, store};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError};

/// A registered kind of messages; `T` is the data of one. Clones share the queue.
pub struct Kind<T> {
    pub(super) queue: Queue,
    name: &'static str,
    composer: Arc<dyn AnyComposer>,
    data: PhantomData<fn(T)>,
}

impl<T> Clone for Kind<T> {
    fn clone(&self) -> Self {
        Self::new(self.queue.clone(), self.name, Arc::clone(&self.composer))
    }
}

impl<T> Kind<T> {
    pub(super) fn new(queue: Queue, name: &'static str, composer: Arc<dyn AnyComposer>) -> Self {
        Self {
            queue,
            name,
            composer,
            data: PhantomData,
        }
    }

    /// Its name in the store.
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn sends_email(&self) -> bool {
        self.queue.sends_email()
    }

    pub(super) fn id(&self, recipient: &str, about: &str) -> Id {
        Id::new(self.name(), recipient, about)
    }

    pub fn is_queued(
        &self,
        change: &Change,
        recipient: &str,
        about: &str,
    ) -> Result<bool, StoreError> {
        Ok(store::get(change, &self.id(recipient, about))?.is_some())
    }

    /// Removes the queued messages to this recipient.
    pub fn forget(&self, change: &mut Change, recipient: &str) -> Result<(), StoreError> {
        store::remove_all(change, self.name(), recipient)
    }
}

impl<T: Serialize + DeserializeOwned> Kind<T> {
    /// Queues a message. If one with the same recipient and subject is queued, it gets the data of `item` and keeps its place.
    /// Fails with [`QueueError::Full`].
    pub fn put(&self, change: &mut Change, item: &Item<T>) -> Result<(), QueueError> {
        let id = self.id(&item.recipient, &item.about);
        let before = store::get(change, &id)?;
        if before.is_none() {
            self.queue.make_room(change, self.composer.as_ref(), &id)?;
        }
        Ok(self.store(change, &id, before, &item.data)?)
    }

    /// Queues a message like [`put`](Self::put), unless the recipient's places are taken. From then on until it is sent, one
    /// message with the subject `more` stands for all further ones: `merge` adds one to its data.
    pub fn put_or_merge(
        &self,
        change: &mut Change,
        item: &Item<T>,
        more: &str,
        merge: impl FnOnce(Option<T>) -> T,
    ) -> Result<(), StoreError> {
        let id = self.id(&item.recipient, more);
        let before = store::get(change, &id)?;
        if before.is_none() {
            match self.put(change, item) {
                Ok(()) => return Ok(()),
                Err(QueueError::Full) => {}
                Err(QueueError::Store(error)) => return Err(error),
            }
        }
        let data = before.as_ref().and_then(Queued::data);
        self.store(change, &id, before, &merge(data))
    }

    fn store(
        &self,
        change: &mut Change,
        id: &Id,
        before: Option<Queued>,
        data: &T,
    ) -> Result<(), StoreError> {
        let data = serde_json::to_value(data).expect("it has string keys only");
        self.queue.store_message(change, id, before, data)
    }

    /// Queues a message like [`put`](Self::put). If the queue is full, logs that and returns `false`.
    pub fn put_unless_full(&self, change: &mut Change, item: &Item<T>) -> Result<bool, StoreError> {
        match self.put(change, item) {
            Ok(()) => Ok(true),
            Err(QueueError::Full) => {
                tracing::warn!(
                    kind = self.name(),
                    "too many messages wait to be sent, so one was not queued"
                );
                Ok(false)
            }
            Err(QueueError::Store(error)) => Err(error),
        }
    }

    /// The data of a queued message, to be merged into that of a further one; `None` if it is unreadable.
    pub fn data(
        &self,
        change: &Change,
        recipient: &str,
        about: &str,
    ) -> Result<Option<T>, StoreError> {
        let queued = store::get(change, &self.id(recipient, about))?;
        Ok(queued.as_ref().and_then(Queued::data))
    }
}

impl Queue {
    fn store_message(
        &self,
        change: &mut Change,
        id: &Id,
        before: Option<Queued>,
        data: serde_json::Value,
    ) -> Result<(), StoreError> {
        let now = self.0.clock.now();
        let new = || Queued {
            queued_at: now,
            due_at: now,
            tries: 0,
            message_id: hex::encode(&self.0.randomness.bytes()[..16]),
            unanswered_tries: 0,
            deferred: false,
            data: serde_json::Value::Null,
        };
        let queued = Queued {
            data,
            ..before.unwrap_or_else(new)
        };
        store::put(change, id, &queued)
    }

    /// If all places are taken, removes messages without a recipient, or else the oldest to a stranger.
    fn make_room(
        &self,
        change: &mut Change,
        composer: &dyn AnyComposer,
        id: &Id,
    ) -> Result<(), QueueError> {
        let policy = composer.policy();
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
            match composer.lane(change, &id, &queued)? {
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
}
