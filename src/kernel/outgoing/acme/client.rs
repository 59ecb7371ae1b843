//! The HTTP client for the authority and for DNS providers: https or this machine only, deadlines, bounded answers.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::RETRY_AFTER;
use hyper::{Request, Response, StatusCode};
use instant_acme::{BodyWrapper, BytesResponse, HttpClient};
use url::Url;

use crate::kernel::host::public_url::is_protected;
use crate::kernel::outgoing::https::{self, HttpsBody, HttpsClient};

/// For one request, from connecting to the last byte. An authority checks a request for a certificate while it is waited for.
const DEADLINE: Duration = Duration::from_secs(45);

/// The largest answer in bytes. A chain of certificates has 4 to 8 KiB.
const LARGEST: usize = 256 * 1024;

/// Why a request got no answer. It contains nothing that the server wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    #[error("the address is neither https nor on this machine")]
    Unprotected,
    #[error("it cannot be reached")]
    Unreachable,
    #[error("its answer was too large or broke off")]
    Broken,
}

/// Clones share the connections.
#[derive(Clone)]
pub struct Client {
    client: HttpsClient,
    /// What the last refusal said of when to try again.
    retry_after: Arc<Mutex<Option<Duration>>>,
}

/// Reads the system's root certificates, which takes some 40 ms.
impl Default for Client {
    fn default() -> Self {
        Self {
            client: https::client(https::system_tls(), DEADLINE, DEADLINE),
            retry_after: Arc::default(),
        }
    }
}

impl Client {
    /// How long a server asked to wait, since this was last called.
    pub fn take_retry_after(&self) -> Option<Duration> {
        let mut kept = self
            .retry_after
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        kept.take()
    }

    pub async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, NoAnswer> {
        let url = Url::parse(&request.uri().to_string());
        if !url.is_ok_and(|url| is_protected(&url)) {
            return Err(NoAnswer::Unprotected);
        }
        let answered = tokio::time::timeout(DEADLINE, self.ask(request.map(HttpsBody::from)));
        let answer = answered.await.map_err(|_| NoAnswer::Unreachable)??;
        if matches!(
            answer.status(),
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            let mut kept = self
                .retry_after
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *kept = seconds_to_wait(&answer);
        }
        Ok(answer)
    }

    async fn ask(&self, request: Request<HttpsBody>) -> Result<Response<Bytes>, NoAnswer> {
        let sent = self.client.request(request).await;
        let (head, body) = sent.map_err(|_| NoAnswer::Unreachable)?.into_parts();
        let body = https::read_body(body, LARGEST).await;
        Ok(Response::from_parts(head, body.ok_or(NoAnswer::Broken)?))
    }
}

/// `Retry-After` in seconds; neither deSEC nor the authorities send dates.
fn seconds_to_wait(answer: &Response<Bytes>) -> Option<Duration> {
    let text = answer.headers().get(RETRY_AFTER)?.to_str().ok()?;
    text.trim().parse().ok().map(Duration::from_secs)
}

impl HttpClient for Client {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, instant_acme::Error>> + Send>> {
        let client = self.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let request = Request::from_parts(head, body.to_bytes());
            let answer = client.send(request).await;
            let answer = answer.map_err(|error| instant_acme::Error::Other(error.into()))?;
            Ok(BytesResponse::from(answer.map(Full::new)))
        })
    }
}

/// The error of this client within one of the library.
pub fn no_answer(error: &(dyn Error + 'static)) -> Option<NoAnswer> {
    error.downcast_ref().copied()
}
