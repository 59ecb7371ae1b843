//! The stream of a child's events, for its guardians.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use poem::web::sse;
use poem_openapi::param::Path;
use poem_openapi::payload::EventStream;
use poem_openapi::registry::MetaSchema;
use poem_openapi::{ApiResponse, OpenApi, Tags};

use super::{Changed, Events};
use crate::children::{ChildId, Children};
use crate::identity::api::AsGuardian;
use crate::kernel::problem::{CHILD, Refused};
use crate::kernel::wire::documented;

/// The tag of this call.
#[derive(Tags)]
enum Tag {
    /// What changes while a page is open.
    #[oai(rename = "events")]
    Events,
}

/// How often an idle stream sends a comment, to show that the connection is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

documented!(
    Changed,
    "Changed",
    MetaSchema {
        description: Some(
            "What changed: one session by its number, or what another call of the child or the guardian answers; \
             `everything` if anything may have changed."
        ),
        pattern: Some(
            "^(everything|session [1-9][0-9]*|summary|activities|blocked_topics|context|times|rules|receipts|history|erased_sessions|requests|asking_devices)$"
                .to_owned()
        ),
        max_length: Some(32),
        ..MetaSchema::new("string")
    }
);

/// A stream of events.
#[derive(ApiResponse)]
enum Streamed {
    /// The stream, which stays open. Each event's `data` is the bare word, such as `session 14`.
    #[oai(status = 200)]
    Open(
        EventStream<BoxStream<'static, Changed>>,
        /// How many milliseconds ago something of the child changed last, as far as the server knows. What was fetched since
        /// then needn't be fetched again.
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
    /// Hear what changes of a child
    ///
    /// Server-sent events (`text/event-stream`) that say what changed, and not what was said: fetch it again with its own call.
    /// An event comes after the change is on the disk; changes in quick succession are joined. Fetch what you show after the
    /// stream has opened, unless it is younger than `Porchlight-Unchanged-For`, and after `everything`. A comment comes every 15 seconds. The stream ends when the sign-in or the access
    /// to the child does, and when the server stops; it outlives the token. A guardian may have 12 streams open: more are
    /// refused with 429.
    ///
    /// The answer never ends, so "Try it out" shows nothing here. Try it on the command line:
    /// `curl -N -H "Authorization: Bearer $(porchlight token EMAIL)" ADDRESS/api/child/1/events`
    #[oai(
        path = "/child/:childId/events",
        method = "get",
        operation_id = "streamEvents"
    )]
    async fn stream(
        &self,
        guardian: AsGuardian,
        /// Which child.
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
