//! The deliveries in progress.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{Id, JoinError, JoinSet};

use super::waiting::Queue;
use crate::kernel::mail::EmailAddress;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::StoreError;

/// How many e-mails of each queue are sent at a time: few enough for any mail server, and enough that one slow delivery blocks no
/// other.
const AT_ONCE: usize = 4;

/// How many e-mails of each queue may additionally wait for the mail server's answer: each keeps a connection open. Above that,
/// deliveries keep their permit until answered.
const WAITING: usize = 32;

/// One queue's semaphores.
struct Places {
    handing_over: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Places {
    fn new() -> Self {
        Self {
            handing_over: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Arc::new(Semaphore::new(WAITING)),
        }
    }
}

/// A delivery's permit, released on drop.
pub struct Place {
    permit: OwnedSemaphorePermit,
    waiting: Arc<Semaphore>,
}

impl Place {
    /// To be called when the e-mail is completely sent: lets the next delivery start, unless too many wait for an answer.
    pub fn wait_for_answer(&mut self) {
        if let Ok(permit) = Arc::clone(&self.waiting).try_acquire_owned() {
            self.permit = permit;
        }
    }
}

/// Dropping it cancels the deliveries; their e-mails stay queued.
pub struct Deliveries {
    tasks: JoinSet<Result<(), StoreError>>,
    emails: HashMap<Id, (Queue, String)>,
    under_way: HashSet<(Queue, String)>,
    to_guardians: Places,
    to_strangers: Places,
    scatter: Duration,
    randomness: Randomness,
}

impl Deliveries {
    /// Each delivery starts after a random pause of at most `scatter`.
    pub fn scattered_over(scatter: Duration, randomness: Randomness) -> Self {
        Self {
            tasks: JoinSet::new(),
            emails: HashMap::new(),
            under_way: HashSet::new(),
            to_guardians: Places::new(),
            to_strangers: Places::new(),
            scatter,
            randomness,
        }
    }

    /// Deliveries start without a pause.
    pub fn at_once(randomness: Randomness) -> Self {
        Self::scattered_over(Duration::ZERO, randomness)
    }

    /// Whether the e-mail to this address is being delivered.
    pub fn include(&self, queue: Queue, email: &EmailAddress) -> bool {
        self.under_way.contains(&(queue, email.key()))
    }

    /// Starts a delivery after its pause, and when fewer than [`AT_ONCE`] of its queue are in progress.
    pub fn begin<F>(
        &mut self,
        queue: Queue,
        email: String,
        delivery: impl FnOnce(Place) -> F + Send + 'static,
    ) where
        F: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let places = match queue {
            Queue::Guardians => &self.to_guardians,
            Queue::Strangers => &self.to_strangers,
        };
        let (handing_over, waiting) = (
            Arc::clone(&places.handing_over),
            Arc::clone(&places.waiting),
        );
        let [high, low, ..] = self.randomness.bytes();
        let share = u32::from(u16::from_be_bytes([high, low]));
        let pause = self.scatter * share / u32::from(u16::MAX);
        let task = self.tasks.spawn(async move {
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            let permit = handing_over
                .acquire_owned()
                .await
                .expect("it is never closed");
            delivery(Place { permit, waiting }).await
        });
        self.emails.insert(task.id(), (queue, email.clone()));
        self.under_way.insert((queue, email));
    }

    /// A permit of no queue, for one delivery.
    #[cfg(test)]
    pub fn a_place() -> Place {
        let permits = Arc::new(Semaphore::new(1));
        let permit = permits.try_acquire_owned().expect("it is free");
        let waiting = Arc::new(Semaphore::new(1));
        Place { permit, waiting }
    }

    /// Waits until a delivery ends; `None` without deliveries. Cancel-safe.
    pub async fn next(&mut self) -> Option<Result<(), StoreError>> {
        let ended = self.tasks.join_next_with_id().await?;
        let id = ended.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        if let Some(mail) = self.emails.remove(&id) {
            self.under_way.remove(&mail);
        }
        // If the task panicked, the panic hook has logged it. The e-mail is retried.
        Some(ended.map_or(Ok(()), |(_, delivered)| delivered))
    }
}
