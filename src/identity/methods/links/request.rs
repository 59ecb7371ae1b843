//! Requests for a link by e-mail, and making links.
//!
//! A request queues a record for the address and is answered, whether or not a guardian has the address: it is looked up when the
//! e-mail is sent. The token is generated then, and its hash committed. Once all of the e-mail was sent, the link's thirty
//! minutes start.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::limits::LinkLimits;
use super::link::{LIVE_AT_MOST, Link, LinkState};
use super::{Links, store};
use crate::identity::accounts::guardians::Guardian;
use crate::identity::accounts::unverified::UnverifiedAddresses;
use crate::identity::emails;
use crate::identity::environment::Environment;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::http::limit::TooMany;
use crate::kernel::http::origin::Origin;
use crate::kernel::http::problem::refusals;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, Lane, NoAnswer, Outcome, Places, Policy, QueueError,
};
use crate::kernel::store::{Change, Purpose, Store, StoreError};

/// How long an e-mail with a link is retried: by then the parent has requested another.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(60 * 60);

/// Why no link is sent.
#[derive(Debug, thiserror::Error)]
pub enum LinkRequestError {
    /// The limit of sign-in links for this address is reached, whether or not a guardian has it.
    #[error(
        "Your network asked for several sign-in links to this address. Please look for the latest email, \
         or try again in a few minutes."
    )]
    TooMany(TooMany),
    #[error(transparent)]
    Queue(#[from] QueueError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    LinkRequestError from Queue, Store {
        TooMany(limit) => too_many(TooManyLinks, limit.seconds),
    }
}

/// What is queued for an address.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
struct LinkRequest {
    email: EmailAddress,
    /// Whether it was requested from a household where a guardian was signed in.
    from_home: bool,
    /// The language of the browser that requested it.
    language: Option<Language>,
}

#[derive(Clone)]
pub struct LinkRequests {
    store: Store,
    sign_in_link: Kind<LinkRequest>,
    limits: Arc<LinkLimits>,
}

impl LinkRequests {
    pub(in crate::identity) fn new(
        environment: &Environment,
        links: Links,
        unverified: UnverifiedAddresses,
    ) -> Self {
        let Environment {
            store,
            clock,
            queue,
            limits,
            ..
        } = environment.clone();
        let sign_in_link = queue.register(SignInLink {
            sends_email: queue.sends_email(),
            links,
            unverified,
        });
        Self {
            store,
            sign_in_link,
            limits: Arc::new(LinkLimits::new(limits, &clock)),
        }
    }

    /// Queues an e-mail with a link to this address, whether or not a guardian has it, unless many were sent to it lately.
    /// `language` is the browser's.
    pub async fn request(
        &self,
        email: EmailAddress,
        language: Option<Language>,
        origin: Option<&Origin>,
    ) -> Result<(), LinkRequestError> {
        // Before looking the address up, so that the limit is the same for unknown addresses.
        let taken = self.limits.take_link(&email, origin);
        if !taken.map_err(LinkRequestError::TooMany)? {
            return Ok(());
        }
        let mut request = LinkRequest {
            from_home: origin.is_some_and(|origin| origin.is_home),
            email,
            language,
        };
        let kind = self.sign_in_link.clone();
        let queued = self.store.commit_for(Purpose::Essential, move |change| {
            let recipient = request.email.key();
            let before = kind.data(change, &recipient, "")?;
            request.from_home |= before.is_some_and(|before| before.from_home);
            kind.put(change, &Item::new(&recipient, "", request))
        });
        Ok(queued.await?)
    }

    /// Removes the e-mail queued for this address.
    pub(in crate::identity) fn forget(
        &self,
        change: &mut Change,
        email: &EmailAddress,
    ) -> Result<(), StoreError> {
        self.sign_in_link.forget(change, &email.key())
    }
}

/// E-mails with a sign-in link.
struct SignInLink {
    sends_email: bool,
    links: Links,
    unverified: UnverifiedAddresses,
}

impl SignInLink {
    fn guardian(
        &self,
        change: &Change,
        email: &EmailAddress,
    ) -> Result<Option<Guardian>, StoreError> {
        self.links.guardians.find_by_email(change, email)
    }
}

impl Composer for SignInLink {
    type Data = LinkRequest;

    fn policy(&self) -> Policy {
        Policy {
            name: "sign-in-link",
            places: Places::Shared(500),
            gives_up_after: GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::CountsAsSent,
        }
    }

    fn lane(
        &self,
        change: &mut Change,
        item: &Item<Self::Data>,
    ) -> Result<Option<Lane>, StoreError> {
        let guardian = self.guardian(change, &item.data.email)?;
        if !self.sends_email {
            if let Some(guardian) = guardian {
                tracing::warn!(
                    guardian = %guardian.id,
                    "a sign-in link was asked for, but no mail server is configured: \
                     use `porchlight sign-in-link`"
                );
            }
            return Ok(None);
        }
        Ok(match guardian {
            Some(_) => Some(Lane::Security),
            None => self.links.guardians.open_sign_up.then_some(Lane::Strangers),
        })
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let LinkRequest {
            email,
            from_home,
            language,
        } = item.data;
        let guardian = self.guardian(change, &email)?;
        let token = Secret::generate(SecretKind::Link, &self.links.randomness);
        let url = self.links.url(&token);
        let composed: Composed = match &guardian {
            Some(guardian) => emails::sign_in(guardian, language, &url).into(),
            None if !self.links.guardians.open_sign_up => return Ok(None),
            None => match self.unverified.permit(change, &email)? {
                Some(permit) => {
                    let language = language.unwrap_or_default();
                    emails::sign_up(&email, language, &url).permitted(permit)
                }
                None => return Ok(None),
            },
        };
        let id = guardian.map(|guardian| guardian.id);
        let link = Link::new(id, email, self.links.clock.now()).asked_from_home(from_home);
        put_new(change, token.hash(), &link)?;
        let hash = token.hash();
        Ok(Some(composed.with_outcome(
            move |change, outcome| match outcome {
                Outcome::Sent(at) => begin_life(change, hash, at),
                Outcome::NotSent | Outcome::Gone => take_back(change, hash),
            },
        )))
    }
}

/// Stores a new link, after ending others so that at most three are live.
pub(super) fn put_new(
    change: &mut Change,
    hash: SecretHash,
    link: &Link,
) -> Result<(), StoreError> {
    store::forget_old(change, &link.owner(), link.made_at)?;
    replace_oldest(change, link)?;
    store::put(change, hash, link)
}

/// Starts the thirty minutes of a link at the time when its e-mail was sent. Doesn't revive a used or replaced link.
fn begin_life(change: &mut Change, token: SecretHash, at: Timestamp) -> Result<(), StoreError> {
    match store::link(change, token)? {
        Some(mut link) if link.state == LinkState::Live => {
            store::remove(change, token, &link)?;
            link.made_at = at;
            store::put(change, token, &link)
        }
        _ => Ok(()),
    }
}

/// Removes a link whose e-mail was not delivered.
fn take_back(change: &mut Change, token: SecretHash) -> Result<(), StoreError> {
    match store::link(change, token)? {
        Some(link) => store::remove(change, token, &link),
        None => Ok(()),
    }
}

/// Ends links until one more may be live. Links requested from households where no guardian was signed in end first, the oldest
/// of them first: a stranger's repeated requests end only strangers' links.
fn replace_oldest(change: &mut Change, link: &Link) -> Result<(), StoreError> {
    let mut live = store::links(change, &link.owner())?;
    live.retain(|(_, other)| other.is_live(link.made_at));
    live.sort_by_key(|(_, other)| other.from_home);
    let surplus = (live.len() + 1).saturating_sub(LIVE_AT_MOST);
    for (hash, mut link) in live.into_iter().take(surplus) {
        link.state = LinkState::Replaced;
        store::put(change, hash, &link)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
