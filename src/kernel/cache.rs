//! In-memory caches of bounded size with a fast hash.
//!
//! The standard library's hash (SipHash) resists collisions that an attacker chooses. Here every key was found valid before it is
//! inserted, and the hash is seeded anew at each start. One of the keys is the identity token of each call, five hundred
//! bytes long. According to callgrind, foldhash takes a fifth of the instructions.

use std::hash::Hash;

use foldhash::quality::RandomState;
use quick_cache::sync::{Cache as Quick, DefaultLifecycle};
use quick_cache::{UnitWeighter, Weighter};

/// A cache that several threads can read at once.
pub type Cache<K, V, W = UnitWeighter> = Quick<K, V, W, RandomState>;

/// A cache for about `items` entries, whose total weight is at most `weight`.
pub fn of_weight<K, V, W>(items: usize, weight: u64, weighter: W) -> Cache<K, V, W>
where
    K: Eq + Hash,
    V: Clone,
    W: Weighter<K, V> + Clone,
{
    let (hashing, lifecycle) = (RandomState::default(), DefaultLifecycle::default());
    Quick::with(items, weight, weighter, hashing, lifecycle)
}

pub fn of_items<K: Eq + Hash, V: Clone>(items: usize) -> Cache<K, V> {
    of_weight(items, items as u64, UnitWeighter)
}
