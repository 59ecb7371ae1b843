//! Pages of lists, from which unreadable rows are left out.

use std::marker::PhantomData;

use poem::http::HeaderValue;
use poem::{IntoResponse, Response};
use poem_openapi::registry::{MetaHeader, MetaResponses, Registry};
use poem_openapi::types::{ParseFromJSON, ToJSON, Type};
use poem_openapi::{ApiResponse, Object};
use serde::Serialize;
use serde_with::skip_serializing_none;

use super::{documented, json_response};
use crate::kernel::store::JsonRows;

/// The header with the number of unreadable rows.
const UNREADABLE_ROWS: &str = "unreadable-rows";

/// A page of a list.
#[skip_serializing_none]
#[derive(Debug, Object, Serialize)]
#[oai(skip_serializing_if_is_none)]
pub struct Page<T: ParseFromJSON + ToJSON> {
    items: Vec<T>,
    /// The cursor of the next page. Omitted on the last one.
    next: Option<String>,
}

impl<T: ParseFromJSON + ToJSON> Page<T> {
    /// A page with the cursor of the next one.
    pub fn new(items: impl IntoIterator<Item = impl Into<T>>, next: Option<String>) -> Self {
        let items = items.into_iter().map(Into::into).collect();
        Self { items, next }
    }

    /// A list that has only one page.
    pub fn whole(items: impl IntoIterator<Item = impl Into<T>>) -> Self {
        Self::new(items, None)
    }
}

/// A list that is already JSON, documented as `T`, with the number of rows that are missing because they could not be
/// read.
#[derive(Debug)]
pub struct Listed<T> {
    rows: JsonRows,
    documented: PhantomData<fn() -> T>,
}

impl<T> From<JsonRows> for Listed<T> {
    fn from(rows: JsonRows) -> Self {
        Self {
            rows,
            documented: PhantomData,
        }
    }
}

impl<T> IntoResponse for Listed<T> {
    fn into_response(self) -> Response {
        let mut response = json_response(self.rows.json);
        if self.rows.unreadable > 0 {
            let headers = response.headers_mut();
            headers.insert(UNREADABLE_ROWS, HeaderValue::from(self.rows.unreadable));
        }
        response
    }
}

impl<T: Type> ApiResponse for Listed<T> {
    fn meta() -> MetaResponses {
        let description = "The number of rows that are missing because the server could not read them; omitted if zero.";
        with_header::<u64>(documented::<T>(), "Unreadable-Rows", description)
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

/// Documents an optional header of each of these answers.
pub fn with_header<H: Type>(
    mut meta: MetaResponses,
    name: &str,
    description: &str,
) -> MetaResponses {
    for response in &mut meta.responses {
        response.headers.push(MetaHeader {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            required: false,
            deprecated: false,
            schema: H::schema_ref(),
        });
    }
    meta
}
