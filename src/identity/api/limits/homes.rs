//! The households from which somebody was signed in lately.
//!
//! Each has its own counts and connections, which a stranger cannot exhaust from any number of addresses. They are kept in
//! memory only, so that no family's address is stored; after a restart the first token that is issued adds the
//! household again.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use ipnet::IpNet;

use crate::kernel::http::networks::{household, network};

/// The maximum number of households. Only a valid credential adds one, so strangers cannot fill the table.
const MOST: usize = 1024;

/// The maximum number in one network, so that one guest with a /48 cannot fill the table either.
const MOST_OF_A_NETWORK: usize = 64;

/// The households, and when each was last seen. Clones share them.
#[derive(Clone, Default)]
pub struct Homes(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    last: u64,
    at: HashMap<IpNet, u64, RandomState>,
}

impl Homes {
    /// Whether somebody was signed in from this address's household.
    pub fn include(&self, address: IpAddr) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.at.contains_key(&household(address))
    }

    /// Records that somebody is signed in there. If the table is full, the household last seen longest ago is removed.
    pub fn add(&self, household: IpNet) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.last += 1;
        let now = seen.last;
        if let Some(at) = seen.at.get_mut(&household) {
            *at = now;
            return;
        }
        seen.make_room_for(household);
        seen.at.insert(household, now);
    }
}

impl Seen {
    fn make_room_for(&mut self, household: IpNet) {
        let around = network(household.addr());
        let is_neighbour = |other: &IpNet| network(other.addr()) == around;
        let neighbours = self.at.keys().filter(|other| is_neighbour(other)).count();
        let neighbours_alone = neighbours >= MOST_OF_A_NETWORK;
        if !neighbours_alone && self.at.len() < MOST {
            return;
        }
        let candidates = self
            .at
            .iter()
            .filter(|(other, _)| !neighbours_alone || is_neighbour(other));
        let longest_ago = candidates.min_by_key(|(_, at)| **at);
        if let Some(longest_ago) = longest_ago.map(|(household, _)| *household) {
            self.at.remove(&longest_ago);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One address in each network.
    fn address(number: u32) -> IpAddr {
        IpAddr::from((number << 8).to_be_bytes())
    }

    #[test]
    fn the_home_that_was_seen_longest_ago_makes_room() {
        let homes = Homes::default();
        for number in 0..1024 {
            homes.add(household(address(number)));
        }

        homes.add(household(address(0)));
        homes.add(household(address(5000)));

        let included = [0, 1, 2, 5000].map(|number| homes.include(address(number)));
        assert_eq!(included, [true, false, true, true]);
    }

    #[test]
    fn one_network_fills_no_more_than_its_share() {
        let homes = Homes::default();
        let parent = address(7);
        homes.add(household(parent));
        let guest = |subnet: u32| {
            let bits = (0x2001_0db8 << 96) | (u128::from(subnet) << 64);
            IpAddr::from(bits.to_be_bytes())
        };

        for subnet in 0..5000 {
            homes.add(household(guest(subnet)));
        }

        assert!(homes.include(parent));
        let included = (0..5000).filter(|subnet| homes.include(guest(*subnet)));
        assert_eq!(included.count(), 64);
    }
}
