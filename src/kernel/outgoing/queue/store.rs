//! Queued messages by kind, recipient and subject.

use super::{Id, Queued};
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, Store, StoreError, Table};

const QUEUE: Table = Table::new("queue");

impl Record for Queued {}

pub const KIND: RecordKind = RecordKind::of::<Queued>(QUEUE);

/// Tables that restoring a backup skips: the messages may have been sent since.
pub fn not_restored() -> Vec<Table> {
    vec![QUEUE]
}

pub fn all() -> Key {
    QUEUE.key()
}

fn kind_key(kind: &str) -> Key {
    QUEUE.key().text(kind)
}

pub fn key(id: &Id) -> Key {
    kind_key(&id.kind).text(&id.recipient).text(&id.about)
}

pub fn get(view: &impl Read, id: &Id) -> Result<Option<Queued>, StoreError> {
    view.get_readable(&key(id))
}

pub fn put(change: &mut Change, id: &Id, queued: &Queued) -> Result<(), StoreError> {
    change.put(&key(id), queued)
}

pub fn remove(change: &mut Change, id: &Id) -> Result<(), StoreError> {
    change.remove(&key(id))?;
    Ok(())
}

pub fn remove_all(change: &mut Change, kind: &str, recipient: &str) -> Result<(), StoreError> {
    for key in change.keys_below(&kind_key(kind).text(recipient), usize::MAX)? {
        change.remove(&key)?;
    }
    Ok(())
}

/// The number of messages of the same kind to the same recipient, at most `limit`.
pub fn count_to(view: &impl Read, id: &Id, limit: usize) -> Result<usize, StoreError> {
    let below = kind_key(&id.kind).text(&id.recipient);
    Ok(view.keys_below(&below, limit)?.len())
}

/// The number of messages of a kind, at most `limit`.
pub fn count(view: &impl Read, kind: &str, limit: usize) -> Result<usize, StoreError> {
    Ok(view.keys_below(&kind_key(kind), limit)?.len())
}

/// All messages. Skips unreadable ones, which don't block others.
pub fn every(store: &Store) -> Result<Vec<(Id, Queued)>, StoreError> {
    below(store, &all())
}

pub fn of_kind(view: &impl Read, kind: &str) -> Result<Vec<(Id, Queued)>, StoreError> {
    below(view, &kind_key(kind))
}

fn below(view: &impl Read, prefix: &Key) -> Result<Vec<(Id, Queued)>, StoreError> {
    let mut found = Vec::new();
    for key in view.keys_below(prefix, usize::MAX)? {
        if let Some(id) = id_in(&key)
            && let Some(queued) = view.get_readable(&key)?
        {
            found.push((id, queued));
        }
    }
    Ok(found)
}

fn id_in(key: &Key) -> Option<Id> {
    let all = all();
    let mut components = key.components_below(&all);
    Some(Id {
        kind: components.text()?,
        recipient: components.text()?,
        about: components.text()?,
    })
}
