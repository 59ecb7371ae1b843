//! Reads text files that people write.

use std::fs;
use std::io;
use std::path::Path;

/// The byte-order mark that editors on Windows write at the beginning of a file.
const MARK: char = '\u{feff}';

/// Reads a file as text, without a byte-order mark.
///
/// # Errors
///
/// The system's error; [`io::ErrorKind::InvalidData`] if it isn't UTF-8.
pub fn text_of(file: &Path) -> io::Result<String> {
    let bytes = fs::read(file)?;
    let mut text = String::from_utf8(bytes).map_err(|error| not_utf8(error.as_bytes()))?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    Ok(text)
}

fn not_utf8(bytes: &[u8]) -> io::Error {
    let what = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it is in UTF-16; please save it as UTF-8",
        _ => "it is not a text in UTF-8",
    };
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_left_out_and_another_encoding_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("text");
        let read = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            text_of(&file).map_err(|error| error.to_string())
        };

        assert_eq!(read(b"\xef\xbb\xbfM\xc3\xbcller"), Ok("Müller".into()));
        assert_eq!(read(b"plain"), Ok("plain".into()));
        assert!(read(b"\xff\xfea\0").unwrap_err().contains("UTF-16"));
        assert!(read(b"M\xfcller").unwrap_err().contains("UTF-8"));
    }
}
