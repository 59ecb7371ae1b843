//! Where a JSON value ends.

use memchr::memchr2;

/// Follows the brackets of JSON that arrives in pieces, without parsing it.
#[derive(Clone, Debug, Default)]
pub struct JsonEndScanner {
    depth: u32,
    is_in_string: bool,
    is_escaped: bool,
}

impl JsonEndScanner {
    pub fn is_in_string(&self) -> bool {
        self.is_in_string
    }

    /// Returns how many bytes of this piece belong to the value; `None` if the value continues.
    pub fn end_in(&mut self, piece: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < piece.len() {
            if self.is_in_string {
                at += self.string_in(&piece[at..]);
                continue;
            }
            match piece[at] {
                b'"' => self.is_in_string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// How much of this piece was read of a string.
    fn string_in(&mut self, piece: &[u8]) -> usize {
        if std::mem::take(&mut self.is_escaped) {
            return 1;
        }
        let Some(found) = memchr2(b'"', b'\\', piece) else {
            return piece.len();
        };
        if piece[found] == b'"' {
            self.is_in_string = false;
        } else {
            self.is_escaped = true;
        }
        found + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_with_its_last_bracket_however_it_is_cut() {
        for (json, rest) in [
            (r#"{"a": [1, {"b": "}\"]\\"}]}"#, " {"),
            ("[]", "]"),
            (r#"{"\\": "{"}"#, "\n"),
        ] {
            let whole = format!("{json}{rest}");
            assert_eq!(
                JsonEndScanner::default().end_in(whole.as_bytes()),
                Some(json.len())
            );
            let mut balance = JsonEndScanner::default();
            let ends = whole.as_bytes().chunks(1).map(|byte| balance.end_in(byte));
            let end = ends.collect::<Vec<_>>().iter().position(Option::is_some);
            assert_eq!(end, Some(json.len() - 1), "{json}");
        }
    }
}
