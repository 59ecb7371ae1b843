//! Keys: a table's name, then components that are encoded so that their byte order is the display order.

use bytes::Bytes;

use super::cursor::Cursor;

/// A table: the kind of record that a key refers to. The name is part of the key on disk and never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table(&'static str);

impl Table {
    /// The name must be short, lower case and unique in the project.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    pub const fn name(self) -> &'static str {
        self.0
    }

    /// The prefix of all keys of the table.
    pub fn key(self) -> Key {
        Key(Vec::with_capacity(48)).text(self.0)
    }
}

/// Terminates a text in a key.
pub(super) const TEXT_END: [u8; 2] = [0, 1];

/// A key, or a prefix of keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Vec<u8>);

impl Key {
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn to_bytes(&self) -> Bytes {
        Bytes::copy_from_slice(&self.0)
    }

    /// Adds a number, in ascending order.
    #[must_use]
    pub fn number(mut self, number: u64) -> Self {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }

    /// Adds a signed number, such as a time in microseconds, in ascending order.
    #[must_use]
    pub fn signed(self, number: i64) -> Self {
        // Flipping the sign bit makes the unsigned order the signed one.
        self.number((number as u64) ^ (1 << 63))
    }

    /// Adds a signed number, in descending order.
    #[must_use]
    pub fn descending(self, number: i64) -> Self {
        self.number(!((number as u64) ^ (1 << 63)))
    }

    /// Adds a number, in descending order. It must not exceed `i64::MAX`, which no counter reaches.
    #[must_use]
    pub fn descending_number(self, number: u64) -> Self {
        self.descending(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Adds text. It is terminated by the bytes (0, 1), and a zero within it is escaped as (0, 255): so no text is
    /// a prefix of another, and the keys sort like the texts.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        for byte in text.bytes() {
            self.0.push(byte);
            if byte == 0 {
                self.0.push(0xff);
            }
        }
        self.0.extend_from_slice(&TEXT_END);
        self
    }

    /// Adds bytes of a length that is the same in the whole table, such as a hash.
    #[must_use]
    pub fn fixed(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// The cursor of this key in the list below `prefix`; `None` if it isn't below.
    pub fn cursor_below(&self, prefix: &Self) -> Option<Cursor> {
        self.0
            .strip_prefix(prefix.bytes())
            .map(|suffix| Cursor::new(suffix.to_vec()))
    }

    /// The number of a key that consists of one table and one number.
    pub(super) fn only_number(&self) -> Option<u64> {
        let table = table_of(&self.0).len() + TEXT_END.len();
        let number = self.0.get(table..)?.try_into().ok()?;
        Some(u64::from_be_bytes(number))
    }

    /// The components after `prefix`; none if the key doesn't begin with it.
    pub fn components_below(&self, prefix: &Self) -> Components<'_> {
        Components(self.0.strip_prefix(prefix.bytes()).unwrap_or_default())
    }

    /// The first key after everything with this prefix; `None` if no such key exists.
    pub(super) fn end(&self) -> Option<Vec<u8>> {
        let mut end = self.0.clone();
        while let Some(last) = end.pop() {
            if last < u8::MAX {
                end.push(last + 1);
                return Some(end);
            }
        }
        None
    }
}

/// Reads the components of a key in the order in which they were added. A method returns `None` if the key has no such
/// component there.
#[derive(Clone, Debug)]
pub struct Components<'a>(&'a [u8]);

impl<'a> Components<'a> {
    /// The components that these bytes begin with.
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The components of the row at this cursor, after its list's prefix.
    pub fn at(place: &'a Cursor) -> Self {
        Self(place.suffix())
    }

    pub fn number(&mut self) -> Option<u64> {
        self.fixed().map(u64::from_be_bytes)
    }

    pub fn signed(&mut self) -> Option<i64> {
        Some((self.number()? ^ (1 << 63)) as i64)
    }

    pub fn descending(&mut self) -> Option<i64> {
        Some((!self.number()? ^ (1 << 63)) as i64)
    }

    pub fn descending_number(&mut self) -> Option<u64> {
        self.descending()?.try_into().ok()
    }

    pub fn text(&mut self) -> Option<String> {
        let mut text = Vec::new();
        loop {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            if *byte == 0 {
                let (escape, rest) = self.0.split_first()?;
                self.0 = rest;
                match *escape {
                    0xff => {}
                    1 => return String::from_utf8(text).ok(),
                    _ => return None,
                }
            }
            text.push(*byte);
        }
    }

    pub fn fixed<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }
}

/// The table's name in a stored key; empty if it has none.
pub(super) fn table_of(key: &[u8]) -> &str {
    let end = key.iter().position(|byte| *byte == 0).unwrap_or(0);
    std::str::from_utf8(&key[..end]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table = Table::new("t");

    #[test]
    fn keys_sort_as_their_components_do() {
        let ascending = [
            TABLE.key().signed(i64::MIN),
            TABLE.key().signed(-1),
            TABLE.key().signed(0),
            TABLE.key().signed(i64::MAX),
        ];
        let descending = [
            TABLE.key().descending(i64::MAX),
            TABLE.key().descending(0),
            TABLE.key().descending(-1),
            TABLE.key().descending(i64::MIN),
        ];
        let texts = ["", "a", "a\0", "a\0b", "ab", "b"].map(|text| TABLE.key().text(text));

        assert!(ascending.is_sorted());
        assert!(descending.is_sorted());
        assert!(texts.is_sorted());
    }

    #[test]
    fn no_text_is_the_beginning_of_another() {
        let short = TABLE.key().text("a");
        let long = TABLE.key().text("a\0");

        assert!(!long.bytes().starts_with(short.bytes()));
    }

    #[test]
    fn components_are_read_as_they_were_added() {
        let numbers = [i64::MIN, -1, 0, 7, i64::MAX];
        let texts = ["", "a", "a\0\u{1}", "\0", "\u{ff}ü"];
        for (signed, text) in numbers.into_iter().zip(texts) {
            let number = signed.unsigned_abs() >> 1;
            let key = TABLE.key().signed(signed).text(text).descending(signed);
            let key = key.number(number).descending_number(number).fixed(&[7; 3]);

            let mut read = key.components_below(&TABLE.key());

            assert_eq!(read.signed(), Some(signed));
            assert_eq!(read.text().as_deref(), Some(text));
            assert_eq!(read.descending(), Some(signed));
            assert_eq!(read.number(), Some(number));
            assert_eq!(read.descending_number(), Some(number));
            assert_eq!(read.fixed(), Some([7; 3]));
            assert_eq!(read.fixed::<1>(), None);
        }
    }

    #[test]
    fn the_end_of_a_prefix_lies_behind_all_its_keys() {
        let prefix = TABLE.key().number(u64::MAX);

        let end = prefix.end().expect("the table's name is below 255");

        assert!(prefix.clone().text("zzz").bytes() < end.as_slice());
        assert!(TABLE.key().bytes() < end.as_slice());
    }
}
