//! Messages by session in chronological order, and an index by id.

use crate::children::SessionId;
use crate::kernel::clock::Timestamp;
use crate::kernel::store::{
    Change, Cursor, Key, NotACursor, Page, Read, Record, RecordKind, StoreError, StoredRow, Table,
};
use crate::transcripts::delivery::{Message, MessageDelivery, Place};
use crate::transcripts::spoken::Spoken;

const MESSAGE: Table = Table::new("message");
const PLACE: Table = Table::new("message-place");

impl Record for Message {}
impl Record for Place {}

pub(super) const KINDS: [RecordKind; 2] = [
    RecordKind::of::<Message>(MESSAGE),
    RecordKind::of::<Place>(PLACE),
];

fn messages_of(session: SessionId) -> Key {
    MESSAGE.key().number(session.number())
}

fn places_of(session: SessionId) -> Key {
    PLACE.key().number(session.number())
}

fn message_key(session: SessionId, place: Place) -> Key {
    messages_of(session)
        .signed(place.at.micros())
        .number(place.arrival)
}

pub(in crate::transcripts) fn messages(
    view: &impl Read,
    session: SessionId,
    after: Option<&Cursor>,
    limit: usize,
) -> Result<Page, StoreError> {
    view.page::<Message>(&messages_of(session), after, limit)
}

/// The length of a session's key below its child's prefix, and of a message's key below its session's: two numbers each.
const PLACE_LENGTH: usize = 2 * size_of::<u64>();

/// Splits a cursor into the session's and, if there is one, the message's.
pub(in crate::transcripts) fn split_place(
    joined: &Cursor,
) -> Result<(Cursor, Option<Cursor>), NotACursor> {
    joined.split(PLACE_LENGTH, PLACE_LENGTH)
}

/// A session's last messages, or those before a message; newest first, not yet decoded.
pub(in crate::transcripts) fn last_rows(
    view: &impl Read,
    session: SessionId,
    before: Option<&Cursor>,
    limit: usize,
) -> Result<Vec<StoredRow>, StoreError> {
    StoredRow::before(view, &messages_of(session), before, limit)
}

pub(in crate::transcripts) fn messages_before(
    view: &impl Read,
    session: SessionId,
    before: &Cursor,
    limit: usize,
) -> Result<Page, StoreError> {
    Page::before::<Message>(view, &messages_of(session), before, limit)
}

/// A page with this message in the middle; `None` if there is no such message.
pub(in crate::transcripts) fn messages_around(
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
pub(in crate::transcripts) fn kept(
    view: &impl Read,
    session: SessionId,
    message_id: &str,
) -> Result<Option<Place>, StoreError> {
    view.get(&places_of(session).text(message_id))
}

/// Returns the message as stored.
pub(in crate::transcripts) fn put_new_message(
    change: &mut Change,
    session: SessionId,
    place: Place,
    message: Message,
) -> Result<Message, StoreError> {
    put_place(change, session, place, &message)?;
    let message = placed(message, place);
    // Arrival numbers are unique within a session, so the key is new.
    change.put_new(&message_key(session, place), &message);
    Ok(message)
}

/// Overwrites the stored revision at the same position. Returns the message as stored.
pub(in crate::transcripts) fn replace_message(
    change: &mut Change,
    session: SessionId,
    place: Place,
    message: Message,
) -> Result<Message, StoreError> {
    put_place(change, session, place, &message)?;
    let message = placed(message, place);
    // Always counted: the revision is higher, so the row changes even if the text doesn't.
    change.count(message.encode().len());
    change.put(&message_key(session, place), &message)?;
    Ok(message)
}

pub(in crate::transcripts) fn message(
    view: &impl Read,
    session: SessionId,
    place: Place,
) -> Result<Option<Message>, StoreError> {
    view.get(&message_key(session, place))
}

/// The counts over all readable messages of a session.
pub(super) fn count_all(view: &impl Read, session: SessionId) -> Result<Spoken, StoreError> {
    let mut spoken = Spoken::default();
    for row in StoredRow::after(view, &messages_of(session), None, usize::MAX)? {
        match row.read::<Message>(view) {
            Ok(message) => message.iter().for_each(|message| spoken.add(message)),
            Err(StoreError::Unreadable(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(spoken)
}

pub(in crate::transcripts) fn move_message(
    change: &mut Change,
    session: SessionId,
    from: Place,
    to: Place,
) -> Result<(), StoreError> {
    let Some(message) = message(change, session, from)? else {
        return Ok(());
    };
    change.remove(&message_key(session, from))?;
    put_place(change, session, to, &message)?;
    change.put(&message_key(session, to), &placed(message, to))
}

pub(in crate::transcripts) fn first_said_at(
    view: &impl Read,
    session: SessionId,
) -> Result<Option<Timestamp>, StoreError> {
    let first = view.keys_below(&messages_of(session), 1)?;
    Ok(said_at(session, first.first()))
}

pub(in crate::transcripts) fn last_said_at(
    view: &impl Read,
    session: SessionId,
) -> Result<Option<Timestamp>, StoreError> {
    let last = view.last_key_below(&messages_of(session))?;
    Ok(said_at(session, last.as_ref()))
}

fn said_at(session: SessionId, key: Option<&Key>) -> Option<Timestamp> {
    let micros = key?.components_below(&messages_of(session)).signed();
    micros.map(Timestamp::from_micros)
}

fn put_place(
    change: &mut Change,
    session: SessionId,
    place: Place,
    message: &Message,
) -> Result<(), StoreError> {
    change.put(&places_of(session).text(&message.message_id), &place)
}

/// Guardians see the time that the lowest revision gave.
fn placed(message: Message, place: Place) -> Message {
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
pub(super) fn erase_some(change: &mut Change, session: SessionId) -> Result<bool, StoreError> {
    let removed = change.remove_some_below(&messages_of(session))?
        + change.remove_some_below(&places_of(session))?;
    Ok(removed > 0)
}
