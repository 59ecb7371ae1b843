//! Index of the sessions that have not ended.

use crate::children::SessionId;
use crate::kernel::store::{Change, Key, Read, StoreError, Table};

pub const TABLE: Table = Table::new("session-open");

pub fn key_of(session: SessionId) -> Key {
    TABLE.key().number(session.number())
}

pub fn mark_open(change: &mut Change, session: SessionId) -> Result<(), StoreError> {
    let key = key_of(session);
    if !change.contains(&key)? {
        change.put(&key, &session)?;
    }
    Ok(())
}

pub fn mark_ended(change: &mut Change, session: SessionId) -> Result<(), StoreError> {
    change.remove(&key_of(session)).map(drop)
}

pub fn open_sessions(view: &impl Read) -> Result<Vec<SessionId>, StoreError> {
    let keys = view.keys_below(&TABLE.key(), usize::MAX)?;
    let numbers = keys
        .iter()
        .filter_map(|key| key.components_below(&TABLE.key()).number());
    Ok(numbers.map(SessionId::new).collect())
}
