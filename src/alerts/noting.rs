//! Writes alerts, in the change that stores what they are about.

use std::sync::Arc;

use super::store::{self, Pending, Subject, Whose, subject_of_kind};
use super::watching::{Matched, Watching};
use super::{Alert, Alerts, Dependencies, Kind};
use crate::children::{AssistantAccess, ChildAccess, ChildId, SessionId};
use crate::kernel::store::{Change, StoreError};
use crate::transcripts::{Delivered, Message, MessageDelivery, StoredMessage};

/// A delivery with at least this many bytes of text is compared on a blocking thread.
const MUCH_TEXT: usize = 128 * 1024;

impl Alerts {
    /// Compares messages with the child's watched phrases, before the change that stores them. Returns the messages too.
    pub async fn compare(
        &self,
        child: ChildId,
        messages: Vec<MessageDelivery>,
    ) -> Result<(Vec<MessageDelivery>, Matched), StoreError> {
        let watching = self.watching(child)?;
        let texts = messages
            .iter()
            .filter_map(|it| it.message.text_content.as_ref());
        let bytes = texts.map(String::len).sum::<usize>();
        let compare = move || {
            let matched = Matched::new(child, watching, messages.iter());
            (messages, matched)
        };
        if bytes < MUCH_TEXT {
            return Ok(compare());
        }
        let compared = tokio::task::spawn_blocking(compare).await;
        // It is only cancelled when the server stops.
        compared.map_err(|_| StoreError::Unavailable)
    }

    /// Writes the alerts about what a delivery stored in a session, in the delivery's own change.
    pub fn note_delivery(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        owner: &ChildAccess,
        session: SessionId,
        delivered: &Delivered,
        matched: &Matched,
    ) -> Result<(), StoreError> {
        if delivered.stored.is_empty() {
            return Ok(());
        }
        let child = owner.child();
        let pending = Pending {
            assistant: access.assistant().clone(),
            named: access.child().child(),
        };
        store::note_pending(change, child, session, &pending)?;
        let edition = store::edition(change, child)?;
        if edition == 0 {
            return Ok(());
        }
        let watching = match matched.watching(child, edition) {
            Some(watching) => watching,
            // The phrases changed meanwhile, or the session was moved to another child.
            None => {
                let Dependencies {
                    children,
                    guardians,
                    ..
                } = &self.dependencies;
                Arc::new(Watching::read(change, child, children, guardians)?)
            }
        };
        for stored in &delivered.stored {
            let (message, before) = match stored {
                StoredMessage::New(message) => (message, None),
                StoredMessage::Revision { message, before } => (message, before.as_ref()),
            };
            for index in matched.hits(&watching, message) {
                self.note_phrase(change, child, session, &watching, index, message, before)?;
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one match, and where it is")]
    pub(super) fn note_phrase(
        &self,
        change: &mut Change,
        child: ChildId,
        session: SessionId,
        watching: &Watching,
        index: usize,
        message: &Message,
        before: Option<&Message>,
    ) -> Result<(), StoreError> {
        let watched = &watching.phrases[index];
        let whose = Some(watched.guardian.clone());
        if let Some((key, alert)) = store::find(change, session, &whose, watched.subject)? {
            let was_counted = before.is_some_and(|before| {
                let text = before.text_content.as_deref().unwrap_or_default();
                !watched.finder.ranges(text).is_empty()
            });
            if let Some(mut alert) = alert
                && !was_counted
            {
                alert.count += 1;
                change.put(&key, &alert)?;
            }
            return Ok(());
        }
        let alert = Alert {
            message_id: Some(message.message_id.clone()),
            phrase: Some(watched.phrase.clone()),
            ..Alert::new(Kind::Phrase, self.clock.now(), message.timestamp, session)
        };
        let to = [watched.guardian.clone()];
        store::add(change, child, &whose, watched.subject, alert, &to)
    }

    /// Writes an alert for all of the child's guardians, once per session and kind; later ones only count.
    pub fn note_for_all(
        &self,
        change: &mut Change,
        access: &AssistantAccess,
        owner: &ChildAccess,
        session: SessionId,
        kind: Kind,
        count: u64,
    ) -> Result<(), StoreError> {
        let (whose, subject): (Whose, _) = (None, subject_of_kind(kind));
        let now = self.clock.now();
        if let Some((key, alert)) = store::find(change, session, &whose, subject)? {
            if let Some(mut alert) = alert {
                alert.count += count;
                change.put(&key, &alert)?;
            }
            return Ok(());
        }
        let alert = Alert {
            count,
            assistant_id: Some(access.assistant().clone()),
            ..Alert::new(kind, now, now, session)
        };
        self.add_for_all(change, owner.child(), subject, alert)
    }

    /// Stores a new alert for all of the child's guardians.
    pub(super) fn add_for_all(
        &self,
        change: &mut Change,
        child: ChildId,
        subject: Subject,
        alert: Alert,
    ) -> Result<(), StoreError> {
        let children = &self.dependencies.children;
        let to = match children.guardians_of(change, child) {
            // Guardians find it without an event.
            Err(StoreError::Unreadable(_)) => Vec::new(),
            to => to?,
        };
        store::add(change, child, &None, subject, alert, &to)
    }
}
