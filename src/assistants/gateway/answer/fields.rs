//! The fields of JSON that a model's server writes. Only those that are asked for are looked at; the rest costs no memory.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The values of these fields. If a name comes twice, the last counts, as for the clients' parsers. `null` counts as none.
pub fn fields<'a, const N: usize>(
    json: &'a RawValue,
    names: [&str; N],
) -> [Option<&'a RawValue>; N] {
    let found = (names, [None; N]);
    let mut json = serde_json::Deserializer::from_str(json.get());
    let found = json.deserialize_map(Fields(found)).unwrap_or([None; N]);
    found.map(|value| value.filter(|value| value.get() != "null"))
}

/// Calls this with each item of a list.
pub fn each_item<'a>(json: Option<&'a RawValue>, item: impl FnMut(&'a RawValue)) {
    if let Some(json) = json.filter(|json| json.get().starts_with('[')) {
        let mut json = serde_json::Deserializer::from_str(json.get());
        // What was parsed already can't fail.
        let _ = json.deserialize_seq(Items(item));
    }
}

/// A string's text. Half a character (`\ud83d`), of which the rest may come later, is encoded like a character of its own (WTF-8).
pub fn text_of(json: &RawValue) -> Option<Cow<'_, [u8]>> {
    let mut json = serde_json::Deserializer::from_str(json.get());
    json.deserialize_bytes(Text).ok()
}

pub fn is_object(json: &RawValue) -> bool {
    json.get().starts_with('{')
}

struct Fields<'n, 'a, const N: usize>(([&'n str; N], [Option<&'a RawValue>; N]));

impl<'a, const N: usize> Visitor<'a> for Fields<'_, 'a, N> {
    type Value = [Option<&'a RawValue>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (names, mut found) = self.0;
        while let Some(name) = map.next_key_seed(Name(&names))? {
            match name {
                Some(index) => found[index] = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

/// The index of a name among those that are asked for.
struct Name<'n>(&'n [&'n str]);

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        let name = name.deserialize_bytes(Text)?;
        let mut names = self.0.iter();
        Ok(names.position(|known| known.as_bytes() == &*name))
    }
}

struct Items<F>(F);

impl<'a, F: FnMut(&'a RawValue)> Visitor<'a> for Items<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'a>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element()? {
            (self.0)(item);
        }
        Ok(())
    }
}

struct Text;

impl<'a> Visitor<'a> for Text {
    type Value = Cow<'a, [u8]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'a [u8]) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(bytes))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(bytes.to_vec()))
    }
}

/// Replaces `NaN` and `Infinity`, which Python writes, by a number of the same length. `None` without one.
pub fn replace_non_finite_numbers(json: &str) -> Option<String> {
    let mut repaired = json.as_bytes().to_vec();
    let (mut at, mut found) = (0, false);
    let mut is_in_string = false;
    while at < repaired.len() {
        let rest = &repaired[at..];
        let length = [&b"NaN"[..], b"Infinity"]
            .iter()
            .find(|name| !is_in_string && rest.starts_with(name))
            .map(|name| name.len());
        if let Some(length) = length {
            repaired[at..at + length].fill(b' ');
            repaired[at] = b'0';
            found = true;
            at += length;
            continue;
        }
        match rest[0] {
            b'\\' => at += 1,
            b'"' => is_in_string = !is_in_string,
            _ => {}
        }
        at += 1;
    }
    found.then(|| String::from_utf8(repaired).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_last_of_a_name_counts_and_null_is_none() {
        let json = raw(r#"{"a": 1, "\u0061": [2], "b": null, "\ud83d": 3, "c": 1e999}"#);
        let [a, b, c, d] = fields(&json, ["a", "b", "c", "d"]);

        assert_eq!(a.unwrap().get(), "[2]");
        assert_eq!(c.unwrap().get(), "1e999");
        assert!(b.is_none() && d.is_none());
        assert!(fields(&raw("[1]"), ["a"])[0].is_none());
    }

    #[test]
    fn half_a_character_is_kept_for_its_other_half() {
        assert_eq!(&*text_of(&raw(r#""a\ud83d""#)).unwrap(), b"a\xed\xa0\xbd");
        assert_eq!(
            &*text_of(&raw(r#""\ud83d\udc1f""#)).unwrap(),
            "🐟".as_bytes()
        );
        assert!(text_of(&raw("5")).is_none());
    }

    #[test]
    fn numbers_that_are_none_are_replaced_outside_of_strings() {
        for (json, repaired) in [
            (
                r#"{"a": NaN, "b": "NaN\"NaN"}"#,
                Some(r#"{"a": 0  , "b": "NaN\"NaN"}"#),
            ),
            ("[-Infinity,Infinity]", Some("[-0       ,0       ]")),
            (r#"["é"]"#, None),
        ] {
            assert_eq!(replace_non_finite_numbers(json).as_deref(), repaired);
        }
    }
}
