//! Hashes of the texts that are stored, so that a text which a client sends again is not stored again. They count for 400 days,
//! also if the text was erased since. They are removed with the child, or when all of their [period](period_of) are too old.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::grouping::{TextHash, TextKey};
use crate::children::ChildId;
use crate::identity::AssistantId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::store::hmac_key::HmacKey;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, Store, StoreError, Table};

/// When a text was stored, by child, [period](period_of), assistant and hash.
const TEXT: Table = Table::new("gateway-text");
/// The key of the hashes.
const TEXT_KEY: Table = Table::new("gateway-text-key");

pub const KINDS: [RecordKind; 2] = [
    RecordKind::of::<StoredAt>(TEXT),
    RecordKind::of::<HmacKey>(TEXT_KEY),
];

impl Record for StoredAt {}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a text counts as stored.
const TEXTS_KEPT: Duration = DAY.saturating_mul(400);

/// The hashes of so much time are removed together.
const PERIOD: Duration = DAY.saturating_mul(50);

/// When a text was stored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StoredAt(Timestamp);

fn text_key(child: ChildId, period: u64, assistant: &AssistantId, hash: TextHash) -> Key {
    texts_of(child)
        .number(period)
        .text(assistant.as_str())
        .fixed(&hash.bytes())
}

fn texts_of(child: ChildId) -> Key {
    TEXT.key().number(child.number())
}

fn period_of(at: Timestamp) -> u64 {
    let micros = u64::try_from(at.micros()).unwrap_or(0);
    micros / u64::try_from(PERIOD.as_micros()).expect("it is short")
}

/// Loads the key of the hashes, or generates it on the first start. After its loss, texts count as never stored.
pub async fn key(store: &Store, randomness: &Randomness) -> Result<TextKey, StoreError> {
    let key = HmacKey::load(store, TEXT_KEY, randomness).await?;
    Ok(TextKey(key))
}

/// Whether a text was stored for this key and child.
pub fn has_text(
    view: &impl Read,
    child: ChildId,
    assistant: &AssistantId,
    hash: TextHash,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let oldest = period_of(now.before(TEXTS_KEPT));
    for period in (oldest..=period_of(now)).rev() {
        let key = text_key(child, period, assistant, hash);
        let stored = view.get_readable::<StoredAt>(&key)?;
        if stored.is_some_and(|StoredAt(at)| now.since(at) <= TEXTS_KEPT) {
            return Ok(true);
        }
    }
    Ok(false)
}

pub fn put_text(
    change: &mut Change,
    child: ChildId,
    assistant: &AssistantId,
    hash: TextHash,
    now: Timestamp,
) -> Result<(), StoreError> {
    let key = text_key(child, period_of(now), assistant, hash);
    change.put(&key, &StoredAt(now))
}

/// The first of a child's periods whose hashes are all too old, if there is one.
pub fn old_period(
    view: &impl Read,
    child: ChildId,
    now: Timestamp,
) -> Result<Option<u64>, StoreError> {
    let texts = texts_of(child);
    let first = view.keys_below(&texts, 1)?;
    let first = first
        .first()
        .map(|key| key.components_below(&texts).number());
    let oldest = period_of(now.before(TEXTS_KEPT));
    Ok(first.flatten().filter(|period| *period < oldest))
}

/// Removes a batch of hashes. Returns whether there were any.
pub fn remove_period(change: &mut Change, child: ChildId, period: u64) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&texts_of(child).number(period))? > 0)
}

/// Erases a batch of a removed child's rows. Returns whether there were any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&texts_of(child))? > 0)
}
