//! Reading and changing when an assistant may talk with a child.

use poem_openapi::param::Path;
use poem_openapi::{ApiResponse, OpenApi};

use super::Tag;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::problem::{BODY, CHANGED, CHILD, RULE, Refused, WRITE};
use crate::kernel::version::Version;
use crate::kernel::wire::{Body, IfMatch, Joined, entity_tag};
use crate::rules::Rules;
use crate::times::api::TimesView;
use crate::times::{TimesError, TimesOfChildren};

#[derive(ApiResponse)]
enum TimesAnswer {
    /// The times.
    #[oai(status = 200)]
    Kept(
        Joined<TimesView>,
        /// What the times are recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
        /// How many guardians see and change these times.
        #[oai(header = "Porchlight-Guardians")]
        u64,
    ),
}

#[derive(ApiResponse)]
enum TimesReplaced {
    /// The times as they are kept.
    #[oai(status = 200)]
    Kept(
        Joined<TimesView>,
        /// What the times are recognised by, for `If-Match`.
        #[oai(header = "ETag")]
        String,
    ),
}

/// The calls about times.
pub struct TimesCalls {
    /// Who may see whom.
    pub children: Children,
    /// The rules' façade.
    pub rules: Rules,
    /// The times' façade.
    pub times: TimesOfChildren,
}

#[OpenApi(tag = "Tag::Rules")]
impl TimesCalls {
    /// Read when an assistant may talk with a child
    #[oai(
        path = "/child/:childId/times",
        method = "get",
        operation_id = "getTimes"
    )]
    async fn times(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<TimesAnswer, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let guardians = self.children.count_guardians(&access)? as u64;
        let kept = self.times.get(&access)?;
        let tag = entity_tag(kept.version.as_str());
        Ok(TimesAnswer::Kept(Joined::json(kept.json), tag, guardians))
    }

    /// Replace when an assistant may talk with a child
    ///
    /// All of it: what is left out is not limited, and ends a pause.
    #[oai(
        path = "/child/:childId/times",
        method = "put",
        operation_id = "replaceTimes"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `ETag` of the times that were changed: 412 if they have changed since.
        #[oai(name = "If-Match")]
        expected: IfMatch,
        body: Body<TimesView>,
    ) -> Result<TimesReplaced, Refused<{ CHILD | BODY | CHANGED | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let times = body.0.read().map_err(TimesError::from)?;
        let is_expected = move |version: &Version| expected.allows(version.as_str());
        let by = guardian.0.guardian().clone();
        let kept = self.rules.replace_times(access, by, times, is_expected);
        let kept = kept.await?;
        let tag = entity_tag(kept.version.as_str());
        Ok(TimesReplaced::Kept(Joined::json(kept.json), tag))
    }
}
