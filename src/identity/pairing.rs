//! Signing another device in from one that is signed in: it shows a QR code, which the new one scans.
//!
//! Scanning grants nothing. The first device that scans it takes the code; if a second one does, it ends for both. The new
//! device shows three digits, and only when they are typed on the one that is signed in may it sign in. All of it takes two
//! minutes at most and is kept in memory alone: a restart ends it.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::guardians::Guardians;
use super::shown_digits::{LIFE, SeenDevice, ShownDigits, Try};
use super::sign_ins::{IssuedIdentity, Refresh, SignIns, SteppedUp};
use super::{IdentityError, SignedIn};
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::{Secret, SecretHash, SecretKind};
use crate::kernel::store::{Store, StoreError};

/// One pairing under way.
struct Pairing {
    by: SignedIn,
    /// The device that is signed in, and when it began.
    from: SeenDevice,
    token: SecretHash,
    claim: Option<Claim>,
}

/// The device that scanned the code.
struct Claim {
    /// What it comes back with.
    secret: SecretHash,
    digits: ShownDigits,
    from: SeenDevice,
    progress: Progress,
}

/// How far the device that scanned the code is.
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

/// How far a pairing is, for the device that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingState {
    /// No device has scanned the code yet.
    Waiting {
        /// Until when it works.
        ends_at: Timestamp,
    },
    /// This device has scanned it.
    Claimed {
        /// Until when it works.
        ends_at: Timestamp,
        /// Which one.
        device: SeenDevice,
    },
    /// The device that scanned it is signed in.
    SignedIn {
        /// Which one.
        device: SeenDevice,
    },
    /// No pairing is under way, or the last one ended without a sign-in.
    Ended,
}

/// What the device that scanned the code is told.
#[derive(Clone, Debug)]
pub struct ClaimedPairing {
    /// What it comes back with.
    pub claim: Secret,
    /// Whose page showed the code: a name, or else an address.
    pub whose: String,
    /// The device that showed it.
    pub shown_by: SeenDevice,
    /// To be typed there.
    pub digits: String,
    /// Until when.
    pub ends_at: Timestamp,
}

/// The pairings' façade. Clones share it.
#[derive(Clone)]
pub struct Pairings {
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) randomness: Randomness,
    pub(super) public_url: PublicUrl,
    pub(super) guardians: Guardians,
    pub(super) sign_ins: SignIns,
    pub(super) under_way: Arc<Mutex<UnderWay>>,
}

/// The pairings, at most one for each sign-in.
#[derive(Default)]
pub(super) struct UnderWay(Vec<Pairing>);

impl UnderWay {
    fn of(&mut self, by: &SignedIn) -> Option<&mut Pairing> {
        self.0.iter_mut().find(|pairing| pairing.by == *by)
    }

    /// The sign-in that shows the code of this claim, and the claim.
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
    /// The pairings that are not over.
    fn under_way(&self) -> MutexGuard<'_, UnderWay> {
        let mut all = self
            .under_way
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        all.0.retain(|pairing| !pairing.from.is_over(now));
        all
    }

    /// A device that calls now.
    pub fn seen(&self, device: Option<String>, address: Option<IpAddr>) -> SeenDevice {
        SeenDevice {
            device,
            address,
            at: self.clock.now(),
        }
    }

    /// Begins a pairing, which ends an earlier one of this sign-in. Returns the link that the code holds, and until when it works.
    /// Its token stands in the fragment, which no server and no referrer sees.
    pub fn begin(&self, by: &SteppedUp, from: SeenDevice) -> (String, Timestamp) {
        let token = Secret::generate(SecretKind::Pairing, &self.randomness);
        let by = by.signed_in().clone();
        let ends_at = from.at.after(LIFE);
        let mut all = self.under_way();
        all.remove_of(&by);
        all.0.push(Pairing {
            by,
            from,
            token: token.hash(),
            claim: None,
        });
        let link = format!("/pair#token={}", token.reveal());
        (self.public_url.page(&link), ends_at)
    }

    /// How far this sign-in's pairing is.
    pub fn state(&self, by: &SignedIn) -> PairingState {
        let mut all = self.under_way();
        let Some(pairing) = all.of(by) else {
            return PairingState::Ended;
        };
        let ends_at = pairing.from.at.after(LIFE);
        match &pairing.claim {
            None => PairingState::Waiting { ends_at },
            Some(claim) => {
                let device = claim.from.clone();
                match claim.progress {
                    Progress::SignedIn => PairingState::SignedIn { device },
                    _ => PairingState::Claimed { ends_at, device },
                }
            }
        }
    }

    /// Ends this sign-in's pairing.
    pub fn end(&self, by: &SignedIn) {
        self.under_way().remove_of(by);
    }

    /// Takes the code for the device that scanned it. If another device has taken it, the pairing ends for both, unless the first
    /// one is already signing in. Fails with [`IdentityError::PairingEnded`].
    pub fn claim(&self, token: &str, from: SeenDevice) -> Result<ClaimedPairing, IdentityError> {
        let ended = || IdentityError::PairingEnded;
        let token = Secret::parse(SecretKind::Pairing, token).ok_or_else(ended)?;
        let mut all = self.under_way();
        let is_meant = |pairing: &Pairing| pairing.token == token.hash();
        let position = all.0.iter().position(is_meant).ok_or_else(ended)?;
        let pairing = &mut all.0[position];
        if pairing.claim.as_ref().is_some_and(Claim::is_used) {
            return Err(ended());
        }
        if pairing.claim.is_some() || !self.sign_ins.holds(&pairing.by)? {
            all.0.remove(position);
            return Err(ended());
        }
        let guardian = self
            .guardians
            .find_by_id(&self.store, pairing.by.guardian())?;
        let guardian = guardian.ok_or_else(ended)?;
        let claim = Secret::generate(SecretKind::PairingClaim, &self.randomness);
        let digits = ShownDigits::generate(&self.randomness);
        let claimed = ClaimedPairing {
            whose: guardian.name.unwrap_or_else(|| guardian.email.to_string()),
            shown_by: pairing.from.clone(),
            digits: digits.reveal().to_owned(),
            ends_at: pairing.from.at.after(LIFE),
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

    /// Lets the new device sign in, if these are the digits that it shows.
    ///
    /// # Errors
    ///
    /// [`IdentityError::PairingEnded`]; [`IdentityError::NotTheDigits`], and with the third wrong try
    /// [`IdentityError::DigitsEnded`].
    pub fn confirm(&self, by: &SignedIn, typed: &str) -> Result<(), IdentityError> {
        let mut all = self.under_way();
        let pairing = all.of(by).ok_or(IdentityError::PairingEnded)?;
        let claim = pairing.claim.as_mut().filter(|claim| !claim.is_used());
        let claim = claim.ok_or(IdentityError::PairingEnded)?;
        match claim.digits.compare(typed) {
            Try::Right => {
                claim.progress = Progress::Confirmed;
                Ok(())
            }
            Try::Wrong => Err(IdentityError::NotTheDigits),
            Try::LastWrong => {
                all.remove_of(by);
                Err(IdentityError::DigitsEnded)
            }
        }
    }

    /// Signs the new device in, once; `None` while its digits were not typed yet. It doesn't count as stepped up.
    /// Fails with [`IdentityError::PairingEnded`].
    pub async fn complete(
        &self,
        claim: &str,
    ) -> Result<Option<(IssuedIdentity, Refresh)>, IdentityError> {
        let ended = || IdentityError::PairingEnded;
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
            (by.clone(), claim.from.device.clone())
        };
        // A task of its own completes even if the new device disconnects: the signed-in one asks for the outcome.
        let pairings = self.clone();
        let signing_in = tokio::spawn(async move {
            let signed_in = pairings
                .sign_ins
                .sign_in_by_pairing(by.clone(), device)
                .await;
            let mut all = pairings.under_way();
            match (&signed_in, all.claimed(&secret)) {
                (Ok(_), Some((_, claim))) => claim.progress = Progress::SignedIn,
                (Err(_), Some(_)) => all.remove_of(&by),
                // It took longer than two minutes, or was cancelled.
                (_, None) => {}
            }
            signed_in.map(Some)
        });
        let stopped = |_| Err(StoreError::Unavailable.into());
        signing_in.await.unwrap_or_else(stopped)
    }
}

impl Claim {
    /// Whether it signs a device in, or has done so.
    fn is_used(&self) -> bool {
        matches!(self.progress, Progress::SigningIn | Progress::SignedIn)
    }
}
