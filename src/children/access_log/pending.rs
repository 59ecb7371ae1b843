//! What was noted today, in memory until it is written.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::store::{AccessDay, Marks};
use crate::children::{ChildId, SessionId};

/// The maximum number of days in memory, of some 200 bytes each. Written ones are dropped first.
const MOST: usize = 4096;

/// How many conversations a day a guardian may glance at in one child's transcripts.
const GLANCES: usize = 3;

#[derive(Debug, Default)]
struct Day {
    noted: Marks,
    written: Marks,
    /// The conversations that were only glanced at.
    glanced: Vec<SessionId>,
}

#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<HashMap<AccessDay, Day>>);

impl Pending {
    fn days(&self) -> MutexGuard<'_, HashMap<AccessDay, Day>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does nothing if the memory limit is reached.
    pub(super) fn record(&self, place: AccessDay, marks: Marks) {
        self.change(place, |day| day.noted = day.noted.with(marks));
    }

    /// Whether the beginning of this conversation still counts as a glance. Once it did, it does for the rest of the day: a page
    /// keeps showing the conversation after a newer one began.
    pub(super) fn is_glance(&self, place: &AccessDay, session: SessionId, is_newest: bool) -> bool {
        let is_glance = |day: &mut Day| {
            let is_known = day.glanced.contains(&session);
            let is_new = !is_known && is_newest && day.glanced.len() < GLANCES;
            if is_new {
                day.glanced.push(session);
            }
            is_known || is_new
        };
        self.change(place.clone(), is_glance).unwrap_or(false)
    }

    /// `None` if the memory limit is reached.
    fn change<T>(&self, place: AccessDay, change: impl FnOnce(&mut Day) -> T) -> Option<T> {
        let mut days = self.days();
        if days.len() >= MOST && !days.contains_key(&place) {
            days.retain(|_, day| day.noted != day.written);
        }
        if days.len() >= MOST && !days.contains_key(&place) {
            return None;
        }
        Some(change(days.entry(place).or_default()))
    }

    pub(super) fn unwritten(&self) -> Vec<(AccessDay, Marks)> {
        let days = self.days();
        let unwritten = days.iter().filter(|(_, day)| day.noted != day.written);
        unwritten
            .map(|(place, day)| (place.clone(), day.noted))
            .collect()
    }

    pub(super) fn record_written(&self, written: &[(AccessDay, Marks)]) {
        let mut days = self.days();
        for (place, marks) in written {
            if let Some(day) = days.get_mut(place) {
                day.written = *marks;
            }
        }
    }

    pub(super) fn of_child(&self, child: ChildId) -> Vec<(AccessDay, Marks)> {
        let mut unwritten = self.unwritten();
        unwritten.retain(|(place, _)| place.child == child);
        unwritten
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::Who;
    use super::*;
    use crate::identity::GuardianId;

    fn place(child: u64) -> AccessDay {
        AccessDay {
            child: ChildId::new(child),
            who: Who::Guardian(GuardianId::from_text("gdn_ada")),
            day: "2026-11-23".parse().unwrap(),
        }
    }

    #[test]
    fn what_is_written_is_not_written_again_until_something_new_is_noted() {
        let pending = Pending::default();
        pending.record(place(1), Marks::READ);
        let all = pending.unwritten();
        assert_eq!(all, [(place(1), Marks::READ)]);
        // Noted while the first is being written.
        pending.record(place(1), Marks::SEARCHED);
        pending.record_written(&all);

        let both = Marks::READ.with(Marks::SEARCHED);
        assert_eq!(pending.unwritten(), [(place(1), both)]);
        pending.record_written(&pending.unwritten());
        pending.record(place(1), Marks::READ);
        assert_eq!(pending.unwritten(), []);
    }

    #[test]
    fn memory_is_bounded_and_what_is_written_gives_way() {
        let pending = Pending::default();
        for child in 0..MOST as u64 {
            pending.record(place(child), Marks::READ);
        }
        pending.record(place(5000), Marks::READ);
        assert_eq!(pending.days().len(), MOST);
        assert_eq!(pending.of_child(ChildId::new(5000)), []);

        pending.record_written(&pending.unwritten());
        pending.record(place(5000), Marks::READ);

        assert_eq!(pending.unwritten(), [(place(5000), Marks::READ)]);
        assert_eq!(pending.days().len(), 1);
    }

    #[test]
    fn only_the_newest_conversations_are_glanced_at_and_three_a_day() {
        let pending = Pending::default();
        let is_glance =
            |session, is_newest| pending.is_glance(&place(1), SessionId::new(session), is_newest);
        assert!(!is_glance(1, false));
        assert!(is_glance(2, true));
        assert!(is_glance(2, false));
        assert!(is_glance(3, true));
        assert!(is_glance(4, true));
        assert!(!is_glance(5, true));
        assert!(is_glance(4, true));
    }
}
