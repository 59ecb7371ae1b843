//! What the outbox knows in memory: how the last letter was handed over, so that none can be pretended to be.

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::kernel::mail::Mailer;

/// How long the first pretended delivery takes, as long as no mail server was heard of.
const FIRST_GUESS: Duration = Duration::from_millis(100);

/// The outbox's state in memory.
pub struct OutboxState {
    pub filled: Notify,
    /// How many links to addresses that no guardian has were made since they were last swept.
    pub unswept: AtomicUsize,
    last: Mutex<HandOver>,
}

/// How the last letter was handed over.
#[derive(Clone, Copy)]
pub struct HandOver {
    /// How long it took until all of it was sent, or until it failed before.
    pub sending: Duration,
    /// How long it then took until the mail server answered.
    pub waiting: Duration,
    /// Whether it is to be tried again.
    pub failed: bool,
}

impl OutboxState {
    /// The state before the first delivery.
    pub fn new(mailer: &Mailer) -> Self {
        let took = match mailer {
            Mailer::Smtp(_) => FIRST_GUESS,
            Mailer::Console | Mailer::Memory(_) | Mailer::Nobody => Duration::ZERO,
        };
        Self {
            filled: Notify::new(),
            unswept: AtomicUsize::new(0),
            last: Mutex::new(HandOver {
                sending: took,
                waiting: Duration::ZERO,
                failed: false,
            }),
        }
    }

    pub fn note(&self, last: HandOver) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }

    pub fn last(&self) -> HandOver {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
