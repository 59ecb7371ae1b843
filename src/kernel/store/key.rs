//! Keys: a table's name, then components whose bytes sort as they are shown.

use super::cursor::Cursor;

/// The kind of record that a key leads to. The name is part of the key on disk: it never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table(&'static str);

impl Table {
    /// A table of this name: short, lower case, unique in the project.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The key before all of the table's rows.
    pub fn key(self) -> Key {
        Key(Vec::with_capacity(48)).text(self.0)
    }
}

/// What a text in a key ends in.
const TEXT_END: [u8; 2] = [0, 1];

/// A key, or the beginning of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Vec<u8>);

impl Key {
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Adds a number; lower ones come first.
    #[must_use]
    pub fn number(mut self, number: u64) -> Self {
        self.0.extend_from_slice(&number.to_be_bytes());
        self
    }

    /// Adds a signed number, such as a time in microseconds; lower ones come first.
    #[must_use]
    pub fn signed(self, number: i64) -> Self {
        // Flipping the sign bit makes the unsigned order the signed one.
        self.number((number as u64) ^ (1 << 63))
    }

    /// Adds a signed number; higher ones come first.
    #[must_use]
    pub fn descending(self, number: i64) -> Self {
        self.number(!((number as u64) ^ (1 << 63)))
    }

    /// Adds a number; higher ones come first. No count of ours reaches past a signed number.
    #[must_use]
    pub fn descending_number(self, number: u64) -> Self {
        self.descending(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// Adds text. It ends in the bytes (0, 1), and a zero within it is written as (0, 255): so no text is
    /// the beginning of another, and they sort as texts do.
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

    /// The place of this key in the list below `prefix`; `None` when it isn't in there.
    pub fn cursor_below(&self, prefix: &Self) -> Option<Cursor> {
        self.0
            .strip_prefix(prefix.bytes())
            .map(|suffix| Cursor::new(suffix.to_vec()))
    }

    /// The number that a key of one table and one number has: whose list is below it.
    pub(super) fn only_number(&self) -> Option<u64> {
        let table = table_of(&self.0).len() + TEXT_END.len();
        let number = self.0.get(table..)?.try_into().ok()?;
        Some(u64::from_be_bytes(number))
    }

    /// The first bytes behind everything that begins with this key; `None` when nothing is.
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

/// The name of the table that a stored key belongs to; empty when it has none.
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
    fn the_end_of_a_prefix_lies_behind_all_its_keys() {
        let prefix = TABLE.key().number(u64::MAX);

        let end = prefix.end().expect("the table's name is below 255");

        assert!(prefix.clone().text("zzz").bytes() < end.as_slice());
        assert!(TABLE.key().bytes() < end.as_slice());
    }
}
