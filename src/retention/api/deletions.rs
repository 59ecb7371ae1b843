//! The endpoint that lists deletion records.

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
use crate::kernel::host::zones::Day;
use crate::kernel::http::problem::{CHILD, MALFORMED, Refused};
use crate::kernel::http::wire::{Listed, Page, PageMarker, PageSize, Query};
use crate::kernel::store::JsonRows;
use crate::retention::Retention;
use crate::retention::deletions::{Deletion, Outcome, Reason};

/// The latest search of all of the server's data files for what was deleted.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "DeletionCheck")]
struct CheckView {
    outcome: Outcome,
    checked_on: Day,
}

/// Scheduled backups that may still hold what was deleted.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "DeletionBackups")]
struct BackupsView {
    /// The day on which rotation has removed the last of them.
    gone_on: Day,
}

/// The record of sessions whose permanent deletion began within an hour, for the same reason. It has no word of what was said.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Deletion", skip_serializing_if_is_none)]
struct DeletionView {
    sessions: u64,
    messages: u64,
    /// The day of the first session; omitted if unknown.
    from: Option<Day>,
    /// The day of the last message; omitted if unknown.
    to: Option<Day>,
    reason: Reason,
    /// When the first of them was deleted, or when it was asked to delete it permanently.
    requested_at: Timestamp,
    /// The guardian who asked for it; omitted for a former guardian, and if no guardian did.
    by: Option<AuthorView>,
    /// The day on which the permanent deletion began.
    deleted_on: Day,
    /// The day on which the server's data files were written anew without it; omitted before, and while a part was found.
    gone_on: Option<Day>,
    /// What was checked; omitted before the first check.
    check: Option<CheckView>,
    /// Scheduled backups that may contain it; omitted if no such backup exists. Other copies are not listed.
    backups: Option<BackupsView>,
}

impl From<Deletion> for DeletionView {
    fn from(deletion: Deletion) -> Self {
        let (from, to) = deletion.days.unzip();
        Self {
            sessions: deletion.sessions,
            messages: deletion.messages,
            from,
            to,
            reason: deletion.reason,
            requested_at: deletion.asked_at,
            by: deletion.by.map(AuthorView::from),
            deleted_on: deletion.deleted_on,
            gone_on: deletion.gone_on,
            check: deletion.check.map(|(outcome, checked_on)| CheckView {
                outcome,
                checked_on,
            }),
            backups: deletion
                .backups_until
                .map(|gone_on| BackupsView { gone_on }),
        }
    }
}

pub struct DeletionsApi {
    pub children: Children,
    pub retention: Retention,
}

#[OpenApi(tag = "Tag::Retention")]
impl DeletionsApi {
    /// List what of a child was deleted permanently, newest first
    ///
    /// Sessions that one guardian deleted within an hour have one record, and so have those that became too old within an hour.
    /// Records are kept for 400 days. After the sessions were erased and the server's data files rewritten, all of these files are
    /// searched for them. Days are in the child's time zone.
    #[oai(
        path = "/child/:childId/deletions",
        method = "get",
        operation_id = "listDeletions",
        transform = "no_words"
    )]
    async fn deletions(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `next` of the previous page.
        before: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<Page<DeletionView>>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let page = self
            .retention
            .list_deletions(&access, &guardian.0, before, limit)?;
        let answer = Page::<DeletionView>::new(page.deletions, page.next);
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }
}
