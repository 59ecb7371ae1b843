//! A list with a maximum length, which the contract documents and the deserializer enforces.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::Type;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A list of at most `MAX` items. Deserializing stops at the first one too many.
#[derive(Debug)]
pub struct AtMost<const MAX: usize, T>(Vec<T>);

impl<const MAX: usize, T> AtMost<MAX, T> {
    pub fn into_vec(self) -> Vec<T> {
        self.0
    }

    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<'de, const MAX: usize, T: Deserialize<'de>> Deserialize<'de> for AtMost<MAX, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_seq(AtMostVisitor::<MAX, T>(PhantomData))
            .map(Self)
    }
}

/// Deserializes a field as an [`AtMost`]. The field's validator documents the maximum.
pub fn at_most<'de, const MAX: usize, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    AtMost::<MAX, T>::deserialize(deserializer).map(AtMost::into_vec)
}

struct AtMostVisitor<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for AtMostVisitor<MAX, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == MAX {
                let sentence = format!("A list in the request has more than {MAX} entries.");
                return Err(A::Error::custom(sentence));
            }
            list.push(item);
        }
        Ok(list)
    }
}

impl<const MAX: usize, T: Type> Type for AtMost<MAX, T> {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        format!("[{}](maxItems={MAX})", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema {
            items: Some(Box::new(T::schema_ref())),
            max_items: Some(MAX),
            ..MetaSchema::new("array")
        }))
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_too_many_is_refused_with_the_limit() {
        let fits = serde_json::from_str::<AtMost<2, u8>>("[1,2]").map(AtMost::into_vec);
        let refused = serde_json::from_str::<AtMost<2, u8>>("[1,2,3]").map(AtMost::into_vec);

        assert_eq!(fits.unwrap(), [1, 2]);
        let sentence = refused.unwrap_err().to_string();
        assert!(
            sentence.starts_with("A list in the request has more than 2 entries."),
            "{sentence}"
        );
    }
}
