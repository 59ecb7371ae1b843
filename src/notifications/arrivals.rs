//! Whether messages arrive: for each channel and guardian, when one was last taken, and since when and why none is.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::Notifications;
use super::servers::{EMAIL, NTFY, PUSH, WEBHOOK};
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::queue::Arrival;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// By channel and guardian; the webhook's has no guardian.
const ARRIVALS: Table = Table::new("message-arrivals");

pub(super) const KIND: RecordKind = RecordKind::of::<Arrivals>(ARRIVALS);

/// They are about the servers of the machine that was backed up.
pub(super) const NOT_RESTORED: Table = ARRIVALS;

/// What became of the messages by one channel to one guardian.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrivals {
    /// When a server last took one.
    pub taken_at: Option<Timestamp>,
    /// `None` if the last one was taken.
    pub refused: Option<NotTaken>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotTaken {
    /// When the first message was refused since the last one that was taken.
    pub since: Timestamp,
    /// Why the last one was, in a sentence.
    pub why: String,
}

impl Record for Arrivals {}

/// What became of a guardian's messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrivalsOfAll {
    pub email: Arrivals,
    pub notification: Arrivals,
    pub push: Arrivals,
    pub webhook: Arrivals,
}

fn key(channel: &str, guardian: Option<&GuardianId>) -> Key {
    let guardian = guardian.map(GuardianId::as_str);
    ARRIVALS
        .key()
        .text(channel)
        .text(guardian.unwrap_or_default())
}

/// If it is unreadable, nothing is known.
fn get(
    view: &impl Read,
    channel: &str,
    guardian: Option<&GuardianId>,
) -> Result<Arrivals, StoreError> {
    let found = view.get_readable(&key(channel, guardian))?;
    Ok(found.unwrap_or_default())
}

pub(super) fn note(
    change: &mut Change,
    channel: &str,
    guardian: Option<&GuardianId>,
    arrival: Arrival,
) -> Result<(), StoreError> {
    let before = get(change, channel, guardian)?;
    let now = match arrival {
        Arrival::Taken(at) => Arrivals {
            taken_at: Some(at),
            refused: None,
        },
        Arrival::NotTaken(at, why) => {
            let since = before.refused.map_or(at, |refused| refused.since.min(at));
            Arrivals {
                refused: Some(NotTaken { since, why }),
                ..before
            }
        }
    };
    change.put(&key(channel, guardian), &now)
}

/// Begins anew, because the recipient is another.
pub(super) fn forget(
    change: &mut Change,
    channel: &str,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    change.remove(&key(channel, Some(guardian))).map(drop)
}

pub(super) fn forget_all(change: &mut Change, guardian: &GuardianId) -> Result<(), StoreError> {
    for channel in [EMAIL, NTFY, PUSH] {
        forget(change, channel, guardian)?;
    }
    Ok(())
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
    for channel in [EMAIL, NTFY, PUSH, WEBHOOK] {
        for guardian in view.texts_below(&ARRIVALS.key().text(channel))? {
            let arrivals = get(view, channel, Some(&GuardianId::from_text(&guardian)))?;
            if let Some(NotTaken { since, why }) = arrivals.refused {
                let channel = channel.to_owned();
                found.push(NotArriving {
                    channel,
                    guardian,
                    since,
                    why,
                });
            }
        }
    }
    Ok(found)
}

impl Notifications {
    pub fn arrivals(view: &impl Read, guardian: &GuardianId) -> Result<ArrivalsOfAll, StoreError> {
        Ok(ArrivalsOfAll {
            email: get(view, EMAIL, Some(guardian))?,
            notification: get(view, NTFY, Some(guardian))?,
            push: get(view, PUSH, Some(guardian))?,
            webhook: get(view, WEBHOOK, None)?,
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
