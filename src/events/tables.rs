//! Which children and parts of them a group of writes changed.

use super::What;
use crate::children::ChildId;
use crate::children::feature::Shown;
use crate::identity::GuardianId;
use crate::kernel::store::Written;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    One(What),
    Anything,
}

/// Calls `note` for each child and thing that a group of writes changed. May repeat a pair.
pub(super) fn changes_in(
    shown: &[&Shown],
    written: &Written,
    mut note: impl FnMut(ChildId, Change),
) {
    for shown in shown {
        let (change, tables) = match shown {
            Shown::Sessions(sessions_in) => {
                for (child, session) in sessions_in(written) {
                    note(child, Change::One(What::Session(session)));
                }
                continue;
            }
            // They are notified by guardian, regardless of the child on their screen.
            Shown::Guardians(..) => continue,
            Shown::Part(name, tables) => (Change::One(What::Part(name)), tables()),
            Shown::Everything(tables) => (Change::Anything, tables.to_vec()),
        };
        for child in tables
            .into_iter()
            .flat_map(|table| written.numbers_in(table))
        {
            note(ChildId::new(child), change);
        }
    }
}

/// Calls `note` for each guardian and thing of theirs that a group of writes changed.
pub(super) fn changes_of_guardians(
    shown: &[&Shown],
    written: &Written,
    mut note: impl FnMut(&GuardianId, What),
) {
    for shown in shown {
        if let Shown::Guardians(name, guardians_in) = shown {
            for guardian in guardians_in(written) {
                note(&guardian, What::Part(name));
            }
        }
    }
}
