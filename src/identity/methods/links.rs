//! Using and ending sign-in links. The rules for one link are in [`link`].

mod limits;
pub mod link;
pub mod request;
mod store;

use crate::identity::accounts::guardians::{GuardianName, GuardianNameError, Guardians};
use crate::identity::sessions::sign_ins::{
    BeginSignInError, Device, IssuedIdentity, Refresh, SignInContext, SignIns, Via,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, Purpose, Store, StoreError};

use link::{Link, LinkError, Owner};

pub use request::LinkRequests;
pub use store::{KINDS, NOT_RESTORED};

/// How many links to addresses of no guardian are kept when old ones are removed.
const STRANGERS_AT_MOST: usize = 5_000;

/// Why signing in with a link failed.
#[derive(Debug, thiserror::Error)]
pub enum LinkSignInError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error(transparent)]
    Begin(#[from] BeginSignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! { LinkSignInError from Link, Begin, Store }

#[derive(Clone)]
pub struct Links {
    pub(in crate::identity) store: Store,
    pub(in crate::identity) clock: Clock,
    pub(in crate::identity) randomness: Randomness,
    pub(in crate::identity) addresses: Addresses,
    pub(in crate::identity) guardians: Guardians,
}

impl Links {
    /// Uses up a link and signs its guardian in, in one change. A wrong address is counted.
    pub async fn sign_in(
        &self,
        sign_ins: &SignIns,
        email: EmailAddress,
        token: &str,
        device: Device,
    ) -> Result<(IssuedIdentity, Refresh), LinkSignInError> {
        let token = Secret::parse(SecretKind::Link, token).ok_or(LinkError::Unknown)?;
        let (hash, now) = (token.hash(), self.clock.now());
        let (links, of_change) = (self.clone(), sign_ins.clone());
        let used = self.store.commit_for(Purpose::Essential, move |change| {
            let link = match links.use_up(change, hash, &email, now)? {
                Ok(link) => link,
                Err(problem) => return Ok::<_, LinkSignInError>(Err(problem)),
            };
            let guardian = match &link.guardian {
                Some(guardian) => links.guardians.find_admitted(change, guardian)?,
                None => links.guardians.with_proven_address(change, &link.email)?,
            };
            let Some(guardian) = guardian else {
                return Ok(Err(LinkError::Unknown));
            };
            let via = Via::Link;
            let begun = if link.by_administrator {
                of_change.begin_stepped_up(change, &guardian, SignInContext { via, device })
            } else {
                of_change.begin(change, &guardian, SignInContext { via, device })
            };
            let (sign_in, refresh) = begun?;
            // A link sent by e-mail was used from the guardian's own mailbox, so only the administrator's links need a notice.
            if link.by_administrator {
                of_change.notify_by_email(change, &sign_in)?;
            }
            Ok(Ok((guardian, sign_in, refresh)))
        });
        let (guardian, sign_in, refresh) = used.await??;
        tracing::info!(guardian = %guardian.id, sign_in = %sign_in.id, "signed in");
        Ok((sign_ins.issue(guardian, &sign_in), refresh))
    }

    /// Uses the link with this token, and returns it. An inner error doesn't discard the change, so that the count of wrong
    /// addresses is stored.
    fn use_up(
        &self,
        change: &mut Change,
        token: SecretHash,
        email: &EmailAddress,
        now: Timestamp,
    ) -> Result<Result<Link, LinkError>, StoreError> {
        let Some(mut link) = store::link(change, token)? else {
            return Ok(Err(LinkError::Unknown));
        };
        let outcome = link.use_up(email, now);
        store::put(change, token, &link)?;
        Ok(outcome.map(|()| link))
    }

    /// Ends all links of a guardian, or of an address without a guardian.
    pub(in crate::identity) fn end_all(
        &self,
        change: &mut Change,
        owner: &Owner,
    ) -> Result<(), StoreError> {
        store::end_all(change, owner)
    }

    /// Removes links to addresses of no guardian: old ones, and all but the newest [`STRANGERS_AT_MOST`]. A guardian's old links
    /// are removed when the next one is made.
    pub async fn forget_strangers(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let forgotten = self.store.commit_for(Purpose::Essential, move |change| {
            store::forget_strangers(change, STRANGERS_AT_MOST, now)
        });
        forgotten.await
    }

    #[cfg(test)]
    pub(in crate::identity) fn count(&self, owner: &Owner) -> usize {
        store::links(&self.store, owner)
            .expect("it is readable")
            .len()
    }

    /// The link's URL. The token is in the fragment, which browsers send neither to servers nor in `Referer`.
    pub(in crate::identity) fn url(&self, token: &Secret) -> String {
        self.addresses
            .for_links()
            .page(&format!("/finish-sign-in#token={}", token.reveal()))
    }

    /// Makes a link for the administrator to pass on, for servers without e-mail.
    pub async fn link_for(&self, whom: &GuardianName) -> Result<String, GuardianNameError> {
        let guardian = self.guardians.named(&self.store, whom)?;
        let (guardians, id) = (self.guardians.clone(), guardian.id.clone());
        let gone = GuardianNameError::NoSuchId(id.clone());
        let link = Link::new(Some(guardian.id), guardian.email, self.clock.now());
        let token = Secret::generate(SecretKind::Link, &self.randomness);
        let hash = token.hash();
        let made = self.store.commit_for(Purpose::Essential, move |change| {
            guardians.reinstate(change, &id)?;
            guardians.find_by_id(change, &id)?.ok_or(gone)?;
            Ok::<_, GuardianNameError>(request::put_new(change, hash, &link.by_administrator())?)
        });
        made.await?;
        Ok(self.url(&token))
    }
}
