//! API for guardians: the stream of a child's events.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use poem::web::sse;
use poem_openapi::param::Path;
use poem_openapi::payload::EventStream;
use poem_openapi::registry::MetaSchema;
use poem_openapi::{ApiResponse, OpenApi, Tags};

use super::{Changed, Events};
use crate::children::api::no_words;
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::http::problem::{CHILD, Refused};
use crate::kernel::http::wire::documented;

#[derive(Tags)]
enum Tag {
    /// Changes while a page is open.
    #[oai(rename = "events")]
    Events,
}

/// How often an idle stream sends a comment as a heartbeat.
const HEARTBEAT: Duration = Duration::from_secs(15);

documented!(
    Changed,
    "Changed",
    MetaSchema {
        description: Some(
            "What changed: one session by its number, or the last part of another endpoint's path, such as `blocked_topics`; \
             `everything` if anything may have changed."
        ),
        pattern: Some("^(session [1-9][0-9]*|[a-z_]+)$".to_owned()),
        max_length: Some(32),
        ..MetaSchema::new("string")
    }
);

/// A stream of events.
#[derive(ApiResponse)]
enum Streamed {
    /// The stream, which stays open. Each event's `data` is a bare word, for example `session 14`.
    #[oai(status = 200)]
    Open(
        EventStream<BoxStream<'static, Changed>>,
        /// How many milliseconds ago the child last changed, as far as the server knows. Data that was fetched since then
        /// needn't be fetched again.
        #[oai(header = "Porchlight-Unchanged-For")]
        u64,
    ),
}

pub struct EventsApi {
    pub children: Children,
    pub events: Events,
}

#[OpenApi(tag = "Tag::Events")]
impl EventsApi {
    /// Stream a child's changes
    ///
    /// Server-sent events (`text/event-stream`) that name what changed, without its content: fetch it again from its own
    /// endpoint. An event is sent after the change is durable; changes in quick succession are merged. After the stream has
    /// opened, fetch what you show, unless your copy is younger than `Porchlight-Unchanged-For`; after `everything`, fetch all
    /// of it. A comment is sent every 15 seconds. The stream ends when the sign-in or the access to the child ends, and when
    /// the server stops; it outlives the token. A guardian can have 12 open streams; further ones get 429.
    ///
    /// The response never ends, so "Try it out" shows nothing here. Use the command line:
    /// `curl -N -H "Authorization: Bearer $(porchlight token EMAIL)" ADDRESS/api/child/1/events`
    #[oai(
        path = "/child/:childId/events",
        method = "get",
        operation_id = "streamEvents",
        transform = "no_words"
    )]
    async fn stream(
        &self,
        guardian: AsGuardian,
        /// The child's id.
        #[oai(name = "childId")]
        child: Path<ChildId>,
    ) -> Result<Streamed, Refused<{ CHILD }>> {
        let access = self.children.of(&guardian.0, child.0)?;
        let events = self.events.open(guardian.0, &access)?;
        let unchanged_for = u64::try_from(events.unchanged_for().as_millis()).unwrap_or(u64::MAX);
        let batches = stream::unfold(events, |mut events| async move {
            let batch = events.next().await?;
            Some((batch, events))
        });
        let one_by_one = batches.flat_map(stream::iter).boxed();
        let streamed = EventStream::new(one_by_one)
            .to_event(|changed| sse::Event::message(changed.as_str()))
            .keep_alive(HEARTBEAT);
        Ok(Streamed::Open(streamed, unchanged_for))
    }
}
