//! How short texts that people type are trimmed, counted and compared.
//!
//! The pages do the same in TypeScript, so everything here is what both languages can do alike: Rust's own
//! `trim`, for one, takes U+0085 off and leaves U+FEFF on, and ECMAScript's does the reverse.

use icu_normalizer::ComposingNormalizerBorrowed;

const NFC: ComposingNormalizerBorrowed<'_> = ComposingNormalizerBorrowed::new_nfc();

/// The text without white space at its ends, by ECMAScript's set of it (ECMA-262, `WhiteSpace` and
/// `LineTerminator`).
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_white_space)
}

fn is_white_space(character: char) -> bool {
    match character {
        '\u{feff}' => true,
        '\u{85}' => false,
        other => other.is_whitespace(),
    }
}

/// How many characters a text has: Unicode scalar values after composing them (NFC), so that an accent counts
/// the same however it was typed.
pub fn length(text: &str) -> usize {
    NFC.normalize(text).chars().count()
}

/// The text as it is compared when case doesn't matter: composed (NFC), in Unicode's lower case.
pub fn caseless(text: &str) -> String {
    NFC.normalize(text).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_what_ecmascript_says() {
        let ecmascript = [
            '\t', '\u{b}', '\u{c}', ' ', '\u{a0}', '\u{feff}', '\n', '\r', '\u{1680}', '\u{2000}',
            '\u{2001}', '\u{2002}', '\u{2003}', '\u{2004}', '\u{2005}', '\u{2006}', '\u{2007}',
            '\u{2008}', '\u{2009}', '\u{200a}', '\u{2028}', '\u{2029}', '\u{202f}', '\u{205f}',
            '\u{3000}',
        ];

        for character in '\0'..=char::MAX {
            let expected = ecmascript.contains(&character);
            assert_eq!(is_white_space(character), expected, "{character:?}");
        }
    }

    #[test]
    fn length_counts_composed_characters() {
        let cases = [
            ("e\u{301}", 1),
            ("👩‍🚀", 3),
            ("\u{958}", 2),
            ("\u{1d160}", 3),
            ("", 0),
        ];

        for (text, expected) in cases {
            assert_eq!(length(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_accent_is_the_same_however_it_was_typed() {
        assert_eq!(caseless("CAFE\u{301}"), caseless("café"));
        assert_ne!(caseless("cafe"), caseless("café"));
    }
}
