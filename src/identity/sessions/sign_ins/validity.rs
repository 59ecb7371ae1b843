//! How long sign-ins are valid, and what a wrong clock means for them.

use std::sync::Arc;
use std::time::Duration;

use quick_cache::sync::Cache;

use super::sign_in::{SignIn, Via};
use super::store;
use crate::identity::sessions::tokens;
use crate::identity::{GuardianId, SignInId};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Read, StoreError};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long sign-ins are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// Since the last use.
    pub idle: Duration,
    /// Since the beginning.
    pub total: Duration,
}

/// For servers that send e-mail: a new link is easily requested.
pub const WITH_MAIL: Lifetime = Lifetime {
    idle: DAY.saturating_mul(7),
    total: DAY.saturating_mul(30),
};

/// For servers without e-mail, where signing in again takes a recovery code or the administrator. Browsers keep a cookie for at
/// most 400 days.
pub const WITHOUT_MAIL: Lifetime = Lifetime {
    idle: DAY.saturating_mul(90),
    total: DAY.saturating_mul(400),
};

/// How far the clock may be behind the beginning of a sign-in, as when it ran days ahead and was corrected. A clock further
/// behind has not been set yet: a machine without a battery starts in 1970.
const FORGIVEN: Duration = DAY.saturating_mul(7);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignInStatus {
    Holds,
    /// It has expired: it was idle for too long, or began too long ago.
    Ended,
    /// The clock shows a time long before the sign-in began. Whether it is valid is unknown until the clock is right.
    ClockIsBehind,
}

/// The clock shows a time long before the sign-in began.
#[derive(Debug, thiserror::Error)]
#[error(
    "The clock of this server is behind: it shows a time before you last signed in. You stay signed in; please try \
     again when the clock is right."
)]
pub struct ClockIsBehind;

refusals! { ClockIsBehind => not_now(ClockBehind, 60) }

/// How many sign-ins' last uses are kept in memory.
const LAST_USES: usize = 4096;

/// Judges sign-ins. It owns no queue, so composers of messages may own it. Clones share the last uses.
#[derive(Clone)]
pub struct SignInValidity {
    clock: Clock,
    lifetime: Lifetime,
    /// When sign-ins were last used; stored hourly.
    last_uses: Arc<Cache<SignInId, Timestamp>>,
}

impl SignInValidity {
    pub(super) fn new(clock: &Clock, lifetime: Lifetime) -> Self {
        Self {
            clock: clock.clone(),
            lifetime,
            last_uses: Arc::new(Cache::new(LAST_USES)),
        }
    }

    pub(super) fn lifetime(&self) -> Duration {
        self.lifetime.total
    }

    pub(super) fn note_use(&self, sign_in: &SignIn, now: Timestamp) {
        self.last_uses.insert(sign_in.id.clone(), now);
    }

    pub(super) fn last_use(&self, sign_in: &SignIn) -> Timestamp {
        let known = self.last_uses.get(&sign_in.id);
        known.map_or(sign_in.used_at, |used| used.max(sign_in.used_at))
    }

    pub(super) fn status(&self, sign_in: &SignIn, now: Timestamp) -> SignInStatus {
        match sign_in.status(now, self.lifetime) {
            SignInStatus::Ended => {
                let used_at = self.last_use(sign_in);
                let sign_in = sign_in.clone();
                SignIn { used_at, ..sign_in }.status(now, self.lifetime)
            }
            status => status,
        }
    }

    /// Whether the guardian has a valid sign-in with this id.
    pub fn holds(
        &self,
        view: &impl Read,
        guardian: &GuardianId,
        id: &SignInId,
    ) -> Result<bool, StoreError> {
        let sign_in = store::by_id(view, guardian, id)?;
        let now = self.clock.now();
        Ok(sign_in.is_some_and(|sign_in| self.status(&sign_in, now) == SignInStatus::Holds))
    }
}

impl SignIn {
    /// A last use in the future was recorded while the clock ran ahead, and is ignored.
    fn status(&self, now: Timestamp, lifetime: Lifetime) -> SignInStatus {
        if now.after(FORGIVEN) < self.started_at {
            return SignInStatus::ClockIsBehind;
        }
        if now < self.used_at.after(lifetime.idle) && now < self.ends_at(lifetime) {
            SignInStatus::Holds
        } else {
            SignInStatus::Ended
        }
    }

    fn ends_at(&self, lifetime: Lifetime) -> Timestamp {
        let life = match self.via {
            Via::CommandLine => tokens::LIFE,
            Via::Link
            | Via::Oidc
            | Via::RecoveryCode
            | Via::Setup
            | Via::Invitation
            | Via::Pairing => lifetime.total,
        };
        self.started_at.after(life)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sign_in::tests::{DAY, at, sign_in};
    use super::*;

    #[test]
    fn without_mail_a_sign_in_ends_after_ninety_idle_days_and_after_four_hundred_in_all() {
        let mut sign_in = sign_in(Via::Link);
        let status = |sign_in: &SignIn, day: u64| sign_in.status(at(day * DAY), WITHOUT_MAIL);
        assert_eq!(status(&sign_in, 89), SignInStatus::Holds);
        assert_eq!(status(&sign_in, 90), SignInStatus::Ended);

        sign_in.used_at = at(399 * DAY);
        assert_eq!(status(&sign_in, 399), SignInStatus::Holds);
        assert_eq!(status(&sign_in, 400), SignInStatus::Ended);
    }

    #[test]
    fn a_sign_in_that_is_not_used_ends_after_seven_days() {
        let sign_in = sign_in(Via::Link);

        assert_eq!(
            sign_in.status(at(7 * DAY - 1), WITH_MAIL),
            SignInStatus::Holds
        );
        assert_eq!(sign_in.status(at(7 * DAY), WITH_MAIL), SignInStatus::Ended);
    }

    #[test]
    fn a_sign_in_that_is_used_daily_ends_after_thirty_days() {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(29 * DAY);

        assert_eq!(
            sign_in.status(at(30 * DAY - 1), WITH_MAIL),
            SignInStatus::Holds
        );
        assert_eq!(sign_in.status(at(30 * DAY), WITH_MAIL), SignInStatus::Ended);
    }

    #[test]
    fn the_command_lines_sign_in_lives_as_long_as_its_token() {
        let sign_in = sign_in(Via::CommandLine);

        assert_eq!(sign_in.status(at(599), WITH_MAIL), SignInStatus::Holds);
        assert_eq!(sign_in.status(at(600), WITH_MAIL), SignInStatus::Ended);
    }

    #[test]
    fn a_sign_in_waits_for_a_clock_that_is_more_than_a_week_before_its_beginning() {
        let mut sign_in = sign_in(Via::Link);
        (sign_in.started_at, sign_in.used_at) = (at(30 * DAY), at(30 * DAY));
        let status = |day: u64| sign_in.status(at(day * DAY), WITH_MAIL);

        assert_eq!(status(0), SignInStatus::ClockIsBehind);
        assert_eq!(status(22), SignInStatus::ClockIsBehind);
        assert_eq!(status(23), SignInStatus::Holds);
        assert_eq!(status(31), SignInStatus::Holds);
    }

    #[test]
    fn a_sign_in_that_was_used_under_a_clock_that_ran_ahead_holds_once_it_is_right_and_no_longer_in_all()
     {
        let mut sign_in = sign_in(Via::Link);
        sign_in.used_at = at(29 * DAY);
        let status = |day: u64| sign_in.status(at(day * DAY), WITH_MAIL);

        assert_eq!(status(1), SignInStatus::Holds);
        assert_eq!(status(30), SignInStatus::Ended);
    }
}
