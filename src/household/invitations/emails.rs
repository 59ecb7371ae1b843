//! The e-mails about invitations.

use std::time::Duration;

use super::{InvitationId, store};
use crate::children::Children;
use crate::children::agreements::ByGuardian;
use crate::identity::{
    Guardians, Identity, Notices, UnverifiedAddresses, UnverifiedEmail, to_guardian,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::language::Language;
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::host::texts::text;
use crate::kernel::outgoing::mail::{Draft, LinkInText};
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, NoAnswer, Places, Policy};
use crate::kernel::store::{Change, StoreError};

/// The kinds of e-mails.
#[derive(Clone)]
pub struct Emails {
    /// With an invitation's link, by invitation.
    pub to_invited: Kind<()>,
    /// To the other guardians about an invitation, by guardian and invitation.
    pub of_invitation: Kind<ByGuardian<()>>,
}

impl Emails {
    pub fn register(identity: &Identity, children: &Children) -> Self {
        let environment = &identity.environment;
        Self {
            to_invited: environment.queue.register(ToInvited {
                randomness: environment.randomness.clone(),
                addresses: environment.addresses(),
                unverified: identity.unverified.clone(),
            }),
            of_invitation: environment.queue.register(OfInvitation {
                guardians: identity.guardians.clone(),
                children: children.clone(),
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
        let notice = self
            .children
            .addressed_notice(&self.guardians, change, item)?;
        Ok(notice.map(|notice| {
            let names = notice.children.iter().map(|(_, name)| name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let draft = |language| somebody_invited_draft(language, &notice.who, &names);
            to_guardian(&notice.to, draft).into()
        }))
    }
}

fn somebody_invited_draft(language: Language, by: &str, children: &str) -> Draft {
    let values = [("by", by.into()), ("children", children.into())];
    Draft::new(language, "somebody-invited-subject")
        .strong(text(language, "somebody-invited-whom", &values))
        .note(text(language, "somebody-invited-answer", &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn each_email_is_in_each_language() {
        check_in_each_language("invitation", |language| {
            invitation_draft(language, "https://porchlight.example/x#token=1")
        });
        check_in_each_language("somebody-invited", |language| {
            somebody_invited_draft(language, "Kim", "Mia, Noah")
        });
    }
}
