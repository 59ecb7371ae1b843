//! Consents that wait for a guardian.

use super::consents::{Consents, Status};
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId};
use crate::identity::SignedIn;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{StoreError, readable_or_counted};

/// A model that another guardian wants to read a child's conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingConsent {
    pub child: ChildId,
    pub by: Option<Author>,
    pub at: Timestamp,
}

impl Consents {
    /// What waits for the guardian's agreement, and the number of unreadable records.
    pub fn pending_for(&self, reader: &SignedIn) -> Result<(Vec<PendingConsent>, u64), StoreError> {
        let (mut found, mut unreadable) = (Vec::new(), 0);
        for access in self.children.all_of(reader)? {
            let pending = self.pending_of(&access, reader);
            found.extend(readable_or_counted(pending, &mut unreadable)?.flatten());
        }
        Ok((found, unreadable))
    }

    fn pending_of(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
    ) -> Result<Option<PendingConsent>, StoreError> {
        let status = self.status(&self.store, access.child())?;
        let Status::Waiting(_, _, consent, _) = status else {
            return Ok(None);
        };
        if consent.is_confirmed_by(reader.guardian()) {
            return Ok(None);
        }
        let (history, by) = (&self.history, &consent.by);
        Ok(Some(PendingConsent {
            child: access.child(),
            by: history.author(&self.store, access, reader, by)?,
            at: consent.at,
        }))
    }
}
