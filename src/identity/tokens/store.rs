//! The key of the identity tokens.

use super::TokenKey;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Record, RecordKind, Store, StoreError, Table};

const TOKEN_KEY: Table = Table::new("token-key");

impl Record for TokenKey {}

/// What each table holds.
pub const KINDS: [RecordKind; 1] = [RecordKind::of::<TokenKey>(TOKEN_KEY)];

/// The key that signs identity tokens, made the first time. When it is made again, the tokens hold no more, and whoever has a
/// sign-in is given another within the same request.
pub async fn key(store: &Store, randomness: &Randomness) -> Result<TokenKey, StoreError> {
    let made = TokenKey::generate(randomness);
    store.get_or_keep(TOKEN_KEY.key(), made).await
}
