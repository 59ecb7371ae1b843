//! When somebody stops being a child's guardian, their invitations and answers for that child are removed, and don't come back if
//! they become its guardian again. The same applies to kept keys when an assistant's key no longer covers the child.

use super::{assistants, invitations};
use crate::children;
use crate::identity::AssistantId;
use crate::kernel::store::Trigger;

pub const TRIGGERS: [Trigger; 2] = [
    Trigger {
        table: children::GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in children::former_guardians_in(change, keys)? {
                assistants::forget_kept_by_or_from(change, child, &guardian)?;
                invitations::forget_former_guardian(change, child, &guardian)?;
            }
            Ok(())
        },
    },
    Trigger {
        table: children::ASSISTANTS,
        run: |change, keys| {
            for (child, assistant) in children::links_in(children::ASSISTANTS, keys) {
                assistants::forget_kept_of(change, child, &AssistantId::from_text(&assistant))?;
            }
            Ok(())
        },
    },
];
