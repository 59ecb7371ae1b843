//! A queued e-mail: its queue, and when it is retried.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;

/// How long an e-mail is retried.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

/// The pause before the second try; it doubles with each further one.
pub const FIRST_PAUSE: Duration = Duration::from_secs(15);

/// The longest pause between two tries.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    /// E-mails to guardians.
    Guardians,
    /// E-mails to addresses of no guardian.
    Strangers,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Waiting {
    pub email: EmailAddress,
    pub asked_at: Timestamp,
    pub due_at: Timestamp,
    #[serde(default)]
    pub tries: u32,
    /// Whether it was requested from a network where a guardian was signed in.
    #[serde(default)]
    pub from_home: bool,
}

impl Waiting {
    pub fn new(email: EmailAddress, from_home: bool, now: Timestamp) -> Self {
        Self {
            email,
            asked_at: now,
            due_at: now,
            tries: 0,
            from_home,
        }
    }

    /// The e-mail after a failed try, or `None` if it is given up.
    pub fn after_failure(mut self, now: Timestamp) -> Option<Self> {
        let pause = FIRST_PAUSE
            .saturating_mul(1 << self.tries.min(16))
            .min(LONGEST_PAUSE);
        self.tries += 1;
        self.due_at = now.after(pause);
        (self.due_at.since(self.asked_at) < PATIENCE).then_some(self)
    }
}
