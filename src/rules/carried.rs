//! Export and import of rules: versions, receipts, and the status of each assistant.

use super::receipts::{RefusedList, RuleStatus};
use super::version::StoredVersion;
use super::{Rules, SessionReceipt, receipts, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::store::{Change, Read, StoreError};

impl Rules {
    /// The numbers of the versions of the child's rules, lowest first.
    pub fn list_version_numbers(&self, access: &ChildAccess) -> Result<Vec<u64>, StoreError> {
        let mut numbers = store::numbers(&self.store, access.child())?;
        numbers.reverse();
        Ok(numbers)
    }

    /// The version of the child's rules with this number, if it is still stored.
    pub fn find_version(
        &self,
        access: &ChildAccess,
        number: u64,
    ) -> Result<Option<StoredVersion>, StoreError> {
        store::version(&self.store, access.child(), number)
    }

    /// The status of this assistant; empty if none is stored.
    pub fn rule_status_of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        assistant: &AssistantId,
    ) -> Result<RuleStatus, StoreError> {
        receipts::rule_status(view, access.child(), assistant)
    }

    /// Why an assistant refused a list. `None` once the session in which it reported that is deleted.
    pub fn reason_of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        refused: &RefusedList,
    ) -> Result<Option<String>, StoreError> {
        receipts::reason(view, access.child(), refused)
    }

    /// Stores an imported version.
    pub fn import_version(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        version: &StoredVersion,
    ) -> Result<(), StoreError> {
        store::put(change, access.child(), version)
    }

    /// Stores an imported receipt of a session.
    pub fn import_receipt(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        receipt: &SessionReceipt,
    ) -> Result<(), StoreError> {
        receipts::put_receipt(change, access.child(), session, receipt)
    }

    /// Stores the imported status of an assistant. The reason of a refusal is only in the receipt of a session, which must be
    /// imported before.
    pub fn import_status(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        assistant: &AssistantId,
        mut status: RuleStatus,
        reason: Option<&str>,
    ) -> Result<(), StoreError> {
        let child = access.child();
        if let (Some(refused), Some(reason)) = (&mut status.refused, reason) {
            refused.session = receipts::session_with(change, child, refused, reason)?;
        }
        receipts::put_rule_status(change, child, assistant, &status)
    }
}
