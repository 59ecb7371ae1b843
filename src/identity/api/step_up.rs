//! The endpoints for recovery codes and stepping up.

use poem::Request;
use poem_openapi::{Enum, Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{
    AsGuardian, SignedInAnswer, Tag, device_of, require_same_origin, sign_in_limit, uncounted,
};
use crate::identity::{Identity, ProviderOffer, RecoveryCode};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::problem::{BODY, COOKIE, RULE, Refused, SIGNED_IN, WRITE};
use crate::kernel::http::wire::{Body, Created, Done, Text};

/// A recovery code that was typed.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct RecoverySignInRequest {
    /// The code as typed; hyphens, white space and case are ignored.
    code: Text<64>,
}

/// A guardian's remaining recovery codes.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct RecoveryCodes {
    /// The number of unused codes.
    left: u64,
    /// When they were made; omitted if none ever were.
    created_at: Option<Timestamp>,
    /// `true` when they were made on another device since this one signed in, until the notice is dismissed on this device.
    are_new: Option<bool>,
}

/// Recovery codes, shown once.
#[derive(Debug, Object, Serialize)]
struct CreatedRecoveryCodes {
    /// Ten, such as `K7QX-3M0V-9T2D-HC1A`. Each works once.
    codes: Vec<String>,
}

/// A way to step up.
#[derive(Clone, Copy, Debug, Enum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
enum StepUpWay {
    /// With the code of an e-mail that was just sent.
    Email,
    /// By confirming, with three digits, on another device of the guardian.
    OtherDevice,
    /// With a recovery code.
    RecoveryCode,
    /// At the external provider, by opening `/auth/oidc/start?step_up=true` as a page.
    Provider,
}

/// The source of a typed code.
#[derive(Clone, Copy, Debug, Enum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[oai(rename_all = "snake_case")]
enum CodeFrom {
    /// The e-mail that was just sent.
    Email,
    /// The guardian's recovery codes.
    RecoveryCode,
}

/// Whether a guardian has stepped up in this browser, and how they can.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
struct StepUp {
    /// When the step-up expires; omitted if they haven't.
    until: Option<Timestamp>,
    /// `true` while a request to the guardian's other devices is pending.
    is_asking: Option<bool>,
    /// `true` while no account at the external provider is linked. After stepping up, the guardian links theirs by opening
    /// `/auth/oidc/start?step_up=true` as a page.
    can_link: Option<bool>,
    /// The ways available to this guardian, the easiest first. If the list is empty, the administrator can make a sign-in link.
    ways: Vec<StepUpWay>,
}

/// A code that proves that it is the guardian.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct StepUpRequest {
    way: CodeFrom,
    /// The code as typed.
    code: Text<64>,
}

/// The result of stepping up.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "SteppedUp")]
struct StepUpView {
    /// When the step-up expires.
    until: Timestamp,
}

pub(super) struct StepUpApi {
    pub(super) identity: Identity,
}

#[OpenApi(tag = "Tag::Identity")]
impl StepUpApi {
    /// Sign in with a recovery code
    ///
    /// Uses the code up and sets the sign-in cookie, which `/auth/token` requires. Same-origin requests only.
    #[oai(
        path = "/auth/recovery",
        method = "post",
        operation_id = "signInWithRecoveryCode",
        transform = "sign_in_limit"
    )]
    async fn sign_in(
        &self,
        request: &Request,
        body: Body<RecoverySignInRequest>,
    ) -> Result<SignedInAnswer, Refused<{ COOKIE | BODY | WRITE | RULE }>> {
        require_same_origin(&self.identity, request)?;
        let code = body.0.code;
        let (codes, sign_ins) = (&self.identity.recovery_codes, &self.identity.sign_ins);
        let signed_in = codes.sign_in(sign_ins, &code, device_of(request));
        Ok(SignedInAnswer::new(
            signed_in.await?,
            request,
            &self.identity,
        ))
    }

    /// Count one's recovery codes
    #[oai(
        path = "/auth/recovery_codes",
        method = "get",
        operation_id = "getRecoveryCodes"
    )]
    async fn recovery_codes(
        &self,
        guardian: AsGuardian,
    ) -> Result<Body<RecoveryCodes>, Refused<{ SIGNED_IN }>> {
        let left = self.identity.codes_left(&guardian.0)?;
        let are_new = self.identity.sign_ins.has_new_codes(&guardian.0)?;
        Ok(Body(RecoveryCodes {
            left: left.as_ref().map_or(0, |left| left.left as u64),
            created_at: left.map(|left| left.made_at),
            are_new: are_new.then_some(true),
        }))
    }

    /// Create new recovery codes
    ///
    /// Invalidates the old ones. Requires stepping up, unless the guardian never had codes and signed in within the last ten
    /// minutes; otherwise 403. At most three times a day, otherwise 429; signing out everywhere resets the count.
    #[oai(
        path = "/auth/recovery_codes",
        method = "post",
        operation_id = "makeRecoveryCodes",
        transform = "uncounted"
    )]
    async fn make_recovery_codes(
        &self,
        guardian: AsGuardian,
    ) -> Result<Created<CreatedRecoveryCodes>, Refused<{ SIGNED_IN | WRITE }>> {
        let (codes, sign_ins) = (&self.identity.recovery_codes, &self.identity.sign_ins);
        let codes = codes.make_new(sign_ins, &guardian.0).await?;
        let codes = codes.iter().map(RecoveryCode::reveal).collect();
        Ok(Created(CreatedRecoveryCodes { codes }))
    }

    /// Get the step-up status and the available ways to step up
    #[oai(path = "/auth/step_up", method = "get", operation_id = "getStepUp")]
    async fn get(&self, guardian: AsGuardian) -> Result<Body<StepUp>, Refused<{ SIGNED_IN }>> {
        let codes = self.identity.codes_left(&guardian.0)?;
        let mut ways = Vec::new();
        if self.identity.sends_email() {
            ways.push(StepUpWay::Email);
        }
        let sign_ins = &self.identity.sign_ins;
        if sign_ins.has_other_old_one(&guardian.0)? {
            ways.push(StepUpWay::OtherDevice);
        }
        if codes.is_some_and(|codes| codes.left > 0) {
            ways.push(StepUpWay::RecoveryCode);
        }
        let offer = self.identity.provider.offer_to(&guardian.0)?;
        if offer == Some(ProviderOffer::StepUp) {
            ways.push(StepUpWay::Provider);
        }
        let until = sign_ins.stepped_up_until(&self.identity.environment.store, &guardian.0)?;
        let is_asking = self.identity.other_devices.is_asking(&guardian.0);
        Ok(Body(StepUp {
            until,
            is_asking: is_asking.then_some(true),
            can_link: (offer == Some(ProviderOffer::Link)).then_some(true),
            ways,
        }))
    }

    /// Send an e-mail with a code to step up
    ///
    /// Responds once the mail server has accepted the e-mail. 422 if the server sends no e-mails.
    #[oai(
        path = "/auth/step_up/email",
        method = "post",
        operation_id = "sendStepUpEmail",
        transform = "uncounted"
    )]
    async fn send_email(
        &self,
        guardian: AsGuardian,
    ) -> Result<Done, Refused<{ SIGNED_IN | RULE | WRITE }>> {
        self.identity
            .sign_ins
            .send_step_up_code(&guardian.0)
            .await?;
        Ok(Done)
    }

    /// Step up with a code
    ///
    /// For ten minutes, this sign-in may then call the operations that require stepping up.
    #[oai(
        path = "/auth/step_up",
        method = "post",
        operation_id = "stepUp",
        transform = "uncounted"
    )]
    async fn step_up(
        &self,
        guardian: AsGuardian,
        body: Body<StepUpRequest>,
    ) -> Result<Body<StepUpView>, Refused<{ SIGNED_IN | BODY | RULE | WRITE }>> {
        let StepUpRequest { way, code } = body.0;
        let sign_ins = &self.identity.sign_ins;
        let until = match way {
            CodeFrom::Email => sign_ins.step_up_with_email(&guardian.0, &code).await?,
            CodeFrom::RecoveryCode => {
                let codes = &self.identity.recovery_codes;
                codes.step_up(sign_ins, &guardian.0, &code).await?
            }
        };
        Ok(Body(StepUpView { until }))
    }
}
