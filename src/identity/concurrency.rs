//! Limits how many expensive tasks run at once for one guardian, so that nobody occupies all of the server's threads, or its
//! writer.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a task waits for an older one: several times as long as a search runs. A page that searches while the user types has
/// abandoned the older search, which may still run for a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// The semaphores by key, for example the guardian that a task runs for.
#[derive(Clone)]
pub struct ConcurrencyLimit<K> {
    at_a_time: usize,
    semaphores: Arc<Mutex<HashMap<K, Arc<Semaphore>>>>,
}

/// A permit to run a task, released on drop.
pub struct Permit(#[expect(dead_code, reason = "given back on drop")] OwnedSemaphorePermit);

impl<K: Clone + Eq + Hash> ConcurrencyLimit<K> {
    /// Each key gets `at_a_time` permits.
    pub fn new(at_a_time: usize) -> Self {
        Self {
            at_a_time,
            semaphores: Arc::default(),
        }
    }

    /// Waits for a permit; `None` after a second without one.
    pub async fn take(&self, whose: &K) -> Option<Permit> {
        tokio::time::timeout(PATIENCE, self.wait(whose))
            .await
            .ok()?
    }

    /// `None` if there is no permit at the moment.
    pub fn try_take(&self, whose: &K) -> Option<Permit> {
        let own = self.semaphore_of(whose);
        Some(Permit(own.try_acquire_owned().ok()?))
    }

    /// Waits for a permit as long as it takes. The semaphores are never closed, so there always is one.
    pub async fn wait(&self, whose: &K) -> Option<Permit> {
        let own = self.semaphore_of(whose);
        Some(Permit(own.acquire_owned().await.ok()?))
    }

    fn semaphore_of(&self, whose: &K) -> Arc<Semaphore> {
        let all = &self.semaphores;
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        // Only this map has the semaphore: nobody runs or waits.
        all.retain(|_, semaphore| Arc::strong_count(semaphore) > 1);
        let own = all.entry(whose.clone());
        Arc::clone(own.or_insert_with(|| Arc::new(Semaphore::new(self.at_a_time))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::GuardianId;

    #[tokio::test(start_paused = true)]
    async fn a_third_search_waits_for_an_older_one_and_is_refused_when_none_ends() {
        let concurrency = ConcurrencyLimit::new(2);
        let (ada, bob) = (GuardianId::from_text("ada"), GuardianId::from_text("bob"));
        let first = concurrency.take(&ada).await.unwrap();
        let second = concurrency.take(&ada).await.unwrap();

        assert!(concurrency.take(&ada).await.is_none());
        assert!(concurrency.take(&bob).await.is_some());
        let waiting = tokio::spawn({
            let (concurrency, ada) = (concurrency.clone(), ada.clone());
            async move { concurrency.take(&ada).await }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(waiting.await.unwrap().is_some());
        drop(second);

        concurrency.take(&bob).await.unwrap();
        assert_eq!(
            concurrency.semaphores.lock().unwrap().len(),
            1,
            "nothing is kept of who is done"
        );
    }
}
