//! Messages by session in chronological order, and an index by id.

use crate::children::SessionId;
use crate::conversations::transcripts::delivery::{
    Message, MessageDelivery, MessageKind, MessagePosition,
};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Change, Cursor, Key, KeyPlace, NotACursor, Page, Read, Record, RecordKind, StoreError,
    StoredRow, Table, readable,
};

const MESSAGE: Table = Table::new("message");
const PLACE: Table = Table::new("message-place");

impl Record for Message {}
impl Record for MessagePosition {}

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<Message>(MESSAGE),
    RecordKind::of::<MessagePosition>(PLACE),
];

pub(super) const KEYS: [KeyPlace; 2] = [KeyPlace::first(MESSAGE), KeyPlace::first(PLACE)];

fn messages_of(session: SessionId) -> Key {
    MESSAGE.key().number(session.number())
}

fn places_of(session: SessionId) -> Key {
    PLACE.key().number(session.number())
}

fn message_key(session: SessionId, place: MessagePosition) -> Key {
    messages_of(session)
        .signed(place.at.micros())
        .number(place.arrival)
}

pub(in crate::conversations::transcripts) fn messages(
    view: &impl Read,
    session: SessionId,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Message>(&messages_of(session), after, limit)
}

/// Where a message of a session is.
pub(in crate::conversations::transcripts) struct MessagePlace {
    key: Key,
    arrival: u64,
}

impl MessagePlace {
    pub(in crate::conversations::transcripts) fn arrival(&self) -> u64 {
        self.arrival
    }

    /// `None` also if it is unreadable.
    pub(in crate::conversations::transcripts) fn read(
        &self,
        view: &impl Read,
    ) -> Result<Option<Message>, StoreError> {
        view.get_readable(&self.key)
    }
}

/// The places of a session's messages in chronological order.
pub(in crate::conversations::transcripts) fn places(
    view: &impl Read,
    session: SessionId,
) -> Result<Vec<MessagePlace>, StoreError> {
    let below = messages_of(session);
    let keys = view.keys_below(&below, usize::MAX)?.into_iter();
    let places = keys.filter_map(|key| {
        let mut components = key.components_below(&below);
        components.signed()?;
        let arrival = components.number()?;
        Some(MessagePlace { key, arrival })
    });
    Ok(places.collect())
}

/// The length of a session's key below its child's prefix, and of a message's key below its session's: two numbers each.
const PLACE_LENGTH: usize = 2 * size_of::<u64>();

/// Splits a cursor into the session's and, if there is one, the message's.
pub(in crate::conversations::transcripts) fn split_place(
    joined: &Cursor,
) -> Result<(Cursor, Option<Cursor>), NotACursor> {
    joined.split(PLACE_LENGTH, PLACE_LENGTH)
}

/// A session's last messages, or those before a message; newest first, not yet decoded.
pub(in crate::conversations::transcripts) fn last_rows(
    view: &impl Read,
    session: SessionId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Vec<StoredRow>, StoreError> {
    StoredRow::before(view, &messages_of(session), before, limit)
}

pub(in crate::conversations::transcripts) fn messages_before(
    view: &impl Read,
    session: SessionId,
    before: &Cursor,
    limit: usize,
) -> Result<Page, StoreError> {
    Page::before::<Message>(view, &messages_of(session), before, limit)
}

/// A page with this message in the middle; `None` if there is no such message.
pub(in crate::conversations::transcripts) fn messages_around(
    view: &impl Read,
    session: SessionId,
    message_id: &str,
    limit: usize,
) -> Result<Option<Page>, StoreError> {
    let messages = messages_of(session);
    let Some(place) = kept(view, session, message_id)? else {
        return Ok(None);
    };
    let place = message_key(session, place).cursor_below(&messages);
    place
        .map(|place| Page::around::<Message>(view, &messages, &place, limit))
        .transpose()
}

/// The position of the message with this id, if it is stored.
pub(in crate::conversations::transcripts) fn kept(
    view: &impl Read,
    session: SessionId,
    message_id: &str,
) -> Result<Option<MessagePosition>, StoreError> {
    view.get(&places_of(session).text(message_id))
}

/// Returns the message as stored.
pub(in crate::conversations::transcripts) fn put_new_message(
    change: &mut Change,
    session: SessionId,
    place: MessagePosition,
    message: Message,
) -> Result<Message, StoreError> {
    let message = placed(message, place);
    let key = message_key(session, place);
    if message.kind == Some(MessageKind::Reasoning) {
        // A model may write much for itself, which must not use up the room of what is said. The gateway bounds it.
        change.put(&key, &message)?;
    } else {
        // Arrival numbers are unique within a session, so the key is new.
        change.put_new(&key, &message)?;
    }
    put_place(change, session, place, &message)?;
    Ok(message)
}

/// Overwrites the stored revision at the same position. Returns the message as stored.
pub(in crate::conversations::transcripts) fn replace_message(
    change: &mut Change,
    session: SessionId,
    place: MessagePosition,
    message: Message,
) -> Result<Message, StoreError> {
    let message = placed(message, place);
    let json = message.encode();
    change.put_json(&message_key(session, place), Message::VERSION, &json)?;
    // Always counted: the revision is higher, so the row changes even if the text doesn't.
    change.count(json.len());
    put_place(change, session, place, &message)?;
    Ok(message)
}

/// Removes `generated` from a message, at the same revision. `heard` returns how much of its text was heard, in UTF-16 code
/// units, if not all. Returns the message before and after the change; `None` if it isn't there, or was confirmed before.
pub(in crate::conversations::transcripts) fn confirm_heard(
    change: &mut Change,
    session: SessionId,
    message_id: &str,
    heard: impl FnOnce(&str) -> Option<usize>,
) -> Result<Option<(Message, Message)>, StoreError> {
    let Some(place) = kept(change, session, message_id)? else {
        return Ok(None);
    };
    let key = message_key(session, place);
    let Some(before) = change.get_readable::<Message>(&key)? else {
        return Ok(None);
    };
    if before.generated.is_none() {
        return Ok(None);
    }
    let heard = heard(before.text_content.as_deref().unwrap_or_default());
    let heard = heard.map(|units| u32::try_from(units).unwrap_or(u32::MAX));
    let after = Message {
        generated: None,
        interrupted: before.interrupted.or(heard.map(|_| true)),
        heard,
        ..before.clone()
    };
    change.put(&key, &after)?;
    Ok(Some((before, after)))
}

pub(in crate::conversations::transcripts) fn message(
    view: &impl Read,
    session: SessionId,
    place: MessagePosition,
) -> Result<Option<Message>, StoreError> {
    view.get(&message_key(session, place))
}

pub(in crate::conversations::transcripts) fn move_message(
    change: &mut Change,
    session: SessionId,
    from: MessagePosition,
    to: MessagePosition,
) -> Result<(), StoreError> {
    // An unreadable one stays where it is.
    let Some(message) = readable(message(change, session, from))?.flatten() else {
        return Ok(());
    };
    change.remove(&message_key(session, from))?;
    put_place(change, session, to, &message)?;
    change.put(&message_key(session, to), &placed(message, to))
}

/// The time of the first message that somebody said.
pub(in crate::conversations::transcripts) fn first_said_at(
    view: &impl Read,
    session: SessionId,
) -> Result<Option<Timestamp>, StoreError> {
    said_at(view, session, |after| {
        StoredRow::after(view, &messages_of(session), after, ROWS_AT_ONCE)
    })
}

/// The time of the last message that somebody said.
pub(in crate::conversations::transcripts) fn last_said_at(
    view: &impl Read,
    session: SessionId,
) -> Result<Option<Timestamp>, StoreError> {
    said_at(view, session, |before| {
        last_rows(view, session, before, ROWS_AT_ONCE)
    })
}

/// Few, because the first row usually has the answer.
const ROWS_AT_ONCE: usize = 4;

/// The time of the first row that was said. An unreadable row counts as said.
fn said_at(
    view: &impl Read,
    session: SessionId,
    rows: impl Fn(Option<&Cursor>) -> Result<Vec<StoredRow>, StoreError>,
) -> Result<Option<Timestamp>, StoreError> {
    let mut last = None;
    loop {
        let batch = rows(last.as_ref())?;
        for row in &batch {
            let message = readable(row.read::<Message>(view))?;
            if message.is_none_or(|message| message.is_some_and(|message| message.is_said())) {
                let micros = row.key().components_below(&messages_of(session)).signed();
                return Ok(micros.map(Timestamp::from_micros));
            }
        }
        let Some(end) = batch.last().map(StoredRow::cursor) else {
            return Ok(None);
        };
        last = Some(end);
    }
}

fn put_place(
    change: &mut Change,
    session: SessionId,
    place: MessagePosition,
    message: &Message,
) -> Result<(), StoreError> {
    change.put(&places_of(session).text(&message.message_id), &place)
}

/// Guardians see the time that the lowest revision gave.
fn placed(message: Message, place: MessagePosition) -> Message {
    Message {
        timestamp: place.at,
        ..message
    }
}

impl From<MessageDelivery> for Message {
    fn from(delivery: MessageDelivery) -> Self {
        delivery.message
    }
}

/// Removes a batch of a session's messages. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, session: SessionId) -> Result<bool, StoreError> {
    let removed = change.remove_some_below(&messages_of(session))?
        + change.remove_some_below(&places_of(session))?;
    Ok(removed > 0)
}
