//! What goes over the wire: JSON read strictly, written once, and documented where it is typed.
//!
//! poem-openapi documents a type; serde reads and writes it. [`Body`] joins the two, because the former's
//! own JSON takes a number for a string, ignores unknown fields, and names Rust types in its errors.
//! [`Joined`] answers with what the store has joined, and [`Listed`] says besides how many rows it lacks.

mod at_most;
mod documented;
mod entity_tag;
mod host;
mod listed;
mod text;
mod types;

use std::marker::PhantomData;

use bytes::Bytes;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use poem_openapi::payload::{ParsePayload, Payload};
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::problem::{JSON, Refusal};
use super::store::Record;

pub use at_most::AtMost;
pub(crate) use documented::documented;
pub use documented::from_json;
pub use entity_tag::{EntityTag, IfMatch, IfNoneMatch};
pub use host::named_host;
pub use listed::Listed;
pub use text::{Id, Text, TextError};
pub use types::PageMarker;

/// A JSON body: documented as `T`, read and written by serde.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<T: Type> Payload for Body<T> {
    const CONTENT_TYPE: &'static str = JSON;

    fn check_content_type(content_type: &str) -> bool {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case(JSON)
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Type + DeserializeOwned> ParsePayload for Body<T> {
    const IS_REQUIRED: bool = true;

    async fn from_request(_request: &Request, body: &mut RequestBody) -> poem::Result<Self> {
        let bytes = body.take()?.into_bytes().await.map_err(|error| {
            tracing::debug!(%error, "a body did not arrive whole");
            Refusal::malformed("The request's body did not arrive whole.")
        })?;
        Ok(Self(read(&bytes, &T::schema_ref())?))
    }
}

/// Reads a body, or says in a sentence why it cannot be read.
fn read<T: DeserializeOwned>(bytes: &[u8], schema: &MetaSchemaRef) -> Result<T, Refusal> {
    let read = serde_json::from_slice(bytes);
    let body = read.map_err(|error| Refusal::malformed(sentence(&error)))?;
    match has_objects_where_due(bytes, schema) {
        true => Ok(body),
        false => Err(Refusal::malformed(NOT_EXPECTED)),
    }
}

/// Serde takes an array of its fields for an object; the contract doesn't. Our requests are an object or a
/// list of objects, so looking at how each begins is enough.
fn has_objects_where_due(json: &[u8], schema: &MetaSchemaRef) -> bool {
    match schema {
        MetaSchemaRef::Reference(_) => json.trim_ascii_start().starts_with(b"{"),
        MetaSchemaRef::Inline(list) => match list.items.as_deref() {
            Some(MetaSchemaRef::Reference(_)) => serde_json::from_slice::<Vec<&RawValue>>(json)
                .is_ok_and(|items| items.iter().all(|item| item.get().starts_with('{'))),
            _ => true,
        },
    }
}

const NOT_EXPECTED: &str = "A value in the request is not of the kind that is expected here.";

/// What a person can read of a JSON error: no field, no type, nothing that was sent.
fn sentence(error: &serde_json::Error) -> String {
    if !error.is_data() {
        return "The request's body is not valid JSON.".into();
    }
    let text = error.to_string();
    let known = [
        (
            "unknown field",
            "The request has a field that is not known here.",
        ),
        (
            "missing field",
            "Something that is required is missing from the request.",
        ),
        ("duplicate field", "The request says the same thing twice."),
        ("invalid", NOT_EXPECTED),
        (
            "unknown variant",
            "A value in the request is none of those that are allowed here.",
        ),
    ];
    if let Some((_, sentence)) = known.iter().find(|(start, _)| text.starts_with(start)) {
        return (*sentence).into();
    }
    // What is left are the sentences of our own types, with serde_json's place behind them.
    match text.rsplit_once(" at line ") {
        Some((sentence, _)) => sentence.to_owned(),
        None => "The request could not be understood.".into(),
    }
}

impl<'a, T: Type + DeserializeOwned> ApiExtractor<'a> for Body<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        <Self as Payload>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: None,
            content: vec![MetaMediaType {
                content_type: Self::CONTENT_TYPE,
                schema: <Self as Payload>::schema_ref(),
            }],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> poem::Result<Self> {
        match request.content_type() {
            Some(given) if Self::check_content_type(given) => {
                <Self as ParsePayload>::from_request(request, body).await
            }
            _ => Err(Refusal::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "This address takes JSON (application/json) and nothing else.",
            )
            .into()),
        }
    }
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

/// An answer that is already JSON, documented as `T`.
#[derive(Debug)]
pub struct Joined<T> {
    json: Bytes,
    documented: PhantomData<fn() -> T>,
}

impl<T> Joined<T> {
    /// One record, as it is stored.
    pub fn record(record: &impl Record) -> Self {
        Self::json(record.encode().into())
    }

    /// An answer that is this JSON.
    pub fn json(json: Bytes) -> Self {
        Self {
            json,
            documented: PhantomData,
        }
    }
}

impl<T: Type> Payload for Joined<T> {
    const CONTENT_TYPE: &'static str = JSON;

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T> IntoResponse for Joined<T> {
    fn into_response(self) -> Response {
        json_response(self.json)
    }
}

impl<T: Type> ApiResponse for Joined<T> {
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
            description: "It is as asked.",
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

/// 204: done, and there is nothing to say.
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
                description: "It is done.",
                status: Some(204),
                status_range: None,
                content: Vec::new(),
                headers: Vec::new(),
            }],
        }
    }

    fn register(_registry: &mut Registry) {}
}

/// For an optional field: left out is fine, `null` is not.
///
/// # Errors
///
/// Whatever `T` refuses, and `null`.
pub fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// How many rows a page has when nobody says (contract, section 4).
pub const PAGE: u32 = 50;

/// How many rows a page has at most (contract, section 4).
pub const LARGEST_PAGE: u32 = 500;

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        #[serde(rename = "name")]
        _name: Text<3>,
        #[serde(rename = "age", default, deserialize_with = "given")]
        _age: Option<u8>,
    }

    #[test]
    fn a_body_that_cannot_be_read_gets_a_sentence_without_what_was_sent() {
        let cases = [
            ("{", "The request's body is not valid JSON."),
            ("", "The request's body is not valid JSON."),
            (
                r#"{"name":"a","secret":1}"#,
                "The request has a field that is not known here.",
            ),
            (
                "{}",
                "Something that is required is missing from the request.",
            ),
            (
                r#"{"name":7}"#,
                "A value in the request is not of the kind that is expected here.",
            ),
            (
                r#"{"name":"a","age":null}"#,
                "A value in the request is not of the kind that is expected here.",
            ),
            (
                r#"{"name":"a","name":"b"}"#,
                "The request says the same thing twice.",
            ),
            (r#"["a"]"#, NOT_EXPECTED),
            (
                r#"{"name":"abcd"}"#,
                "A text in the request is longer than 3 characters.",
            ),
        ];

        let schema = MetaSchemaRef::Reference("Form".to_owned());
        for (body, expected) in cases {
            let refusal = read::<Form>(body.as_bytes(), &schema).expect_err(body);
            assert_eq!(refusal.detail(), expected, "{body}");
        }
    }
}
