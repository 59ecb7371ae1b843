//! JSON that is read without building it: objects and lists are visited in place, and their values are slices of the text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{BodyError, known_words};

/// The maximum length of a word to choose, in bytes.
const MAX_CHOICE: usize = 12;

/// The maximum number of values in the list or the object of a setting, of which a child could make a text.
const MAX_VALUES: usize = 16;

/// The maximum length of an id, in bytes.
const MAX_WORD: usize = 128;

/// The same of one that may say something, such as the name of a file.
const MAX_PLAIN_WORD: usize = 64;

/// A name, borrowed if it has no escapes.
pub struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}

/// Visits the fields of an object that [`check`](super::check::check) has accepted.
pub fn fields<'t>(
    object: &'t str,
    visit: impl FnMut(&str, &'t str) -> Result<(), BodyError>,
) -> Result<(), BodyError> {
    let mut visited = Fields {
        visit,
        failed: None,
    };
    let mut deserializer = serde_json::Deserializer::from_str(object);
    let read = deserializer.deserialize_map(&mut visited);
    finish(visited.failed, read)
}

/// Visits the values of a list that [`check`](super::check::check) has accepted.
pub fn elements<'t>(
    list: &'t str,
    visit: impl FnMut(&'t str) -> Result<(), BodyError>,
) -> Result<(), BodyError> {
    let mut visited = Elements {
        visit,
        failed: None,
    };
    let mut deserializer = serde_json::Deserializer::from_str(list);
    let read = deserializer.deserialize_seq(&mut visited);
    finish(visited.failed, read)
}

fn finish(failed: Option<BodyError>, read: serde_json::Result<()>) -> Result<(), BodyError> {
    match failed {
        Some(error) => Err(error),
        None => read.map_err(|_| BodyError::NotJson),
    }
}

struct Fields<F> {
    visit: F,
    failed: Option<BodyError>,
}

impl<'t, F: FnMut(&str, &'t str) -> Result<(), BodyError>> Visitor<'t> for &mut Fields<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key_seed(Name)? {
            let value = map.next_value::<&RawValue>()?;
            if let Err(error) = (self.visit)(&name, value.get()) {
                self.failed = Some(error);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

struct Elements<F> {
    visit: F,
    failed: Option<BodyError>,
}

impl<'t, F: FnMut(&'t str) -> Result<(), BodyError>> Visitor<'t> for &mut Elements<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element::<&RawValue>()? {
            if let Err(error) = (self.visit)(value.get()) {
                self.failed = Some(error);
                return Err(A::Error::custom("refused"));
            }
        }
        Ok(())
    }
}

pub fn is_object(value: &str) -> bool {
    value.starts_with('{')
}

pub fn is_list(value: &str) -> bool {
    value.starts_with('[')
}

pub fn is_null(value: &str) -> bool {
    value == "null"
}

/// A string's text; `None` for anything else.
pub fn string(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

/// A field's text. Anything but a string is refused.
pub fn text_of(name: &'static str, value: &str) -> Result<String, BodyError> {
    string(value).ok_or(BodyError::Value(name))
}

/// A text as JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether it says nothing: what a program sends for a setting that it doesn't use.
pub fn is_empty(value: &str) -> bool {
    let inside = |open, close| {
        let inside = value
            .strip_prefix(open)
            .and_then(|it| it.strip_suffix(close));
        inside.is_some_and(|inside: &str| inside.trim().is_empty())
    };
    matches!(value, "null" | "false" | r#""""#) || inside('[', ']') || inside('{', '}')
}

/// Whether it has no text: only a few numbers, truth values, and [known words](known_words).
pub fn is_setting(value: &str) -> bool {
    serde_json::from_str::<Setting>(value).is_ok_and(|Setting(is_setting)| is_setting)
}

/// Whether it is a number, a truth value, nothing, or one word.
pub fn is_id(value: &str) -> bool {
    is_scalar(value) || string(value).is_some_and(|text| is_word(&text))
}

fn is_scalar(value: &str) -> bool {
    !is_object(value) && !is_list(value) && !value.starts_with('"')
}

/// Whether it is a number, a truth value, nothing, or a known word such as `high`.
pub fn is_choice(value: &str) -> bool {
    is_scalar(value) || string(value).is_some_and(|word| known_words::is_choice(&word))
}

/// Whether it is a number, a truth value, nothing, or a word that says as little to a model, such as `required`.
pub fn is_plain_instruction(value: &str) -> bool {
    is_scalar(value) || string(value).is_some_and(|word| known_words::is_instruction(&word))
}

/// Whether it is an id that can't be a text.
pub fn is_hexadecimal(value: &str) -> bool {
    string(value).is_some_and(|text| known_words::is_hexadecimal(&text))
}

/// Whether it is a short word.
pub fn is_short_word(value: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    string(value).is_some_and(|word| word.len() <= MAX_CHOICE && word.bytes().all(is_letter))
}

fn is_word(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:/+-=|#@,".contains(&byte);
    // Longer ones must look random: at least one character in ten is a digit.
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_random = text.len() <= MAX_WORD && digits * 10 >= text.len();
    (text.len() <= MAX_PLAIN_WORD || is_random) && text.bytes().all(is_allowed)
}

struct Setting(bool);

impl<'de> serde::Deserialize<'de> for Setting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SettingVisitor).map(Self)
    }
}

struct SettingVisitor;

impl<'de> Visitor<'de> for SettingVisitor {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_str<E>(self, text: &str) -> Result<bool, E> {
        Ok(known_words::is_setting(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<bool, A::Error> {
        let (mut is_setting, mut values) = (true, 0);
        while let Some(Setting(element)) = list.next_element()? {
            is_setting &= element;
            values += 1;
        }
        Ok(is_setting && values <= MAX_VALUES)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let (mut is_setting, mut values) = (true, 0);
        while let Some(name) = map.next_key_seed(Name)? {
            let Setting(value) = map.next_value()?;
            is_setting &= value && known_words::is_setting(&name);
            values += 1;
        }
        Ok(is_setting && values <= MAX_VALUES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_no_text() {
        for json in [
            "1",
            "null",
            "true",
            r#""high""#,
            r#"["text","audio"]"#,
            r#"{"50256":-100}"#,
            r#"["top_k","temperature"]"#,
            r#""5m""#,
            r#""-1""#,
            r#""priority""#,
        ] {
            assert!(is_setting(json), "{json}");
        }
        for json in [
            r#""tell me""#,
            r#"["a b"]"#,
            r#"{"a":{"b":"c d"}}"#,
            r#"{"a b":1}"#,
            r#""é""#,
            r#""I_am_sad""#,
            r#"["I","am","sad"]"#,
            r#"{"I_am_sad":1}"#,
            r#""5sadness""#,
            "[73,32,97,109,32,115,97,100,46,32,72,101,108,112,32,109,101]",
        ] {
            assert!(!is_setting(json), "{json}");
        }
    }

    #[test]
    fn a_choice_is_one_short_word() {
        for json in ["true", "null", "2048", r#""high""#, r#""""#] {
            assert!(is_choice(json), "{json}");
        }
        for json in [
            r#""tell_me_about_ghosts""#,
            r#""ghosts""#,
            r#""a b""#,
            r#""a\"""#,
            r#"["low"]"#,
            r#"{"a":"b"}"#,
        ] {
            assert!(!is_choice(json), "{json}");
        }
    }
}
