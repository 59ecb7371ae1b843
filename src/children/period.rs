//! For how long a child's conversations are kept.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long sessions are kept. Without a period they are kept for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub enum Period {
    Days30,
    Days90,
    Days365,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Conversations can be kept for 30, 90 or 365 days, or for ever.")]
pub struct NotAPeriod;

impl Period {
    /// The shortest first.
    pub const ALL: [Self; 3] = [Self::Days30, Self::Days90, Self::Days365];

    pub const fn days(self) -> u16 {
        match self {
            Self::Days30 => 30,
            Self::Days90 => 90,
            Self::Days365 => 365,
        }
    }

    pub fn duration(self) -> Duration {
        Duration::from_secs(u64::from(self.days()) * 24 * 60 * 60)
    }
}

impl TryFrom<u16> for Period {
    type Error = NotAPeriod;

    fn try_from(days: u16) -> Result<Self, NotAPeriod> {
        let found = Self::ALL.into_iter().find(|period| period.days() == days);
        found.ok_or(NotAPeriod)
    }
}

impl From<Period> for u16 {
    fn from(period: Period) -> Self {
        period.days()
    }
}

/// Whether sessions are kept for a shorter time than before. `None` is for ever.
pub fn is_shorter(period: Option<Period>, before: Option<Period>) -> bool {
    match (period, before) {
        (Some(period), Some(before)) => period < before,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn for_ever_is_longer_than_every_period() {
        let (month, year) = (Some(Period::Days30), Some(Period::Days365));

        assert!(is_shorter(month, year) && is_shorter(year, None));
        assert!(!is_shorter(year, month) && !is_shorter(None, month));
        assert!(!is_shorter(month, month) && !is_shorter(None, None));
    }

    #[test]
    fn only_three_periods_can_be_read() {
        for days in [0, 1, 29, 31, 364, 366, u16::MAX] {
            assert_eq!(Period::try_from(days), Err(NotAPeriod), "{days}");
        }
        for period in Period::ALL {
            assert_eq!(Period::try_from(period.days()), Ok(period));
        }
    }
}
