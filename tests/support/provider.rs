//! A fake OpenID Connect provider on loopback. It follows the standards unless its [`Script`] says otherwise.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use openidconnect::core::{
    CoreEdDsaPrivateSigningKey, CoreHmacKey, CoreIdToken, CoreIdTokenClaims, CoreJsonWebKeySet,
    CoreJwsSigningAlgorithm,
};
use openidconnect::{
    AccessToken, AccessTokenHash, Audience, EmptyAdditionalClaims, EndUserEmail, IssuerUrl,
    JsonWebKeyId, Nonce, PrivateSigningKey, StandardClaims, SubjectIdentifier,
};
use poem::http::{StatusCode, header};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::{Data, Form, Json};
use poem::{EndpointExt, IntoResponse, Request, Response, Route, Server, get, handler, post};
use porchlight::identity::ProviderSettings;
use porchlight::kernel::clock::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use url::Url;

const CLIENT_ID: &str = "porchlight";
const CLIENT_SECRET: &str = "the provider's s3cret";
const ACCESS_TOKEN: &str = "an access token";

/// How an ID token is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    Valid,
    None,
    ClientSecret,
    UnknownKey,
}

/// The signed-in user, and the faults that the provider shall have.
#[derive(Clone)]
pub struct Script {
    pub subject: &'static str,
    pub email: &'static str,
    pub verified: bool,
    /// Whether the ID token has the e-mail claims. The userinfo endpoint always has them.
    pub email_in_token: bool,
    pub issuer: Option<&'static str>,
    pub audience: Vec<&'static str>,
    pub nonce: Option<&'static str>,
    pub expires: &'static str,
    pub signature: Signature,
    pub access_token_hash: Option<&'static str>,
    /// When the user last proved who they are.
    pub authenticated: Option<&'static str>,
    pub userinfo_subject: Option<&'static str>,
    pub status: StatusCode,
    /// The advertised `token_endpoint_auth_methods_supported`.
    pub secret_methods: Option<&'static [&'static str]>,
}

impl Script {
    fn compliant() -> Self {
        Self {
            subject: "account-7",
            email: "ada@example.org",
            verified: true,
            email_in_token: true,
            issuer: None,
            audience: vec![CLIENT_ID],
            nonce: None,
            expires: "2026-11-21T21:00:00Z",
            signature: Signature::Valid,
            access_token_hash: None,
            authenticated: None,
            userinfo_subject: None,
            status: StatusCode::OK,
            secret_methods: None,
        }
    }
}

/// The grant that a code stands for.
struct Grant {
    nonce: String,
    challenge: String,
    redirect: String,
}

struct State {
    script: Script,
    issuer: String,
    key: u8,
    grants: HashMap<String, Grant>,
    discoveries: usize,
    running: Option<Running>,
}

struct Running {
    end: Arc<Notify>,
    ended: JoinHandle<()>,
}

/// The provider. Clones share their state.
#[derive(Clone)]
pub struct FakeProvider(Arc<Mutex<State>>);

impl FakeProvider {
    /// Starts a new provider.
    pub async fn start_new() -> Self {
        let provider = Self::stopped().await;
        provider.start().await;
        provider
    }

    /// Creates a provider that isn't running.
    pub async fn stopped() -> Self {
        let acceptor = TcpListener::bind("127.0.0.1:0")
            .into_acceptor()
            .await
            .unwrap();
        let address = acceptor.local_addr()[0].as_socket_addr().copied().unwrap();
        Self(Arc::new(Mutex::new(State {
            script: Script::compliant(),
            issuer: format!("http://{address}"),
            key: 1,
            grants: HashMap::new(),
            discoveries: 0,
            running: None,
        })))
    }

    pub async fn start(&self) {
        let address: SocketAddr = self.state().issuer["http://".len()..].parse().unwrap();
        let acceptor = TcpListener::bind(address).into_acceptor().await.unwrap();
        let app = Route::new()
            .at("/.well-known/openid-configuration", get(discovery))
            .at("/keys", get(keys))
            .at("/token", post(exchange))
            .at("/me", get(userinfo))
            .data(self.clone());
        let end = Arc::new(Notify::new());
        let stop = end.clone();
        let ended = tokio::spawn(async move {
            let server = Server::new_with_acceptor(acceptor);
            let served =
                server.run_with_graceful_shutdown(app, stop.notified(), Some(Duration::ZERO));
            served.await.unwrap();
        });
        self.state().running = Some(Running { end, ended });
    }

    pub async fn stop(&self) {
        let running = self.state().running.take().expect("it is running");
        running.end.notify_one();
        running.ended.await.unwrap();
    }

    /// Returns Porchlight's settings for this provider.
    pub fn settings(&self) -> ProviderSettings {
        let secret = Some(CLIENT_SECRET.to_owned());
        ProviderSettings::new(&self.issuer(), CLIENT_ID, secret, "Example ID").unwrap()
    }

    pub fn issuer(&self) -> String {
        self.state().issuer.clone()
    }

    pub fn configure(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.state().script);
    }

    /// Restores the compliant script.
    pub fn reset(&self) {
        self.state().script = Script::compliant();
    }

    /// Rotates the signing key.
    pub fn rotate_key(&self) {
        self.state().key += 1;
    }

    pub fn discoveries(&self) -> usize {
        self.state().discoveries
    }

    /// Consents at the authorization page. Returns the redirect's query.
    pub fn consent(&self, page: &Url) -> String {
        let query: HashMap<_, _> = page.query_pairs().into_owned().collect();
        assert_eq!(query["client_id"], CLIENT_ID);
        assert_eq!(query["response_type"], "code");
        assert_eq!(query["code_challenge_method"], "S256");
        let mut state = self.state();
        let code = format!("code-{}", state.grants.len());
        state.grants.insert(
            code.clone(),
            Grant {
                nonce: query["nonce"].clone(),
                challenge: query["code_challenge"].clone(),
                redirect: query["redirect_uri"].clone(),
            },
        );
        format!("code={code}&state={}&iss={}", query["state"], state.issuer)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }
}

fn signing_key(number: u8) -> CoreEdDsaPrivateSigningKey {
    let key = SigningKey::from_bytes(&[number; 32])
        .to_pkcs8_pem(LineEnding::LF)
        .unwrap();
    let id = JsonWebKeyId::new(format!("key-{number}"));
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(&key, Some(id)).unwrap()
}

#[handler]
fn discovery(provider: Data<&FakeProvider>) -> Response {
    let mut state = provider.state();
    state.discoveries += 1;
    let issuer = &state.issuer;
    let mut document = json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/me"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA", "HS256", "none"],
    });
    if let Some(ways) = state.script.secret_methods {
        document["token_endpoint_auth_methods_supported"] = json!(ways);
    }
    Json(document)
        .with_status(state.script.status)
        .into_response()
}

#[handler]
fn keys(provider: Data<&FakeProvider>) -> Json<Value> {
    let key = signing_key(provider.state().key).as_verification_key();
    Json(serde_json::to_value(CoreJsonWebKeySet::new(vec![key])).unwrap())
}

#[handler]
fn exchange(
    provider: Data<&FakeProvider>,
    request: &Request,
    form: Form<HashMap<String, String>>,
) -> Response {
    let mut state = provider.state();
    // Both are form-encoded, see RFC 6749, section 2.3.1.
    let credentials = format!("{CLIENT_ID}:the+provider%27s+s3cret");
    let basic = format!("Basic {}", STANDARD.encode(credentials));
    let field = |name: &str| form.get(name).map(String::as_str);
    let is_authenticated = match state.script.secret_methods {
        Some(["client_secret_post"]) => {
            [field("client_id"), field("client_secret")] == [Some(CLIENT_ID), Some(CLIENT_SECRET)]
        }
        _ => request.header(header::AUTHORIZATION) == Some(basic.as_str()),
    };
    let verifier = form
        .get("code_verifier")
        .map(String::as_str)
        .unwrap_or_default();
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let grant = form.get("code").and_then(|code| state.grants.remove(code));
    let grant = grant.filter(|grant| {
        grant.challenge == challenge && form.get("redirect_uri") == Some(&grant.redirect)
    });
    match grant {
        Some(grant) if is_authenticated => Json(json!({
            "access_token": ACCESS_TOKEN,
            "token_type": "Bearer",
            "id_token": id_token(&state, &grant),
        }))
        .into_response(),
        _ => Json(json!({"error": "invalid_grant", "error_description": "<b>no</b>"}))
            .with_status(StatusCode::BAD_REQUEST)
            .into_response(),
    }
}

fn id_token(state: &State, grant: &Grant) -> String {
    let script = &state.script;
    let time = |text| Timestamp::parse(text).unwrap();
    let mut about = StandardClaims::new(SubjectIdentifier::new(script.subject.to_owned()));
    if script.email_in_token {
        about = about
            .set_email(Some(EndUserEmail::new(script.email.to_owned())))
            .set_email_verified(Some(script.verified));
    }
    let issuer = script
        .issuer
        .map_or_else(|| state.issuer.clone(), str::to_owned);
    let expires = time(script.expires);
    let claims = CoreIdTokenClaims::new(
        IssuerUrl::new(issuer).unwrap(),
        script
            .audience
            .iter()
            .map(|audience| Audience::new((*audience).to_owned()))
            .collect(),
        expires.to_chrono(),
        expires.to_chrono() - Duration::from_secs(3600),
        about,
        EmptyAdditionalClaims {},
    )
    .set_auth_time(script.authenticated.map(|at| time(at).to_chrono()))
    .set_nonce(Some(Nonce::new(
        script.nonce.unwrap_or(&grant.nonce).to_owned(),
    )))
    .set_access_token_hash(
        script
            .access_token_hash
            .map(|hash| AccessTokenHash::new(hash.into())),
    );
    let access_token = AccessToken::new(ACCESS_TOKEN.to_owned());
    let access_token = script.access_token_hash.is_none().then_some(&access_token);
    let with_key = |number, claims| {
        let key = signing_key(number);
        CoreIdToken::new(
            claims,
            &key,
            CoreJwsSigningAlgorithm::EdDsa,
            access_token,
            None,
        )
    };
    let token = match script.signature {
        Signature::Valid | Signature::None => with_key(state.key, claims),
        Signature::UnknownKey => with_key(99, claims),
        Signature::ClientSecret => {
            let key = CoreHmacKey::new(CLIENT_SECRET);
            let algorithm = CoreJwsSigningAlgorithm::HmacSha256;
            CoreIdToken::new(claims, &key, algorithm, access_token, None)
        }
    };
    let token = token.unwrap().to_string();
    match script.signature {
        // {"alg":"none"}
        Signature::None => format!("eyJhbGciOiJub25lIn0.{}.", token.split('.').nth(1).unwrap()),
        _ => token,
    }
}

#[handler]
fn userinfo(provider: Data<&FakeProvider>, request: &Request) -> Response {
    let script = &provider.state().script;
    if request.header(header::AUTHORIZATION) != Some(&format!("Bearer {ACCESS_TOKEN}")) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    Json(json!({
        "sub": script.userinfo_subject.unwrap_or(script.subject),
        "email": script.email,
        "email_verified": script.verified,
    }))
    .into_response()
}
