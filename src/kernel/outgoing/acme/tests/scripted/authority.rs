//! An ACME authority for tests.

use std::sync::{Arc, Mutex};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rcgen::{CertificateParams, Issuer, KeyPair, PublicKeyData, SignatureAlgorithm};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Reply, Server};
use crate::kernel::host::clock::Timestamp;

/// Decides on a request by its number and its path before the authority sees it.
pub enum Fault {
    /// It is answered so.
    Reply(Reply),
    /// It has no answer, and no effect.
    Lost,
    /// It has an effect, and no answer.
    AnswerLost,
}

type Faults = dyn Fn(usize, &str) -> Option<Fault> + Send + Sync;

/// An authority that believes every signature, and looks for challenges in `txt`.
pub struct Authority {
    pub server: Server,
    pub state: Arc<Mutex<AuthorityState>>,
}

pub struct AuthorityState {
    url: String,
    /// The values of the TXT record that it sees.
    pub txt: Arc<Mutex<Vec<String>>>,
    pub faults: Option<Box<Faults>>,
    pub validity: (Timestamp, Timestamp),
    /// The thumbprint of each account's key, and whether it is active.
    pub accounts: Vec<(String, bool)>,
    orders: Vec<OrderState>,
    requests: usize,
    pub issued: usize,
    /// How often an order lists its authorization.
    pub authorizations: usize,
    /// Another name than the ordered one, in authorizations.
    pub identifier: Option<&'static str>,
}

#[derive(Default)]
struct OrderState {
    account: usize,
    name: String,
    status: &'static str,
    certificate: String,
}

impl Authority {
    pub async fn start(txt: Arc<Mutex<Vec<String>>>, validity: (Timestamp, Timestamp)) -> Self {
        let state = Arc::new(Mutex::new(AuthorityState {
            url: String::new(),
            txt,
            faults: None,
            validity,
            accounts: Vec::new(),
            orders: Vec::new(),
            requests: 0,
            issued: 0,
            authorizations: 1,
            identifier: None,
        }));
        let shared = state.clone();
        let server = Server::start_with(|url| {
            shared.lock().unwrap().url = url;
            move |request: &str| shared.lock().unwrap().answer(request)
        })
        .await;
        Self { server, state }
    }

    pub fn directory(&self) -> String {
        format!("{}/directory", self.server.url())
    }

    pub fn set_faults(
        &self,
        faults: impl Fn(usize, &str) -> Option<Fault> + Send + Sync + 'static,
    ) {
        let mut state = self.state.lock().unwrap();
        state.faults = Some(Box::new(faults));
        state.requests = 0;
    }

    pub fn no_faults(&self) {
        self.state.lock().unwrap().faults = None;
    }
}

pub fn problem(status: u16, kind: &str) -> Reply {
    let body =
        json!({ "type": format!("urn:ietf:params:acme:error:{kind}"), "detail": "s3cret detail" });
    Reply {
        headers: vec![("replay-nonce", "n".to_owned())],
        ..(status, body.to_string()).into()
    }
}

impl AuthorityState {
    fn answer(&mut self, request: &str) -> Option<Reply> {
        self.requests += 1;
        let (method, rest) = request.split_once(' ')?;
        let (path, body) = rest.split_once(' ').unwrap_or((rest, ""));
        let fault = self
            .faults
            .as_ref()
            .and_then(|faults| faults(self.requests, path));
        match fault {
            Some(Fault::Reply(reply)) => return Some(reply),
            Some(Fault::Lost) => return None,
            Some(Fault::AnswerLost) => {
                self.reply(method, path, body);
                return None;
            }
            None => {}
        }
        let mut reply = self.reply(method, path, body);
        reply.headers.push(("replay-nonce", "n".to_owned()));
        Some(reply)
    }

    fn reply(&mut self, method: &str, path: &str, body: &str) -> Reply {
        let url = &self.url;
        if path == "/directory" {
            let directory = json!({
                "newNonce": format!("{url}/nonce"), "newAccount": format!("{url}/account"),
                "newOrder": format!("{url}/order"),
            });
            return (200, directory.to_string()).into();
        }
        if method == "HEAD" {
            return (200, String::new()).into();
        }
        let decoded = |field: &str| {
            let jws: Value = serde_json::from_str(body).unwrap();
            let bytes = URL_SAFE_NO_PAD
                .decode(jws[field].as_str().unwrap())
                .unwrap();
            serde_json::from_slice::<Value>(&bytes).unwrap_or_default()
        };
        let (protected, payload) = (decoded("protected"), decoded("payload"));
        if path == "/account" {
            return self.account(&protected["jwk"]);
        }
        let account = protected["kid"]
            .as_str()
            .and_then(|kid| kid.rsplit('/').next());
        let account = account.and_then(|number| number.parse::<usize>().ok());
        let Some(account) = account.filter(|number| *number < self.accounts.len()) else {
            return problem(400, "accountDoesNotExist");
        };
        if !self.accounts[account].1 {
            return problem(403, "unauthorized");
        }
        if path == "/order" {
            self.orders.push(OrderState {
                account,
                name: payload["identifiers"][0]["value"]
                    .as_str()
                    .unwrap()
                    .to_owned(),
                status: "pending",
                ..OrderState::default()
            });
            return self.order(self.orders.len() - 1, 201);
        }
        let mut parts = path.trim_start_matches('/').split('/');
        let (kind, number) = (parts.next().unwrap(), parts.next().unwrap_or_default());
        let number = number.parse::<usize>().unwrap_or(usize::MAX);
        if number >= self.orders.len() {
            return problem(404, "malformed");
        }
        match kind {
            "order" => self.order(number, 200),
            "authorization" => self.authorization(number),
            "challenge" => self.challenge(number),
            "finalize" => self.finalize(number, payload["csr"].as_str().unwrap()),
            "certificate" => (200, self.orders[number].certificate.clone()).into(),
            _ => problem(404, "malformed"),
        }
    }

    fn account(&mut self, jwk: &Value) -> Reply {
        let thumbprint = format!(
            r#"{{"crv":"P-256","kty":"EC","x":{},"y":{}}}"#,
            jwk["x"], jwk["y"]
        );
        let thumbprint = URL_SAFE_NO_PAD.encode(Sha256::digest(thumbprint));
        let known = self.accounts.iter().position(|(it, _)| *it == thumbprint);
        let number = known.unwrap_or_else(|| {
            self.accounts.push((thumbprint, true));
            self.accounts.len() - 1
        });
        if !self.accounts[number].1 {
            return problem(403, "unauthorized");
        }
        Reply {
            headers: vec![("location", format!("{}/accounts/{number}", self.url))],
            ..(if known.is_some() { 200 } else { 201 }, "{}".to_owned()).into()
        }
    }

    fn order(&self, number: usize, status: u16) -> Reply {
        let (order, url) = (&self.orders[number], &self.url);
        let authorization = format!("{url}/authorization/{number}");
        let mut body = json!({
            "status": order.status, "authorizations": vec![authorization; self.authorizations],
            "finalize": format!("{url}/finalize/{number}"),
        });
        if order.status == "valid" {
            body["certificate"] = format!("{url}/certificate/{number}").into();
        }
        if order.status == "invalid" {
            body["error"] = json!({ "type": "urn:ietf:params:acme:error:unauthorized" });
        }
        Reply {
            headers: vec![("location", format!("{url}/order/{number}"))],
            ..(status, body.to_string()).into()
        }
    }

    fn authorization(&self, number: usize) -> Reply {
        let order = &self.orders[number];
        let status = match order.status {
            "ready" => "valid",
            other => other,
        };
        let name = self.identifier.unwrap_or(&order.name);
        let body = json!({
            "status": status, "identifier": { "type": "dns", "value": name },
            "challenges": [{
                "type": "dns-01", "url": format!("{}/challenge/{number}", self.url),
                "token": format!("token-{number}"), "status": "pending",
            }],
        });
        (200, body.to_string()).into()
    }

    fn challenge(&mut self, number: usize) -> Reply {
        let order = &self.orders[number];
        let thumbprint = &self.accounts[order.account].0;
        let expected = Sha256::digest(format!("token-{number}.{thumbprint}"));
        let expected = URL_SAFE_NO_PAD.encode(expected);
        let is_seen = self.txt.lock().unwrap().contains(&expected);
        self.orders[number].status = if is_seen { "ready" } else { "invalid" };
        let body = json!({ "type": "dns-01", "url": "", "token": "", "status": "processing" });
        (200, body.to_string()).into()
    }

    fn finalize(&mut self, number: usize, request: &str) -> Reply {
        let request = URL_SAFE_NO_PAD.decode(request).unwrap();
        let mut params = CertificateParams::new(vec![self.orders[number].name.clone()]).unwrap();
        let at = |moment: Timestamp| time_of(moment.micros() / 1_000_000);
        (params.not_before, params.not_after) = (at(self.validity.0), at(self.validity.1));
        let key = KeyPair::generate().unwrap();
        let issuer = Issuer::new(CertificateParams::default(), key);
        let made = params.signed_by(&Requested::of(&request), &issuer).unwrap();
        let order = &mut self.orders[number];
        order.certificate = made.pem();
        order.status = "valid";
        self.issued += 1;
        self.order(number, 200)
    }
}

fn time_of(seconds: i64) -> cookie::time::OffsetDateTime {
    cookie::time::OffsetDateTime::from_unix_timestamp(seconds).unwrap()
}

/// The key of a request for a certificate: the point of the curve behind the algorithm's identifiers.
struct Requested(Vec<u8>);

impl Requested {
    fn of(request: &[u8]) -> Self {
        let p256 = STANDARD
            .decode("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA=")
            .unwrap();
        let at = request.windows(p256.len()).position(|it| it == p256);
        let point = at.expect("a key on P-256") + p256.len();
        Self(request[point..point + 65].to_vec())
    }
}

impl PublicKeyData for Requested {
    fn der_bytes(&self) -> &[u8] {
        &self.0
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_ECDSA_P256_SHA256
    }
}
