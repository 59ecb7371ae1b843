//! What an export tells of the rules and a file brings in: versions, receipts, and what is known of each assistant.

use super::receipts::Standing;
use super::version::StoredVersion;
use super::{Rules, SessionReceipt, receipts, store};
use crate::children::{ChildAccess, SessionId};
use crate::identity::AssistantId;
use crate::kernel::store::{Change, Read, StoreError};

impl Rules {
    /// The versions of the child's rules, oldest first, and how many others cannot be read.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn list_versions(
        &self,
        access: &ChildAccess,
    ) -> Result<(Vec<StoredVersion>, u64), StoreError> {
        let (mut versions, unreadable) = store::readable_versions(&self.store, access.child())?;
        versions.reverse();
        Ok((versions, unreadable))
    }

    /// What is known of this assistant; nothing at first.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn standing_of(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        assistant: &AssistantId,
    ) -> Result<Standing, StoreError> {
        receipts::standing(view, access.child(), assistant)
    }

    /// Keeps a version of a file.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn bring_in_version(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        version: &StoredVersion,
    ) -> Result<(), StoreError> {
        store::put(change, access.child(), version)
    }

    /// Keeps a session's receipt of a file.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn bring_in_receipt(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        receipt: &SessionReceipt,
    ) -> Result<(), StoreError> {
        receipts::put_receipt(change, access.child(), session, receipt)
    }

    /// Keeps what a file says of an assistant.
    ///
    /// # Errors
    ///
    /// The store's.
    pub fn bring_in_standing(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        assistant: &AssistantId,
        standing: &Standing,
    ) -> Result<(), StoreError> {
        receipts::put_standing(change, access.child(), assistant, standing)
    }
}
