//! The stored form of a child's former names.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;
use crate::kernel::due::DueBy;
use crate::kernel::store::Record;

/// For how long a former name is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many names a child may have in that time.
const AT_MOST: usize = 20;

/// A child's former names, the last one first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormerNames(Vec<FormerName>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FormerName {
    name: String,
    /// When the child was given another one.
    until: Timestamp,
}

impl Record for FormerNames {}

impl FormerNames {
    /// Notes that a child was called so until now, and will have another name. Returns whether there are too many.
    pub fn add(&mut self, name: String, next: &str, now: Timestamp) -> bool {
        self.0
            .retain(|former| former.name != name && is_recent(former, now));
        self.0.insert(0, FormerName { name, until: now });
        let others = self.0.iter().filter(|former| former.name != next);
        let are_too_many = others.count() >= AT_MOST;
        self.0.truncate(AT_MOST);
        are_too_many
    }

    /// Those that are not old, without this one.
    pub fn recent(self, but: &str, now: Timestamp) -> impl Iterator<Item = String> {
        let recent = self
            .0
            .into_iter()
            .filter(move |former| is_recent(former, now));
        let but = but.to_owned();
        recent
            .map(|former| former.name)
            .filter(move |name| *name != but)
    }

    /// Whether some were kept for their time.
    pub fn has_old(&self, due: DueBy) -> bool {
        self.0.iter().any(|name| due.has_passed(name.until, KEPT))
    }

    /// Removes those that were kept for their time.
    pub fn drop_old(&mut self, due: DueBy) {
        self.0.retain(|name| !due.has_passed(name.until, KEPT));
    }
}

fn is_recent(former: &FormerName, now: Timestamp) -> bool {
    now < former.until.after(KEPT)
}
