//! A queued message, and when it is tried again.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::policy::Policy;
use crate::kernel::host::clock::Timestamp;

/// The pause before the second try; it doubles with each further one.
pub const FIRST_PAUSE: Duration = Duration::from_secs(15);

/// The longest pause between two tries.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

/// The record of a queued message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Queued {
    pub queued_at: Timestamp,
    pub due_at: Timestamp,
    #[serde(default)]
    pub tries: u32,
    /// The random part of its Message-ID, as hexadecimal digits.
    pub message_id: String,
    /// How often it was sent completely without an answer.
    #[serde(default)]
    pub unanswered_tries: u32,
    /// Whether it keeps no other message to the same server waiting.
    #[serde(default, rename = "set_aside")]
    pub deferred: bool,
    #[serde(default)]
    pub data: serde_json::Value,
}

impl Queued {
    /// `None` if it has another form.
    pub fn data<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&self.data).ok()
    }

    pub fn age(&self, now: Timestamp) -> Duration {
        now.since(self.queued_at)
    }

    /// How long it waits for its next try; `None` if it is due.
    pub fn waits(&self, now: Timestamp) -> Option<Duration> {
        let until = self.due_at.since(now);
        // A time further ahead than any pause was stored while the clock was wrong.
        (!until.is_zero() && until <= LONGEST_PAUSE).then_some(until)
    }

    /// The record after a failed try, or `None` if it is given up. The next try is not before `at_least` has passed, within limits.
    pub fn after_failure(
        mut self,
        now: Timestamp,
        at_least: Duration,
        policy: &Policy,
    ) -> Option<Self> {
        let pause = FIRST_PAUSE
            .saturating_mul(1 << self.tries.min(16))
            .max(at_least)
            .min(LONGEST_PAUSE);
        self.tries += 1;
        self.due_at = now.after(pause);
        (self.due_at.since(self.queued_at) < policy.gives_up_after).then_some(self)
    }
}

/// Identifies a queued message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Id {
    pub kind: String,
    pub recipient: String,
    pub about: String,
}

impl Id {
    pub fn new(kind: &str, recipient: &str, about: &str) -> Self {
        Self {
            kind: kind.to_owned(),
            recipient: recipient.to_owned(),
            about: about.to_owned(),
        }
    }
}
