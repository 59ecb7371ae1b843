//! Pagination cursors, opaque to the client.

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

/// base64url without padding. Non-canonical trailing bits are accepted, so that the contract's pattern is exact.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, NO_PAD.with_decode_allow_trailing_bits(true));

/// The position of a row in its list: the rest of its key after the list's prefix.
///
/// A cursor is only ever used together with a prefix that the caller may see, so a forged one can
/// only skip rows of the caller's own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor(Vec<u8>);

/// Text that is not a valid cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("This page marker is not one that Porchlight gave out. Please start from the first page.")]
pub struct NotACursor;

impl Cursor {
    /// The longest text that is accepted, in characters.
    pub const MAX_LENGTH: usize = 400;

    pub(super) fn new(suffix: Vec<u8>) -> Self {
        Self(suffix)
    }

    pub(super) fn suffix(&self) -> &[u8] {
        &self.0
    }

    /// The position in a list of lists: a row of the outer one, and a row of the inner one.
    #[must_use]
    pub fn joined(&self, inner: &Self) -> Self {
        Self([self.suffix(), inner.suffix()].concat())
    }

    /// Splits what [`Cursor::joined`] joined, or returns the outer row alone. All rows of either list have keys of one
    /// length.
    ///
    /// # Errors
    ///
    /// [`NotACursor`] for other lengths.
    pub fn split(&self, outer: usize, inner: usize) -> Result<(Self, Option<Self>), NotACursor> {
        let (first, second) = self.0.split_at_checked(outer).ok_or(NotACursor)?;
        let second = match second.len() {
            0 => None,
            length if length == inner => Some(Self(second.to_vec())),
            _ => return Err(NotACursor),
        };
        Ok((Self(first.to_vec()), second))
    }

    /// Parses what [`Cursor::to_text`] wrote.
    pub fn parse(text: &str) -> Result<Self, NotACursor> {
        if text.is_empty() || text.len() > Self::MAX_LENGTH {
            return Err(NotACursor);
        }
        BASE64.decode(text).map(Self).map_err(|_| NotACursor)
    }

    /// The cursor as text for a URL.
    pub fn to_text(&self) -> String {
        BASE64.encode(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_the_journey_through_a_url() {
        let cursor = Cursor::new(vec![0, 255, 7]);

        assert_eq!(Cursor::parse(&cursor.to_text()), Ok(cursor));
    }

    #[test]
    fn other_text_is_no_cursor() {
        for text in ["", "%", "a b", &"A".repeat(Cursor::MAX_LENGTH + 4)] {
            assert_eq!(Cursor::parse(text), Err(NotACursor), "{text}");
        }
    }
}
