//! The pending invitations to a guardian's children, as that guardian sees them.

use super::invitation::Invitation;
use super::{InvitationId, Invitations, store};
use crate::children::agreements::{Due, Edition};
use crate::children::history::Author;
use crate::children::{ChildAccess, ChildId};
use crate::household::answers::{Answers, due_at};
use crate::household::management::{Management, caller};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Change, StoreError, readable_or_counted};

/// An invitation to see some of the guardian's children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingInvitation {
    pub id: InvitationId,
    pub edition: Edition,
    pub by: Option<Author>,
    /// The guardian's children in it.
    pub children: Vec<ChildId>,
    /// Where the link was sent; `None` if it was shown on the screen.
    pub email: Option<EmailAddress>,
    pub at: Timestamp,
    pub accepted: bool,
    /// The accepting guardian's name, if known.
    pub accepted_by: Option<String>,
    /// The accepting guardian's address, and whether it is verified.
    pub accepted_address: Option<(EmailAddress, bool)>,
    pub answers: Answers,
}

impl Invitations {
    /// The invitations to the guardian's children, oldest first, and the number of unreadable ones.
    pub fn pending_for(
        &self,
        guardian: &SignedIn,
    ) -> Result<(Vec<PendingInvitation>, u64), StoreError> {
        let Management {
            store: view,
            children,
            ..
        } = &self.management;
        let own = children.all_of(guardian)?;
        let mut ids = Vec::new();
        for access in &own {
            ids.extend(store::invitations_of(view, access.child())?);
        }
        ids.sort();
        ids.dedup();
        let (mut pending, mut unreadable) = (Vec::new(), 0);
        for id in ids {
            let found = match store::invitation(view, &id) {
                Ok(Some(found)) => self.prune(view, found),
                found => found,
            };
            let found = readable_or_counted(found, &mut unreadable)?.flatten();
            if let Some(found) = found {
                pending.push(self.view_for(&own, guardian, found)?);
            }
        }
        pending.sort_by_key(|invitation| invitation.at);
        Ok((pending, unreadable))
    }

    fn view_for(
        &self,
        own: &[ChildAccess],
        reader: &SignedIn,
        found: Invitation,
    ) -> Result<PendingInvitation, StoreError> {
        let Management {
            store: view,
            children,
            history,
            clock,
            ..
        } = &self.management;
        let now = clock.now();
        let found = found.known_to(reader.guardian(), now);
        let is_in = |access: &&ChildAccess| found.children.contains(&access.child());
        let own = own.iter().filter(is_in).collect::<Vec<_>>();
        let (mut due, mut by) = (Due::AtOnce, None);
        for access in &own {
            let guardians = children.guardians_of(view, access.child())?;
            due = due.max(found.due(access.child(), &guardians));
            by = history.author(view, access, reader, &found.by)?;
        }
        let (accepted_by, accepted_address) = match &found.accepted_by {
            Some(id) => (
                self.guardians.name_of(view, id)?,
                self.guardians.address_of(view, id)?,
            ),
            None => (None, None),
        };
        let children = own.iter().map(|access| access.child());
        let children = children.collect::<Vec<_>>();
        let answers = Answers {
            shown: found.was_shown_to(&children, reader.guardian()),
            confirmed: found.is_confirmed_by(&children, reader.guardian()),
            due_at: due_at(due, now),
        };
        Ok(PendingInvitation {
            by,
            children,
            email: found.email,
            at: found.at,
            accepted: found.accepted_by.is_some(),
            accepted_by,
            accepted_address,
            answers,
            edition: found.edition,
            id: found.id,
        })
    }

    /// Records that this invitation was shown to the guardian. Does nothing if it has ended or changed, or is another family's.
    pub fn record_shown(
        &self,
        change: &mut Change,
        id: &InvitationId,
        edition: &Edition,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        let own = self
            .management
            .children
            .visible_to(change, &caller(guardian))?;
        if store::children_invited_to(change, &own, id)?.is_empty() {
            return Ok(());
        }
        let found = store::invitation(change, id)?;
        let Some(mut found) = found.filter(|found| found.edition == *edition) else {
            return Ok(());
        };
        let children = found.children.clone();
        let theirs = children.iter().copied().filter(|child| own.contains(child));
        if found.show(
            &theirs.collect::<Vec<_>>(),
            guardian,
            self.management.clock.now(),
        ) {
            store::put_invitation(change, &found, &children)?;
        }
        Ok(())
    }
}
