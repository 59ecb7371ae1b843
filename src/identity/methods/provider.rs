//! Signing in with an account at an external OpenID Connect provider, if the administrator has configured one.
//!
//! The code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636, S256), state and nonce. Meanwhile the browser holds
//! one cookie; the flow itself is stored under the cookie's hash, works once, and expires after ten minutes ([`flow`]). The
//! provider's metadata is fetched when first needed, and again after a failure, so that Porchlight starts even if the provider is
//! down ([`discovery`]).
//!
//! An account is identified by (issuer, subject), never by its address. It is linked to a guardian when it first signs in with an
//! address that the provider has verified and that the administrator has added; from then on the address doesn't matter. With
//! open sign-up, an unknown address makes a new guardian.

mod account;
mod claims;
mod discovery;
mod flow;
mod http;
mod keys;
mod probe;
mod redemption;
mod settings;
mod stepping_up;
mod store;
mod token_client;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use openidconnect::core::{CoreAuthenticationFlow, CoreProviderMetadata};
use openidconnect::{
    ClientId, ClientSecret, CsrfToken, Nonce, PkceCodeChallenge, RedirectUrl, Scope,
};

use crate::identity::accounts::guardians::Guardians;
use crate::identity::sessions::sign_ins::{
    BeginSignInError, Device, Refresh, SignInContext, SignIns, Via,
};
use crate::identity::{Environment, GuardianId, SignedIn};
use crate::kernel::host::clock::{Clock, Timestamp};
use crate::kernel::host::public_url::{PublicUrl, is_protected};
use crate::kernel::host::randomness::Randomness;
use crate::kernel::host::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Purpose, Store, StoreError};

use discovery::Discovery;
use flow::Flow;
use http::HttpClient;

pub use flow::LIFE as FLOW_LIFE;
pub use probe::{ProviderSeen, probe};
pub use settings::ProviderSettings;
pub use stepping_up::ProviderOffer;
pub use store::{KINDS, NOT_RESTORED};

/// The `max_age` for signing in: so long that nobody must type a password again. It is set because only then the ID token must
/// contain `auth_time` (OpenID Connect Core 1.0, section 2).
const ANY_AGE: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// The path that the provider redirects the browser to.
const CALLBACK: &str = "/api/auth/oidc/callback";

/// Why signing in with the provider failed.
#[derive(Debug, thiserror::Error)]
pub enum ProviderProblem {
    #[error("no provider is configured")]
    NotConfigured,
    /// The person or the provider refused.
    #[error("consent was denied")]
    Denied,
    /// No guardian has the account's address.
    #[error("no guardian has the account's address")]
    UnknownGuardian,
    /// The provider hasn't verified the account's address. Contains the claim that is missing or false.
    #[error("the account's address is not verified: {0}")]
    UnverifiedEmail(&'static str),
    /// The account's address belongs to a guardian, but the provider doesn't say that it is verified.
    #[error(
        "the account is not linked, and its address alone does not link it: email_verified is missing"
    )]
    NotLinked,
    /// The flow has expired, was used before, or began in another browser.
    #[error("the flow is over, or is another browser's")]
    Expired,
    /// The account isn't that of the guardian who steps up.
    #[error("the account is not that of the guardian who steps up")]
    OtherAccount,
    /// A failure that no parent can fix. The reason is for the log: it contains nothing written by the provider.
    #[error("{0}")]
    Failed(Cow<'static, str>),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProviderProblem {
    fn failed(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Failed(reason.into())
    }

    /// The problem's code in the URL of our pages.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::UnknownGuardian => "unknown_guardian",
            Self::UnverifiedEmail(_) => "unverified_email",
            Self::NotLinked => "not_linked",
            Self::Expired => "expired",
            Self::OtherAccount => "other_account",
            Self::NotConfigured | Self::Failed(_) | Self::Store(_) => "failed",
        }
    }
}

impl From<BeginSignInError> for ProviderProblem {
    fn from(error: BeginSignInError) -> Self {
        match error {
            // Only at the plain address, to which a provider sends no browser.
            BeginSignInError::OpenTheName(closed) => Self::failed(closed.to_string()),
            BeginSignInError::Store(error) => error.into(),
        }
    }
}

#[derive(Debug)]
pub enum Completed {
    /// Signed in, with this cookie.
    SignedIn(Refresh),
    /// The sign-in that began the flow is stepped up.
    SteppedUp,
}

#[derive(Debug)]
pub struct FlowEnd {
    /// Whether the flow was for stepping up; `false` also if the flow is unknown.
    pub to_step_up: bool,
    pub outcome: Result<Completed, ProviderProblem>,
}

/// The query parameters of the provider's redirect.
#[derive(Default)]
pub struct ProviderAnswer {
    pub state: Option<String>,
    /// The authorization code.
    pub code: Option<String>,
    /// The error code (RFC 6749, section 4.1.2.1).
    pub error: Option<String>,
    /// The `iss` parameter (RFC 9207).
    pub issuer: Option<String>,
    pub device: Device,
}

struct Provider {
    settings: ProviderSettings,
    redirect: RedirectUrl,
    http: HttpClient,
    discovery: Discovery,
    clock: Clock,
}

impl Provider {
    /// Makes no request yet.
    fn new(settings: ProviderSettings, public_url: &PublicUrl, clock: Clock) -> Self {
        let redirect =
            RedirectUrl::new(public_url.page(CALLBACK)).expect("a page of a public URL is a URL");
        Self {
            discovery: Discovery::new(settings.issuer(), clock.clone()),
            settings,
            redirect,
            http: HttpClient::new(),
            clock,
        }
    }

    fn client(&self, metadata: &CoreProviderMetadata) -> redemption::Client {
        let secret = self.settings.client_secret().map(str::to_owned);
        redemption::client(
            metadata,
            ClientId::new(self.settings.client_id.clone()),
            secret.map(ClientSecret::new),
            self.redirect.clone(),
        )
    }

    /// The authorization URL for this flow.
    async fn address(&self, flow: &Flow) -> Result<String, ProviderProblem> {
        let metadata = self.discovery.reachable_metadata(&self.http).await?;
        let (state, nonce) = (flow.state.clone(), flow.nonce.clone());
        let client = self.client(&metadata);
        let request = client.authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            move || CsrfToken::new(state),
            move || Nonce::new(nonce),
        );
        let request = request.set_max_age(match flow.to_step_up {
            // Stepping up requires a new proof even from a person who is signed in at the provider.
            Some(_) => Duration::ZERO,
            None => ANY_AGE,
        });
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&flow.verifier());
        let (url, _, _) = request
            .add_scope(Scope::new("email".into()))
            .add_scope(Scope::new("profile".into()))
            .set_pkce_challenge(challenge)
            .url();
        if is_protected(&url) {
            Ok(url.into())
        } else {
            Err(ProviderProblem::failed(
                "its page is neither https nor on this machine",
            ))
        }
    }
}

#[derive(Clone)]
pub struct ProviderSignIns {
    store: Store,
    clock: Clock,
    randomness: Randomness,
    provider: Option<Arc<Provider>>,
    guardians: Guardians,
    sign_ins: SignIns,
}

impl ProviderSignIns {
    pub(in crate::identity) fn new(
        environment: &Environment,
        settings: Option<ProviderSettings>,
        guardians: Guardians,
        sign_ins: SignIns,
    ) -> Self {
        let clock = &environment.clock;
        let public_url = environment.provider_url();
        let provider = settings.map(|settings| Provider::new(settings, public_url, clock.clone()));
        Self {
            store: environment.store.clone(),
            clock: clock.clone(),
            randomness: environment.randomness.clone(),
            provider: provider.map(Arc::new),
            guardians,
            sign_ins,
        }
    }

    /// The text of the provider's button; `None` without a provider.
    pub fn name(&self) -> Option<&str> {
        self.provider
            .as_ref()
            .map(|provider| provider.settings.name.as_str())
    }

    /// Unlinks a guardian's accounts.
    pub(in crate::identity) fn forget(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        store::forget(change, guardian)
    }

    /// Begins a flow for signing in, or for stepping this sign-in up. Returns the URL to redirect to, and the cookie. Fails if no
    /// provider is configured, or if it can't be reached.
    pub async fn start(
        &self,
        to_step_up: Option<&SignedIn>,
    ) -> Result<(String, Secret), ProviderProblem> {
        let provider = self
            .provider
            .as_ref()
            .ok_or(ProviderProblem::NotConfigured)?;
        let flow = Flow::begin(&self.randomness, self.clock.now());
        let flow = match to_step_up {
            Some(signed_in) => flow.stepping_up(signed_in),
            None => flow,
        };
        let address = provider.address(&flow).await?;
        let cookie = Secret::generate(SecretKind::ProviderFlow, &self.randomness);
        let hash = cookie.hash();
        let kept = self.store.commit_for(Purpose::Essential, move |change| {
            store::put_flow(change, hash, &flow)
        });
        kept.await?;
        Ok((address, cookie))
    }

    /// Completes a flow: signs the account's guardian in, or steps their sign-in up, if the answer belongs to the flow that this
    /// browser began.
    pub async fn complete(&self, cookie: Option<&str>, answer: ProviderAnswer) -> FlowEnd {
        let flow = self.take_flow(cookie, answer.state.as_deref()).await;
        let to_step_up = flow.as_ref().is_ok_and(|flow| flow.to_step_up.is_some());
        let outcome = match flow {
            Ok(flow) => self.complete_flow(flow, answer).await,
            Err(problem) => Err(problem),
        };
        FlowEnd {
            to_step_up,
            outcome,
        }
    }

    async fn complete_flow(
        &self,
        flow: Flow,
        answer: ProviderAnswer,
    ) -> Result<Completed, ProviderProblem> {
        let provider = self
            .provider
            .as_ref()
            .ok_or(ProviderProblem::NotConfigured)?;
        let stranger = |issuer: &String| issuer != provider.settings.issuer().as_str();
        if answer.issuer.as_ref().is_some_and(stranger) {
            return Err(ProviderProblem::failed("the answer is another provider's"));
        }
        match (answer.error.as_deref(), answer.code) {
            (Some("access_denied"), _) => Err(ProviderProblem::Denied),
            (Some(_), _) => Err(ProviderProblem::failed("it answered with an error")),
            (None, None) => Err(ProviderProblem::failed("it answered without a code")),
            (None, Some(code)) => {
                let account = provider.redeem(code, &flow).await?;
                let authenticated_at = account.authenticated_at();
                let is_fresh = authenticated_at.is_some_and(|at| flow.is_fresh(at));
                match flow.to_step_up {
                    Some(who) => {
                        self.step_up_by_account(provider, account, who.into(), is_fresh)
                            .await
                    }
                    None => {
                        self.sign_in_by_account(provider, account, flow.started_at, answer.device)
                            .await
                    }
                }
            }
        }
    }

    /// Removes the flow from the store, so that it works only once, even if it fails.
    async fn take_flow(
        &self,
        cookie: Option<&str>,
        state: Option<&str>,
    ) -> Result<Flow, ProviderProblem> {
        if self.provider.is_none() {
            return Err(ProviderProblem::NotConfigured);
        }
        let cookie = cookie.and_then(|text| Secret::parse(SecretKind::ProviderFlow, text));
        let hash = cookie.ok_or(ProviderProblem::Expired)?.hash();
        let (state, now) = (state.map(str::to_owned), self.clock.now());
        let taken = self.store.commit_for(Purpose::Essential, move |change| {
            let Some(flow) = store::flow(change, hash)? else {
                return Err(ProviderProblem::Expired);
            };
            // A forged answer must not end the flow in progress.
            if state.as_ref() != Some(&flow.state) {
                return Err(ProviderProblem::failed("the answer is to another flow"));
            }
            store::remove_flow(change, hash, &flow)?;
            Ok(flow)
        });
        let flow = taken.await?;
        if flow.holds(now) {
            Ok(flow)
        } else {
            Err(ProviderProblem::Expired)
        }
    }

    async fn sign_in_by_account(
        &self,
        provider: &Provider,
        account: redemption::Redeemed,
        started_at: Timestamp,
        device: Device,
    ) -> Result<Completed, ProviderProblem> {
        let bound = store::account(&self.store, &account.name)?;
        // The address matters only for the first sign-in with this account.
        let email = match bound {
            Some(_) => None,
            None => Some(provider.email(&account).await?),
        };
        let (facade, now) = (self.clone(), self.clock.now());
        let signed_in = self.store.commit_for(Purpose::Essential, move |change| {
            let guardian = account::guardian_of(&facade.guardians, change, &account, email, now)?;
            if guardian.was_signed_out_since(started_at, now) {
                return Err(ProviderProblem::Expired);
            }
            let via = Via::Oidc;
            let arrival = SignInContext { via, device };
            let begun = facade.sign_ins.begin(change, &guardian, arrival)?;
            facade.sign_ins.notify_by_email(change, &begun.0)?;
            Ok::<_, ProviderProblem>(begun)
        });
        let (sign_in, refresh) = signed_in.await?;
        tracing::info!(guardian = %sign_in.guardian, sign_in = %sign_in.id, "signed in at the provider");
        Ok(Completed::SignedIn(refresh))
    }
}
