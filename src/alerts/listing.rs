//! Alerts as a guardian sees them, with the words of their messages.

use std::collections::BTreeSet;

use super::phrase::Finder;
use super::seen::{is_not_worrying, is_unseen};
use super::store::NotWorrying;
use super::{Alert, Alerts, AlertsError, Dependencies, store};
use crate::children::{ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::{EarlierText, Message, MessageKind, TranscriptsError};
use crate::identity::{AssistantId, GuardianId, SignedIn};
use crate::kernel::store::{PageRoom, StoreError, readable};
use crate::retention::Deletion;

/// A message before or after an alert's message.
pub struct Neighbour {
    pub source: Option<String>,
    pub text_content: Option<String>,
}

impl Neighbour {
    fn of(message: Message) -> Self {
        Self {
            source: message.source,
            text_content: message.text_content,
        }
    }
}

/// The words of an alert.
#[derive(Default)]
pub struct Words {
    pub source: Option<String>,
    pub text_content: Option<String>,
    pub message_kind: Option<MessageKind>,
    /// Where the phrase or the quote is in the text, in UTF-16 units.
    pub ranges: Vec<[usize; 2]>,
    pub before: Option<Neighbour>,
    pub after: Option<Neighbour>,
    /// Whether the message says something else than the text with the phrase or the quote.
    pub corrected: bool,
    /// That text, if it was corrected and is kept.
    pub earlier: Option<EarlierWords>,
}

/// An earlier text of a message, with the phrase or the quote.
pub struct EarlierWords {
    pub text: EarlierText,
    /// Where it is in the text, in UTF-16 units.
    pub ranges: Vec<[usize; 2]>,
}

impl Words {
    fn bytes(&self) -> usize {
        let neighbours = [&self.before, &self.after].into_iter().flatten();
        let texts = neighbours.map(|neighbour| &neighbour.text_content);
        let texts = texts.chain([&self.text_content]).flatten();
        let earlier = self
            .earlier
            .iter()
            .map(|earlier| &earlier.text.text_content);
        let ranges = self.earlier.iter().map(|earlier| earlier.ranges.len());
        texts.chain(earlier).map(String::len).sum::<usize>()
            + 64 * (self.ranges.len() + ranges.sum::<usize>())
    }
}

/// An alert as one guardian sees it.
pub struct ShownAlert {
    pub alert: Alert,
    pub unseen: bool,
    /// Whether the guardian finds it not worrying.
    pub not_worrying: bool,
    /// Whether the guardian has dealt with it.
    pub dealt_with: bool,
    /// The name of the assistant that it is about, or that the session was with.
    pub assistant: Option<String>,
    /// `None` if it isn't about a message, or the message can't be shown.
    pub words: Option<Words>,
    pub deletion: Option<Deletion>,
}

pub struct AlertPage {
    pub alerts: Vec<ShownAlert>,
    /// The marker of the next page.
    pub next: Option<String>,
    pub unreadable: u64,
}

/// How much is read of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    WithWords,
    /// Without what was said.
    Glance,
}

/// What a reader has seen, and wants to see.
pub(super) struct Reading {
    seen: u64,
    pub(super) not_worrying: NotWorrying,
    detail: Detail,
}

impl Alerts {
    /// Returns a page of the alerts that the reader sees, newest first.
    pub fn list(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
        detail: Detail,
    ) -> Result<AlertPage, AlertsError> {
        let (child, guardian) = (access.child(), reader.guardian());
        let before = before.map(store::number_at).transpose()?;
        let batch = store::alerts_before(&self.store, child, guardian, before, limit)?;
        let reading = self.reading(child, guardian, detail)?;
        let mut page = AlertPage {
            alerts: Vec::new(),
            next: None,
            unreadable: batch.unreadable,
        };
        // Sessions with unreadable records.
        let mut unreadable = BTreeSet::new();
        let oldest = self.oldest();
        let mut room = PageRoom::new(limit);
        let mut last = None;
        for alert in batch.alerts {
            if alert.arrived_at < oldest {
                last = Some(alert.alert_id);
                continue;
            }
            let id = alert.alert_id;
            let shown = self.show(access, reader, alert, &reading, &mut unreadable)?;
            let bytes = shown.words.as_ref().map_or(0, Words::bytes) + 1024;
            if !room.take(bytes) {
                page.next = last.and_then(store::marker_of);
                page.unreadable += unreadable.len() as u64;
                return Ok(page);
            }
            last = Some(id);
            page.alerts.push(shown);
        }
        page.unreadable += unreadable.len() as u64;
        page.next = last.filter(|_| batch.has_more).and_then(store::marker_of);
        Ok(page)
    }

    pub(super) fn reading(
        &self,
        child: ChildId,
        guardian: &GuardianId,
        detail: Detail,
    ) -> Result<Reading, StoreError> {
        Ok(Reading {
            seen: store::seen(&self.store, child, guardian)?,
            not_worrying: store::not_worrying(&self.store, child, guardian)?,
            detail,
        })
    }

    /// Returns the alert as the reader sees it. Adds its session to `unreadable` if it can't be read.
    pub(super) fn show_one(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        alert: Option<Alert>,
        reading: &Reading,
        unreadable: &mut BTreeSet<SessionId>,
    ) -> Result<Option<ShownAlert>, AlertsError> {
        alert
            .map(|alert| self.show(access, reader, alert, reading, unreadable))
            .transpose()
    }

    fn show(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        alert: Alert,
        reading: &Reading,
        unreadable: &mut BTreeSet<SessionId>,
    ) -> Result<ShownAlert, AlertsError> {
        let Dependencies {
            transcripts,
            retention,
            ..
        } = &self.dependencies;
        let unseen = is_unseen(&alert, reader.guardian(), reading.seen);
        let not_worrying = is_not_worrying(&alert, reader.guardian(), &reading.not_worrying);
        let dealt_with = alert.dealt_with.contains(reader.guardian());
        let Some(session) = alert.session_id else {
            return Ok(ShownAlert {
                assistant: self.present_name(alert.assistant_id.as_ref())?,
                deletion: None,
                words: None,
                unseen,
                not_worrying,
                dealt_with,
                alert,
            });
        };
        let found = match readable(transcripts.get_session(access, session)) {
            Ok(Some(session)) => session,
            gone @ (Ok(None) | Err(TranscriptsError::NoSuchSession)) => {
                if gone.is_ok() {
                    unreadable.insert(session);
                }
                let deletion = retention.deletion_of(access, reader, session)?;
                return Ok(ShownAlert {
                    deletion,
                    assistant: None,
                    words: None,
                    unseen,
                    not_worrying,
                    dealt_with,
                    alert,
                });
            }
            Err(error) => return Err(error.into()),
        };
        let words = match &alert.message_id {
            Some(message) if reading.detail == Detail::WithWords => {
                self.words(access, &alert, session, message, unreadable)?
            }
            _ => None,
        };
        Ok(ShownAlert {
            assistant: found.assistant,
            deletion: None,
            words,
            unseen,
            not_worrying,
            dealt_with,
            alert,
        })
    }

    /// The assistant's present name; `None` if it is removed or unreadable.
    fn present_name(&self, assistant: Option<&AssistantId>) -> Result<Option<String>, StoreError> {
        let Some(id) = assistant else {
            return Ok(None);
        };
        let found = self.dependencies.assistants.find_by_id(&self.store, id)?;
        Ok(found.map(|assistant| assistant.name))
    }

    /// The alert's message with its neighbours; `None` if it can't be read.
    fn words(
        &self,
        access: &ChildAccess,
        alert: &Alert,
        session: SessionId,
        message: &str,
        unreadable: &mut BTreeSet<SessionId>,
    ) -> Result<Option<Words>, AlertsError> {
        let transcripts = &self.dependencies.transcripts;
        let around = transcripts.read_around(&self.store, access, session, message);
        let around = match readable(around) {
            Ok(Some((around, is_whole))) => {
                if !is_whole {
                    unreadable.insert(session);
                }
                around
            }
            Ok(None) => {
                unreadable.insert(session);
                return Ok(None);
            }
            // It was deleted or moved meanwhile.
            Err(TranscriptsError::NoSuchSession | TranscriptsError::NoSuchMessage) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let (mut before, mut this, mut after) = (None, None, None);
        for near in around {
            if near.message_id == message {
                this = Some(near);
            } else if !near.is_said() {
                // It has no part in what was said around it.
            } else if this.is_none() {
                before = Some(Neighbour::of(near));
            } else if after.is_none() {
                after = Some(Neighbour::of(near));
            }
        }
        Ok(this.map(|mut this| {
            let ranges = alert.ranges(this.text_content.as_deref().unwrap_or_default());
            let has_place = alert.phrase.is_some() || alert.flagged.is_some();
            let first = alert.first_text(&this);
            let corrected = has_place
                && first.as_ref().is_none_or(|(index, _)| {
                    this.earlier.get(*index).is_some_and(|text| {
                        Some(&text.text_content) != this.text_content.as_ref()
                            || text.source != this.source
                    })
                });
            let earlier = first.filter(|_| corrected);
            let earlier = earlier.map(|(index, ranges)| EarlierWords {
                text: this.earlier.swap_remove(index),
                ranges,
            });
            Words {
                earlier,
                corrected,
                source: this.source,
                text_content: this.text_content,
                message_kind: this.kind,
                ranges,
                before,
                after,
            }
        }))
    }
}

impl Alert {
    /// Where its phrase or quote is in a text, in UTF-16 units.
    fn ranges(&self, text: &str) -> Vec<[usize; 2]> {
        match (&self.phrase, &self.flagged) {
            (Some(phrase), _) => Finder::of(phrase).ranges(text),
            (None, Some(flagged)) if flagged.place.is_in(text) => vec![flagged.place.range],
            _ => Vec::new(),
        }
    }

    /// The first text of its message that has its phrase or quote, and was not dealt with before: its index among
    /// [all of them](Message::texts), and where the phrase or quote is.
    pub(super) fn first_text(&self, message: &Message) -> Option<(usize, Vec<[usize; 2]>)> {
        let texts = message.texts().enumerate();
        texts.skip(self.texts_before).find_map(|(index, text)| {
            let ranges = self.ranges(text);
            (!ranges.is_empty()).then_some((index, ranges))
        })
    }
}
