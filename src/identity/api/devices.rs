//! The endpoints for two devices of one guardian: one signs the other in, or steps it up.

use std::net::IpAddr;

use poem::Request;
use poem_openapi::param::Path;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::browser::is_at_name;
use super::{
    AsGuardian, IssuedIdentityView, ShownLink, SignedInAnswer, Tag, device_of, require_same_origin,
    sign_in_limit, token_limit, uncounted,
};
use crate::identity::{AskingDevice, Identity, PairingState, SeenDevice, SignInId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::origin::ClientAddress;
use crate::kernel::http::problem::{BODY, COOKIE, NOT_FOUND, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Created, Done, Page, Text};

/// The other device.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(rename = "Device", skip_serializing_if_is_none)]
struct DeviceView {
    /// Its kind, from its browser's `User-Agent`; omitted if unknown.
    device: Option<String>,
    /// The IP address of its request.
    address: Option<String>,
    /// The time of its request.
    requested_at: Timestamp,
}

impl From<SeenDevice> for DeviceView {
    fn from(seen: SeenDevice) -> Self {
        Self {
            device: seen.device,
            address: seen.address.as_ref().map(IpAddr::to_string),
            requested_at: seen.at,
        }
    }
}

/// A new pairing.
#[derive(Debug, Object, Serialize)]
struct CreatedPairing {
    /// The link and QR code for the other device.
    shown: ShownLink,
    /// When it expires.
    until: Timestamp,
}

/// The state of a pairing.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename = "PairingState", rename_all = "snake_case")]
enum StateView {
    /// No device has scanned the code yet.
    Waiting,
    /// A device has scanned it and shows digits, to be typed on this device.
    Claimed,
    /// That device is signed in.
    SignedIn,
    /// There is no pairing, or the last one ended without a sign-in.
    Ended,
}

/// A pairing, on the device that is signed in.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct Pairing {
    state: StateView,
    /// The device that scanned the code.
    device: Option<DeviceView>,
    /// When it expires.
    until: Option<Timestamp>,
}

impl From<PairingState> for Pairing {
    fn from(state: PairingState) -> Self {
        let (state, device, until) = match state {
            PairingState::Waiting { until } => (StateView::Waiting, None, Some(until)),
            PairingState::Claimed { until, device } => {
                (StateView::Claimed, Some(device.into()), Some(until))
            }
            PairingState::SignedIn { device } => (StateView::SignedIn, Some(device.into()), None),
            PairingState::Ended => (StateView::Ended, None, None),
        };
        Self {
            state,
            device,
            until,
        }
    }
}

/// A QR code that was scanned.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct PairingToken {
    /// The token in its link, `par_…`.
    token: Text<200>,
}

/// A pairing, on the device that scanned the code.
#[derive(Debug, Object, Serialize)]
struct ClaimedPairing {
    /// The secret with which this device completes the pairing, `clm_…`.
    claim: String,
    /// The guardian's name, or otherwise their address.
    whose: String,
    /// The device that showed the code.
    shown_by: DeviceView,
    /// Three digits, to be typed on the device that showed the code.
    digits: String,
    /// When it expires.
    until: Timestamp,
}

/// A request to complete a pairing.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct PairingClaim {
    /// The claim, `clm_…`.
    claim: Text<200>,
}

/// The digits that the other device shows.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct TypedDigits {
    /// The digits as typed; white space is ignored.
    digits: Text<64>,
}

#[derive(ApiResponse)]
enum Completed {
    /// Signed in.
    #[oai(status = 200)]
    Issued(
        Body<IssuedIdentityView>,
        #[oai(header = "Set-Cookie")] String,
    ),
    /// The digits have not been typed yet.
    #[oai(status = 202)]
    Waiting,
}

/// Digits to show, for the guardian's other devices.
#[derive(Debug, Object, Serialize)]
struct AskedDigits {
    /// Three digits, to be typed on the other device.
    digits: String,
    /// When it expires.
    until: Timestamp,
}

/// A device that asks for a step-up.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "AskingDevice")]
struct AskingDeviceView {
    /// The id of its sign-in.
    sign_in_id: SignInId,
    device: DeviceView,
}

impl From<AskingDevice> for AskingDeviceView {
    fn from(asking: AskingDevice) -> Self {
        Self {
            sign_in_id: asking.sign_in,
            device: asking.device.into(),
        }
    }
}

pub(super) struct DevicesApi {
    pub(super) identity: Identity,
}

impl DevicesApi {
    fn seen(&self, request: &Request) -> SeenDevice {
        let address = request.data().map(|ClientAddress(address)| *address);
        self.identity
            .pairings
            .seen(device_of(request).kind, address)
    }
}

#[OpenApi(tag = "Tag::Identity")]
impl DevicesApi {
    /// Show a QR code that signs another device in
    ///
    /// Requires stepping up (403 otherwise). Ends an earlier pairing of this sign-in. The code works for two minutes.
    #[oai(path = "/auth/pairing", method = "post", operation_id = "beginPairing")]
    async fn begin(
        &self,
        guardian: AsGuardian,
        request: &Request,
    ) -> Result<Created<CreatedPairing>, Refused<{ SIGNED_IN }>> {
        let by = self.identity.sign_ins.require_step_up(&guardian.0)?;
        let (link, until) = self.identity.pairings.begin(&by, self.seen(request));
        let shown = link.into();
        Ok(Created(CreatedPairing { shown, until }))
    }

    /// Get the status of the pairing
    #[oai(path = "/auth/pairing", method = "get", operation_id = "getPairing")]
    async fn get(&self, guardian: AsGuardian) -> Result<Body<Pairing>, Refused<{ SIGNED_IN }>> {
        Ok(Body(self.identity.pairings.state(&guardian.0).into()))
    }

    /// End the pairing
    #[oai(path = "/auth/pairing", method = "delete", operation_id = "endPairing")]
    async fn end(&self, guardian: AsGuardian) -> Result<Done, Refused<{ SIGNED_IN }>> {
        self.identity.pairings.end(&guardian.0);
        Ok(Done)
    }

    /// Confirm the other device's sign-in
    ///
    /// Requires the digits that it shows. The third wrong try ends the pairing.
    #[oai(
        path = "/auth/pairing/confirmation",
        method = "post",
        operation_id = "confirmPairing"
    )]
    async fn confirm(
        &self,
        guardian: AsGuardian,
        body: Body<TypedDigits>,
    ) -> Result<Done, Refused<{ SIGNED_IN | BODY | RULE }>> {
        let pairings = &self.identity.pairings;
        pairings.confirm(&guardian.0, &body.0.digits)?;
        Ok(Done)
    }

    /// Claim a scanned QR code
    ///
    /// If a second device claims the same code, the pairing ends for both. Same-origin requests only.
    #[oai(
        path = "/auth/pairing/claim",
        method = "post",
        operation_id = "claimPairing",
        transform = "sign_in_limit"
    )]
    async fn claim(
        &self,
        request: &Request,
        body: Body<PairingToken>,
    ) -> Result<Body<ClaimedPairing>, Refused<{ COOKIE | BODY | RULE }>> {
        require_same_origin(&self.identity, request)?;
        let pairings = &self.identity.pairings;
        let claimed = pairings.claim(&body.0.token, self.seen(request))?;
        Ok(Body(ClaimedPairing {
            claim: claimed.claim.reveal().to_owned(),
            whose: claimed.whose,
            shown_by: claimed.shown_by.into(),
            digits: claimed.digits,
            until: claimed.until,
        }))
    }

    /// Sign in with a claimed QR code
    ///
    /// Sets the sign-in cookie, which `/auth/token` requires, once the digits were typed on the other device. It doesn't count as
    /// stepping up. Same-origin requests only.
    #[oai(
        path = "/auth/pairing/completion",
        method = "post",
        operation_id = "completePairing",
        transform = "token_limit"
    )]
    async fn complete(
        &self,
        request: &Request,
        body: Body<PairingClaim>,
    ) -> Result<Completed, Refused<{ COOKIE | BODY | RULE | WRITE }>> {
        require_same_origin(&self.identity, request)?;
        let completed = self
            .identity
            .pairings
            .complete(&body.0.claim, is_at_name(request))
            .await?;
        let Some(signed_in) = completed else {
            return Ok(Completed::Waiting);
        };
        let SignedInAnswer::Issued(issued, cookie) =
            SignedInAnswer::new(signed_in, request, &self.identity);
        Ok(Completed::Issued(issued, cookie))
    }

    /// Ask one's other devices for a step-up
    ///
    /// Returns digits, to be typed there. Ends an earlier request of this sign-in. The digits work for two minutes. 422 if there
    /// is no other device on which the guardian has been signed in for over a day.
    #[oai(
        path = "/auth/step_up/other_device",
        method = "post",
        operation_id = "askOtherDevice",
        transform = "uncounted"
    )]
    async fn ask(
        &self,
        guardian: AsGuardian,
        request: &Request,
    ) -> Result<Created<AskedDigits>, Refused<{ SIGNED_IN | RULE }>> {
        let asked = self
            .identity
            .other_devices
            .ask(&guardian.0, self.seen(request));
        let (digits, until) = asked?;
        Ok(Created(AskedDigits { digits, until }))
    }

    /// List one's other devices that ask for a step-up
    ///
    /// Empty on a device on which the guardian has been signed in for less than a day: it may not confirm.
    #[oai(
        path = "/auth/asking_devices",
        method = "get",
        operation_id = "listAskingDevices"
    )]
    async fn asking(
        &self,
        guardian: AsGuardian,
    ) -> Result<Body<Page<AskingDeviceView>>, Refused<{ SIGNED_IN }>> {
        let asked = self.identity.other_devices.asked(&guardian.0)?;
        Ok(Body(Page::whole(asked)))
    }

    /// Step another device up
    ///
    /// Requires the digits that it shows. The third wrong try ends the request.
    #[oai(
        path = "/auth/asking_devices/:signInId",
        method = "post",
        operation_id = "answerAskingDevice",
        transform = "uncounted"
    )]
    async fn answer(
        &self,
        guardian: AsGuardian,
        /// The id of the other device's sign-in.
        #[oai(name = "signInId")]
        sign_in: Path<SignInId>,
        body: Body<TypedDigits>,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND | BODY | RULE | WRITE }>> {
        let others = &self.identity.other_devices;
        let answered = others.answer(&guardian.0, &sign_in.0, &body.0.digits);
        answered.await?;
        Ok(Done)
    }

    /// Refuse another device's step-up
    #[oai(
        path = "/auth/asking_devices/:signInId",
        method = "delete",
        operation_id = "refuseAskingDevice"
    )]
    async fn refuse(
        &self,
        guardian: AsGuardian,
        /// The id of the other device's sign-in.
        #[oai(name = "signInId")]
        sign_in: Path<SignInId>,
    ) -> Result<Done, Refused<{ SIGNED_IN | NOT_FOUND }>> {
        let others = &self.identity.other_devices;
        others.refuse(&guardian.0, &sign_in.0)?;
        Ok(Done)
    }
}
