//! Where numbers are in keys.

use crate::kernel::store::key::TEXT_END;
use crate::kernel::store::{Components, Table};

/// The length of a number in a key, in bytes.
const NUMBER: usize = size_of::<u64>();

/// The maximum length of an id in a key, in bytes, with its end. Guardians' and assistants' ids are shorter.
const LONGEST_ID: usize = 64;

/// What a key has before a number.
#[derive(Clone, Copy, Debug)]
pub enum Before {
    /// Another number.
    Number,
    /// A guardian's or an assistant's id.
    Id,
}

/// Where a number that is never used again, such as a session's, is in the keys of a table.
#[derive(Clone, Copy, Debug)]
pub struct KeyPlace {
    table: Table,
    before: &'static [Before],
    is_descending: bool,
}

impl KeyPlace {
    /// The number comes after these components.
    pub const fn after(table: Table, before: &'static [Before]) -> Self {
        Self {
            table,
            before,
            is_descending: false,
        }
    }

    /// The number comes first.
    pub const fn first(table: Table) -> Self {
        Self::after(table, &[])
    }

    /// The number is in descending order.
    #[must_use]
    pub const fn descending(self) -> Self {
        Self {
            is_descending: true,
            ..self
        }
    }

    pub const fn table(&self) -> Table {
        self.table
    }

    /// Whether the number comes first.
    pub const fn is_first(&self) -> bool {
        self.before.is_empty()
    }

    /// The number in a key, given its bytes; `None` if it is another table's.
    pub fn number_of(&self, key: &[u8]) -> Option<u64> {
        let after = key.strip_prefix(self.table.name().as_bytes())?;
        self.number_in(after.strip_prefix(&TEXT_END)?)
    }

    /// The maximum number of bytes in a key from the end of the table's name to the end of the number.
    pub(super) fn longest(&self) -> usize {
        let before = self.before.iter().map(|before| match before {
            Before::Number => NUMBER,
            Before::Id => LONGEST_ID,
        });
        before.sum::<usize>() + NUMBER
    }

    /// The number in a key of the table, given the bytes after the table's name, of the key and what follows it.
    pub(super) fn number_in(&self, after_name: &[u8]) -> Option<u64> {
        let own = &after_name[..after_name.len().min(self.longest())];
        let mut components = Components::of(own);
        for before in self.before {
            match before {
                Before::Number => {
                    components.number()?;
                }
                Before::Id => {
                    components.text()?;
                }
            }
        }
        if self.is_descending {
            components.descending_number()
        } else {
            components.number()
        }
    }
}
