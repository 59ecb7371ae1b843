//! The rules by which something waits for a guardian, besides open alerts.

use poem_openapi::Enum;
use serde::Serialize;

use super::ConnectedAssistant;
use crate::alerts::ShownAlert;
use crate::children::ChildId;
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};
use crate::notifications::{Arrivals, Notifications, Subscription};
use crate::rules::{Contact, Follower, ListStatus};

/// Something that waits for a guardian.
pub enum Need {
    /// An open alert.
    Alert(Box<ShownAlert>),
    /// Messages don't reach the guardian.
    NotReached {
        channel: Channel,
        since: Timestamp,
    },
    /// An assistant refused the rules.
    RulesRefused(ConnectedAssistant),
    /// An assistant that was heard hasn't confirmed the rules.
    RulesUnconfirmed(ConnectedAssistant),
    /// Messages of a conversation could not be stored.
    NotSaved(Box<ShownAlert>),
    NotReviewed {
        conversations: u64,
    },
    /// An assistant no longer connects.
    Silent {
        assistant: ConnectedAssistant,
        since: Timestamp,
    },
}

/// How messages reach a guardian.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "MessageChannel", rename_all = "snake_case")]
pub enum Channel {
    Email,
    /// Notifications on the guardian's phone.
    Notification,
}

/// The channels that the guardian has switched on for alerts about this child, and by which nothing arrives.
pub(super) fn not_reached(
    view: &impl Read,
    guardian: &GuardianId,
    child: ChildId,
) -> Result<Vec<Need>, StoreError> {
    // Without a readable choice nothing is sent.
    let Some(chosen) = Notifications::find(view, guardian)? else {
        return Ok(Vec::new());
    };
    let arrivals = Notifications::arrivals(view, guardian)?;
    Ok(channels(&chosen, child)
        .into_iter()
        .filter_map(|channel| {
            let Arrivals { refused, .. } = match channel {
                Channel::Email => &arrivals.email,
                Channel::Notification => &arrivals.notification,
            };
            let since = refused.as_ref()?.since;
            Some(Need::NotReached { channel, since })
        })
        .collect())
}

fn channels(chosen: &Subscription, child: ChildId) -> Vec<Channel> {
    let at_once = &chosen.at_once;
    let is_at_once = !at_once.kinds.is_empty() && at_once.includes_child(child);
    let email = (is_at_once && at_once.email) || chosen.weekly.enabled;
    let notification = is_at_once && chosen.topic.is_some();
    [
        (Channel::Email, email),
        (Channel::Notification, notification),
    ]
    .into_iter()
    .filter_map(|(channel, is_on)| is_on.then_some(channel))
    .collect()
}

/// The assistants that refused the rules, then those that haven't confirmed them, by name. `is_told` says whether the guardians
/// were alerted that an assistant talked without the current rules, and it has not confirmed any since.
pub(super) fn of_rules(
    followers: &[Follower],
    assistants: &[ConnectedAssistant],
    is_told: impl Fn(&AssistantId) -> Result<bool, StoreError>,
) -> Result<Vec<Need>, StoreError> {
    let (mut refused, mut unconfirmed) = (Vec::new(), Vec::new());
    for assistant in assistants {
        let mut followers = followers.iter();
        let Some(follower) = followers.find(|one| one.assistant == assistant.id) else {
            continue;
        };
        if follower.is_refusing {
            refused.push(Need::RulesRefused(assistant.clone()));
            continue;
        }
        let was_heard = follower.heard_at.is_some();
        let is_unconfirmed = match follower.status {
            ListStatus::Following { .. } => false,
            // It gets a new list when it next connects.
            ListStatus::Older { .. } => is_told(&assistant.id)?,
            ListStatus::Asked { .. } | ListStatus::Silent { .. } | ListStatus::Refused { .. } => {
                was_heard
            }
        };
        if is_unconfirmed {
            unconfirmed.push(Need::RulesUnconfirmed(assistant.clone()));
        }
    }
    refused.extend(unconfirmed);
    Ok(refused)
}

/// The assistants that no longer connect and that the guardian still uses, by name.
pub(super) fn silent(contacts: Vec<&Contact>, assistants: &[ConnectedAssistant]) -> Vec<Need> {
    let used = assistants.iter().filter(|assistant| !assistant.not_in_use);
    used.filter_map(|assistant| {
        let contact = contacts.iter().find(|one| one.assistant == assistant.id)?;
        Some(Need::Silent {
            assistant: assistant.clone(),
            since: contact.last,
        })
    })
    .collect()
}
