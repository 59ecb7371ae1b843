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
    /// An assistant's model did not repeat all check words in the newest try.
    RulesIncomplete(ConnectedAssistant),
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
    /// Notifications on the guardian's phone by ntfy.
    Notification,
    /// Notifications on one of the guardian's devices by Web Push.
    Push,
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
                Channel::Push => &arrivals.push,
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
        // Without a device that is or was notified, nothing is refused.
        (Channel::Push, is_at_once),
    ]
    .into_iter()
    .filter_map(|(channel, is_on)| is_on.then_some(channel))
    .collect()
}

/// The assistants that the guardian still uses and that refused the rules, then those that haven't confirmed them, by name. `is_told` says whether the guardians
/// were alerted that an assistant talked without the current rules, and it has not confirmed any since.
pub(super) fn of_rules(
    followers: &[Follower],
    assistants: &[ConnectedAssistant],
    is_told: impl Fn(&AssistantId) -> Result<bool, StoreError>,
) -> Result<Vec<Need>, StoreError> {
    let (mut refused, mut unconfirmed) = (Vec::new(), Vec::new());
    for assistant in assistants.iter().filter(|one| !one.not_in_use) {
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

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;
    use crate::rules::Evidence;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_micros(minute * 60_000_000)
    }

    fn assistant(name: &str) -> ConnectedAssistant {
        ConnectedAssistant {
            id: AssistantId::from_text(name),
            name: name.to_owned(),
            not_in_use: false,
        }
    }

    /// What waits of an assistant that was heard, or was not.
    fn waits(
        status: ListStatus,
        is_refusing: bool,
        was_heard: bool,
        is_told: bool,
    ) -> Option<&'static str> {
        let toy = assistant("Toy");
        let follower = Follower {
            assistant: toy.id.clone(),
            name: toy.name.clone(),
            heard_at: was_heard.then(|| at(9)),
            status,
            is_refusing,
        };
        let needs = of_rules(&[follower], &[assistant("Hall"), toy], |_| Ok(is_told)).unwrap();
        assert!(needs.len() < 2);
        needs.first().map(|need| match need {
            Need::RulesRefused(_) => "refused",
            Need::RulesUnconfirmed(_) => "unconfirmed",
            _ => "another",
        })
    }

    #[test]
    fn rules_wait_while_an_assistant_that_talks_refuses_them_or_has_not_confirmed_them() {
        let following = || ListStatus::Following {
            since: at(1),
            evidence: Evidence::Set,
            heard_at: None,
        };
        let older = || ListStatus::Older {
            topics_since: None,
            heard_at: at(9),
        };
        let asked = || ListStatus::Asked { since: at(1) };
        let never = || ListStatus::Silent { heard_at: None };
        let refused = || ListStatus::Refused { reason: None };
        let cases = [
            (following(), false, true, true, None),
            // It gets the new list when it next connects.
            (older(), false, true, false, None),
            (older(), false, true, true, Some("unconfirmed")),
            (asked(), false, true, false, Some("unconfirmed")),
            (asked(), false, false, false, None),
            (never(), false, true, false, Some("unconfirmed")),
            (never(), false, false, false, None),
            (refused(), true, true, false, Some("refused")),
            // It refused an earlier list.
            (asked(), true, false, false, Some("refused")),
            (older(), true, true, true, Some("refused")),
        ];

        for (index, (status, is_refusing, was_heard, is_told, expected)) in
            cases.into_iter().enumerate()
        {
            let found = waits(status, is_refusing, was_heard, is_told);
            assert_eq!(found, expected, "case {index}");
        }
    }

    #[test]
    fn the_rules_of_an_assistant_that_the_guardian_no_longer_uses_dont_wait() {
        let unused = ConnectedAssistant {
            not_in_use: true,
            ..assistant("Toy")
        };
        let refusing = Follower {
            assistant: unused.id.clone(),
            name: unused.name.clone(),
            heard_at: Some(at(9)),
            status: ListStatus::Refused { reason: None },
            is_refusing: true,
        };
        let needs = |toy: ConnectedAssistant| of_rules(from_ref(&refusing), &[toy], |_| Ok(true));

        assert_eq!(needs(unused).unwrap().len(), 0);
        assert_eq!(needs(assistant("Toy")).unwrap().len(), 1);
    }

    #[test]
    fn messages_are_expected_by_the_channels_that_are_on_for_this_child() {
        let (mia, leo) = (ChildId::new(1), ChildId::new(2));
        let mut chosen = Subscription::off(crate::kernel::host::zones::Zone::UTC);
        assert_eq!(channels(&chosen, mia), [Channel::Push]);

        chosen.at_once.email = true;
        chosen.at_once.children = Some([mia].into());
        assert_eq!(channels(&chosen, mia), [Channel::Email, Channel::Push]);
        assert_eq!(channels(&chosen, leo), []);
        chosen.at_once.kinds.clear();
        assert_eq!(channels(&chosen, mia), []);
        chosen.weekly.enabled = true;
        assert_eq!(channels(&chosen, leo), [Channel::Email]);
    }

    #[test]
    fn a_silent_assistant_waits_unless_the_guardian_no_longer_uses_it() {
        let contact = |name| Contact {
            assistant: AssistantId::from_text(name),
            last: at(5),
            delivered_at: None,
            is_standing: true,
        };
        let (toy, hall) = (contact("Toy"), contact("Hall"));
        let unused = ConnectedAssistant {
            not_in_use: true,
            ..assistant("Hall")
        };

        let needs = silent(vec![&toy, &hall], &[unused, assistant("Toy")]);

        let [Need::Silent { assistant, since }] = &needs[..] else {
            panic!("{} needs", needs.len());
        };
        assert_eq!((assistant.name.as_str(), *since), ("Toy", at(5)));
    }
}
