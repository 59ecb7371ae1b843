//! Whether guardians get alerts if a child is hurt at home.

use super::consents::Consents;
use super::error::ReviewerError;
use super::store::{self, AtHome};
use crate::children::ChildId;
use crate::children::history::Changed;
use crate::identity::SignedIn;
use crate::kernel::store::{Purpose, Read, StoreError, readable};

impl Consents {
    /// The guardian who asked for alerts of being hurt at home. An unreadable record counts as none.
    pub fn at_home(&self, view: &impl Read, child: ChildId) -> Result<Option<AtHome>, StoreError> {
        Ok(readable(store::at_home(view, child))?.flatten())
    }

    /// Decides whether the guardians get alerts if the child is hurt at home. Beginning requires stepping up. Idempotent.
    pub async fn tell_of_home(
        &self,
        by: &SignedIn,
        child: ChildId,
        on: bool,
    ) -> Result<(), ReviewerError> {
        let signed_in = by.clone();
        let purpose = Purpose::essential_if(!on);
        self.change(
            purpose,
            by.guardian(),
            child,
            move |consents, change, access, by| {
                if on {
                    consents.sign_ins.require_step_up_in(change, &signed_in)?;
                }
                if consents.at_home(change, child)?.is_some() == on {
                    return Ok(());
                }
                let asked = on.then(|| AtHome {
                    by: by.clone(),
                    at: consents.clock.now(),
                });
                store::put_at_home(change, child, asked.as_ref())?;
                let what = if on {
                    Changed::ReviewerHomeOn
                } else {
                    Changed::ReviewerHomeOff
                };
                consents.record(change, access, what, by, None)
            },
        )
        .await
    }
}
