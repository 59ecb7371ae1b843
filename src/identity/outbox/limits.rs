//! How often links may be asked for. Limits by where a request comes from alone are the server's.
//!
//! Letters to one address are limited in two ways: what one network may ask for, and what arrives in all,
//! so that nobody's inbox is filled by a stranger from many networks. Requests from a home (a household from
//! which a guardian, whichever, was signed in) are counted apart from all others, so that strangers never
//! use up what a parent at home needs. None of it looks at whether somebody has the address.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::identity::IdentityError;
use crate::kernel::clock::Clock;
use crate::kernel::limit::{Leniency, Limit, LimitKey, Rate, take_all};
use crate::kernel::mail::EmailAddress;
use crate::kernel::origin::Origin;

/// Links for one address, asked for from one network: impatience asks three times, and three links work at
/// a time.
const LINKS_FROM_ONE_NETWORK: Rate = Rate::new(5, Duration::from_secs(5 * 60));

/// Links for one address, asked for from all homes, and from everywhere else: so that at most 44 letters
/// arrive in the first hour, and 24 in each hour after that.
const LINKS: Rate = Rate::new(10, Duration::from_secs(5 * 60));

/// A hashed key.
type Hashed = [u8; 32];

impl LimitKey for Hashed {
    fn group(&self) -> impl std::hash::Hash {
        *self
    }
}

/// How many links were asked for.
pub struct LinkLimits {
    /// By the address and the network.
    links_from_one_network: Limit<Hashed>,
    /// By the address, whether anybody has it or not.
    links_from_homes: Limit<Hashed>,
    links_from_elsewhere: Limit<Hashed>,
}

impl LinkLimits {
    /// Limits that have counted nothing yet.
    pub fn new(leniency: Leniency, clock: &Clock) -> Self {
        let links = |rate| Limit::new(rate, leniency, clock.clone());
        Self {
            links_from_one_network: links(LINKS_FROM_ONE_NETWORK),
            links_from_homes: links(LINKS),
            links_from_elsewhere: links(LINKS),
        }
    }

    /// Counts one more link for an address.
    pub fn take_link(
        &self,
        email: &EmailAddress,
        origin: Option<&Origin>,
    ) -> Result<(), IdentityError> {
        let email = email.key();
        let network = origin.map(|origin| origin.network.to_string());
        let email_and_network = format!("{email} {}", network.unwrap_or_default());
        let from_all = if origin.is_some_and(|origin| origin.is_home) {
            &self.links_from_homes
        } else {
            &self.links_from_elsewhere
        };
        take_all([
            (&self.links_from_one_network, hash(&email_and_network)),
            (from_all, hash(&email)),
        ])
        .map_err(IdentityError::TooManyLinks)
    }
}

fn hash(text: &str) -> Hashed {
    Sha256::digest(text.as_bytes()).into()
}
