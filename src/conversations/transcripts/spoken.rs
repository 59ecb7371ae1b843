//! How often the assistant spoke, and how often it was interrupted.

use serde::{Deserialize, Serialize};

use super::delivery::Message;

/// This is also its stored form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spoken {
    /// The number of the assistant's messages.
    pub messages: u64,
    /// How many of them were interrupted.
    pub interruptions: u64,
}

impl Spoken {
    pub(super) fn add(&mut self, message: &Message) {
        let (messages, interruptions) = Self::of(message);
        self.messages += messages;
        self.interruptions += interruptions;
    }

    pub(super) fn subtract(&mut self, message: &Message) {
        let (messages, interruptions) = Self::of(message);
        self.messages = self.messages.saturating_sub(messages);
        self.interruptions = self.interruptions.saturating_sub(interruptions);
    }

    fn of(message: &Message) -> (u64, u64) {
        let is_assistant = message.is_assistants() && message.is_said();
        let is_interrupted = is_assistant && message.interrupted == Some(true);
        (is_assistant.into(), is_interrupted.into())
    }
}
