//! The key of the identity tokens.

use super::TokenKey;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::{Record, RecordKind, Store, StoreError, Table};

const TOKEN_KEY: Table = Table::new("token-key");

impl Record for TokenKey {}

pub const KINDS: [RecordKind; 1] = [RecordKind::of::<TokenKey>(TOKEN_KEY)];

/// Loads the key, or generates it on the first start or if it is unreadable. A new key invalidates all tokens; a page whose token
/// is refused gets a new one for its sign-in cookie and repeats the request.
pub async fn key(store: &Store, randomness: &Randomness) -> Result<TokenKey, StoreError> {
    let made = TokenKey::generate(randomness);
    store.get_or_keep(TOKEN_KEY.key(), made).await
}
