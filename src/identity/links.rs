//! Links as they are made and replaced. What one link does is in [`link`].

use super::link::{self, Link, LinkState};
use super::{Identity, IdentityError, store};
use crate::kernel::mail::EmailAddress;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Purpose, StoreError};

/// How many links to addresses that no guardian has are kept when they are swept.
pub(super) const STRANGERS_AT_MOST: usize = 5_000;

impl Identity {
    /// Makes a link, if it `is_wanted` at the moment of the change; of more than three live ones one ends.
    pub(super) async fn make_link(
        &self,
        link: Link,
        is_wanted: impl FnOnce(&Change) -> Result<bool, StoreError> + Send + 'static,
    ) -> Result<Option<Secret>, StoreError> {
        let token = Secret::generate(SecretKind::Link, &self.randomness);
        let hash = token.hash();
        let made = self.store.commit_for(Purpose::Essential, move |change| {
            let is_wanted = is_wanted(change)?;
            if is_wanted {
                store::forget_old_links(change, &link.owner(), link.made_at)?;
                replace_oldest(change, &link)?;
                store::put_link(change, hash, &link)?;
            }
            Ok::<_, StoreError>(is_wanted)
        });
        Ok(made.await??.then_some(token))
    }

    /// Forgets links to addresses that no guardian has; a guardian's go when the next one is made.
    pub(super) async fn forget_strangers_links(&self) {
        let now = self.clock.now();
        let forgotten = self.store.commit_for(Purpose::Essential, move |change| {
            store::forget_strangers_links(change, STRANGERS_AT_MOST, now)
        });
        if let Err(error) = forgotten.await.and_then(|inner| inner) {
            tracing::warn!(%error, "old links could not be forgotten; it is tried again");
        }
    }

    /// The address that a link's token stands in: in the fragment, which no server and no referrer sees.
    pub(super) fn link_url(&self, token: &Secret) -> String {
        self.public_url()
            .page(&format!("/finish-sign-in#token={}", token.reveal()))
    }

    /// A link for the administrator to pass on: the way in where there is no mail.
    ///
    /// # Errors
    ///
    /// [`IdentityError::NoSuchGuardian`].
    pub async fn link_for(&self, email: &EmailAddress) -> Result<String, IdentityError> {
        let guardian = self.get_guardian(&self.store, email)?;
        let id = guardian.id.clone();
        let link = Link::new(Some(guardian.id), guardian.email, self.clock.now());
        let made = self.make_link(link.asked_from_home(true), move |change| {
            Ok(store::guardian(change, &id)?.is_some())
        });
        let token = made.await?;
        let token = token.ok_or_else(|| IdentityError::NoSuchGuardian(email.clone()))?;
        Ok(self.link_url(&token))
    }
}

/// Makes room for one more live link. The first to go are those that weren't asked for from a home, the
/// oldest first: a stranger who asks again and again ends links of strangers.
fn replace_oldest(change: &mut Change, link: &Link) -> Result<(), StoreError> {
    let mut live = store::links(change, &link.owner())?;
    live.retain(|(_, other)| other.is_live(link.made_at));
    live.sort_by_key(|(_, other)| other.from_home);
    let surplus = (live.len() + 1).saturating_sub(link::LIVE_AT_MOST);
    for (hash, mut link) in live.into_iter().take(surplus) {
        link.state = LinkState::Replaced;
        store::put_link(change, hash, &link)?;
    }
    Ok(())
}
