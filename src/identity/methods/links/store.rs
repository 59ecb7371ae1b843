//! Links, indexed by the hash of their token and by owner.

use super::link::{ENDED_AT_MOST, Link, Owner, is_forgotten};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

const LINK: Table = Table::new("link");
const LINK_OF: Table = Table::new("link-of");
const LINK_TO: Table = Table::new("link-to");

impl Record for Link {}

pub const KINDS: [RecordKind; 3] = [
    RecordKind::of::<Link>(LINK),
    RecordKind::of::<SecretHash>(LINK_OF),
    RecordKind::of::<SecretHash>(LINK_TO),
];

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 3] = [LINK, LINK_OF, LINK_TO];

fn link_key(hash: SecretHash) -> Key {
    LINK.key().fixed(hash.as_bytes())
}

fn links_of(owner: &Owner) -> Key {
    match owner {
        Owner::Guardian(guardian) => LINK_OF.key().text(guardian.as_str()),
        Owner::Address(email) => LINK_TO.key().text(&email.key()),
    }
}

fn link_of(link: &Link, hash: SecretHash) -> Key {
    links_of(&link.owner())
        .signed(link.made_at.micros())
        .fixed(hash.as_bytes())
}

pub fn link(view: &impl Read, hash: SecretHash) -> Result<Option<Link>, StoreError> {
    view.get(&link_key(hash))
}

/// The owner's links, oldest first. Skips unreadable ones, which sign nobody in and don't block new ones.
pub fn links(view: &impl Read, owner: &Owner) -> Result<Vec<(SecretHash, Link)>, StoreError> {
    let all = links_of(owner);
    let mut links = Vec::new();
    for key in view.keys_below(&all, usize::MAX)? {
        if let Some(hash) = hash_in(&key, &all)
            && let Some(link) = view.get_readable(&link_key(hash))?
        {
            links.push((hash, link));
        }
    }
    Ok(links)
}

/// The hash at the end of a key of [`LINK_OF`] or [`LINK_TO`].
fn hash_in(key: &Key, all: &Key) -> Option<SecretHash> {
    let mut components = key.components_below(all);
    components.signed()?;
    components.fixed().map(SecretHash::from_bytes)
}

pub fn put(change: &mut Change, hash: SecretHash, link: &Link) -> Result<(), StoreError> {
    change.put(&link_key(hash), link)?;
    change.put(&link_of(link, hash), &hash)
}

pub fn remove(change: &mut Change, hash: SecretHash, link: &Link) -> Result<(), StoreError> {
    change.remove(&link_key(hash))?;
    change.remove(&link_of(link, hash))?;
    Ok(())
}

pub fn end_all(change: &mut Change, owner: &Owner) -> Result<(), StoreError> {
    let all = links_of(owner);
    for key in change.keys_below(&all, usize::MAX)? {
        if let Some(hash) = hash_in(&key, &all) {
            change.remove(&link_key(hash))?;
        }
        change.remove(&key)?;
    }
    Ok(())
}

/// Removes ended links that needn't be kept to report why they don't work.
pub fn forget_old(change: &mut Change, owner: &Owner, now: Timestamp) -> Result<(), StoreError> {
    let ended = links(change, owner)?.into_iter();
    let ended = ended.filter(|(_, link)| !link.is_live(now));
    let ended = ended.collect::<Vec<_>>();
    let surplus = ended.len().saturating_sub(ENDED_AT_MOST);
    for (position, (hash, link)) in ended.into_iter().enumerate() {
        if position < surplus || link.is_forgotten(now) {
            remove(change, hash, &link)?;
        }
    }
    Ok(())
}

/// Removes links to addresses of no guardian, most of which are never used again: old ones, and all but the newest `most`.
pub fn forget_strangers(
    change: &mut Change,
    most: usize,
    now: Timestamp,
) -> Result<(), StoreError> {
    let all = LINK_TO.key();
    let mut kept = Vec::new();
    for key in change.keys_below(&all, usize::MAX)? {
        let mut components = key.components_below(&all);
        components.text();
        let made_at = components.signed().map(Timestamp::from_micros);
        let hash = components.fixed().map(SecretHash::from_bytes);
        kept.push((made_at, hash, key));
    }
    kept.sort_by_key(|(made_at, ..)| *made_at);
    let surplus = kept.len().saturating_sub(most);
    for (position, (made_at, hash, key)) in kept.into_iter().enumerate() {
        if position < surplus || made_at.is_none_or(|made_at| is_forgotten(made_at, now)) {
            if let Some(hash) = hash {
                change.remove(&link_key(hash))?;
            }
            change.remove(&key)?;
        }
    }
    Ok(())
}
