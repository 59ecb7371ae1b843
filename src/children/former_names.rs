use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::Record;
use crate::kernel::store::due::DueBy;

/// How long a former name is stored.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How often each guardian may rename a child within [`KEPT`].
const AT_MOST: usize = 20;

/// The limit per child, which can have eight guardians.
const ALL_AT_MOST: usize = 8 * AT_MOST;

/// Newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FormerNames(Vec<FormerName>);

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FormerName {
    name: String,
    /// When the child got its next name.
    until: Timestamp,
    /// The guardian who gave the next one; `None` for the administrator, and before this was stored.
    by: Option<GuardianId>,
}

impl Record for FormerNames {}

impl FormerNames {
    /// Adds the name that the child had until now; `next` is its new name, given by `by`. Returns whether that guardian has
    /// given too many names.
    pub fn add(
        &mut self,
        name: String,
        next: &str,
        by: Option<&GuardianId>,
        now: Timestamp,
    ) -> bool {
        self.0
            .retain(|former| former.name != name && is_recent(former, now));
        let former = FormerName {
            name,
            until: now,
            by: by.cloned(),
        };
        self.0.insert(0, former);
        let others = self.0.iter().filter(|former| former.name != next);
        let own = others.filter(|former| former.by.as_ref() == by).count();
        self.0.truncate(ALL_AT_MOST);
        by.is_some() && own >= AT_MOST
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

    /// Whether any name is older than thirty days.
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
