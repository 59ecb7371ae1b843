//! Writes alerts, in the change that stores what they are about, and notifies of them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::seen::is_not_worrying;
use super::store::{self, PendingJudgement, Subject, Whose, subject_of_kind};
use super::watching::{Matched, Watching};
use super::{Alert, Alerts, Dependencies, Kind};
use crate::children::{AssistantAccess, ChildAccess, ChildId, SessionId};
use crate::conversations::transcripts::{Delivered, Message, StoredMessage};
use crate::identity::GuardianId;
use crate::kernel::store::{Change, StoreError, readable};

/// An alert that guardians are notified of, in the change that stores it.
pub struct NewAlert<'a> {
    pub child: ChildId,
    pub alert: &'a Alert,
    /// The guardians who get it.
    pub to: &'a [GuardianId],
    pub occasion: Occasion,
}

/// Why guardians are notified of an alert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// It is stored now.
    New,
    /// It was dealt with, or found not worrying, and is open again, or has become urgent.
    OpenAgain,
}

/// Called with each new alert, and with each that is open again. Imported and moved ones aren't new.
pub type OnNewAlert =
    Arc<dyn Fn(&mut Change, &NewAlert<'_>) -> Result<(), StoreError> + Send + Sync>;

/// A message with a phrase, and its previous revision.
type Hit<'a> = (&'a Message, Option<&'a Message>);

/// The messages with each phrase, by the phrases' indices, in the order in which they were said.
#[derive(Default)]
pub(super) struct Hits<'a>(Vec<(usize, Vec<Hit<'a>>)>);

impl<'a> Hits<'a> {
    fn of(delivered: &'a Delivered, matched: &Matched, watching: &Arc<Watching>) -> Self {
        let mut hits = Self::default();
        for stored in &delivered.stored {
            let (message, before) = match stored {
                StoredMessage::New(message) => (message, None),
                StoredMessage::Revision {
                    message, before, ..
                } => (message, before.as_deref()),
            };
            for index in matched.hits(watching, message) {
                hits.add(index, message, before);
            }
        }
        hits
    }

    pub(super) fn add(&mut self, index: usize, message: &'a Message, before: Option<&'a Message>) {
        match self.0.iter_mut().find(|(known, _)| *known == index) {
            Some((_, messages)) => messages.push((message, before)),
            None => self.0.push((index, vec![(message, before)])),
        }
    }
}

/// What a message said before, as far as that is kept.
fn texts_before(message: &Message) -> impl Iterator<Item = &String> {
    message.earlier.iter().map(|earlier| &earlier.text_content)
}

/// Whether a message says what it never said before, or somebody else says it.
fn is_new((message, before): &Hit<'_>) -> bool {
    let says_more = before.is_none_or(|before| message.says_more_than(before));
    says_more && !message.says_again()
}

impl Alert {
    /// Makes it refer to this message as it is.
    fn point_at(&mut self, message: &Message) {
        self.message_id = Some(message.message_id.clone());
        self.texts_before = message.earlier.len();
        self.at = message.timestamp;
    }
}

impl Alerts {
    /// Writes the alerts about what a delivery stored in a session, in the delivery's own change.
    pub fn record_delivery(
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
        let (child, named) = (owner.child(), access.child().child());
        let pending = PendingJudgement {
            assistant: access.assistant().clone(),
            named,
        };
        store::record_pending(change, child, session, &pending)?;
        // While deliveries follow a moved session, its words are still those of the child whose phrases a guardian chose.
        let mut noted = BTreeSet::new();
        for watched in BTreeSet::from([child, named]) {
            let Some(watching) = self.watching_in(change, watched, matched)? else {
                continue;
            };
            let mut hits = Hits::of(delivered, matched, &watching);
            hits.0.retain(|(index, _)| {
                let phrase = &watching.phrases[*index];
                noted.insert((phrase.guardian.clone(), phrase.subject))
            });
            self.record_phrases(change, child, session, &watching, hits)?;
        }
        Ok(())
    }

    /// What is watched for this child now; `None` if nothing ever was.
    fn watching_in(
        &self,
        change: &Change,
        child: ChildId,
        matched: &Matched,
    ) -> Result<Option<Arc<Watching>>, StoreError> {
        let edition = store::edition(change, child)?;
        if edition == 0 {
            return Ok(None);
        }
        if let Some(watching) = matched.watching(child, edition) {
            return Ok(Some(watching));
        }
        // The phrases changed meanwhile, or the session was moved to this child.
        let Dependencies {
            children,
            guardians,
            ..
        } = &self.dependencies;
        let watching = Watching::read(change, child, children, guardians)?;
        Ok(Some(Arc::new(watching)))
    }

    /// Writes an alert for each phrase, or counts the messages in the one that is there. One that was dealt with is open again.
    pub(super) fn record_phrases(
        &self,
        change: &mut Change,
        child: ChildId,
        session: SessionId,
        watching: &Watching,
        hits: Hits<'_>,
    ) -> Result<(), StoreError> {
        for (index, messages) in hits.0 {
            let watched = &watching.phrases[index];
            let whose = Some(watched.guardian.clone());
            let is_uncounted = |(message, before): &&Hit<'_>| {
                let before = before.and_then(|before| before.text_content.as_ref());
                let mut earlier = texts_before(message).chain(before);
                earlier.all(|text| watched.finder.ranges(text).is_empty())
            };
            match (
                store::find(change, session, &whose, watched.subject)?,
                messages.split_first(),
            ) {
                (Some((key, Some(mut alert))), _) => {
                    let mut new = messages.iter();
                    let new = new.find(|hit| is_uncounted(hit) || is_new(hit));
                    let Some((first, _)) = new else {
                        continue;
                    };
                    alert.count += messages.iter().filter(is_uncounted).count() as u64;
                    let dealt_with = std::mem::take(&mut alert.dealt_with);
                    if !dealt_with.is_empty() {
                        alert.point_at(first);
                    }
                    change.put(&key, &alert)?;
                    self.notify_again(change, child, &alert, dealt_with)?;
                }
                (None, Some(((message, _), rest))) => {
                    let now = self.clock.now();
                    let mut alert = Alert {
                        phrase: Some(watched.phrase.clone()),
                        count: 1 + rest.iter().filter(is_uncounted).count() as u64,
                        ..Alert::new(Kind::Phrase, now, message.timestamp, session)
                    };
                    alert.point_at(message);
                    let to = [watched.guardian.clone()];
                    self.add(change, child, &whose, watched.subject, alert, &to)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes an alert for all of the child's guardians, once per session and kind; later ones only count.
    pub fn record_for_all(
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
        let to = self.all_guardians(change, child)?;
        self.add(change, child, &None, subject, alert, &to)
    }

    pub(super) fn all_guardians(
        &self,
        change: &Change,
        child: ChildId,
    ) -> Result<Vec<GuardianId>, StoreError> {
        let to = self.dependencies.children.guardians_of(change, child);
        // If they are unreadable, they find it without an event.
        Ok(readable(to)?.unwrap_or_default())
    }

    /// Notifies these of the child's guardians of a stored alert that is open again for them.
    pub(super) fn notify_again(
        &self,
        change: &mut Change,
        child: ChildId,
        alert: &Alert,
        reopened: BTreeSet<GuardianId>,
    ) -> Result<(), StoreError> {
        if reopened.is_empty() {
            return Ok(());
        }
        let mut to = self.all_guardians(change, child)?;
        to.retain(|guardian| reopened.contains(guardian));
        self.notify(change, child, alert, &to, Occasion::OpenAgain)
    }

    /// Notifies the guardians who don't find the alert not worrying.
    fn notify(
        &self,
        change: &mut Change,
        child: ChildId,
        alert: &Alert,
        to: &[GuardianId],
        occasion: Occasion,
    ) -> Result<(), StoreError> {
        let mut worried = Vec::new();
        for guardian in to {
            let concerns = store::not_worrying(change, child, guardian)?;
            if !is_not_worrying(alert, guardian, &concerns) {
                worried.push(guardian.clone());
            }
        }
        let new = NewAlert {
            child,
            alert,
            to: &worried,
            occasion,
        };
        (self.dependencies.on_new)(change, &new)
    }

    /// Stores a new alert for these guardians.
    fn add(
        &self,
        change: &mut Change,
        child: ChildId,
        whose: &Whose,
        subject: Subject,
        alert: Alert,
        to: &[GuardianId],
    ) -> Result<(), StoreError> {
        let alert = store::add(change, child, whose, subject, alert, to, self.clock.now())?;
        self.notify(change, child, &alert, to, Occasion::New)
    }
}
