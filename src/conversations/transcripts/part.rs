//! A part of a conversation: the messages that arrived since another part was read.

use std::collections::{BTreeMap, BTreeSet};

use super::delivery::Message;
use super::store::{self, messages};
use super::{Transcripts, TranscriptsError};
use crate::children::{ChildAccess, SessionId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};

/// In a message of the context, the maximum number of bytes.
const LONGEST_OF_CONTEXT: usize = 4 * 1024;

/// Which messages make up a part.
#[derive(Clone, Copy, Debug)]
pub struct PartsOf {
    /// Messages before this time are left out.
    pub since: Timestamp,
    /// The maximum length of the new messages' text, in bytes. A longer first message is included, too.
    pub bytes: usize,
    /// The maximum number of earlier messages before each group of new ones.
    pub context: usize,
}

#[derive(Clone)]
pub struct PartMessage {
    pub message: Message,
    pub role: PartRole,
}

/// Why a message is in a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartRole {
    /// It was in a part before, and precedes a message that is new.
    Context,
    New,
    /// It was in a part before, and was replaced since.
    Revised,
}

impl PartRole {
    /// Whether it belongs to the part, not only to the context.
    pub fn is_new(self) -> bool {
        self != Self::Context
    }
}

/// The messages that somebody said, with text, in chronological order.
#[derive(Clone, Default)]
pub struct ConversationPart {
    pub messages: Vec<PartMessage>,
    /// The next part begins with this arrival.
    pub next: u64,
    /// The arrivals before this part whose later revisions it has.
    pub revised: BTreeSet<u64>,
}

impl Transcripts {
    /// The messages of a visible session that arrived as number `from` or later, or as one of `revised`, at least one if there is
    /// any, with the context of each group of them. Skips unreadable messages.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn read_part(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
        from: u64,
        revised: &BTreeSet<u64>,
        of: PartsOf,
    ) -> Result<ConversationPart, TranscriptsError> {
        let (state, _) = store::own_session(view, access, session)?;
        if !state.is_shown() {
            return Err(TranscriptsError::NoSuchSession);
        }
        let places = messages::places(view, session)?;
        let mut new = (0..places.len()).collect::<Vec<_>>();
        new.retain(|index| {
            let arrival = places[*index].arrival();
            arrival >= from || revised.contains(&arrival)
        });
        new.sort_by_key(|index| places[*index].arrival());
        let mut part = ConversationPart {
            messages: Vec::new(),
            next: state.arrived.max(from),
            revised: BTreeSet::new(),
        };
        let (mut chosen, mut size) = (BTreeMap::new(), 0);
        for index in new {
            let arrival = places[index].arrival();
            if let Some(message) = said(view, &places[index], of.since)? {
                size += text_of(&message).len();
                if size > of.bytes && !chosen.is_empty() {
                    part.next = arrival.max(from);
                    break;
                }
                let role = if arrival < from {
                    PartRole::Revised
                } else {
                    PartRole::New
                };
                chosen.insert(index, PartMessage { message, role });
            }
            if arrival < from {
                part.revised.insert(arrival);
            }
        }
        let mut after = 0;
        for (index, new) in chosen {
            let mut before = Vec::new();
            for place in places[after..index].iter().rev() {
                if before.len() == of.context {
                    break;
                }
                before.extend(said(view, place, of.since)?.filter(is_short));
            }
            after = index + 1;
            let old = |message| PartMessage {
                message,
                role: PartRole::Context,
            };
            part.messages.extend(before.into_iter().rev().map(old));
            part.messages.push(new);
        }
        Ok(part)
    }

    /// How many messages of a session have arrived; `None` if it isn't this child's.
    pub fn count_arrived(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<u64>, StoreError> {
        let state = store::state(view, session)?;
        let state = state.filter(|state| state.child == access.child());
        Ok(state.map(|state| state.arrived))
    }
}

/// The message here, if somebody said it at `since` or later and it has text. `None` also if it is unreadable.
fn said(
    view: &impl Read,
    place: &messages::MessagePlace,
    since: Timestamp,
) -> Result<Option<Message>, StoreError> {
    let message = place.read(view)?;
    Ok(message
        .filter(|it| it.timestamp >= since && it.is_examined() && !text_of(it).trim().is_empty()))
}

fn text_of(message: &Message) -> &str {
    message.text_content.as_deref().unwrap_or_default()
}

fn is_short(message: &Message) -> bool {
    text_of(message).len() <= LONGEST_OF_CONTEXT
}
