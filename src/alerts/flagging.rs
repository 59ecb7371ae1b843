//! Alerts about what a reviewer's model pointed at, and which of them a guardian finds not worrying.

use super::concern::{Concern, Flag, Severity};
use super::store::{self, subject_of_concern};
use super::{Alert, Alerts, AlertsError, Kind};
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::identity::{Caller, GuardianId};
use crate::kernel::store::{Change, StoreError};

impl Alerts {
    /// Writes the alerts about findings in a session: one for each concern, in which later findings count. If a later one is
    /// the first that is urgent, the alert refers to it. After a later one the alert is open again for who dealt with it, after an
    /// urgent one also for who found it not worrying. [Known](Flag::is_known) words count once.
    pub fn record_flags(
        &self,
        change: &mut Change,
        child: ChildId,
        session: SessionId,
        flags: Vec<Flag>,
    ) -> Result<(), StoreError> {
        for flag in flags {
            let subject = subject_of_concern(flag.flagged.concern);
            let Some((key, alert)) = store::find(change, session, &None, subject)? else {
                let (now, at) = (self.clock.now(), flag.message.timestamp);
                let mut alert = Alert {
                    flagged: Some(flag.flagged),
                    ..Alert::new(Kind::Reviewer, now, at, session)
                };
                alert.message_id = Some(flag.message.message_id);
                self.add_for_all(change, child, subject, alert)?;
                continue;
            };
            let Some(mut alert) = alert else { continue };
            let is_urgent = flag.flagged.severity == Severity::Urgent;
            let becomes_urgent = is_urgent && !alert.is_urgent();
            if flag.is_known && !becomes_urgent {
                continue;
            }
            alert.count += 1;
            let mut reopened = std::mem::take(&mut alert.dealt_with);
            if is_urgent {
                reopened.append(&mut alert.not_worrying);
            }
            if becomes_urgent {
                alert.message_id = Some(flag.message.message_id);
                alert.at = flag.message.timestamp;
                alert.flagged = Some(flag.flagged);
                reopened.extend(self.all_guardians(change, child)?);
            }
            change.put(&key, &alert)?;
            self.notify_again(change, child, &alert, reopened)?;
        }
        Ok(())
    }

    /// The concerns that the guardian finds not worrying for this child.
    pub fn list_not_worrying(
        &self,
        access: &ChildAccess,
        guardian: &GuardianId,
    ) -> Result<Vec<Concern>, StoreError> {
        let found = store::get_not_worrying(&self.store, access.child(), guardian)?;
        Ok(found.0.into_iter().collect())
    }

    /// Replaces the concerns that the guardian finds not worrying for this child. Nobody else learns of it. Fails with
    /// [`AlertsError::GraveConcern`].
    pub async fn replace_not_worrying(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        concerns: Vec<Concern>,
    ) -> Result<(), AlertsError> {
        if let Some(index) = concerns.iter().position(|concern| concern.is_grave()) {
            return Err(AlertsError::GraveConcern(index, concerns[index].words()));
        }
        let children = self.dependencies.children.clone();
        let replaced = self.store.commit(move |change| {
            let child = access.child();
            children.access_in(change, &Caller::Guardian(guardian.clone()), child)?;
            let mut found = store::not_worrying(change, child, &guardian)?;
            let concerns = concerns.into_iter().collect();
            if found.0 != concerns {
                found.0 = concerns;
                store::put_not_worrying(change, child, &guardian, &found)?;
                store::record_change(change, child, &guardian)?;
            }
            Ok(())
        });
        replaced.await
    }
}
