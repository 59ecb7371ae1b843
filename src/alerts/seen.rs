//! What each guardian has seen or dealt with, and the end of old alerts.

use super::store::{self, NotWorrying};
use super::{Alert, Alerts, AlertsError};
use crate::children::{ChildAccess, ChildId};
use crate::identity::{Caller, GuardianId, SignedIn};
use crate::kernel::store::{Purpose, StoreError};

/// Unseen alerts of a child are counted up to this number.
const MOST_UNSEEN: usize = 100;

/// The numbers of unseen alerts.
#[derive(Default)]
pub struct UnseenCounts {
    pub children: Vec<(ChildId, usize)>,
    pub unreadable: u64,
}

impl Alerts {
    /// The number of unseen alerts in the bell for each of the guardian's children, at most [`MOST_UNSEEN`] each.
    pub fn count_unseen(&self, reader: &SignedIn) -> Result<UnseenCounts, AlertsError> {
        let oldest = self.oldest();
        let guardian = reader.guardian();
        let mut counts = UnseenCounts::default();
        for access in self.dependencies.children.all_of(reader)? {
            let child = access.child();
            let seen = store::seen(&self.store, child, guardian)?;
            let not_worrying = store::not_worrying(&self.store, child, guardian)?;
            let part = store::alerts_before(&self.store, child, guardian, None, MOST_UNSEEN)?;
            let unseen = part.alerts.iter().filter(|alert| {
                is_open(alert, guardian, &not_worrying)
                    && is_unseen(alert, guardian, seen)
                    && alert.arrived_at >= oldest
            });
            counts.children.push((child, unseen.count()));
            counts.unreadable += part.unreadable;
        }
        Ok(counts)
    }

    /// Records that the guardian has seen the child's alerts up to this number. A lower one than before changes nothing, and no
    /// alert that arrives later counts as seen.
    pub async fn note_seen(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        up_to: u64,
    ) -> Result<(), AlertsError> {
        let children = self.dependencies.children.clone();
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            let child = access.child();
            children.access_in(change, &Caller::Guardian(guardian.clone()), child)?;
            let up_to = up_to.min(store::newest(change, child, &guardian)?);
            if up_to > store::seen(change, child, &guardian)? {
                store::put_seen(change, child, &guardian, up_to)?;
            }
            Ok(())
        });
        noted.await
    }

    /// Removes the alerts that are no longer kept.
    pub async fn remove_old(&self) -> Result<(), StoreError> {
        let oldest = self.oldest();
        for child in self.dependencies.children.all_numbers(&self.store)? {
            if store::has_before(&self.store, child, oldest)? {
                let removed = self.store.commit_for(Purpose::Essential, move |change| {
                    store::remove_before(change, child, oldest)
                });
                removed.await?;
            }
        }
        Ok(())
    }
}

/// Whether an alert that rings waits for the guardian.
pub(super) fn is_open(alert: &Alert, guardian: &GuardianId, concerns: &NotWorrying) -> bool {
    alert.kind.is_notifiable()
        && !alert.dealt_with.contains(guardian)
        && !is_not_worrying(alert, guardian, concerns)
}

pub(super) fn is_unseen(alert: &Alert, guardian: &GuardianId, seen: u64) -> bool {
    alert.alert_id > seen && !alert.seen_by.contains(guardian)
}

/// Whether the guardian finds this alert, or its concern for this child, not worrying.
pub(super) fn is_not_worrying(
    alert: &Alert,
    guardian: &GuardianId,
    concerns: &NotWorrying,
) -> bool {
    let concern = alert.flagged.as_ref().map(|flagged| flagged.concern);
    alert.not_worrying.contains(guardian)
        || concern.is_some_and(|concern| concerns.0.contains(&concern))
}
