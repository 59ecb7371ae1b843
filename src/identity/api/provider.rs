//! The two endpoints for signing in with an external provider. The browser opens both as pages, so they answer with a redirect,
//! also on errors.

use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, Response};
use poem_openapi::registry::{MetaHeader, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::Type;
use poem_openapi::{ApiResponse, OpenApi};

use super::browser::is_at_name;
use super::cookies::{FLOW, SIGN_IN};
use super::{Tag, device_of, provider_limit};
use crate::identity::{Completed, FlowEnd, Identity, ProviderAnswer, ProviderProblem, SignedIn};
use crate::kernel::http::problem::{MALFORMED, NOT_FOUND, PUBLIC, Refusal, Refused};
use crate::kernel::http::wire::{Query, Text, named_host};

/// The start of a flow after the redirect to the public URL. `moved` prevents a loop if a proxy hides the host name that the
/// browser uses.
const START_HERE: &str = "/api/auth/oidc/start?moved=true";

/// The page that shows whether stepping up succeeded.
const STEPPED_UP: &str = "/you#step_up=";

/// 302: redirects, and sets these cookies.
struct GoOn {
    location: String,
    cookies: Vec<String>,
}

impl IntoResponse for GoOn {
    fn into_response(self) -> Response {
        let mut response = StatusCode::FOUND.into_response();
        let headers = response.headers_mut();
        let value = |text: &str| HeaderValue::from_str(text).ok();
        if let Some(location) = value(&self.location) {
            headers.insert(header::LOCATION, location);
        }
        for cookie in self.cookies.iter().filter_map(|cookie| value(cookie)) {
            headers.append(header::SET_COOKIE, cookie);
        }
        response
    }
}

impl ApiResponse for GoOn {
    fn meta() -> MetaResponses {
        let text_header = |name: &str, description: &str, required| MetaHeader {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required,
            deprecated: false,
            schema: String::schema_ref(),
        };
        MetaResponses {
            responses: vec![MetaResponse {
                description: "Redirects.",
                status: Some(302),
                status_range: None,
                content: Vec::new(),
                headers: vec![
                    text_header(
                        "Location",
                        "The provider's page, or one of ours: `/login#error=…` with the reason why nobody is \
                         signed in (denied, unknown_guardian, unverified_email, not_linked, expired, too_many or failed), or \
                         `/you#step_up=…` with the result of stepping up (done, other_account or one of these).",
                        true,
                    ),
                    text_header(
                        "Set-Cookie",
                        "The flow's cookie, or the sign-in cookie.",
                        false,
                    ),
                ],
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}

pub(super) struct ProviderApi {
    pub(super) identity: Identity,
}

#[OpenApi(tag = "Tag::Identity")]
impl ProviderApi {
    /// Redirect to the external provider to sign in or to step up
    ///
    /// To be opened as a page. 404 unless a provider is configured (`/auth/methods`). The provider redirects the browser to the
    /// public URL, so a browser that used another host name is first redirected there.
    #[oai(
        path = "/auth/oidc/start",
        method = "get",
        operation_id = "startOidcSignIn",
        transform = "provider_limit"
    )]
    async fn start(
        &self,
        request: &Request,
        /// Whether the browser was redirected here from another host name of this server. It isn't redirected again.
        moved: Query<Option<bool>>,
        /// Whether to step up: the signed-in guardian authenticates again.
        step_up: Query<Option<bool>>,
    ) -> Result<GoOn, Refused<{ PUBLIC | NOT_FOUND | MALFORMED }>> {
        let here = self.identity.environment.provider_url();
        let elsewhere = named_host(request).is_some_and(|host| !here.is_named_by(host));
        if elsewhere && moved.0 != Some(true) && self.identity.provider.name().is_some() {
            return Ok(GoOn {
                location: here.page(START_HERE),
                cookies: Vec::new(),
            });
        }
        let to_step_up = step_up.0 == Some(true);
        let signed_in = if to_step_up {
            self.signed_in(request)?
        } else {
            None
        };
        if to_step_up && signed_in.is_none() {
            return Ok(explained(&ProviderProblem::Expired, false)?);
        }
        match self.identity.provider.start(signed_in.as_ref()).await {
            Ok((location, flow)) => Ok(GoOn {
                location,
                cookies: vec![FLOW.holding(flow.reveal(), request, &self.identity)],
            }),
            Err(problem) => Ok(explained(&problem, to_step_up)?),
        }
    }

    /// Complete signing in with the external provider
    ///
    /// The provider redirects the browser here. Sets the sign-in cookie, which `/auth/token` requires, and redirects to the start
    /// page.
    #[oai(
        path = "/auth/oidc/callback",
        method = "get",
        operation_id = "completeOidcSignIn",
        transform = "provider_limit"
    )]
    async fn callback(
        &self,
        request: &Request,
        /// The flow's `state` (RFC 6749, section 4.1.2).
        state: Query<Option<Text<200>>>,
        /// The authorization code.
        code: Query<Option<Text<8_192>>>,
        /// The error code (RFC 6749, section 4.1.2.1).
        error: Query<Option<Text<200>>>,
        /// The provider's issuer (RFC 9207).
        iss: Query<Option<Text<2_000>>>,
    ) -> Result<GoOn, Refused<{ PUBLIC | NOT_FOUND | MALFORMED }>> {
        let answer = ProviderAnswer {
            state: state.0.map(Text::into_string),
            code: code.0.map(Text::into_string),
            error: error.0.map(Text::into_string),
            issuer: iss.0.map(Text::into_string),
            device: device_of(request),
        };
        let flow = FLOW.sent_with(request, &self.identity);
        let completed = self
            .identity
            .provider
            .complete(flow.as_ref().map(|flow| flow.value.as_str()), answer);
        let FlowEnd {
            to_step_up,
            outcome,
        } = completed.await;
        match outcome {
            Ok(Completed::SteppedUp) => Ok(GoOn {
                location: format!("{STEPPED_UP}done"),
                cookies: vec![FLOW.taken_back(request, &self.identity)],
            }),
            Ok(Completed::SignedIn(refresh)) => Ok(GoOn {
                location: "/".to_owned(),
                cookies: vec![
                    SIGN_IN.holding(refresh.reveal(), request, &self.identity),
                    FLOW.taken_back(request, &self.identity),
                ],
            }),
            Err(problem) => Ok(explained(&problem, to_step_up)?),
        }
    }
}

impl ProviderApi {
    /// The guardian and sign-in of this request's cookie.
    fn signed_in(&self, request: &Request) -> Result<Option<SignedIn>, Refusal> {
        match SIGN_IN.sent_with(request, &self.identity) {
            Some(cookie) => Ok(self
                .identity
                .sign_ins
                .signed_in_by(&cookie.value, is_at_name(request))?),
            None => Ok(None),
        }
    }
}

/// Redirects to the page that explains the problem. Nothing written by the provider gets into the URL.
fn explained(problem: &ProviderProblem, to_step_up: bool) -> Result<GoOn, Refusal> {
    if matches!(problem, ProviderProblem::NotConfigured) {
        return Err(Refusal::not_there());
    }
    tracing::warn!(reason = %problem, "signing in at the OpenID Connect provider failed");
    Ok(GoOn {
        location: if to_step_up {
            format!("{STEPPED_UP}{}", problem.code())
        } else {
            format!("/login#error={}", problem.code())
        },
        cookies: Vec::new(),
    })
}
