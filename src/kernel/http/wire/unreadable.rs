//! Refusals of invalid JSON bodies: a sentence, and the place in the body.
//!
//! Bodies are first read by serde_json without tracking the place, because that would slow down every delivery. Only a body
//! that was refused is read again, as [`Explained`].

use poem_openapi::registry::MetaSchemaRef;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment};

use super::explained::Explained;
use super::repaired::escape_invalid_utf8;
use crate::kernel::http::problem::{Code, Refusal};

/// Reads a body, or returns why it is invalid, and where.
pub fn read<T: DeserializeOwned>(body: &[u8], schema: &MetaSchemaRef) -> Result<T, Refusal> {
    read_with(body, schema, |body| serde_json::from_slice(body))
}

/// [`read`] with another deserializer for valid bodies.
pub fn read_with<T: DeserializeOwned>(
    body: &[u8],
    schema: &MetaSchemaRef,
    reader: impl FnOnce(&[u8]) -> serde_json::Result<T>,
) -> Result<T, Refusal> {
    let Ok(read) = reader(body) else {
        return Err(refusal::<T>(body));
    };
    match list_for_object(body, schema) {
        None => Ok(read),
        Some(place) => {
            Err(Refusal::malformed(Code::BodyInvalid, "An object is expected here.").at(place))
        }
    }
}

/// The place of an array where an object belongs. Serde accepts an array of its fields for an object; the contract
/// doesn't. Our requests are an object or a list of objects, so looking at how each begins is enough.
fn list_for_object(json: &[u8], schema: &MetaSchemaRef) -> Option<String> {
    match schema {
        MetaSchemaRef::Reference(_) => {
            let is_object = json.trim_ascii_start().starts_with(b"{");
            (!is_object).then(String::new)
        }
        MetaSchemaRef::Inline(list) => match list.items.as_deref() {
            Some(MetaSchemaRef::Reference(_)) => {
                let items = serde_json::from_slice::<Vec<&RawValue>>(json).unwrap_or_default();
                let list = items.iter().position(|item| !item.get().starts_with('{'))?;
                Some(format!("/{list}"))
            }
            _ => None,
        },
    }
}

/// The refusal of a body that cannot be read as `T`.
fn refusal<T: DeserializeOwned>(body: &[u8]) -> Refusal {
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(body) {
        return not_json(&error);
    }
    let body = escape_invalid_utf8(body);
    let json = serde_json::from_slice::<&RawValue>(&body);
    let json = json.expect("JSON is still JSON with its text escaped");
    let Err(error) = serde_path_to_error::deserialize::<_, T>(Explained(json)) else {
        return Refusal::malformed(Code::BodyInvalid, "A field is there twice.").at("");
    };
    let Pointer {
        mut place,
        is_whole,
    } = pointer(error.path());
    let wrong = error.into_inner();
    if let Some(field) = wrong.field {
        place += &format!("/{field}");
    }
    let mut sentence = wrong.sentence.into_owned();
    if !is_whole {
        sentence += " Its name is not only letters, digits, _, - and dots.";
    }
    Refusal::malformed(Code::BodyInvalid, sentence).at(place)
}

/// There is no pointer into invalid JSON, so the sentence has the line and the column, counted in bytes from 1.
fn not_json(error: &serde_json::Error) -> Refusal {
    let (line, column) = (error.line(), error.column());
    let refusal = match error.classify() {
        Category::Eof if line <= 1 && column == 0 => {
            return Refusal::malformed(Code::BodyMissing, "The request has no body.").at("");
        }
        Category::Eof => Refusal::malformed(
            Code::BodyIncomplete,
            format!(
                "The request's body is not valid JSON: it ends too early, in line {line} after column {column}."
            ),
        ),
        _ => Refusal::malformed(
            Code::BodyNotJson,
            format!(
                "The request's body is not valid JSON: it goes wrong in line {line} at column {column}."
            ),
        ),
    };
    refusal.with("line", line).with("column", column).at("")
}

/// The maximum length of a client's field name that a pointer repeats.
const LONGEST_NAME: usize = 64;

/// A JSON Pointer (RFC 6901) to a place in a body, or to the object around it.
struct Pointer {
    place: String,
    is_whole: bool,
}

/// The pointer to a place in a body.
///
/// The name of an unknown field comes from the client, so it is repeated only if it looks like a name: letters,
/// digits, `_`, `-` and `.`, none of which a pointer escapes. Any other text could be private;
/// then the pointer ends at the object that holds the field.
fn pointer(path: &Path) -> Pointer {
    let mut place = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => place += &format!("/{index}"),
            Segment::Map { key } if looks_like_a_name(key) => place += &format!("/{key}"),
            Segment::Map { .. } => {
                return Pointer {
                    place,
                    is_whole: false,
                };
            }
            Segment::Enum { .. } | Segment::Unknown => break,
        }
    }
    Pointer {
        place,
        is_whole: true,
    }
}

/// Whether the name of an unknown field is plain enough to be repeated.
pub fn looks_like_a_name(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    (1..=LONGEST_NAME).contains(&key.len()) && key.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use poem_openapi::registry::MetaSchema;
    use serde::Deserialize;

    use super::*;
    use crate::kernel::host::clock::Timestamp;
    use crate::kernel::http::wire::{AtMost, Text, given};

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        Blue,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only whether it can be read matters")]
    struct Form {
        name: Text<3>,
        #[serde(default, deserialize_with = "given")]
        age: Option<u8>,
        #[serde(default, deserialize_with = "given")]
        seconds: Option<f64>,
        #[serde(default, deserialize_with = "given")]
        awake: Option<bool>,
        #[serde(default, deserialize_with = "given")]
        colour: Option<Colour>,
        #[serde(default, deserialize_with = "given")]
        born: Option<Timestamp>,
        #[serde(default, deserialize_with = "given")]
        pets: Option<AtMost<2, Box<Form>>>,
    }

    fn refused(body: &[u8]) -> (String, String) {
        let schema = MetaSchemaRef::Reference("Form".to_owned());
        let refusal = read::<Form>(body, &schema).expect_err(&String::from_utf8_lossy(body));
        let place = refusal
            .place()
            .expect("every place in a body has a pointer");
        (place.to_owned(), refusal.detail().to_owned())
    }

    #[test]
    fn what_is_wrong_with_a_body_is_told_with_its_place() {
        let cases: [(&str, &str, &str); 27] = [
            ("", "", "The request has no body."),
            (
                "{",
                "",
                "The request's body is not valid JSON: it ends too early, in line 1 after column 1.",
            ),
            (
                "{\n \"name\": secret}",
                "",
                "The request's body is not valid JSON: it goes wrong in line 2 at column 10.",
            ),
            (
                r#"{"name":"a"} {}"#,
                "",
                "The request's body is not valid JSON: it goes wrong in line 1 at column 14.",
            ),
            (r#"["a"]"#, "", "An object is expected here."),
            ("7", "", "An object is expected here."),
            ("{}", "/name", "A field that is required is missing."),
            (r#"{"name":"a","name":"b"}"#, "", "A field is there twice."),
            (
                r#"{"name":"a","nmae":1}"#,
                "/nmae",
                "There is a field that is not known.",
            ),
            (
                r#"{"name":"a","what she said":1}"#,
                "",
                "There is a field that is not known. Its name is not only letters, digits, _, - and dots.",
            ),
            (
                r#"{"name":"a","a/b~c":1}"#,
                "",
                "There is a field that is not known. Its name is not only letters, digits, _, - and dots.",
            ),
            (
                r#"{"name":7}"#,
                "/name",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"abcd"}"#,
                "/name",
                "A text in the request is longer than 3 characters.",
            ),
            (
                r#"{"name":"a","age":null}"#,
                "/age",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","age":-1}"#,
                "/age",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","age":1.5}"#,
                "/age",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","age":"u8, expected a boolean"}"#,
                "/age",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","seconds":"1"}"#,
                "/seconds",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","seconds":1e999}"#,
                "/seconds",
                "This text is not valid Unicode, or this number is too large.",
            ),
            (
                r#"{"name":"a","awake":0}"#,
                "/awake",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","colour":"`green`, expected `pink`"}"#,
                "/colour",
                "One of these is expected here: red, blue.",
            ),
            (
                r#"{"name":"a","colour":7}"#,
                "/colour",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","born":"today"}"#,
                "/born",
                "A time must look like 2026-11-21T16:05:00Z.",
            ),
            (
                r#"{"name":"\ud800"}"#,
                "/name",
                "This text is not valid Unicode, or this number is too large.",
            ),
            (
                r#"{"name":"a","pets":{}}"#,
                "/pets",
                "A list is expected here.",
            ),
            (
                r#"{"name":"a","pets":[{"name":"b"},{"name":"c","age":300}]}"#,
                "/pets/1/age",
                "A value of another kind is expected here.",
            ),
            (
                r#"{"name":"a","pets":[{"name":"b"},{"name":"c"},{"name":"d"}]}"#,
                "/pets",
                "A list in the request has more than 2 entries.",
            ),
        ];

        for (body, place, sentence) in cases {
            let expected = (place.to_owned(), sentence.to_owned());
            assert_eq!(refused(body.as_bytes()), expected, "{body}");
        }
    }

    #[test]
    fn a_text_that_is_no_utf_8_is_told_with_its_place() {
        let (place, sentence) = refused(b"{\"name\":\"\xff\"}");

        assert_eq!(
            (&*place, &*sentence),
            (
                "/name",
                "This text is not valid Unicode, or this number is too large."
            )
        );
    }

    #[test]
    fn a_list_in_the_place_of_an_object_is_found_in_a_list_of_objects() {
        let of_forms = MetaSchemaRef::Inline(Box::new(MetaSchema {
            items: Some(Box::new(MetaSchemaRef::Reference("Form".to_owned()))),
            ..MetaSchema::new("array")
        }));

        let refusal = read::<Vec<Form>>(br#"[{"name":"a"},["b"]]"#, &of_forms).unwrap_err();

        assert_eq!(refusal.place(), Some("/1"));
    }
}
