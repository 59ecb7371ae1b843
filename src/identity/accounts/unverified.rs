//! E-mails to unverified addresses. They may be anybody's, so each address gets few e-mails, regardless of who causes them, and
//! none contains text written by another person: such an e-mail consists of fixed sentences and a link or a code, and requires an
//! [`EmailPermit`].

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::identity::accounts::guardians::Guardians;
use crate::kernel::host::clock::Clock;
use crate::kernel::http::limit::{Limit, LimitKey, LimitMode, Rate};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, StoreError};

/// Limits such an address to three e-mails in any 24 hours.
const EMAILS: Rate = Rate::new(3, Duration::from_secs(24 * 60 * 60));

#[derive(Clone, PartialEq, Eq, Hash)]
struct HashedAddress([u8; 32]);

impl LimitKey for HashedAddress {
    fn group(&self) -> impl std::hash::Hash {
        self.clone()
    }
}

/// Permission to send one e-mail to an address.
pub struct EmailPermit {
    /// The limit and key that counted the e-mail; `None` for a verified address.
    counted: Option<(Arc<Limit<HashedAddress>>, HashedAddress)>,
}

impl EmailPermit {
    /// To be called if the e-mail was not sent, so that it can be tried again.
    pub fn give_back(self) {
        if let Some((limit, address)) = self.counted {
            limit.give_back(address);
        }
    }
}

/// Limits the e-mails to each unverified address.
#[derive(Clone)]
pub struct UnverifiedAddresses {
    guardians: Guardians,
    sent: Arc<Limit<HashedAddress>>,
}

impl UnverifiedAddresses {
    pub fn new(clock: Clock, guardians: Guardians, limits: LimitMode) -> Self {
        Self {
            guardians,
            sent: Arc::new(Limit::new(EMAILS, limits, clock)),
        }
    }

    /// Counts an e-mail to an address, unless it is verified. `None` if the limit is reached: this must not be revealed to the
    /// person who causes the e-mail.
    pub fn permit(
        &self,
        change: &mut Change,
        to: &EmailAddress,
    ) -> Result<Option<EmailPermit>, StoreError> {
        if self.guardians.have(change, to)? {
            return Ok(Some(EmailPermit { counted: None }));
        }
        Ok(self.permit_typed(change, to))
    }

    /// [`Self::permit`] for an e-mail to a guardian who only typed the address: it counts even if another guardian has verified
    /// the address.
    pub fn permit_typed(&self, change: &mut Change, to: &EmailAddress) -> Option<EmailPermit> {
        let hash = HashedAddress(Sha256::digest(to.key().as_bytes()).into());
        let is_allowed = self.sent.take_in(change, hash.clone()).is_ok();
        let counted = Some((Arc::clone(&self.sent), hash));
        is_allowed.then_some(EmailPermit { counted })
    }
}
