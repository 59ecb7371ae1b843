//! One sign-in: how long it holds, and what a clock that is wrong means for it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::identity::guardians::Guardian;
use crate::identity::{GuardianId, SignInId, tokens};
use crate::kernel::clock::Timestamp;

/// How long a sign-in holds without being used (contract, section 4).
const IDLE: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long a sign-in holds at most (contract, section 4).
pub const LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How far the clock may stand before what it showed earlier: it is corrected by seconds all the time.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// How a guardian signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// By the link in a letter.
    Link,
    /// By `porchlight token`.
    CommandLine,
    /// With an account at the external provider.
    Oidc,
}

/// One sign-in of a guardian.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    pub id: SignInId,
    pub guardian: GuardianId,
    pub via: Via,
    pub started_at: Timestamp,
    pub used_at: Timestamp,
}

/// The state of a sign-in at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    Holds,
    /// It has expired: it was idle for too long, or started too long ago.
    Ended,
    /// The clock shows an earlier time than it did when the sign-in was last used. Whether it holds is not known
    /// until the clock is right.
    ClockIsBehind,
}

impl SignIn {
    /// A sign-in that begins now.
    pub fn begin(id: SignInId, guardian: &Guardian, via: Via, now: Timestamp) -> Self {
        Self {
            id,
            guardian: guardian.id.clone(),
            via,
            started_at: now,
            used_at: now,
        }
    }

    /// How it stands at this moment.
    pub fn standing(&self, now: Timestamp) -> Standing {
        if now.after(TOLERANCE) < self.used_at.max(self.started_at) {
            return Standing::ClockIsBehind;
        }
        match now < self.used_at.after(IDLE) && now < self.ends_at() {
            true => Standing::Holds,
            false => Standing::Ended,
        }
    }

    fn ends_at(&self) -> Timestamp {
        let life = match self.via {
            Via::Link | Via::Oidc => LIFE,
            Via::CommandLine => tokens::LIFE,
        };
        self.started_at.after(life)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::randomness::Randomness;

    const DAY: u64 = 24 * 60 * 60;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    fn sign_in(via: Via) -> SignIn {
        let randomness = Randomness::repeatable();
        SignIn {
            id: SignInId::generate(&randomness),
            guardian: GuardianId::generate(&randomness),
            via,
            started_at: at(0),
            used_at: at(0),
        }
    }

    #[test]
    fn a_sign_in_that_is_not_used_ends_after_seven_days() {
        let sign_in = sign_in(Via::Link);

        assert_eq!(sign_in.standing(at(7 * DAY - 1)), Standing::Holds);
        assert_eq!(sign_in.standing(at(7 * DAY)), Standing::Ended);
    }

    #[test]
    fn a_sign_in_that_is_used_daily_ends_after_thirty_days() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(29 * DAY);

        assert_eq!(sign_in.standing(at(30 * DAY - 1)), Standing::Holds);
        assert_eq!(sign_in.standing(at(30 * DAY)), Standing::Ended);
    }

    #[test]
    fn the_command_lines_sign_in_lives_as_long_as_its_token() {
        let sign_in = sign_in(Via::CommandLine);

        assert_eq!(sign_in.standing(at(599)), Standing::Holds);
        assert_eq!(sign_in.standing(at(600)), Standing::Ended);
    }

    #[test]
    fn a_sign_in_waits_for_a_clock_that_is_more_than_minutes_behind_it() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(DAY);
        let minutes = |minutes: u64| at(DAY - 60 * minutes);

        assert_eq!(sign_in.standing(minutes(5)), Standing::Holds);
        assert_eq!(sign_in.standing(minutes(6)), Standing::ClockIsBehind);
        assert_eq!(sign_in.standing(at(0)), Standing::ClockIsBehind);
        assert_eq!(sign_in.standing(at(2 * DAY)), Standing::Holds);
    }
}
