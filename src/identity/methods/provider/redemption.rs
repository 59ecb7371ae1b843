//! Exchanges the authorization code for tokens and validates them as OpenID Connect requires.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use openidconnect::core::{
    CoreClient, CoreClientAuthMethod, CoreErrorResponseType, CoreIdToken, CoreIdTokenClaims,
    CoreIdTokenVerifier, CoreProviderMetadata, CoreTokenResponse, CoreUserInfoClaims,
};
use openidconnect::http::HeaderValue;
use openidconnect::{
    AccessToken, AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId,
    ClientSecret, EndUserEmail, EndpointMaybeSet, EndpointNotSet, EndpointSet, Nonce,
    OAuth2TokenResponse, RedirectUrl, RequestTokenError, SignatureVerificationError, TokenResponse,
};
use url::form_urlencoded::byte_serialize;

use super::claims::AsSigned;
use super::flow::Flow;
use super::store::AccountName;
use super::token_client::TokenClient;
use super::{Provider, ProviderProblem, keys};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::outgoing::mail::EmailAddress;

/// The longest subject (OpenID Connect Core 1.0, section 2), in bytes.
const LONGEST_SUBJECT: usize = 255;

/// Logged for a token with another audience besides us.
const OTHER_AUDIENCE: &str = "its ID token is for another audience";

/// Logged for a token that is invalid for any other reason.
const INVALID: &str = "its ID token does not hold";

/// A client of the provider that this metadata describes.
pub type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

pub fn client(
    metadata: &CoreProviderMetadata,
    id: ClientId,
    secret: Option<ClientSecret>,
    redirect: RedirectUrl,
) -> Client {
    // client_secret_basic is the default unless the metadata says otherwise (Discovery 1.0, section 3).
    let in_the_body = metadata
        .token_endpoint_auth_methods_supported()
        .is_some_and(|methods| {
            methods.contains(&CoreClientAuthMethod::ClientSecretPost)
                && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        });
    let client = CoreClient::from_provider_metadata(metadata.clone(), id, secret);
    let client = client.set_redirect_uri(redirect);
    if in_the_body {
        client.set_auth_type(AuthType::RequestBody)
    } else {
        client
    }
}

/// The account that a code was redeemed for, with its claims.
pub struct Redeemed {
    pub name: AccountName,
    claims: CoreIdTokenClaims,
    access_token: AccessToken,
    metadata: Arc<CoreProviderMetadata>,
}

impl Redeemed {
    /// When the account's holder last authenticated, if the ID token contains it.
    pub fn authenticated_at(&self) -> Option<Timestamp> {
        let at = self.claims.auth_time()?;
        Some(Timestamp::from_micros(at.timestamp_micros()))
    }
}

pub struct AccountEmail {
    pub address: EmailAddress,
    /// Whether the provider verified it. If not, the provider doesn't say, and the administrator trusts it.
    pub is_verified: bool,
}

struct Refused {
    /// For the log. It quotes nothing sent by the provider.
    reason: Cow<'static, str>,
    /// Whether the provider may have signed with a key that is newer than the known ones.
    may_be_a_new_key: bool,
}

impl Refused {
    fn because(reason: impl Into<Cow<'static, str>>) -> Self {
        Self {
            reason: reason.into(),
            may_be_a_new_key: false,
        }
    }
}

impl From<ClaimsVerificationError> for Refused {
    fn from(error: ClaimsVerificationError) -> Self {
        Self {
            reason: what_is_wrong(&error).into(),
            may_be_a_new_key: matches!(
                error,
                ClaimsVerificationError::SignatureVerification(
                    SignatureVerificationError::NoMatchingKey
                        | SignatureVerificationError::CryptoError(_)
                        | SignatureVerificationError::AmbiguousKeyId(_)
                )
            ),
        }
    }
}

impl Provider {
    /// Exchanges the code for tokens and checks them.
    pub async fn redeem(&self, code: String, flow: &Flow) -> Result<Redeemed, ProviderProblem> {
        let mut metadata = self.discovery.metadata(&self.http).await?;
        let (tokens, as_signed) = self.exchange(&metadata, code, flow).await?;
        let as_signed = as_signed.as_ref();
        let token = tokens
            .id_token()
            .ok_or(ProviderProblem::failed("it sent no ID token"))?;
        let access_token = tokens.access_token();
        let claims = match self.check(&metadata, token, as_signed, access_token, flow) {
            // The keys may have changed. They are fetched again once.
            Err(refused) if refused.may_be_a_new_key => {
                metadata = self.discovery.renewed(&self.http, &metadata).await?;
                self.check(&metadata, token, as_signed, access_token, flow)
            }
            checked => checked,
        };
        let claims = claims.map_err(|refused| ProviderProblem::failed(refused.reason))?;
        let subject = claims.subject().as_str();
        if subject.is_empty() || subject.len() > LONGEST_SUBJECT {
            return Err(ProviderProblem::failed("its ID token names no subject"));
        }
        Ok(Redeemed {
            name: AccountName {
                issuer: self.settings.issuer().to_string(),
                subject: subject.to_owned(),
            },
            claims,
            access_token: access_token.clone(),
            metadata,
        })
    }

    /// Exchanges the code. Some providers compare the secret in HTTP Basic without decoding it, so after `invalid_client` or
    /// `unauthorized_client` it is sent again without encoding. The code still works then: only an authenticated client's request uses it up.
    async fn exchange(
        &self,
        metadata: &CoreProviderMetadata,
        code: String,
        flow: &Flow,
    ) -> Result<(CoreTokenResponse, Option<AsSigned>), ProviderProblem> {
        let client = self.client(metadata);
        let request = || {
            let request = client.exchange_code(AuthorizationCode::new(code.clone()));
            request.map(|request| request.set_pkce_verifier(flow.verifier()))
        };
        let no_endpoint = |_| ProviderProblem::failed("it names no token endpoint");
        let mut http = TokenClient::new(&self.http);
        let sent = request().map_err(no_endpoint)?.request_async(&http).await;
        let unencoded = self.unencoded_credentials();
        let unencoded = unencoded.map(|credentials| self.http.with_authorization(credentials));
        let tokens = match (sent, &unencoded) {
            (Err(RequestTokenError::ServerResponse(answer)), Some(unencoded))
                if matches!(
                    answer.error(),
                    CoreErrorResponseType::InvalidClient
                        | CoreErrorResponseType::UnauthorizedClient
                ) && matches!(client.auth_type(), AuthType::BasicAuth) =>
            {
                http = TokenClient::new(unencoded);
                request().map_err(no_endpoint)?.request_async(&http).await
            }
            (answer, _) => answer,
        };
        let tokens = tokens.map_err(|error| {
            ProviderProblem::failed(match error {
                RequestTokenError::ServerResponse(answer)
                    if *answer.error() == CoreErrorResponseType::InvalidClient =>
                {
                    "it did not take the client id and the secret"
                }
                RequestTokenError::ServerResponse(_) => "it did not take the code",
                RequestTokenError::Request(unreachable) => unreachable.reason(),
                _ => "its answer to the code cannot be read",
            })
        })?;
        Ok((tokens, http.into_token()))
    }

    /// The client id and secret for HTTP Basic unencoded, if encoding them (RFC 6749, section 2.3.1) changes them.
    fn unencoded_credentials(&self) -> Option<HeaderValue> {
        let (id, secret) = (&self.settings.client_id, self.settings.client_secret()?);
        let is_unchanged = |text: &str| byte_serialize(text.as_bytes()).collect::<String>() == text;
        if is_unchanged(id) && is_unchanged(secret) {
            return None;
        }
        let credentials = STANDARD.encode(format!("{id}:{secret}"));
        HeaderValue::try_from(format!("Basic {credentials}")).ok()
    }

    /// Checks an ID token: signature, issuer, audience, time, nonce (OpenID Connect Core 1.0, section 3.1.3.7), and that the
    /// access token belongs to it (3.1.3.8). The signature is that of the token as it was signed.
    fn check(
        &self,
        metadata: &CoreProviderMetadata,
        token: &CoreIdToken,
        as_signed: Option<&AsSigned>,
        access_token: &AccessToken,
        flow: &Flow,
    ) -> Result<CoreIdTokenClaims, Refused> {
        if let Ok(algorithm) = token.signing_alg()
            && let Some(reason) = keys::unsupported_algorithm(algorithm)
        {
            return Err(Refused::because(reason));
        }
        let (clock, other_audiences) = (self.clock.clone(), &self.settings.audiences);
        let client_id = ClientId::new(self.settings.client_id.clone());
        let mut verifier = CoreIdTokenVerifier::new_public_client(
            client_id.clone(),
            self.settings.issuer().clone(),
            keys::keys_for(token, metadata.jwks()),
        )
        .set_allowed_algs(keys::ALGORITHMS)
        .set_other_audience_verifier_fn(|audience| other_audiences.contains(audience))
        .set_time_fn(move || clock.now().to_chrono());
        let key = token.signing_key(&verifier).cloned();
        if let Some(reason) = key.as_ref().ok().and_then(keys::unsupported_key) {
            return Err(Refused::because(reason));
        }
        if let Some(as_signed) = as_signed {
            let key = key
                .as_ref()
                .map_err(|error| ClaimsVerificationError::SignatureVerification(error.clone()))?;
            let algorithm = token.signing_alg();
            let algorithm = algorithm.map_err(|_| Refused::because(INVALID))?;
            if !as_signed.is_by(key, algorithm) {
                let wrong = SignatureVerificationError::CryptoError(String::new());
                return Err(ClaimsVerificationError::SignatureVerification(wrong).into());
            }
            // It was checked just now. That of the token with other claims can't be right.
            verifier = verifier.insecure_disable_signature_check();
        }
        let claims = token.claims(&verifier, &Nonce::new(flow.nonce.clone()))?;
        // With several audiences, `azp` must name us.
        let issued_to = claims.authorized_party();
        if claims.audiences().len() > 1 && issued_to.is_some_and(|party| *party != client_id) {
            return Err(Refused::because(OTHER_AUDIENCE));
        }
        if let Some(expected) = claims.access_token_hash() {
            let wrong = || Refused::because(INVALID);
            let algorithm = token.signing_alg().map_err(|_| wrong())?;
            let actual = AccessTokenHash::from_token(
                access_token,
                algorithm,
                key.as_ref().map_err(|_| wrong())?,
            );
            if actual.map_err(|_| wrong())? != *expected {
                return Err(wrong());
            }
        }
        Ok(claims.clone())
    }

    /// The account's address, if the provider has verified it or it is trusted: from the ID token, or else from the UserInfo
    /// endpoint (OpenID Connect Core 1.0, section 5.3).
    pub async fn email(&self, account: &Redeemed) -> Result<AccountEmail, ProviderProblem> {
        let claims = &account.claims;
        let of_token = (claims.email(), claims.email_verified());
        if let (Some(_), Some(_)) = of_token {
            return self.counting(of_token);
        }
        let client = self.client(&account.metadata);
        let subject = Some(claims.subject().clone());
        let Ok(request) = client.user_info(account.access_token.clone(), subject) else {
            return self.counting(of_token);
        };
        let info: CoreUserInfoClaims = request
            .request_async(&self.http)
            .await
            .map_err(|_| ProviderProblem::failed("it does not tell the account's address"))?;
        match info.email() {
            Some(email) => {
                let verified = info.email_verified().or(claims.email_verified());
                self.counting((Some(email), verified))
            }
            None => self.counting(of_token),
        }
    }

    /// The address in the claims `email` and `email_verified`, if it is verified or trusted.
    fn counting(
        &self,
        (email, verified): (Option<&EndUserEmail>, Option<bool>),
    ) -> Result<AccountEmail, ProviderProblem> {
        let unverified = |reason| Err(ProviderProblem::UnverifiedEmail(reason));
        let Some(email) = email else {
            return unverified("email is missing");
        };
        let is_verified = match verified {
            Some(true) => true,
            Some(false) => return unverified("email_verified is false"),
            None if self.settings.trusts_email => false,
            None => return unverified("email_verified is missing"),
        };
        let address = email.parse();
        Ok(AccountEmail {
            address: address.map_err(|_| ProviderProblem::UnknownGuardian)?,
            is_verified,
        })
    }
}

/// The reason for the log. It quotes nothing sent by the provider.
fn what_is_wrong(error: &ClaimsVerificationError) -> &'static str {
    match error {
        ClaimsVerificationError::Expired(_) => "its ID token has expired",
        ClaimsVerificationError::InvalidAudience(_) => OTHER_AUDIENCE,
        ClaimsVerificationError::InvalidIssuer(_) => "its ID token is another issuer's",
        ClaimsVerificationError::InvalidNonce(_) => "its ID token is for another flow",
        ClaimsVerificationError::SignatureVerification(_) => "its ID token's signature is wrong",
        _ => INVALID,
    }
}
