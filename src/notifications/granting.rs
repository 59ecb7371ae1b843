//! What a guardian must step up for: quotes in e-mails, and a topic for notifications. The guardian is e-mailed of each.

use serde::{Deserialize, Serialize};

use super::Notifications;
use crate::identity::{Environment, GuardianId, Guardians, Notices, SteppedUp, to_guardian};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::zones::Zone;
use crate::kernel::outgoing::mail::Draft;
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, Lane, Policy};
use crate::kernel::store::{Change, Read, StoreError};

/// What was switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// Quotes and topics in e-mails.
    Quotes,
    /// Notifications to a topic.
    Notifications,
    /// Notifications to a device.
    Device,
}

impl Grant {
    fn name(self) -> &'static str {
        match self {
            Self::Quotes => "quotes",
            Self::Notifications => "notifications",
            Self::Device => "device",
        }
    }

    fn draft(self, language: Language, at: String) -> Draft {
        let say = |key| text(language, key, &[]);
        let (subject, happened) = match self {
            Self::Quotes => ("quotes-on-subject", "quotes-on-happened"),
            Self::Notifications | Self::Device => {
                ("notifications-on-subject", "notifications-on-happened")
            }
        };
        Draft::new(language, subject)
            .paragraph(say(happened))
            .strong(at)
            .note(say("was-it-you"))
            .note(say("switched-on-not-you"))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Granted {
    what: Grant,
    at: Timestamp,
}

/// Registers the e-mail to a guardian who switched something on.
pub(super) fn register(environment: &Environment, guardians: &Guardians) -> Kind<Granted> {
    environment.queue.register(OfGrant {
        guardians: guardians.clone(),
        time_zone: environment.time_zone.clone(),
    })
}

/// Queues the e-mail to the guardian that they, or somebody with their device, switched this on.
pub(super) fn notify(
    notifications: &Notifications,
    change: &mut Change,
    by: &SteppedUp,
    what: Grant,
) -> Result<(), StoreError> {
    let granted = Granted {
        what,
        at: notifications.clock.now(),
    };
    let (guardian, sign_in) = (by.guardian(), by.signed_in().sign_in());
    let item = Item::new(guardian.as_str(), what.name(), granted);
    let kind = &notifications.kinds.granted;
    // By sign-in: what somebody does on another device must be reported separately.
    let same = format!("{} {} {sign_in}", kind.name(), what.name());
    let notices = &notifications.dependencies.notices;
    notices.notify(change, kind, &item, same)
}

/// See [`Subscription::sign_out_count`](super::Subscription::sign_out_count).
pub(super) fn sign_out_count(view: &impl Read, id: &GuardianId) -> Result<u32, StoreError> {
    let guardian = Guardians::find_readable(view, id)?;
    let unreadable = || StoreError::unreadable("the guardian");
    Ok(guardian.ok_or_else(unreadable)?.sign_out_count)
}

struct OfGrant {
    guardians: Guardians,
    time_zone: Zone,
}

impl Composer for OfGrant {
    type Data = Granted;

    fn policy(&self) -> Policy {
        Notices::policy("subscription-granted")
    }

    fn lane(&self, _: &mut Change, _: &Item<Self::Data>) -> Result<Option<Lane>, StoreError> {
        Ok(Some(Lane::Security))
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient_of(&self.guardians, change, &item)? else {
            return Ok(None);
        };
        let Granted { what, at } = item.data;
        let email = to_guardian(&guardian, |language| {
            what.draft(language, self.time_zone.in_words(at, language))
        });
        Ok(Some(email.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn the_emails_are_in_each_language() {
        let at = Timestamp::parse("2026-11-25T18:01:59Z").unwrap();
        let zone = "Europe/Berlin".parse::<Zone>().unwrap();

        for (name, grant) in [
            ("quotes-on", Grant::Quotes),
            ("notifications-on", Grant::Device),
        ] {
            check_in_each_language(name, |language| {
                grant.draft(language, zone.in_words(at, language))
            });
        }
    }
}
