//! The key of the identity tokens.

use super::TokenKey;
use crate::kernel::randomness::Randomness;
use crate::kernel::store::{Record, RecordKind, Store, StoreError, Table};

const TOKEN_KEY: Table = Table::new("token-key");

impl Record for TokenKey {}

pub const KINDS: [RecordKind; 1] = [RecordKind::of::<TokenKey>(TOKEN_KEY)];

/// Loads the key that signs identity tokens, or generates it on the first start. A regenerated key invalidates all tokens, and
/// pages with a valid sign-in get a new one within the same request.
pub async fn key(store: &Store, randomness: &Randomness) -> Result<TokenKey, StoreError> {
    let made = TokenKey::generate(randomness);
    store.get_or_keep(TOKEN_KEY.key(), made).await
}
