//! API for guardians: who looked.

use poem_openapi::param::Path;
use poem_openapi::{Enum, Object, OpenApi};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::{AccessLog, Other, OwnDay, Reader, Report};
use crate::children::api::{Tag, no_words};
use crate::children::{ChildId, Children};
use crate::identity::Guardians;
use crate::identity::api::AsGuardian;
use crate::kernel::host::zones::Day;
use crate::kernel::http::problem::{CHILD, Refused};
use crate::kernel::http::wire::Listed;
use crate::kernel::store::JsonRows;

pub struct AccessLogApi {
    pub children: Children,
    pub guardians: Guardians,
    pub access_log: AccessLog,
}

/// A day on which the caller looked.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "OwnAccess")]
struct OwnAccessView {
    /// In the server's time zone, like all days of this list.
    day: Day,
    /// Whether a conversation was opened.
    read: bool,
    /// Whether conversations were searched.
    searched: bool,
    /// Whether a copy was taken.
    copied: bool,
}

impl From<OwnDay> for OwnAccessView {
    fn from(own: OwnDay) -> Self {
        Self {
            day: own.day,
            read: own.marks.read,
            searched: own.marks.searched,
            copied: own.marks.copied,
        }
    }
}

/// Who looked.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "AccessBy", rename_all = "snake_case")]
enum AccessByView {
    /// A guardian of the child.
    Guardian,
    /// All former guardians together.
    FormerGuardian,
    /// The administrator, on the command line or with a token that was made there.
    CommandLine,
}

/// A week in which somebody else read.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AccessWeek")]
struct WeekView {
    /// The Monday of the week.
    week: Day,
    /// On how many days they opened or searched conversations: 1 to 7.
    days: u64,
}

/// What the caller sees of somebody else.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "OthersAccess", skip_serializing_if_is_none)]
struct OthersView {
    by: AccessByView,
    /// A guardian's name; omitted if they have none.
    name: Option<String>,
    /// Newest first; only weeks in which they read. A day counts once it is over.
    weeks: Vec<WeekView>,
    /// The days on which they took a copy, newest first.
    copies: Vec<Day>,
    /// The days on which the administrator made a sign-in link for one of the child's guardians, newest first.
    sign_in_links: Vec<Day>,
}

impl From<Other> for OthersView {
    fn from(other: Other) -> Self {
        let (by, name) = match other.reader {
            Reader::Guardian(name) => (AccessByView::Guardian, name),
            Reader::FormerGuardian => (AccessByView::FormerGuardian, None),
            Reader::CommandLine => (AccessByView::CommandLine, None),
        };
        let weeks = other.weeks.into_iter().rev();
        Self {
            by,
            name,
            weeks: weeks.map(|(week, days)| WeekView { week, days }).collect(),
            copies: other.copies.into_iter().rev().collect(),
            sign_in_links: other.links.into_iter().rev().collect(),
        }
    }
}

/// Who looked at a child's conversations in the last 400 days.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AccessLog")]
struct AccessLogView {
    /// The present day in the server's time zone.
    today: Day,
    /// The days on which the caller looked, newest first.
    own: Vec<OwnAccessView>,
    /// The child's other guardians, then former ones and the administrator if they looked.
    others: Vec<OthersView>,
}

impl From<Report> for AccessLogView {
    fn from(report: Report) -> Self {
        Self {
            today: report.today,
            own: report.own.into_iter().map(OwnAccessView::from).collect(),
            others: report.others.into_iter().map(OthersView::from).collect(),
        }
    }
}

#[OpenApi(tag = "Tag::Children")]
impl AccessLogApi {
    /// Get who looked at a child's conversations
    ///
    /// Of the caller: on which days they opened or searched conversations, or took a copy. Of everybody else: on how many days of
    /// a week they read, and the day of each copy. Summary and lists don't count, and neither do scheduled backups.
    #[oai(
        path = "/child/:childId/looks",
        method = "get",
        operation_id = "getAccessLog",
        transform = "no_words"
    )]
    async fn access_log(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Listed<AccessLogView>, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let reader = guardian.0.guardian();
        let (report, unreadable) = self.access_log.report(&access, reader, &self.guardians)?;
        Ok(JsonRows::of(&AccessLogView::from(report), unreadable).into())
    }
}
