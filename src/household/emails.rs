//! The e-mails about invitations, deletions and shorter retention.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::erasure_request::ErasureRequest;
use super::extent::{DeletionExtent, Extents};
use super::retention_request::RetentionRequest;
use super::{Household, HouseholdError, InvitationId, caller, store};
use crate::children::{ChildId, Children, ChildrenError};
use crate::identity::{
    Guardian, GuardianId, Guardians, Notices, UnverifiedAddresses, UnverifiedEmail, to_guardian,
};
use crate::kernel::mail::{Email, Template};
use crate::kernel::public_url::PublicUrl;
use crate::kernel::queue::{Composed, Item, Kind, Lane, NoAnswer, Places, Policy};
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Read, StoreError};

const INVITATION: Template = Template {
    subject: "An invitation to Porchlight",
    text: include_str!("emails/invitation.txt"),
    html: include_str!("emails/invitation.html"),
};

const SOMEBODY_INVITED: Template = Template {
    subject: "Somebody was invited to Porchlight",
    text: include_str!("emails/somebody_invited.txt"),
    html: include_str!("emails/somebody_invited.html"),
};

const CHILD_ERASURE: Template = Template {
    subject: "A child's profile will be deleted from Porchlight",
    text: include_str!("emails/child_erasure.txt"),
    html: include_str!("emails/child_erasure.html"),
};

const CHILD_RETENTION: Template = Template {
    subject: "A child's conversations will be kept for a shorter time",
    text: include_str!("emails/child_retention.txt"),
    html: include_str!("emails/child_retention.html"),
};

/// With an invitation's link, by invitation.
pub const TO_INVITED: &str = "invitation";
/// To the other guardians about an invitation, by guardian and invitation. The data are the [`Invited`].
pub const OF_INVITATION: &str = "somebody-invited";
/// To the other guardians about a request to delete a child, by guardian and child.
pub const OF_DELETION: &str = "child-deletion";
/// To the other guardians about a request to keep conversations for a shorter time, by guardian and child.
pub const OF_RETENTION: &str = "child-retention";

/// Who invited somebody to which of the recipient's children.
#[derive(Serialize, Deserialize)]
pub struct Invited {
    pub by: GuardianId,
    pub children: Vec<ChildId>,
}

/// A guardian's name in e-mails to others.
pub fn name_of(
    guardians: &Guardians,
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<String, StoreError> {
    let name = guardians.name_of(view, guardian)?;
    Ok(name.unwrap_or_else(|| "Another guardian".to_owned()))
}

impl Household {
    pub fn register_emails(&self) {
        self.queue.register(ToInvited {
            randomness: self.randomness.clone(),
            public_url: self.public_url.clone(),
            unverified: self.unverified.clone(),
        });
        self.queue.register(OfInvitation {
            guardians: self.guardians.clone(),
            children: self.children.clone(),
        });
        self.queue.register(OfDeletion {
            guardians: self.guardians.clone(),
            extents: self.extents.clone(),
        });
        self.queue.register(OfRetention {
            guardians: self.guardians.clone(),
            children: self.children.clone(),
        });
    }
}

/// An invitation's link for its token.
pub fn link(public_url: &PublicUrl, token: &Secret) -> String {
    public_url.page(&format!("/invitation#token={}", token.reveal()))
}

struct ToInvited {
    randomness: Randomness,
    public_url: PublicUrl,
    unverified: UnverifiedAddresses,
}

impl Kind for ToInvited {
    fn policy(&self) -> Policy {
        Policy {
            name: TO_INVITED,
            places: Places::OF_EACH,
            // The inviting guardian waits for it.
            gives_up_after: Duration::from_secs(60),
            on_no_answer: NoAnswer::CountsAsSent,
        }
    }

    fn lane(&self, _: &mut Change, _: &Item) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    /// If the address has reached its daily limit, nothing is sent, so that nothing is revealed.
    fn compose(&self, change: &mut Change, item: &Item) -> Result<Option<Composed>, StoreError> {
        let id = InvitationId::from_text(&item.recipient);
        let Some(mut invitation) = store::invitation(change, &id)? else {
            return Ok(None);
        };
        let Some(to) = invitation.email.clone() else {
            return Ok(None);
        };
        let Some(permit) = self.unverified.permit(change, &to)? else {
            return Ok(None);
        };
        let token = Secret::generate(SecretKind::Invitation, &self.randomness);
        store::remove_invitation(change, &invitation)?;
        invitation.token = token.hash();
        store::put_invitation(change, &invitation, &[])?;
        let link = link(&self.public_url, &token);
        let email = UnverifiedEmail::new(&INVITATION, &to, ("{link}", &link));
        Ok(Some(email.permitted(permit)))
    }
}

/// Notices to other guardians don't delay sign-in links.
fn notice(name: &'static str) -> Policy {
    Notices::policy(name)
}

struct OfInvitation {
    guardians: Guardians,
    children: Children,
}

impl Kind for OfInvitation {
    fn policy(&self) -> Policy {
        notice(OF_INVITATION)
    }

    fn lane(&self, _: &mut Change, _: &Item) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    fn compose(&self, change: &mut Change, item: &Item) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient(&self.guardians, change, item)? else {
            return Ok(None);
        };
        let Invited { by, children } = item.data()?;
        let own = self.children.seen_by(change, &caller(&guardian.id))?;
        let mut names = Vec::new();
        for child in children.into_iter().filter(|child| own.contains(child)) {
            match self.children.get(change, child) {
                Ok(child) => names.push(child.name),
                Err(ChildrenError::Store(error)) => return Err(error),
                Err(_) => {}
            }
        }
        if names.is_empty() {
            return Ok(None);
        }
        let by = name_of(&self.guardians, change, &by)?;
        let values = [("{by}", by.as_str()), ("{children}", &names.join(", "))];
        Ok(Some(
            to_guardian(&guardian, &SOMEBODY_INVITED, &values).into(),
        ))
    }
}

struct OfDeletion {
    guardians: Guardians,
    extents: Extents,
}

impl Kind for OfDeletion {
    fn policy(&self) -> Policy {
        notice(OF_DELETION)
    }

    fn lane(&self, _: &mut Change, _: &Item) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    fn compose(&self, change: &mut Change, item: &Item) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient(&self.guardians, change, item)? else {
            return Ok(None);
        };
        let child: ChildId = item.data()?;
        let children = &self.extents.children;
        let Some(request) = store::request::<ErasureRequest>(change, child)? else {
            return Ok(None);
        };
        if !children.guardians_of(change, child)?.contains(&request.by) {
            return Ok(None);
        }
        let found = children
            .of_in(change, &caller(&guardian.id), child)
            .map_err(HouseholdError::from)
            .and_then(|access| {
                let name = children.get(change, child)?.name;
                Ok((name, self.extents.of(change, &access)?))
            });
        let (name, extent) = match found {
            Ok(found) => found,
            Err(HouseholdError::Store(error)) => return Err(error),
            // They no longer have the child.
            Err(_) => return Ok(None),
        };
        let by = name_of(&self.guardians, change, &request.by)?;
        let email = deletion(&guardian, &by, &name, &extent);
        Ok(Some(email.into()))
    }
}

fn deletion(guardian: &Guardian, by: &str, child: &str, extent: &DeletionExtent) -> Email {
    let values = [
        ("{by}", by),
        ("{child}", child),
        ("{conversations}", &extent.conversations_in_words()),
        ("{names}", &extent.names_in_words()),
    ];
    to_guardian(guardian, &CHILD_ERASURE, &values)
}

struct OfRetention {
    guardians: Guardians,
    children: Children,
}

impl Kind for OfRetention {
    fn policy(&self) -> Policy {
        notice(OF_RETENTION)
    }

    fn lane(&self, _: &mut Change, _: &Item) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    fn compose(&self, change: &mut Change, item: &Item) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient(&self.guardians, change, item)? else {
            return Ok(None);
        };
        let child: ChildId = item.data()?;
        let Some(request) = store::request::<RetentionRequest>(change, child)? else {
            return Ok(None);
        };
        let guardians = self.children.guardians_of(change, child)?;
        if ![&request.by, &guardian.id]
            .iter()
            .all(|id| guardians.contains(id))
        {
            return Ok(None);
        }
        let child = match self.children.get(change, child) {
            Ok(child) => child.name,
            Err(ChildrenError::Store(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let by = name_of(&self.guardians, change, &request.by)?;
        let days = format!("{} days", request.days.days());
        let values = [("{by}", &*by), ("{child}", &child), ("{days}", &days)];
        Ok(Some(
            to_guardian(&guardian, &CHILD_RETENTION, &values).into(),
        ))
    }
}
