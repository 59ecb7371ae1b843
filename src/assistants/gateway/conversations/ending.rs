//! Ending conversations: those that an earlier run of the server left, and those that are over.

use std::sync::PoisonError;

use super::{Conversations, NotKept, TrackerKey, Turn};
use crate::assistants::deliveries::AssistantError;
use crate::assistants::gateway::answer::{Answer, CutBy};
use crate::assistants::gateway::{store, stored_texts};
use crate::children::{ChildId, ChildrenError};
use crate::kernel::store::StoreError;

impl Conversations {
    /// Stores what an earlier run of the server passed on of answers that it couldn't finish.
    pub async fn finish_interrupted(&self) -> Result<(), NotKept> {
        for key in store::trackers(&self.service.store)? {
            self.note_active(&key);
            let state = self.state(&key)?;
            for id in state.tracker.open_turns() {
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
                        ..Answer::cut_off(partial.text, CutBy::Upstream)
                    },
                    None => Answer::cut_off(String::new(), CutBy::Upstream),
                };
                let turn = Turn {
                    child: key.0,
                    assistant: key.1.clone(),
                    id,
                    place,
                    session,
                };
                self.end(&turn, &answer, None).await?;
            }
        }
        Ok(())
    }

    /// Forgets conversations in which nothing was said for half an hour, and hashes of texts that are old enough.
    pub async fn end_idle(&self) -> Result<(), NotKept> {
        let active = {
            let active = self.active.lock().unwrap_or_else(PoisonError::into_inner);
            active.iter().cloned().collect::<Vec<_>>()
        };
        for key in active {
            match self.end_idle_of(&key).await {
                // The child is gone, or the key doesn't cover it any more.
                Err(NotKept::Assistant(AssistantError::Children(ChildrenError::NoSuchChild(
                    _,
                )))) => {
                    self.forget(&key).await?;
                }
                ended => ended?,
            }
        }
        Ok(())
    }

    async fn forget(&self, key: &TrackerKey) -> Result<(), NotKept> {
        let (child, assistant) = key.clone();
        let store = &self.service.store;
        let removed = store.commit(move |change| store::remove_tracker(change, child, &assistant));
        removed.await?;
        self.note_inactive(key);
        Ok(())
    }

    async fn end_idle_of(&self, key: &TrackerKey) -> Result<(), NotKept> {
        let _lock = self.locks.wait(key).await;
        let (mut state, now) = (self.state(key)?, self.clock.now());
        if state.tracker.has_idle(now) {
            let (child, assistant) = key.clone();
            let before = state.sessions();
            state.tracker.forget_idle(now);
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
                self.note_inactive(key);
            }
        } else if state.tracker.is_empty() {
            self.note_inactive(key);
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
