//! The households from which a guardian was signed in lately.
//!
//! Each has counts of its own, so a stranger cannot exhaust them from any number of addresses. Kept in memory alone:
//! no address of a family is written anywhere, and after a restart the first token that is minted makes a household a
//! home again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ipnet::IpNet;

/// How many are kept. Only a sign-in adds one, so strangers cannot fill the table.
const MOST: usize = 1024;

/// Homes, and when each was last seen.
#[derive(Default)]
pub struct Homes(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    last: u64,
    at: HashMap<IpNet, u64>,
}

impl Homes {
    /// Whether a guardian was signed in from this household.
    pub fn include(&self, household: &IpNet) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.at.contains_key(household)
    }

    /// Notes that a guardian is signed in there. The one that was seen longest ago makes room.
    pub fn add(&self, household: IpNet) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.at.len() >= MOST && !seen.at.contains_key(&household) {
            let longest_ago = seen.at.iter().min_by_key(|(_, at)| **at);
            let longest_ago = longest_ago.map(|(household, _)| *household);
            longest_ago.and_then(|household| seen.at.remove(&household));
        }
        seen.last += 1;
        let now = seen.last;
        seen.at.insert(household, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn household(number: u32) -> IpNet {
        IpNet::from(std::net::IpAddr::from(number.to_be_bytes()))
    }

    #[test]
    fn the_home_that_was_seen_longest_ago_makes_room() {
        let homes = Homes::default();
        for number in 0..1024 {
            homes.add(household(number));
        }

        homes.add(household(0));
        homes.add(household(5000));

        let included = [0, 1, 2, 5000].map(|number| homes.include(&household(number)));
        assert_eq!(included, [true, false, true, true]);
    }
}
