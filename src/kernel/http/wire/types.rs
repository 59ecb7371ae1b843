//! Schemas of the kernel's own types in the contract.

use std::borrow::Cow;

use poem_openapi::registry::MetaSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::host::clock::Timestamp;
use crate::kernel::http::wire::{QueryValue, documented};
use crate::kernel::outgoing::mail::EmailAddress;
use crate::kernel::store::{Cursor, NotACursor};

pub(crate) fn id_schema(description: &'static str, largest: u64) -> MetaSchema {
    MetaSchema {
        description: Some(description),
        minimum: Some(1.0),
        maximum: Some(largest as f64),
        ..MetaSchema::new_with_format("integer", "int64")
    }
}

/// The schema of a random id: a prefix of four characters and 128 random bits in hexadecimal.
pub(crate) fn random_id_schema(description: &'static str) -> MetaSchema {
    MetaSchema {
        description: Some(description),
        max_length: Some(36),
        ..MetaSchema::new("string")
    }
}

documented!(
    Timestamp,
    "date-time",
    MetaSchema {
        description: Some("RFC 3339; answered in UTC with up to microseconds."),
        ..MetaSchema::new_with_format("string", "date-time")
    }
);
documented!(
    EmailAddress,
    "email",
    MetaSchema {
        description: Some("An e-mail address."),
        max_length: Some(254),
        ..MetaSchema::new_with_format("string", "email")
    }
);

/// A cursor in a request. Only the list that it belongs to can decode it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PageMarker(String);

impl TryFrom<String> for PageMarker {
    type Error = NotACursor;

    fn try_from(text: String) -> Result<Self, NotACursor> {
        Cursor::parse(&text).map(|_| Self(text))
    }
}

impl From<PageMarker> for String {
    fn from(marker: PageMarker) -> Self {
        marker.0
    }
}

impl PageMarker {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

documented!(
    PageMarker,
    "PageMarker",
    MetaSchema {
        min_length: Some(2),
        max_length: Some(Cursor::MAX_LENGTH),
        pattern: Some("^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2,3})?$".to_owned()),
        ..MetaSchema::new("string")
    }
);

impl QueryValue for PageMarker {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        Self::try_from(text.to_owned()).map_err(|error| error.to_string().into())
    }
}

/// The maximum number of rows on a page.
const LARGEST_PAGE: u32 = 500;

/// The default number of rows on a page.
const PAGE: usize = 50;

/// The requested number of rows on a page: 1 to 500.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct PageSize(u32);

/// The number is out of range.
#[derive(Debug, thiserror::Error)]
#[error("A whole number from 1 to {LARGEST_PAGE} is expected here.")]
pub struct NotAPageSize;

impl TryFrom<u32> for PageSize {
    type Error = NotAPageSize;

    fn try_from(rows: u32) -> Result<Self, NotAPageSize> {
        if (1..=LARGEST_PAGE).contains(&rows) {
            Ok(Self(rows))
        } else {
            Err(NotAPageSize)
        }
    }
}

impl From<PageSize> for u32 {
    fn from(size: PageSize) -> Self {
        size.0
    }
}

impl PageSize {
    /// The number of rows on a page: the requested one or the default.
    pub fn rows(asked: Option<Self>) -> usize {
        asked.map_or(PAGE, |Self(rows)| rows as usize)
    }
}

documented!(
    PageSize,
    "PageSize",
    MetaSchema {
        description: Some(
            "The maximum number of rows. A page also ends before its rows exceed 1 MiB, but has at least one.",
        ),
        minimum: Some(1.0),
        maximum: Some(f64::from(LARGEST_PAGE)),
        ..MetaSchema::new_with_format("integer", "uint32")
    }
);

impl QueryValue for PageSize {
    fn read(text: &str) -> Result<Self, Cow<'static, str>> {
        let rows = text.parse::<u32>().map_err(|_| NotAPageSize);
        let size = rows.and_then(Self::try_from);
        size.map_err(|error| error.to_string().into())
    }
}
