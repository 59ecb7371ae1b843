//! How long to wait after failures.

use std::time::Duration;

/// The longest wait, even if a server asks for a longer one.
pub const LONGEST_WAIT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How waits grow with the failures in a row.
#[derive(Clone, Copy, Debug)]
pub enum BackOff {
    /// The authority or the provider was not asked.
    NotAsked,
    Refused,
    RateLimit,
}

impl BackOff {
    /// The wait after this many failures in a row, and as long as the server asked for at least.
    pub fn wait(self, tries: u32, retry_after: Option<Duration>) -> Duration {
        const MINUTE: u64 = 60;
        let (first, longest) = match self {
            Self::NotAsked => (MINUTE, 60 * MINUTE),
            // An authority allows five failed proofs an hour.
            Self::Refused => (15 * MINUTE, 12 * 60 * MINUTE),
            Self::RateLimit => (3 * 60 * MINUTE, 24 * 60 * MINUTE),
        };
        let seconds = first
            .saturating_mul(1 << tries.saturating_sub(1).min(16))
            .min(longest);
        let retry_after = retry_after.unwrap_or_default().min(LONGEST_WAIT);
        Duration::from_secs(seconds).max(retry_after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_limit_and_a_server_may_ask_for_longer_ones() {
        let waits = |it: BackOff| [1, 2, 3, 4, 99].map(|tries| it.wait(tries, None).as_secs() / 60);

        assert_eq!(waits(BackOff::NotAsked), [1, 2, 4, 8, 60]);
        assert_eq!(waits(BackOff::Refused), [15, 30, 60, 120, 720]);
        assert_eq!(waits(BackOff::RateLimit), [180, 360, 720, 1440, 1440]);
        let day = Duration::from_secs(86_400);
        assert_eq!(BackOff::RateLimit.wait(1, Some(2 * day)), 2 * day);
        assert_eq!(BackOff::RateLimit.wait(1, Some(99 * day)), 7 * day);
    }
}
