//! The endpoints for keeping a session, and the API's form of a period.

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::Example;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use crate::children::Period;
use crate::children::api::no_words;
use crate::children::history::api::AuthorView;
use crate::children::{Children, SessionId};
use crate::conversations::transcripts::Transcripts;
use crate::conversations::transcripts::api::access_to;
use crate::identity::api::{AsGuardian, uncounted};
use crate::kernel::http::problem::{BODY, CHILD, Refused, WRITE};
use crate::kernel::http::wire::{Body, Done, documented};
use crate::retention::Retention;

documented!(
    Period,
    "RetentionDays",
    MetaSchema {
        enum_items: Period::ALL.map(|period| period.days().into()).into(),
        ..MetaSchema::new("integer")
    }
);

/// Whether the caller keeps a session.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
struct KeptRequest {
    /// `true` to keep it; `false` to keep it no longer.
    kept: bool,
}

impl Example for KeptRequest {
    fn example() -> Self {
        Self { kept: true }
    }
}

/// Who keeps a session.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Kept")]
struct KeptView {
    /// Whether the caller keeps it.
    kept: bool,
    /// The guardians who keep it, the caller first.
    by: Vec<AuthorView>,
}

pub struct KeptApi {
    pub children: Children,
    pub transcripts: Transcripts,
    pub retention: Retention,
}

#[OpenApi(tag = "Tag::Retention")]
impl KeptApi {
    /// Get who keeps a session
    ///
    /// A session that any of the child's guardians keeps isn't deleted for its age.
    #[oai(
        path = "/sessions/:sessionId/kept",
        method = "get",
        operation_id = "getSessionKept",
        transform = "no_words"
    )]
    async fn kept(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
    ) -> Result<Body<KeptView>, Refused<{ CHILD }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let by = self.retention.kept_by(&access, &guardian.0, session.0)?;
        Ok(Body(KeptView {
            kept: by.iter().any(|author| author.is_you),
            by: by.into_iter().map(AuthorView::from).collect(),
        }))
    }

    /// Keep a session, or keep it no longer
    ///
    /// Each guardian keeps sessions for themselves. Anybody can still delete a session that is kept. Once nobody keeps it any
    /// more, its age counts from then.
    #[oai(
        path = "/sessions/:sessionId/kept",
        method = "put",
        operation_id = "keepSession",
        transform = "uncounted"
    )]
    async fn keep(
        &self,
        guardian: AsGuardian,
        /// The session's id.
        #[oai(name = "sessionId")]
        session: Path<SessionId>,
        body: Body<KeptRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let access = access_to(&self.children, &self.transcripts, &guardian, session.0)?;
        let by = guardian.0.guardian().clone();
        self.retention
            .keep(access, by, session.0, body.0.kept)
            .await?;
        Ok(Done)
    }
}
