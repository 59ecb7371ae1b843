//! A part of a conversation: the messages that arrived since another part was read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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

/// Some of the texts that a message had, oldest first: from one number up to another, without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextsOf {
    /// The number with which the message arrived.
    pub arrival: u64,
    pub from: usize,
    pub to: usize,
}

#[derive(Clone)]
pub struct PartMessage {
    /// As it was with one of its texts. `earlier` has only those that were in another part before.
    pub message: Message,
    /// Whether the text belongs to the part, not only to the context.
    pub is_new: bool,
    /// Whether the message says something else now.
    pub is_replaced: bool,
}

/// The texts of messages in chronological order, each replaced one before the one that replaced it.
#[derive(Clone, Default)]
pub struct ConversationPart {
    pub messages: Vec<PartMessage>,
    /// The next part begins with this arrival.
    pub next: u64,
    /// For each message with texts in this part, the texts that the next part will have. None remain if `from` equals `to`.
    pub left: Vec<TextsOf>,
}

impl Transcripts {
    /// The texts of a visible session's messages that arrived as number `from` or later, and then the `waiting` ones, at least one if
    /// there is any, with the context of each group of them. Skips unreadable messages.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn read_part(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        session: SessionId,
        from: u64,
        waiting: &[TextsOf],
        of: PartsOf,
    ) -> Result<ConversationPart, TranscriptsError> {
        let (state, _) = store::own_session(view, access, session)?;
        if !state.is_shown() {
            return Err(TranscriptsError::NoSuchSession);
        }
        let places = messages::places(view, session)?;
        let indices = places.iter().map(messages::MessagePlace::arrival).zip(0..);
        let indices = indices.collect::<BTreeMap<_, _>>();
        let new = indices.range(from..).map(|(arrival, _)| TextsOf {
            arrival: *arrival,
            from: 0,
            to: 0,
        });
        let waiting = waiting.iter().filter(|texts| texts.arrival < from);
        let mut part = ConversationPart {
            next: state.arrived.max(from),
            ..ConversationPart::default()
        };
        let (mut chosen, mut size) = (BTreeMap::new(), 0);
        for mut left in new.chain(waiting.copied()) {
            let index = indices.get(&left.arrival).copied();
            let place = index.and_then(|index| places.get(index));
            let texts = each_text(view, place, of.since, left.from)?;
            left.to = left.to.max(texts.len());
            let mut unread = None;
            for (number, text) in texts.into_iter().enumerate().skip(left.from) {
                let length = text_of(&text.message).len();
                if size + length > of.bytes && !chosen.is_empty() {
                    unread = Some(number);
                    break;
                }
                size += length;
                if !is_blank(&text.message) {
                    chosen.insert((index.unwrap_or_default(), number), text);
                }
            }
            left.from = unread.unwrap_or(left.to);
            let is_read = unread.is_none();
            if !is_read && left.arrival >= from {
                part.next = left.arrival + u64::from(left.from > 0);
            }
            if is_read || left.from > 0 {
                part.left.push(left);
            }
            if !is_read {
                break;
            }
        }
        let mut after = 0;
        for ((index, _), new) in chosen {
            let mut before = Vec::new();
            let between = places.get(after..index).unwrap_or_default();
            for place in between.iter().rev() {
                if before.len() == of.context {
                    break;
                }
                before.extend(examined(view, place, of.since)?.filter(is_short));
            }
            after = index + 1;
            let old = |message| PartMessage {
                message,
                is_new: false,
                is_replaced: false,
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

impl Message {
    /// How many texts it had, with the present one.
    pub fn count_texts(&self) -> usize {
        self.texts().count()
    }
}

/// The message here as it was with each of its texts, oldest first. `read_before` of the texts were in an earlier part.
fn each_text(
    view: &impl Read,
    place: Option<&messages::MessagePlace>,
    since: Timestamp,
    read_before: usize,
) -> Result<Vec<PartMessage>, StoreError> {
    let message = match place {
        Some(place) => examined(view, place, since)?,
        None => None,
    };
    let Some(message) = message else {
        return Ok(Vec::new());
    };
    let mut known = message.earlier.clone();
    known.truncate(read_before);
    let mut versions = message.into_versions().collect::<Vec<_>>();
    versions.rotate_left(1);
    versions.retain(|(version, _)| version.text_content.is_some());
    let texts = versions.into_iter().map(|(version, until)| PartMessage {
        message: Message {
            earlier: known.clone(),
            ..version
        },
        is_new: true,
        is_replaced: until.is_some(),
    });
    Ok(texts.collect())
}

/// The message here, if it is examined and was said at `since` or later. `None` also if it is unreadable.
fn examined(
    view: &impl Read,
    place: &messages::MessagePlace,
    since: Timestamp,
) -> Result<Option<Message>, StoreError> {
    let message = place.read(view)?;
    Ok(message.filter(|it| it.timestamp >= since && it.is_examined()))
}

fn text_of(message: &Message) -> &str {
    message.text_content.as_deref().unwrap_or_default()
}

fn is_blank(message: &Message) -> bool {
    text_of(message).trim().is_empty()
}

fn is_short(message: &Message) -> bool {
    !is_blank(message) && text_of(message).len() <= LONGEST_OF_CONTEXT
}
