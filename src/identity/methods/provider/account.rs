//! Linking accounts to guardians.

use super::ProviderProblem;
use super::redemption::{AccountEmail, Redeemed};
use super::store::{self, Account};
use crate::identity::accounts::guardians::{Guardian, Guardians};
use crate::identity::{GuardianId, SteppedUp};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError};

/// Returns the account's guardian. An unlinked account is linked to the guardian with `email`, an address verified by the
/// provider, which proves as much as using a link from an e-mail. A guardian has one account at a provider; linking another
/// replaces it. With open sign-up, an address that is only trusted makes a new guardian, with an unverified address.
pub fn guardian_of(
    guardians: &Guardians,
    change: &mut Change,
    account: &Redeemed,
    email: Option<AccountEmail>,
    now: Timestamp,
) -> Result<Guardian, ProviderProblem> {
    if let Some(bound) = store::account(change, &account.name)?
        && guardians.find_by_id(change, &bound.guardian)?.is_some()
    {
        record_auth_time(change, account)?;
        let reinstated = guardians.find_admitted(change, &bound.guardian)?;
        return reinstated.ok_or(ProviderProblem::UnknownGuardian);
    }
    // `email` is `None` if the account was linked when it was looked up. Its guardian was removed since.
    let email = email.ok_or(ProviderProblem::UnknownGuardian)?;
    let guardian = if email.is_verified {
        guardians.with_proven_address(change, &email.address)?
    } else if guardians.have(change, &email.address)? {
        return Err(ProviderProblem::NotLinked);
    } else {
        guardians.add_stranger(change, email.address)?
    };
    let guardian = guardian.ok_or(ProviderProblem::UnknownGuardian)?;
    bind(change, account, &guardian.id, now)?;
    Ok(guardian)
}

/// Links an unlinked account to the guardian who steps up, if it has their address, which proves as much as using a link from an
/// e-mail. If their address is unverified, this verifies it, provided that they have stepped up before and that no other guardian
/// has verified it. An address that is only trusted verifies nothing, and links the account only if they have stepped up before.
/// Fails with [`ProviderProblem::OtherAccount`].
pub fn bind_own(
    guardians: &Guardians,
    change: &mut Change,
    account: &Redeemed,
    email: &AccountEmail,
    id: &GuardianId,
    stepped_up: Option<&SteppedUp>,
    now: Timestamp,
) -> Result<(), ProviderProblem> {
    let other = || ProviderProblem::OtherAccount;
    let guardian = guardians.find_by_id(change, id)?.ok_or_else(other)?;
    let is_known = guardian.verified && email.is_verified;
    if guardian.email.key() != email.address.key() || !is_known && stepped_up.is_none() {
        return Err(other());
    }
    if !guardian.verified {
        if guardians.have(change, &email.address)? {
            return Err(other());
        }
        if email.is_verified {
            guardians.prove(change, id)?;
        }
    }
    bind(change, account, id, now)
}

fn bind(
    change: &mut Change,
    account: &Redeemed,
    guardian: &GuardianId,
    now: Timestamp,
) -> Result<(), ProviderProblem> {
    let bound = Account {
        name: account.name.clone(),
        guardian: guardian.clone(),
        bound_at: now,
        lacks_auth_time: account.authenticated_at().is_none(),
    };
    store::bind(change, &bound)?;
    tracing::info!(%guardian, "an account at the provider was bound");
    Ok(())
}

/// Records whether a linked account's ID token contained `auth_time`.
pub fn record_auth_time(change: &mut Change, account: &Redeemed) -> Result<(), StoreError> {
    let lacks_auth_time = account.authenticated_at().is_none();
    match store::account(change, &account.name)? {
        Some(bound) if bound.lacks_auth_time != lacks_auth_time => {
            let bound = Account {
                lacks_auth_time,
                ..bound
            };
            store::put(change, &bound)
        }
        _ => Ok(()),
    }
}
