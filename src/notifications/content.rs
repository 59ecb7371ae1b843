//! Reads what a message about alerts tells, when it is composed.

use std::collections::BTreeSet;

use super::pending::PendingDigest;
use super::rate_limit::{GIVEN_UP_AFTER, is_old};
use super::subscription::Subscription;
use crate::alerts::{self, NotifiableKind, Quote};
use crate::children::{ChildAccess, ChildId, Children, ChildrenError, SessionId};
use crate::conversations::transcripts::{Transcripts, existing};
use crate::identity::{Caller, GuardianId, Guardians};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Change, StoreError, readable};
use crate::retention::Retention;

/// The maximum number of alerts that are read of one child.
const MOST: usize = 100;

/// The maximum number of quotes in a message.
const MOST_QUOTES: usize = 5;

/// How many alerts of a kind there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub kind: NotifiableKind,
    pub count: usize,
    /// Whether there are more than were read.
    pub is_more: bool,
}

/// What a message says about a child.
#[derive(Clone, Debug)]
pub struct ContentOfChild {
    pub child: ChildId,
    /// For e-mails; notifications don't name children.
    pub name: String,
    /// Whether one of the alerts is urgent.
    pub is_urgent: bool,
    /// What is urgent first.
    pub counts: Vec<Count>,
    /// Empty unless the guardian has switched quotes on.
    pub quotes: Vec<Quote>,
}

/// What a message tells a guardian.
#[derive(Clone, Debug)]
pub struct NotificationContent {
    /// What is urgent first.
    pub children: Vec<ContentOfChild>,
    pub covered: Covered,
}

impl NotificationContent {
    pub fn is_urgent(&self) -> bool {
        self.children.iter().any(|of_child| of_child.is_urgent)
    }
}

/// The alerts that a message tells of.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// The number of the newest alert that was read; 0 if none was but earlier ones.
    pub up_to: u64,
    /// Earlier ones that are open again.
    pub earlier: BTreeSet<u64>,
}

/// The features that are read.
#[derive(Clone)]
pub struct Reading {
    pub children: Children,
    pub guardians: Guardians,
    pub transcripts: Transcripts,
}

impl Reading {
    /// What to tell of the alerts that wait. `None` if nothing is left to tell:
    /// the guardian may have deleted conversations, and their choices and children may have changed.
    pub(super) fn content(
        &self,
        change: &Change,
        guardian: &GuardianId,
        subscription: Subscription,
        pending: &PendingDigest,
        now: Timestamp,
    ) -> Result<Option<NotificationContent>, StoreError> {
        let oldest = now.before(GIVEN_UP_AFTER);
        let since = pending.since.max(oldest);
        let mut content = NotificationContent {
            children: Vec::new(),
            covered: Covered {
                up_to: 0,
                earlier: pending.earlier.clone(),
            },
        };
        let mut quotes_left = if subscription.has_quotes() {
            MOST_QUOTES
        } else {
            0
        };
        for (access, name) in self.children_of(change, guardian, &subscription)? {
            let child = access.child();
            let from = pending.from;
            let (mut found, is_more) = alerts::alerts_from(change, child, guardian, from, MOST)?;
            let newest = found.first().map_or(0, |alert| alert.alert_id);
            content.covered.up_to = content.covered.up_to.max(newest);
            found.retain(|alert| alert.arrived_at >= since);
            if let Some(first) = pending.earlier.first().filter(|_| pending.since >= oldest) {
                let (all, _) = alerts::alerts_from(change, child, guardian, *first, MOST)?;
                let is_earlier = |id| id < from && pending.earlier.contains(&id);
                found.extend(all.into_iter().filter(|alert| is_earlier(alert.alert_id)));
            }
            let mut of_child = ContentOfChild {
                child,
                name,
                is_urgent: false,
                counts: Vec::new(),
                quotes: Vec::new(),
            };
            for alert in &found {
                let kind = alert
                    .kind
                    .notifiable()
                    .filter(|kind| subscription.at_once.includes(*kind, child));
                let Some(kind) = kind.filter(|_| !is_old(alert)) else {
                    continue;
                };
                if !self.is_left(change, &access, alert.session_id, Some(guardian))? {
                    continue;
                }
                of_child.add(kind, is_more);
                of_child.is_urgent |= alert.is_urgent();
                if quotes_left > 0
                    && let Some(quote) = alerts::quote(change, &self.transcripts, &access, alert)?
                {
                    of_child.quotes.push(quote);
                    quotes_left -= 1;
                }
            }
            if of_child.is_urgent {
                // Only a reviewer's are.
                let counts = &mut of_child.counts;
                counts.sort_by_key(|count| count.kind != NotifiableKind::Reviewer);
            }
            if !of_child.counts.is_empty() {
                content.children.push(of_child);
            }
        }
        content.children.sort_by_key(|of_child| !of_child.is_urgent);
        Ok(Some(content).filter(|content| !content.children.is_empty()))
    }

    /// When the oldest alert arrived that has a greater number and is to be sent.
    pub(super) fn oldest_after(
        &self,
        change: &Change,
        guardian: &GuardianId,
        subscription: &Subscription,
        number: u64,
    ) -> Result<Option<Timestamp>, StoreError> {
        let mut oldest = None::<Timestamp>;
        for (access, _) in self.children_of(change, guardian, subscription)? {
            let child = access.child();
            let (found, _) = alerts::alerts_from(change, child, guardian, number + 1, MOST)?;
            let found = found.iter().filter(|alert| {
                let kind = alert.kind.notifiable();
                kind.is_some_and(|kind| subscription.at_once.includes(kind, child))
                    && !is_old(alert)
            });
            let first = found.map(|alert| alert.arrived_at).min();
            oldest = oldest.into_iter().chain(first).min();
        }
        Ok(oldest)
    }

    /// The guardian's chosen children, with their names.
    fn children_of(
        &self,
        change: &Change,
        guardian: &GuardianId,
        subscription: &Subscription,
    ) -> Result<Vec<(ChildAccess, String)>, StoreError> {
        let caller = Caller::Guardian(guardian.clone());
        let mut all = Vec::new();
        for child in self.children.visible_to(change, &caller)? {
            if !subscription.at_once.includes_child(child) {
                continue;
            }
            let found = self.children.access_in(change, &caller, child);
            let found = found.and_then(|access| Ok((access, self.children.get(change, child)?)));
            match found {
                Ok((access, child)) => all.push((access, child.name)),
                Err(ChildrenError::Store(error)) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(all)
    }

    /// Whether an alert about this session is still to be sent: not if the session was erased or moved, or if the recipient, if it
    /// is for a single one, deleted it. If another guardian deleted it, the alert is sent without words, because nobody can keep
    /// an alert from somebody else.
    pub(super) fn is_left(
        &self,
        change: &Change,
        access: &ChildAccess,
        session: Option<SessionId>,
        recipient: Option<&GuardianId>,
    ) -> Result<bool, StoreError> {
        let Some(session) = session else {
            return Ok(true);
        };
        let hidden = existing(self.transcripts.find_hidden(change, access, session));
        let since = match readable(hidden)? {
            // It was erased or moved.
            Some(None) => return Ok(false),
            found => found.flatten().flatten().map(|hidden| hidden.since),
        };
        let (Some(since), Some(recipient)) = (since, recipient) else {
            return Ok(true);
        };
        let child = access.child();
        let is_own = Retention::is_deleted_by(change, child, since, session, recipient)?;
        Ok(!is_own)
    }
}

impl ContentOfChild {
    fn add(&mut self, kind: NotifiableKind, is_more: bool) {
        match self.counts.iter_mut().find(|count| count.kind == kind) {
            Some(count) => count.count += 1,
            None => self.counts.push(Count {
                kind,
                count: 1,
                is_more,
            }),
        }
    }
}
