//! Escapes that parsers read differently: halves of an emoji, as JavaScript writes when a text was cut inside one, and NUL, at which
//! a program in C ends a text.

use std::borrow::Cow;

/// Each such escape becomes that of U+FFFD, which is as long.
pub fn repaired(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut result = String::new();
    let (mut done, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        at += found;
        at += match (escaped_unit(bytes, at), escaped_unit(bytes, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0 | 0xd800..=0xdfff), _) => {
                result.push_str(&text[done..at]);
                result.push_str(r"\ufffd");
                done = at + 6;
                6
            }
            // An escaped backslash must not escape what follows it.
            _ => 2,
        };
        if at > bytes.len() {
            break;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    result.push_str(&text[done..]);
    Cow::Owned(result)
}

/// The UTF-16 unit of the `\uXXXX` at this index.
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(br"\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_and_nul_are_replaced() {
        for (json, expected) in [
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\udc1f\ud83d\udc1f""#, r#""\ufffd\ud83d\udc1f""#),
            (r#""\ud83dx\ud83d\u0041""#, r#""\ufffdx\ufffd\u0041""#),
            (r#""\\ud83d \ud83d""#, r#""\\ud83d \ufffd""#),
            (r#""a\u0000b""#, r#""a\ufffdb""#),
            (r#""é\uD83D\n""#, r#""é\ufffd\n""#),
        ] {
            assert_eq!(repaired(json), expected);
        }
    }

    #[test]
    fn all_else_stays() {
        for json in [
            r#""\ud8"#,
            r#""\"#,
            "",
            r#""\u+041""#,
            r#""\ud83d\udc1f\\u0000""#,
        ] {
            assert!(
                matches!(repaired(json), Cow::Borrowed(text) if text == json),
                "{json}"
            );
        }
    }
}
