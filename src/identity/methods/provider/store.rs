//! The provider's records: flows in progress, and linked accounts.

use serde::{Deserialize, Serialize};

use super::flow::{self, Flow};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table, is_default};

const FLOW: Table = Table::new("provider-flow");
const FLOW_BY_TIME: Table = Table::new("provider-flow-by-time");
const ACCOUNT: Table = Table::new("provider-account");
const ACCOUNT_OF: Table = Table::new("provider-account-of");

/// The maximum number of flows in progress. One more ends the oldest, which is unlikely to be still in use: the rate limits by
/// address keep a network from beginning so many.
const FLOWS: usize = 1000;

/// An account's identity (OpenID Connect Core 1.0, section 5.7): never its address.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountName {
    pub issuer: String,
    pub subject: String,
}

/// A guardian's account at a provider.
#[derive(Clone, Serialize, Deserialize)]
pub struct Account {
    #[serde(flatten)]
    pub name: AccountName,
    pub guardian: GuardianId,
    pub bound_at: Timestamp,
    /// Whether its latest ID token lacked `auth_time` although it was requested.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lacks_auth_time: bool,
}

impl Record for Flow {}
impl Record for Account {}
impl Record for AccountName {}

/// Tables that restoring a backup skips.
pub const NOT_RESTORED: [Table; 2] = [FLOW, FLOW_BY_TIME];

pub const KINDS: [RecordKind; 4] = [
    RecordKind::of::<Flow>(FLOW),
    RecordKind::of::<SecretHash>(FLOW_BY_TIME),
    RecordKind::of::<Account>(ACCOUNT),
    RecordKind::of::<AccountName>(ACCOUNT_OF),
];

fn flow_key(hash: SecretHash) -> Key {
    FLOW.key().fixed(hash.as_bytes())
}

fn by_time(flow: &Flow, hash: SecretHash) -> Key {
    FLOW_BY_TIME
        .key()
        .signed(flow.started_at.micros())
        .fixed(hash.as_bytes())
}

pub fn flow(view: &impl Read, hash: SecretHash) -> Result<Option<Flow>, StoreError> {
    view.get(&flow_key(hash))
}

/// Stores a flow, and removes expired ones. Flows begun by a clock that ran ahead sort last, and stay until there are too many.
pub fn put_flow(change: &mut Change, hash: SecretHash, flow: &Flow) -> Result<(), StoreError> {
    // Uses only the keys: an unreadable flow must not prevent all others from signing in.
    let all = FLOW_BY_TIME.key();
    let kept = change.keys_below(&all, usize::MAX)?;
    let too_many = (kept.len() + 1).saturating_sub(FLOWS);
    for (position, old) in kept.into_iter().enumerate() {
        let mut components = old.components_below(&all);
        let began = components.signed().map(Timestamp::from_micros);
        if position >= too_many && began.is_some_and(|began| !flow::is_over(began, flow.started_at))
        {
            break;
        }
        if let Some(hash) = components.fixed().map(SecretHash::from_bytes) {
            change.remove(&flow_key(hash))?;
        }
        change.remove(&old)?;
    }
    change.put(&flow_key(hash), flow)?;
    change.put(&by_time(flow, hash), &hash)
}

pub fn remove_flow(change: &mut Change, hash: SecretHash, flow: &Flow) -> Result<(), StoreError> {
    change.remove(&flow_key(hash))?;
    change.remove(&by_time(flow, hash))?;
    Ok(())
}

fn account_key(name: &AccountName) -> Key {
    ACCOUNT.key().text(&name.issuer).text(&name.subject)
}

fn accounts_of(guardian: &GuardianId) -> Key {
    ACCOUNT_OF.key().text(guardian.as_str())
}

pub fn account(view: &impl Read, name: &AccountName) -> Result<Option<Account>, StoreError> {
    view.get(&account_key(name))
}

/// A guardian's account at this provider; `None` also if the record cannot be read.
pub fn account_of(
    view: &impl Read,
    guardian: &GuardianId,
    issuer: &str,
) -> Result<Option<Account>, StoreError> {
    match view.get_readable::<AccountName>(&accounts_of(guardian).text(issuer))? {
        Some(name) => view.get_readable(&account_key(&name)),
        None => Ok(None),
    }
}

pub fn put(change: &mut Change, account: &Account) -> Result<(), StoreError> {
    change.put(&account_key(&account.name), account)
}

/// Links an account to its guardian, replacing the one they had at the same provider.
pub fn bind(change: &mut Change, account: &Account) -> Result<(), StoreError> {
    let of = accounts_of(&account.guardian).text(&account.name.issuer);
    if let Some(former) = change.get::<AccountName>(&of)? {
        change.remove(&account_key(&former))?;
    }
    put(change, account)?;
    change.put(&of, &account.name)
}

/// Unlinks a guardian's accounts.
pub fn forget(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for key in change.keys_below(&accounts_of(guardian), usize::MAX)? {
        let accounts = match change.get_readable::<AccountName>(&key)? {
            Some(name) => vec![account_key(&name)],
            None => change.keys_of(&ACCOUNT.key(), |account: &Account| {
                account.guardian == *guardian
            })?,
        };
        for account in accounts {
            change.remove(&account)?;
        }
        change.remove(&key)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;
    use crate::kernel::host::secret::{Secret, SecretKind};
    use crate::kernel::store::Store;

    #[tokio::test]
    async fn flows_are_forgotten_when_they_are_over_and_when_there_are_too_many() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let begin = |change: &mut Change, micros| {
            let hash = Secret::generate(SecretKind::ProviderFlow, &Randomness::System).hash();
            let flow = Flow::begin(&Randomness::System, Timestamp::from_micros(micros));
            put_flow(change, hash, &flow).unwrap();
            hash
        };
        let kept = |store: &Store| store.list::<SecretHash>(&FLOW_BY_TIME.key()).unwrap().len();

        let first = store.commit(move |change| {
            let first = begin(change, 0);
            for micros in 1..FLOWS as i64 + 5 {
                begin(change, micros);
            }
            Ok::<_, StoreError>(first)
        });
        let first = first.await.unwrap();
        assert_eq!(kept(&store), FLOWS);
        assert!(flow(&store, first).unwrap().is_none());

        let later = store.commit(move |change| Ok::<_, StoreError>(begin(change, 600_000_500)));
        later.await.unwrap();
        assert!(kept(&store) < FLOWS);
    }
}
