//! HTTP payloads: JSON that is parsed strictly, serialised once, and documented by its type.
//!
//! poem-openapi documents a type; serde reads and writes it. [`Body`] combines the two, because poem-openapi's
//! own JSON accepts a number for a string, ignores unknown fields, and names Rust types in its errors.
//! [`RawJson`] answers with JSON that the store has joined, and [`Listed`] also reports the number of missing rows.

mod at_most;
mod documented;
mod entity_tag;
mod explained;
mod host;
mod lenient;
mod listed;
mod query;
mod repaired;
mod request_body;
mod text;
mod types;
mod unreadable;

use std::fmt;
use std::marker::PhantomData;

use bytes::Bytes;
use poem::http::{HeaderMap, HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use poem_openapi::payload::Payload;
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::kernel::http::problem::{Code, JSON, Refusal};
use crate::kernel::store::Record;

pub use at_most::{AtMost, at_most};
pub(crate) use documented::documented;
pub use documented::{by_documented_name, from_json};
pub use entity_tag::{IfMatch, IfNoneMatch, entity_tag};
pub use host::named_host;
pub use lenient::{Items, LENIENT, LenientBody, UnknownFields};
pub use listed::{Listed, Page, with_header};
pub use query::{Query, QueryValue};
pub use repaired::RepairedText;
pub use request_body::{ReadBody, read_body};
pub use text::{Id, Text, TextError};
pub use types::{PageMarker, PageSize};
pub(crate) use types::{id_schema, random_id_schema};

/// A JSON body: documented as `T`, read and written by serde. A request's has at most `LARGEST` bytes.
#[derive(Debug)]
pub struct Body<T, const LARGEST: usize = { 1024 * 1024 }>(pub T);

/// The size of an assistant's largest bodies, in bytes.
pub const LARGE: usize = 4 * 1024 * 1024;

impl<T: Type> Payload for Body<T> {
    const CONTENT_TYPE: &'static str = JSON;

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<'a, T: Type + DeserializeOwned, const LARGEST: usize> ApiExtractor<'a> for Body<T, LARGEST> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        <Body<T> as Payload>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType {
                content_type: JSON,
                schema: T::schema_ref(),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> poem::Result<Self> {
        let bytes = json_bytes(request, LARGEST).await?;
        Ok(Self(unreadable::read(&bytes, &T::schema_ref())?))
    }
}

/// The bytes of a body whose `Content-Type` is JSON.
async fn json_bytes(request: &Request, largest: usize) -> Result<Bytes, Refusal> {
    if !request.content_type().is_some_and(is_json) {
        return Err(unsupported(
            Code::NotJson,
            "This address takes JSON (application/json) and nothing else.",
        ));
    }
    if is_encoded(request.headers()) {
        return Err(unsupported(
            Code::BodyEncoded,
            "This address takes a body as it is: not compressed, without a Content-Encoding.",
        ));
    }
    read_body(request, largest).await
}

fn is_json(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case(JSON)
}

fn unsupported(code: Code, sentence: &'static str) -> Refusal {
    Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code, sentence)
}

/// Whether the body was compressed or otherwise encoded (RFC 9110, section 8.4).
fn is_encoded(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let is_identity = |coding: &HeaderValue| {
        let coding = coding.as_bytes().trim_ascii();
        coding.is_empty() || coding.eq_ignore_ascii_case(b"identity")
    };
    !codings.into_iter().all(is_identity)
}

impl<T: Serialize> IntoResponse for Body<T>
where
    T: Send,
{
    fn into_response(self) -> Response {
        let json = serde_json::to_vec(&self.0).expect("an answer holds only what JSON can say");
        json_response(json.into())
    }
}

impl<T: Type> ApiResponse for Body<T> {
    fn meta() -> MetaResponses {
        documented::<T>()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// 201 Created, with what was created.
#[derive(Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize + Send> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = Body::<T>(self.0).into_response();
        response.set_status(StatusCode::CREATED);
        response
    }
}

impl<T: Type> ApiResponse for Created<T> {
    fn meta() -> MetaResponses {
        let mut meta = documented::<T>();
        for response in &mut meta.responses {
            response.status = Some(StatusCode::CREATED.as_u16());
        }
        meta
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// An answer that is already JSON, documented as `T`.
#[derive(Debug)]
pub struct RawJson<T> {
    json: Bytes,
    documented: PhantomData<fn() -> T>,
}

impl<T> RawJson<T> {
    /// One record as it is stored.
    pub fn record(record: &impl Record) -> Self {
        Self::json(record.encode().into())
    }

    pub fn of(value: &impl Serialize) -> Self {
        let json = serde_json::to_vec(value).expect("answers are JSON");
        Self::json(json.into())
    }

    pub fn json(json: Bytes) -> Self {
        Self {
            json,
            documented: PhantomData,
        }
    }
}

impl<T: Type> Payload for RawJson<T> {
    const CONTENT_TYPE: &'static str = JSON;

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T> IntoResponse for RawJson<T> {
    fn into_response(self) -> Response {
        json_response(self.json)
    }
}

impl<T: Type> ApiResponse for RawJson<T> {
    fn meta() -> MetaResponses {
        documented::<T>()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

fn documented<T: Type>() -> MetaResponses {
    MetaResponses {
        responses: vec![MetaResponse {
            description: "Success.",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: JSON,
                schema: T::schema_ref(),
            }],
            headers: Vec::new(),
        }],
    }
}

fn json_response(json: Bytes) -> Response {
    let mut response = Response::from(json);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    response
}

/// 204 No Content.
#[derive(Debug)]
pub struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl ApiResponse for Done {
    fn meta() -> MetaResponses {
        MetaResponses {
            responses: vec![MetaResponse {
                description: "Success.",
                status: Some(204),
                status_range: None,
                content: Vec::new(),
                headers: Vec::new(),
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}

/// For an optional object: serde alone would also accept an array of its fields.
///
/// # Errors
///
/// If the value is invalid for `T`, or neither an object nor `null`.
pub fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let object = Option::<ObjectOf<T>>::deserialize(deserializer)?;
    Ok(object.map(|ObjectOf(object)| object))
}

struct ObjectOf<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for ObjectOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = ObjectOf<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(ObjectOf)
    }
}

/// For an optional field that may be left out but not `null`.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}
