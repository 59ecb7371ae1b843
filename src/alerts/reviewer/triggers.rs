//! What follows for the reviewer when a guardian leaves a child or signs out everywhere, and when a session is written.

use super::store::{self, Consent};
use crate::children::history::{self, Changed, Entry};
use crate::children::{self, ChildId};
use crate::conversations::transcripts;
use crate::identity::{GUARDIAN_RECORDS, Guardian, GuardianId, Guardians, guardians_in};
use crate::kernel::store::{Change, Read, StoreError, Trigger, readable};

pub const TRIGGERS: [Trigger; 3] = [
    Trigger {
        table: children::GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in children::former_guardians_in(change, keys)? {
                forget(change, child, &guardian)?;
            }
            Ok(())
        },
    },
    Trigger {
        table: GUARDIAN_RECORDS,
        run: |change, keys| {
            for id in guardians_in(keys) {
                if let Some(guardian) = Guardians::find_readable(change, &id)? {
                    end_if_signed_out(change, &guardian)?;
                }
            }
            Ok(())
        },
    },
    Trigger {
        table: transcripts::SESSION_TABLE,
        run: |change, keys| {
            // Those of deleted and moved sessions are gone.
            let mut present = Vec::new();
            for key in keys {
                if change.contains(key)? {
                    present.push(key.clone());
                }
            }
            for (child, session) in transcripts::sessions_at(&present) {
                store::enqueue(change, child, session)?;
            }
            Ok(())
        },
    },
];

fn readable_consent(change: &Change, child: ChildId) -> Result<Option<Consent>, StoreError> {
    Ok(readable(store::consent(change, child))?.flatten())
}

/// Removes a former guardian's consent and answers. Unreadable records stay; they permit nothing.
fn forget(change: &mut Change, child: ChildId, guardian: &GuardianId) -> Result<(), StoreError> {
    if let Some(mut consent) = readable_consent(change, child)? {
        if consent.by == *guardian {
            store::remove_consent(change, child)?;
        } else if consent.agreement.forget(guardian) {
            store::put_consent(change, child, &consent)?;
        }
    }
    let at_home = readable(store::at_home(change, child))?.flatten();
    if at_home.is_some_and(|at_home| at_home.by == *guardian) {
        store::put_at_home(change, child, None)?;
    }
    Ok(())
}

/// Switches the reviewer off where it needs the consent of a guardian who was signed out everywhere since. All guardians of the
/// child see it in the history, as if this one had done so on the page.
fn end_if_signed_out(change: &mut Change, guardian: &Guardian) -> Result<(), StoreError> {
    for child in store::children_with_consent(change)? {
        let Some(consent) = readable_consent(change, child)? else {
            continue;
        };
        let is_theirs = consent.by == guardian.id && consent.ended_at.is_none();
        if is_theirs && consent.sign_out_count != guardian.sign_out_count {
            store::remove_consent(change, child)?;
            let at = guardian.signed_out_at.unwrap_or(consent.at);
            let entry = Entry::new(at, Changed::ReviewerOff, Some(guardian.id.clone()));
            history::record(change, child, entry)?;
        }
    }
    Ok(())
}
