//! Ending conversations: those that an earlier run of the server left, and those that are over.

use std::sync::PoisonError;

use super::{Conversations, NotKept, TrackerKey, Turn};
use crate::assistants::deliveries::AssistantError;
use crate::assistants::gateway::answer::{Answer, CutBy};
use crate::assistants::gateway::grouping::{ConversationTracker, TurnId};
use crate::assistants::gateway::{store, stored_texts};
use crate::children::{ChildId, ChildrenError};
use crate::kernel::store::StoreError;

impl Conversations {
    /// Stores what an earlier run of the server passed on of answers that it couldn't finish. What can't be stored now is tried
    /// again when it has been idle.
    pub async fn finish_interrupted(&self) -> Result<(), StoreError> {
        for key in store::trackers(&self.service.store)? {
            self.mark_active(&key);
            let finished = self.finish(&key, |tracker| tracker.open_turns().collect());
            if let Err(error) = finished.await {
                tracing::warn!(child = %key.0, %error, "interrupted answers could not be stored");
            }
        }
        Ok(())
    }

    /// Stores what was passed on of the answers to these requests.
    pub(super) async fn finish(
        &self,
        key: &TrackerKey,
        turns: impl FnOnce(&ConversationTracker) -> Vec<TurnId>,
    ) -> Result<(), NotKept> {
        let state = self.state(key)?;
        for id in turns(&state.tracker) {
            let place = state.tracker.place_of(id).expect("the turn is open");
            let session = state.session(place);
            let partial = match session {
                Some(session) => store::partial(&self.service.store, key.0, session, id)?,
                None => None,
            };
            let answer = match partial {
                Some(partial) => Answer {
                    reasoning: partial.reasoning,
                    began: Some(partial.at),
                    ..Answer::cut_off(partial.text, CutBy::Server)
                },
                None => Answer::cut_off(String::new(), CutBy::Server),
            };
            let turn = Turn {
                child: key.0,
                assistant: key.1.clone(),
                id,
                place,
                session,
            };
            match self.end(&turn, &answer, None).await {
                // The child is gone, or the key doesn't cover it any more.
                Err(NotKept::Assistant(AssistantError::Children(ChildrenError::NoSuchChild(
                    _,
                )))) => break,
                ended => ended?,
            }
        }
        Ok(())
    }

    /// Forgets conversations in which nothing was said for half an hour, and of a child without others the old hashes of texts.
    pub async fn end_idle(&self) {
        let active = {
            let active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
            active.iter().cloned().collect::<Vec<_>>()
        };
        for key in active {
            if let Err(error) = self.end_idle_of(&key).await {
                tracing::warn!(child = %key.0, %error, "conversations that are over could not be ended; it is tried again");
            }
        }
    }

    async fn end_idle_of(&self, key: &TrackerKey) -> Result<(), NotKept> {
        // The store may have failed when the answer ended.
        self.store_lost(key).await?;
        let now = self.clock.now();
        self.finish(key, |tracker| tracker.idle_turns(now).collect())
            .await?;
        let _lock = self.locks.wait(key).await;
        let mut state = self.state(key)?;
        if state.tracker.has_idle(now) {
            let (child, assistant) = key.clone();
            let before = state.sessions();
            state.tracker.forget_idle(now);
            state.tracker.forget_idle_turns(now);
            let is_empty = state.tracker.is_empty();
            let put = self.service.store.commit(move |change| {
                // If a session was erased meanwhile, it is tried again later.
                if store::is_current(change, child, &before)? {
                    store::put_tracker(change, child, &assistant, &mut state, &before)?;
                }
                Ok::<_, StoreError>(())
            });
            put.await?;
            if is_empty {
                self.forget_old_texts(key.0).await?;
                self.mark_inactive(key);
            }
        } else if state.tracker.is_empty() {
            self.mark_inactive(key);
        }
        Ok(())
    }

    async fn forget_old_texts(&self, child: ChildId) -> Result<(), StoreError> {
        let store = &self.service.store;
        while let Some(period) = stored_texts::old_period(store, child, self.clock.now())? {
            let removed =
                store.commit(move |change| stored_texts::remove_period(change, child, period));
            removed.await?;
        }
        Ok(())
    }
}
