//! The e-mails about invitations, deletions and shorter retention.

use std::time::Duration;

use super::extent::{DeletionExtent, Extents};
use super::{HouseholdError, InvitationId, caller, store};
use crate::children::agreements::{AddressedNotice, Asked, ByGuardian};
use crate::children::{Children, Period};
use crate::identity::{
    Guardians, Identity, Notices, UnverifiedAddresses, UnverifiedEmail, to_guardian,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::outgoing::mail::{Email, Template};
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, NoAnswer, Places, Policy, Queue,
};
use crate::kernel::store::{Change, StoreError};

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

/// The kinds of e-mails.
#[derive(Clone)]
pub struct Emails {
    /// With an invitation's link, by invitation.
    pub to_invited: Kind<()>,
    /// To the other guardians about an invitation, by guardian and invitation.
    pub of_invitation: Kind<ByGuardian<()>>,
    /// To the other guardians about a request, by guardian, child and kind of request.
    pub of_request: Kind<ByGuardian<Asked>>,
}

impl Emails {
    pub fn register(queue: &Queue, identity: &Identity, extents: &Extents) -> Self {
        let guardians = &identity.guardians;
        Self {
            to_invited: queue.register(ToInvited {
                randomness: identity.environment.randomness.clone(),
                addresses: identity.environment.addresses(),
                unverified: identity.unverified.clone(),
            }),
            of_invitation: queue.register(OfInvitation {
                guardians: guardians.clone(),
                children: extents.children.clone(),
            }),
            of_request: queue.register(OfRequest {
                guardians: guardians.clone(),
                extents: extents.clone(),
            }),
        }
    }
}

/// An invitation's link for its token.
pub fn link(public_url: &PublicUrl, token: &Secret) -> String {
    public_url.page(&format!("/invitation#token={}", token.reveal()))
}

struct ToInvited {
    randomness: Randomness,
    addresses: Addresses,
    unverified: UnverifiedAddresses,
}

impl Composer for ToInvited {
    type Data = ();

    fn policy(&self) -> Policy {
        Policy {
            name: "invitation",
            places: Places::OF_EACH,
            // The inviting guardian waits for it.
            gives_up_after: Duration::from_secs(60),
            on_no_answer: NoAnswer::CountsAsSent,
        }
    }

    /// If the address has reached its daily limit, nothing is sent, so that nothing is revealed.
    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
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
        let link = link(self.addresses.for_links(), &token);
        let email = UnverifiedEmail::new(&INVITATION, &to, ("{link}", &link));
        Ok(Some(email.permitted(permit)))
    }
}

struct OfInvitation {
    guardians: Guardians,
    children: Children,
}

impl Composer for OfInvitation {
    type Data = ByGuardian<()>;

    fn policy(&self) -> Policy {
        Notices::policy("somebody-invited")
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let told = self.children.told(&self.guardians, change, item)?;
        Ok(told.map(|told| {
            let names = told.children.iter().map(|(_, name)| name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let values = [("{by}", told.who.as_str()), ("{children}", &names)];
            to_guardian(&told.to, &SOMEBODY_INVITED, &values).into()
        }))
    }
}

struct OfRequest {
    guardians: Guardians,
    extents: Extents,
}

impl Composer for OfRequest {
    type Data = ByGuardian<Asked>;

    fn policy(&self) -> Policy {
        Notices::policy("child-request")
    }

    /// Says what is asked now; nothing if the request has ended.
    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let children = &self.extents.children;
        let Some(told) = children.told(&self.guardians, change, item)? else {
            return Ok(None);
        };
        let Some((child, name)) = told.children.first() else {
            return Ok(None);
        };
        let pending = children.pending_request(change, *child, told.about.kind())?;
        let Some((request, _)) = pending.filter(|(request, _)| request.by == told.by) else {
            return Ok(None);
        };
        let email = match request.asked {
            Asked::Deletion => {
                let access = children.access_in(change, &caller(&told.to.id), *child);
                let extent = access.map_err(HouseholdError::from);
                match extent.and_then(|access| self.extents.of(change, &access)) {
                    Ok(extent) => deletion(&told, name, &extent),
                    Err(HouseholdError::Store(error)) => return Err(error),
                    // They no longer have the child.
                    Err(_) => return Ok(None),
                }
            }
            Asked::Retention(period) => shorter_retention(&told, name, period),
        };
        Ok(Some(email.into()))
    }
}

fn deletion(told: &AddressedNotice<Asked>, child: &str, extent: &DeletionExtent) -> Email {
    let values = [
        ("{by}", told.who.as_str()),
        ("{child}", child),
        ("{conversations}", &extent.conversations_in_words()),
        ("{names}", &extent.names_in_words()),
    ];
    to_guardian(&told.to, &CHILD_ERASURE, &values)
}

fn shorter_retention(told: &AddressedNotice<Asked>, child: &str, period: Period) -> Email {
    let days = format!("{} days", period.days());
    let values = [
        ("{by}", told.who.as_str()),
        ("{child}", child),
        ("{days}", &days),
    ];
    to_guardian(&told.to, &CHILD_RETENTION, &values)
}
