//! JSON whose unknown fields are ignored and reported, so that a newer client works with an older server; and lists of which
//! only invalid items are rejected.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

use poem::{Request, RequestBody};
use poem_openapi::payload::Payload;
use poem_openapi::registry::{MetaRequest, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseFromJSON, ParseResult, ToJSON, Type};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_ignored::Path;
use serde_json::value::RawValue;

use super::repaired::escape_invalid_utf8;
use super::{AtMost, Body, LARGE, unreadable};
use crate::kernel::http::problem::Refusal;

/// The names of unknown fields, such as `messages[].speakr`, without duplicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownFields(BTreeSet<String>);

impl UnknownFields {
    /// The maximum number of names that are recorded.
    const MOST: usize = 50;

    fn note(&mut self, around: &str, path: &Path<'_>) {
        if self.0.len() < Self::MOST {
            self.0.insert(format!("{around}{}", name(path)));
        }
    }

    /// Adds the names below the items of the list in the field `list`.
    pub fn extend_below(&mut self, list: &str, below: Self) {
        for name in below.0 {
            if self.0.len() < Self::MOST {
                self.0.insert(format!("{list}[].{name}"));
            }
        }
    }

    /// The names in alphabetical order.
    pub fn into_vec(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

/// The field's name with its parents. A name may be any text, and a client's data must not be repeated:
/// what does not look like a name becomes `?`.
fn name(path: &Path<'_>) -> String {
    let mut above = String::new();
    let (parent, own) = match path {
        Path::Root => return above,
        Path::Seq { parent, .. } => (parent, "[]"),
        Path::Map { parent, key } if unreadable::looks_like_a_name(key) => (parent, &**key),
        Path::Map { parent, .. } => (parent, "?"),
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => return name(parent),
    };
    above = name(parent);
    if !above.is_empty() && own != "[]" {
        above.push('.');
    }
    above + own
}

/// Reads JSON and collects unknown fields.
fn read<T: DeserializeOwned>(
    json: &[u8],
    schema: &MetaSchemaRef,
) -> Result<(T, UnknownFields), Refusal> {
    let mut unknown = UnknownFields::default();
    let read = unreadable::read_with(json, schema, |json| {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let read = serde_ignored::deserialize(&mut reader, |path| unknown.note("", &path))?;
        reader.end()?;
        Ok(read)
    })?;
    Ok((read, unknown))
}

/// The contract's description of a [`LenientBody`], by which it is told from others.
pub const LENIENT: &str = "Unknown fields are ignored, and listed in the answer.";

/// A large [`Body`] whose unknown fields are ignored and reported, and in which text that isn't UTF-8 is an error only where it
/// is read as [`Text`](super::Text). The handler sees why it can't be read.
#[derive(Debug)]
pub struct LenientBody<T>(pub Result<(T, UnknownFields), Refusal>);

impl<'a, T: Type + DeserializeOwned> ApiExtractor<'a> for LenientBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        <Body<T> as Payload>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let meta = <Body<T> as ApiExtractor>::request_meta()?;
        Some(MetaRequest {
            description: Some(LENIENT),
            ..meta
        })
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<Self::ParamType>,
    ) -> poem::Result<Self> {
        let bytes = super::json_bytes(request, LARGE).await;
        let read = bytes.and_then(|bytes| read(&escape_invalid_utf8(&bytes), &T::schema_ref()));
        Ok(Self(read))
    }
}

/// An item of a list that is parsed separately.
#[derive(Debug)]
pub struct Item<T> {
    json: Box<RawValue>,
    of: PhantomData<T>,
}

impl<T: Type + DeserializeOwned> Item<T> {
    /// Parses the item and collects its unknown fields.
    ///
    /// # Errors
    ///
    /// Why it cannot be parsed, with the place below the item.
    pub fn read(&self) -> Result<(T, UnknownFields), Refusal> {
        read(self.json.get().as_bytes(), &T::schema_ref())
    }

    /// One field, if the item is an object with a valid `F` in that field, even if the rest of the item is invalid.
    pub fn field<F: DeserializeOwned>(&self, name: &str) -> Option<F> {
        let fields = serde_json::from_str::<BTreeMap<String, &RawValue>>(self.json.get()).ok()?;
        serde_json::from_str(fields.get(name)?.get()).ok()
    }
}

impl<'de, T> Deserialize<'de> for Item<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self {
            json,
            of: PhantomData,
        })
    }
}

/// A list of at most `MAX` items, each of which is [parsed](Item::read) separately.
#[derive(Debug, Deserialize)]
#[serde(bound = "")]
pub struct Items<const MAX: usize, T>(AtMost<MAX, Item<T>>);

impl<const MAX: usize, T> Items<MAX, T> {
    pub fn into_vec(self) -> Vec<Item<T>> {
        self.0.into_vec()
    }
}

impl<const MAX: usize, T: Type> Type for Items<MAX, T> {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        AtMost::<MAX, T>::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        AtMost::<MAX, T>::schema_ref()
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

impl<const MAX: usize, T: Type + DeserializeOwned> ParseFromJSON for Items<MAX, T> {
    fn parse_from_json(value: Option<serde_json::Value>) -> ParseResult<Self> {
        super::from_json(value)
    }
}

impl<const MAX: usize, T: Type> ToJSON for Items<MAX, T> {
    fn to_json(&self) -> Option<serde_json::Value> {
        let items = self.0.as_slice().iter();
        items
            .map(|item| serde_json::to_value(&item.json).ok())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Outer {
        kept: Option<u8>,
        inner: Option<Inner>,
        items: Option<Items<3, String>>,
    }

    #[derive(Debug, Deserialize)]
    struct Inner {
        kept: Option<u8>,
    }

    fn read_outer(json: &str) -> (Outer, Vec<String>) {
        let schema = MetaSchemaRef::Reference("Outer".to_owned());
        let (read, unknown) = read::<Outer>(json.as_bytes(), &schema).unwrap();
        (read, unknown.into_vec())
    }

    #[test]
    fn unknown_fields_are_named_once_with_those_around_them() {
        let (read, unknown) = read_outer(
            r#"{"kept": 1, "newer": {"a": 1}, "inner": {"kept": null, "x-1": 2}, "a secret, said aloud": 1}"#,
        );

        assert_eq!(read.kept, Some(1));
        assert_eq!(read.inner.unwrap().kept, None);
        assert_eq!(unknown, ["?", "inner.x-1", "newer"]);
    }

    #[test]
    fn items_are_read_one_by_one() {
        let (read, _) =
            read_outer(r#"{"items": ["a", 7, {"message_id": "m", "speaker": "\ud800"}]}"#);
        let items = read.items.unwrap().into_vec();

        assert_eq!(items[0].read().unwrap().0, "a");
        assert_eq!(
            items[1].read().unwrap_err().detail(),
            "A value of another kind is expected here."
        );
        assert_eq!(items[1].field::<String>("message_id"), None);
        assert_eq!(items[2].field("message_id"), Some("m".to_owned()));
        assert_eq!(items[2].field::<u64>("message_id"), None);
    }

    #[test]
    fn names_are_noted_up_to_a_limit() {
        let fields = (0..500).map(|number| format!("\"f{number}\": 0"));
        let json = format!("{{{}}}", fields.collect::<Vec<_>>().join(","));

        assert_eq!(read_outer(&json).1.len(), UnknownFields::MOST);
    }
}
