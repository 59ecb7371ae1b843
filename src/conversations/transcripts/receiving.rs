//! Receiving deliveries to a session, and ending it.

use std::time::Duration;

use super::delivery::{
    Delivered, Message, MessageDelivery, SessionName, StoredMessage, Verdict, place,
};
use super::not_kept::NotKeptMessage;
use super::session::{EndedSession, PlacedSession, Session, SessionDetails};
use super::store::messages;
use super::talk::{duration, interval};
use super::{Transcripts, TranscriptsError, earlier, store};
use crate::children::{AssistantAccess, ChildAccess, ChildId, SessionId};
use crate::identity::SignedAssistant;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError, readable};

/// A delivery to one session.
pub struct SessionDelivery {
    pub assistant: SignedAssistant,
    /// The assistant's name for the session.
    pub name: SessionName,
    pub details: SessionDetails,
    pub messages: Vec<MessageDelivery>,
    /// Messages that can't be stored, and are counted: invalid ones, and those that were lost on a full disk.
    pub invalid: Vec<NotKeptMessage>,
    /// The session ends after this many seconds without a delivery; unchanged if `None`.
    pub idle_seconds: Option<u32>,
}

impl SessionDelivery {
    /// Removes the messages that aren't known to be later than `erased_before`. Returns their number.
    pub fn leave_out_erased(&mut self, erased_before: Timestamp) -> u64 {
        let before = self.messages.len();
        self.messages
            .retain(|message| message.is_said_after(erased_before));
        (before - self.messages.len()) as u64
    }
}

/// The session with this name, if the assistant's key can reach it.
pub struct NamedSession(store::naming::Found);

impl NamedSession {
    /// The child that has the session now.
    pub fn owner(&self) -> &ChildAccess {
        &self.0.owner
    }

    pub fn session(&self) -> SessionId {
        self.0.session
    }

    /// Messages under this name up to this time are erased.
    pub fn erased_before(&self) -> Option<Timestamp> {
        self.0.state.erased_before
    }
}

/// What an assistant says when it ends a session. Missing fields stay unchanged.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    pub topic: Option<String>,
    pub ended_at: Option<Timestamp>,
    pub duration: Option<Duration>,
}

/// The session after a delivery.
pub struct Received {
    /// The child that has the session.
    pub owner: ChildAccess,
    pub placed: PlacedSession,
    pub delivered: Delivered,
    /// Whether the session is new or its details changed.
    pub is_corrected: bool,
    /// Whether a session that had ended by timeout continues.
    pub is_reopened: bool,
    /// Whether its newest message is so old that the session has already ended.
    pub is_over: bool,
    /// The number of messages of this delivery that could not be stored.
    pub not_kept: u64,
}

impl Transcripts {
    /// Returns the session with this name and child. A moved session is found as long as its new child has exactly the same
    /// guardians.
    pub fn find_named(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        name: &SessionName,
    ) -> Result<Option<NamedSession>, StoreError> {
        let found = store::naming::find(change, access, name)?;
        Ok(found.map(NamedSession))
    }

    /// Opens the session with this name, or updates the one [found](Self::find_named), and stores the messages. The caller has
    /// removed messages dated up to `erased_before`, because they were erased.
    pub fn receive(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        delivery: SessionDelivery,
        named: Option<NamedSession>,
        erased_before: Option<Timestamp>,
    ) -> Result<Received, TranscriptsError> {
        let now = self.clock.now();
        let (assistant, name) = (&delivery.assistant, &delivery.name);
        let known = match named {
            Some(NamedSession(found)) => {
                let row = store::session_row(change, &found.state, found.session)?;
                row.map(|row| (found.owner, found.state, row))
            }
            None => None,
        };
        let is_known = known.is_some();
        let (owner, mut state, mut session) = match known {
            Some(known) => known,
            None => {
                let owner = access.child().clone();
                let session = Session::new(store::next_id(change)?, owner.child());
                store::naming::put(change, access, name, session.session_id)?;
                let mut state = store::State::new(&session, now);
                state.name = Some((assistant.id().clone(), name.as_str().to_owned()));
                state.erased_before = erased_before;
                (owner, state, session)
            }
        };
        let (before, began_before) = (session.clone(), state.began(&session));
        session.correct(delivery.details);
        session.assistant = assistant.name().map(str::to_owned).or(session.assistant);
        let is_corrected = !is_known || session != before;
        let not_kept_before = state.not_kept.clone();
        // An invalid message has no reliable time, so it may be one of the erased messages.
        if erased_before.is_none() {
            for message in delivery.invalid {
                state.count_not_kept(change, message);
            }
        }
        let messages = delivery.messages;
        let delivered = store_messages(change, &mut state, &mut session, messages, now)?;
        let mut is_over = false;
        if is_corrected || delivered.changed_anything() {
            if !state.is_completed(&session) {
                let was_open = !before.ended && state.last_arrival.is_some();
                state.last_arrival = Some(now);
                state.idle_seconds = delivery.idle_seconds.or(state.idle_seconds);
                is_over = state.is_old(&session, now);
                session.ended = is_over;
                match (was_open, is_over) {
                    (true, true) => store::open::mark_ended(change, session.session_id)?,
                    (false, false) => store::open::mark_open(change, session.session_id)?,
                    _ => {}
                }
            } else {
                state.late_arrival = Some(now);
            }
            if is_known {
                store::remove_moved_row(change, &state, &session)?;
            }
            state.place(&session);
            if is_corrected {
                store::put_counted_session(change, &mut state, &session)?
            } else {
                store::put_session(change, &mut state, &session)?
            }
        } else if state.not_kept != not_kept_before {
            store::put_session(change, &mut state, &session)?;
        }
        let began = state.began(&session);
        Ok(Received {
            owner,
            is_reopened: before.ended && !session.ended,
            placed: PlacedSession {
                date: began,
                session,
                is_hidden: !state.is_shown(),
            },
            delivered,
            // The new message may be the first one, which changes when the session began.
            is_corrected: is_corrected || began != began_before,
            is_over,
            not_kept: state.not_kept.count_others(&not_kept_before),
        })
    }

    /// Creates a session from a file, which may name the assistant that delivered it. No assistant can write to it.
    pub fn begin(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        details: SessionDetails,
        assistant: Option<String>,
    ) -> Result<PlacedSession, TranscriptsError> {
        let mut session = Session::new(store::next_id(change)?, access.child());
        session.correct(details);
        session.assistant = assistant;
        let mut state = store::State::new(&session, self.clock.now());
        store::put_counted_session(change, &mut state, &session)?;
        Ok(PlacedSession {
            date: state.began(&session),
            session,
            is_hidden: false,
        })
    }

    /// Stores messages of a session from a file; [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn deliver(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        messages: Vec<MessageDelivery>,
    ) -> Result<Delivered, TranscriptsError> {
        let (mut state, mut session) = self.confirmed(change, access, session)?;
        let now = self.clock.now();
        let delivered = store_messages(change, &mut state, &mut session, messages, now)?;
        store::put_session(change, &mut state, &session)?;
        Ok(delivered)
    }

    /// Ends a session on the assistant's request. Ending it again only updates its details.
    ///
    /// Fails with [`TranscriptsError::NoSuchSession`] if the session isn't this child's.
    pub fn end(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
        ending: Ending,
    ) -> Result<EndedSession, TranscriptsError> {
        let (mut state, mut session) = self.confirmed(change, access, session)?;
        let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let ending_of = |state: &store::State, session: &Session| {
            let times = (state.ended_at, state.reported_micros);
            (times, state.completed, session.topic.clone())
        };
        let before = ending_of(&state, &session);
        state.ended_at = ending.ended_at.or(state.ended_at);
        state.reported_micros = ending.duration.map(micros).or(state.reported_micros);
        state.completed = true;
        session.topic = ending.topic.or(session.topic);
        if ending_of(&state, &session) != before {
            state.late_arrival = Some(self.clock.now());
        }
        end(change, &mut state, session)
    }

    /// Ends a session if its idle time has passed and the assistant didn't end it; [`TranscriptsError::NoSuchSession`] if it
    /// isn't this child's.
    pub fn end_if_silent(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<Option<EndedSession>, TranscriptsError> {
        let (mut state, session) = self.confirmed(change, access, session)?;
        if session.ended || !state.is_silent(self.clock.now()) {
            Ok(None)
        } else {
            end(change, &mut state, session).map(Some)
        }
    }

    /// Ends a session whose newest message is [too old](Received::is_over); [`TranscriptsError::NoSuchSession`] if it isn't
    /// this child's.
    pub fn end_now(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<EndedSession, TranscriptsError> {
        let (mut state, session) = self.confirmed(change, access, session)?;
        end(change, &mut state, session)
    }

    /// Returns the open sessions whose idle time has passed.
    pub fn list_silent(&self) -> Result<Vec<(ChildId, SessionId)>, StoreError> {
        let now = self.clock.now();
        let mut silent = Vec::new();
        for session in store::open::open_sessions(&self.store)? {
            let state = readable(store::state(&self.store, session))?.flatten();
            let state = state.filter(|state| state.is_silent(now));
            silent.extend(state.map(|state| (state.child, session)));
        }
        Ok(silent)
    }

    pub(super) fn confirmed(
        &self,
        change: &Change,
        access: &ChildAccess,
        session: SessionId,
    ) -> Result<(store::State, Session), TranscriptsError> {
        access.confirm(change)?;
        store::own_session(change, access, session)
    }
}

/// Stores messages in a session.
fn store_messages(
    change: &mut Change,
    state: &mut store::State,
    session: &mut Session,
    messages: Vec<MessageDelivery>,
    now: Timestamp,
) -> Result<Delivered, StoreError> {
    let mut delivered = Delivered::default();
    let mut is_fewer = false;
    let id = session.session_id;
    for message in messages {
        let kept = messages::kept(change, id, &message.message_id)?;
        match place(kept, &message, state.arrived) {
            Verdict::Store(mut place) => {
                place.stored_at = Some(now);
                state.arrived += 1;
                if message.is_said() {
                    state.note_first(session, place.at);
                    session.count_message(place.at);
                }
                state.spoken.add(&message.message);
                state.not_kept.remove_stored(&message);
                if message.is_adjusted() {
                    delivered.adjusted.push(message.message_id.clone());
                }
                let message = messages::put_new_message(change, id, place, message.into())?;
                delivered.stored.push(StoredMessage::New(message));
            }
            Verdict::Replace(place) => {
                // The new revision overwrites an unreadable one, which has been counted.
                let before = readable(messages::message(change, id, place))?.flatten();
                let stored = earlier::replace(change, id, place, &message, before.as_ref(), now)?;
                let Some(stored) = stored else {
                    state.count_not_kept(change, NotKeptMessage::with_used_id(&message));
                    delivered
                        .revised_too_often
                        .push((message.index, message.message.message_id));
                    continue;
                };
                if let Some(before) = &before {
                    state.spoken.subtract(before);
                    state.spoken.add(&message.message);
                }
                let was_said = before.as_ref().map(Message::is_said);
                match (was_said, message.is_said()) {
                    (Some(false), true) => {
                        state.note_first(session, place.at);
                        session.count_message(place.at);
                    }
                    (Some(true), false) => {
                        session.message_count = session.message_count.saturating_sub(1);
                        is_fewer = true;
                    }
                    _ => {}
                }
                state.not_kept.remove_stored(&message);
                delivered.stored.push(StoredMessage::Revision {
                    message: stored,
                    before: before.map(Box::new),
                    arrival: place.arrival,
                });
            }
            Verdict::Move(place) => {
                delivered.repeated += 1;
                delivered.moved = true;
                if let Some(kept) = kept {
                    messages::move_message(change, id, kept, place)?;
                }
            }
            Verdict::Known => {
                let there = match kept {
                    // With an unreadable one nothing can be compared; it blocks nothing else.
                    Some(kept) => readable(messages::message(change, id, kept))?.flatten(),
                    None => None,
                };
                if there.is_some_and(|there| there.text_content != message.text_content) {
                    state.count_not_kept(change, NotKeptMessage::with_used_id(&message));
                    delivered.conflicting.push(message.message.message_id);
                } else {
                    state.not_kept.remove_stored(&message);
                    delivered.repeated += 1;
                }
            }
            Verdict::Ignore => delivered.repeated += 1,
        }
    }
    if delivered.moved || is_fewer {
        session.last_message_time = messages::last_said_at(change, id)?;
        state.first_message_time = messages::first_said_at(change, id)?;
    }
    Ok(delivered)
}

fn end(
    change: &mut Change,
    state: &mut store::State,
    mut session: Session,
) -> Result<EndedSession, TranscriptsError> {
    session.ended = true;
    store::open::mark_ended(change, session.session_id)?;
    store::put_counted_session(change, state, &session)?;
    let first = messages::first_said_at(change, session.session_id)?;
    let said = first.zip(session.last_message_time);
    let date = state.began(&session);
    let talk = interval(said, session.start_time, state.ended_at, state.reported());
    let last = session.last_message_time.unwrap_or(date);
    Ok(EndedSession {
        duration: duration(said, session.start_time, state.ended_at),
        ended_at: talk.map_or(last, |talk| talk.end),
        placed: PlacedSession {
            date,
            session,
            is_hidden: !state.is_shown(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversations::transcripts::{EarlierText, MessageKind};
    use crate::kernel::store::Store;

    fn now() -> Timestamp {
        Timestamp::parse("2026-11-21T20:00:00Z").unwrap()
    }

    fn said(number: u64, revision: u64) -> MessageDelivery {
        let now = now();
        let message = Message {
            text_content: Some("An octopus has three hearts.".to_owned()),
            ..Message::new(number.to_string(), now)
        };
        // The earlier revision has a time half a second later.
        let later = Duration::from_millis(1_000 * number + 500 * (1 - revision));
        let at = Timestamp::parse("2026-11-21T10:00:00Z")
            .unwrap()
            .after(later);
        MessageDelivery::new(message, revision, Some(at), now)
    }

    /// Returns the bytes read by a delivery that moves fifty messages of a session of this length.
    async fn bytes_read_for_late_revisions(messages: u64) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let session = Session::new(SessionId::new(1), ChildId::new(1));
        let state = store::State::new(&session, Timestamp::MIN);
        let stored = store.commit(move |change| {
            let (mut state, mut session) = (state, session);
            let all = (0..messages).map(|number| said(number, 1)).collect();
            store_messages(change, &mut state, &mut session, all, now())?;
            Ok::<_, StoreError>((state, session))
        });
        let (mut state, mut session) = stored.await.unwrap();
        let moved = store.commit(move |change| {
            let late = (messages - 50..messages).map(|number| said(number, 0));
            let delivered =
                store_messages(change, &mut state, &mut session, late.collect(), now())?;
            assert!(delivered.moved);
            assert_eq!(
                session.last_message_time,
                Some(said(messages - 1, 0).timestamp)
            );
            assert_eq!(state.first_message_time, Some(said(0, 1).timestamp));
            Ok::<_, StoreError>(change.bytes_read())
        });
        moved.await.unwrap()
    }

    #[tokio::test]
    async fn a_delivery_returns_the_messages_it_stored_and_the_revisions_they_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let mut session = Session::new(SessionId::new(1), ChildId::new(1));
        let mut state = store::State::new(&session, Timestamp::MIN);
        let mut first = said(1, 0);
        first.message.text_content = Some("An octopus has eight arms.".to_owned());
        let (before, message) = (first.message.clone(), said(1, 1).message);

        let delivered = store.commit(move |change| {
            let all = vec![first.clone(), first, said(1, 1), said(1, 0), said(2, 0)];
            store_messages(change, &mut state, &mut session, all, now())
        });

        let delivered = delivered.await.unwrap();
        // A revision keeps the time of the first one, and what was replaced.
        let message = Message {
            timestamp: before.timestamp,
            earlier: vec![EarlierText {
                source: None,
                speaker: None,
                text_content: "An octopus has eight arms.".to_owned(),
                until: now(),
            }],
            ..message
        };
        let expected = [
            StoredMessage::New(before.clone()),
            StoredMessage::Revision {
                message,
                before: Some(Box::new(before)),
                arrival: 0,
            },
            StoredMessage::New(said(2, 0).message),
        ];
        assert!(delivered.stored == expected);
        assert_eq!(delivered.repeated, 2);
    }

    #[tokio::test]
    async fn messages_that_nobody_said_have_no_part_in_the_counts() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let background = |number: u64, revision: u64| {
            let mut delivery = said(number, revision.min(1));
            delivery.revision = revision;
            delivery.message.source = Some("assistant".to_owned());
            delivery.message.kind = Some(MessageKind::Background);
            delivery
        };
        let ordinary = |number: u64, revision: u64| {
            let mut delivery = background(number, revision);
            delivery.message.kind = None;
            delivery
        };
        let steps = [
            (vec![background(1, 1), background(9, 1)], None, 0),
            (vec![ordinary(4, 1), ordinary(6, 1)], Some((4, 6)), 2),
            (vec![background(9, 0)], Some((4, 6)), 2),
            (vec![ordinary(1, 2)], Some((1, 6)), 3),
            (vec![background(1, 3), background(6, 2)], Some((4, 4)), 1),
        ];
        let counted = store.commit(move |change| {
            let mut session = Session::new(SessionId::new(1), ChildId::new(1));
            let mut state = store::State::new(&session, Timestamp::MIN);
            let mut counted = Vec::new();
            for (messages, ..) in steps.clone() {
                store_messages(change, &mut state, &mut session, messages, now())?;
                let times = state.first_message_time.zip(session.last_message_time);
                counted.push((times, session.message_count, state.spoken.messages));
            }
            Ok::<_, StoreError>((steps, counted))
        });

        let (steps, counted) = counted.await.unwrap();
        for ((_, times, count), found) in steps.into_iter().zip(counted) {
            let times =
                times.map(|(first, last)| (said(first, 1).timestamp, said(last, 1).timestamp));
            assert_eq!(found, (times, count, count));
        }
    }

    #[tokio::test]
    async fn late_revisions_read_no_more_of_a_long_session_than_of_a_short_one() {
        let short = bytes_read_for_late_revisions(100).await;
        let long = bytes_read_for_late_revisions(3_000).await;

        assert!(long < short + short / 10, "{long} and {short} bytes");
    }
}
