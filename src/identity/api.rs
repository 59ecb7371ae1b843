//! The endpoints for signing in, and the credentials of all others.

mod address;
mod browser;
mod cookies;
mod counting;
mod credentials;
mod devices;
mod limits;
mod own_origin;
mod provider;
mod shown_link;
mod sign_ins;
mod signed_in;
mod step_up;

use poem::Request;
use poem_openapi::{ApiResponse, Object, OpenApi, Tags};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::{Identity, RefreshError, SignOut};
use crate::kernel::http::origin::Origin;
use crate::kernel::http::problem::{
    BODY, COOKIE, Code, PUBLIC, Problem, RULE, Refusal, Refused, UNAUTHORIZED, WRITE,
};
use crate::kernel::http::wire::{Body, Text, given};
use crate::kernel::outgoing::mail::EmailAddress;

pub use browser::device_of;
pub use counting::{
    RequestServices, link_limit, provider_limit, sign_in_limit, token_limit, uncounted,
};
pub use credentials::{
    AsAssistant, AsGuardian, CredentialOwner, assistant_of, bearer_of, verify_credential,
    verify_key,
};
pub use limits::{ClientNetworks, Homes, RequestLimits};
pub use own_origin::require_same_origin;
pub use shown_link::ShownLink;
pub use sign_ins::SignInView;
pub use signed_in::{GuardianCreated, IssuedIdentityView, SignedInAnswer};

use address::AddressApi;
use browser::{is_at_name, language_of};
use cookies::SIGN_IN;
use devices::DevicesApi;
use provider::ProviderApi;
use sign_ins::SignInsApi;
use step_up::StepUpApi;

#[derive(Tags)]
enum Tag {
    /// Signing in and out.
    #[oai(rename = "identity")]
    Identity,
}

/// A request for a sign-in link.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct LinkRequest {
    /// The guardian's address.
    email: EmailAddress,
}

/// A link that was opened, with the address it was sent to.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct SignInRequest {
    /// The address that the link was sent to.
    email: EmailAddress,
    /// The link's token, `lnk_…`.
    token: Text<200>,
}

/// A request to sign out.
#[derive(Debug, Object, Deserialize)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
struct SignOutRequest {
    /// Whether to end all of this guardian's sign-ins; by default only this one.
    #[serde(default, deserialize_with = "given")]
    everywhere: Option<bool>,
    /// Whether to end the guardian's recovery codes, too: only with `everywhere`.
    #[serde(default, deserialize_with = "given")]
    recovery_codes: Option<bool>,
}

impl SignOutRequest {
    fn scope(&self) -> Result<SignOut, Refusal> {
        let recovery_codes = self.recovery_codes.unwrap_or(false);
        if self.everywhere.unwrap_or(false) {
            Ok(SignOut::Everywhere { recovery_codes })
        } else if recovery_codes {
            let sentence = "Recovery codes end only when you sign out everywhere.";
            Err(
                Refusal::against_a_rule(Code::RecoveryCodesOnlyEverywhere, sentence)
                    .at("/recovery_codes"),
            )
        } else {
            Ok(SignOut::Here)
        }
    }
}

/// The ways to sign in.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize, Deserialize)]
#[oai(skip_serializing_if_is_none)]
struct SignInMethods {
    /// Whether a link can be sent by e-mail.
    email_link: bool,
    /// `false` until this server is set up; omitted afterwards.
    set_up: Option<bool>,
    /// The external provider, if one is configured.
    oidc: Option<OidcMethod>,
}

/// An external OpenID Connect provider.
#[derive(Debug, Object, Serialize, Deserialize)]
struct OidcMethod {
    /// The text of the sign-in button.
    name: String,
}

#[derive(ApiResponse)]
enum Queued {
    /// Accepted. An e-mail is sent if a guardian has this address.
    #[oai(status = 202)]
    Accepted,
}

#[derive(ApiResponse)]
enum TokenAnswer {
    /// A new identity token. Also sets the cookie again if the request's cookie had the old name, which lacks the port.
    #[oai(status = 200)]
    Issued(
        Body<IssuedIdentityView>,
        #[oai(header = "Set-Cookie")] Option<String>,
    ),
    /// The request has no sign-in cookie of this server and this address, or two with its name: nobody is signed in on this device.
    #[oai(status = 204)]
    NoCookie,
    /// The sign-in has ended. The cookie is removed if the sign-in no longer exists, and kept if the sign-in expired by the
    /// server's clock, which may be wrong.
    #[oai(status = 401)]
    Ended(Body<Problem>, #[oai(header = "Set-Cookie")] Option<String>),
}

#[derive(ApiResponse)]
enum SignedOut {
    /// Signed out; the cookie is removed.
    #[oai(status = 204)]
    Done(
        #[oai(header = "Set-Cookie")] String,
        /// Makes the browser clear what it stored for this site.
        #[oai(header = "Clear-Site-Data")]
        String,
    ),
}

/// The operations of signing in, and on a guardian's own account.
pub fn operations(identity: &Identity) -> impl OpenApi + use<> {
    let identity = || identity.clone();
    (
        IdentityApi {
            identity: identity(),
        },
        ProviderApi {
            identity: identity(),
        },
        SignInsApi {
            identity: identity(),
        },
        StepUpApi {
            identity: identity(),
        },
        DevicesApi {
            identity: identity(),
        },
        AddressApi {
            identity: identity(),
        },
    )
}

struct IdentityApi {
    identity: Identity,
}

#[OpenApi(tag = "Tag::Identity")]
impl IdentityApi {
    /// Send a sign-in link by e-mail
    ///
    /// The response is the same whether or not a guardian has this address.
    #[oai(
        path = "/auth/link",
        method = "post",
        operation_id = "requestSignInLink",
        transform = "link_limit"
    )]
    async fn request_link(
        &self,
        request: &Request,
        body: Body<LinkRequest>,
    ) -> Result<Queued, Refused<{ PUBLIC | BODY | WRITE }>> {
        let origin = request.data::<Origin>();
        self.identity
            .link_requests
            .request(body.0.email, language_of(request), origin)
            .await?;
        Ok(Queued::Accepted)
    }

    /// Complete signing in with a link's token
    ///
    /// Uses the link up and sets the sign-in cookie, which `/auth/token` requires. Same-origin requests only.
    #[oai(
        path = "/auth/sign-in",
        method = "post",
        operation_id = "signIn",
        transform = "sign_in_limit"
    )]
    async fn sign_in(
        &self,
        request: &Request,
        body: Body<SignInRequest>,
    ) -> Result<SignedInAnswer, Refused<{ COOKIE | BODY | WRITE | UNAUTHORIZED }>> {
        require_same_origin(&self.identity, request)?;
        let SignInRequest { email, token } = body.0;
        let device = device_of(request);
        let (links, sign_ins) = (&self.identity.links, &self.identity.sign_ins);
        let signed_in = links.sign_in(sign_ins, email, &token, device);
        Ok(SignedInAnswer::new(
            signed_in.await?,
            request,
            &self.identity,
        ))
    }

    /// Issue an identity token for the sign-in cookie
    ///
    /// 204 without a sign-in cookie, or with two; 401 if the sign-in has ended; 403 if the guardian uses the server's name for https;
    /// 503 while the server's clock shows a time long before the sign-in began. Same-origin requests only.
    #[oai(
        path = "/auth/token",
        method = "post",
        operation_id = "issueIdentityToken",
        transform = "token_limit"
    )]
    async fn token(&self, request: &Request) -> Result<TokenAnswer, Refused<{ COOKIE }>> {
        require_same_origin(&self.identity, request)?;
        let Some(cookie) = SIGN_IN.sent_with(request, &self.identity) else {
            return Ok(TokenAnswer::NoCookie);
        };
        let sign_ins = &self.identity.sign_ins;
        match sign_ins.refresh(&cookie.value, is_at_name(request)) {
            Ok(None) => Ok(TokenAnswer::NoCookie),
            Ok(Some(issued)) => {
                let moved = cookie
                    .has_old_name
                    .then(|| SIGN_IN.holding(&cookie.value, request, &self.identity));
                let issued = IssuedIdentityView::new(issued, request, &self.identity);
                Ok(TokenAnswer::Issued(Body(issued), moved))
            }
            // The cookie belongs to another server on this host, or to a sign-in of this one that is gone.
            Err(RefreshError::Gone) if cookie.has_old_name => Ok(TokenAnswer::NoCookie),
            Err(gone @ RefreshError::Gone) => Ok(TokenAnswer::Ended(
                Body(Problem::from(&gone.into())),
                Some(SIGN_IN.taken_back(request, &self.identity)),
            )),
            Err(expired @ RefreshError::Expired) => Ok(TokenAnswer::Ended(
                Body(Problem::from(&expired.into())),
                None,
            )),
            Err(
                error @ (RefreshError::OpenTheName(_)
                | RefreshError::ClockIsBehind(_)
                | RefreshError::Store(_)),
            ) => Err(error.into()),
        }
    }

    /// Sign out here, or everywhere
    ///
    /// Takes effect at once, also for identity tokens that were issued before. `everywhere` also ends the guardian's links, and
    /// the invitations that they made and that have not taken effect. Recovery codes stay valid unless `recovery_codes` is
    /// `true`. Same-origin requests only.
    #[oai(
        path = "/auth/sign-out",
        method = "post",
        operation_id = "signOut",
        transform = "token_limit"
    )]
    async fn sign_out(
        &self,
        request: &Request,
        body: Body<SignOutRequest>,
    ) -> Result<SignedOut, Refused<{ COOKIE | BODY | RULE | WRITE }>> {
        require_same_origin(&self.identity, request)?;
        // A request with two sign-in cookies is refused everywhere else. Here it ends both sign-ins, because holding a cookie
        // suffices to end its sign-in.
        let scope = body.0.scope()?;
        for cookie in SIGN_IN.all_sent_with(request, &self.identity) {
            self.identity.sign_out(&cookie, scope).await?;
        }
        Ok(SignedOut::Done(
            SIGN_IN.taken_back(request, &self.identity),
            "\"cache\"".to_owned(),
        ))
    }

    /// Get the ways to sign in
    #[oai(
        path = "/auth/methods",
        method = "get",
        operation_id = "getSignInMethods"
    )]
    async fn methods(&self) -> Result<Body<SignInMethods>, Refused<{ PUBLIC }>> {
        let provider = self.identity.provider.name();
        Ok(Body(SignInMethods {
            email_link: self.identity.sends_email(),
            set_up: (!self.identity.setup.is_over()?).then_some(false),
            oidc: provider.map(|name| OidcMethod {
                name: name.to_owned(),
            }),
        }))
    }
}
