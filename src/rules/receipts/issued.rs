//! Finds the version that an assistant's receipt names, and checks that the assistant received it.

use std::collections::BTreeMap;

use super::Receipt;
use crate::children::{ChildAccess, ChildId, ChildrenError};
use crate::identity::{AssistantId, Caller};
use crate::kernel::store::{StoreError, run_blocking};
use crate::rules::version::TopicsVersion;
use crate::rules::version_name::{Numbers, VersionName};
use crate::rules::{Rules, store};

/// A version that an assistant received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IssuedVersion {
    pub number: u64,
    pub topics: TopicsVersion,
}

/// An assistant's receipts, each with its version if the assistant received it.
#[derive(Default)]
pub struct CheckedReceipts(pub(super) Vec<(Receipt, Option<IssuedVersion>)>);

impl CheckedReceipts {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Rules {
    /// Finds the versions that an assistant's receipts name. It reads all of their texts, so it runs before the
    /// [change](Self::take_receipts), which would block other writers, and in a separate thread.
    pub async fn check_receipts(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
        receipts: Vec<Receipt>,
    ) -> Result<CheckedReceipts, StoreError> {
        if receipts.is_empty() {
            return Ok(CheckedReceipts::default());
        }
        let (rules, access, assistant) = (self.clone(), access.clone(), assistant.clone());
        run_blocking(move || {
            let mut known = BTreeMap::<String, Option<IssuedVersion>>::new();
            let mut checked = Vec::with_capacity(receipts.len());
            for receipt in receipts {
                let issued = match known.get(&receipt.version) {
                    Some(issued) => *issued,
                    None => {
                        let issued = rules.find_issued(&access, &assistant, &receipt.version)?;
                        known.insert(receipt.version.clone(), issued);
                        issued
                    }
                };
                checked.push((receipt, issued));
            }
            Ok(CheckedReceipts(checked))
        })
        .await
    }

    /// The version of the child's rules with this name, if this assistant received it.
    fn find_issued(
        &self,
        access: &ChildAccess,
        assistant: &AssistantId,
        name: &str,
    ) -> Result<Option<IssuedVersion>, StoreError> {
        let Ok(name) = name.parse::<VersionName>() else {
            return Ok(None);
        };
        let tag =
            |child: ChildId, number: u64, text: &str| self.key.tag(assistant, child, number, text);
        match &name.numbers {
            Numbers::One(number) => {
                let (child, number) = (access.child(), *number);
                let rules = self.in_force(access)?;
                if rules.number == number && tag(child, number, &rules.instructions) == name.tag {
                    let topics = rules.topics_version;
                    return Ok(Some(IssuedVersion { number, topics }));
                }
                // The stored instructions: an upgrade may have changed the wording since.
                let kept = store::version(&self.store, child, number)?;
                let issued = kept.filter(|kept| tag(child, number, &kept.instructions) == name.tag);
                Ok(issued.map(|kept| IssuedVersion {
                    number,
                    topics: kept.topics_version,
                }))
            }
            Numbers::Each(numbers) => {
                let (mut tags, mut own) = (Vec::new(), None);
                for (child, number) in numbers {
                    let of_child = Caller::Assistant(assistant.clone());
                    let of_child = match self.dependencies.children.of(of_child, *child) {
                        Ok(access) => access,
                        Err(ChildrenError::Store(error)) => return Err(error),
                        Err(_) => return Ok(None),
                    };
                    let rules = self.in_force(&of_child)?;
                    let topics = if rules.number == *number {
                        tags.push(tag(*child, *number, &rules.instructions));
                        rules.topics_version
                    } else {
                        let kept = store::version(&self.store, *child, *number)?;
                        let Some(kept) = kept else {
                            return Ok(None);
                        };
                        tags.push(tag(*child, *number, &kept.instructions));
                        kept.topics_version
                    };
                    if *child == access.child() {
                        let number = *number;
                        own = Some(IssuedVersion { number, topics });
                    }
                }
                let is_told = self.key.tag_of_all(assistant, &tags) == name.tag;
                Ok(own.filter(|_| is_told))
            }
        }
    }
}
