//! Signing in with an account at an external OpenID Connect provider, where the administrator has
//! configured one.
//!
//! The code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636, S256), state and nonce. What
//! the browser holds meanwhile is one cookie; the flow itself is kept under the cookie's hash, works once,
//! and ends after ten minutes ([`flow`]). The provider is asked who it is when somebody first needs it, and
//! again when that failed, so that a provider that is down never keeps Porchlight from starting
//! ([`discovery`]).
//!
//! A provider's account is known by (issuer, subject), never by its address. It becomes a guardian's when
//! it first signs in with an address that the provider has verified and that the administrator has added;
//! from then on the address no longer matters. A claim alone makes nobody a guardian, unless anybody may
//! sign up.

mod account;
mod discovery;
mod flow;
mod http;
mod keys;
mod probe;
mod redemption;
mod settings;
mod stepping_up;
mod store;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use openidconnect::core::{CoreAuthenticationFlow, CoreProviderMetadata};
use openidconnect::{
    ClientId, ClientSecret, CsrfToken, Nonce, PkceCodeChallenge, RedirectUrl, Scope,
};

use super::SignedIn;
use super::guardians::Guardians;
use super::sign_ins::{Arrival, Refresh, SignIns, Via};
use crate::identity::GuardianId;
use crate::kernel::clock::{Clock, Timestamp};
use crate::kernel::public_url::PublicUrl;
use crate::kernel::randomness::Randomness;
use crate::kernel::secret::{Secret, SecretKind};
use crate::kernel::store::{Change, Purpose, Store, StoreError};

use discovery::Discovery;
use flow::Flow;
use http::HttpClient;

pub use flow::LIFE as FLOW_LIFE;
pub use probe::{ProviderSeen, probe};
pub use settings::ProviderSettings;
pub use stepping_up::ProviderOffer;
pub use store::{KINDS, NOT_RESTORED};

/// How old a sign-in at the provider may be, in which somebody signs in here: it asks nobody to type a password again. But only
/// who is asked for some age must say how old it is (OpenID Connect Core 1.0, section 2, `auth_time`).
const ANY_AGE: Duration = Duration::from_secs(10 * 365 * 24 * 60 * 60);

/// The page to which the provider sends the browser back.
const CALLBACK: &str = "/api/auth/oidc/callback";

/// Why nobody is signed in by the provider.
#[derive(Debug, thiserror::Error)]
pub enum ProviderProblem {
    /// There is no provider.
    #[error("no provider is configured")]
    NotConfigured,
    /// The person, or the provider, said no.
    #[error("consent was denied")]
    Denied,
    /// No guardian has the account's address.
    #[error("no guardian has the account's address")]
    UnknownGuardian,
    /// The provider hasn't verified the account's address. Says which claim is missing or false.
    #[error("the account's address is not verified: {0}")]
    UnverifiedEmail(&'static str),
    /// The account's address is a guardian's, but the provider doesn't say that it verified it.
    #[error(
        "the account is not linked, and its address alone does not link it: email_verified is missing"
    )]
    NotLinked,
    /// The flow is over, was used before, or began in another browser.
    #[error("the flow is over, or is another browser's")]
    Expired,
    /// The account isn't that of the guardian who steps up.
    #[error("the account is not that of the guardian who steps up")]
    OtherAccount,
    /// Something that no parent can mend. The reason is for the log: it holds nothing the provider wrote.
    #[error("{0}")]
    Failed(Cow<'static, str>),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProviderProblem {
    fn failed(reason: impl Into<Cow<'static, str>>) -> Self {
        Self::Failed(reason.into())
    }

    /// The word by which our pages know it.
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

/// What came of a flow.
#[derive(Debug)]
pub enum Completed {
    /// Signed in, with this cookie.
    SignedIn(Refresh),
    /// The sign-in that began the flow has stepped up.
    SteppedUp,
}

/// How a flow ended, and what it was for.
#[derive(Debug)]
pub struct FlowEnd {
    /// Whether it was to step up; `false` also when the flow is not known.
    pub to_step_up: bool,
    /// What came of it.
    pub outcome: Result<Completed, ProviderProblem>,
}

/// What the provider's redirect says.
#[derive(Default)]
pub struct ProviderAnswer {
    /// Which flow it answers.
    pub state: Option<String>,
    /// What can be exchanged for tokens, once.
    pub code: Option<String>,
    /// What went wrong (RFC 6749, section 4.1.2.1).
    pub error: Option<String>,
    /// Who answers (RFC 9207).
    pub issuer: Option<String>,
    /// On what kind of device, as the browser says.
    pub device: Option<String>,
}

/// The provider, as configured.
struct Provider {
    settings: ProviderSettings,
    redirect: RedirectUrl,
    http: HttpClient,
    discovery: Discovery,
    clock: Clock,
}

impl Provider {
    /// The provider; nobody is asked anything yet.
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

    /// Where to send the browser for this flow.
    async fn address(&self, flow: &Flow) -> Result<String, ProviderProblem> {
        let metadata = self
            .discovery
            .metadata_of_one_that_is_there(&self.http)
            .await?;
        let (state, nonce) = (flow.state.clone(), flow.nonce.clone());
        let client = self.client(&metadata);
        let request = client.authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            move || CsrfToken::new(state),
            move || Nonce::new(nonce),
        );
        let request = request.set_max_age(match flow.to_step_up {
            // Somebody who is signed in there proves it again.
            Some(_) => Duration::ZERO,
            None => ANY_AGE,
        });
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&flow.verifier());
        let (url, _, _) = request
            .add_scope(Scope::new("email".into()))
            .add_scope(Scope::new("profile".into()))
            .set_pkce_challenge(challenge)
            .url();
        if settings::keeps_secrets(&url) {
            Ok(url.into())
        } else {
            Err(ProviderProblem::failed(
                "its page is neither https nor on this machine",
            ))
        }
    }
}

/// The façade of signing in with the provider. Clones share it.
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
    pub(super) fn new(
        store: Store,
        clock: Clock,
        randomness: Randomness,
        configured: Option<(ProviderSettings, &PublicUrl)>,
        guardians: Guardians,
        sign_ins: SignIns,
    ) -> Self {
        let provider = configured
            .map(|(settings, public_url)| Provider::new(settings, public_url, clock.clone()));
        Self {
            store,
            clock,
            randomness,
            provider: provider.map(Arc::new),
            guardians,
            sign_ins,
        }
    }

    /// What the button for the provider says, where one is configured.
    pub fn name(&self) -> Option<&str> {
        self.provider
            .as_ref()
            .map(|provider| provider.settings.name.as_str())
    }

    /// Forgets a guardian's accounts.
    pub(super) fn forget(
        &self,
        change: &mut Change,
        guardian: &GuardianId,
    ) -> Result<(), StoreError> {
        store::forget(change, guardian)
    }

    /// Begins to sign in with the provider, or to step this sign-in up: where to go, and the cookie to come back with.
    ///
    /// # Errors
    ///
    /// When no provider is configured, or it can't be reached.
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
        kept.await??;
        Ok((address, cookie))
    }

    /// Signs in whom the provider names, or steps them up, if the answer belongs to the flow that this browser began.
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

    /// Takes the flow out of the store: whatever comes of it, it works once.
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
            // An answer that a stranger made up doesn't end the flow that is under way.
            if state.as_ref() != Some(&flow.state) {
                return Err(ProviderProblem::failed("the answer is to another flow"));
            }
            store::remove_flow(change, hash, &flow)?;
            Ok(flow)
        });
        let flow = taken.await??;
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
        device: Option<String>,
    ) -> Result<Completed, ProviderProblem> {
        let bound = store::account(&self.store, &account.name)?;
        // Only a first sign-in needs to know the address.
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
            let begun = facade
                .sign_ins
                .begin(change, &guardian, Arrival { via, device })?;
            Ok::<_, ProviderProblem>((guardian, begun))
        });
        let (guardian, (sign_in, refresh)) = signed_in.await??;
        self.sign_ins.tell_by_letter(&guardian, &sign_in);
        tracing::info!(guardian = %sign_in.guardian, sign_in = %sign_in.id, "signed in at the provider");
        Ok(Completed::SignedIn(refresh))
    }
}
