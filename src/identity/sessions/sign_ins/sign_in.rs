//! One sign-in, and which others it may acknowledge.

use std::time::Duration;

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use crate::identity::accounts::guardians::Guardian;
use crate::identity::{GuardianId, SignInId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::language::Language;
use crate::kernel::store::is_default;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a guardian stays stepped up.
const STEPPED_UP: Duration = Duration::from_secs(10 * 60);

/// How a guardian signed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Enum)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "SignInVia", rename_all = "snake_case")]
pub enum Via {
    /// By the link in an e-mail.
    Link,
    /// By `porchlight token`.
    CommandLine,
    /// With an account at the external provider.
    Oidc,
    /// With a recovery code.
    RecoveryCode,
    /// By setting the server up.
    Setup,
    /// By accepting an invitation as a new guardian.
    Invitation,
    /// From a signed-in device.
    Pairing,
}

impl Via {
    /// Whether a stolen device or recovery code is not enough for it: it required the guardian's mailbox, their account at the
    /// provider, an invitation or the administrator.
    pub fn is_independent(self) -> bool {
        match self {
            Self::Link | Self::CommandLine | Self::Oidc | Self::Setup | Self::Invitation => true,
            Self::RecoveryCode | Self::Pairing => false,
        }
    }
}

/// A device that signs in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Device {
    /// Its kind, from `User-Agent`.
    pub kind: Option<String>,
    /// Whether it is at the home's name for https.
    pub at_name: bool,
    /// The first of the browser's languages that Porchlight speaks.
    pub language: Option<Language>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInContext {
    pub via: Via,
    pub device: Device,
}

#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignIn {
    pub id: SignInId,
    pub guardian: GuardianId,
    pub via: Via,
    /// The kind of device, from `User-Agent`.
    pub device: Option<String>,
    /// A sequence number of the guardian's sign-ins, so that a wrong clock can't make a later one look older. Zero in older
    /// records.
    #[serde(default, skip_serializing_if = "is_default")]
    pub order: u32,
    /// Whether it began while the guardian was signed in elsewhere, or by something that may have been
    /// [stolen](Via::is_independent), and no [device that may](Self::may_acknowledge) has acknowledged it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
    /// New sign-ins whose notice was dismissed only on this device.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<SignInId>,
    /// When those recovery codes were made whose notice was dismissed on this device.
    pub dismissed_codes: Option<Timestamp>,
    /// The sign-in of the device that signed this one in.
    pub let_in_by: Option<SignInId>,
    pub started_at: Timestamp,
    pub used_at: Timestamp,
    /// When the guardian last stepped up.
    pub stepped_up_at: Option<Timestamp>,
    /// Whether it is at the home's name for https. Its cookie doesn't count at the plain address, and the reverse.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_name: bool,
    /// Whether it ended sign-ins at the plain address as it began.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended_plain: bool,
}

impl SignIn {
    pub fn begin(
        id: SignInId,
        guardian: &Guardian,
        arrival: SignInContext,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            guardian: guardian.id.clone(),
            via: arrival.via,
            device: arrival.device.kind,
            order: 0,
            is_new: false,
            dismissed: Vec::new(),
            dismissed_codes: None,
            let_in_by: None,
            started_at: now,
            used_at: now,
            stepped_up_at: None,
            at_name: arrival.device.at_name,
            ended_plain: false,
        }
    }

    /// Whether it is unacknowledged and its notice wasn't dismissed on this device. A device shows no notice of itself, nor of
    /// one that it signed in.
    pub fn is_unacknowledged_on(&self, device: &Self) -> bool {
        self.is_new
            && self.id != device.id
            && self.let_in_by.as_ref() != Some(&device.id)
            && !device.dismissed.contains(&self.id)
    }

    /// Whether this device may acknowledge another sign-in for all of the guardian's devices: it must be older, and acknowledged
    /// itself. Otherwise a thief's sign-in could be acknowledged from the thief's next one. If no device qualifies
    /// (`has_acknowledged_elder` is false), a younger one that began [independently](Via::is_independent) may.
    pub fn may_acknowledge(&self, other: &Self, has_acknowledged_elder: bool) -> bool {
        let is_younger = other.age_order() < self.age_order();
        self.is_acknowledged_before(other)
            || !has_acknowledged_elder && is_younger && self.via.is_independent()
    }

    /// Whether it is older than the other one, and acknowledged.
    pub fn is_acknowledged_before(&self, other: &Self) -> bool {
        !self.is_new && self.age_order() < other.age_order()
    }

    fn age_order(&self) -> (u32, Timestamp) {
        (self.order, self.started_at)
    }

    /// Whether this device shows a notice of recovery codes made by `by` at `made_at`: not its own, and made after it signed in.
    pub fn is_told_of_codes(&self, by: Option<&SignInId>, made_at: Timestamp) -> bool {
        by.is_some_and(|by| *by != self.id)
            && self.started_at <= made_at
            && self.dismissed_codes != Some(made_at)
    }

    /// Steps up now; returns when that expires.
    pub fn step_up(&mut self, now: Timestamp) -> Timestamp {
        self.stepped_up_at = Some(now);
        now.after(STEPPED_UP)
    }

    /// When the step-up expires; `None` without one, if it has expired, or if it is in the future because the clock was set
    /// back.
    pub fn stepped_up_until(&self, now: Timestamp) -> Option<Timestamp> {
        let at = self.stepped_up_at?;
        let until = at.after(STEPPED_UP);
        (at <= now && now < until).then_some(until)
    }

    /// Whether it has just begun with the guardian's own proof. A paired device's sign-in doesn't count: its proof is another
    /// device.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.via != Via::Pairing
            && self.started_at <= now
            && now < self.started_at.after(STEPPED_UP)
    }

    /// Whether it tells that it ended sign-ins at the plain address: for ten minutes.
    pub fn tells_of_ended_plain(&self, now: Timestamp) -> bool {
        self.ended_plain && now < self.started_at.after(STEPPED_UP)
    }

    /// Whether it began long enough ago to answer for another device.
    pub fn is_old(&self, now: Timestamp) -> bool {
        self.via != Via::CommandLine && now >= self.started_at.after(DAY)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;

    pub const DAY: u64 = 24 * 60 * 60;

    pub fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).after(Duration::from_secs(seconds))
    }

    pub fn sign_in(via: Via) -> SignIn {
        let randomness = Randomness::repeatable();
        SignIn {
            id: SignInId::generate(&randomness),
            guardian: GuardianId::generate(&randomness),
            via,
            device: None,
            order: 0,
            is_new: false,
            dismissed: Vec::new(),
            dismissed_codes: None,
            let_in_by: None,
            started_at: at(0),
            used_at: at(0),
            stepped_up_at: None,
            at_name: false,
            ended_plain: false,
        }
    }

    #[test]
    fn stepping_up_lasts_ten_minutes_and_not_before_it_happened() {
        let mut sign_in = sign_in(Via::Link);
        assert_eq!(sign_in.stepped_up_until(at(0)), None);

        sign_in.stepped_up_at = Some(at(1_000));
        for (now, until) in [
            (999, None),
            (1_000, Some(at(1_600))),
            (1_599, Some(at(1_600))),
            (1_600, None),
        ] {
            assert_eq!(sign_in.stepped_up_until(at(now)), until, "{now}");
        }
    }

    #[test]
    fn only_a_sign_in_of_over_a_day_answers_for_another_one_and_never_the_command_lines() {
        let is_old = |via: Via, seconds: u64| sign_in(via).is_old(at(seconds));

        assert!(!is_old(Via::Link, DAY - 1));
        assert!(is_old(Via::Link, DAY));
        assert!(is_old(Via::Pairing, DAY));
        assert!(!is_old(Via::CommandLine, DAY));
    }

    #[test]
    fn a_new_sign_in_is_news_to_all_devices_but_itself_and_the_one_that_let_it_in() {
        let [own, laptop, mut tablet] = ["sgn_own", "sgn_laptop", "sgn_tablet"].map(|id| SignIn {
            id: SignInId::from_text(id),
            ..sign_in(Via::Link)
        });
        let mut paired = SignIn {
            is_new: true,
            let_in_by: Some(laptop.id.clone()),
            ..own.clone()
        };

        let news = [&own, &laptop, &tablet].map(|device| paired.is_unacknowledged_on(device));
        assert_eq!(news, [false, false, true]);
        tablet.dismissed.push(paired.id.clone());
        assert!(!paired.is_unacknowledged_on(&tablet));
        tablet.dismissed.clear();
        paired.is_new = false;
        assert!(!paired.is_unacknowledged_on(&tablet));
    }

    #[test]
    fn only_an_older_and_acknowledged_sign_in_acknowledges_another() {
        let began = |order: u32, seconds: u64| SignIn {
            order,
            started_at: at(seconds),
            ..sign_in(Via::Link)
        };
        let is_new = |sign_in: SignIn| SignIn {
            is_new: true,
            ..sign_in
        };
        let cases = [
            (began(1, 10), began(2, 20), true),
            (is_new(began(1, 10)), began(2, 20), false),
            (began(2, 20), began(1, 10), false),
            // The clock was behind.
            (began(2, 0), began(1, 10), false),
            (began(1, 10), began(2, 0), true),
            // From before they had sequence numbers.
            (began(0, 10), began(0, 20), true),
            (began(0, 10), began(0, 10), false),
            (began(0, 20), began(1, 10), true),
        ];

        for (device, other, expected) in cases {
            let other = is_new(other);
            assert_eq!(device.may_acknowledge(&other, true), expected, "{device:?}");
        }
    }

    #[test]
    fn where_no_older_one_is_acknowledged_only_an_independent_sign_in_acknowledges_another() {
        let other = SignIn {
            is_new: true,
            ..sign_in(Via::RecoveryCode)
        };
        for (via, expected) in [
            (Via::Link, true),
            (Via::Oidc, true),
            (Via::RecoveryCode, false),
            (Via::Pairing, false),
        ] {
            let device = SignIn {
                is_new: true,
                order: 1,
                ..sign_in(via)
            };
            assert_eq!(device.may_acknowledge(&other, false), expected, "{via:?}");
            assert!(!device.may_acknowledge(&other, true), "{via:?}");
            let older = SignIn {
                order: 0,
                ..device.clone()
            };
            assert!(!older.may_acknowledge(&device, false), "{via:?}");
        }
    }

    #[test]
    fn a_paired_sign_in_brings_no_proof_of_its_own() {
        assert!(sign_in(Via::Link).is_fresh(at(599)));
        assert!(!sign_in(Via::Link).is_fresh(at(600)));
        assert!(!sign_in(Via::Pairing).is_fresh(at(1)));
    }
}
