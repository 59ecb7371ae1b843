//! The outbox's state in memory: how the last e-mail was sent, so that a delivery without an e-mail looks the same.

use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::kernel::mail::Mailer;

/// How long the first simulated delivery takes, before any e-mail was sent.
const FIRST_GUESS: Duration = Duration::from_millis(100);

pub struct OutboxState {
    pub filled: Notify,
    /// The number of links made to addresses of no guardian since these were last removed.
    pub unswept: AtomicUsize,
    last: Mutex<HandOver>,
}

/// How the last e-mail was sent.
#[derive(Clone, Copy)]
pub struct HandOver {
    /// How long sending took, or how long it took to fail.
    pub sending: Duration,
    /// How long the mail server then took to answer.
    pub waiting: Duration,
    /// Whether it failed and is to be retried.
    pub failed: bool,
}

impl OutboxState {
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
