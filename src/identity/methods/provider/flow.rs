//! A sign-in in progress at the provider.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use openidconnect::PkceCodeVerifier;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::{GuardianId, SignInId, SignedIn};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::randomness::Randomness;

/// How far the provider's clock may be behind.
const SKEW: Duration = Duration::from_secs(60);

/// How long a person may take at the provider.
pub const LIFE: Duration = Duration::from_secs(10 * 60);

/// The sign-in to step up, for a flow that doesn't begin one.
#[derive(Clone, Serialize, Deserialize)]
pub struct ToStepUp {
    guardian: GuardianId,
    sign_in: SignInId,
}

impl From<&SignedIn> for ToStepUp {
    fn from(signed_in: &SignedIn) -> Self {
        Self {
            guardian: signed_in.guardian.clone(),
            sign_in: signed_in.sign_in.clone(),
        }
    }
}

impl From<ToStepUp> for SignedIn {
    fn from(to_step_up: ToStepUp) -> Self {
        Self {
            guardian: to_step_up.guardian,
            sign_in: to_step_up.sign_in,
            // Its sign-ins have no cookie, which this flow requires.
            by_command_line: false,
        }
    }
}

/// The values that the provider's answer must match. Each has 256 random bits in base64url.
#[skip_serializing_none]
#[derive(Serialize, Deserialize)]
pub struct Flow {
    /// Returned in the redirect, which proves that the answer is to this flow (RFC 6749, section 10.12).
    pub state: String,
    /// Returned in the ID token, which proves that it was made for this flow.
    pub nonce: String,
    /// Sent with the code, which proves that this flow may redeem it (RFC 7636).
    verifier: String,
    pub started_at: Timestamp,
    /// `None` if the flow signs in.
    pub to_step_up: Option<ToStepUp>,
}

impl Flow {
    pub fn begin(randomness: &Randomness, now: Timestamp) -> Self {
        let random = || URL_SAFE_NO_PAD.encode(randomness.bytes());
        Self {
            state: random(),
            nonce: random(),
            verifier: random(),
            started_at: now,
            to_step_up: None,
        }
    }

    pub fn stepping_up(self, signed_in: &SignedIn) -> Self {
        let to_step_up = Some(signed_in.into());
        Self { to_step_up, ..self }
    }

    /// Whether a user who authenticated at this time (`auth_time`) did so after the flow began. The provider's clock may be a
    /// minute behind.
    pub fn is_fresh(&self, authenticated_at: Timestamp) -> bool {
        authenticated_at.after(SKEW) >= self.started_at
    }

    pub fn verifier(&self) -> PkceCodeVerifier {
        PkceCodeVerifier::new(self.verifier.clone())
    }

    /// Whether the flow is still valid. A flow from the future was stored before the clock was set back, and isn't.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.started_at <= now && !is_over(self.started_at, now)
    }
}

/// Whether a flow that began at this time has expired.
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
    fn a_proof_from_before_the_flow_is_not_fresh_but_for_a_minute() {
        let at = |seconds| Timestamp::from_micros(0).after(Duration::from_secs(seconds));
        let flow = Flow::begin(&Randomness::repeatable(), at(600));

        assert!(!flow.is_fresh(at(539)));
        assert!(flow.is_fresh(at(540)));
        assert!(flow.is_fresh(at(700)));
    }

    #[test]
    fn no_part_of_a_flow_tells_another() {
        let flow = Flow::begin(&Randomness::System, Timestamp::from_micros(0));

        assert_ne!(flow.state, flow.nonce);
        assert_ne!(&flow.nonce, flow.verifier().secret());
        assert_eq!(flow.verifier().secret().len(), 43);
    }
}
