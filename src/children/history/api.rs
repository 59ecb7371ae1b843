//! API for guardians: a child's history.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::{Author, Changed, Details, History};
use crate::children::api::{Tag, no_words};
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{CHILD, MALFORMED, Refused};
use crate::kernel::http::wire::{Listed, Page, PageMarker, PageSize, Query, Text};
use crate::kernel::store::JsonRows;

/// A guardian, as shown to the guardians of a child.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Author", skip_serializing_if_is_none)]
pub struct AuthorView {
    /// Whether this is the caller.
    is_you: bool,
    /// Their name; omitted if none was given.
    name: Option<Text<200>>,
}

impl From<Author> for AuthorView {
    fn from(author: Author) -> Self {
        Self {
            is_you: author.is_you,
            name: author.name.and_then(|name| Text::new(name).ok()),
        }
    }
}

/// What exactly was changed.
#[skip_serializing_none]
#[derive(Object, Serialize)]
#[oai(rename = "ChangeDetails", skip_serializing_if_is_none)]
struct DetailsView {
    /// Topics that were blocked, or quiet hours that were added, such as `20:30/07:00`; at most 5.
    #[oai(validator(max_items = 5))]
    added: Vec<String>,
    /// Topics that were unblocked, or quiet hours that were removed; at most 5.
    #[oai(validator(max_items = 5))]
    removed: Vec<String>,
    /// The number of those that were left out.
    more: u64,
    /// The new daily limit in minutes, time zone or end of the pause. Omitted if the limit was removed, or the pause has no end.
    value: Option<String>,
}

impl From<Details> for DetailsView {
    fn from(details: Details) -> Self {
        Self {
            added: details.added,
            removed: details.removed,
            more: details.more,
            value: details.value,
        }
    }
}

/// One change.
#[skip_serializing_none]
#[derive(Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct HistoryEntry {
    at: Timestamp,
    what: Changed,
    /// The number of changes of this kind that the entry counts, with the time of the last one; omitted for one change.
    #[oai(validator(minimum(value = "2")))]
    times: Option<u64>,
    /// Who changed it; omitted for a former guardian.
    by: Option<AuthorView>,
    /// What exactly was changed; omitted for older entries, several changes, and changes without details.
    details: Option<DetailsView>,
}

pub struct HistoryApi {
    pub children: Children,
    pub history: History,
}

#[OpenApi(tag = "Tag::Children")]
impl HistoryApi {
    /// List the changes of a child, newest first
    #[oai(
        path = "/child/:childId/history",
        method = "get",
        operation_id = "listHistory",
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
    ) -> Result<Listed<Page<HistoryEntry>>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let page = self.history.list(&access, &guardian.0, before, limit)?;
        let entries = page.entries.into_iter().map(|(entry, by)| HistoryEntry {
            at: entry.at,
            what: entry.what,
            times: Some(entry.times).filter(|times| *times > 1),
            by: by.map(AuthorView::from),
            details: entry.details.map(DetailsView::from),
        });
        let answer = Page::<HistoryEntry>::new(entries, page.next);
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }
}
