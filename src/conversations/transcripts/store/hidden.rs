//! Hidden sessions by child.

use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::session::Session;
use crate::kernel::store::{Before, Key, KeyPlace, Read, RecordKind, StoreError, Table};

pub(super) const TABLE: Table = Table::new("session-hidden");

pub(super) const KIND: RecordKind = RecordKind::of::<Session>(TABLE);

pub(super) const KEY: KeyPlace = KeyPlace::after(TABLE, &[Before::Number]);

fn hidden_of(child: ChildId) -> Key {
    TABLE.key().number(child.number())
}

pub(super) fn row_key(child: ChildId, session: SessionId) -> Key {
    hidden_of(child).number(session.number())
}

/// `None` for a row whose key can't be read.
pub(super) fn all(view: &impl Read, child: ChildId) -> Result<Vec<Option<SessionId>>, StoreError> {
    let all = hidden_of(child);
    let rows = view.keys_below(&all, usize::MAX)?;
    let numbers = rows.iter().map(|row| row.components_below(&all).number());
    Ok(numbers.map(|number| number.map(SessionId::new)).collect())
}

/// Returns the first hidden session of a child and its row's key.
pub(super) fn first(
    view: &impl Read,
    child: ChildId,
) -> Result<Option<(Option<SessionId>, Key)>, StoreError> {
    let row = view.keys_below(&hidden_of(child), 1)?.pop();
    Ok(row.map(|row| {
        let number = row.components_below(&hidden_of(child)).number();
        (number.map(SessionId::new), row)
    }))
}
