//! API for guardians: the page that tells a child what is kept.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{ChildNotice, ChildNotices, Edition};
use crate::children::api::{Tag, no_words};
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::http::problem::{BODY, CHILD, Refused, WRITE};
use crate::kernel::http::wire::{Body, Done, Listed};
use crate::kernel::store::JsonRows;

pub struct ChildNoticeApi {
    pub children: Children,
    pub pages: ChildNotices,
}

/// What a page for a child is made from.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "ChildNotice", skip_serializing_if_is_none)]
struct ChildNoticeView {
    /// Omitted until a guardian chooses one.
    edition: Option<Edition>,
    child_name: String,
    /// The names of the child's guardians.
    guardians: Vec<String>,
    /// How many guardians have no name.
    nameless_guardians: u64,
    /// The names of the assistants that talk with the child.
    assistants: Vec<String>,
    /// The name and number of a place that helps children, if the administrator gave one.
    helpline: Option<String>,
    /// Whether a model reads along.
    reviewed: bool,
    /// The child's age in years; omitted if no assistant is told it.
    age: Option<u8>,
    /// The names of the assistants that are told the age: those that talk with no other child.
    told_age: Vec<String>,
    /// The names of the assistants whose models grown-ups tested with made-up questions.
    tested: Vec<String>,
}

impl From<ChildNotice> for ChildNoticeView {
    fn from(page: ChildNotice) -> Self {
        let nameless = page.guardians.iter().filter(|name| name.is_none()).count();
        Self {
            edition: page.edition,
            child_name: page.child_name,
            guardians: page.guardians.into_iter().flatten().collect(),
            nameless_guardians: nameless as u64,
            assistants: page.assistants,
            helpline: page.helpline.map(|helpline| helpline.to_string()),
            reviewed: page.is_reviewed,
            age: page.age,
            told_age: page.told_age,
            tested: page.tested,
        }
    }
}

/// The edition that a guardian chooses.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "PageEditionChoice", deny_unknown_fields)]
struct EditionChoiceView {
    edition: Edition,
}

#[OpenApi(tag = "Tag::Children")]
impl ChildNoticeApi {
    /// Get what the page for a child is made from
    ///
    /// The page tells the child what is kept of its conversations, and who can read it.
    #[oai(
        path = "/child/:childId/for_child",
        method = "get",
        operation_id = "getChildNotice",
        transform = "no_words"
    )]
    async fn page(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<ChildNoticeView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let (page, unreadable) = self.pages.get(&access)?;
        Ok(JsonRows::of(&ChildNoticeView::from(page), unreadable).into())
    }

    /// Choose the edition of the page for a child
    ///
    /// For all of the child's guardians. With the older edition `getConversationStarters` is off, unless a guardian has switched
    /// it on or off before: send this when the guardian saves, not when they look at an edition.
    #[oai(
        path = "/child/:childId/for_child",
        method = "put",
        operation_id = "chooseChildNoticeEdition"
    )]
    async fn choose(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<EditionChoiceView>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        let chosen = self.pages.choose(access, by, body.0.edition);
        chosen.await?;
        Ok(Done)
    }
}
