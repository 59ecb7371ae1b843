//! Documents types in the contract that serde reads and writes.

use poem_openapi::types::{ParseError, ParseResult, ToJSON, Type};
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Adds a type that serde reads and writes to the contract.
macro_rules! documented {
    ($type:ty, $name:expr, $schema:expr) => {
        impl ::poem_openapi::types::Type for $type {
            const IS_REQUIRED: bool = true;

            type RawValueType = Self;
            type RawElementValueType = Self;

            fn name() -> ::std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn schema_ref() -> ::poem_openapi::registry::MetaSchemaRef {
                ::poem_openapi::registry::MetaSchemaRef::Inline(Box::new($schema))
            }

            fn as_raw_value(&self) -> Option<&Self> {
                Some(self)
            }

            fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
                Box::new(std::iter::once(self))
            }
        }

        impl ::poem_openapi::types::ParseFromJSON for $type {
            fn parse_from_json(
                value: Option<::serde_json::Value>,
            ) -> ::poem_openapi::types::ParseResult<Self> {
                $crate::kernel::http::wire::from_json(value)
            }
        }

        impl ::poem_openapi::types::ToJSON for $type {
            fn to_json(&self) -> Option<::serde_json::Value> {
                ::serde_json::to_value(self).ok()
            }
        }
    };
}

pub(crate) use documented;

/// Writes an enum by its documented names, where its stored ones differ: `#[serde(serialize_with = "by_documented_name")]`.
pub fn by_documented_name<T: ToJSON, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.to_json().serialize(serializer)
}

pub fn from_json<T: Type + DeserializeOwned>(value: Option<Value>) -> ParseResult<T> {
    serde_json::from_value(value.unwrap_or_default()).map_err(ParseError::custom)
}
