//! The e-mail to a child's other guardians when one of them switches the reviewer on.

use super::store;
use crate::children::Children;
use crate::children::agreements::ByGuardian;
use crate::identity::{Guardians, Notices, to_guardian};
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::words::in_sentence;
use crate::kernel::outgoing::mail::Draft;
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, Policy, Queue};
use crate::kernel::store::{Change, StoreError};

/// By guardian and child.
pub struct OfReviewer {
    guardians: Guardians,
    children: Children,
}

impl OfReviewer {
    pub fn register(
        queue: &Queue,
        guardians: &Guardians,
        children: &Children,
    ) -> Kind<ByGuardian<()>> {
        queue.register(Self {
            guardians: guardians.clone(),
            children: children.clone(),
        })
    }
}

impl Composer for OfReviewer {
    type Data = ByGuardian<()>;

    fn policy(&self) -> Policy {
        Notices::policy("child-reviewer")
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let notice = self
            .children
            .addressed_notice(&self.guardians, change, item)?;
        let Some(notice) = notice else {
            return Ok(None);
        };
        let Some((child, name)) = notice.children.first() else {
            return Ok(None);
        };
        let consent = store::consent(change, *child)?;
        let open = consent.filter(|consent| consent.ended_at.is_none() && consent.by == notice.by);
        Ok(open.map(|consent| {
            let draft =
                |language| draft(language, &notice.who, name, &consent.model, &consent.host);
            to_guardian(&notice.to, draft).into()
        }))
    }
}

fn draft(language: Language, by: &str, child: &str, model: &str, host: &str) -> Draft {
    let asked = [("by", by.into()), ("child", child.into())];
    let place = [("model", in_sentence(model).into()), ("host", host.into())];
    Draft::new(language, "reviewer-subject")
        .strong(text(language, "reviewer-asked", &asked))
        .note(text(language, "reviewer-words", &place))
        .note(text(language, "reviewer-answer", &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn the_email_is_in_each_language() {
        check_in_each_language("reviewer", |language| {
            draft(language, "Kim", "Mia", "small", "localhost")
        });
    }
}
