//! When a guardian loses access to a child, it is forgotten which deleted sessions they were shown, and they keep none any more.

use super::store::{self, keeps};
use crate::children;
use crate::kernel::store::Trigger;

pub const TRIGGERS: [Trigger; 1] = [Trigger {
    table: children::GUARDIANS,
    run: |change, keys| {
        for (child, guardian) in children::former_guardians_in(change, keys)? {
            store::forget_shown_to(change, child, &guardian)?;
            keeps::forget_guardian(change, child, &guardian)?;
        }
        Ok(())
    },
}];
