//! What all guardians of a child must agree to. A guardian asks for it, and the others can confirm it; each of them can cancel it.
//!
//! Every request has an edition. An answer names the edition that the guardian has read, so nobody agrees to something that was
//! changed meanwhile. Asking for something else makes a new edition: the answers are forgotten, and the seven days begin anew.

mod agreement;
mod notice;
mod request;
mod store;

use std::time::Duration;

use super::feature::{Feature, Shown};
use super::{ChildId, Children, ChildrenError, GUARDIANS, former_guardians_in};
use crate::identity::GuardianId;
use crate::kernel::http::ids::random_id;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Consequence, Read, RecordKind, StoreError, readable};

pub use agreement::{Agreement, Due};
pub use notice::{AddressedNotice, ByGuardian, Notice};
pub use request::{Request, RequestKind, RequestedChange};

random_id!(
    Edition,
    "edn_",
    "An edition of a request. It changes if something else is asked for."
);

/// How long guardians can cancel a request after it was shown to them.
const PATIENCE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

pub static FEATURE: Feature = Feature {
    kinds: &[RecordKind::of::<Request>(store::REQUEST)],
    // A request may have been cancelled since the backup.
    not_restored: &[store::REQUEST],
    consequences: &[Consequence {
        table: GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in former_guardians_in(change, keys)? {
                forget(change, child, &guardian)?;
            }
            Ok(())
        },
    }],
    backfills: &[],
    shown: &[Shown::Part("requests", || vec![store::REQUEST])],
    erase_batch: |change, access| store::erase_batch(change, access.child()),
    of_session: None,
    child_fields: &[],
    session_fields: &[],
};

impl Children {
    /// The pending request of this kind, and when it takes effect. It counts only while the guardian who made it has the child.
    pub fn pending_request(
        &self,
        view: &impl Read,
        child: ChildId,
        kind: RequestKind,
    ) -> Result<Option<(Request, Due)>, StoreError> {
        let Some(request) = store::request(view, child, kind)? else {
            return Ok(None);
        };
        let guardians = self.guardians_of(view, child)?;
        let is_pending = guardians.contains(&request.by);
        let due = request.due(&guardians);
        Ok(is_pending.then_some((request, due)))
    }

    /// The pending request of this kind, if it is due.
    pub fn due_request(
        &self,
        view: &impl Read,
        child: ChildId,
        kind: RequestKind,
        by: DueBy,
    ) -> Result<Option<Request>, StoreError> {
        let pending = self.pending_request(view, child, kind)?;
        let due = pending.filter(|(_, due)| due.is_due(by));
        Ok(due.map(|(request, _)| request))
    }

    /// The children with a due request of this kind. Skips unreadable ones.
    pub fn with_due_request(
        &self,
        view: &impl Read,
        kind: RequestKind,
        by: DueBy,
    ) -> Result<Vec<ChildId>, StoreError> {
        let mut due = Vec::new();
        for child in store::children_with_request(view)? {
            let request = readable(self.due_request(view, child, kind, by))?;
            due.extend(request.flatten().map(|_| child));
        }
        Ok(due)
    }

    /// Stores a request. It replaces an earlier one by the same guardian. Returns whether it is new, or differs from that one.
    /// Fails with [`ChildrenError::AskedAlready`] if another guardian's request is pending.
    pub fn put_request(
        &self,
        change: &mut Change,
        child: ChildId,
        request: &Request,
    ) -> Result<bool, ChildrenError> {
        match self.pending_request(change, child, request.asked.kind())? {
            Some((pending, _)) if pending.by != request.by => Err(ChildrenError::AskedAlready),
            Some((pending, _)) if pending.asked == request.asked => Ok(false),
            _ => {
                store::put_request(change, child, request)?;
                Ok(true)
            }
        }
    }

    /// Records that a request was shown to a guardian.
    pub fn record_request_shown(
        &self,
        change: &mut Change,
        child: ChildId,
        kind: RequestKind,
        to: &GuardianId,
    ) -> Result<(), StoreError> {
        if let Some((mut request, _)) = self.pending_request(change, child, kind)?
            && !request.agreement.was_shown_to(to)
        {
            request.agreement.show(to, self.clock.now());
            store::put_request(change, child, &request)?;
        }
        Ok(())
    }

    /// Confirms another guardian's request. Returns whether that is new. Fails with [`ChildrenError::NothingAsked`].
    pub fn confirm_request(
        &self,
        change: &mut Change,
        child: ChildId,
        kind: RequestKind,
        by: &GuardianId,
    ) -> Result<bool, ChildrenError> {
        let pending = self.pending_request(change, child, kind)?;
        let (mut request, _) = pending.ok_or(ChildrenError::NothingAsked)?;
        if request.by == *by || request.agreement.is_confirmed_by(by) {
            return Ok(false);
        }
        request.agreement.confirm(by, self.clock.now());
        store::put_request(change, child, &request)?;
        Ok(true)
    }

    /// Removes any guardian's request, even an unreadable one. Fails with [`ChildrenError::NothingAsked`].
    pub fn remove_request(
        &self,
        change: &mut Change,
        child: ChildId,
        kind: RequestKind,
    ) -> Result<(), ChildrenError> {
        if store::remove_request(change, child, kind)? {
            Ok(())
        } else {
            Err(ChildrenError::NothingAsked)
        }
    }
}

/// Removes a former guardian's requests and answers, which don't come back if they become a guardian again. An unreadable record
/// stays; it counts for nobody.
fn forget(change: &mut Change, child: ChildId, guardian: &GuardianId) -> Result<(), StoreError> {
    for kind in RequestKind::ALL {
        let Some(mut request) = readable(store::request(change, child, kind))?.flatten() else {
            continue;
        };
        if request.by == *guardian {
            store::remove_request(change, child, kind)?;
        } else if request.agreement.forget(guardian) {
            store::put_request(change, child, &request)?;
        }
    }
    Ok(())
}
