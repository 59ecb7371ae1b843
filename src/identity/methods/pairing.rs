//! Signing another device in from one that is signed in: it shows a QR code, which the new one scans.
//!
//! Scanning grants nothing. The first device that scans the code claims it; if a second one does, the code ends for both. The new
//! device shows three digits, and may sign in only after they are typed on the signed-in one. All of it takes at most two minutes
//! and is kept in memory only: a restart ends it.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::identity::SignedIn;
use crate::identity::accounts::guardians::Guardians;
use crate::identity::sessions::shown_digits::{DigitsError, LIFE, SeenDevice, ShownDigits};
use crate::identity::sessions::sign_ins::{
    BeginSignInError, Device, IssuedIdentity, Refresh, SignIns, SteppedUp,
};
use crate::kernel::host::addresses::Addresses;
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::http::problem::refusals;
use crate::kernel::store::{Store, StoreError};

/// Why a step of signing another device in failed.
#[derive(Debug, thiserror::Error)]
pub enum PairingError {
    /// The pairing code is invalid or has expired.
    #[error(
        "This code does not work any more. Please show a new one on the device that is signed in."
    )]
    Ended,
    #[error(transparent)]
    Digits(#[from] DigitsError),
    #[error(transparent)]
    Begin(#[from] BeginSignInError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

refusals! {
    PairingError from Digits, Begin, Store {
        Ended => against_a_rule(PairingCodeInvalid),
    }
}

struct Pairing {
    by: SignedIn,
    /// The signed-in device, and when the pairing began.
    from: SeenDevice,
    token: SecretHash,
    claim: Option<Claim>,
}

/// The device that scanned the code.
struct Claim {
    /// The hash of the secret that the new device returns with.
    secret: SecretHash,
    digits: ShownDigits,
    from: SeenDevice,
    progress: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Its digits were not typed yet.
    Shown,
    /// It may sign in.
    Confirmed,
    /// Its sign-in is being written.
    SigningIn,
    SignedIn,
}

/// A pairing's state, for the signed-in device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingState {
    Waiting {
        /// When the code expires.
        until: Timestamp,
    },
    /// This device has scanned the code.
    Claimed {
        /// When the pairing expires.
        until: Timestamp,
        device: SeenDevice,
    },
    /// The code was used.
    SignedIn {
        /// The device that scanned it and is now signed in.
        device: SeenDevice,
    },
    /// There is no pairing, or the last one ended without a sign-in.
    Ended,
}

/// What the device that scanned the code receives.
#[derive(Clone, Debug)]
pub struct ClaimedPairing {
    /// The secret that the device returns with.
    pub claim: Secret,
    /// The guardian's name, or otherwise their address.
    pub whose: String,
    pub shown_by: SeenDevice,
    /// To be typed on the device that showed the code.
    pub digits: String,
    pub until: Timestamp,
}

#[derive(Clone)]
pub struct Pairings {
    pub(in crate::identity) store: Store,
    pub(in crate::identity) clock: Clock,
    pub(in crate::identity) randomness: Randomness,
    pub(in crate::identity) addresses: Addresses,
    pub(in crate::identity) guardians: Guardians,
    pub(in crate::identity) sign_ins: SignIns,
    pub(in crate::identity) under_way: Arc<Mutex<UnderWay>>,
}

/// The pairings, at most one for each sign-in.
#[derive(Default)]
pub(in crate::identity) struct UnderWay(Vec<Pairing>);

impl UnderWay {
    fn of(&mut self, by: &SignedIn) -> Option<&mut Pairing> {
        self.0.iter_mut().find(|pairing| pairing.by == *by)
    }

    /// Finds a claim, and the sign-in that shows its code.
    fn claimed(&mut self, secret: &SecretHash) -> Option<(&SignedIn, &mut Claim)> {
        let mut all = self.0.iter_mut();
        all.find_map(|Pairing { by, claim, .. }| {
            let claim = claim.as_mut().filter(|claim| claim.secret == *secret)?;
            Some((&*by, claim))
        })
    }

    fn remove_of(&mut self, by: &SignedIn) {
        self.0.retain(|pairing| pairing.by != *by);
    }
}

impl Pairings {
    /// The pairings that have not expired.
    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        let mut all = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        all.0.retain(|pairing| !pairing.from.is_over(now));
        all
    }

    pub fn seen(&self, device: Option<String>, address: Option<IpAddr>) -> SeenDevice {
        SeenDevice {
            device,
            address,
            at: self.clock.now(),
        }
    }

    /// Begins a pairing, which ends an earlier one of this sign-in. Returns the link for the QR code and when it expires. Its
    /// token is in the fragment, which browsers send neither to servers nor in `Referer`.
    pub fn begin(&self, by: &SteppedUp, from: SeenDevice) -> (String, Timestamp) {
        let token = Secret::generate(SecretKind::Pairing, &self.randomness);
        let by = by.signed_in().clone();
        let until = from.at.after(LIFE);
        let mut all = self.under_way();
        all.remove_of(&by);
        all.0.push(Pairing {
            by,
            from,
            token: token.hash(),
            claim: None,
        });
        let link = format!("/pair#token={}", token.reveal());
        (self.addresses.for_links().page(&link), until)
    }

    pub fn state(&self, by: &SignedIn) -> PairingState {
        let mut all = self.under_way();
        let Some(pairing) = all.of(by) else {
            return PairingState::Ended;
        };
        let until = pairing.from.at.after(LIFE);
        match &pairing.claim {
            None => PairingState::Waiting { until },
            Some(claim) => {
                let device = claim.from.clone();
                match claim.progress {
                    Progress::SignedIn => PairingState::SignedIn { device },
                    _ => PairingState::Claimed { until, device },
                }
            }
        }
    }

    pub fn end(&self, by: &SignedIn) {
        self.under_way().remove_of(by);
    }

    /// The sign-in that shows the code with this token.
    fn claimable(&self, token: &SecretHash) -> Result<SignedIn, PairingError> {
        let all = self.under_way();
        let meant = all.0.iter().find(|pairing| pairing.token == *token);
        let meant = meant.ok_or(PairingError::Ended)?;
        Ok(meant.by.clone())
    }

    /// Claims the code for the device that scanned it. If another device has claimed it, the pairing ends for both, unless the
    /// first one is already signing in.
    pub fn claim(&self, token: &str, from: SeenDevice) -> Result<ClaimedPairing, PairingError> {
        let ended = || PairingError::Ended;
        let token = Secret::parse(SecretKind::Pairing, token).ok_or_else(ended)?;
        let by = self.claimable(&token.hash())?;
        // Read without the lock, which every device that pairs waits for.
        let is_signed_in = self.sign_ins.holds(&by)?;
        let guardian = self.guardians.find_by_id(&self.store, by.guardian())?;
        let mut all = self.under_way();
        let is_meant = |pairing: &Pairing| pairing.token == token.hash();
        let position = all.0.iter().position(is_meant).ok_or_else(ended)?;
        let pairing = &mut all.0[position];
        if pairing.claim.as_ref().is_some_and(Claim::is_used) {
            return Err(ended());
        }
        if pairing.claim.is_some() || !is_signed_in {
            all.0.remove(position);
            return Err(ended());
        }
        let guardian = guardian.ok_or_else(ended)?;
        let claim = Secret::generate(SecretKind::PairingClaim, &self.randomness);
        let digits = ShownDigits::generate(&self.randomness);
        let claimed = ClaimedPairing {
            whose: guardian.name.unwrap_or_else(|| guardian.email.to_string()),
            shown_by: pairing.from.clone(),
            digits: digits.reveal().to_owned(),
            until: pairing.from.at.after(LIFE),
            claim,
        };
        pairing.claim = Some(Claim {
            secret: claimed.claim.hash(),
            digits,
            from,
            progress: Progress::Shown,
        });
        Ok(claimed)
    }

    /// Allows the new device to sign in, if the digits match those it shows. The third wrong try ends the pairing.
    pub fn confirm(&self, by: &SignedIn, typed: &str) -> Result<(), PairingError> {
        let mut all = self.under_way();
        let pairing = all.of(by).ok_or(PairingError::Ended)?;
        let claim = pairing.claim.as_mut().filter(|claim| !claim.is_used());
        let claim = claim.ok_or(PairingError::Ended)?;
        let tried = claim.digits.compare(typed);
        match tried {
            Ok(()) => claim.progress = Progress::Confirmed,
            Err(DigitsError::Wrong) => {}
            Err(DigitsError::LastWrong) => all.remove_of(by),
        }
        Ok(tried?)
    }

    /// Signs the new device in, once; `None` until its digits were typed. The sign-in isn't stepped up.
    pub async fn complete(
        &self,
        claim: &str,
        at_name: bool,
    ) -> Result<Option<(IssuedIdentity, Refresh)>, PairingError> {
        let ended = || PairingError::Ended;
        let secret = Secret::parse(SecretKind::PairingClaim, claim).ok_or_else(ended)?;
        let secret = secret.hash();
        let (by, device) = {
            let mut all = self.under_way();
            let (by, claim) = all.claimed(&secret).ok_or_else(ended)?;
            match claim.progress {
                Progress::Shown => return Ok(None),
                Progress::Confirmed => claim.progress = Progress::SigningIn,
                Progress::SigningIn | Progress::SignedIn => return Err(ended()),
            }
            let kind = claim.from.device.clone();
            let language = None;
            let device = Device {
                kind,
                at_name,
                language,
            };
            (by.clone(), device)
        };
        // Its own task completes even if the new device disconnects: the signed-in device polls for the result.
        let pairings = self.clone();
        let signing_in = tokio::spawn(async move {
            let signed_in = pairings.sign_ins.sign_in_by_pairing(by.clone(), device);
            let signed_in = match signed_in.await {
                Ok(signed_in) => signed_in.ok_or_else(ended),
                Err(error) => Err(error.into()),
            };
            let mut all = pairings.under_way();
            match (&signed_in, all.claimed(&secret)) {
                (Ok(_), Some((_, claim))) => claim.progress = Progress::SignedIn,
                (Err(_), Some(_)) => all.remove_of(&by),
                // The pairing expired or was cancelled meanwhile.
                (_, None) => {}
            }
            signed_in.map(Some)
        });
        let stopped = |_| Err(StoreError::Unavailable.into());
        signing_in.await.unwrap_or_else(stopped)
    }
}

impl Claim {
    /// Whether the device is being signed in, or was.
    fn is_used(&self) -> bool {
        matches!(self.progress, Progress::SigningIn | Progress::SignedIn)
    }
}
