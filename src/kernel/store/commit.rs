//! Sends a change to the writer and returns its result.

use std::sync::Arc;

use tokio::sync::oneshot;

use super::{Change, Purpose, Store, StoreError, writer};

impl Store {
    /// Runs an [ordinary](Purpose) change and answers once it is on the disk.
    ///
    /// `change` reads and writes through the [`Change`]; on `Err` all of its writes are
    /// discarded. The result, success or error, is returned once everything that the change could see is synced.
    ///
    /// # Errors
    ///
    /// The closure's own, or the store's: nothing was acknowledged.
    pub async fn commit<T, E, F>(&self, change: F) -> Result<T, E>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.commit_for(Purpose::Ordinary, change).await
    }

    /// Like [`Store::commit`]; `purpose` decides how much free disk space the change must leave.
    pub async fn commit_for<T, E, F>(&self, purpose: Purpose, change: F) -> Result<T, E>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        self.submit(purpose, change, move |answer| {
            // The change is committed even if the caller no longer waits.
            let _ = sender.send(answer);
        })?;
        receiver.await.map_err(|_| StoreError::Unavailable)?
    }

    /// [`Store::commit`] for synchronous code: while a store is opened or restored.
    pub fn commit_blocking<T, E, F>(&self, purpose: Purpose, change: F) -> Result<T, E>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.submit(purpose, change, move |answer| {
            let _ = sender.send(answer);
        })?;
        receiver.recv().map_err(|_| StoreError::Unavailable)?
    }

    fn submit<T, E, F, A>(&self, purpose: Purpose, change: F, answer: A) -> Result<(), StoreError>
    where
        F: FnOnce(&mut Change) -> Result<T, E> + Send + 'static,
        A: FnOnce(Result<T, E>) + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let triggers = Arc::clone(&self.0.triggers);
        let run = Box::new(move |view: &mut Change| {
            let outcome = change(view);
            let followed = match outcome {
                Ok(_) => triggers.run(view),
                Err(_) => Ok(()),
            };
            let keep = outcome.is_ok() && followed.is_ok();
            let then = view.take_then();
            writer::Ran {
                keep,
                answer: Box::new(move |synced: Result<(), StoreError>| {
                    for then in then {
                        then(keep && synced.is_ok());
                    }
                    answer(synced.and(followed).map_err(E::from).and(outcome));
                }),
            }
        });
        self.0.writer.submit(writer::Job { purpose, run })
    }
}
