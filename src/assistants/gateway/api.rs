//! The gateway's endpoints. They speak OpenAI's and Ollama's APIs, so they are not in this server's contract.

use bytes::Bytes;
use futures_util::stream;
use poem::http::uri::PathAndQuery;
use poem::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use poem::{Body, Endpoint, Request, Response, Result};

use super::address;
use super::dialect::Dialect;
use super::error::GatewayError;
use super::load::Load;
use super::response::{GatewayBody, GatewayResponse};
use super::service::Gateway;
use crate::identity::KeyKind;
use crate::identity::api::{assistant_of, bearer_of};
use crate::kernel::host::public_url::PublicUrl;
use crate::kernel::http::problem::Refusal;
use crate::kernel::http::wire::{LARGE, read_body};

/// Where the endpoints are.
pub const PREFIX: &str = "/gateway";

const MODEL: &str = "/gateway/v1/models/";
const OLLAMA_CHAT: &str = "/gateway/api/chat";
const OLLAMA_GENERATE: &str = "/gateway/api/generate";

/// The headers in which some clients send their key. `Authorization: Bearer` comes first.
const KEYS: [HeaderName; 2] = [
    HeaderName::from_static("api-key"),
    HeaderName::from_static("x-api-key"),
];

/// The paths and their methods. `{id}` is one segment or more.
pub const OPERATIONS: [(&str, &str); 8] = [
    ("POST", "/gateway/v1/chat/completions"),
    ("GET", "/gateway/v1/models"),
    ("GET", "/gateway/v1/models/{id}"),
    ("POST", OLLAMA_CHAT),
    ("POST", OLLAMA_GENERATE),
    ("POST", "/gateway/api/show"),
    ("GET", "/gateway/api/tags"),
    ("GET", "/gateway/api/version"),
];

fn dialect_of(path: &str) -> Dialect {
    if path.starts_with("/gateway/api/") {
        Dialect::Ollama
    } else {
        Dialect::OpenAi
    }
}

/// Gives a request for the gateway the path and the header that the operations and the checks before them expect. Other requests
/// stay as they are.
pub fn normalise(request: &mut Request) {
    let Some(path) = address::canonical(request.uri().path()) else {
        return;
    };
    if path != request.uri().path() {
        let query = request.uri().query();
        let path = query.map_or_else(|| path.clone(), |query| format!("{path}?{query}"));
        // A part of a valid path is valid.
        if let Ok(path) = path.parse::<PathAndQuery>() {
            let mut parts = request.uri().clone().into_parts();
            parts.path_and_query = Some(path);
            if let Ok(uri) = Uri::from_parts(parts) {
                *request.uri_mut() = uri;
            }
        }
    }
    let headers = request.headers_mut();
    if bearer_of(headers).is_none()
        && let Some(key) = KEYS.iter().find_map(|name| headers.get(name))
        && let Ok(value) = HeaderValue::from_bytes(&[b"Bearer ", key.as_bytes()].concat())
    {
        headers.insert(header::AUTHORIZATION, value);
    }
}

/// The response to a client that was given the server's bare address; `None` for all other paths.
pub fn misdirected(path: &str, public_url: &PublicUrl) -> Option<Response> {
    let dialect = address::misdirected(path)?;
    let path = match dialect {
        Dialect::OpenAi => "/gateway/v1",
        Dialect::Ollama => "/gateway",
    };
    let error = GatewayError::not_found(&format!(
        "There is nothing here. The address for this program is {public_url}{path}",
    ));
    Some(as_sent(error.into_response(dialect)))
}

pub struct GatewayApi(pub Gateway);

impl Endpoint for GatewayApi {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let dialect = dialect_of(request.uri().path());
        let answer = self.answer(dialect, &request).await;
        Ok(as_sent(
            answer.unwrap_or_else(|error| error.into_response(dialect)),
        ))
    }
}

impl GatewayApi {
    async fn answer(
        &self,
        dialect: Dialect,
        request: &Request,
    ) -> Result<GatewayResponse, GatewayError> {
        let assistant = assistant_of(request).map_err(invalid_key)?;
        if !assistant.opens(KeyKind::Gateway) {
            return Err(GatewayError::wrong_key());
        }
        let gateway = &self.0;
        let method = request.method().clone();
        let path = request.uri().path().to_owned();
        match (&method, path.as_str()) {
            (&Method::POST, "/gateway/v1/chat/completions" | OLLAMA_CHAT) => {
                if dialect == Dialect::Ollama {
                    gateway.ollama_of(&assistant)?;
                }
                let body = body(request).await?;
                if dialect == Dialect::Ollama
                    && let Some(load) = Load::of(&body)
                {
                    return gateway.load(&assistant, "/api/chat", load).await;
                }
                gateway
                    .chat(dialect, assistant, request.headers(), body)
                    .await
            }
            (&Method::GET, "/gateway/v1/models") => gateway.models(&assistant).await,
            (&Method::GET, path) if path.starts_with(MODEL) => {
                let id = percent_decoded(&path[MODEL.len()..]);
                gateway.model(&assistant, &id).await
            }
            (&Method::POST, "/gateway/api/show") => {
                let body = body(request).await?;
                gateway.show(&assistant, &body).await
            }
            (&Method::GET, "/gateway/api/tags") => gateway.tags(&assistant).await,
            (&Method::GET, "/gateway/api/version") => gateway.version(&assistant).await,
            (&Method::POST, OLLAMA_GENERATE) => match Load::of(&body(request).await?) {
                Some(load) => gateway.load(&assistant, "/api/generate", load).await,
                None => Err(GatewayError::not_found(
                    "Please use chat. A prompt here has no history, and Porchlight couldn't see which conversation it is of.",
                )),
            },
            (_, "/gateway/v1/responses") => Err(GatewayError::not_found(
                "Please use chat completions. With responses, the history can be kept at the provider, and Porchlight couldn't \
                 see what the model reads.",
            )),
            _ => Err(GatewayError::not_found(
                "There is nothing here. Chat programs use the address that ends with /gateway/v1.",
            )),
        }
    }
}

/// Programs know one error of a key. The API's own is 403 for a parent's token.
fn invalid_key(refusal: Refusal) -> GatewayError {
    if refusal.status() == StatusCode::FORBIDDEN {
        GatewayError::of(StatusCode::UNAUTHORIZED, refusal.detail())
    } else {
        refusal.into()
    }
}

/// Marks a response that is in the client's form already.
#[derive(Clone)]
pub struct InDialect;

/// The error in the form of the API that a client with this path speaks.
pub fn error_response(path: &str, status: StatusCode, message: &str) -> Response {
    as_sent(GatewayError::of(status, message).into_response(dialect_of(path)))
}

fn as_sent(response: GatewayResponse) -> Response {
    let (parts, body) = response.into_parts();
    let body = match body {
        GatewayBody::Whole(bytes) => Body::from_bytes(bytes),
        GatewayBody::Pieces(pieces) => {
            Body::from_bytes_stream(stream::unfold(pieces, async |mut pieces| {
                let piece = pieces.recv().await?;
                Some((piece, pieces))
            }))
        }
    };
    let mut response = Response::builder().status(parts.status).body(body);
    *response.headers_mut() = parts.headers;
    response.extensions_mut().insert(InDialect);
    response
}

async fn body(request: &Request) -> Result<Bytes, GatewayError> {
    Ok(read_body(request, LARGE).await?)
}

fn percent_decoded(text: &str) -> String {
    // In a path, unlike in a query, these characters have no meaning.
    let text = text
        .replace('+', "%2B")
        .replace('&', "%26")
        .replace('=', "%3D");
    let pairs = url::form_urlencoded::parse(text.as_bytes());
    let mut pairs = pairs.map(|(name, _)| name.into_owned());
    pairs.next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_in_a_path_is_decoded() {
        for (path, name) in [
            ("llama3", "llama3"),
            ("org/model:7b@Mia", "org/model:7b@Mia"),
            ("a%20b%2Fc+d&e%3D", "a b/c+d&e="),
            ("", ""),
        ] {
            assert_eq!(percent_decoded(path), name);
        }
    }
}
