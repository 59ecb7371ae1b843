//! How much an assistant's key may store for one child per day.
//!
//! A stolen key or a faulty program must not fill the disk. Each new or replaced message, each session that is opened, changed
//! or ended, each completed or proposed activity and each report counts as one message, with the size of its stored JSON. Each
//! message that can't be stored counts as one of a hundred bytes. Deliveries that change nothing are free, even if the quota is
//! used up.
//!
//! All keys made by one guardian may together store [five times](total::TIMES) as much.
//!
//! Days are UTC days by the server's clock, each with its own quota.

mod total;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::children::{AssistantAccess, ChildId};
use crate::identity::Guardians;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::daily_counter::DailyCounter;
use crate::kernel::http::limit::TooMany;
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table, Volume};

pub use total::Totals;

const USED: Table = Table::new("assistant-quota");

/// Size units in bytes, the largest first.
const UNITS: [(&str, u64); 4] = [
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("KB", 1_000),
    ("B", 1),
];

/// The limit per key, child and day: the administrator's `--assistant-quota`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quota {
    Daily {
        bytes: u64,
        /// The number of messages and other records; the module's documentation says what counts.
        messages: u64,
    },
    /// No limit.
    Off,
}

impl Default for Quota {
    fn default() -> Self {
        Self::Daily {
            bytes: 20_000_000,
            messages: 50_000,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a quota is a size and a number of messages, such as 20MB,50000, or off")]
pub struct NotAQuota;

impl FromStr for Quota {
    type Err = NotAQuota;

    fn from_str(text: &str) -> Result<Self, NotAQuota> {
        if text == "off" {
            return Ok(Self::Off);
        }
        let (size, messages) = text.split_once(',').ok_or(NotAQuota)?;
        let mut sizes = UNITS.iter().filter_map(|(unit, worth)| {
            let number = size.strip_suffix(unit)?.parse::<u64>().ok()?;
            number.checked_mul(*worth)
        });
        let bytes = sizes.next().ok_or(NotAQuota)?;
        let messages = messages.parse().map_err(|_| NotAQuota)?;
        if bytes > 0 && messages > 0 {
            Ok(Self::Daily { bytes, messages })
        } else {
            Err(NotAQuota)
        }
    }
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Daily { bytes, messages } = self else {
            return f.write_str("off");
        };
        let mut units = UNITS.iter();
        let unit = units.find(|(_, worth)| bytes.is_multiple_of(*worth));
        let (unit, worth) = unit.unwrap_or(&("B", 1));
        write!(f, "{}{unit},{messages}", bytes / worth)
    }
}

/// What a key has stored for a child on a day.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Used {
    bytes: u64,
    messages: u64,
}

impl Record for DailyCounter<Used> {}

pub(super) const KIND: RecordKind = RecordKind::of::<DailyCounter<Used>>(USED);

#[derive(Debug, thiserror::Error)]
pub enum QuotaError {
    /// The key's quota for the day is used up.
    #[error(
        "This assistant has stored as much for this child today as it may. Please send it again after midnight UTC."
    )]
    UsedUp {
        /// Seconds until it is renewed.
        seconds: u32,
    },
    /// The day's shared quota of the guardian's keys is used up.
    #[error(
        "The assistants of the guardian who connected this one have stored as much today as they may together. Please send it again after midnight UTC."
    )]
    AllUsedUp {
        /// Seconds until it is renewed.
        seconds: u32,
    },
    /// The counts can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    QuotaError from Store {
        UsedUp { seconds } => too_many(QuotaUsedUp, seconds),
        AllUsedUp { seconds } => too_many(SharedQuotaUsedUp, seconds),
    }
}

fn used_for(child: ChildId) -> Key {
    USED.key().number(child.number())
}

/// What happens to a change that exceeds the quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    Refused,
    /// For the answer to words that were stored within the quota.
    Stored,
}

impl Quota {
    /// Counts what the change stores, in the change itself. On [`QuotaError::UsedUp`] and [`QuotaError::AllUsedUp`], the caller
    /// must roll the change back.
    pub(super) fn count(
        self,
        change: &mut Change,
        access: &AssistantAccess,
        totals: &Totals,
        excess: Excess,
        now: Timestamp,
    ) -> Result<(), QuotaError> {
        let volume = change.volume();
        let Self::Daily { bytes, messages } = self else {
            return Ok(());
        };
        if volume.records == 0 {
            return Ok(());
        }
        let key = used_for(access.child().child()).text(access.assistant().as_str());
        let mut used = change.get::<DailyCounter<Used>>(&key)?.unwrap_or_default();
        let today = used.counts(now);
        today.bytes += volume.bytes;
        today.messages += volume.records;
        let is_refused = excess == Excess::Refused;
        if is_refused && (today.bytes > bytes || today.messages > messages) {
            let seconds = used.seconds_left(now);
            return Err(QuotaError::UsedUp { seconds });
        }
        let most = Volume {
            records: messages.saturating_mul(total::TIMES),
            bytes: bytes.saturating_mul(total::TIMES),
        };
        if let Some(guardian) = access.made_by()
            && let owner = Guardians::budget_owner(change, guardian)?
            && let Err(TooMany { seconds }) = totals.take_in(change, owner, now, volume, most)
            && is_refused
        {
            return Err(QuotaError::AllUsedUp { seconds });
        }
        Ok(change.put(&key, &used)?)
    }
}

/// Removes a batch of the counts for a child. Returns whether there were any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&used_for(child))? > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_read_and_shown_in_the_same_form() {
        for text in ["20MB,50000", "1GB,1", "1500KB,7", "999B,3", "off"] {
            assert_eq!(text.parse::<Quota>().unwrap().to_string(), text);
        }
        assert_eq!("20MB,50000".parse(), Ok(Quota::default()));
        for text in [
            "",
            "on",
            "20MB",
            "20,5",
            "20 MB,5",
            "0MB,5",
            "20MB,0",
            "-1MB,5",
            "20mb,5",
            "20MB,5,6",
            "99999999999GB,1",
        ] {
            assert_eq!(text.parse::<Quota>(), Err(NotAQuota), "{text}");
        }
    }
}
