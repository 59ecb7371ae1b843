//! Moving, deleting and erasing sessions, the list of deleted sessions, and downloading a child's data.

mod deleted;
mod deletions;
mod kept;

use std::io;

use bytes::Bytes;
use futures_util::stream;
use poem::http::{HeaderValue, header};
use poem::{Body as ResponseBody, IntoResponse, Response};
use poem_openapi::param::Path;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};

use super::{Copy, Retention};
use crate::children::accessed::{Shown, record_shown};
use crate::children::api::no_words;
use crate::children::{ChildAccess, ChildId, Children, SessionId};
use crate::conversations::transcripts::api::{access_by, access_to};
use crate::conversations::transcripts::{Transcripts, TranscriptsError};
use crate::identity::SignIns;
use crate::identity::api::{AsGuardian, uncounted};
use crate::kernel::http::problem::{
    BODY, CHILD, CONFLICT, JSON, MALFORMED, RULE, Refused, RefusedAt, WRITE,
};
use crate::kernel::http::wire::{
    Body, Done, Listed, PageMarker, PageSize, Query, documented, with_header,
};
use crate::kernel::store::JsonRows;

pub use deletions::DeletionsApi;
pub use kept::KeptApi;

use deleted::{DeletedPageView, DeletedSessionView, ShownDeletedRequest};

#[derive(Tags)]
enum Tag {
    /// Moving, deleting and restoring sessions, and a copy of a child's data.
    #[oai(rename = "retention")]
    Retention,
}

/// A request to move a session to another child.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
struct MoveRequest {
    /// The child that it is moved to.
    child_id: ChildId,
}

impl poem_openapi::types::Example for MoveRequest {
    fn example() -> Self {
        Self {
            child_id: ChildId::new(2),
        }
    }
}

/// Whether the child talked.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
struct NotChildRequest {
    /// `true` if somebody else talked, not the child; `false` undoes it.
    not_child: bool,
}

impl poem_openapi::types::Example for NotChildRequest {
    fn example() -> Self {
        Self { not_child: true }
    }
}

/// All data of a child.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct ChildExport(serde_json::Value);

documented!(
    ChildExport,
    "ChildExport",
    MetaSchema {
        description: Some(
            "All data of a child, in the format that `porchlight seed` imports. It contains no names of other guardians, \
             and no sessions in 'Recently deleted'."
        ),
        ..MetaSchema::new("object")
    }
);

/// A file that is sent while it is generated.
struct Download(Copy);

impl IntoResponse for Download {
    fn into_response(self) -> Response {
        let name = file_name(&self.0.name);
        let pieces = stream::unfold(Some(self.0), |copy| async move {
            let mut copy = copy?;
            if let Some(piece) = copy.pieces.recv().await {
                return Some((Ok::<_, io::Error>(Bytes::from(piece)), Some(copy)));
            }
            // An export that failed must not look complete: the connection is cut.
            match copy.ended.await {
                Ok(Ok(_)) => None,
                _ => Some((Err(io::ErrorKind::UnexpectedEof.into()), None)),
            }
        });
        let mut response = Response::from(ResponseBody::from_bytes_stream(pieces));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
        if let Ok(disposition) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        {
            headers.insert(header::CONTENT_DISPOSITION, disposition);
        }
        response
    }
}

impl ApiResponse for Download {
    fn meta() -> MetaResponses {
        let meta = MetaResponses {
            responses: vec![MetaResponse {
                description: "The file, sent while it is generated.",
                status: Some(200),
                status_range: None,
                content: vec![MetaMediaType {
                    content_type: JSON,
                    schema: ChildExport::schema_ref(),
                }],
                headers: Vec::new(),
            }],
        };
        let description = "Marks the response as a file, and contains its name.";
        with_header::<String>(meta, "Content-Disposition", description)
    }

    fn register(registry: &mut Registry) {
        ChildExport::register(registry);
    }
}

/// The maximum length of the part of a file name that comes from the child's name.
const LONGEST_NAME: usize = 40;

/// A file name that is valid on every system: only the ASCII letters and digits of the child's name.
fn file_name(child: &str) -> String {
    let plain = child.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
        _ => '-',
    });
    let plain = plain.take(LONGEST_NAME).collect::<String>();
    match plain.trim_matches('-') {
        "" => "porchlight-child.json".to_owned(),
        plain => format!("porchlight-{plain}.json"),
    }
}

pub struct RetentionApi {
    pub children: Children,
    pub transcripts: Transcripts,
    pub retention: Retention,
    pub sign_ins: SignIns,
}

impl RetentionApi {
    /// Access to the child of this session, which may be deleted.
    fn access_to(
        &self,
        guardian: &AsGuardian,
        session: SessionId,
    ) -> Result<ChildAccess, TranscriptsError> {
        let owner = self.transcripts.owner_of(session);
        access_by(&self.children, &self.transcripts, guardian, session, owner)
    }
}

#[OpenApi(tag = "Tag::Retention")]
impl RetentionApi {
    /// Move a session to another child
    ///
    /// Both children must have exactly the same guardians. The session keeps its number, and later deliveries go to the other
    /// child, too. The assistant's reports about the rules stay with the old child. 409 while a request to delete the other child
    /// is pending.
    #[oai(
        path = "/sessions/:sessionId/child",
        method = "put",
        operation_id = "moveSession"
    )]
    async fn move_session(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
        body: Body<MoveRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | RULE | CONFLICT | WRITE }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let to = self.children.of(&guardian.0, body.0.child_id);
        let to = to.refused_at("/child_id")?;
        let by = guardian.0.guardian().clone();
        self.retention
            .move_session(access, to, by, session.0)
            .await?;
        Ok(Done)
    }

    /// Mark a session as somebody else's, not the child's
    ///
    /// It is still listed, but counts in no statistics, and not against the daily limit. Any guardian of the child can undo it.
    #[oai(
        path = "/sessions/:sessionId/not_child",
        method = "put",
        operation_id = "markNotChild"
    )]
    async fn mark_not_child(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
        body: Body<NotChildRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let by = guardian.0.guardian().clone();
        self.retention
            .mark_not_child(access, by, session.0, body.0.not_child)
            .await?;
        Ok(Done)
    }

    /// Delete a session
    ///
    /// The session is hidden at once, and moved to 'Recently deleted', where any guardian of the child can restore it. It is
    /// erased permanently seven days after every other guardian was shown it there, at the latest after 90 days. Deleting it
    /// again changes nothing.
    #[oai(
        path = "/sessions/:sessionId",
        method = "delete",
        operation_id = "deleteSession"
    )]
    async fn delete(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        let access = self.access_to(&guardian, session.0)?;
        let by = guardian.0.guardian().clone();
        self.retention.delete(access, by, session.0).await?;
        Ok(Done)
    }

    /// List a child's sessions in 'Recently deleted', most recently deleted first
    #[oai(
        path = "/child/:childId/deleted_sessions",
        method = "get",
        operation_id = "listDeletedSessions",
        transform = "no_words"
    )]
    async fn deleted(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The `next` of the previous page.
        before: Query<Option<PageMarker>>,
        /// The page size; 50 by default.
        limit: Query<Option<PageSize>>,
    ) -> Result<Listed<DeletedPageView>, Refused<{ CHILD | MALFORMED }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let before = before.0.as_ref().map(PageMarker::as_str);
        let limit = PageSize::rows(limit.0);
        let page = self
            .retention
            .list_deleted(&access, &guardian.0, before, limit)?;
        let sessions = page.sessions.into_iter().map(DeletedSessionView::from);
        let answer = DeletedPageView {
            items: sessions.collect(),
            may_erase: self.retention.may_erase(&access, guardian.0.guardian())?,
            next: page.next,
        };
        Ok(JsonRows::of(&answer, page.unreadable).into())
    }

    /// Record that sessions in 'Recently deleted' were shown
    ///
    /// Seven days after each other guardian was shown a session there, it is erased permanently. Sessions that are not there are
    /// ignored.
    #[oai(
        path = "/child/:childId/deleted_sessions/shown",
        method = "post",
        operation_id = "noteDeletedSessionsShown",
        transform = "uncounted"
    )]
    async fn record_shown(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<ShownDeletedRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        self.retention
            .record_shown(access, by, body.0.sessions)
            .await?;
        Ok(Done)
    }

    /// Restore a session from 'Recently deleted'
    ///
    /// The session is listed as before. Restoring it again changes nothing.
    #[oai(
        path = "/child/:childId/deleted_sessions/:sessionId/undelete",
        method = "post",
        operation_id = "undeleteSession",
        transform = "uncounted"
    )]
    async fn undelete(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
    ) -> Result<Done, Refused<{ CHILD | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = guardian.0.guardian().clone();
        self.retention.undelete(access, by, session.0).await?;
        Ok(Done)
    }

    /// Erase a session in 'Recently deleted' permanently
    ///
    /// Only for the child's only guardian: 409 if there is another one, who may want to restore it. It is removed from all
    /// responses at once, and from the server's files when they are compacted, which begins within an hour. Requires stepping up;
    /// otherwise 403.
    #[oai(
        path = "/child/:childId/deleted_sessions/:sessionId",
        method = "delete",
        operation_id = "eraseSession"
    )]
    async fn erase(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
    ) -> Result<Done, Refused<{ CHILD | CONFLICT | WRITE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let by = self.sign_ins.require_step_up(&guardian.0)?;
        self.retention.erase(access, by, session.0).await?;
        Ok(Done)
    }

    /// Download a child's data
    ///
    /// A file in the form of `porchlight export`. It contains no names of other guardians, and no sessions in 'Recently deleted'.
    /// Requires stepping up; otherwise 403.
    #[oai(
        path = "/child/:childId/export",
        method = "get",
        operation_id = "exportChild"
    )]
    async fn export(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Download, Refused<{ CHILD }>> {
        record_shown(Shown::Copy);
        let access = self.children.of(&guardian.0, child.0)?;
        let by = self.sign_ins.require_step_up(&guardian.0)?;
        Ok(Download(self.retention.copy(&by, &access).await?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_has_plain_letters_and_digits_of_the_childs() {
        let long = "a".repeat(300);
        let cases = [
            ("Mia", "porchlight-mia.json"),
            ("Anna Lena", "porchlight-anna-lena.json"),
            ("../x\"\r\n", "porchlight-x.json"),
            ("ميا", "porchlight-child.json"),
            ("", "porchlight-child.json"),
        ];

        for (child, expected) in cases {
            assert_eq!(file_name(child), expected, "{child:?}");
        }
        assert!(file_name(&long).len() < 64);
    }
}
