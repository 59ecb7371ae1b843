//! Texts that arrive in pieces.

use std::borrow::Cow;

const BEGIN: &str = "<think>";
const END: &str = "</think>";

/// Joins characters that were cut into halves.
#[derive(Clone, Debug, Default)]
pub struct SurrogateJoiner {
    /// The first half of a character, whose second half hasn't come yet.
    first: Option<u16>,
}

impl SurrogateJoiner {
    /// The text of a piece, with half a character from the piece before it. What stays half becomes U+FFFD.
    pub fn joined<'a>(&mut self, piece: &'a [u8]) -> Cow<'a, str> {
        if piece.is_empty() {
            return Cow::Borrowed("");
        }
        if self.first.is_none()
            && let Ok(text) = str::from_utf8(piece)
        {
            return Cow::Borrowed(text);
        }
        let mut text = String::with_capacity(piece.len() + 4);
        let mut rest = piece;
        while let Some(at) = rest.windows(3).position(|three| unit(three).is_some()) {
            self.push_whole(&mut text, &rest[..at]);
            if let Some(half) = unit(&rest[at..at + 3]) {
                self.push_half(&mut text, half);
            }
            rest = &rest[at + 3..];
        }
        self.push_whole(&mut text, rest);
        Cow::Owned(text)
    }

    fn push_whole(&mut self, text: &mut String, piece: &[u8]) {
        if !piece.is_empty() {
            text.extend(self.first.take().map(|_| char::REPLACEMENT_CHARACTER));
            text.push_str(&String::from_utf8_lossy(piece));
        }
    }

    fn push_half(&mut self, text: &mut String, half: u16) {
        let first = self.first.take();
        let is_first = (0xd800..0xdc00).contains(&half);
        let units = first.into_iter().chain((!is_first).then_some(half));
        let joined = char::decode_utf16(units);
        text.extend(joined.map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER)));
        self.first = is_first.then_some(half);
    }

    /// What is left of a character whose second half never came.
    pub fn end(&mut self) -> &'static str {
        if self.first.take().is_some() {
            "\u{fffd}"
        } else {
            ""
        }
    }
}

/// The half of a character that is encoded like a character of its own.
fn unit(three: &[u8]) -> Option<u16> {
    match *three {
        [0xed, high @ 0xa0..=0xbf, low @ 0x80..=0xbf] => {
            Some(0xd000 | u16::from(high & 0x3f) << 6 | u16::from(low & 0x3f))
        }
        _ => None,
    }
}

/// Tells what a model says from what it only thinks: `<think>` … `</think>`, whose end may be missing.
#[derive(Clone, Debug, Default)]
pub struct Thoughts {
    is_thinking: bool,
    /// The last characters, if they can begin a tag.
    held: String,
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Said,
    Thought,
}

impl Thoughts {
    /// Gives the parts of a piece to `to`.
    pub fn split(&mut self, piece: &str, mut to: impl FnMut(Part, &str)) {
        let joined = (!self.held.is_empty()).then(|| std::mem::take(&mut self.held) + piece);
        let mut rest = joined.as_deref().unwrap_or(piece);
        loop {
            let tag = if self.is_thinking { END } else { BEGIN };
            let Some((before, after)) = rest.split_once(tag) else {
                let open = beginning_at_end(rest, tag);
                let (before, held) = rest.split_at(rest.len() - open);
                to(self.part(), before);
                self.held = held.to_owned();
                return;
            };
            to(self.part(), before);
            self.is_thinking = !self.is_thinking;
            rest = after;
        }
    }

    /// What was held back, because it could have begun a tag.
    pub fn end(&mut self) -> (Part, String) {
        (self.part(), std::mem::take(&mut self.held))
    }

    fn part(&self) -> Part {
        if self.is_thinking {
            Part::Thought
        } else {
            Part::Said
        }
    }
}

/// The length of the longest end of the text that a tag begins with.
fn beginning_at_end(text: &str, tag: &str) -> usize {
    let lengths = (1..tag.len()).rev();
    lengths
        .into_iter()
        .find(|length| text.ends_with(&tag[..*length]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(pieces: &[&[u8]]) -> String {
        let mut halves = SurrogateJoiner::default();
        let mut text = String::new();
        for piece in pieces {
            text.push_str(&halves.joined(piece));
        }
        text + halves.end()
    }

    #[test]
    fn halves_of_a_character_are_joined_across_pieces() {
        const FIRST: &[u8] = b"\xed\xa0\xbd";
        const SECOND: &[u8] = b"\xed\xb0\x9f";
        for (pieces, text) in [
            (&[FIRST, SECOND][..], "🐟"),
            (&[b"a\xed\xa0\xbd", b"", b"\xed\xb0\x9fb"], "a🐟b"),
            (&[FIRST, FIRST, SECOND], "\u{fffd}🐟"),
            (&[SECOND, FIRST], "\u{fffd}\u{fffd}"),
            (&[FIRST, b"a"], "\u{fffd}a"),
            (&[b"\xc3\xa9\xed\xa0\xbd\xed\xb0\x9f\xff"], "é🐟\u{fffd}"),
        ] {
            assert_eq!(joined(pieces), text, "{pieces:?}");
        }
    }

    #[test]
    fn thoughts_are_told_from_words_however_they_are_cut() {
        for (text, said, thought) in [
            ("<think>A child.</think>\nHello!", "\nHello!", "A child."),
            ("Well <think>hm</think>yes<think>or", "Well yes", "hmor"),
            ("no </think> here <thin", "no </think> here <thin", ""),
            ("a <<think>b</thinkk></think>c", "a <c", "b</thinkk>"),
        ] {
            for size in 1..=text.len() {
                let mut thoughts = Thoughts::default();
                let (mut words, mut others) = (String::new(), String::new());
                let mut add = |part, text: &str| match part {
                    Part::Said => words.push_str(text),
                    Part::Thought => others.push_str(text),
                };
                for piece in text.as_bytes().chunks(size) {
                    thoughts.split(str::from_utf8(piece).unwrap(), &mut add);
                }
                let (part, rest) = thoughts.end();
                add(part, &rest);
                assert_eq!((words.as_str(), others.as_str()), (said, thought), "{size}");
            }
        }
    }
}
