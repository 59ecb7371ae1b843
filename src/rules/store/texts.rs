//! The texts of versions: topics, contexts, and instructions. Each is stored once per child, under its hash.
//!
//! A text is stored as long as a version refers to it. Consecutive versions share most of their texts, so the
//! reference count of a text counts runs of consecutive versions, not versions: a change writes only the texts that it
//! changes.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::children::ChildId;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table, readable};

const TEXT: Table = Table::new("rules-text");

/// The number of bytes of a text's SHA-256 in its id.
const BYTES: usize = 16;

/// The number of characters of an id as text.
const CHARACTERS: usize = 22;

/// The id of a text: the beginning of its SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TextId([u8; BYTES]);

impl TextId {
    pub fn of(text: &str) -> Self {
        let hash = Sha256::digest(text);
        Self(std::array::from_fn(|index| hash[index]))
    }
}

impl From<TextId> for String {
    fn from(id: TextId) -> Self {
        URL_SAFE_NO_PAD.encode(id.0)
    }
}

impl TryFrom<String> for TextId {
    type Error = NotATextId;

    fn try_from(text: String) -> Result<Self, NotATextId> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| NotATextId)?;
        bytes.try_into().map(Self).map_err(|_| NotATextId)
    }
}

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("this is the id of no text")]
pub struct NotATextId;

#[derive(Serialize, Deserialize)]
struct StoredText {
    text: String,
    /// The number of runs of consecutive versions that refer to it.
    runs: u64,
}

impl Record for StoredText {}

pub(in crate::rules) const KIND: RecordKind = RecordKind::of::<StoredText>(TEXT);

fn texts_of(child: ChildId) -> Key {
    TEXT.key().number(child.number())
}

fn text_key(child: ChildId, id: TextId) -> Key {
    texts_of(child).fixed(&id.0)
}

/// A text that a version refers to.
pub fn text(view: &impl Read, child: ChildId, id: TextId) -> Result<String, StoreError> {
    let stored = view.get::<StoredText>(&text_key(child, id))?;
    let missing = || StoreError::unreadable("a text that a version refers to is missing");
    stored.map(|stored| stored.text).ok_or_else(missing)
}

/// Serializes a list of texts as one text that consists of their ids.
pub fn list(ids: &[TextId]) -> String {
    ids.iter().map(|id| String::from(*id)).collect()
}

/// Parses the ids of such a list.
pub fn ids_of_list(
    view: &impl Read,
    child: ChildId,
    list: TextId,
) -> Result<Vec<TextId>, StoreError> {
    let list = text(view, child, list)?;
    let ids = list.as_bytes().chunks(CHARACTERS);
    let ids = ids.map(|id| TextId::try_from(String::from_utf8_lossy(id).into_owned()));
    ids.collect::<Result<_, _>>()
        .map_err(StoreError::unreadable)
}

/// The texts that a version refers to.
#[derive(Default)]
pub struct References {
    pub ids: BTreeSet<TextId>,
    /// Whether references may be missing, because something is unreadable.
    pub is_incomplete: bool,
}

impl References {
    fn have(&self, id: TextId) -> bool {
        self.ids.contains(&id)
    }
}

/// A version in the sequence of a child's versions that is written, replaced or removed.
pub struct Replaced {
    /// The previous and the next version.
    pub neighbours: [Option<References>; 2],
    pub before: Option<References>,
    pub after: Option<References>,
}

impl Replaced {
    /// Updates the reference counts for the new sequence: stores new texts, and removes those that no version refers to any more.
    /// `new` has the texts of the version that is written.
    pub fn keep_texts(
        &self,
        change: &mut Change,
        child: ChildId,
        new: &BTreeMap<TextId, String>,
    ) -> Result<(), StoreError> {
        let [older, newer] = &self.neighbours;
        let all = [older, newer, &self.before, &self.after];
        // If references are missing, a text that seems unused may be in use.
        let keeps_all = all
            .iter()
            .copied()
            .flatten()
            .any(|version| version.is_incomplete);
        let ids = all.into_iter().flatten().flat_map(|version| &version.ids);
        for id in ids.collect::<BTreeSet<_>>() {
            let runs = |middle: &Option<References>| {
                let sequence = [older, middle, newer].into_iter().flatten();
                runs(sequence.map(|version| version.have(*id)))
            };
            match (runs(&self.before), runs(&self.after)) {
                (before, after) if before < after => {
                    add(change, child, *id, after - before, new.get(id))?;
                }
                (before, after) if before > after && !keeps_all => {
                    subtract(change, child, *id, before - after)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn runs(sequence: impl Iterator<Item = bool>) -> u64 {
    let (mut runs, mut is_in_run) = (0, false);
    for has in sequence {
        runs += u64::from(has && !is_in_run);
        is_in_run = has;
    }
    runs
}

fn add(
    change: &mut Change,
    child: ChildId,
    id: TextId,
    runs: u64,
    text: Option<&String>,
) -> Result<(), StoreError> {
    let key = text_key(child, id);
    let (kept, before) = match readable(change.get::<StoredText>(&key))? {
        Some(Some(stored)) => (Some(stored.text), stored.runs),
        Some(None) => (None, 0),
        // Its reference count is unknown, so it stays.
        None => (None, u64::MAX),
    };
    match kept.or_else(|| text.cloned()) {
        Some(text) => {
            let runs = before.saturating_add(runs);
            change.put(&key, &StoredText { text, runs })
        }
        None => Ok(()),
    }
}

fn subtract(change: &mut Change, child: ChildId, id: TextId, runs: u64) -> Result<(), StoreError> {
    let key = text_key(child, id);
    let Some(mut stored) = change.get_readable::<StoredText>(&key)? else {
        return Ok(());
    };
    stored.runs = match stored.runs {
        u64::MAX => u64::MAX,
        before => before.saturating_sub(runs),
    };
    match stored.runs {
        0 => change.remove(&key).map(drop),
        _ => change.put(&key, &stored),
    }
}

/// Removes some of the child's texts; returns whether there were any.
pub fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    Ok(change.remove_some_below(&texts_of(child))? > 0)
}

/// The ids of all of the child's stored texts.
#[cfg(test)]
pub fn all_ids(view: &impl Read, child: ChildId) -> BTreeSet<TextId> {
    let all = texts_of(child);
    let keys = view.keys_below(&all, usize::MAX).unwrap();
    let ids = keys.iter().map(|key| key.components_below(&all).fixed());
    ids.map(|id| TextId(id.unwrap())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_versions_with_a_text_are_one_run() {
        for (sequence, expected) in [
            (vec![], 0),
            (vec![false], 0),
            (vec![true, true], 1),
            (vec![true, false, true], 2),
            (vec![false, true, true, false], 1),
        ] {
            assert_eq!(runs(sequence.iter().copied()), expected, "{sequence:?}");
        }
    }

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let id = TextId::of("Ghosts");
        let text = String::from(id);

        assert_eq!(text.len(), CHARACTERS);
        assert_eq!(TextId::try_from(text).unwrap(), id);
        assert!(TextId::try_from("Ghosts".to_owned()).is_err());
    }
}
