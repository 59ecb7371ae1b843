//! What identity keeps. Secrets are here only as hashes, but for the key that signs identity tokens.

mod assistants;
mod outbox;
mod sign_ins;

use super::guardians::Guardian;
use super::link::{ENDED_AT_MOST, Link, Owner, is_forgotten};
use super::provider;
use super::token::TokenKey;
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::GuardianId;
use crate::kernel::mail::EmailAddress;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, Store, StoreError, Table};

pub use assistants::restored_assistants;
pub(super) use assistants::*;
pub(super) use outbox::*;
pub(super) use sign_ins::*;

const GUARDIAN: Table = Table::new("guardian");
const GUARDIAN_BY_EMAIL: Table = Table::new("guardian-by-email");
const LINK: Table = Table::new("link");
const LINK_OF: Table = Table::new("link-of");
const LINK_TO: Table = Table::new("link-to");
const TOKEN_KEY: Table = Table::new("token-key");
const PUBLIC_URL: Table = Table::new("public-url");

/// What a backup holds and restoring it leaves out: what lets somebody in without a new proof may have been ended since, and
/// a letter may have been sent.
pub const NOT_RESTORED: [Table; 9] = [
    LINK,
    LINK_OF,
    SIGN_IN,
    SIGN_IN_OF,
    LINK_TO,
    OUTBOX,
    STRANGERS_OUTBOX,
    provider::store::FLOW,
    provider::store::FLOW_BY_TIME,
];

impl Record for Guardian {}
impl Record for GuardianId {}
impl Record for Link {}
impl Record for SecretHash {}
impl Record for TokenKey {}
impl Record for PublicUrl {}

/// What each table of identity holds.
pub fn kinds() -> impl Iterator<Item = RecordKind> {
    let own = [
        RecordKind::of::<Guardian>(GUARDIAN),
        RecordKind::of::<GuardianId>(GUARDIAN_BY_EMAIL),
        RecordKind::of::<Link>(LINK),
        RecordKind::of::<SecretHash>(LINK_OF),
        RecordKind::of::<SecretHash>(LINK_TO),
        RecordKind::of::<TokenKey>(TOKEN_KEY),
        RecordKind::of::<PublicUrl>(PUBLIC_URL),
    ];
    own.into_iter()
        .chain(outbox::KINDS)
        .chain(sign_ins::KINDS)
        .chain(assistants::KINDS)
        .chain(provider::store::KINDS)
}

fn guardian_key(id: &GuardianId) -> Key {
    GUARDIAN.key().text(id.as_str())
}

fn by_email(email: &EmailAddress) -> Key {
    GUARDIAN_BY_EMAIL.key().text(&email.key())
}

pub(super) fn guardian(view: &impl Read, id: &GuardianId) -> Result<Option<Guardian>, StoreError> {
    view.get(&guardian_key(id))
}

pub(super) fn guardian_by_email(
    view: &impl Read,
    email: &EmailAddress,
) -> Result<Option<Guardian>, StoreError> {
    match view.get::<GuardianId>(&by_email(email))? {
        Some(id) => guardian(view, &id),
        None => Ok(None),
    }
}

/// Whether a guardian has this address.
pub(super) fn is_a_guardians(view: &impl Read, email: &EmailAddress) -> Result<bool, StoreError> {
    view.contains(&by_email(email))
}

/// All guardians, and how many others there are that cannot be read.
pub(super) fn guardians(view: &impl Read) -> Result<(Vec<Guardian>, u64), StoreError> {
    view.list_readable(&GUARDIAN.key())
}

/// The id of the guardian who has this address, also when one of the two records that tell it cannot be read.
pub(super) fn guardian_id(
    view: &impl Read,
    email: &EmailAddress,
) -> Result<Option<GuardianId>, StoreError> {
    let unreadable = match view.get(&by_email(email)) {
        Err(error @ StoreError::Unreadable(_)) => error,
        found => return found,
    };
    let all = GUARDIAN.key();
    let keys = view.keys_of(&all, |guardian: &Guardian| guardian.email == *email)?;
    let id = keys
        .first()
        .and_then(|key| key.components_below(&all).text());
    // Nobody knows whose it is; it isn't nobody's.
    id.map(|id| Some(GuardianId::from_text(&id)))
        .ok_or(unreadable)
}

pub(super) fn put_guardian(change: &mut Change, guardian: &Guardian) -> Result<(), StoreError> {
    change.put(&guardian_key(&guardian.id), guardian)?;
    change.put(&by_email(&guardian.email), &guardian.id)
}

pub(super) fn forget_email(change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
    change.remove(&by_email(email))?;
    forget_waiting(change, email)?;
    end_links_of(change, &Owner::Address(email.clone()))
}

/// Removes a guardian. Nothing of what is kept of them has to be readable.
pub(super) fn remove_guardian(
    change: &mut Change,
    id: &GuardianId,
    email: &EmailAddress,
) -> Result<(), StoreError> {
    end_links(change, id)?;
    end_sign_ins(change, id)?;
    provider::store::forget(change, id)?;
    forget_email(change, email)?;
    change.remove(&guardian_key(id))?;
    Ok(())
}

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

pub(super) fn link(view: &impl Read, hash: SecretHash) -> Result<Option<Link>, StoreError> {
    view.get(&link_key(hash))
}

/// The owner's links, oldest first. One that cannot be read signs nobody in, and keeps no new one from being made.
pub(super) fn links(
    view: &impl Read,
    owner: &Owner,
) -> Result<Vec<(SecretHash, Link)>, StoreError> {
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

pub(super) fn put_link(
    change: &mut Change,
    hash: SecretHash,
    link: &Link,
) -> Result<(), StoreError> {
    change.put(&link_key(hash), link)?;
    change.put(&link_of(link, hash), &hash)
}

pub(super) fn remove_link(
    change: &mut Change,
    hash: SecretHash,
    link: &Link,
) -> Result<(), StoreError> {
    change.remove(&link_key(hash))?;
    change.remove(&link_of(link, hash))?;
    Ok(())
}

/// Ends a guardian's links, and those that were sent to their address before it was a guardian's.
pub(super) fn end_links(change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
    if let Some(guardian) = change.get_readable::<Guardian>(&guardian_key(id))? {
        end_links_of(change, &Owner::Address(guardian.email))?;
    }
    end_links_of(change, &Owner::Guardian(id.clone()))
}

fn end_links_of(change: &mut Change, owner: &Owner) -> Result<(), StoreError> {
    let all = links_of(owner);
    for key in change.keys_below(&all, usize::MAX)? {
        if let Some(hash) = hash_in(&key, &all) {
            change.remove(&link_key(hash))?;
        }
        change.remove(&key)?;
    }
    Ok(())
}

/// The key that signs identity tokens, made the first time.
pub(super) async fn token_key(
    store: &Store,
    randomness: &Randomness,
) -> Result<TokenKey, StoreError> {
    let key = TOKEN_KEY.key();
    match store.get(&key) {
        Ok(Some(found)) => return Ok(found),
        Ok(None) => {}
        // Tokens that it signed hold no more; whoever has a sign-in is given another within the same request.
        Err(StoreError::Unreadable(cause)) => {
            tracing::error!(%cause, "the key of the identity tokens could not be read, so a new one is made");
        }
        Err(error) => return Err(error),
    }
    let made = TokenKey::generate(randomness);
    let kept = made.clone();
    let put = store
        .commit(move |change| change.put(&key, &kept))
        .await
        .and_then(|inner| inner);
    match put {
        // It holds until the next start.
        Ok(()) | Err(StoreError::Full) => Ok(made),
        Err(error) => Err(error),
    }
}

/// When a link that no longer works is forgotten: until then it can say why.
pub(super) fn forget_old_links(
    change: &mut Change,
    owner: &Owner,
    now: Timestamp,
) -> Result<(), StoreError> {
    let ended = links(change, owner)?.into_iter();
    let ended = ended.filter(|(_, link)| !link.is_live(now));
    let ended = ended.collect::<Vec<_>>();
    let surplus = ended.len().saturating_sub(ENDED_AT_MOST);
    for (position, (hash, link)) in ended.into_iter().enumerate() {
        if position < surplus || link.is_forgotten(now) {
            remove_link(change, hash, &link)?;
        }
    }
    Ok(())
}

/// Forgets the links to addresses that no guardian has, most of which never ask again: the old ones, and all but the
/// newest `most`.
pub(super) fn forget_strangers_links(
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

/// Notes where our pages are, for commands that run without the server.
pub(super) async fn remember_public_url(store: &Store, url: &PublicUrl) -> Result<(), StoreError> {
    let key = PUBLIC_URL.key();
    if store.get_readable::<PublicUrl>(&key)?.as_ref() == Some(url) {
        return Ok(());
    }
    let url = url.clone();
    let remembered = store
        .commit(move |change| change.put(&key, &url))
        .await
        .and_then(|inner| inner);
    match remembered {
        // Reading goes on where there is no room to write; so does starting.
        Err(StoreError::Full) => Ok(()),
        other => other,
    }
}

/// Where the server last said that our pages are.
///
/// # Errors
///
/// The store's.
pub fn remembered_public_url(store: &Store) -> Result<Option<PublicUrl>, StoreError> {
    store.get(&PUBLIC_URL.key())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The tables of identity that a restored backup brings back.
    const RESTORED: [&str; 9] = [
        "assistant",
        "assistant-by-key",
        "assistant-by-name",
        "guardian",
        "guardian-by-email",
        "provider-account",
        "provider-account-of",
        "public-url",
        "token-key",
    ];

    #[test]
    fn of_each_table_it_is_decided_whether_restoring_a_backup_brings_it_back() {
        let all = kinds().map(|kind| kind.name()).collect::<BTreeSet<_>>();
        let left_out = NOT_RESTORED.iter().map(|table| table.name());
        let decided = left_out.chain(RESTORED).collect::<BTreeSet<_>>();

        assert_eq!(
            all, decided,
            "what lets somebody in, or is a letter, belongs into NOT_RESTORED; the rest into RESTORED"
        );
        assert_eq!(decided.len(), NOT_RESTORED.len() + RESTORED.len());
    }
}
