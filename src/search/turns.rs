//! At most two searches of one guardian run at a time, so that nobody keeps the server's threads busy alone.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::identity::GuardianId;

/// How many run at a time.
const AT_A_TIME: usize = 2;

/// How long a search waits for an older one: several times as long as one runs. A page that searches while one types has
/// given up the older one, which may still run for a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whose turn it is. Clones share it.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<GuardianId, Arc<Semaphore>>>>);

/// A search that may run, until this is dropped.
pub struct Turn(#[expect(dead_code, reason = "given back on drop")] OwnedSemaphorePermit);

impl Turns {
    /// Waits for a turn; `None` when there was none for a second.
    pub async fn take(&self, guardian: &GuardianId) -> Option<Turn> {
        let own = self.semaphore_of(guardian);
        let permit = tokio::time::timeout(PATIENCE, own.acquire_owned()).await;
        Some(Turn(permit.ok()?.ok()?))
    }

    fn semaphore_of(&self, guardian: &GuardianId) -> Arc<Semaphore> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody runs or waits where only this map has it.
        all.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        let own = all.entry(guardian.clone());
        Arc::clone(own.or_insert_with(|| Arc::new(Semaphore::new(AT_A_TIME))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_third_search_waits_for_an_older_one_and_is_refused_when_none_ends() {
        let turns = Turns::default();
        let (ada, bob) = (GuardianId::from_text("ada"), GuardianId::from_text("bob"));
        let first = turns.take(&ada).await.unwrap();
        let second = turns.take(&ada).await.unwrap();

        assert!(turns.take(&ada).await.is_none());
        assert!(turns.take(&bob).await.is_some());
        let waiting = tokio::spawn({
            let (turns, ada) = (turns.clone(), ada.clone());
            async move { turns.take(&ada).await }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(waiting.await.unwrap().is_some());
        drop(second);

        turns.take(&bob).await.unwrap();
        assert_eq!(
            turns.0.lock().unwrap().len(),
            1,
            "nothing is kept of who is done"
        );
    }
}
