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
    CoreEdDsaPrivateSigningKey, CoreHmacKey, CoreIdTokenClaims, CoreJsonWebKey, CoreJsonWebKeySet,
    CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey,
};
use openidconnect::{
    AccessToken, AccessTokenHash, Audience, EmptyAdditionalClaims, EndUserEmail, IssuerUrl,
    JsonWebKey, JsonWebKeyId, Nonce, PrivateSigningKey, StandardClaims, SubjectIdentifier,
};
use poem::http::{StatusCode, header};
use poem::listener::{Acceptor, Listener, TcpListener};
use poem::web::{Data, Form, Json};
use poem::{EndpointExt, IntoResponse, Request, Response, Route, Server, get, handler, post};
use porchlight::identity::ProviderSettings;
use porchlight::kernel::host::clock::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use url::Url;

const CLIENT_ID: &str = "porchlight";
const CLIENT_SECRET: &str = "the provider's s3cret";
const ACCESS_TOKEN: &str = "an access token";

/// An RSA key of 1024 bits.
const SHORT_KEY: &str = include_str!("../fixtures/rsa-1024.pem");

/// How an ID token is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    Valid,
    None,
    ClientSecret,
    UnknownKey,
    /// By an RSA key of 1024 bits, which is also the only published one.
    ShortKey,
}

/// The JSON that the provider sends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Document {
    Discovery,
    Keys,
    Tokens,
    /// Of the ID token.
    Header,
    /// Of the ID token.
    Claims,
    UserInfo,
}

/// How the provider reads the client's id and secret in HTTP Basic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Basic {
    /// Form-encoded (RFC 6749, section 2.3.1).
    Encoded,
    /// Not encoded.
    Raw,
}

/// The signed-in user, and the provider's faults.
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
    /// When the user last authenticated.
    pub authenticated: Option<&'static str>,
    pub userinfo_subject: Option<&'static str>,
    pub status: StatusCode,
    /// The advertised `token_endpoint_auth_methods_supported`.
    pub secret_methods: Option<&'static [&'static str]>,
    pub basic: Basic,
    /// Changes a document before it is sent; an ID token is signed afterwards.
    pub alter: fn(Document, &mut Value),
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
            basic: Basic::Encoded,
            alter: |_, _| {},
        }
    }
}

/// The grant of an authorization code.
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

fn short_key() -> CoreRsaPrivateSigningKey {
    let id = JsonWebKeyId::new("short".to_owned());
    CoreRsaPrivateSigningKey::from_pem(SHORT_KEY, Some(id)).unwrap()
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
    (state.script.alter)(Document::Discovery, &mut document);
    Json(document)
        .with_status(state.script.status)
        .into_response()
}

#[handler]
fn keys(provider: Data<&FakeProvider>) -> Json<Value> {
    let state = provider.state();
    let key = match state.script.signature {
        Signature::ShortKey => short_key().as_verification_key(),
        _ => signing_key(state.key).as_verification_key(),
    };
    let mut keys = serde_json::to_value(CoreJsonWebKeySet::new(vec![key])).unwrap();
    (state.script.alter)(Document::Keys, &mut keys);
    Json(keys)
}

#[handler]
fn exchange(
    provider: Data<&FakeProvider>,
    request: &Request,
    form: Form<HashMap<String, String>>,
) -> Response {
    let mut state = provider.state();
    let credentials = match state.script.basic {
        Basic::Encoded => format!("{CLIENT_ID}:the+provider%27s+s3cret"),
        Basic::Raw => format!("{CLIENT_ID}:{CLIENT_SECRET}"),
    };
    let basic = format!("Basic {}", STANDARD.encode(credentials));
    let field = |name: &str| form.get(name).map(String::as_str);
    let is_authenticated = match state.script.secret_methods {
        Some(["client_secret_post"]) => {
            [field("client_id"), field("client_secret")] == [Some(CLIENT_ID), Some(CLIENT_SECRET)]
        }
        _ => request.header(header::AUTHORIZATION) == Some(basic.as_str()),
    };
    if !is_authenticated {
        return Json(json!({"error": "invalid_client"}))
            .with_status(StatusCode::UNAUTHORIZED)
            .into_response();
    }
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
        Some(grant) => {
            let mut tokens = json!({
                "access_token": ACCESS_TOKEN,
                "token_type": "Bearer",
                "id_token": id_token(&state, &grant),
            });
            (state.script.alter)(Document::Tokens, &mut tokens);
            Json(tokens).into_response()
        }
        None => Json(json!({"error": "invalid_grant", "error_description": "<b>no</b>"}))
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
    )));
    let (key, algorithm) = verification_key(state);
    let own_hash = || {
        let access_token = AccessToken::new(ACCESS_TOKEN.to_owned());
        AccessTokenHash::from_token(&access_token, &algorithm, &key).unwrap()
    };
    let hash = script
        .access_token_hash
        .map_or_else(own_hash, |hash| AccessTokenHash::new(hash.into()));
    let claims = claims.set_access_token_hash(Some(hash));
    let mut claims = serde_json::to_value(claims).unwrap();
    (script.alter)(Document::Claims, &mut claims);
    let mut header = match script.signature {
        Signature::None => json!({"alg": "none"}),
        _ => json!({"alg": algorithm, "kid": key.key_id()}),
    };
    (script.alter)(Document::Header, &mut header);
    let encoded = |json: Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let signed = format!("{}.{}", encoded(header), encoded(claims));
    let signature = sign(state, &algorithm, signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Returns the key that verifies an ID token, and how it is signed.
fn verification_key(state: &State) -> (CoreJsonWebKey, CoreJwsSigningAlgorithm) {
    let ed25519 = |number| signing_key(number).as_verification_key();
    match state.script.signature {
        Signature::Valid | Signature::None => (ed25519(state.key), CoreJwsSigningAlgorithm::EdDsa),
        Signature::UnknownKey => (ed25519(99), CoreJwsSigningAlgorithm::EdDsa),
        Signature::ClientSecret => {
            let key = CoreHmacKey::new(CLIENT_SECRET).as_verification_key();
            (key, CoreJwsSigningAlgorithm::HmacSha256)
        }
        Signature::ShortKey => {
            let key = short_key().as_verification_key();
            (key, CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256)
        }
    }
}

fn sign(state: &State, algorithm: &CoreJwsSigningAlgorithm, message: &[u8]) -> Vec<u8> {
    let signed = match state.script.signature {
        Signature::None => Ok(Vec::new()),
        Signature::Valid => signing_key(state.key).sign(algorithm, message),
        Signature::UnknownKey => signing_key(99).sign(algorithm, message),
        Signature::ClientSecret => CoreHmacKey::new(CLIENT_SECRET).sign(algorithm, message),
        Signature::ShortKey => short_key().sign(algorithm, message),
    };
    signed.unwrap()
}

#[handler]
fn userinfo(provider: Data<&FakeProvider>, request: &Request) -> Response {
    let script = &provider.state().script;
    if request.header(header::AUTHORIZATION) != Some(&format!("Bearer {ACCESS_TOKEN}")) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let mut claims = json!({
        "sub": script.userinfo_subject.unwrap_or(script.subject),
        "email": script.email,
        "email_verified": script.verified,
    });
    (script.alter)(Document::UserInfo, &mut claims);
    Json(claims).into_response()
}
