//! API for assistants: their own account, and deliveries of messages and of the outcome of sessions.

use std::sync::Arc;

use poem_openapi::registry::MetaSchema;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use super::Tag;
use super::receipts::{RECEIPTS_AT_ONCE, ReceiptRequest, Rejected, read_receipts, unknown_version};
use crate::assistants::deliveries::{
    AssistantError, AssistantService, RefusalKind, SessionCompletion,
};
use crate::children::{ChildId, SessionId};
use crate::conversations::transcripts::{
    Message, MessageDelivery, NotKeptMessage, SessionDelivery, SessionDetails, SessionName,
    TranscriptsError, is_possible,
};
use crate::identity::api::AsAssistant;
use crate::identity::{AssistantId, SignedAssistant};
use crate::insights::activities::api::{LONGEST_MOOD, ScoreView};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, CHILD, Code, RULE, Refusal, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{
    Body, Id, Items, LenientBody, RepairedText, Text, UnknownFields, documented, object,
};
use crate::kernel::store::StoreError;

/// Per delivery.
const MESSAGES_AT_ONCE: usize = 1_000;

/// In bytes of UTF-8.
const LONGEST_TEXT: usize = 64 * 1024;

/// In seconds.
const LONGEST_IDLE: u32 = 24 * 60 * 60;

/// A session's name as sent.
#[derive(Debug)]
struct SentName(SessionName);

impl<'de> Deserialize<'de> for SentName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

impl Serialize for SentName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

documented!(
    SentName,
    "SessionName",
    MetaSchema {
        min_length: Some(1),
        max_length: Some(128),
        pattern: Some("^[A-Za-z0-9._:-]+$".to_owned()),
        ..MetaSchema::new("string")
    }
);

/// What an assistant delivers of one session. Unknown fields are ignored and listed in the response; `null` counts as omitted.
/// Invalid Unicode in a message's text, a speaker or a topic becomes U+FFFD.
#[derive(Debug, Object, Deserialize)]
struct Delivery {
    /// Your name for the session: 1 to 128 of `A–Z a–z 0–9 . _ : -`. The same name with another child means another session.
    session: SentName,
    /// The child's id. Only a key with exactly one child may omit it.
    child_id: Option<ChildId>,
    /// What the session is about; unchanged if omitted.
    topic: Option<RepairedText<200>>,
    /// When it began; unchanged if omitted. An impossible time counts as omitted.
    start_time: Option<Timestamp>,
    /// The device it takes place on, for example the kitchen speaker; unchanged if omitted.
    device: Option<Text<64>>,
    /// Messages, in any order and as often as you like. An invalid message is rejected alone.
    #[serde(default)]
    messages: Option<Items<MESSAGES_AT_ONCE, MessageRequest>>,
    /// Which versions of the rules the session ran under, and since when. Repeating this changes nothing.
    #[serde(default)]
    rules: Option<Items<RECEIPTS_AT_ONCE, ReceiptRequest>>,
    /// Ends the session and reports how it went. Repeating it updates the outcome.
    #[serde(default, deserialize_with = "object")]
    completion: Option<CompletionRequest>,
    /// The session ends if nothing arrives for this many seconds and you don't complete it. 1,800 by default; later unchanged
    /// if omitted.
    #[oai(validator(minimum(value = "1"), maximum(value = "86400")))]
    idle_after: Option<u32>,
}

/// A message to deliver.
#[derive(Debug, Object, Deserialize)]
struct MessageRequest {
    /// Your id of it, unique within the session. Delivering it again changes nothing.
    message_id: Id,
    /// Who spoke: `assistant` for yourself, anything else for the child and others.
    source: Option<Text<200>>,
    /// The speaker: the name of a voice print, or your word for an unknown voice.
    speaker: Option<RepairedText<200>>,
    /// The text: at most 64 KiB in UTF-8, stored unchanged.
    text_content: Option<RepairedText<LONGEST_TEXT>>,
    /// When it was spoken; the time of arrival if omitted. A time before 2000 or more than ten minutes ahead of the server is
    /// replaced by the time of arrival.
    timestamp: Option<Timestamp>,
    /// A higher revision replaces a lower one; 0 if omitted. The lowest revision decides the message's time.
    #[oai(validator(minimum(value = "0"), maximum(value = "4294967295")))]
    revision: Option<u32>,
    /// The kind of content, as you name it.
    content_type: Option<Text<200>>,
    /// The kind of event, as you name it.
    event_type: Option<Text<200>>,
    /// The offset in the recording, in samples.
    #[oai(validator(minimum(value = "0"), maximum(value = "4294967295")))]
    start_sample: Option<u32>,
    /// Whether it was interrupted; the text should then end where the child stopped hearing it.
    interrupted: Option<bool>,
}

impl MessageRequest {
    /// The names of the fields in which a part was replaced by U+FFFD.
    fn repaired(&self) -> impl Iterator<Item = &'static str> + use<> {
        let text = self.text_content.as_ref();
        let text = text.is_some_and(RepairedText::is_repaired);
        let speaker = self.speaker.as_ref();
        let speaker = speaker.is_some_and(RepairedText::is_repaired);
        let text = text.then_some("text_content");
        text.into_iter().chain(speaker.then_some("speaker"))
    }

    fn into_delivery(self, now: Timestamp) -> Result<MessageDelivery, Refusal> {
        let text = self.text_content.as_deref().unwrap_or_default();
        if text.len() > LONGEST_TEXT {
            let sentence = "One message's text is longer than 64 KiB.";
            return Err(Refusal::malformed(Code::MessageTooLong, sentence).at("/text_content"));
        }
        let message = Message {
            source: self.source.map(Text::into_string),
            text_content: self.text_content.map(RepairedText::into_string),
            content_type: self.content_type.map(Text::into_string),
            event_type: self.event_type.map(Text::into_string),
            start_sample: self.start_sample.map(u64::from),
            interrupted: self.interrupted,
            speaker: self.speaker.map(RepairedText::into_string),
            ..Message::new(self.message_id.into_string(), now)
        };
        let revision = u64::from(self.revision.unwrap_or(0));
        Ok(MessageDelivery::new(message, revision, self.timestamp, now))
    }
}

/// How a session went.
#[derive(Debug, Object, Deserialize)]
struct CompletionRequest {
    /// The duration in seconds; computed from the session's times if omitted.
    #[oai(validator(minimum(value = "0")))]
    duration: Option<f64>,
    /// A score: text or a number.
    score: Option<ScoreView>,
    /// The child's mood.
    mood: Option<Text<LONGEST_MOOD>>,
    /// What the session was about; unchanged if omitted.
    topic: Option<RepairedText<200>>,
    /// When it ended. An impossible time counts as omitted.
    end_time: Option<Timestamp>,
}

impl CompletionRequest {
    fn into_completion(self, now: Timestamp) -> Result<SessionCompletion, Refusal> {
        // serde accepts only finite numbers, so only the sign is left to check.
        if self.duration.is_some_and(|duration| duration < 0.0) {
            let sentence = "A duration is a number of seconds, 0 or more.";
            let refusal = Refusal::malformed(Code::BodyInvalid, sentence);
            return Err(refusal.at("/completion/duration"));
        }
        Ok(SessionCompletion {
            duration: self.duration.and_then(serde_json::Number::from_f64),
            ended_at: self.end_time.filter(|at| is_possible(*at, now)),
            score: self.score.map(|score| score.0),
            mood: self.mood.map(Text::into_string),
            topic: self.topic.map(RepairedText::into_string),
        })
    }
}

/// The result of a delivery.
#[serde_with::skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct DeliveryAnswer {
    /// The session's id, as guardians see it. Omitted if the whole delivery belongs to an erased session.
    session_id: Option<SessionId>,
    /// The number of messages stored, including those that replaced an earlier revision.
    stored: u64,
    /// The number of messages that were already stored.
    repeated: u64,
    /// The number of messages dropped because they belong to a session that a guardian erased, or can't be shown to be later
    /// than an erased session of the same name. Don't deliver them again.
    erased: u64,
    /// Ids of messages whose stored revision is the same but has another text. The stored text stays.
    conflicting: Vec<String>,
    /// Ids of messages whose impossible time was replaced by the time of arrival.
    adjusted: Vec<String>,
    /// JSON Pointers to texts, speakers and topics in which invalid Unicode was replaced by U+FFFD.
    repaired: Vec<String>,
    /// Messages and receipts that were not stored. Don't deliver them again unchanged.
    rejected: Vec<Rejected>,
    /// Unknown fields, for example `messages[].speakr`.
    unknown: Vec<String>,
}

/// The calling assistant.
#[derive(Debug, Object, Serialize)]
struct AssistantView {
    /// Its id, which stays the same with a new key.
    assistant_id: AssistantId,
    /// The name that its administrator or guardian gave it.
    name: Text<200>,
    /// The children of the key.
    children: Vec<AssistantChild>,
    /// The server's time.
    server_time: Timestamp,
    server_version: String,
}

/// A child of the assistant's key.
#[derive(Debug, Object, Serialize)]
struct AssistantChild {
    /// The child's id.
    child_id: ChildId,
    /// The child's name.
    name: Text<200>,
}

pub struct DeliveriesCalls {
    pub service: Arc<AssistantService>,
}

#[OpenApi(tag = "Tag::Assistant", prefix_path = "/assistant")]
impl DeliveriesCalls {
    /// Get the calling assistant
    ///
    /// For a form that checks a key and lists its children.
    #[oai(path = "/", method = "get", operation_id = "getAssistant")]
    async fn assistant(
        &self,
        assistant: AsAssistant,
    ) -> Result<Body<AssistantView>, Refused<{ SIGNED_IN }>> {
        let unreadable = || StoreError::unreadable("the assistant's name");
        let name = assistant.0.name().ok_or_else(unreadable)?;
        let children = self.service.list_children(&assistant.0)?;
        let children = children.into_iter().map(|child| AssistantChild {
            child_id: child.child_id,
            name: Text::new(child.name).unwrap_or_default(),
        });
        Ok(Body(AssistantView {
            assistant_id: assistant.0.id().clone(),
            name: Text::new(name).unwrap_or_default(),
            children: children.collect(),
            server_time: self.service.clock.now(),
            server_version: env!("CARGO_PKG_VERSION").to_owned(),
        }))
    }

    /// Deliver a session
    ///
    /// Opens the session if it doesn't exist. You can repeat a delivery, in part or in another order: messages that are already
    /// stored change nothing, and of the session's own fields the last value stays. At most 1,000 messages per delivery.
    #[oai(path = "/deliveries", method = "post", operation_id = "deliver")]
    async fn deliver(
        &self,
        assistant: AsAssistant,
        body: LenientBody<Delivery>,
    ) -> Result<Body<DeliveryAnswer>, Refused<{ CHILD | BODY | RULE | WRITE }>> {
        let accepted = match body.0 {
            Ok((value, unknown)) => self.accept(assistant.0.clone(), value, unknown).await,
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = &accepted
            && refusal.is_malformed()
        {
            self.service
                .record_key_refusal(&assistant.0, RefusalKind::Malformed);
        }
        Ok(accepted?)
    }
}

impl DeliveriesCalls {
    async fn accept(
        &self,
        assistant: SignedAssistant,
        value: Delivery,
        mut unknown: UnknownFields,
    ) -> Result<Body<DeliveryAnswer>, Refusal> {
        let now = self.service.clock.now();
        let mut repaired = Vec::new();
        let topics = [
            ("/topic", value.topic.as_ref()),
            (
                "/completion/topic",
                value.completion.as_ref().and_then(|it| it.topic.as_ref()),
            ),
        ];
        for (place, topic) in topics {
            if topic.is_some_and(RepairedText::is_repaired) {
                repaired.push(place.to_owned());
            }
        }
        let ReadMessages {
            messages,
            invalid,
            mut rejected,
            repaired: repaired_messages,
        } = read_messages(value.messages, now, &mut unknown);
        repaired.extend(repaired_messages);
        let (places, receipts) = read_receipts(value.rules, now, &mut unknown, &mut rejected);
        let idle_seconds = match value.idle_after {
            Some(seconds) if !(1..=LONGEST_IDLE).contains(&seconds) => {
                let sentence = format!("A whole number from 1 to {LONGEST_IDLE} is expected here.");
                return Err(Refusal::malformed(Code::BodyInvalid, sentence).at("/idle_after"));
            }
            seconds => seconds,
        };
        let completion = value.completion;
        let completion = completion.map(|completion| completion.into_completion(now));
        let delivery = SessionDelivery {
            assistant,
            name: value.session.0,
            details: SessionDetails {
                topic: value.topic.map(RepairedText::into_string),
                start_time: value.start_time.filter(|at| is_possible(*at, now)),
                device: value.device.map(Text::into_string),
            },
            messages,
            invalid,
            idle_seconds,
        };
        let outcome = self
            .service
            .deliver(value.child_id, delivery, completion.transpose()?, receipts)
            .await;
        let outcome = match outcome {
            Err(error @ AssistantError::Children(_)) => {
                return Err(Refusal::from(error).at("/child_id"));
            }
            outcome => outcome?,
        };
        for (index, message_id) in outcome.delivered.revised_too_often {
            let refusal = Refusal::from(TranscriptsError::RevisedTooOften);
            rejected.push(Rejected::message(index, Some(message_id), &refusal));
        }
        for place in outcome.unknown_versions {
            let place = places.get(place).copied().unwrap_or_default();
            rejected.push(unknown_version(place));
        }
        Ok(Body(DeliveryAnswer {
            session_id: outcome.session,
            stored: outcome.delivered.stored.len() as u64,
            repeated: outcome.delivered.repeated,
            erased: outcome.erased,
            conflicting: outcome.delivered.conflicting,
            adjusted: outcome.delivered.adjusted,
            repaired,
            rejected,
            unknown: unknown.into_vec(),
        }))
    }
}

#[derive(Default)]
struct ReadMessages {
    messages: Vec<MessageDelivery>,
    /// Messages that cannot be stored, with the response's entry for each.
    invalid: Vec<NotKeptMessage>,
    rejected: Vec<Rejected>,
    /// JSON Pointers to repaired fields.
    repaired: Vec<String>,
}

/// Parses each message separately, so that an invalid one is rejected alone.
fn read_messages(
    items: Option<Items<MESSAGES_AT_ONCE, MessageRequest>>,
    now: Timestamp,
    unknown: &mut UnknownFields,
) -> ReadMessages {
    let items = items.map_or_else(Vec::new, Items::into_vec);
    let mut read = ReadMessages::default();
    for (index, item) in (0..).zip(&items) {
        let at = |place: &str| format!("/messages/{index}{place}");
        let message = item.read().and_then(|(message, fields)| {
            unknown.extend_below("messages", fields);
            let repaired = message.repaired().map(|field| at(&format!("/{field}")));
            let mut delivery = message.into_delivery(now)?;
            delivery.index = index;
            read.repaired.extend(repaired);
            Ok(delivery)
        });
        match message {
            Ok(message) => read.messages.push(message),
            Err(refusal) => {
                read.invalid.push(NotKeptMessage::invalid(
                    item.field::<String>("message_id").as_deref(),
                    item.field("revision").unwrap_or(0),
                    item.field::<String>("text_content").as_deref(),
                ));
                let id = item.field("message_id");
                read.rejected.push(Rejected::message(index, id, &refusal));
            }
        }
    }
    read
}
