//! What was noted within the last hour, so that most reads need no day.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::store::{Marks, Place, Who};
use crate::children::ChildId;
use crate::identity::SignedIn;
use crate::kernel::clock::Timestamp;

/// How long an entry holds: the child's time zone may change meanwhile.
const HOLDS: Duration = Duration::from_secs(60 * 60);

/// The maximum number of children, and of readers of a child. Beyond it all are dropped.
const MOST_CHILDREN: usize = 4096;
const MOST_READERS: usize = 16;

#[derive(Debug)]
struct Entry {
    who: Who,
    from: Timestamp,
    until: Timestamp,
    noted: Marks,
}

#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<HashMap<ChildId, Vec<Entry>>>);

impl Recent {
    /// Whether these marks are already noted for the present day.
    pub(super) fn has(&self, child: ChildId, by: &SignedIn, marks: Marks, now: Timestamp) -> bool {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_child = entries.get(&child).map_or(&[][..], Vec::as_slice);
        of_child.iter().any(|entry| {
            entry.who.is(by)
                && (entry.from..entry.until).contains(&now)
                && entry.noted.with(marks) == entry.noted
        })
    }

    /// `day_ends` is the end of the place's day.
    pub(super) fn note(&self, place: Place, marks: Marks, now: Timestamp, day_ends: Timestamp) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= MOST_CHILDREN {
            entries.clear();
        }
        let of_child = entries.entry(place.child).or_default();
        let before = of_child.iter().position(|entry| entry.who == place.who);
        let before = before.map(|index| of_child.swap_remove(index));
        let still_holds = before.filter(|entry| (entry.from..entry.until).contains(&now));
        if of_child.len() >= MOST_READERS {
            of_child.clear();
        }
        of_child.push(still_holds.map_or(
            Entry {
                who: place.who,
                from: now,
                until: day_ends.min(now.after(HOLDS)),
                noted: marks,
            },
            |entry| Entry {
                noted: entry.noted.with(marks),
                ..entry
            },
        ));
    }
}
