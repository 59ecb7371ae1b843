//! The sessions that have not ended.

use crate::children::SessionId;
use crate::kernel::store::{Change, Key, Read, StoreError, Table};

/// Sessions that end by themselves when nothing more arrives.
pub const TABLE: Table = Table::new("session-open");

pub fn key_of(session: SessionId) -> Key {
    TABLE.key().number(session.number())
}

/// Notes whether the session ends by itself when nothing more arrives.
pub fn set_open(change: &mut Change, session: SessionId, is_open: bool) -> Result<(), StoreError> {
    let key = key_of(session);
    if !is_open {
        change.remove(&key)?;
    } else if !change.contains(&key)? {
        change.put(&key, &session)?;
    }
    Ok(())
}

/// The sessions that end by themselves when nothing more arrives.
pub fn open_sessions(view: &impl Read) -> Result<Vec<SessionId>, StoreError> {
    let keys = view.keys_below(&TABLE.key(), usize::MAX)?;
    let numbers = keys
        .iter()
        .filter_map(|key| key.components_below(&TABLE.key()).number());
    Ok(numbers.map(SessionId::new).collect())
}
