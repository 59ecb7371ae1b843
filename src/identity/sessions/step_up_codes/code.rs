//! One step-up code: when it expires, and how many wrong tries it allows.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::identity::SignedIn;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::SecretHash;

/// How long a code works, as the e-mail says.
pub const LIFE: Duration = Duration::from_secs(10 * 60);

/// How many wrong tries end a code, as with a link.
const WRONG_TRIES: u8 = 5;

const DIGITS: u32 = 6;

/// Six random digits.
pub fn digits(randomness: &Randomness) -> String {
    randomness.digits(DIGITS)
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepUpCode {
    hash: SecretHash,
    made_at: Timestamp,
    #[serde(default)]
    wrong_tries: u8,
}

impl StepUpCode {
    pub fn new(signed_in: &SignedIn, digits: &str, now: Timestamp) -> Self {
        Self {
            hash: hash(signed_in, digits),
            made_at: now,
            wrong_tries: 0,
        }
    }

    /// Whether it no longer works, regardless of what is typed.
    pub fn has_ended(&self, now: Timestamp) -> bool {
        self.wrong_tries >= WRONG_TRIES || now >= self.made_at.after(LIFE) || now < self.made_at
    }

    /// Whether the digits match, ignoring white space. Counts a wrong try.
    pub fn try_digits(&mut self, signed_in: &SignedIn, typed: &str, now: Timestamp) -> bool {
        if self.has_ended(now) {
            return false;
        }
        let typed = typed.split_whitespace().collect::<String>();
        let is_right = typed.len() == DIGITS as usize && hash(signed_in, &typed) == self.hash;
        if !is_right {
            self.wrong_tries += 1;
        }
        is_right
    }
}

/// The hash keeps the digits out of listings and logs. It does not protect against somebody who reads the store: a million codes
/// are quickly tried.
fn hash(signed_in: &SignedIn, digits: &str) -> SecretHash {
    let mut digest = Sha256::new_with_prefix(signed_in.sign_in().as_str());
    digest.update(digits);
    SecretHash::from_bytes(digest.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{GuardianId, SignInId};

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    fn browser(name: &str) -> SignedIn {
        SignedIn {
            guardian: GuardianId::from_text("gdn_ada"),
            sign_in: SignInId::from_text(name),
            by_command_line: false,
        }
    }

    #[test]
    fn a_code_works_for_ten_minutes_in_the_browser_that_asked() {
        let code = || StepUpCode::new(&browser("kitchen"), "123456", at(100));
        let right = |browser: &SignedIn, typed, now| code().try_digits(browser, typed, at(now));

        assert!(right(&browser("kitchen"), "123456", 100));
        assert!(right(&browser("kitchen"), " 123 456 ", 699));
        assert!(!right(&browser("kitchen"), "123456", 700));
        assert!(!right(&browser("kitchen"), "123456", 99));
        assert!(!right(&browser("hall"), "123456", 100));
        assert!(!right(&browser("kitchen"), "12345", 100));
    }

    #[test]
    fn five_wrong_tries_end_a_code() {
        let mut code = StepUpCode::new(&browser("kitchen"), "123456", at(0));
        for _ in 0..5 {
            assert!(!code.has_ended(at(1)));
            assert!(!code.try_digits(&browser("kitchen"), "123457", at(1)));
        }

        assert!(!code.try_digits(&browser("kitchen"), "123456", at(1)));
    }
}
