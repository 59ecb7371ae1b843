//! Stored values: a version and the record's JSON, which is also what the API returns.
//!
//! A value is `[version][parts][beginning of the JSON]`. JSON over [`PART`] bytes continues in up to 255 further values; then
//! `[hash]`, 8 bytes of its SHA-256, follows `parts` and is in the keys of the parts: a reader with an old beginning
//! finds the old parts or none, never a mixture.
//!
//! A record that an older binary wrote is [upgraded](Record::UPGRADES) when it is read.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::cursor::Cursor;
use super::key::Table;
use super::{Key, StoreError};

/// Whether serde may leave out a field: it has the value that a missing one is read as.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The maximum number of bytes of JSON in one value: sled stores values over a segment in files that it never syncs, and
/// several large ones must fit into one [step](super::lsm) of a checkpoint.
pub(super) const PART: usize = 6 * 1024;

/// The table of the further parts of large values.
pub(super) const PARTS: Table = Table::new("part");

const HASH: usize = 8;

/// Upgrades the JSON of a record by one version; `None` if it isn't of the older version.
pub type Upgrade = fn(Value) -> Option<Value>;

/// A record of the store.
pub trait Record: Serialize + DeserializeOwned {
    /// The version that this binary writes, from 1.
    const VERSION: u8 = 1;

    /// The steps from each older version to the next, beginning with version 1. Each needs a test with a record as it was
    /// stored.
    const UPGRADES: &'static [Upgrade] = &[];

    /// Parses a record's JSON.
    fn decode(json: &[u8]) -> Result<Self, StoreError> {
        serde_json::from_slice(json)
            .map_err(|error| of_another_shape(&error, std::any::type_name::<Self>()))
    }

    fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a record holds only what JSON can say")
    }
}

fn of_another_shape(error: &serde_json::Error, type_name: &str) -> StoreError {
    // serde_json may quote a value in its text; the category and the column never do.
    let what = if error.is_data() {
        "its JSON is of another shape"
    } else {
        "it is not the JSON that it was"
    };
    let name = type_name.rsplit("::").next().unwrap_or(type_name);
    StoreError::unreadable(format!("{what}: {name}, column {}", error.column()))
}

#[derive(Clone, Debug)]
pub struct Payload {
    /// The version of the record's shape.
    pub version: u8,
    pub json: Bytes,
}

impl Payload {
    /// Converts the payload to the version that this binary writes.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] if a newer binary wrote it, or it isn't of its version's shape.
    pub fn upgraded<R: Record>(self) -> Result<Self, StoreError> {
        if self.version == R::VERSION {
            return Ok(self);
        }
        // Serialized by the record type: the order of its fields is part of the answer.
        let json = self.record::<R>()?.encode();
        Ok(Self {
            version: R::VERSION,
            json: json.into(),
        })
    }

    /// The record. Fails like [`Payload::upgraded`].
    pub fn record<R: Record>(self) -> Result<R, StoreError> {
        debug_assert_eq!(R::UPGRADES.len() + 1, usize::from(R::VERSION));
        R::decode(&self.upgrade(R::VERSION, R::UPGRADES)?)
    }

    /// The JSON in this version, its fields in any order.
    fn upgrade(self, version: u8, upgrades: &[Upgrade]) -> Result<Bytes, StoreError> {
        if self.version == version {
            return Ok(self.json);
        }
        let steps = usize::from(self.version).checked_sub(1);
        let Some(steps) = steps.and_then(|first| upgrades.get(first..)) else {
            let what = format!("it is of version {}, which is unknown here", self.version);
            return Err(StoreError::unreadable(what));
        };
        let old = serde_json::from_slice::<Value>(&self.json)
            .ok()
            .and_then(|old| steps.iter().try_fold(old, |old, step| step(old)));
        let what = || format!("it is not of version {}, as it says", self.version);
        let new = old.ok_or_else(|| StoreError::unreadable(what()))?;
        Ok(new.to_string().into())
    }

    /// The JSON of a record that is returned unchanged: an object of the current version. serde alone would also accept an array
    /// of the fields. Fails like [`Payload::upgraded`].
    pub fn object<R: Record>(self) -> Result<Bytes, StoreError> {
        let json = self.upgraded::<R>()?.json;
        match json.first() {
            Some(b'{') => R::decode(&json).map(|_| json),
            _ => Err(StoreError::unreadable("it is no JSON object")),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Row {
    key: Bytes,
    /// The length of the list's prefix.
    prefix: usize,
    json: Bytes,
}

impl Row {
    pub(super) fn new(key: Bytes, prefix: usize, json: Bytes) -> Self {
        Self { key, prefix, json }
    }

    /// The record as JSON, in the current version.
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    pub fn record<R: Record>(&self) -> Result<R, StoreError> {
        R::decode(&self.json)
    }

    /// The same row with other JSON, for a list that shows more than is stored.
    #[must_use]
    pub fn shown_as(self, shown: &impl Serialize) -> Self {
        let json = serde_json::to_vec(shown).expect("answers are JSON");
        Self {
            json: json.into(),
            ..self
        }
    }

    /// The row's cursor, from which the next page continues.
    pub fn cursor(&self) -> Cursor {
        Cursor::new(self.suffix().to_vec())
    }

    /// The key's bytes after the list's prefix.
    pub fn suffix(&self) -> &[u8] {
        &self.key[self.prefix..]
    }
}

impl AsRef<[u8]> for Row {
    fn as_ref(&self) -> &[u8] {
        &self.json
    }
}

pub(super) struct StoredValue<'a> {
    pub version: u8,
    pub parts: u8,
    pub hash: &'a [u8],
    /// The JSON, or its beginning.
    pub first: &'a [u8],
}

impl<'a> StoredValue<'a> {
    pub fn read(stored: &'a [u8]) -> Result<Self, StoreError> {
        let broken = || StoreError::unreadable("a value is shorter than its header");
        let [version, parts, rest @ ..] = stored else {
            return Err(broken());
        };
        let hash = if *parts == 0 { 0 } else { HASH };
        let (hash, first) = rest.split_at_checked(hash).ok_or_else(broken)?;
        Ok(Self {
            version: *version,
            parts: *parts,
            hash,
            first,
        })
    }

    /// The pairs to write for this JSON under `key`: the value first, then its parts. Fails with [`StoreError::TooLarge`].
    pub fn split(key: &[u8], version: u8, json: &[u8]) -> Result<Vec<(Bytes, Bytes)>, StoreError> {
        let mut pieces = json.chunks(PART);
        let first = pieces.next().unwrap_or_default();
        let parts = u8::try_from(pieces.len()).map_err(|_| StoreError::TooLarge)?;
        let mut value = Vec::with_capacity(2 + HASH + first.len());
        value.extend_from_slice(&[version, parts]);
        let mut pairs = Vec::new();
        if parts > 0 {
            let hash = &Sha256::digest(json)[..HASH];
            value.extend_from_slice(hash);
            let keys = part_keys(key, hash, parts);
            pairs.extend(keys.zip(pieces.map(Bytes::copy_from_slice)));
        }
        value.extend_from_slice(first);
        pairs.insert(0, (Bytes::copy_from_slice(key), value.into()));
        Ok(pairs)
    }

    /// The keys of the further parts of the value under `key`.
    pub fn part_keys(&self, key: &[u8]) -> impl Iterator<Item = Bytes> {
        part_keys(key, self.hash, self.parts)
    }
}

fn part_keys(key: &[u8], hash: &[u8], parts: u8) -> impl Iterator<Item = Bytes> {
    let prefix = [Key::bytes(&PARTS.key()), key, hash].concat();
    (0..parts).map(move |number| [&prefix[..], &[number]].concat().into())
}

/// The record that a part belongs to.
pub(super) struct Owner<'a> {
    pub key: &'a [u8],
    pub hash: &'a [u8],
}

/// The record that the part under `key` belongs to; `None` if `key` is no part.
pub(super) fn owner_of_part(key: &[u8]) -> Option<Owner<'_>> {
    let rest = key.strip_prefix(PARTS.key().bytes())?;
    let (rest, _number) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
    let (key, hash) = rest.split_at_checked(rest.len().checked_sub(HASH)?)?;
    Some(Owner { key, hash })
}

/// The prefix of the keys of all parts of records below `prefix`.
pub(super) fn parts_below(prefix: &Key) -> Key {
    PARTS.key().fixed(prefix.bytes())
}
