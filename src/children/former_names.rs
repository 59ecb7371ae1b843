use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;
use crate::kernel::due::DueBy;
use crate::kernel::store::Record;

/// How long a former name is kept.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many former names a child may have within [`KEPT`].
const AT_MOST: usize = 20;

/// A child's former names, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormerNames(Vec<FormerName>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FormerName {
    name: String,
    /// When the child got its next name.
    until: Timestamp,
}

impl Record for FormerNames {}

impl FormerNames {
    /// Adds the name that the child had until now; `next` is its new name. Returns whether there are too many names.
    pub fn add(&mut self, name: String, next: &str, now: Timestamp) -> bool {
        self.0
            .retain(|former| former.name != name && is_recent(former, now));
        self.0.insert(0, FormerName { name, until: now });
        let others = self.0.iter().filter(|former| former.name != next);
        let are_too_many = others.count() >= AT_MOST;
        self.0.truncate(AT_MOST);
        are_too_many
    }

    /// The names of the last thirty days except `but`.
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

    /// Whether names have passed their thirty days.
    pub fn has_old(&self, due: DueBy) -> bool {
        self.0.iter().any(|name| due.has_passed(name.until, KEPT))
    }

    pub fn drop_old(&mut self, due: DueBy) {
        self.0.retain(|name| !due.has_passed(name.until, KEPT));
    }
}

fn is_recent(former: &FormerName, now: Timestamp) -> bool {
    now < former.until.after(KEPT)
}
