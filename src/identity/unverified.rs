//! E-mails to addresses that never answered one. They may be anybody's, so each gets few, whoever causes them, and none holds
//! what somebody else wrote: such an e-mail is made of its template and a link alone, and needs a [`Permit`].

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::guardians::Guardians;
use crate::kernel::clock::Clock;
use crate::kernel::limit::{Leniency, Limit, LimitKey, Rate};
use crate::kernel::mail::EmailAddress;
use crate::kernel::store::{Store, StoreError};

/// How many e-mails such an address gets: three in any 24 hours at most.
const EMAILS: Rate = Rate::new(3, Duration::from_secs(24 * 60 * 60));

/// A hashed address.
#[derive(Clone, PartialEq, Eq, Hash)]
struct HashedAddress([u8; 32]);

impl LimitKey for HashedAddress {
    fn group(&self) -> impl std::hash::Hash {
        self.clone()
    }
}

/// Leave to send one e-mail to an address that never answered one.
pub struct Permit(());

/// Counts these e-mails. Clones share the counts.
#[derive(Clone)]
pub struct UnverifiedAddresses {
    store: Store,
    guardians: Guardians,
    sent: Arc<Limit<HashedAddress>>,
}

impl UnverifiedAddresses {
    pub fn new(store: Store, clock: Clock, guardians: Guardians, limits: Leniency) -> Self {
        Self {
            store,
            guardians,
            sent: Arc::new(Limit::new(EMAILS, limits, clock)),
        }
    }

    /// Counts one more e-mail to an address, unless a guardian has answered one from there. `None` when it gets none today:
    /// whoever causes the e-mail must not be told.
    pub fn permit(&self, to: &EmailAddress) -> Result<Option<Permit>, StoreError> {
        if self.guardians.have(&self.store, to)? {
            return Ok(Some(Permit(())));
        }
        let hash = HashedAddress(Sha256::digest(to.key().as_bytes()).into());
        Ok(self.sent.take(hash).is_ok().then_some(Permit(())))
    }
}
