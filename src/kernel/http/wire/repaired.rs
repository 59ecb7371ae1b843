//! Text that isn't valid Unicode, and is repaired instead of refused. JSON can contain it in two ways: as bytes that are not
//! UTF-8, and as the escape of a lone surrogate, such as `\ud800`. The former are [converted](escape_invalid_utf8) to the latter.

use std::borrow::Cow;
use std::ops::Deref;

use poem_openapi::registry::MetaSchemaRef;
use poem_openapi::types::{ParseFromJSON, ParseResult, ToJSON, Type};
use serde::de::{Error, IgnoredAny, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Text;

/// The escape of a lone surrogate, which JSON's grammar allows but no Unicode text can contain (RFC 8259, section 8.2).
const LONE_SURROGATE: &[u8] = br"\ud800";

/// Replaces bytes that are not UTF-8 by the escapes of lone surrogates. Invalid JSON is returned unchanged.
pub fn escape_invalid_utf8(json: &[u8]) -> Cow<'_, [u8]> {
    // Parsing with strings skipped makes sure that each of these bytes is in a string, and none of them follows a backslash.
    if str::from_utf8(json).is_ok() || serde_json::from_slice::<IgnoredAny>(json).is_err() {
        return Cow::Borrowed(json);
    }
    let mut escaped = Vec::with_capacity(json.len() + 64 * LONE_SURROGATE.len());
    let mut is_pending = false;
    for chunk in json.utf8_chunks() {
        let valid = chunk.valid().as_bytes();
        // Not before a low surrogate, with which it would be a valid pair.
        if is_pending && surrogate(valid).is_none_or(|code| code < 0xdc00) {
            escaped.extend_from_slice(LONE_SURROGATE);
        }
        escaped.extend_from_slice(valid);
        is_pending = !chunk.invalid().is_empty();
    }
    Cow::Owned(escaped)
}

/// The surrogate whose escape is at the beginning.
fn surrogate(json: &[u8]) -> Option<u16> {
    let digits = json.strip_prefix(br"\u")?.get(..4)?;
    let code = u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    (0xd800..=0xdfff).contains(&code).then_some(code)
}

/// Replaces the lone surrogates in a JSON text by U+FFFD; `None` if it has no such surrogates.
fn replace_lone_surrogates(json: &str) -> Option<String> {
    let (mut done, mut rest) = (String::new(), json);
    let mut is_replaced = false;
    while let Some(at) = rest.find('\\') {
        done += &rest[..at];
        rest = &rest[at..];
        let first = surrogate(rest.as_bytes());
        let second = rest.as_bytes().get(6..).and_then(surrogate);
        let (escape, length) = match (first, second) {
            (None, _) => (&rest[..2], 2),
            (Some(..0xdc00), Some(0xdc00..)) => (&rest[..12], 12),
            (Some(_), _) => {
                is_replaced = true;
                (r"\ufffd", 6)
            }
        };
        done += escape;
        rest = &rest[length..];
    }
    is_replaced.then(|| done + rest)
}

/// [`Text`] in which each part that isn't valid Unicode becomes U+FFFD.
#[derive(Debug, Default)]
pub struct RepairedText<const MAX: usize> {
    text: Text<MAX>,
    is_repaired: bool,
}

impl<const MAX: usize> RepairedText<MAX> {
    /// Whether a part of it was replaced.
    pub fn is_repaired(&self) -> bool {
        self.is_repaired
    }

    pub fn into_string(self) -> String {
        self.text.into_string()
    }
}

impl<const MAX: usize> Deref for RepairedText<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<'de, const MAX: usize> Deserialize<'de> for RepairedText<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        if !json.get().starts_with('"') {
            return Err(D::Error::invalid_type(
                Unexpected::Other("value"),
                &"a string",
            ));
        }
        let repaired = replace_lone_surrogates(json.get());
        let sound = repaired.as_deref().unwrap_or(json.get());
        let text = serde_json::from_str::<String>(sound).map_err(D::Error::custom)?;
        Ok(Self {
            text: Text::new(text).map_err(D::Error::custom)?,
            is_repaired: repaired.is_some(),
        })
    }
}

impl<const MAX: usize> Type for RepairedText<MAX> {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        Text::<MAX>::name()
    }

    fn schema_ref() -> MetaSchemaRef {
        Text::<MAX>::schema_ref()
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl<const MAX: usize> ParseFromJSON for RepairedText<MAX> {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        super::from_json(value)
    }
}

impl<const MAX: usize> ToJSON for RepairedText<MAX> {
    fn to_json(&self) -> Option<Value> {
        self.text.to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &[u8]) -> (String, bool) {
        let json = escape_invalid_utf8(json);
        let read = serde_json::from_slice::<RepairedText<20>>(&json).unwrap();
        (read.text.into_string(), read.is_repaired)
    }

    #[test]
    fn each_part_that_is_not_unicode_becomes_one_replacement_character() {
        let cases: [(&[u8], &str, bool); 15] = [
            (b"\"\"", "", false),
            (br#""caf\u00e9 \\ \ud83d\ude00""#, "café \\ 😀", false),
            ("\"café 😀\"".as_bytes(), "café 😀", false),
            (br#""\\ud800""#, "\\ud800", false),
            (b"\"caf\xe9!\"", "caf\u{fffd}!", true),
            (b"\"\xff\xfe\"", "\u{fffd}\u{fffd}", true),
            (b"\"cut \xf0\x9f\x98\"", "cut \u{fffd}", true),
            (br#""a \ud83d b""#, "a \u{fffd} b", true),
            (br#""a \uDE00 b""#, "a \u{fffd} b", true),
            (br#""\ud83d\ud83d\ude00""#, "\u{fffd}😀", true),
            (br#""\ude00\ud83d""#, "\u{fffd}\u{fffd}", true),
            (br#""\\\ud83d\"""#, "\\\u{fffd}\"", true),
            // The two halves of a broken pair count as one part.
            (b"\"\xff\\ude00\"", "\u{fffd}", true),
            (b"\"\\ud83d\xff\"", "\u{fffd}\u{fffd}", true),
            (b"\"\\\\\xffud83d\"", "\\\u{fffd}ud83d", true),
        ];

        for (json, text, is_repaired) in cases {
            let shown = String::from_utf8_lossy(json);
            assert_eq!(read(json), (text.to_owned(), is_repaired), "{shown}");
        }
    }

    #[test]
    fn what_is_no_json_stays_as_it_is() {
        for json in [
            &b"\xff"[..],
            b"{\xff: 1}",
            b"\"\\\xff\"",
            b"\"\xff",
            b"\"\xff\n\"",
        ] {
            assert_eq!(escape_invalid_utf8(json), json);
        }
    }

    #[test]
    fn only_a_text_that_is_short_enough_is_read() {
        for json in ["7", "[]", "null", r#""\ud800aaaaaaaaaaaaaaaaaaaaaaa""#] {
            assert!(serde_json::from_str::<RepairedText<20>>(json).is_err());
        }
    }
}
