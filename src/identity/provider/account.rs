//! Whose an account is.

use super::ProviderProblem;
use super::store::{self, Account, AccountName};
use crate::identity::GuardianId;
use crate::identity::guardians::{Guardian, Guardians};
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::Change;

/// The guardian whose account this is. One that is nobody's yet becomes the guardian's who has `email`, an
/// address that the provider has verified: it proves the same here as in a letter. A guardian has one
/// account at a provider; a further one with their address takes its place.
pub fn guardian_of(
    guardians: &Guardians,
    change: &mut Change,
    name: &AccountName,
    email: Option<EmailAddress>,
    now: Timestamp,
) -> Result<Guardian, ProviderProblem> {
    if let Some(account) = store::account(change, name)?
        && guardians.find_by_id(change, &account.guardian)?.is_some()
    {
        let admitted = guardians.find_admitted(change, &account.guardian)?;
        return admitted.ok_or(ProviderProblem::UnknownGuardian);
    }
    // It was bound a moment ago, and its guardian removed since.
    let email = email.ok_or(ProviderProblem::UnknownGuardian)?;
    let guardian = guardians
        .with_proven_address(change, &email)?
        .ok_or(ProviderProblem::UnknownGuardian)?;
    let account = Account {
        name: name.clone(),
        guardian: guardian.id.clone(),
        bound_at: now,
    };
    store::bind(change, &account)?;
    tracing::info!(guardian = %guardian.id, "an account at the provider was bound");
    Ok(guardian)
}

/// Makes an account that is nobody's the guardian's who steps up, if it has their address: it proves the same here as in a
/// letter. Their address may have been only typed; then it is confirmed by this, if it `may_prove` it and it is nobody else's.
/// Fails with [`ProviderProblem::OtherAccount`].
pub fn bind_own(
    guardians: &Guardians,
    change: &mut Change,
    name: &AccountName,
    email: &EmailAddress,
    id: &GuardianId,
    may_prove: bool,
    now: Timestamp,
) -> Result<(), ProviderProblem> {
    let other = || ProviderProblem::OtherAccount;
    let guardian = guardians.find_by_id(change, id)?.ok_or_else(other)?;
    if guardian.email.key() != email.key() {
        return Err(other());
    }
    if !guardian.proved {
        if !may_prove || guardians.have(change, email)? {
            return Err(other());
        }
        guardians.prove(change, id)?;
    }
    let account = Account {
        name: name.clone(),
        guardian: id.clone(),
        bound_at: now,
    };
    store::bind(change, &account)?;
    tracing::info!(guardian = %id, "an account at the provider was bound");
    Ok(())
}
