//! Parses JSON that other programs write.

use serde_json::Value;

/// Parses JSON. A `\u` escape of half a character becomes U+FFFD: JavaScript writes one when a text was cut inside an emoji.
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|error| match without_half_characters(bytes) {
        Some(repaired) => serde_json::from_slice(&repaired),
        None => Err(error),
    })
}

/// `None` without one.
fn without_half_characters(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut repaired = bytes.to_vec();
    let mut found = false;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        at += match (escaped_unit(bytes, at), escaped_unit(bytes, at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                repaired[at..at + 6].copy_from_slice(br"\ufffd");
                found = true;
                6
            }
            // An escaped backslash must not escape what follows it.
            _ => 2,
        };
    }
    found.then_some(repaired)
}

/// The UTF-16 unit of the `\uXXXX` at this index.
fn escaped_unit(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(br"\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_character_is_replaced() {
        for (json, text) in [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\udc1f\ud83d\udc1f""#, "\u{fffd}🐟"),
            (r#""\ud83dx\ud83d\u0041""#, "\u{fffd}x\u{fffd}A"),
            (r#""\\ud83d \ud83d""#, "\\ud83d \u{fffd}"),
        ] {
            assert_eq!(parse(json.as_bytes()).unwrap(), text, "{json}");
        }
    }

    #[test]
    fn invalid_json_stays_invalid() {
        for json in [
            r#""\ud8"#,
            r#""\"#,
            r#""\ud83d"#,
            r#"{"a""#,
            "",
            "\"\u{0}\"",
        ] {
            assert!(parse(json.as_bytes()).is_err(), "{json}");
        }
        let deep = "[".repeat(100_000);
        assert!(parse(deep.as_bytes()).is_err());
    }
}
