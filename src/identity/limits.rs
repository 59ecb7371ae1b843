//! How often one address may ask for a link, and one assistant may write. Limits by where a request comes
//! from are the server's.

use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Identity, IdentityError};
use crate::kernel::clock::Clock;
use crate::kernel::ids::AssistantId;
use crate::kernel::limit::{Leniency, Limit, Rate};
use crate::kernel::mail::EmailAddress;

/// Links for one address: impatience asks three times, and three links work at a time; then one each five
/// minutes, so that nobody's inbox is filled by a stranger from many networks.
const LINKS: Rate = Rate::new(5, Duration::from_secs(5 * 60));

/// An assistant's writes: after a day without a network it brings all it has, a thousand requests of a
/// thousand messages; live, fifty a second are ten for each of five children who all talk at once.
const WRITES: Rate = Rate::new(1000, Duration::from_millis(20));

/// Identity's own limits.
pub struct Limits {
    /// By the hash of the address, whether anybody has it or not.
    links: Limit<[u8; 32]>,
    writes: Limit<AssistantId>,
}

impl Limits {
    /// Limits that have counted nothing yet.
    pub fn new(leniency: Leniency, clock: &Clock) -> Self {
        Self {
            links: Limit::new(LINKS, leniency, clock.clone()),
            writes: Limit::new(WRITES, leniency, clock.clone()),
        }
    }

    /// Counts one more link for an address.
    pub fn take_link(&self, email: &EmailAddress) -> Result<(), IdentityError> {
        let key = Sha256::digest(email.key().as_bytes()).into();
        self.links.take(&key).map_err(IdentityError::TooManyLinks)
    }
}

impl Identity {
    /// Counts one more write of an assistant's.
    ///
    /// # Errors
    ///
    /// [`IdentityError::TooManyWrites`].
    pub fn take_write(&self, assistant: &AssistantId) -> Result<(), IdentityError> {
        let writes = &self.limits.writes;
        writes.take(assistant).map_err(IdentityError::TooManyWrites)
    }
}
