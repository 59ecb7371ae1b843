//! Text with a maximum length, which the contract documents and the deserializer enforces.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::documented;

/// Text of at most `MAX` characters (Unicode scalar values). It may be empty.
///
/// `Debug` shows only its length, because nearly all text here is private.
#[derive(Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Text<const MAX: usize>(String);

/// The text is longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("A text in the request is longer than {0} characters.")]
pub struct TextError(usize);

impl<const MAX: usize> Text<MAX> {
    /// Wraps a text of at most `MAX` characters.
    pub fn new(text: impl Into<String>) -> Result<Self, TextError> {
        let text = text.into();
        // There are at least as many bytes as characters, so most texts need no counting.
        if text.len() > MAX && text.chars().count() > MAX {
            return Err(TextError(MAX));
        }
        Ok(Self(text))
    }

    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MAX: usize> Deref for Text<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Debug for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.0.len())
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for Text<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl<const MAX: usize> Type for Text<MAX> {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("string(maxLength={MAX})").into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            max_length: Some(MAX),
            ..MetaSchema::new("string")
        }))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<const MAX: usize> ParseFromJSON for Text<MAX> {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value {
            Some(Value::String(text)) => Self::new(text).map_err(ParseError::custom),
            other => Err(ParseError::expected_type(other.unwrap_or_default())),
        }
    }
}

impl<const MAX: usize> ToJSON for Text<MAX> {
    fn to_json(&self) -> Option<Value> {
        Some(Value::String(self.0.clone()))
    }
}

/// An external id: 1 to 200 characters.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Id(Text<200>);

impl Id {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0.into_string()
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Text::deserialize(deserializer)?;
        if text.is_empty() {
            Err(serde::de::Error::custom("An id in the request is empty."))
        } else {
            Ok(Self(text))
        }
    }
}

documented!(
    Id,
    "Id",
    MetaSchema {
        min_length: Some(1),
        max_length: Some(200),
        ..MetaSchema::new("string")
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_characters_not_bytes() {
        assert!(Text::<3>::new("äöü").is_ok());
        assert!(
            Text::<3>::new("👩‍🚀!").is_err(),
            "an astronaut is three scalar values"
        );
        assert_eq!(Text::<3>::new("abcd"), Err(TextError(3)));
    }
}
