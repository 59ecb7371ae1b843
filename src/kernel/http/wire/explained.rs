//! A deserializer whose errors say in a sentence what is wrong.
//!
//! serde_json's errors are texts, which quote the input and name Rust types. serde itself tells an error's type by separate
//! functions what happened, so an error type of our own needs to read no text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::value::RawValue;

const ANOTHER_KIND: &str = "A value of another kind is expected here.";

/// Why a value can't be read.
#[derive(Debug, thiserror::Error)]
#[error("{sentence}")]
pub struct Wrong {
    pub sentence: Cow<'static, str>,
    /// The field of the value that is missing.
    pub field: Option<&'static str>,
}

impl Wrong {
    fn new(sentence: impl Into<Cow<'static, str>>) -> Self {
        Self {
            sentence: sentence.into(),
            field: None,
        }
    }
}

impl serde::de::Error for Wrong {
    /// The sentences of our own types.
    fn custom<T: Display>(sentence: T) -> Self {
        Self::new(sentence.to_string())
    }

    fn invalid_type(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::new(ANOTHER_KIND)
    }

    fn invalid_value(_: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::new(ANOTHER_KIND)
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self::new(ANOTHER_KIND)
    }

    fn unknown_variant(_: &str, allowed: &'static [&'static str]) -> Self {
        let allowed = allowed.join(", ");
        Self::new(format!("One of these is expected here: {allowed}."))
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self::new("There is a field that is not known.")
    }

    fn missing_field(field: &'static str) -> Self {
        Self {
            field: Some(field),
            ..Self::new("A field that is required is missing.")
        }
    }
}

/// JSON whose objects and lists are split one level at a time. Of a field that is there twice, only one is read.
pub struct Explained<'de>(pub &'de RawValue);

impl<'de> Explained<'de> {
    fn split<T: Deserialize<'de>>(self, kind: &'static str) -> Result<T, Wrong> {
        serde_json::from_str(self.0.get()).map_err(|error| wrong(&error, kind))
    }
}

/// The error of a value that serde_json reads, which is none of its syntax.
fn wrong(error: &serde_json::Error, kind: &'static str) -> Wrong {
    Wrong::new(if error.is_data() {
        kind
    } else {
        "This text is not valid Unicode, or this number is too large."
    })
}

impl<'de> IntoDeserializer<'de, Wrong> for Explained<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Explained<'de> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = self.0.deserialize_any(visitor);
        read.map_err(|error| wrong(&error, ANOTHER_KIND))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let items = self.split::<Vec<&RawValue>>("A list is expected here.")?;
        visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(Explained)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let fields = self.split::<BTreeMap<String, &RawValue>>("An object is expected here.")?;
        let fields = fields.into_iter();
        visitor.visit_map(MapDeserializer::new(
            fields.map(|(name, value)| (name, Explained(value))),
        ))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_enum(String::deserialize(self)?.into_deserializer())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.0.get() == "null" {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        // serde_json's own types, such as `RawValue`, are read by serde_json alone.
        if name.starts_with('$') {
            let read = self.0.deserialize_newtype_struct(name, visitor);
            return read.map_err(|error| wrong(&error, ANOTHER_KIND));
        }
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct tuple tuple_struct identifier ignored_any
    }
}
