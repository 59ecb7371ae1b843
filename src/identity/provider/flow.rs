//! A sign-in that is under way at the provider.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::PkceCodeVerifier;
use serde::{Deserialize, Serialize};

use crate::kernel::clock::Timestamp;
use crate::kernel::randomness::Randomness;

/// How long somebody may take at the provider (contract, section 4).
pub const LIFE: Duration = Duration::from_secs(10 * 60);

/// What the provider's answer must fit. Each part is 256 random bits in base64url.
#[derive(Serialize, Deserialize)]
pub struct Flow {
    /// Comes back in the redirect: the answer is to this flow (RFC 6749, section 10.12).
    pub state: String,
    /// Comes back in the ID token: it was made for this flow.
    pub nonce: String,
    /// Shown with the code: it was this flow's to redeem (RFC 7636).
    verifier: String,
    pub started_at: Timestamp,
}

impl Flow {
    /// A new flow.
    pub fn begin(randomness: &Randomness, now: Timestamp) -> Self {
        let random = || URL_SAFE_NO_PAD.encode(randomness.bytes());
        Self {
            state: random(),
            nonce: random(),
            verifier: random(),
            started_at: now,
        }
    }

    /// What is shown with the code.
    pub fn verifier(&self) -> PkceCodeVerifier {
        PkceCodeVerifier::new(self.verifier.clone())
    }

    /// Whether an answer still counts. What lies in the future was written by a clock that has been set back.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.started_at <= now && !is_over(self.started_at, now)
    }
}

/// Whether a flow that began then took too long.
pub fn is_over(started_at: Timestamp, now: Timestamp) -> bool {
    now >= started_at.after(LIFE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_holds_for_ten_minutes() {
        let at = |seconds| Timestamp::from_micros(0).after(Duration::from_secs(seconds));
        let flow = Flow::begin(&Randomness::repeatable(), at(60));

        assert!(!flow.holds(at(59)));
        assert!(flow.holds(at(60)));
        assert!(flow.holds(at(659)));
        assert!(!flow.holds(at(660)));
    }

    #[test]
    fn no_part_of_a_flow_tells_another() {
        let flow = Flow::begin(&Randomness::System, Timestamp::from_micros(0));

        assert_ne!(flow.state, flow.nonce);
        assert_ne!(&flow.nonce, flow.verifier().secret());
        assert_eq!(flow.verifier().secret().len(), 43);
    }
}
