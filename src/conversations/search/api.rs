//! API for guardians: searching a child's messages.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Query, Search};
use crate::children::accessed::{Shown, record_shown};
use crate::children::{ChildId, Children, SessionId};
use crate::conversations::transcripts::MessageKind;
use crate::identity::api::{AsGuardian, uncounted};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::reading_time::reading_time;
use crate::kernel::http::problem::{BODY, CHILD, Code, RULE, Refusal, Refused, RefusedAt};
use crate::kernel::http::wire::{Body, Listed, PageMarker, PageSize, Text, given};
use crate::kernel::store::JsonRows;

#[derive(Tags)]
enum Tag {
    /// Sessions and their messages.
    #[oai(rename = "transcripts")]
    Transcripts,
}

/// What to search for.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct SearchRequest {
    /// Words, each of which must match the beginning of a word in the message or in its session's topic. Words in quotes must
    /// occur together, as whole words. Case, accents and character width are ignored. In scripts without spaces between words,
    /// a match can begin anywhere.
    words: Text<200>,
    /// The `next` of the previous page.
    #[serde(default, deserialize_with = "given")]
    after: Option<PageMarker>,
    /// The maximum number of matches; 50 by default.
    #[serde(default, deserialize_with = "given")]
    limit: Option<PageSize>,
}

/// A message that contains the words, now or before it was corrected; some of them may be in its session's topic instead. A session
/// whose topic contains all words is represented by its newest message, even if that contains none.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(rename = "SearchMatch", skip_serializing_if_is_none)]
struct MatchView {
    /// The session's id.
    session_id: SessionId,
    /// The session's topic, if the assistant gave one.
    topic: Option<Text<200>>,
    /// When the session began, if the assistant gave a time.
    start_time: Option<Timestamp>,
    /// When it began: `start_time`, else the time of its first message.
    date: Option<Timestamp>,
    /// The message's id, for `around`.
    message_id: Text<200>,
    /// Who spoke; `assistant` for the assistant itself.
    source: Option<Text<200>>,
    /// The time of the message.
    timestamp: Timestamp,
    text_content: Option<Text<65_536>>,
    /// What it is, if it wasn't said in the conversation. Omitted for what was said.
    kind: Option<MessageKind>,
    /// The positions of the words in the text: start and end in UTF-16 units, in order; at most 100. Empty if the words occur
    /// only in the topic.
    ranges: Vec<Vec<u32>>,
    /// When the message was corrected, if the words are only in what it said before; `text_content` and `source` are those of then.
    until: Option<Timestamp>,
}

/// A page of matches.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(skip_serializing_if_is_none)]
struct SearchPage {
    /// Newest session first, newest message first. May be empty although there is a `next`.
    matches: Vec<MatchView>,
    /// The `after` of the next page. Omitted if everything was read.
    next: Option<String>,
    /// How far back was searched: sessions that began before this time were not read yet. Omitted if everything was read.
    searched_back_to: Option<Timestamp>,
}

pub struct SearchApi {
    pub children: Children,
    pub search: Search,
}

#[OpenApi(tag = "Tag::Transcripts")]
impl SearchApi {
    /// Search a child's messages
    ///
    /// Reads for a short time and returns the matches found by then.
    #[oai(
        path = "/child/:childId/search",
        method = "post",
        operation_id = "searchTranscripts",
        transform = "uncounted"
    )]
    async fn search(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
        body: Body<SearchRequest>,
    ) -> Result<Listed<SearchPage>, Refused<{ CHILD | BODY | RULE }>> {
        record_shown(Shown::Found);
        let access = self.children.of(&guardian.0, child.0)?;
        let SearchRequest {
            words,
            after,
            limit,
        } = body.0;
        let query = Query::parse(&words)
            .ok_or_else(|| Refusal::against_a_rule(Code::NoWords, NO_WORDS).at("/words"))?;
        let by = guardian.0.guardian();
        let (after, limit) = (after.map(String::from), PageSize::rows(limit));
        let found = self
            .search
            .find(by, access, query, after, limit, reading_time());
        let found = found.await.refused_at("/after")?;
        Ok(JsonRows::of(&found, found.unreadable).into())
    }
}

const NO_WORDS: &str = "There is no word to search for.";
