//! What each guardian has seen or dealt with, and the end of old alerts.

use std::collections::BTreeSet;

use super::store::{self, NotWorrying};
use super::{Alert, Alerts, AlertsError, Kind};
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

/// What a guardian says of one alert. Nobody else learns of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marking {
    /// Of a notifiable alert.
    DealtWith,
    /// Of a reviewer's alert.
    NotWorrying,
}

impl Marking {
    fn is_possible(self, alert: &Alert) -> bool {
        match self {
            Self::DealtWith => alert.kind.notifiable().is_some(),
            Self::NotWorrying => alert.kind == Kind::Reviewer,
        }
    }

    fn of(self, alert: &mut Alert) -> &mut BTreeSet<GuardianId> {
        match self {
            Self::DealtWith => &mut alert.dealt_with,
            Self::NotWorrying => &mut alert.not_worrying,
        }
    }
}

impl Alerts {
    /// The number of unseen notifiable alerts for each of the guardian's children, at most [`MOST_UNSEEN`] each.
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
    pub async fn record_seen(
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

    /// Sets or removes a guardian's mark of an alert. Idempotent. Fails with [`AlertsError::NoSuchAlert`].
    pub async fn mark(
        &self,
        access: ChildAccess,
        guardian: GuardianId,
        alert_id: u64,
        marking: Marking,
        is_marked: bool,
    ) -> Result<(), AlertsError> {
        let children = self.dependencies.children.clone();
        let marked = self.store.commit(move |change| {
            let child = access.child();
            children.access_in(change, &Caller::Guardian(guardian.clone()), child)?;
            let found = store::alert_numbered(change, child, &guardian, alert_id)?;
            let found = found.filter(|(_, alert)| marking.is_possible(alert));
            let (key, mut alert) = found.ok_or(AlertsError::NoSuchAlert)?;
            let guardians = marking.of(&mut alert);
            let is_changed = if is_marked {
                guardians.insert(guardian.clone())
            } else {
                guardians.remove(&guardian)
            };
            if is_changed {
                change.put(&key, &alert)?;
                store::record_change(change, child, &guardian)?;
            }
            Ok(())
        });
        marked.await
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

/// Whether a notifiable alert waits for the guardian.
pub(super) fn is_open(alert: &Alert, guardian: &GuardianId, concerns: &NotWorrying) -> bool {
    alert.kind.notifiable().is_some()
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
