//! What is kept in memory up to a size, found by a fast hash.
//!
//! The standard library's hash (SipHash) withstands keys that strangers chose to collide. Here only what was found to hold brings
//! one, an identity token of five hundred bytes with each call among them, and the hash has another seed at each start. By
//! callgrind foldhash takes a fifth of the instructions.

use std::hash::Hash;

use foldhash::quality::RandomState;
use quick_cache::sync::{Cache as Quick, DefaultLifecycle};
use quick_cache::{UnitWeighter, Weighter};

/// A cache in which several threads read at once.
pub type Cache<K, V, W = UnitWeighter> = Quick<K, V, W, RandomState>;

/// One for about `items`, which together weigh at most `weight`.
pub fn of_weight<K, V, W>(items: usize, weight: u64, weighter: W) -> Cache<K, V, W>
where
    K: Eq + Hash,
    V: Clone,
    W: Weighter<K, V> + Clone,
{
    let (hashing, lifecycle) = (RandomState::default(), DefaultLifecycle::default());
    Quick::with(items, weight, weighter, hashing, lifecycle)
}

/// One for so many items.
pub fn of_items<K: Eq + Hash, V: Clone>(items: usize) -> Cache<K, V> {
    of_weight(items, items as u64, UnitWeighter)
}
