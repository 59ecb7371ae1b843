//! What is stored of a key and child, as the tracker asks for it.

use super::TrackerKey;
use super::turn_update::message_id;
use crate::assistants::deliveries::AssistantService;
use crate::assistants::gateway::grouping::{
    ConversationRef, MessageId, StoredTextLookup, TextHash,
};
use crate::assistants::gateway::store::TrackerState;
use crate::assistants::gateway::stored_texts;
use crate::kernel::host::clock::Timestamp;

/// What is stored of a key and child.
pub struct Stored<'a> {
    pub service: &'a AssistantService,
    pub key: &'a TrackerKey,
    pub state: &'a TrackerState,
    pub now: Timestamp,
}

impl StoredTextLookup for Stored<'_> {
    // If the store fails, the text counts as new, and so does the change that would store it.
    fn has(&self, hash: TextHash) -> bool {
        let (child, assistant) = self.key;
        let found = stored_texts::has_text(&self.service.store, *child, assistant, hash, self.now);
        found.unwrap_or(false)
    }

    fn text(&self, place: ConversationRef, id: MessageId) -> Option<String> {
        let session = self.state.session(place)?;
        let transcripts = &self.service.transcripts;
        let text = transcripts.text_of(&self.service.store, session, &message_id(id));
        text.ok().flatten()
    }
}
