//! What a guardian must step up for: quotes in e-mails, and a topic for notifications. The guardian is e-mailed of each.

use serde::{Deserialize, Serialize};

use super::Notifications;
use crate::identity::{Environment, GuardianId, Guardians, Notices, SteppedUp, to_guardian};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::host::zones::Zone;
use crate::kernel::outgoing::mail::Template;
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, Lane, Policy};
use crate::kernel::store::{Change, Read, StoreError};

const QUOTES: Template = Template {
    subject: "Your Porchlight emails will include quotes",
    text: include_str!("emails/quotes.txt"),
    html: include_str!("emails/quotes.html"),
};

const NOTIFICATIONS: Template = Template {
    subject: "Porchlight notifications were switched on",
    text: include_str!("emails/notifications.txt"),
    html: include_str!("emails/notifications.html"),
};

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

    fn template(self) -> &'static Template {
        match self {
            Self::Quotes => &QUOTES,
            Self::Notifications | Self::Device => &NOTIFICATIONS,
        }
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
    subscriptions: &Notifications,
    change: &mut Change,
    by: &SteppedUp,
    what: Grant,
) -> Result<(), StoreError> {
    let granted = Granted {
        what,
        at: subscriptions.clock.now(),
    };
    let (guardian, sign_in) = (by.guardian(), by.signed_in().sign_in());
    let item = Item::new(guardian.as_str(), what.name(), granted);
    let kind = &subscriptions.kinds.granted;
    // By sign-in: what somebody does on another device must be reported separately.
    let same = format!("{} {} {sign_in}", kind.name(), what.name());
    let notices = &subscriptions.dependencies.notices;
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
        let at = self.time_zone.in_words(at, Language::En);
        let email = to_guardian(&guardian, what.template(), &[("{at}", &at)]);
        Ok(Some(email.into()))
    }
}
