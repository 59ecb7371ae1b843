//! Exchanges the authorization code for tokens and validates them as OpenID Connect requires.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use openidconnect::core::{
    CoreClient, CoreClientAuthMethod, CoreIdToken, CoreIdTokenClaims, CoreIdTokenVerifier,
    CoreJwsSigningAlgorithm, CoreProviderMetadata, CoreUserInfoClaims,
};
use openidconnect::{
    AccessToken, AccessTokenHash, AuthType, AuthorizationCode, ClaimsVerificationError, ClientId,
    ClientSecret, EndpointMaybeSet, EndpointNotSet, EndpointSet, Nonce, OAuth2TokenResponse,
    RedirectUrl, RequestTokenError, SignatureVerificationError, TokenResponse,
};

use super::flow::Flow;
use super::store::AccountName;
use super::{Provider, ProviderProblem};
use crate::kernel::clock::Timestamp;
use crate::kernel::mail::EmailAddress;

/// How the provider may sign: with a key pair of its own. Our secret signs nothing (HS256), and "none" is
/// no signature.
const ALGORITHMS: [CoreJwsSigningAlgorithm; 9] = [
    CoreJwsSigningAlgorithm::EdDsa,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EcdsaP384Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha384,
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha512,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha384,
    CoreJwsSigningAlgorithm::RsaSsaPssSha512,
];

/// The longest subject (OpenID Connect Core 1.0, section 2), in bytes.
const LONGEST_SUBJECT: usize = 255;

/// A client of the provider that this metadata describes.
pub type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// Sets the client up.
pub fn client(
    metadata: &CoreProviderMetadata,
    id: ClientId,
    secret: Option<ClientSecret>,
    redirect: RedirectUrl,
) -> Client {
    // client_secret_basic is what every provider takes unless it says otherwise (Discovery 1.0, section 3).
    let in_the_body = metadata
        .token_endpoint_auth_methods_supported()
        .is_some_and(|methods| {
            methods.contains(&CoreClientAuthMethod::ClientSecretPost)
                && !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
        });
    let client = CoreClient::from_provider_metadata(metadata.clone(), id, secret);
    let client = client.set_redirect_uri(redirect);
    match in_the_body {
        true => client.set_auth_type(AuthType::RequestBody),
        false => client,
    }
}

/// The account that a code stood for, and what the provider says of it.
pub struct Redeemed {
    pub name: AccountName,
    claims: CoreIdTokenClaims,
    access_token: AccessToken,
    metadata: Arc<CoreProviderMetadata>,
}

impl Provider {
    /// Exchanges the code for tokens and checks them.
    pub async fn redeem(&self, code: String, flow: &Flow) -> Result<Redeemed, ProviderProblem> {
        let mut metadata = self.discovery.metadata(&self.http).await?;
        let tokens = self
            .client(&metadata)
            .exchange_code(AuthorizationCode::new(code))
            .map_err(|_| ProviderProblem::failed("it names no token endpoint"))?
            .set_pkce_verifier(flow.verifier())
            .request_async(&self.http)
            .await
            .map_err(|error| {
                ProviderProblem::failed(match error {
                    RequestTokenError::ServerResponse(_) => "it did not take the code",
                    RequestTokenError::Request(unreachable) => unreachable.reason(),
                    _ => "its answer to the code cannot be read",
                })
            })?;
        let token = tokens
            .id_token()
            .ok_or(ProviderProblem::failed("it sent no ID token"))?;
        let access_token = tokens.access_token();
        let claims = match self.check(&metadata, token, access_token, flow) {
            // It may have other keys by now. They are asked for once.
            Err(ClaimsVerificationError::SignatureVerification(error))
                if may_be_a_new_key(&error) =>
            {
                metadata = self.discovery.renewed(&self.http, &metadata).await?;
                self.check(&metadata, token, access_token, flow)
            }
            checked => checked,
        };
        let claims = claims.map_err(|error| ProviderProblem::failed(what_is_wrong(&error)))?;
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

    /// Checks an ID token: signature, issuer, audience, time, nonce (OpenID Connect Core 1.0, section
    /// 3.1.3.7), and that the access token came with it (3.1.3.8).
    fn check(
        &self,
        metadata: &CoreProviderMetadata,
        token: &CoreIdToken,
        access_token: &AccessToken,
        flow: &Flow,
    ) -> Result<CoreIdTokenClaims, ClaimsVerificationError> {
        let clock = self.clock.clone();
        let verifier = CoreIdTokenVerifier::new_public_client(
            ClientId::new(self.settings.client_id.clone()),
            self.settings.issuer().clone(),
            metadata.jwks().clone(),
        )
        .set_allowed_algs(ALGORITHMS)
        .set_time_fn(move || clock.now().to_chrono())
        .set_auth_time_verifier_fn(|at| authenticated_for(flow, at));
        let claims = token.claims(&verifier, &Nonce::new(flow.nonce.clone()))?;
        if let Some(expected) = claims.access_token_hash() {
            let wrong = || ClaimsVerificationError::Other("at_hash".to_owned());
            let algorithm = token.signing_alg().map_err(|_| wrong())?;
            let key = token.signing_key(&verifier).map_err(|_| wrong())?;
            let actual = AccessTokenHash::from_token(access_token, algorithm, key);
            if actual.map_err(|_| wrong())? != *expected {
                return Err(wrong());
            }
        }
        Ok(claims.clone())
    }

    /// The account's address, if the provider has verified it: from the ID token, or else from where
    /// further claims are kept (OpenID Connect Core 1.0, section 5.3).
    pub async fn verified_email(
        &self,
        account: &Redeemed,
    ) -> Result<EmailAddress, ProviderProblem> {
        let claims = &account.claims;
        if let (Some(email), Some(verified)) = (claims.email(), claims.email_verified()) {
            return verified_address(email, verified);
        }
        let client = self.client(&account.metadata);
        let subject = Some(claims.subject().clone());
        let Ok(request) = client.user_info(account.access_token.clone(), subject) else {
            return Err(ProviderProblem::UnverifiedEmail);
        };
        let info: CoreUserInfoClaims = request
            .request_async(&self.http)
            .await
            .map_err(|_| ProviderProblem::failed("it does not tell the account's address"))?;
        match (info.email(), info.email_verified()) {
            (Some(email), Some(verified)) => verified_address(email, verified),
            _ => Err(ProviderProblem::UnverifiedEmail),
        }
    }
}

/// Stepping up takes an account holder who has just proved who they are (OpenID Connect Core 1.0, section 3.1.2.1, `max_age`).
fn authenticated_for(flow: &Flow, at: Option<DateTime<Utc>>) -> Result<(), String> {
    let at = at.map(|at| Timestamp::from_micros(at.timestamp_micros()));
    match &flow.to_step_up {
        Some(_) if !at.is_some_and(|at| flow.is_fresh(at)) => Err("auth_time".to_owned()),
        _ => Ok(()),
    }
}

fn verified_address(email: &str, verified: bool) -> Result<EmailAddress, ProviderProblem> {
    match verified {
        true => email.parse().map_err(|_| ProviderProblem::UnknownGuardian),
        false => Err(ProviderProblem::UnverifiedEmail),
    }
}

fn may_be_a_new_key(error: &SignatureVerificationError) -> bool {
    matches!(
        error,
        SignatureVerificationError::NoMatchingKey
            | SignatureVerificationError::CryptoError(_)
            | SignatureVerificationError::AmbiguousKeyId(_)
    )
}

/// The reason for the log. It quotes nothing that the provider sent.
fn what_is_wrong(error: &ClaimsVerificationError) -> &'static str {
    match error {
        ClaimsVerificationError::Expired(_) => "its ID token has expired",
        ClaimsVerificationError::InvalidAudience(_) => "its ID token is for another audience",
        ClaimsVerificationError::InvalidIssuer(_) => "its ID token is another issuer's",
        ClaimsVerificationError::InvalidNonce(_) => "its ID token is for another flow",
        ClaimsVerificationError::SignatureVerification(_) => "its ID token's signature is wrong",
        ClaimsVerificationError::InvalidAuthTime(_) => "its ID token tells no fresh auth_time",
        _ => "its ID token does not hold",
    }
}
