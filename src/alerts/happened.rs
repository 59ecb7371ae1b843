//! What a guardian's alerts of a range of time amount to, in numbers and without words of a conversation.

use std::collections::BTreeMap;
use std::ops::Range;

use super::seen::is_not_worrying;
use super::silence::LONG_AGO;
use super::{Alert, Kind, store};
use crate::children::ChildAccess;
use crate::identity::{AssistantId, Assistants, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};
use crate::rules::{Contact, Rules};

/// How many alerts are read at a time.
const AT_ONCE: usize = 200;

/// The maximum number of alerts that are read.
pub const MOST_COUNTED: u64 = 2_000;

/// What happened to a child's assistants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssistantNews {
    /// It has not connected since, up to now.
    Silent { since: Timestamp },
    /// The same of all of the child's assistants.
    AllSilent { since: Timestamp },
    /// It refused the rules in this many conversations.
    Refused { conversations: u64 },
    /// It talked for this long without confirming the current rules.
    Unconfirmed { minutes: u64 },
    /// This many messages could not be stored.
    NotKept { messages: u64 },
}

/// What happened to one assistant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AboutAssistant {
    /// `None` if it was disconnected since, or is about all of them.
    pub name: Option<String>,
    pub news: AssistantNews,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Happened {
    /// The number of notifiable alerts, up to [`MOST_COUNTED`].
    pub notifiable: u64,
    pub assistants: Vec<AboutAssistant>,
    /// Alerts that can't be read.
    pub unreadable: u64,
}

/// An assistant's alerts of the kinds that aren't notifiable.
#[derive(Default)]
struct Troubles {
    refused: u64,
    unconfirmed_minutes: Option<u64>,
    not_kept: u64,
}

impl Troubles {
    fn add(&mut self, alert: &Alert) {
        match (alert.kind, alert.minutes) {
            (Kind::NotKept, _) => self.not_kept += alert.count,
            (Kind::Rules, Some(minutes)) => {
                *self.unconfirmed_minutes.get_or_insert(0) += minutes;
            }
            (Kind::Rules, None) => self.refused += 1,
            // Whether it is silent now is known better.
            (Kind::Silent | Kind::Phrase | Kind::OutsideTimes | Kind::Reviewer, _) => {}
        }
    }

    fn news(&self) -> impl Iterator<Item = AssistantNews> {
        let refused = (self.refused > 0).then_some(AssistantNews::Refused {
            conversations: self.refused,
        });
        let unconfirmed = self.unconfirmed_minutes;
        let unconfirmed = unconfirmed.map(|minutes| AssistantNews::Unconfirmed { minutes });
        let not_kept = (self.not_kept > 0).then_some(AssistantNews::NotKept {
            messages: self.not_kept,
        });
        [refused, unconfirmed, not_kept].into_iter().flatten()
    }
}

/// Reads alerts. Unlike [`Alerts`](super::Alerts) it doesn't own the queue of messages, so that their kinds can own it.
#[derive(Clone)]
pub struct AlertReader {
    rules: Rules,
}

impl AlertReader {
    pub fn new(rules: Rules) -> Self {
        Self { rules }
    }

    /// The alerts that arrived in this time and that the guardian sees, and the assistants that are silent as of `now`.
    pub fn happened(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        guardian: &GuardianId,
        during: &Range<Timestamp>,
        now: Timestamp,
    ) -> Result<Happened, StoreError> {
        let mut happened = Happened::default();
        let concerns = store::not_worrying(view, access.child(), guardian)?;
        let mut troubles = BTreeMap::<Option<AssistantId>, Troubles>::new();
        let (mut before, mut read) = (None, 0);
        loop {
            let batch = store::alerts_before(view, access.child(), guardian, before, AT_ONCE)?;
            happened.unreadable += batch.unreadable;
            for alert in &batch.alerts {
                if !during.contains(&alert.arrived_at) {
                    continue;
                }
                read += 1;
                if alert.kind.notifiable().is_some() {
                    if is_not_worrying(alert, guardian, &concerns) {
                        continue;
                    }
                    happened.notifiable += 1;
                } else {
                    let assistant = alert.assistant_id.clone();
                    troubles.entry(assistant).or_default().add(alert);
                }
            }
            let oldest = batch.alerts.last();
            let is_over = oldest.is_none_or(|alert| alert.arrived_at < during.start);
            if is_over || !batch.has_more || read >= MOST_COUNTED {
                break;
            }
            before = oldest.map(|alert| alert.alert_id);
        }
        happened.assistants = self.silent_assistants(view, access, now)?;
        for (assistant, troubles) in troubles {
            let name = name_of(view, assistant.as_ref())?;
            let news = troubles.news().map(|news| AboutAssistant {
                name: name.clone(),
                news,
            });
            happened.assistants.extend(news);
        }
        happened.assistants.sort();
        Ok(happened)
    }

    /// The assistants of whose silence the guardians were alerted, and that have not connected since.
    fn silent_assistants(
        &self,
        view: &impl Read,
        access: &ChildAccess,
        now: Timestamp,
    ) -> Result<Vec<AboutAssistant>, StoreError> {
        let contacts = self.rules.contacts(view, access)?;
        let mut silent = silent_contacts(view, access, &contacts)?;
        silent.retain(|contact| now.since(contact.last) <= LONG_AGO);
        if silent.len() > 1 && silent.len() == contacts.len() {
            let since = silent.iter().map(|contact| contact.last).max();
            let since = since.unwrap_or(Timestamp::MIN);
            let news = AssistantNews::AllSilent { since };
            return Ok(vec![AboutAssistant { name: None, news }]);
        }
        let silent = silent.into_iter().map(|contact| {
            Ok(AboutAssistant {
                name: name_of(view, Some(&contact.assistant))?,
                news: AssistantNews::Silent {
                    since: contact.last,
                },
            })
        });
        silent.collect()
    }
}

/// The assistants of whose silence the guardians were alerted, and that have not been in contact since.
pub(super) fn silent_contacts<'a>(
    view: &impl Read,
    access: &ChildAccess,
    contacts: &'a [Contact],
) -> Result<Vec<&'a Contact>, StoreError> {
    let mut silent = Vec::new();
    for contact in contacts {
        let state = store::assistant_state(view, access.child(), &contact.assistant)?;
        if state.silent_since == Some(contact.last) {
            silent.push(contact);
        }
    }
    Ok(silent)
}

/// `None` if the assistant was removed, or is unreadable.
fn name_of(
    view: &impl Read,
    assistant: Option<&AssistantId>,
) -> Result<Option<String>, StoreError> {
    let Some(id) = assistant else {
        return Ok(None);
    };
    let found = Assistants::find_readable(view, id)?;
    Ok(found.map(|assistant| assistant.name))
}
