//! Deleting a child. Its data stays in use until the deletion takes effect.

use super::{ChildRequests, RequestError};
use crate::children::agreements::{RequestKind, RequestedChange};
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::household::management::{Management, caller};
use crate::identity::SteppedUp;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Purpose, StoreError};

impl ChildRequests {
    /// Requests the deletion of a child. `typed` must be the child's name, so that nobody deletes another child by mistake. Fails
    /// with [`RequestError::OtherName`], and as [`request`](Self::request).
    pub async fn request_deletion(
        &self,
        by: &SteppedUp,
        child: ChildId,
        typed: &str,
    ) -> Result<(), RequestError> {
        let (guardian, typed) = (by.guardian().clone(), typed.trim().to_owned());
        let service = self.clone();
        let request = move |change: &mut Change| {
            let children = &service.management.children;
            let access = children.access_in(change, &caller(&guardian), child)?;
            if children.get(change, child)?.name != typed {
                return Err(RequestError::OtherName);
            }
            service.request(change, &access, &guardian, RequestedChange::Deletion)
        };
        self.management.commit(Purpose::Essential, request).await
    }

    /// The children whose deletion is due.
    pub fn due_deletions(&self, now: DueBy) -> Result<Vec<ChildId>, StoreError> {
        let Management {
            store, children, ..
        } = &self.management;
        if self.management.guardians_manage {
            children.with_due_request(store, RequestKind::Deletion, now)
        } else {
            Ok(Vec::new())
        }
    }

    /// Removes all access to a child, if its deletion is still due. Returns the access for erasing its data.
    pub fn remove_if_due(
        &self,
        change: &mut Change,
        child: ChildId,
        now: DueBy,
    ) -> Result<Option<ChildAccess>, ChildrenError> {
        let children = &self.management.children;
        match children.due_request(change, child, RequestKind::Deletion, now)? {
            Some(_) => children.remove(change, child).map(Some),
            None => Ok(None),
        }
    }
}
