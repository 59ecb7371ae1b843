//! Index of the sessions that have not ended.

use crate::children::SessionId;
use crate::kernel::store::{Change, Key, Read, StoreError, Table};

pub const TABLE: Table = Table::new("session-open");

pub fn key_of(session: SessionId) -> Key {
    TABLE.key().number(session.number())
}

pub fn set_open(change: &mut Change, session: SessionId, is_open: bool) -> Result<(), StoreError> {
    let key = key_of(session);
    if !is_open {
        change.remove(&key)?;
    } else if !change.contains(&key)? {
        change.put(&key, &session)?;
    }
    Ok(())
}

pub fn open_sessions(view: &impl Read) -> Result<Vec<SessionId>, StoreError> {
    let keys = view.keys_below(&TABLE.key(), usize::MAX)?;
    let numbers = keys
        .iter()
        .filter_map(|key| key.components_below(&TABLE.key()).number());
    Ok(numbers.map(SessionId::new).collect())
}
