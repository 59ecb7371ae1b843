//! What all guardians of a child must agree to. A guardian asks for it, and the others can confirm it; each of them can cancel it.
//!
//! Every request has an edition. An answer names the edition that the guardian has read, so nobody agrees to something that was
//! changed meanwhile. Asking for something else makes a new edition: the answers are forgotten, and the seven days begin anew.

mod agreement;
mod notice;
mod store;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use super::feature::{Feature, Shown};
use super::{ChildId, Children, ChildrenError, GUARDIANS, Period, former_guardians_in};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::ids::random_id;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{Change, Read, RecordKind, StoreError, Trigger, readable};

pub use agreement::{Agreement, Due};
pub use notice::{AddressedNotice, ByGuardian, Notice};

random_id!(
    Edition,
    "edn_",
    "An edition of a request. It changes if something else is asked for."
);

/// What a request asks for, with the period of a retention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestedChange {
    /// Deleting the child.
    Deletion,
    /// Keeping its conversations for a shorter time.
    Retention(Period),
}

/// What a request asks for.
// A child has at most one of each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "RequestKind", rename_all = "snake_case")]
pub enum RequestKind {
    /// Deleting the child and all its data.
    Deletion,
    /// Keeping its conversations for a shorter time.
    Retention,
}

/// Also as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub by: GuardianId,
    pub at: Timestamp,
    pub asked: RequestedChange,
    pub edition: Edition,
    /// The guardians' answers. For the requesting guardian, the request counts as shown.
    pub agreement: Agreement,
}

pub static FEATURE: Feature = Feature {
    kinds: &[RecordKind::of::<Request>(store::REQUEST)],
    // A request may have been cancelled since the backup.
    not_restored: &[store::REQUEST],
    triggers: &[Trigger {
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

impl RequestedChange {
    pub fn kind(self) -> RequestKind {
        match self {
            Self::Deletion => RequestKind::Deletion,
            Self::Retention(_) => RequestKind::Retention,
        }
    }
}

impl RequestKind {
    pub const ALL: [Self; 2] = [Self::Deletion, Self::Retention];

    pub fn name(self) -> &'static str {
        match self {
            Self::Deletion => "deletion",
            Self::Retention => "retention",
        }
    }
}

impl Request {
    pub fn new(by: GuardianId, asked: RequestedChange, edition: Edition, now: Timestamp) -> Self {
        let mut agreement = Agreement::default();
        agreement.show(&by, now);
        Self {
            by,
            at: now,
            asked,
            edition,
            agreement,
        }
    }

    /// The request with the answers that this guardian may know of.
    #[must_use]
    pub fn known_to(self, reader: &GuardianId, now: Timestamp) -> Self {
        Self {
            agreement: self.agreement.known_to(reader, now),
            ..self
        }
    }

    /// When it takes effect, if these are the child's guardians. An only guardian also waits seven days for a deletion, because
    /// nobody else could cancel it. A shorter retention needn't wait: what becomes too old can be restored for seven days.
    pub fn due(&self, guardians: &[GuardianId]) -> Due {
        match guardians {
            [alone] if *alone == self.by && self.asked == RequestedChange::Deletion => {
                self.agreement.due(guardians)
            }
            _ => self
                .agreement
                .due(guardians.iter().filter(|id| **id != self.by)),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn an_only_guardian_waits_seven_days_and_several_wait_for_each_other() {
        let at = |day: u64| Timestamp::from_micros(0).after(Duration::from_secs(day * 86_400));
        let (ada, ben) = (GuardianId::from_text("ada"), GuardianId::from_text("ben"));
        let edition = Edition::from_text("edn_1");
        let mut request = Request::new(ada.clone(), RequestedChange::Deletion, edition, at(0));

        assert_eq!(request.due(std::slice::from_ref(&ada)), Due::At(at(7)));
        let both = [ada.clone(), ben.clone()];
        assert_eq!(request.due(&both), Due::NotKnown);
        request.agreement.show(&ben, at(2));
        assert_eq!(request.due(&both), Due::At(at(9)));
        request.agreement.confirm(&ben, at(3));
        assert_eq!(request.due(&both), Due::AtOnce);
        request.asked = RequestedChange::Retention(Period::Days30);
        assert_eq!(request.due(&[ada]), Due::AtOnce);
    }
}
