//! Words that were passed on although they couldn't be stored, for example because the disk was full. They are counted in the
//! session that lost them, once the store works again.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use super::turn_update::session_name;
use super::{Conversations, NotKept, TrackerKey, Turn};
use crate::alerts::Matched;
use crate::assistants::deliveries::{AssistantError, Excess};
use crate::assistants::gateway::grouping::TurnId;
use crate::children::{ChildId, ChildrenError};
use crate::conversations::transcripts::{NotKeptMessage, SessionDelivery, SessionDetails};
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::rules::CheckedReceipts;

/// The maximum number of messages per key and child that are counted while the store fails. A session counts no more.
const MAX_LOST: usize = 100;

/// Words that couldn't be stored.
#[derive(Clone)]
pub struct Lost {
    /// The name of their session; `None` if it is unknown.
    session: Option<String>,
    /// The turn whose answer they are.
    turn: Option<TurnId>,
    at: Timestamp,
    message: NotKeptMessage,
}

impl Conversations {
    /// Counts an answer that was passed on although it can't be stored.
    pub fn count_lost_answer(&self, turn: &Turn) {
        let key = (turn.child, turn.assistant.clone());
        let session = self.state(&key).map(|state| state.name(turn.place));
        self.count_lost(&key, session.ok(), Some(turn.id));
    }

    /// Counts a request that is passed on although its words can't be stored.
    pub fn count_lost_request(&self, assistant: &AssistantId, child: ChildId) {
        self.count_lost(&(child, assistant.clone()), None, None);
    }

    pub(super) fn count_lost(
        &self,
        key: &TrackerKey,
        session: Option<String>,
        turn: Option<TurnId>,
    ) {
        let id = hex::encode(&self.randomness.bytes()[..16]);
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = lost.entry(key.clone()).or_default();
        if lost.len() < MAX_LOST {
            lost.push(Lost {
                session,
                turn,
                at: self.clock.now(),
                message: NotKeptMessage::not_stored(&id),
            });
        }
        self.mark_active(key);
    }

    fn lost_of(&self, key: &TrackerKey) -> Vec<Lost> {
        let lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        lost.get(key).cloned().unwrap_or_default()
    }

    /// What this session lost, and what was lost without being assigned to any.
    pub(super) fn lost_in(&self, key: &TrackerKey, session: &str) -> Vec<NotKeptMessage> {
        let lost = self.lost_of(key).into_iter();
        let lost = lost.filter(|lost| lost.session.as_ref().is_none_or(|it| it == session));
        lost.map(|lost| lost.message).collect()
    }

    pub(super) fn forget_lost(&self, key: &TrackerKey, counted: &[NotKeptMessage]) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_key) = lost.get_mut(key) {
            of_key.retain(|lost| !counted.contains(&lost.message));
            if of_key.is_empty() {
                lost.remove(key);
            }
        }
    }

    /// Counts what was lost in its session, and stores what was saved of the answers.
    pub(super) async fn store_lost(&self, key: &TrackerKey) -> Result<(), NotKept> {
        let lost = self.lost_of(key);
        if lost.is_empty() {
            return Ok(());
        }
        let turns = lost.iter().filter_map(|lost| lost.turn);
        let turns = turns.collect::<Vec<_>>();
        let is_lost = |turn: &TurnId| turns.contains(turn);
        self.finish(key, |tracker| {
            tracker.open_turns().filter(is_lost).collect()
        })
        .await?;
        let _lock = self.locks.wait(key).await;
        let (state, mut by_session) = (self.state(key)?, BTreeMap::<_, Vec<_>>::new());
        let latest = state.tracker.sessions.last();
        // Of a conversation that is unknown because not even its first words were stored.
        let latest = latest.map_or_else(|| state.lost_name(), |it| state.name(it.place()));
        // Another request may have counted some of it meanwhile.
        for lost in self.lost_of(key) {
            let session = lost.session.clone().unwrap_or_else(|| latest.clone());
            by_session.entry(session).or_default().push(lost);
        }
        for (session, lost) in by_session {
            let messages = lost.iter().map(|lost| lost.message.clone());
            let messages = messages.collect::<Vec<_>>();
            let began = lost.first().map(|lost| lost.at);
            let began = began.filter(|_| session == state.lost_name());
            match self.count_in(key, &session, began, messages.clone()).await {
                // The child is gone, or the key doesn't cover it any more.
                Err(NotKept::Assistant(AssistantError::Children(ChildrenError::NoSuchChild(
                    _,
                )))) => {}
                counted => counted?,
            }
            self.forget_lost(key, &messages);
        }
        Ok(())
    }

    async fn count_in(
        &self,
        (child, assistant): &TrackerKey,
        session: &str,
        began: Option<Timestamp>,
        lost: Vec<NotKeptMessage>,
    ) -> Result<(), NotKept> {
        let service = &self.service;
        let Some(assistant) = service.assistants.on_behalf_of(assistant)? else {
            return Ok(());
        };
        let access = service.children.of(&assistant, *child);
        let access = access.map_err(AssistantError::from)?;
        let delivery = SessionDelivery {
            assistant: assistant.clone(),
            name: session_name(session),
            details: SessionDetails {
                start_time: began,
                ..SessionDetails::default()
            },
            messages: Vec::new(),
            invalid: lost,
            idle_seconds: None,
        };
        let counted = service.write(&assistant, &access, move |service, change, access| {
            let receipts = CheckedReceipts::default();
            let matched = Matched::default();
            service.apply_delivery(change, access, delivery, None, receipts, &matched)?;
            service.count(change, access, Excess::Stored)
        });
        Ok(counted.await?)
    }
}
