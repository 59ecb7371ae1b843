//! Records that the program generates and can regenerate, such as the keys of its tags and tokens.

use super::key::table_of;
use super::{Key, Read, Record, Store, StoreError};

impl Store {
    /// Returns the record under `key`. If it is missing or unreadable, stores `made` and returns that. If the disk is
    /// full, `made` is returned without being stored, so it is valid until the next start.
    pub async fn get_or_keep<R>(&self, key: Key, made: R) -> Result<R, StoreError>
    where
        R: Record + Clone + Send + 'static,
    {
        match self.get(&key) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => {}
            Err(StoreError::Unreadable(cause)) => {
                let table = table_of(key.bytes());
                tracing::error!(table, %cause, "a key could not be read, so a new one is made");
            }
            Err(error) => return Err(error),
        }
        let kept = made.clone();
        let put = self.commit(move |change| change.put(&key, &kept)).await;
        match put {
            Ok(()) | Err(StoreError::Full) => Ok(made),
            Err(error) => Err(error),
        }
    }
}
