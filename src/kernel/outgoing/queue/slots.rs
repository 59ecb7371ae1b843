//! How many messages are sent at a time.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::Lane;

/// How many messages of each lane are sent at a time: few enough for any mail server, and enough that one slow delivery blocks no
/// other.
const AT_ONCE: usize = 4;

/// How many messages of each lane may additionally wait for the mail server's answer: each keeps a connection open. Above that,
/// deliveries keep their slot until answered.
const WAITING: usize = 32;

/// How many requests to servers that differ from message to message are sent at a time: more than a family has devices.
const INDEPENDENT: usize = 32;

pub struct SendSlots {
    lanes: [LaneSlots; 3],
    independent: Semaphore,
}

impl Default for SendSlots {
    fn default() -> Self {
        Self {
            lanes: Default::default(),
            independent: Semaphore::new(INDEPENDENT),
        }
    }
}

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
pub struct Slot {
    permit: OwnedSemaphorePermit,
    waiting: Arc<Semaphore>,
}

impl SendSlots {
    pub async fn acquire(&self, lane: Lane) -> Slot {
        let slots = &self.lanes[lane as usize];
        let sending = Arc::clone(&slots.sending);
        Slot {
            permit: sending.acquire_owned().await.expect("it is never closed"),
            waiting: Arc::clone(&slots.waiting),
        }
    }

    /// For a request to a server that only this message goes to.
    pub async fn acquire_independent(&self) -> SemaphorePermit<'_> {
        let permit = self.independent.acquire().await;
        permit.expect("it is never closed")
    }
}

impl Slot {
    /// To be called when the message is completely sent: lets the next delivery start, unless too many wait for an answer.
    pub fn wait_for_answer(&mut self) {
        if let Ok(permit) = Arc::clone(&self.waiting).try_acquire_owned() {
            self.permit = permit;
        }
    }
}
