//! Queued e-mails, in two queues.

use super::waiting::{Queue, Waiting};
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const OUTBOX: Table = Table::new("outbox");
const STRANGERS_OUTBOX: Table = Table::new("outbox-strangers");

impl Record for Waiting {}

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<Waiting>(OUTBOX),
    RecordKind::of::<Waiting>(STRANGERS_OUTBOX),
];

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 2] = [OUTBOX, STRANGERS_OUTBOX];

fn queue_key(queue: Queue) -> Key {
    match queue {
        Queue::Guardians => OUTBOX.key(),
        Queue::Strangers => STRANGERS_OUTBOX.key(),
    }
}

fn waiting_key(queue: Queue, email: &EmailAddress) -> Key {
    queue_key(queue).text(&email.key())
}

/// The e-mails in a queue. Skips unreadable ones, which don't block others.
pub fn waiting(view: &impl Read, queue: Queue) -> Result<Vec<Waiting>, StoreError> {
    Ok(view.list_readable(&queue_key(queue))?.0)
}

/// The number of e-mails in a queue, at most `limit`.
pub fn count(view: &impl Read, queue: Queue, limit: usize) -> Result<usize, StoreError> {
    Ok(view.keys_below(&queue_key(queue), limit)?.len())
}

pub fn waiting_for(
    view: &impl Read,
    queue: Queue,
    email: &EmailAddress,
) -> Result<Option<Waiting>, StoreError> {
    view.get_readable(&waiting_key(queue, email))
}

pub fn put(change: &mut Change, queue: Queue, waiting: &Waiting) -> Result<(), StoreError> {
    change.put(&waiting_key(queue, &waiting.email), waiting)
}

pub fn remove(change: &mut Change, queue: Queue, email: &EmailAddress) -> Result<(), StoreError> {
    change.remove(&waiting_key(queue, email))?;
    Ok(())
}

/// Removes all e-mails queued for this address.
pub fn forget(change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
    remove(change, Queue::Guardians, email)?;
    remove(change, Queue::Strangers, email)
}

/// Removes the oldest e-mail of a queue.
pub fn remove_longest(change: &mut Change, queue: Queue) -> Result<(), StoreError> {
    let waiting = waiting(change, queue)?;
    match waiting.iter().min_by_key(|waiting| waiting.asked_at) {
        Some(longest) => remove(change, queue, &longest.email),
        None => Ok(()),
    }
}
