//! API for guardians: the versions of a child's rules.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::Tag;
use crate::children::api::no_words;
use crate::children::history::api::AuthorView;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, MALFORMED, Refused};
use crate::kernel::http::wire::{Listed, Page, PageMarker, PageSize, Query};
use crate::kernel::store::JsonRows;
use crate::rules::{Changed, Rules, VersionChange};

/// A version, and how it differs from the one before it.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "RulesVersion", skip_serializing_if_is_none)]
struct VersionView {
    number: u64,
    /// When it took effect; omitted for the state before the first change.
    since: Option<Timestamp>,
    /// When it was replaced; omitted for the current version.
    until: Option<Timestamp>,
    /// The part that was changed; omitted for the state before the first change.
    changed: Option<Changed>,
    /// Who changed it; omitted for a former guardian.
    by: Option<AuthorView>,
    added: Vec<String>,
    removed: Vec<String>,
}

impl From<VersionChange> for VersionView {
    fn from(version: VersionChange) -> Self {
        Self {
            number: version.number,
            since: version.since,
            until: version.until,
            changed: version.changed,
            by: version.by.map(AuthorView::from),
            added: version.added,
            removed: version.removed,
        }
    }
}

pub(super) struct RulesHistoryApi {
    pub(super) children: Children,
    pub(super) rules: Rules,
}

#[OpenApi(tag = "Tag::Rules")]
impl RulesHistoryApi {
    /// List the versions of a child's rules, newest first
    ///
    /// A version is stored as long as a session refers to it, and for 400 days after it was replaced.
    #[oai(
        path = "/child/:childId/rules/history",
        method = "get",
        operation_id = "listRulesHistory",
        transform = "no_words"
    )]
    async fn list(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `next` of the previous page.
        before: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<Page<VersionView>>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let page = self
            .rules
            .list_history(&access, &guardian.0, before, limit)?;
        let answer = Page::<VersionView>::new(page.versions, page.next);
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }
}
