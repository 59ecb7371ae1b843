//! The e-mails about invitations, deletions and shorter retention.

use std::time::Duration;

use super::extent::{DeletionExtent, Extents};
use super::{HouseholdError, InvitationId, caller, store};
use crate::children::agreements::{Asked, ByGuardian};
use crate::children::{Children, Period};
use crate::identity::{
    Guardians, Identity, Notices, UnverifiedAddresses, UnverifiedEmail, to_guardian,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::language::Language;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::host::texts::{grouped, text};
use crate::kernel::outgoing::mail::{Draft, LinkInText};
use crate::kernel::outgoing::queue::{
    Composed, Composer, Item, Kind, NoAnswer, Places, Policy, Queue,
};
use crate::kernel::store::{Change, StoreError};

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

    /// If the address has reached its daily limit, nothing is sent, so that nothing is revealed. The language is the inviting
    /// guardian's.
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
        let language = Guardians::language_of(change, &invitation.by)?;
        let email = UnverifiedEmail::new(&to, language, invitation_draft, &link);
        Ok(Some(email.permitted(permit)))
    }
}

fn invitation_draft(language: Language, link: &str) -> Draft {
    let say = |key| text(language, key, &[]);
    let [what, told] = ["invitation-what", "invitation-told"].map(say);
    Draft::new(language, "invitation-subject")
        .paragraph(format!("{what} {}", say("invitation-above-link")))
        .in_text()
        .paragraph(format!("{what} {}", say("invitation-who")))
        .in_html()
        .link("invitation-button", link, LinkInText::WithoutLabel)
        .note(format!("{} {told}", say("invitation-works-above")))
        .in_text()
        .note(format!("{} {told}", say("invitation-works")))
        .in_html()
        .link_to_copy(link)
        .note(say("invitation-not-expected"))
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
            let draft = |language| somebody_invited_draft(language, &told.who, &names);
            to_guardian(&told.to, draft).into()
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
                    Ok(extent) => to_guardian(&told.to, |language| {
                        deletion_draft(language, &told.who, name, &extent)
                    }),
                    Err(HouseholdError::Store(error)) => return Err(error),
                    // They no longer have the child.
                    Err(_) => return Ok(None),
                }
            }
            Asked::Retention(period) => to_guardian(&told.to, |language| {
                shorter_retention_draft(language, &told.who, name, period)
            }),
        };
        Ok(Some(email.into()))
    }
}

fn somebody_invited_draft(language: Language, by: &str, children: &str) -> Draft {
    let values = [("by", by.into()), ("children", children.into())];
    Draft::new(language, "somebody-invited-subject")
        .strong(text(language, "somebody-invited-whom", &values))
        .note(text(language, "somebody-invited-answer", &[]))
}

fn deletion_draft(language: Language, by: &str, child: &str, extent: &DeletionExtent) -> Draft {
    let asked = [("by", by.into()), ("child", child.into())];
    let conversations = extent.conversations_in_words(language);
    let conversations = [("conversations", conversations.into())];
    let names = [("names", extent.names_in_words(language).into())];
    Draft::new(language, "child-deletion-subject")
        .strong(text(language, "child-deletion-asked", &asked))
        .note(text(language, "child-deletion-extent", &conversations))
        .note(text(language, "child-deletion-names", &names))
        .note(text(language, "child-deletion-answer", &[]))
}

fn shorter_retention_draft(language: Language, by: &str, child: &str, period: Period) -> Draft {
    let days = u64::from(period.days());
    let asked = [
        ("by", by.into()),
        ("child", child.into()),
        ("count", days.into()),
        ("number", grouped(language, days).into()),
    ];
    Draft::new(language, "child-retention-subject")
        .strong(text(language, "child-retention-asked", &asked))
        .note(text(language, "child-retention-older", &[]))
        .note(text(language, "child-retention-answer", &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn each_email_is_in_each_language() {
        let day = |text: &str| text.parse().unwrap();
        let extent = DeletionExtent {
            conversations: 12,
            days: Some((day("2026-11-01"), day("2026-11-25"))),
            names: vec!["Mia".to_owned(), "Mimi".to_owned()],
        };

        check_in_each_language("invitation", |language| {
            invitation_draft(language, "https://porchlight.example/x#token=1")
        });
        check_in_each_language("somebody-invited", |language| {
            somebody_invited_draft(language, "Kim", "Mia, Noah")
        });
        check_in_each_language("child-deletion", |language| {
            deletion_draft(language, "Kim", "Mia", &extent)
        });
        check_in_each_language("child-retention", |language| {
            shorter_retention_draft(language, "Kim", "Mia", Period::Days30)
        });
    }

    #[test]
    fn the_extent_of_a_deletion_in_words() {
        let day = "2026-11-01".parse().unwrap();
        let extent = |conversations, days| DeletionExtent {
            days,
            ..DeletionExtent::of_conversations(conversations)
        };
        let german = |extent: DeletionExtent| extent.conversations_in_words(Language::De);

        assert_eq!(german(extent(0, None)), "keine Gespräche");
        assert_eq!(
            german(extent(1, Some((day, day)))),
            "1 Gespräch, am 1. November 2026"
        );
        assert_eq!(german(extent(2, None)), "2 Gespräche");
    }
}
