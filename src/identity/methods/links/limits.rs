//! Limits on requesting links for one address. Those by network alone are in [`api`](crate::identity::api).
//!
//! E-mails to one address are limited in two ways. A network that requests too many is refused. In total they are limited,
//! too, so that a stranger with many networks can't flood an inbox; but a request beyond that is answered like any other, and
//! only sends no further e-mail: the first request may be legitimate, and the latest links in the inbox work for [half an
//! hour](crate::identity::methods::links::link::LIFE). Requests from homes (households where any guardian was signed in) are
//! counted separately, so that strangers never use up what a parent at home needs. None of this depends on whether a guardian
//! has the address.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::kernel::host::clock::Clock;
use crate::kernel::http::limit::{Limit, LimitKey, LimitMode, Rate, TooMany};
use crate::kernel::http::origin::Origin;
use crate::kernel::outgoing::mail::EmailAddress;

/// Limits links for one address requested from one network: an impatient person asks three times, and three links work at a time.
const LINKS_FROM_ONE_NETWORK: Rate = Rate::new(5, Duration::from_secs(5 * 60));

/// Limits links for one address requested from all homes, and separately from everywhere else: at most 44 e-mails arrive in the
/// first hour, and 24 in each further hour.
const LINKS: Rate = Rate::new(10, Duration::from_secs(5 * 60));

type Hashed = [u8; 32];

impl LimitKey for Hashed {
    fn group(&self) -> impl std::hash::Hash {
        *self
    }
}

pub struct LinkLimits {
    /// By address and network.
    links_from_one_network: Limit<Hashed>,
    /// By address, whether or not a guardian has it.
    links_from_homes: Limit<Hashed>,
    links_from_elsewhere: Limit<Hashed>,
}

impl LinkLimits {
    pub fn new(limit_mode: LimitMode, clock: &Clock) -> Self {
        let links = |rate| Limit::new(rate, limit_mode, clock.clone());
        Self {
            links_from_one_network: links(LINKS_FROM_ONE_NETWORK),
            links_from_homes: links(LINKS),
            links_from_elsewhere: links(LINKS),
        }
    }

    /// Counts a link for an address. Returns whether an e-mail may be sent for it. Fails if the network requested too many for
    /// the address.
    pub fn take_link(
        &self,
        email: &EmailAddress,
        origin: Option<&Origin>,
    ) -> Result<bool, TooMany> {
        let email = email.key();
        let network = origin.map(|origin| origin.network.to_string());
        let email_and_network = format!("{email} {}", network.unwrap_or_default());
        let from_all = if origin.is_some_and(|origin| origin.is_home) {
            &self.links_from_homes
        } else {
            &self.links_from_elsewhere
        };
        self.links_from_one_network.take(hash(&email_and_network))?;
        Ok(from_all.take(hash(&email)).is_ok())
    }
}

fn hash(text: &str) -> Hashed {
    Sha256::digest(text.as_bytes()).into()
}
