//! The e-mail to a child's other guardians when one of them switches the reviewer on.

use super::store;
use crate::children::Children;
use crate::children::agreements::ByGuardian;
use crate::identity::{Guardians, Notices, to_guardian};
use crate::kernel::outgoing::mail::Template;
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, Policy, Queue};
use crate::kernel::store::{Change, StoreError};

const REVIEWER: Template = Template {
    subject: "An AI reader for a child's conversations",
    text: include_str!("emails/reviewer.txt"),
    html: include_str!("emails/reviewer.html"),
};

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
        let told = self.children.told(&self.guardians, change, item)?;
        let Some(told) = told else {
            return Ok(None);
        };
        let Some((child, name)) = told.children.first() else {
            return Ok(None);
        };
        let consent = store::consent(change, *child)?;
        let open = consent.filter(|consent| consent.ended_at.is_none() && consent.by == told.by);
        Ok(open.map(|consent| {
            let values = [
                ("{by}", &*told.who),
                ("{child}", name),
                ("{model}", &consent.model),
                ("{host}", &consent.host),
            ];
            to_guardian(&told.to, &REVIEWER, &values).into()
        }))
    }
}
