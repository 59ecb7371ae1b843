//! Whether a guardian's messages arrive, by all channels.

use serde::{Deserialize, Serialize};

use super::arrivals::{self, Arrivals, NotTaken};
use super::push_devices::{devices_of, ended_since, with_devices};
use super::servers::{EMAIL, NTFY, PUSH, WEBHOOK};
use super::{Notifications, pending};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{Read, StoreError};

/// What became of a guardian's messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrivalsOfAll {
    pub email: Arrivals,
    pub notification: Arrivals,
    pub push: Arrivals,
    pub webhook: Arrivals,
}

/// Why messages don't arrive on a device that can't be notified any more.
const ENDED: &str =
    "A device can no longer be notified. Switch notifications on there again, or sign it out.";

/// What became of the messages to a guardian's devices: refused if one of them was, or if one can't be notified any more.
fn of_devices(view: &impl Read, guardian: &GuardianId) -> Result<Arrivals, StoreError> {
    let ended = ended_since(view, guardian)?;
    let mut all = Arrivals {
        taken_at: None,
        refused: ended.map(|since| NotTaken {
            since,
            why: ENDED.to_owned(),
        }),
    };
    for device in view.texts_below(&devices_of(guardian))? {
        let Arrivals { taken_at, refused } =
            arrivals::get(view, &pending::channel_name(PUSH, &device), Some(guardian))?;
        all.taken_at = all.taken_at.max(taken_at);
        let refused = all.refused.into_iter().chain(refused);
        all.refused = refused.min_by_key(|refused| refused.since);
    }
    Ok(all)
}

/// A channel by which nothing arrives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotArriving {
    pub channel: String,
    /// Empty for the webhook.
    pub guardian: String,
    pub since: Timestamp,
    pub why: String,
}

/// The channels by which nothing arrives, of all guardians.
pub fn not_arriving(view: &impl Read) -> Result<Vec<NotArriving>, StoreError> {
    let mut found = Vec::new();
    let mut add = |channel: &str, guardian: String, arrivals: Arrivals| {
        found.extend(arrivals.refused.map(|NotTaken { since, why }| NotArriving {
            channel: channel.to_owned(),
            guardian,
            since,
            why,
        }));
    };
    for channel in [EMAIL, NTFY, WEBHOOK] {
        for guardian in arrivals::recipients(view, channel)? {
            let arrivals = arrivals::get(view, channel, Some(&GuardianId::from_text(&guardian)))?;
            add(channel, guardian, arrivals);
        }
    }
    for guardian in with_devices(view)? {
        let arrivals = of_devices(view, &guardian)?;
        add(PUSH, guardian.as_str().to_owned(), arrivals);
    }
    Ok(found)
}

impl Notifications {
    pub fn arrivals(view: &impl Read, guardian: &GuardianId) -> Result<ArrivalsOfAll, StoreError> {
        Ok(ArrivalsOfAll {
            email: arrivals::get(view, EMAIL, Some(guardian))?,
            notification: arrivals::get(view, NTFY, Some(guardian))?,
            push: of_devices(view, guardian)?,
            webhook: arrivals::get(view, WEBHOOK, None)?,
        })
    }

    /// As [`arrivals`](Self::arrivals), without the webhook's times: it is everybody's, so they would tell when others have
    /// alerts.
    pub fn own_arrivals(&self, guardian: &SignedIn) -> Result<ArrivalsOfAll, StoreError> {
        let mut arrivals = Self::arrivals(&self.store, guardian.guardian())?;
        arrivals.webhook.taken_at = None;
        if let Some(refused) = &mut arrivals.webhook.refused {
            refused.since = Timestamp::start_of_utc_day(refused.since.utc_day());
        }
        Ok(arrivals)
    }
}
