//! What one request or one answer changes: what is remembered, and the transcripts with it.

use std::collections::{BTreeMap, BTreeSet};

use super::{RulesAdded, store};
use crate::alerts::Matched;
use crate::assistants::deliveries::{AssistantError, AssistantService};
use crate::assistants::gateway::budget::Budget;
use crate::assistants::gateway::client_prompt::{self, ClientPrompt};
use crate::assistants::gateway::grouping::{
    Answered, Begun, ConversationRef, Heard, Message as Grouped, MessageId, MovedIn, Request,
    StoredTextLookup, TextHash, TurnId, heard_units,
};
use crate::assistants::gateway::store::TrackerState;
use crate::assistants::gateway::stored_texts;
use crate::children::{AssistantAccess, SessionId};
use crate::conversations::transcripts::{
    Message, MessageDelivery, MessageKind, NamedSession, NotKeptMessage, SessionDelivery,
    SessionDetails, SessionName, TranscriptsError,
};
use crate::identity::SignedAssistant;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::Change;
use crate::rules::CheckedReceipts;

/// What an update does with the stored system text, tools and settings of the client.
pub enum RequestPrompt {
    /// It keeps them, because it is no request.
    Unchanged,
    /// It removes them: those of its request are too large, or system messages stand between others.
    NotKept,
    Sent(ClientPrompt),
}

/// A state as it will be stored, and what is to be stored in transcripts with it.
pub struct TurnUpdate {
    pub state: TrackerState,
    /// The sessions that the state referred to when it was read.
    pub before: BTreeSet<SessionId>,
    pub place: ConversationRef,
    pub messages: Vec<Grouped>,
    /// Messages of this place that were heard as they were sent.
    pub confirmed: Vec<MessageId>,
    /// Messages of this place that were heard in part.
    pub heard: Vec<Heard>,
    /// The hashes of the texts that are stored.
    pub hashes: BTreeSet<TextHash>,
    pub moved_in: Vec<MovedIn>,
    pub rules: Option<RulesAdded>,
    /// The turn that ended.
    pub ended: Option<TurnId>,
    pub counts_request: Option<Budget>,
    /// What the client sent besides the conversation.
    pub prompt: RequestPrompt,
    pub lost: Vec<NotKeptMessage>,
    pub now: Timestamp,
}

impl TurnUpdate {
    pub fn new(state: TrackerState, place: ConversationRef, now: Timestamp) -> Self {
        Self {
            before: state.sessions(),
            state,
            place,
            messages: Vec::new(),
            confirmed: Vec::new(),
            heard: Vec::new(),
            hashes: BTreeSet::new(),
            moved_in: Vec::new(),
            rules: None,
            ended: None,
            counts_request: None,
            prompt: RequestPrompt::Unchanged,
            lost: Vec::new(),
            now,
        }
    }

    /// Leaves out what the model wrote for itself beyond the day's limit. Returns how many messages.
    pub fn bound_reasoning(&mut self) -> usize {
        let (state, now, before) = (&mut self.state, self.now, self.messages.len());
        self.messages.retain(|message| {
            message.kind != Some(MessageKind::Reasoning)
                || state.take_reasoning(message.text.len(), now)
        });
        before - self.messages.len()
    }

    /// With what an answer adds.
    #[must_use]
    pub fn with_answer(self, turn: TurnId, answered: Answered) -> Self {
        Self {
            messages: answered.messages,
            heard: answered.heard.into_iter().collect(),
            hashes: answered.hashes,
            ended: Some(turn),
            ..self
        }
    }
}

/// Assigns a request to a conversation.
pub fn begin(
    mut state: TrackerState,
    request: &Request,
    stored: &dyn StoredTextLookup,
    now: Timestamp,
) -> (TurnId, TurnUpdate) {
    let before = state.sessions();
    let begun = state.tracker.begin(request, stored, now);
    let Begun { place, added, .. } = begun;
    match place {
        ConversationRef::Session(number) if begun.is_new => {
            state.adopt(number, request.session(), now);
        }
        ConversationRef::Session(_) => {}
        ConversationRef::Background(id) => {
            state.place_background(id, begun.beside, request.session(), now);
        }
    }
    let update = TurnUpdate {
        before,
        messages: added.messages,
        confirmed: added.confirmed,
        heard: added.heard,
        hashes: added.hashes,
        moved_in: begun.moved_in,
        ..TurnUpdate::new(state, place, now)
    };
    (begun.turn, update)
}

/// The messages of an update that are known before it is stored, each with its conversation.
pub fn deliveries_of(update: &TurnUpdate) -> Vec<(ConversationRef, MessageDelivery)> {
    let messages = update.messages.iter();
    let deliveries = messages.flat_map(|message| {
        let pieces = deliveries_of_message(message, update.now);
        pieces.map(|piece| (message.place, piece))
    });
    deliveries.collect()
}

/// Stores an update's `messages`, which are those of [`deliveries_of`], each in its session, and updates earlier ones. `matched`
/// has the watched phrases in them.
pub fn store_update(
    service: &AssistantService,
    change: &mut Change,
    access: &AssistantAccess,
    assistant: &SignedAssistant,
    update: &mut TurnUpdate,
    messages: Vec<(ConversationRef, MessageDelivery)>,
    matched: &Matched,
) -> Result<(), AssistantError> {
    let mut sessions = BTreeMap::<String, SessionMessages>::new();
    let mut add = |place: ConversationRef, message: MessageDelivery| {
        let name = update.state.name(place);
        let session = sessions.entry(name).or_default();
        session.places.insert(place);
        session.messages.push(message);
    };
    for moved in &update.moved_in {
        for message in moved_messages(service, change, access, update, moved)? {
            add(update.place, message);
        }
    }
    for (place, message) in messages {
        add(place, message);
    }
    let own = update.state.name(update.place);
    for (name, SessionMessages { places, messages }) in sessions {
        let delivery = SessionDelivery {
            assistant: assistant.clone(),
            name: session_name(&name),
            details: SessionDetails::default(),
            messages,
            invalid: if own == name {
                update.lost.clone()
            } else {
                Vec::new()
            },
            idle_seconds: None,
        };
        let receipts = CheckedReceipts::default();
        let outcome = service.apply_delivery(change, access, delivery, None, receipts, matched)?;
        if !outcome.delivered.revised_too_often.is_empty() {
            return Err(TranscriptsError::RevisedTooOften.into());
        }
        if let Some(session) = outcome.session {
            for place in places {
                update.state.set_session(place, session);
            }
        }
    }
    if let Some(found) = find(service, change, access, &own)? {
        confirm(service, change, &found, update)?;
        if let Some(RulesAdded { version, at }) = update.rules {
            let (number, topics) = (version.number, version.topics);
            let rules = &service.rules;
            rules.record_added(change, access, found.session(), number, topics, at)?;
        }
    }
    let (child, assistant) = (access.child().child(), assistant.id());
    for hash in &update.hashes {
        stored_texts::put_text(change, child, assistant, *hash, update.now)?;
    }
    if let (Some(turn), Some(session)) = (update.ended, update.state.session(update.place)) {
        store::remove_partial(change, child, session, turn)?;
    }
    if let (ConversationRef::Session(_), Some(session)) =
        (update.place, update.state.session(update.place))
    {
        match &update.prompt {
            RequestPrompt::Unchanged => {}
            RequestPrompt::NotKept => client_prompt::forget(change, child, assistant)?,
            RequestPrompt::Sent(prompt) => {
                client_prompt::put(change, child, session, assistant, prompt)?;
            }
        }
    }
    store::put_tracker(change, child, assistant, &mut update.state, &update.before)?;
    Ok(())
}

#[derive(Default)]
struct SessionMessages {
    places: BTreeSet<ConversationRef>,
    messages: Vec<MessageDelivery>,
}

fn find(
    service: &AssistantService,
    change: &mut Change,
    access: &AssistantAccess,
    name: &str,
) -> Result<Option<NamedSession>, AssistantError> {
    let name = session_name(name);
    Ok(service.transcripts.find_named(change, access, &name)?)
}

/// Records which messages the child heard.
fn confirm(
    service: &AssistantService,
    change: &mut Change,
    found: &NamedSession,
    update: &TurnUpdate,
) -> Result<(), AssistantError> {
    let (owner, session) = (found.owner(), found.session());
    let transcripts = &service.transcripts;
    for id in &update.confirmed {
        transcripts.confirm_heard(change, owner, session, &message_id(*id), |_| None)?;
    }
    for Heard { id, compared } in &update.heard {
        let units = |text: &str| Some(heard_units(text, compared));
        transcripts.confirm_heard(change, owner, session, &message_id(*id), units)?;
    }
    Ok(())
}

/// The messages of a background request that turned out to be the conversation's, as its own.
fn moved_messages(
    service: &AssistantService,
    change: &mut Change,
    access: &AssistantAccess,
    update: &TurnUpdate,
    moved: &MovedIn,
) -> Result<Vec<MessageDelivery>, AssistantError> {
    let name = update
        .state
        .name(ConversationRef::Background(moved.background));
    let Some(found) = find(service, change, access, &name)? else {
        return Ok(Vec::new());
    };
    let mut messages = Vec::new();
    for (id, revision) in &moved.messages {
        let (owner, session) = (found.owner(), found.session());
        let transcripts = &service.transcripts;
        let stored = transcripts.find_message(change, owner, session, &message_id(*id))?;
        messages.extend(stored.map(|message| {
            let said_at = Some(message.timestamp);
            let message = Message {
                kind: None,
                ..message
            };
            MessageDelivery::new(message, *revision, said_at, update.now)
        }));
    }
    Ok(messages)
}

pub fn session_name(name: &str) -> SessionName {
    name.parse().expect("it has letters, digits and hyphens")
}

pub fn message_id(id: MessageId) -> String {
    format!("m{}", id.number())
}

/// The maximum length of the text of one message, in bytes. A longer text becomes several messages.
const LONGEST_TEXT: usize = 64 * 1024;

fn deliveries_of_message(
    message: &Grouped,
    now: Timestamp,
) -> impl Iterator<Item = MessageDelivery> {
    let id = message_id(message.id);
    let pieces = pieces(&message.text).into_iter().enumerate();
    pieces.map(move |(index, text)| {
        let id = match index {
            0 => id.clone(),
            _ => format!("{id}-{index}"),
        };
        let stored = Message {
            source: Some(message.source.as_str().to_owned()),
            text_content: Some(text.to_owned()),
            event_type: message.is_tool_call.then(|| "tool_call".to_owned()),
            interrupted: message.interrupted.then_some(true),
            // Only the app says so: a guardian's name here must not exempt the words from that guardian's phrases.
            speaker: message.voice.as_deref().map(voice),
            generated: message.generated.then_some(true),
            from_app: message.from_app.then_some(true),
            kind: message.kind,
            ..Message::new(id, message.at)
        };
        MessageDelivery::new(stored, message.revision, Some(message.at), now)
    })
}

fn voice(name: &str) -> String {
    const LONGEST: usize = 100;
    let name = name.chars().take(LONGEST).collect::<String>();
    format!("{name}, as the app says")
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > LONGEST_TEXT {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(LONGEST_TEXT));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_stored_whole_in_pieces() {
        let text = "é".repeat(LONGEST_TEXT);

        let pieces = pieces(&text);

        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|piece| piece.len() <= LONGEST_TEXT));
        assert_eq!(pieces.concat(), text);
        assert_eq!(super::pieces(""), [""]);
    }
}
