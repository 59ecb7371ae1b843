//! API for guardians: when a child was born.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::http::problem::{BODY, CHILD, RULE, Refused, WRITE};
use crate::kernel::http::wire::Body;
use crate::rules::Rules;
use crate::rules::age::api::{BornRequest, BornView};

pub(super) struct BirthMonthApi {
    pub(super) children: Children,
    pub(super) rules: Rules,
}

#[OpenApi(tag = "Tag::Rules")]
impl BirthMonthApi {
    /// Get the month in which a child was born
    #[oai(
        path = "/child/:childId/born",
        method = "get",
        operation_id = "getBirthMonth",
        transform = "no_words"
    )]
    async fn get(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Body<BornView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        Ok(Body(self.rules.born(&access)?.into()))
    }

    /// Replace the month in which a child was born
    ///
    /// Assistants are told the child's age in years, unless their key is for several children. The month can't be in the future
    /// or more than 25 years ago.
    #[oai(
        path = "/child/:childId/born",
        method = "put",
        operation_id = "replaceBirthMonth"
    )]
    async fn replace(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<BornRequest>,
    ) -> Result<Body<BornView>, Refused<{ CHILD | BODY | RULE | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let (by, month) = (guardian.0.guardian().clone(), body.0.born.0);
        let replaced = self.rules.replace_birth_month(access, by, month);
        Ok(Body(replaced.await?.into()))
    }
}
