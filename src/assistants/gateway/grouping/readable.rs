//! JSON in a form in which its texts can be read, searched and matched.

use crate::assistants::gateway::body::repaired;

/// The JSON with the escapes of its strings undone, so that `\u0064\u0061\u0064` reads `dad`. Nothing else changes.
pub fn readable(json: &str) -> String {
    if !json.contains('\\') {
        return json.to_owned();
    }
    let mut readable = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, string)) = rest.split_once('"') {
        readable.push_str(before);
        let Some(end) = end_of_string(string) else {
            rest = &rest[before.len()..];
            break;
        };
        let quoted = &rest[before.len()..before.len() + end + 2];
        readable.push('"');
        match serde_json::from_str::<String>(&repaired(quoted)) {
            Ok(text) => readable.push_str(&text),
            Err(_) => readable.push_str(&string[..end]),
        }
        readable.push('"');
        rest = &string[end + 1..];
    }
    readable.push_str(rest);
    readable
}

/// The index of the quotation mark that ends a string, which began before the text.
fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_texts_can_be_read() {
        for (json, text) in [
            (r#"{"a": 1}"#, r#"{"a": 1}"#),
            (r#"{"\u0064ad": "h\u0069ts\\"}"#, r#"{"dad": "hits\"}"#),
            (r#"["\"", "\\", "x\ny"]"#, "[\"\"\", \"\\\", \"x\ny\"]"),
            (r#"["\ud83d", "\ud83d\udc1f"]"#, "[\"\u{fffd}\", \"🐟\"]"),
            (r#"{"cut": "of\u0066"#, r#"{"cut": "of\u0066"#),
            (r"no json \u0064", r"no json \u0064"),
        ] {
            assert_eq!(readable(json), text, "{json}");
        }
    }
}
