//! The endpoint for searching a child's messages.

use std::time::Duration;

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::{Query, Search};
use crate::children::{ChildId, Children, SessionId};
use crate::identity::api::AsGuardian;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{BODY, CHILD, RULE, Refusal, Refused, RefusedAt};
use crate::kernel::store::JsonRows;
use crate::kernel::wire::{Body, Listed, PageMarker, PageSize, Text, given};

/// The time limit for reading in one request.
const READING: Duration = Duration::from_millis(150);

/// The tag of this call.
#[derive(Tags)]
enum Tag {
    /// Sessions and what was said in them.
    #[oai(rename = "transcripts")]
    Transcripts,
}

/// What to search for.
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct SearchRequest {
    /// Words, each of which must begin a word of the message or of its session's topic. Words in quotes must stand there
    /// together, as whole words. Case, accents and width don't matter. Where a script puts no spaces between words, a word is
    /// found anywhere.
    words: Text<200>,
    /// Where the search before ended: its `next`.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    after: Option<PageMarker>,
    /// How many matches at most, 50 when left out.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    limit: Option<PageSize>,
}

/// A message that has the words, or whose session's topic has some of them. A session whose topic has all of them is there
/// with its newest message, also if that has none.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "SearchMatch")]
struct MatchView {
    /// In which session it was said.
    session_id: SessionId,
    /// What the session is about, if the assistant said.
    #[oai(skip_serializing_if_is_none)]
    topic: Option<Text<200>>,
    /// When the session began, if the assistant said.
    #[oai(skip_serializing_if_is_none)]
    start_time: Option<Timestamp>,
    /// When it began: `start_time`, else when its first message was said.
    #[oai(skip_serializing_if_is_none)]
    date: Option<Timestamp>,
    /// The message, for `around`.
    message_id: Text<200>,
    /// Who spoke.
    #[oai(skip_serializing_if_is_none)]
    source: Option<Text<200>>,
    /// When it was said.
    timestamp: Timestamp,
    /// What was said.
    #[oai(skip_serializing_if_is_none)]
    text_content: Option<Text<65_536>>,
    /// Where the words are in the text: beginnings and ends, in UTF-16 units, in order; the first 100 of them. Empty when they are
    /// only in the topic.
    ranges: Vec<Vec<u32>>,
}

/// What was found.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchPage {
    /// The newest sessions first, and in each the newest messages. It may be empty while there is a `next`.
    matches: Vec<MatchView>,
    /// For `after`, to go on; left out when everything was read.
    #[oai(skip_serializing_if_is_none)]
    next: Option<String>,
    /// Where the reading has stopped: sessions that began before this moment are still to be read. Left out when everything
    /// was read.
    #[oai(skip_serializing_if_is_none)]
    searched_back_to: Option<Timestamp>,
}

pub struct SearchApi {
    pub children: Children,
    pub search: Search,
}

#[OpenApi(tag = "Tag::Transcripts")]
impl SearchApi {
    /// Search what was said with a child
    ///
    /// It reads for a short time, and answers with what it has found by then.
    #[oai(
        path = "/child/:childId/search",
        method = "post",
        operation_id = "searchTranscripts"
    )]
    async fn search(
        &self,
        guardian: AsGuardian,
        /// Which child.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<SearchRequest>,
    ) -> Result<Listed<SearchPage>, Refused<{ CHILD | BODY | RULE }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let SearchRequest {
            words,
            after,
            limit,
        } = body.0;
        let query =
            Query::parse(&words).ok_or_else(|| Refusal::against_a_rule(NO_WORDS).at("/words"))?;
        let by = guardian.0.guardian();
        let (after, limit) = (after.map(String::from), PageSize::rows(limit));
        let begun = Instant::now();
        let found = self.search.find(by, access, query, after, limit, move || {
            begun.elapsed() >= READING
        });
        let found = found.await.refused_at("/after")?;
        Ok(JsonRows::of(&found, found.unreadable).into())
    }
}

const NO_WORDS: &str = "There is no word to search for.";
