//! The days on which somebody looked.

use serde::{Deserialize, Serialize};

use crate::children::ChildId;
use crate::identity::{GuardianId, SignedIn};
use crate::kernel::host::zones::Day;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table};

/// By child, who and day.
const LOOK: Table = Table::new("look");

pub(super) const KINDS: [RecordKind; 1] = [RecordKind::of::<Marks>(LOOK)];

/// Who looked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    Guardian(GuardianId),
    /// The administrator, on the command line or with a token that was made there.
    CommandLine,
}

impl Who {
    pub(super) fn of(by: &SignedIn) -> Self {
        if by.is_by_command_line() {
            Self::CommandLine
        } else {
            Self::Guardian(by.guardian().clone())
        }
    }

    fn as_text(&self) -> &str {
        match self {
            Self::Guardian(id) => id.as_str(),
            Self::CommandLine => "",
        }
    }

    fn from_text(text: &str) -> Self {
        if text.is_empty() {
            Self::CommandLine
        } else {
            Self::Guardian(GuardianId::from_text(text))
        }
    }
}

/// Whose day, and of which child.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AccessDay {
    pub child: ChildId,
    pub who: Who,
    pub day: Day,
}

/// What somebody did on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub searched: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub copied: bool,
    /// The administrator made a sign-in link for a guardian.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub made_link: bool,
}

impl Marks {
    const NONE: Self = Self {
        read: false,
        searched: false,
        copied: false,
        made_link: false,
    };
    pub const READ: Self = Self {
        read: true,
        ..Self::NONE
    };
    pub const SEARCHED: Self = Self {
        searched: true,
        ..Self::NONE
    };
    pub const COPIED: Self = Self {
        copied: true,
        ..Self::NONE
    };
    pub const MADE_LINK: Self = Self {
        made_link: true,
        ..Self::NONE
    };

    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            read: self.read || other.read,
            searched: self.searched || other.searched,
            copied: self.copied || other.copied,
            made_link: self.made_link || other.made_link,
        }
    }
}

impl Record for Marks {}

fn of_child(child: ChildId) -> Key {
    LOOK.key().number(child.number())
}

/// Adds marks to a day. An unreadable record is replaced.
pub(super) fn add(change: &mut Change, place: &AccessDay, marks: Marks) -> Result<(), StoreError> {
    let key = of_child(place.child)
        .text(place.who.as_text())
        .text(&place.day.to_string());
    let stored = change.get_readable::<Marks>(&key)?;
    let all = stored.unwrap_or_default().with(marks);
    if stored == Some(all) {
        return Ok(());
    }
    change.put(&key, &all)
}

fn place_in(child: ChildId, key: &Key) -> Option<AccessDay> {
    let mut components = key.components_below(&of_child(child));
    Some(AccessDay {
        child,
        who: Who::from_text(&components.text()?),
        day: components.text()?.parse().ok()?,
    })
}

pub(super) type Row = (AccessDay, Marks);

/// Returns the child's days, and the number of unreadable ones.
pub(super) fn rows(view: &impl Read, child: ChildId) -> Result<(Vec<Row>, u64), StoreError> {
    let (mut rows, mut misplaced) = (Vec::new(), 0);
    let unreadable = view.each_readable(&of_child(child), |key, marks: Marks| {
        match place_in(child, &key) {
            Some(place) => rows.push((place, marks)),
            None => misplaced += 1,
        }
    })?;
    Ok((rows, unreadable + misplaced))
}

/// Adds marks to a list of days.
pub(super) fn add_row(rows: &mut Vec<Row>, place: AccessDay, marks: Marks) {
    match rows.iter_mut().find(|(there, _)| *there == place) {
        Some((_, there)) => *there = there.with(marks),
        None => rows.push((place, marks)),
    }
}

/// The keys of the child's days that are old.
pub(super) fn old_keys(
    view: &impl Read,
    child: ChildId,
    is_old: impl Fn(Day) -> bool,
) -> Result<Vec<Key>, StoreError> {
    let mut keys = view.keys_below(&of_child(child), usize::MAX)?;
    keys.retain(|key| place_in(child, key).is_some_and(|place| is_old(place.day)));
    Ok(keys)
}

/// Returns whether there was any.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&of_child(child))? > 0)
}
