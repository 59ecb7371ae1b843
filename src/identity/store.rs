//! What identity keeps. Secrets are here only as hashes, but for the key that signs identity tokens.

use serde::{Deserialize, Serialize};

use super::assistants::Assistant;
use super::guardians::Guardian;
use super::link::Link;
use super::outbox::Waiting;
use super::provider;
use super::sign_in::SignIn;
use super::token::TokenKey;
use crate::kernel::clock::Timestamp;
use crate::kernel::ids::{AssistantId, GuardianId, SignInId};
use crate::kernel::mail::EmailAddress;
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, Store, StoreError, Table};

const GUARDIAN: Table = Table::new("guardian");
const GUARDIAN_BY_EMAIL: Table = Table::new("guardian-by-email");
const LINK: Table = Table::new("link");
const LINK_OF: Table = Table::new("link-of");
const SIGN_IN: Table = Table::new("sign-in");
const SIGN_IN_OF: Table = Table::new("sign-in-of");
const OUTBOX: Table = Table::new("outbox");
const ASSISTANT: Table = Table::new("assistant");
const ASSISTANT_BY_NAME: Table = Table::new("assistant-by-name");
const ASSISTANT_BY_KEY: Table = Table::new("assistant-by-key");
const TOKEN_KEY: Table = Table::new("token-key");
const PUBLIC_URL: Table = Table::new("public-url");

impl Record for Guardian {}
impl Record for GuardianId {}
impl Record for Link {}
impl Record for SignIn {}
impl Record for Waiting {}
impl Record for Assistant {}
impl Record for AssistantId {}
impl Record for SecretHash {}
impl Record for TokenKey {}
impl Record for PublicUrl {}

/// An assistant's record with what only the store knows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredAssistant {
    #[serde(flatten)]
    pub assistant: Assistant,
    pub key: SecretHash,
}

impl Record for StoredAssistant {}

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

pub(super) fn guardians(view: &impl Read) -> Result<Vec<Guardian>, StoreError> {
    view.list(&GUARDIAN.key())
}

pub(super) fn put_guardian(change: &mut Change, guardian: &Guardian) -> Result<(), StoreError> {
    change.put(&guardian_key(&guardian.id), guardian)?;
    change.put(&by_email(&guardian.email), &guardian.id)
}

pub(super) fn forget_email(change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
    change.remove(&by_email(email))?;
    change.remove(&OUTBOX.key().text(&email.key()))?;
    Ok(())
}

pub(super) fn remove_guardian(change: &mut Change, guardian: &Guardian) -> Result<(), StoreError> {
    end_links(change, &guardian.id)?;
    end_sign_ins(change, &guardian.id)?;
    provider::store::forget(change, &guardian.id)?;
    forget_email(change, &guardian.email)?;
    change.remove(&guardian_key(&guardian.id))?;
    Ok(())
}

fn link_key(hash: SecretHash) -> Key {
    LINK.key().fixed(hash.as_bytes())
}

fn links_of(guardian: &GuardianId) -> Key {
    LINK_OF.key().text(guardian.as_str())
}

fn link_of(link: &Link, hash: SecretHash) -> Key {
    links_of(&link.guardian)
        .signed(link.made_at.micros())
        .fixed(hash.as_bytes())
}

pub(super) fn link(view: &impl Read, hash: SecretHash) -> Result<Option<Link>, StoreError> {
    view.get(&link_key(hash))
}

/// The guardian's links, oldest first.
pub(super) fn links(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Vec<(SecretHash, Link)>, StoreError> {
    let hashes = view.list::<SecretHash>(&links_of(guardian))?;
    let mut links = Vec::with_capacity(hashes.len());
    for hash in hashes {
        if let Some(link) = link(view, hash)? {
            links.push((hash, link));
        }
    }
    Ok(links)
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

pub(super) fn end_links(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for (hash, link) in links(change, guardian)? {
        remove_link(change, hash, &link)?;
    }
    Ok(())
}

fn sign_in_key(hash: SecretHash) -> Key {
    SIGN_IN.key().fixed(hash.as_bytes())
}

fn sign_in_of(guardian: &GuardianId, id: &SignInId) -> Key {
    SIGN_IN_OF.key().text(guardian.as_str()).text(id.as_str())
}

pub(super) fn sign_in(view: &impl Read, hash: SecretHash) -> Result<Option<SignIn>, StoreError> {
    view.get(&sign_in_key(hash))
}

/// The sign-in that an identity token names.
pub(super) fn sign_in_by_id(
    view: &impl Read,
    guardian: &GuardianId,
    id: &SignInId,
) -> Result<Option<SignIn>, StoreError> {
    match view.get::<SecretHash>(&sign_in_of(guardian, id))? {
        Some(hash) => sign_in(view, hash),
        None => Ok(None),
    }
}

pub(super) fn sign_ins(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Vec<(SecretHash, SignIn)>, StoreError> {
    let hashes = view.list::<SecretHash>(&SIGN_IN_OF.key().text(guardian.as_str()))?;
    let mut sign_ins = Vec::with_capacity(hashes.len());
    for hash in hashes {
        if let Some(found) = sign_in(view, hash)? {
            sign_ins.push((hash, found));
        }
    }
    Ok(sign_ins)
}

pub(super) fn put_sign_in(
    change: &mut Change,
    hash: SecretHash,
    sign_in: &SignIn,
) -> Result<(), StoreError> {
    change.put(&sign_in_key(hash), sign_in)?;
    change.put(&sign_in_of(&sign_in.guardian, &sign_in.id), &hash)
}

pub(super) fn remove_sign_in(
    change: &mut Change,
    hash: SecretHash,
    sign_in: &SignIn,
) -> Result<(), StoreError> {
    change.remove(&sign_in_key(hash))?;
    change.remove(&sign_in_of(&sign_in.guardian, &sign_in.id))?;
    Ok(())
}

pub(super) fn end_sign_ins(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for (hash, sign_in) in sign_ins(change, guardian)? {
        remove_sign_in(change, hash, &sign_in)?;
    }
    Ok(())
}

fn outbox_key(email: &EmailAddress) -> Key {
    OUTBOX.key().text(&email.key())
}

/// The letters that wait, at most `limit` of them.
pub(super) fn waiting(view: &impl Read, limit: usize) -> Result<Vec<Waiting>, StoreError> {
    view.scan(&OUTBOX.key(), None, limit)?
        .iter()
        .map(|row| row.record())
        .collect()
}

pub(super) fn is_waiting(view: &impl Read, email: &EmailAddress) -> Result<bool, StoreError> {
    view.contains(&outbox_key(email))
}

pub(super) fn put_waiting(change: &mut Change, waiting: &Waiting) -> Result<(), StoreError> {
    change.put(&outbox_key(&waiting.email), waiting)
}

pub(super) fn remove_waiting(change: &mut Change, email: &EmailAddress) -> Result<(), StoreError> {
    change.remove(&outbox_key(email))?;
    Ok(())
}

fn assistant_key(id: &AssistantId) -> Key {
    ASSISTANT.key().text(id.as_str())
}

fn by_name(name: &str) -> Key {
    ASSISTANT_BY_NAME.key().text(&name.to_lowercase())
}

fn by_key(hash: SecretHash) -> Key {
    ASSISTANT_BY_KEY.key().fixed(hash.as_bytes())
}

pub(super) fn assistants(view: &impl Read) -> Result<Vec<Assistant>, StoreError> {
    view.list(&ASSISTANT.key())
}

pub(super) fn assistant_by_name(
    view: &impl Read,
    name: &str,
) -> Result<Option<StoredAssistant>, StoreError> {
    match view.get::<AssistantId>(&by_name(name))? {
        Some(id) => view.get(&assistant_key(&id)),
        None => Ok(None),
    }
}

pub(super) fn assistant_by_key(
    view: &impl Read,
    hash: SecretHash,
) -> Result<Option<AssistantId>, StoreError> {
    view.get(&by_key(hash))
}

pub(super) fn put_assistant(
    change: &mut Change,
    stored: &StoredAssistant,
) -> Result<(), StoreError> {
    change.put(&assistant_key(&stored.assistant.id), stored)?;
    change.put(&by_name(&stored.assistant.name), &stored.assistant.id)?;
    change.put(&by_key(stored.key), &stored.assistant.id)
}

pub(super) fn remove_assistant(
    change: &mut Change,
    stored: &StoredAssistant,
) -> Result<(), StoreError> {
    change.remove(&by_key(stored.key))?;
    change.remove(&by_name(&stored.assistant.name))?;
    change.remove(&assistant_key(&stored.assistant.id))?;
    Ok(())
}

/// The key that signs identity tokens, made the first time.
pub(super) async fn token_key(
    store: &Store,
    randomness: &Randomness,
) -> Result<TokenKey, StoreError> {
    let key = TOKEN_KEY.key();
    if let Some(found) = store.get(&key)? {
        return Ok(found);
    }
    let made = TokenKey::generate(randomness);
    let kept = made.clone();
    store
        .commit(move |change| change.put(&key, &kept))
        .await??;
    Ok(made)
}

/// When a link that no longer works is forgotten: until then it can say why.
pub(super) fn forget_old_links(
    change: &mut Change,
    guardian: &GuardianId,
    now: Timestamp,
) -> Result<(), StoreError> {
    for (hash, link) in links(change, guardian)? {
        if link.is_forgotten(now) {
            remove_link(change, hash, &link)?;
        }
    }
    Ok(())
}

/// Notes where our pages are, for commands that run without the server.
pub(super) async fn remember_public_url(store: &Store, url: &PublicUrl) -> Result<(), StoreError> {
    let key = PUBLIC_URL.key();
    if store.get::<PublicUrl>(&key)?.as_ref() == Some(url) {
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

/// Where the server last said that our pages are, or where it is when nobody says.
///
/// # Errors
///
/// The store's.
pub fn remembered_public_url(store: &Store) -> Result<PublicUrl, StoreError> {
    let remembered = store.get::<PublicUrl>(&PUBLIC_URL.key())?;
    Ok(remembered.unwrap_or_else(|| {
        "http://127.0.0.1:8080"
            .parse()
            .expect("the default address is an origin")
    }))
}
