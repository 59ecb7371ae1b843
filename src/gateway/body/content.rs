//! The text of a message, as people read it.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// Texts joined with one space.
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
        if !self.text.is_empty() {
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

/// What a file of this data says: its own text if it is one, whatever its type claims. `None` unless it is base64, with or without
/// `data:` before it.
pub fn file_text(data: &str) -> Option<String> {
    const BASE64: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let data = match data.strip_prefix("data:") {
        Some(url) => url.split_once(";base64,")?.1,
        None => data,
    };
    let bytes = BASE64.decode(data).ok()?;
    let text = String::from_utf8(bytes).ok().filter(|text| is_text(text));
    Some(text.unwrap_or_else(|| "[file]".to_owned()))
}

/// Whether it can be no address and no text.
pub fn is_base64(data: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=\r\n".contains(&byte);
    data.bytes().all(is_digit)
}

fn is_text(text: &str) -> bool {
    !text
        .chars()
        .any(|character| character.is_control() && !character.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_text_is_read_whatever_its_type_claims() {
        for (data, text) in [
            ("data:text/plain;base64,SGkgw6kK", Some("Hi é\n")),
            ("data:application/pdf;base64,SGkgw6kK", Some("Hi é\n")),
            ("SGkgw6k", Some("Hi é")),
            ("data:application/pdf;base64,JVBERi0xAAE=", Some("[file]")),
            ("data:application/zip;base64,/w==", Some("[file]")),
            ("data:text/plain,Hi", None),
            ("http://192.168.1.1/notes.txt", None),
            ("no base64", None),
        ] {
            assert_eq!(file_text(data).as_deref(), text, "{data}");
        }
    }
}
