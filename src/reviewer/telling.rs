//! The e-mail to a child's other guardians when one of them switches the reviewer on.

use super::store;
use crate::children::{ChildId, Children, ChildrenError};
use crate::identity::{Guardians, NOTICE_GIVEN_UP_AFTER, Notices, to_guardian};
use crate::kernel::mail::Template;
use crate::kernel::queue::{Composed, Item, Kind, Lane, NoAnswer, Places, Policy};
use crate::kernel::store::{Change, StoreError};

const REVIEWER: Template = Template {
    subject: "An AI reader for a child's conversations",
    text: include_str!("emails/reviewer.txt"),
    html: include_str!("emails/reviewer.html"),
};

/// By guardian and child.
pub const OF_REVIEWER: &str = "child-reviewer";

pub struct OfReviewer {
    pub guardians: Guardians,
    pub children: Children,
}

impl Kind for OfReviewer {
    fn policy(&self) -> Policy {
        Policy {
            name: OF_REVIEWER,
            places: Places::OF_EACH,
            gives_up_after: NOTICE_GIVEN_UP_AFTER,
            on_no_answer: NoAnswer::SendOnceMore,
        }
    }

    fn lane(&self, _: &mut Change, _: &Item) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Ordinary))
    }

    fn compose(&self, change: &mut Change, item: &Item) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient(&self.guardians, change, item)? else {
            return Ok(None);
        };
        let child: ChildId = item.data()?;
        let consent = store::consent(change, child)?;
        let Some(consent) = consent.filter(|consent| consent.ended_at.is_none()) else {
            return Ok(None);
        };
        if !self
            .children
            .guardians_of(change, child)?
            .contains(&guardian.id)
        {
            return Ok(None);
        }
        let child = match self.children.get(change, child) {
            Ok(child) => child.name,
            Err(ChildrenError::Store(error)) => return Err(error),
            Err(_) => return Ok(None),
        };
        let by = self.guardians.name_of(change, &consent.by)?;
        let by = by.unwrap_or_else(|| "Another guardian".to_owned());
        let values = [
            ("{by}", &*by),
            ("{child}", &child),
            ("{model}", &consent.model),
            ("{host}", &consent.host),
        ];
        Ok(Some(to_guardian(&guardian, &REVIEWER, &values).into()))
    }
}
