//! The key of the identity tokens.

use super::TokenKey;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Read, Record, RecordKind, Store, StoreError, Table};

const TOKEN_KEY: Table = Table::new("token-key");

impl Record for TokenKey {}

/// What each table holds.
pub const KINDS: [RecordKind; 1] = [RecordKind::of::<TokenKey>(TOKEN_KEY)];

/// The key that signs identity tokens, made the first time.
pub async fn key(store: &Store, randomness: &Randomness) -> Result<TokenKey, StoreError> {
    let key = TOKEN_KEY.key();
    match store.get(&key) {
        Ok(Some(found)) => return Ok(found),
        Ok(None) => {}
        // Tokens that it signed hold no more; whoever has a sign-in is given another within the same request.
        Err(StoreError::Unreadable(cause)) => {
            tracing::error!(%cause, "the key of the identity tokens could not be read, so a new one is made");
        }
        Err(error) => return Err(error),
    }
    let made = TokenKey::generate(randomness);
    let kept = made.clone();
    let put = store
        .commit(move |change| change.put(&key, &kept))
        .await
        .and_then(|inner| inner);
    match put {
        // It holds until the next start.
        Ok(()) | Err(StoreError::Full) => Ok(made),
        Err(error) => Err(error),
    }
}
