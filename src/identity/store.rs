//! Identity's records: each module's tables, and the public URL. Secrets are stored only as hashes, except for the key that signs
//! identity tokens, and for ten minutes what a flow at the provider needs.

use super::accounts::{assistants, guardians, suspension};
use super::address_changes;
use super::methods::{links, provider, recovery_codes};
use super::sessions::{sign_ins, step_up_codes, tokens};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::secret::SecretHash;
use crate::kernel::store::{Read, Record, RecordKind, Store, StoreError, Table};

const PUBLIC_URL: Table = Table::new("public-url");

impl Record for PublicUrl {}
impl Record for SecretHash {}

/// Tables in a backup that restoring it skips: access that needs no new proof may have been ended since.
pub fn not_restored() -> Vec<Table> {
    let modules = [
        links::NOT_RESTORED.as_slice(),
        &sign_ins::NOT_RESTORED,
        &recovery_codes::NOT_RESTORED,
        &step_up_codes::NOT_RESTORED,
        &address_changes::NOT_RESTORED,
        &provider::NOT_RESTORED,
    ];
    modules.concat()
}

pub fn kinds() -> Vec<RecordKind> {
    let modules = [
        guardians::KINDS.as_slice(),
        &links::KINDS,
        &tokens::KINDS,
        &[RecordKind::of::<PublicUrl>(PUBLIC_URL)],
        &sign_ins::KINDS,
        &recovery_codes::KINDS,
        &step_up_codes::KINDS,
        &address_changes::KINDS,
        &assistants::KINDS,
        &provider::KINDS,
        &suspension::KINDS,
    ];
    modules.concat()
}

/// Stores the public URL for commands that run without the server.
pub(super) async fn remember_public_url(store: &Store, url: &PublicUrl) -> Result<(), StoreError> {
    let key = PUBLIC_URL.key();
    if store.get_readable::<PublicUrl>(&key)?.as_ref() == Some(url) {
        return Ok(());
    }
    let url = url.clone();
    let remembered = store.commit(move |change| change.put(&key, &url)).await;
    match remembered {
        // A full disk prevents neither reading nor starting.
        Err(StoreError::Full) => Ok(()),
        other => other,
    }
}

/// The public URL stored by the last start of the server.
pub fn remembered_public_url(store: &Store) -> Result<Option<PublicUrl>, StoreError> {
    store.get(&PUBLIC_URL.key())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The tables of identity that restoring a backup restores.
    const RESTORED: [&str; 11] = [
        "assistant",
        "assistant-by-key",
        "assistant-by-name",
        "guardian",
        "guardian-by-email",
        "kept-off",
        "provider-account",
        "provider-account-of",
        "public-url",
        "setup",
        "token-key",
    ];

    #[test]
    fn of_each_table_it_is_decided_whether_restoring_a_backup_brings_it_back() {
        let all = kinds()
            .iter()
            .map(RecordKind::name)
            .collect::<BTreeSet<_>>();
        let not_restored = not_restored();
        let left_out = not_restored.iter().map(|table| table.name());
        let decided = left_out.chain(RESTORED).collect::<BTreeSet<_>>();

        assert_eq!(
            all, decided,
            "what lets somebody in, or is an email, belongs into its module's NOT_RESTORED; the rest into RESTORED"
        );
        assert_eq!(decided.len(), not_restored.len() + RESTORED.len());
    }
}
