//! Open alerts: notifiable ones that a guardian has neither dealt with nor finds not worrying.

use std::collections::BTreeSet;

use super::happened::silent_contacts;
use super::seen::is_open;
use super::store::{self, NotWorrying};
use super::{Alert, Alerts, AlertsError, Detail, Kind, ShownAlert};
use crate::children::ChildAccess;
use crate::identity::{AssistantId, GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::StoreError;
use crate::rules::Contact;

/// How many alerts are read at a time.
const AT_ONCE: usize = 200;

/// A guardian's open alerts about a child, and recent alerts about words that were lost. Without the words of a conversation.
#[derive(Default)]
pub struct OpenAlerts {
    /// The newest urgent one, otherwise the newest.
    pub gravest: Option<ShownAlert>,
    /// The number of open alerts.
    pub count: u64,
    /// The newest recent alert about messages that could not be stored.
    pub not_saved: Option<ShownAlert>,
    /// The number of recent alerts about messages that could not be stored.
    pub not_saved_count: u64,
    /// Alerts that can't be read.
    pub unreadable: u64,
    /// The number of conversations of these alerts that can't be read.
    pub unreadable_sessions: u64,
}

/// The open alerts before they are shown.
#[derive(Default)]
struct Found {
    urgent: Option<Alert>,
    newest: Option<Alert>,
    count: u64,
    not_saved: Option<Alert>,
    not_saved_count: u64,
}

impl Found {
    /// Takes alerts newest first.
    fn add(
        &mut self,
        alert: Alert,
        guardian: &GuardianId,
        concerns: &NotWorrying,
        recent: Timestamp,
    ) {
        if alert.kind == Kind::NotKept && alert.arrived_at >= recent {
            self.not_saved_count += 1;
            self.not_saved.get_or_insert(alert);
        } else if is_open(&alert, guardian, concerns) {
            self.count += 1;
            if alert.is_urgent() {
                self.urgent.get_or_insert(alert);
            } else {
                self.newest.get_or_insert(alert);
            }
        }
    }
}

impl Alerts {
    /// The reader's open alerts about the child, and the alerts since `recent` about messages that could not be stored. Reads all
    /// alerts that are kept, so that no number of newer ones hides an urgent one.
    pub fn list_open(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        recent: Timestamp,
    ) -> Result<OpenAlerts, AlertsError> {
        let (child, guardian, oldest) = (access.child(), reader.guardian(), self.oldest());
        let reading = self.reading(child, guardian, Detail::Glance)?;
        let mut found = Found::default();
        let (mut before, mut unreadable) = (None, 0);
        loop {
            let batch = store::alerts_before(&self.store, child, guardian, before, AT_ONCE)?;
            unreadable += batch.unreadable;
            before = batch.alerts.last().map(|alert| alert.alert_id);
            for alert in batch.alerts {
                if alert.arrived_at >= oldest {
                    found.add(alert, guardian, &reading.not_worrying, recent);
                }
            }
            if !batch.has_more || before.is_none() {
                break;
            }
        }
        let gravest = found.urgent.or(found.newest);
        let mut sessions = BTreeSet::new();
        let mut show = |alert| self.show_one(access, reader, alert, &reading, &mut sessions);
        let (gravest, not_saved) = (show(gravest)?, show(found.not_saved)?);
        Ok(OpenAlerts {
            gravest,
            count: found.count,
            not_saved,
            not_saved_count: found.not_saved_count,
            unreadable,
            unreadable_sessions: sessions.len() as u64,
        })
    }

    /// The number of phrases that the guardian watches for.
    pub fn count_phrases(
        &self,
        access: &ChildAccess,
        guardian: &GuardianId,
    ) -> Result<u64, StoreError> {
        let phrases = store::phrases(&self.store, access.child(), guardian)?;
        Ok(phrases.0.len() as u64)
    }

    /// The assistants of whose silence the guardians were alerted, and that have not been in contact since.
    pub fn silent_contacts<'a>(
        &self,
        access: &ChildAccess,
        contacts: &'a [Contact],
    ) -> Result<Vec<&'a Contact>, StoreError> {
        silent_contacts(&self.store, access, contacts)
    }

    /// Whether the guardians were alerted that the assistant talked without the current rules, and it has confirmed none since, as
    /// far as its conversations were judged.
    pub fn is_told_of_unconfirmed(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
    ) -> Result<bool, StoreError> {
        let state = store::assistant_state(&self.store, access.child(), assistant)?;
        Ok(state.confirming.is_told)
    }
}
