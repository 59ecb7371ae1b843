//! Sessions, what was said in them, and how they went.

use poem_openapi::param::Path;
use poem_openapi::registry::MetaSchema;
use poem_openapi::types::{ParseFromParameter, ParseResult};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use crate::activities::Completion;
use crate::activities::api::{LONGEST_MOOD, ScoreView};
use crate::assistant::AssistantService;
use crate::children::ChildId;
use crate::identity::api::AsAssistant;
use crate::kernel::clock::Timestamp;
use crate::kernel::problem::{BODY, CHILD, CONFLICT, Refusal, Refused, RefusedAt, WRITE};
use crate::kernel::wire::{AtMost, Body, Done, Id, Joined, Text, documented, given};
use crate::transcripts::api::SessionView;
use crate::transcripts::{Message, MessageDelivery, NotASessionName, SessionDetails, SessionName};

/// How many messages one delivery holds (contract, section 4).
const MESSAGES_AT_ONCE: usize = 1_000;

/// The longest text of a message, in bytes: 64 KiB (contract, section 2).
const LONGEST_TEXT: usize = 64 * 1024;

/// A session's name as it stands in a path: read by us, so that a bad one gets its own sentence.
#[derive(Serialize, Deserialize)]
struct NameInPath(String);

impl NameInPath {
    fn read(&self) -> Result<SessionName, Refusal> {
        self.0
            .parse()
            .map_err(|error: NotASessionName| Refusal::malformed(error.to_string()))
    }
}

documented!(
    NameInPath,
    "SessionName",
    MetaSchema {
        min_length: Some(1),
        max_length: Some(128),
        pattern: Some("^[A-Za-z0-9._:-]+$".to_owned()),
        ..MetaSchema::new("string")
    }
);

impl ParseFromParameter for NameInPath {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        Ok(Self(value.to_owned()))
    }
}

/// A session to open or to correct.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct SessionRequest {
    /// Whose session it is. It never changes.
    child_id: ChildId,
    /// What it is about; as it was when left out.
    #[serde(default, deserialize_with = "given")]
    topic: Option<Text<200>>,
    /// When it began; as it was when left out.
    #[serde(default, deserialize_with = "given")]
    start_time: Option<Timestamp>,
}

/// One message to deliver.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct MessageRequest {
    /// Your id for it, unique within the session. Delivering it again changes nothing.
    message_id: Id,
    /// Who spoke: `assistant` for yourself, anything else for the child and others.
    #[serde(default, deserialize_with = "given")]
    source: Option<Text<200>>,
    /// What was said: at most 64 KiB in UTF-8, kept exactly as it is.
    #[serde(default, deserialize_with = "given")]
    text_content: Option<Text<LONGEST_TEXT>>,
    /// When it was said. The first delivery fixes the message's place.
    timestamp: Timestamp,
    /// A higher one replaces what was delivered before; 0 when left out.
    #[serde(default, deserialize_with = "given")]
    #[oai(validator(minimum(value = "0"), maximum(value = "4294967295")))]
    revision: Option<u32>,
    /// The kind of content, in your words.
    #[serde(default, deserialize_with = "given")]
    content_type: Option<Text<200>>,
    /// The kind of event, in your words.
    #[serde(default, deserialize_with = "given")]
    event_type: Option<Text<200>>,
    /// Where in the recording it starts, in samples.
    #[serde(default, deserialize_with = "given")]
    #[oai(validator(minimum(value = "0"), maximum(value = "4294967295")))]
    start_sample: Option<u32>,
    /// Whether it was cut short; then the text is what was heard.
    #[serde(default, deserialize_with = "given")]
    interrupted: Option<bool>,
}

impl MessageRequest {
    /// The message at this index of the delivery.
    fn into_delivery(self, index: usize) -> Result<MessageDelivery, Refusal> {
        if self
            .text_content
            .as_ref()
            .is_some_and(|text| text.len() > LONGEST_TEXT)
        {
            let refusal = Refusal::too_large("One message's text is longer than 64 KiB.");
            return Err(refusal.at(format!("/{index}/text_content")));
        }
        let revision = u64::from(self.revision.unwrap_or(0));
        let message = Message {
            message_id: self.message_id.into_string(),
            source: self.source.map(Text::into_string),
            text_content: self.text_content.map(Text::into_string),
            timestamp: self.timestamp,
            content_type: self.content_type.map(Text::into_string),
            event_type: self.event_type.map(Text::into_string),
            start_sample: self.start_sample.map(u64::from),
            interrupted: self.interrupted,
        };
        Ok(MessageDelivery { message, revision })
    }
}

/// What became of a delivery.
#[derive(Debug, Object, Serialize)]
struct DeliveryReceipt {
    /// Messages that were new.
    stored: u64,
    /// Messages that replaced an earlier revision.
    replaced: u64,
    /// Messages that were known already.
    ignored: u64,
    /// How many messages the session has now.
    message_count: u64,
}

/// How a session went.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct CompletionRequest {
    /// How long it took, in seconds.
    #[oai(validator(minimum(value = "0")))]
    duration: f64,
    /// How it went: text or a number.
    #[serde(default, deserialize_with = "given")]
    score: Option<ScoreView>,
    /// The child's mood.
    #[serde(default, deserialize_with = "given")]
    mood: Option<Text<LONGEST_MOOD>>,
    /// What it was about; as it was when left out.
    #[serde(default, deserialize_with = "given")]
    topic: Option<Text<200>>,
    /// When it ended.
    #[serde(default, deserialize_with = "given")]
    end_time: Option<Timestamp>,
}

impl CompletionRequest {
    fn into_completion(self) -> Result<Completion, Refusal> {
        // Serde's numbers are finite, so that only the sign is left to refuse.
        let duration = serde_json::Number::from_f64(self.duration)
            .filter(|_| self.duration >= 0.0)
            .ok_or_else(|| Refusal::malformed("A duration is a number of seconds, 0 or more."))
            .refused_at("/duration")?;
        Ok(Completion {
            duration,
            score: self.score.map(|score| score.0),
            mood: self.mood.map(Text::into_string),
        })
    }
}

/// The assistant's calls about sessions.
pub struct SessionsCalls {
    /// The service.
    pub service: AssistantService,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl SessionsCalls {
    /// Open a session, or correct it
    ///
    /// The name is yours, unique among your sessions; the answer carries the number under which the
    /// guardians see it.
    #[oai(path = "/sessions/:name", method = "put", operation_id = "openSession")]
    async fn open_session(
        &self,
        assistant: AsAssistant,
        /// Your name for the session: 1 to 128 of `A–Z a–z 0–9 . _ : -`.
        name: Path<NameInPath>,
        body: Body<SessionRequest>,
    ) -> Result<Joined<SessionView>, Refused<{ CHILD | BODY | CONFLICT | WRITE }>> {
        let name = name.0.read()?;
        let SessionRequest {
            child_id,
            topic,
            start_time,
        } = body.0;
        let details = SessionDetails {
            topic: topic.map(Text::into_string),
            start_time,
        };
        let session = self
            .service
            .open_session(&assistant.0, child_id, name, details)
            .await
            .refused_at("/child_id")?;
        Ok(Joined::record(&session))
    }

    /// Deliver messages
    ///
    /// In any order and as often as you like: a message is known by its id. At most 1,000 at once.
    #[oai(
        path = "/sessions/:name/messages",
        method = "post",
        operation_id = "deliverMessages"
    )]
    async fn deliver_messages(
        &self,
        assistant: AsAssistant,
        /// Your name for the session.
        name: Path<NameInPath>,
        body: Body<AtMost<MESSAGES_AT_ONCE, MessageRequest>>,
    ) -> Result<Body<DeliveryReceipt>, Refused<{ CHILD | BODY | WRITE }>> {
        let name = name.0.read()?;
        let messages = body
            .0
            .into_vec()
            .into_iter()
            .enumerate()
            .map(|(index, message)| message.into_delivery(index));
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        let delivered = self
            .service
            .deliver_messages(&assistant.0, &name, messages)
            .await?;
        Ok(Body(DeliveryReceipt {
            stored: delivered.stored,
            replaced: delivered.replaced,
            ignored: delivered.ignored,
            message_count: delivered.message_count,
        }))
    }

    /// Say that a session is over, and how it went
    ///
    /// It becomes a completed activity. Saying it again corrects it.
    #[oai(
        path = "/sessions/:name/completion",
        method = "put",
        operation_id = "completeSession"
    )]
    async fn complete_session(
        &self,
        assistant: AsAssistant,
        /// Your name for the session.
        name: Path<NameInPath>,
        body: Body<CompletionRequest>,
    ) -> Result<Done, Refused<{ CHILD | BODY | WRITE }>> {
        let name = name.0.read()?;
        let topic = body.0.topic.clone().map(Text::into_string);
        let ended_at = body.0.end_time;
        let completion = body.0.into_completion()?;
        self.service
            .complete_session(&assistant.0, &name, topic, ended_at, completion)
            .await?;
        Ok(Done)
    }
}
