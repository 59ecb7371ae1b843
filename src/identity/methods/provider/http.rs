//! The HTTP client for the provider: https or loopback only, a deadline of ten seconds, bounded responses, no redirects.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use openidconnect::http::{HeaderValue, header};
use openidconnect::{AsyncHttpClient, HttpRequest, HttpResponse};
use url::Url;

use super::claims::give_types;
use crate::kernel::host::public_url::is_protected;
use crate::kernel::outgoing::https::{self, HttpsBody, HttpsClient};

/// For one request, from connecting to the last byte: a person is waiting.
const DEADLINE: Duration = Duration::from_secs(10);

/// The largest response, in bytes. Discovery documents and key sets have 2 to 10 KiB.
const LARGEST_ANSWER: usize = 256 * 1024;

/// Why a request failed. It contains nothing written by the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreachable {
    #[error("it sends us to an address that is neither https nor on this machine")]
    Unprotected,
    #[error("it could not be reached")]
    NoConnection,
    #[error("it took longer than ten seconds")]
    TooSlow,
    #[error("its answer was too large or broke off")]
    Broken,
}

impl Unreachable {
    /// The reason for the log.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Unprotected => {
                "it sends us to an address that is neither https nor on this machine"
            }
            Self::NoConnection => "it could not be reached",
            Self::TooSlow => "it took longer than ten seconds",
            Self::Broken => "its answer was too large or broke off",
        }
    }
}

pub struct HttpClient {
    client: HttpsClient,
    /// If set, replaces a request's `Authorization` header.
    authorization: Option<HeaderValue>,
}

impl HttpClient {
    /// Trusts the system's root certificates.
    pub fn new() -> Self {
        Self {
            client: https::client(https::system_tls(), DEADLINE, DEADLINE),
            authorization: None,
        }
    }

    /// Returns the client with this header in place of a request's own.
    pub fn with_authorization(&self, authorization: HeaderValue) -> Self {
        Self {
            client: self.client.clone(),
            authorization: Some(authorization),
        }
    }

    async fn answer(&self, mut request: HttpRequest) -> Result<HttpResponse, Unreachable> {
        let url = Url::parse(&request.uri().to_string());
        if !url.is_ok_and(|url| is_protected(&url)) {
            return Err(Unreachable::Unprotected);
        }
        if let Some(authorization) = &self.authorization {
            let headers = request.headers_mut();
            headers.insert(header::AUTHORIZATION, authorization.clone());
        }
        let sent = self
            .client
            .request(request.map(|body| HttpsBody::from(Bytes::from(body))));
        let (parts, body) = sent
            .await
            .map_err(|_| Unreachable::NoConnection)?
            .into_parts();
        let body = https::read_body(body, LARGEST_ANSWER).await;
        let body = body.ok_or(Unreachable::Broken)?;
        Ok(HttpResponse::from_parts(parts, only_read_members(&body)))
    }
}

/// The members of the provider's JSON that are used: of its discovery document, keys, tokens, errors and the account's claims.
const READ: [&str; 17] = [
    "issuer",
    "authorization_endpoint",
    "token_endpoint",
    "userinfo_endpoint",
    "jwks_uri",
    "response_types_supported",
    "subject_types_supported",
    "id_token_signing_alg_values_supported",
    "token_endpoint_auth_methods_supported",
    "keys",
    "access_token",
    "token_type",
    "id_token",
    "error",
    "sub",
    "email",
    "email_verified",
];

/// Removes unused and empty members from a JSON object, so that malformed ones do no harm: text instead of a number
/// (`expires_in`), or `""` for a URL that a provider doesn't have. Returns anything else unchanged.
fn only_read_members(body: &[u8]) -> Vec<u8> {
    let Ok(mut members) = serde_json::from_slice::<serde_json::Map<_, _>>(body) else {
        return body.to_vec();
    };
    members.retain(|name, value| READ.contains(&name.as_str()) && *value != "");
    give_types(&mut members);
    serde_json::to_vec(&members).expect("it was read as JSON")
}

impl<'c> AsyncHttpClient<'c> for HttpClient {
    type Error = Unreachable;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unreachable>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(async move {
            let answer = tokio::time::timeout(DEADLINE, self.answer(request));
            answer.await.unwrap_or(Err(Unreachable::TooSlow))
        })
    }
}

#[cfg(test)]
mod tests {
    use openidconnect::http::{Request, StatusCode};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Calls a provider that sends these bytes and then waits.
    async fn call(answer: String) -> Result<HttpResponse, Unreachable> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let provider = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut read = [0; 1024];
            let _ = stream.read(&mut read).await.unwrap();
            // The client may close the connection before it has received everything.
            let _ = stream.write_all(answer.as_bytes()).await;
            std::future::pending::<()>().await;
        });
        let called = HttpClient::new().call(get(&url)).await;
        provider.abort();
        called
    }

    fn get(url: &str) -> HttpRequest {
        Request::get(url).body(Vec::new()).unwrap()
    }

    #[tokio::test]
    async fn nobody_is_followed_elsewhere() {
        let redirect =
            "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";

        let answer = call(redirect.to_owned()).await.unwrap();

        assert_eq!(answer.status(), StatusCode::FOUND);
        assert_eq!(answer.headers()[header::LOCATION], "http://127.0.0.1:1/");
    }

    #[tokio::test]
    async fn an_answer_without_end_is_given_up() {
        let declared = LARGEST_ANSWER + 1;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {declared}\r\n\r\n");

        let answer = call(head + &"a".repeat(declared)).await;

        assert_eq!(answer.unwrap_err(), Unreachable::Broken);
    }

    #[tokio::test(start_paused = true)]
    async fn a_provider_that_is_silent_is_given_up() {
        let halfway = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12345";

        assert_eq!(call(String::new()).await.unwrap_err(), Unreachable::TooSlow);
        assert_eq!(
            call(halfway.to_owned()).await.unwrap_err(),
            Unreachable::TooSlow
        );
    }

    #[tokio::test]
    async fn what_could_be_read_on_its_way_is_not_sent() {
        for url in ["http://192.0.2.1/", "http://id.example.org/"] {
            let refused = HttpClient::new().call(get(url)).await.unwrap_err();
            assert_eq!(refused, Unreachable::Unprotected, "{url}");
        }
    }
}
