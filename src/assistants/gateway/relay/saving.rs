//! Saves the part of an answer that was passed on, in case that the server stops before its end.

use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval};

use crate::assistants::gateway::answer::{Answer, AnswerReader};
use crate::assistants::gateway::conversations::{Conversations, Turn};
use crate::kernel::host::clock::Timestamp;

const SAVE_EVERY: Duration = Duration::from_secs(1);

pub struct Saving {
    conversations: Conversations,
    turn: Option<Turn>,
    due: tokio::time::Interval,
    /// The length of the text that was saved.
    saved: usize,
    running: Option<JoinHandle<()>>,
}

impl Saving {
    pub fn new(conversations: &Conversations, turn: Option<&Turn>) -> Self {
        let mut due = interval(SAVE_EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        due.reset();
        Self {
            conversations: conversations.clone(),
            turn: turn.cloned(),
            due,
            saved: 0,
            running: None,
        }
    }

    pub async fn due(&mut self) {
        self.due.tick().await;
    }

    pub fn save(&mut self, reader: &AnswerReader, began: Option<Timestamp>) {
        let is_running = |save: &JoinHandle<()>| !save.is_finished();
        if self.running.as_ref().is_some_and(is_running) || reader.said() == self.saved {
            return;
        }
        let Some(turn) = self.turn.clone() else {
            return;
        };
        self.saved = reader.said();
        let Answer {
            text, reasoning, ..
        } = reader.so_far();
        let conversations = self.conversations.clone();
        self.running = Some(tokio::spawn(async move {
            if let Err(error) = conversations
                .save_partial(&turn, text, reasoning, began)
                .await
            {
                tracing::debug!(child = %turn.child, %error, "a part of an answer could not be saved");
            }
        }));
    }

    /// Waits for the last save, so that it doesn't come after the whole answer.
    pub async fn finish(self) {
        if let Some(running) = self.running {
            let _ = running.await;
        }
    }
}
