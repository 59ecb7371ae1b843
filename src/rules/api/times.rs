//! API for guardians: when an assistant may talk with a child.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::{Shared, Tag, Tagged};
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::WriteBudgets;
use crate::identity::api::{AsGuardian, uncounted};
use crate::kernel::http::problem::{BODY, CHANGED, CHILD, RULE, Refused, WRITE};
use crate::kernel::http::version::Version;
use crate::kernel::http::wire::{Body, IfMatch};
use crate::rules::Rules;
use crate::rules::schedule::api::ScheduleView;
use crate::rules::schedule::{ScheduleError, Schedules};

pub(super) struct ScheduleCalls {
    pub(super) children: Children,
    pub(super) rules: Rules,
    pub(super) times: Schedules,
    pub(super) write_budgets: WriteBudgets,
}

/// The size of a change of the times in the write budget, in bytes.
const TIMES_BYTES: u64 = 4096;

#[OpenApi(tag = "Tag::Rules")]
impl ScheduleCalls {
    /// Get the times at which assistants may talk with a child
    #[oai(
        path = "/child/:childId/times",
        method = "get",
        operation_id = "getTimes",
        transform = "no_words"
    )]
    async fn times(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Shared<ScheduleView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)?;
        Ok(Shared::new(self.times.get(&access)?, guardians))
    }

    /// Replace the times at which assistants may talk with a child
    ///
    /// Replaces everything: an omitted limit is removed, and an omitted pause is ended. A pause that changes nothing else
    /// doesn't count as a change.
    #[oai(
        path = "/child/:childId/times",
        method = "put",
        operation_id = "replaceTimes",
        transform = "uncounted"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The version that the caller has read: the `ETag` of the answer, or a request's `edition` in quotes.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<ScheduleView>,
    ) -> Result<Tagged<ScheduleView>, Refused<{ CHILD | BODY | CHANGED | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let times = body.0.read().map_err(ScheduleError::from)?;
        let pauses_only = times.pause.is_some()
            && times.without_pause() == self.times.current(&access)?.without_pause();
        if !pauses_only {
            self.write_budgets
                .take(guardian.0.guardian(), TIMES_BYTES)?;
        }
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let by = guardian.0.guardian().clone();
        let kept = self.rules.replace_schedule(access, by, times, is_expected);
        Ok(kept.await?.into())
    }
}
