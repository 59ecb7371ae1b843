//! What one request or one answer changes: the memory, and the transcripts with it.

use std::collections::BTreeMap;

use super::{RulesAdded, store};
use crate::alerts::Matched;
use crate::assistant::{AssistantError, AssistantService};
use crate::children::AssistantAccess;
use crate::gateway::budget::Budget;
use crate::gateway::grouping::{
    Message as Grouped, MessageId, MovedIn, Place, Request, Speaker, TurnId,
};
use crate::gateway::store::{Memory, SessionOfMemory};
use crate::identity::SignedAssistant;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::Change;
use crate::rules::CheckedReceipts;
use crate::transcripts::{
    Message, MessageDelivery, MessageKind, NotKeptMessage, SessionDelivery, SessionDetails,
    SessionName,
};

/// A memory as it will be stored, and what is to be stored in transcripts with it.
pub struct Step {
    pub memory: Memory,
    pub messages: Vec<Grouped>,
    /// Messages of this place that were heard as they were sent.
    pub confirmed: Vec<MessageId>,
    pub place: Place,
    pub moved_in: Vec<MovedIn>,
    pub tools: Vec<String>,
    pub rules: Option<RulesAdded>,
    /// The turn that ended.
    pub ended: Option<TurnId>,
    pub counts_request: Option<Budget>,
    pub missed: Vec<NotKeptMessage>,
    pub now: Timestamp,
}

impl Step {
    pub fn new(memory: Memory, place: Place, now: Timestamp) -> Self {
        Self {
            memory,
            messages: Vec::new(),
            confirmed: Vec::new(),
            place,
            moved_in: Vec::new(),
            tools: Vec::new(),
            rules: None,
            ended: None,
            counts_request: None,
            missed: Vec::new(),
            now,
        }
    }
}

/// Groups a request.
pub fn group(mut memory: Memory, request: &Request, now: Timestamp) -> (TurnId, Step) {
    let begun = memory.grouping.begin(request, now);
    match begun.place {
        Place::Session(number) if begun.is_new => memory.adopt(number, request.session(), now),
        Place::Session(_) => {}
        Place::Folded(id) => memory.place_folded(id, begun.beside, request.session(), now),
    }
    let step = Step {
        messages: begun.messages,
        confirmed: begun.confirmed,
        moved_in: begun.moved_in,
        ..Step::new(memory, begun.place, now)
    };
    (begun.turn, step)
}

/// The messages of a step that are known before it is stored.
pub fn deliveries_of(step: &Step) -> Vec<MessageDelivery> {
    let messages = step.messages.iter();
    messages
        .map(|message| delivery_of(message, step.now))
        .collect()
}

/// Stores a step's `messages`, which are those of [`deliveries_of`], each in its session, and updates earlier ones. `matched` has
/// the watched phrases in them.
pub fn store_step(
    service: &AssistantService,
    change: &mut Change,
    access: &AssistantAccess,
    assistant: &SignedAssistant,
    step: &Step,
    messages: Vec<MessageDelivery>,
    matched: &Matched,
) -> Result<(), AssistantError> {
    let mut sessions = BTreeMap::<String, (Place, Vec<MessageDelivery>)>::new();
    let mut add = |place: Place, message: MessageDelivery| {
        let name = step.memory.name(place);
        let session = sessions.entry(name).or_insert((place, Vec::new()));
        session.1.push(message);
    };
    for moved in &step.moved_in {
        for message in moved_messages(service, change, access, step, moved)? {
            add(step.place, message);
        }
    }
    for (message, delivery) in step.messages.iter().zip(messages) {
        add(message.place, delivery);
    }
    if let Some(turn) = step.ended {
        for (index, tool) in step.tools.iter().enumerate() {
            add(step.place, tool_call(turn, index, tool, step));
        }
    }
    let own = step.memory.name(step.place);
    for (name, (place, messages)) in sessions {
        let delivery = SessionDelivery {
            assistant: assistant.clone(),
            name: session_name(&name),
            details: SessionDetails::default(),
            messages,
            invalid: if own == name {
                step.missed.clone()
            } else {
                Vec::new()
            },
            idle_seconds: None,
        };
        let receipts = CheckedReceipts::default();
        let outcome = service.take_in(change, access, delivery, None, receipts, matched)?;
        if let Some(session) = outcome.session {
            let row = SessionOfMemory {
                assistant: assistant.id().clone(),
                place,
            };
            store::put_session(change, access.child().child(), session, &row)?;
        }
    }
    let transcripts = &service.transcripts;
    let found = transcripts.find_named(change, access, &session_name(&own))?;
    let Some(found) = found else {
        return Ok(());
    };
    for id in &step.confirmed {
        transcripts.confirm_heard(change, found.owner(), found.session(), &message_id(*id))?;
    }
    if let Some(RulesAdded { version, at }) = step.rules {
        let (number, topics) = (version.number, version.topics);
        let rules = &service.rules;
        rules.note_added(change, access, found.session(), number, topics, at)?;
    }
    Ok(())
}

/// The messages of a background request that turned out to be the conversation's, as its own.
fn moved_messages(
    service: &AssistantService,
    change: &mut Change,
    access: &AssistantAccess,
    step: &Step,
    moved: &MovedIn,
) -> Result<Vec<MessageDelivery>, AssistantError> {
    let name = session_name(&step.memory.name(Place::Folded(moved.folded)));
    let transcripts = &service.transcripts;
    let Some(found) = transcripts.find_named(change, access, &name)? else {
        return Ok(Vec::new());
    };
    let mut messages = Vec::new();
    for (id, revision) in &moved.messages {
        let (owner, session) = (found.owner(), found.session());
        let stored = transcripts.find_message(change, owner, session, &message_id(*id))?;
        messages.extend(stored.map(|message| {
            let said_at = Some(message.timestamp);
            let message = Message {
                kind: None,
                ..message
            };
            MessageDelivery::new(message, *revision, said_at, step.now)
        }));
    }
    Ok(messages)
}

fn session_name(name: &str) -> SessionName {
    name.parse().expect("it has letters, digits and hyphens")
}

fn message_id(id: MessageId) -> String {
    format!("m{}", id.number())
}

/// The text of a message, in bytes: as much as an assistant can deliver. Nobody says more at once.
const LONGEST_TEXT: usize = 64 * 1024;

/// The text, with a mark if its end was left out.
fn bounded(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_TEXT);
    format!("{} […]", &text[..end])
}

fn delivery_of(message: &Grouped, now: Timestamp) -> MessageDelivery {
    let is_assistant = message.speaker == Speaker::Assistant;
    let stored = Message {
        message_id: message_id(message.id),
        source: Some(if is_assistant { "assistant" } else { "child" }.to_owned()),
        text_content: Some(bounded(&message.text)),
        timestamp: message.at,
        content_type: None,
        event_type: None,
        start_sample: None,
        interrupted: message.interrupted.then_some(true),
        speaker: message.voice.clone(),
        generated: (message.generated && is_assistant).then_some(true),
        heard: None,
        from_app: None,
        kind: kind_of(message.place),
    };
    MessageDelivery::new(stored, message.revision, Some(message.at), now)
}

/// A message that names a tool that the model called.
fn tool_call(turn: TurnId, index: usize, tool: &str, step: &Step) -> MessageDelivery {
    let stored = Message {
        message_id: format!("t{}-{index}", turn.number()),
        source: Some("assistant".to_owned()),
        text_content: Some(format!("[tool: {tool}]")),
        timestamp: step.now,
        content_type: None,
        event_type: Some("tool_call".to_owned()),
        start_sample: None,
        interrupted: None,
        speaker: None,
        generated: None,
        heard: None,
        from_app: None,
        kind: kind_of(step.place),
    };
    MessageDelivery::new(stored, 0, Some(step.now), step.now)
}

fn kind_of(place: Place) -> Option<MessageKind> {
    matches!(place, Place::Folded(_)).then_some(MessageKind::Background)
}
