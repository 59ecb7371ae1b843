//! The e-mails about deletions and shorter retention.

use super::extent::{DeletionExtent, Extents};
use crate::children::agreements::{ByGuardian, RequestedChange};
use crate::children::{ChildrenError, Period};
use crate::household::management::caller;
use crate::identity::{Guardians, Identity, Notices, to_guardian};
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::{grouped, text};
use crate::kernel::outgoing::mail::Draft;
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, Policy};
use crate::kernel::store::{Change, StoreError};

/// Registers the e-mail to the other guardians about a request, by guardian, child and kind of request.
pub fn register(identity: &Identity, extents: &Extents) -> Kind<ByGuardian<RequestedChange>> {
    identity.environment.queue.register(OfRequest {
        guardians: identity.guardians.clone(),
        extents: extents.clone(),
    })
}

struct OfRequest {
    guardians: Guardians,
    extents: Extents,
}

impl Composer for OfRequest {
    type Data = ByGuardian<RequestedChange>;

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
        let Some(notice) = children.addressed_notice(&self.guardians, change, item)? else {
            return Ok(None);
        };
        let Some((child, name)) = notice.children.first() else {
            return Ok(None);
        };
        let pending = children.pending_request(change, *child, notice.about.kind())?;
        let Some((request, _)) = pending.filter(|(request, _)| request.by == notice.by) else {
            return Ok(None);
        };
        let email = match request.asked {
            RequestedChange::Deletion => {
                let access = children.access_in(change, &caller(&notice.to.id), *child);
                match access.and_then(|access| self.extents.of(change, &access)) {
                    Ok(extent) => to_guardian(&notice.to, |language| {
                        deletion_draft(language, &notice.who, name, &extent)
                    }),
                    Err(ChildrenError::Store(error)) => return Err(error),
                    // They no longer have the child.
                    Err(_) => return Ok(None),
                }
            }
            RequestedChange::Retention(period) => to_guardian(&notice.to, |language| {
                shorter_retention_draft(language, &notice.who, name, period)
            }),
        };
        Ok(Some(email.into()))
    }
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
