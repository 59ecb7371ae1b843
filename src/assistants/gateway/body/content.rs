//! The text of a message, as people read it.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use crate::kernel::host::words::PART_SEPARATOR;

/// Texts joined with one space, which is a [`PART_SEPARATOR`] within a word.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    /// Also a text that is empty.
    has_any: bool,
}

impl Text {
    pub fn add(&mut self, text: &str) {
        self.has_any = true;
        if text.is_empty() {
            return;
        }
        let ends = self.text.chars().next_back();
        let begins = text.chars().next();
        let is_within_word = [ends, begins]
            .iter()
            .all(|it| it.is_some_and(char::is_alphanumeric));
        if is_within_word {
            self.text.push_str(PART_SEPARATOR);
        } else if ends.is_some() {
            self.text.push(' ');
        }
        self.text.push_str(text);
    }

    pub fn is_missing(&self) -> bool {
        !self.has_any
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn into_string(self) -> String {
        self.text
    }
}

/// What stands for a picture in a message's text.
pub const PICTURE: &str = "[picture]";

/// The text of base64 data if it is one, whatever its type claims, or else this word.
pub fn text_or(base64: &str, word: &str) -> String {
    let text = decode(base64).and_then(|bytes| text_in(&bytes));
    text.unwrap_or_else(|| word.to_owned())
}

/// The text of a file, or else `[file]`. `None` unless its data is base64, with or without a [`data:` URL](data_of) around it.
pub fn file_text(data: &str) -> Option<String> {
    let data = if data.starts_with("data:") {
        data_of(data)?.1
    } else {
        data
    };
    decode(data).is_some().then(|| text_or(data, "[file]"))
}

fn decode(base64: &str) -> Option<Vec<u8>> {
    const BASE64: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    BASE64.decode(base64.replace(['\r', '\n'], "")).ok()
}

/// The media type and the base64 of a `data:` URL. `None` with any parameter but the character set, because its value could be a
/// text for the model.
pub fn data_of(url: &str) -> Option<(&str, &str)> {
    let (kind, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    let kind = match kind.split_once(";charset=") {
        Some((kind, "utf-8" | "UTF-8")) => kind,
        _ => kind,
    };
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"/.+-".contains(&byte);
    (kind.len() <= LONGEST_TYPE && kind.bytes().all(is_letter)).then_some((kind, data))
}

/// Longer than the longest registered type of a document.
const LONGEST_TYPE: usize = 80;

/// Whether it can be no address and no text.
pub fn is_base64(data: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(&byte);
    data.bytes().all(is_digit)
}

/// Decodes a file as UTF-8, UTF-16 or Latin-1, and replaces control characters. `None` if it has too many of them for a text.
fn text_in(bytes: &[u8]) -> Option<String> {
    const BYTE_ORDER_MARK: char = '\u{feff}';
    let units = bytes.chunks_exact(2);
    let text = match bytes {
        [0xff, 0xfe, ..] => utf16(units.map(|unit| u16::from_le_bytes([unit[0], unit[1]]))),
        [0xfe, 0xff, ..] => utf16(units.map(|unit| u16::from_be_bytes([unit[0], unit[1]]))),
        _ => match str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    };
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    let is_broken =
        |it: &char| it.is_control() && !it.is_whitespace() || *it == char::REPLACEMENT_CHARACTER;
    let (broken, all) = (text.chars().filter(is_broken).count(), text.chars().count());
    (broken * MOST_BROKEN <= all).then(|| text.replace(|it| is_broken(&it), "\u{fffd}"))
}

fn utf16(units: impl Iterator<Item = u16>) -> String {
    let characters = char::decode_utf16(units);
    characters
        .map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// In a text, at most one character in this many is a control character. In a compressed file or a picture, one in five is.
const MOST_BROKEN: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_of_text_is_read_whatever_its_type_claims() {
        for (data, text) in [
            ("data:text/plain;charset=utf-8;base64,SGkh", Some("Hi!")),
            ("data:;base64,SGkh", Some("Hi!")),
            ("data:image/svg+xml;base64,SGkh", Some("Hi!")),
            ("data:text/plain;name=I am sad;base64,SGkh", None),
            ("data:text/plain;charset=I am sad;base64,SGkh", None),
            ("data:I am sad;base64,SGkh", None),
            ("data:text/plain;base64,SGkgw6kK", Some("Hi é\n")),
            ("data:application/pdf;base64,SGkgw6kK", Some("Hi é\n")),
            ("SGkg\r\nw6k", Some("Hi é")),
            ("data:application/pdf;base64,JVBERi0xAAE=", Some("[file]")),
            ("data:application/zip;base64,AA==", Some("[file]")),
            (
                "data:text/plain;base64,SSBhbSBzYWQgdG9kYXkgAf8=",
                Some("I am sad today \u{fffd}ÿ"),
            ),
            ("data:text/plain;base64,//5IAGkA", Some("Hi")),
            ("data:text/plain,Hi", None),
            ("http://192.168.1.1/notes.txt", None),
            ("no base64", None),
        ] {
            assert_eq!(file_text(data).as_deref(), text, "{data}");
        }
    }
}
