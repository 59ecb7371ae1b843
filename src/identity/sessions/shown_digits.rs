//! Three digits that one device shows and that are typed on another, which proves that one person sees both.
//!
//! They are kept in memory only, for two minutes.

use std::net::IpAddr;
use std::time::Duration;

use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::http::problem::refusals;

/// How long the digits work.
pub const LIFE: Duration = Duration::from_secs(2 * 60);

/// How many wrong tries end them.
const WRONG_TRIES: u8 = 3;

/// What one device's screen shows about the other device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenDevice {
    /// The kind of device, from `User-Agent`.
    pub device: Option<String>,
    /// The IP address of its request.
    pub address: Option<IpAddr>,
    /// The time of its request.
    pub at: Timestamp,
}

impl SeenDevice {
    /// Whether something that it began has expired. Times in the future were recorded before the clock was set back.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now < self.at || now >= self.at.after(LIFE)
    }
}

/// The digits and the number of wrong tries.
#[derive(Clone, Debug)]
pub struct ShownDigits {
    digits: String,
    wrong_tries: u8,
}

/// The typed digits aren't those shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DigitsError {
    /// Tries are left.
    #[error("The other device shows other digits. Please look again.")]
    Wrong,
    /// No tries are left.
    #[error("Wrong digits three times. Please begin again.")]
    LastWrong,
}

refusals! {
    DigitsError {
        Wrong => against_a_rule(DigitsWrong) at "/digits",
        LastWrong => against_a_rule(DigitsWrongThreeTimes),
    }
}

impl ShownDigits {
    pub fn generate(randomness: &Randomness) -> Self {
        Self {
            digits: randomness.digits(3),
            wrong_tries: 0,
        }
    }

    /// The digits, for the device that shows them.
    pub fn reveal(&self) -> &str {
        &self.digits
    }

    /// Compares what was typed, ignoring white space. Counts a wrong try.
    pub fn compare(&mut self, typed: &str) -> Result<(), DigitsError> {
        let typed = typed.split_whitespace().collect::<String>();
        if typed == self.digits {
            return Ok(());
        }
        self.wrong_tries += 1;
        if self.wrong_tries >= WRONG_TRIES {
            Err(DigitsError::LastWrong)
        } else {
            Err(DigitsError::Wrong)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wrong_tries_end_them_and_blanks_do_not_matter() {
        let digits = || ShownDigits {
            digits: "047".to_owned(),
            wrong_tries: 0,
        };
        let tries = |typed: &[&str]| {
            let mut digits = digits();
            let tries = typed.iter().map(|typed| digits.compare(typed));
            tries.collect::<Vec<_>>()
        };

        let (wrong, last_wrong) = (Err(DigitsError::Wrong), Err(DigitsError::LastWrong));
        assert_eq!(tries(&["047"]), [Ok(())]);
        assert_eq!(tries(&["48", "", " 0 4 7 "]), [wrong, wrong, Ok(())]);
        assert_eq!(tries(&["048", "47", "470"]), [wrong, wrong, last_wrong]);
    }

    #[test]
    fn what_a_device_began_is_over_after_two_minutes_and_when_the_clock_is_set_back() {
        let at = |seconds| Timestamp::from_micros(0).after(Duration::from_secs(seconds));
        let seen = SeenDevice {
            device: None,
            address: None,
            at: at(60),
        };

        let over = [59, 60, 179, 180].map(|now| seen.is_over(at(now)));
        assert_eq!(over, [true, false, false, true]);
    }
}
