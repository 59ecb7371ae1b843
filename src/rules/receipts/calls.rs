//! What assistants were told when they requested the rules, and when they were last in contact.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{RuleStatus, store};
use crate::children::ChildAccess;
use crate::identity::{AssistantId, Caller};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError, readable};
use crate::rules::{Issued, Rules};

/// Requests are recorded with this resolution, to avoid a write for each of them.
const RESOLUTION: Duration = Duration::from_secs(60 * 60);

/// A request for the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// With a resolution of one hour.
    pub at: Timestamp,
    /// Whether it waited for a change.
    pub waits: bool,
}

impl Call {
    /// Whether recording a call would tell nothing new.
    fn includes(self, waits: bool, now: Timestamp) -> bool {
        self.at <= now && now.since(self.at) < RESOLUTION && (self.waits || !waits)
    }
}

/// When an assistant was last in contact about a child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    pub assistant: AssistantId,
    /// When it last requested the rules or delivered something.
    pub last: Timestamp,
    pub delivered_at: Option<Timestamp>,
    /// Whether it holds a connection, on which it waits for changes.
    pub is_standing: bool,
}

/// When an assistant last requested the rules or delivered something. `None` if it never did, or its status is unreadable.
pub fn last_contact(
    view: &impl Read,
    access: &ChildAccess,
    assistant: &AssistantId,
) -> Result<Option<Timestamp>, StoreError> {
    let status = readable(store::rule_status(view, access.child(), assistant))?;
    Ok(status.and_then(|status| status.last_contact()))
}

impl RuleStatus {
    fn last_contact(&self) -> Option<Timestamp> {
        self.called.map(|call| call.at).max(self.heard_at)
    }
}

impl Rules {
    /// Records what the assistant received, and whether it waits for a change. This is only shown, so a full disk doesn't prevent
    /// the assistant's answer.
    pub async fn record_issued(&self, issued: Issued, assistant: &AssistantId, waits: bool) {
        let Issued {
            access,
            number,
            pause,
        } = issued;
        let (child, now) = (access.child(), self.clock.now());
        let is_known = |status: super::RuleStatus| {
            status.issued.is_some_and(|(last, _)| last == number)
                && status.issued_pause == pause
                && status.called.is_some_and(|call| call.includes(waits, now))
        };
        // An unreadable status stays as it is.
        if store::rule_status(&self.store, child, assistant).map_or(true, is_known) {
            return;
        }
        let assistant = assistant.clone();
        let recorded = self.store.commit(move |change| {
            // The child may have been removed meanwhile.
            if access.confirm(change).is_err() {
                return Ok(());
            }
            let mut status = store::rule_status(change, child, &assistant)?;
            if status.issued.is_none_or(|(last, _)| last != number) {
                status.issued = Some((number, now));
            }
            status.issued_pause = pause;
            if !status.called.is_some_and(|call| call.includes(waits, now)) {
                status.called = Some(Call { at: now, waits });
            }
            store::put_rule_status(change, child, &assistant, &status)
        });
        let recorded = recorded.await;
        if let Err(error) = recorded {
            tracing::debug!(%child, %error, "it could not be noted which rules an assistant was told");
        }
    }

    /// The child's assistants that were ever in contact. Without those that are suspended, or whose status is unreadable.
    pub fn contacts(
        &self,
        view: &impl Read,
        access: &ChildAccess,
    ) -> Result<Vec<Contact>, StoreError> {
        let (children, assistants) = (&self.dependencies.children, &self.dependencies.assistants);
        let mut contacts = Vec::new();
        for caller in children.callers_of(view, access.child())? {
            let Caller::Assistant(assistant) = caller else {
                continue;
            };
            let status = readable(store::rule_status(view, access.child(), &assistant))?;
            let Some(status) = status else {
                continue;
            };
            let Some(last) = status.last_contact() else {
                continue;
            };
            if assistants.is_suspended(view, &assistant)? {
                continue;
            }
            contacts.push(Contact {
                assistant,
                last,
                delivered_at: status.heard_at,
                is_standing: status.called.is_some_and(|call| call.waits),
            });
        }
        Ok(contacts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_recorded_hourly_and_at_once_if_one_waits() {
        let at = |minute: i64| Timestamp::from_micros(minute * 60_000_000);
        let call = |waits| Call { at: at(60), waits };
        let cases = [
            (call(false), false, 119, true),
            (call(false), false, 120, false),
            (call(false), true, 61, false),
            (call(true), false, 61, true),
            (call(true), true, 119, true),
            // The clock was set back.
            (call(true), true, 59, false),
        ];

        for (index, (call, waits, minute, expected)) in cases.into_iter().enumerate() {
            assert_eq!(call.includes(waits, at(minute)), expected, "case {index}");
        }
    }
}
