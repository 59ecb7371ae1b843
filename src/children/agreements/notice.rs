//! Telling the other guardians of a child what one of them did.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::children::{ChildId, Children, ChildrenError};
use crate::identity::{Caller, Guardian, GuardianId, Guardians, Notices};
use crate::kernel::host::texts::text;
use crate::kernel::host::words::{name_in_sentence, visible_name_in_sentence};
use crate::kernel::outgoing::queue::{Item, Kind};
use crate::kernel::store::{Change, Read, StoreError};

/// An e-mail to the other guardians.
pub struct Notice<'a, T> {
    pub kind: &'a Kind<ByGuardian<T>>,
    /// Of one kind and subject, only the latest is queued for each guardian.
    pub subject: &'a str,
    /// What else the e-mail needs. It isn't sent if the recipient got one that is equal in this, too, a moment ago.
    pub about: T,
}

/// What is queued of a [`Notice`] to one guardian.
#[derive(Serialize, Deserialize)]
pub struct ByGuardian<T> {
    by: GuardianId,
    /// Those of the children that the recipient has.
    children: Vec<ChildId>,
    about: T,
}

/// A [`Notice`] that is being composed. All names are as [`name_in_sentence`] shows them.
pub struct AddressedNotice<T> {
    pub to: Guardian,
    pub by: GuardianId,
    /// The name of `by`.
    pub who: String,
    /// Those of the children that the recipient still has, with their names.
    pub children: Vec<(ChildId, String)>,
    pub about: T,
}

impl Children {
    /// Queues one notice to each other guardian of these children, about those children that they have.
    pub fn notify_others<T: Serialize + DeserializeOwned + Clone>(
        &self,
        change: &mut Change,
        notices: &Notices,
        by: &GuardianId,
        children: &[ChildId],
        notice: &Notice<'_, T>,
    ) -> Result<(), StoreError> {
        let mut of_others = BTreeMap::<GuardianId, Vec<ChildId>>::new();
        for child in children {
            for guardian in self.guardians_of(change, *child)? {
                of_others.entry(guardian).or_default().push(*child);
            }
        }
        of_others.remove(by);
        for (other, children) in of_others {
            let queued = ByGuardian {
                by: by.clone(),
                children,
                about: notice.about.clone(),
            };
            let what = serde_json::to_string(&queued).expect("it has string keys only");
            let what = format!("{} {what}", notice.kind.name());
            let item = Item::new(other.as_str(), notice.subject, queued);
            notices.notify(change, notice.kind, &item, what)?;
        }
        Ok(())
    }

    /// The content of a queued notice; `None` if nobody is left to be told, or has none of the children any more.
    pub fn addressed_notice<T>(
        &self,
        guardians: &Guardians,
        view: &impl Read,
        item: Item<ByGuardian<T>>,
    ) -> Result<Option<AddressedNotice<T>>, StoreError> {
        let Some(to) = Notices::recipient_of(guardians, view, &item)? else {
            return Ok(None);
        };
        let ByGuardian {
            by,
            children,
            about,
        } = item.data;
        let own = self.visible_to(view, &Caller::Guardian(to.id.clone()))?;
        let mut named = Vec::new();
        for child in children.into_iter().filter(|child| own.contains(child)) {
            match self.get(view, child) {
                Ok(found) => named.push((child, name_in_sentence(&found.name))),
                Err(ChildrenError::Store(error)) => return Err(error),
                Err(_) => {}
            }
        }
        if named.is_empty() {
            return Ok(None);
        }
        let who = guardians.name_of(view, &by)?;
        Ok(Some(AddressedNotice {
            who: who
                .and_then(|name| visible_name_in_sentence(&name))
                .unwrap_or_else(|| text(to.language(), "another-guardian", &[])),
            to,
            by,
            children: named,
            about,
        }))
    }
}
