//! What stands behind a key: a version, and the JSON with which the record is answered.
//!
//! On disk a value is `[version][parts][first bytes of the payload]`. sled keeps values over a segment's
//! size in files that nothing syncs, so a payload over [`PART`] bytes goes on in up to 255 further
//! values. Their keys carry a hash of the payload: a reader that holds the old beginning finds the old
//! parts or none, never a mixture.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::cursor::Cursor;
use super::key::Table;
use super::{Key, StoreError};

/// The largest piece of a payload in one value, in bytes: what many of them, side by side, make sled write in one step of
/// a checkpoint is still less than [it must be](super::runs).
pub(super) const PART: usize = 6 * 1024;

/// Where the further parts of large values live.
pub(super) const PARTS: Table = Table::new("part");

const HASH: usize = 8;

/// What stands before the payload of a value without parts.
const HEADER: usize = 2;

/// A record of the store.
pub trait Record: Serialize + DeserializeOwned {
    /// The version of the record's shape that this binary writes, from 1.
    const VERSION: u8 = 1;

    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it isn't of the record's shape.
    fn decode(payload: &[u8]) -> Result<Self, StoreError> {
        serde_json::from_slice(payload).map_err(|error| {
            // serde_json may quote a value in its text; the category and the column never do.
            let what = match error.is_data() {
                true => "its JSON is of another shape",
                false => "it is not the JSON that it was",
            };
            let (name, column) = (std::any::type_name::<Self>(), error.column());
            let name = name.rsplit("::").next().unwrap_or(name);
            StoreError::Unreadable(format!("{what}: {name}, column {column}").into())
        })
    }

    /// [`Record::decode`] for a payload that is answered as it is, which is an object. Serde alone would also take an
    /// array of the fields.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it is no object, or isn't of the record's shape.
    fn decode_object(payload: &[u8]) -> Result<Self, StoreError> {
        match payload.first() {
            Some(b'{') => Self::decode(payload),
            _ => Err(StoreError::Unreadable("it is no JSON object".into())),
        }
    }

    /// Writes the payload.
    fn encode(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a record holds only what JSON can say")
    }
}

/// A record's JSON. What stands in one value, as nearly all do, is lent from sled's cache and not copied.
#[derive(Clone, Debug)]
pub enum Payload {
    /// A stored value, header and all.
    Stored(sled::IVec),
    /// What was put together from parts.
    Assembled(Vec<u8>),
}

impl std::ops::Deref for Payload {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Stored(value) => value.get(HEADER..).unwrap_or_default(),
            Self::Assembled(bytes) => bytes,
        }
    }
}

impl AsRef<[u8]> for Payload {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

/// One row of a list: its place and its JSON.
#[derive(Clone, Debug)]
pub struct Row {
    key: sled::IVec,
    /// How long the list's prefix is.
    prefix: usize,
    payload: Payload,
}

impl Row {
    pub(super) fn new(key: sled::IVec, prefix: usize, payload: Payload) -> Self {
        Self {
            key,
            prefix,
            payload,
        }
    }

    /// The record as JSON.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// The record itself.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unreadable`] when it isn't of the record's shape.
    pub fn record<R: Record>(&self) -> Result<R, StoreError> {
        R::decode(&self.payload)
    }

    /// The row's place, from which the next page continues.
    pub fn cursor(&self) -> Cursor {
        Cursor::new(self.suffix().to_vec())
    }

    /// The key's bytes behind the list's prefix.
    pub fn suffix(&self) -> &[u8] {
        &self.key[self.prefix..]
    }
}

impl AsRef<[u8]> for Row {
    fn as_ref(&self) -> &[u8] {
        &self.payload
    }
}

/// A value as it stands on disk.
pub(super) struct StoredValue<'a> {
    pub parts: u8,
    pub hash: &'a [u8],
    pub first: &'a [u8],
}

impl<'a> StoredValue<'a> {
    pub fn read(stored: &'a [u8]) -> Result<Self, StoreError> {
        let broken = || StoreError::Unreadable("a value is shorter than its header".into());
        let [_version, parts, rest @ ..] = stored else {
            return Err(broken());
        };
        if *parts == 0 {
            return Ok(Self {
                parts: 0,
                hash: &[],
                first: rest,
            });
        }
        let (hash, first) = rest.split_at_checked(HASH).ok_or_else(broken)?;
        Ok(Self {
            parts: *parts,
            hash,
            first,
        })
    }

    /// The pairs to write for `payload` under `key`: the value itself first, then its parts.
    pub fn split(key: &[u8], version: u8, payload: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut pieces = payload.chunks(PART);
        let first = pieces.next().unwrap_or_default();
        let parts = u8::try_from(pieces.len())
            .expect("the limits of the contract bound every record below 255 parts");
        let mut value = vec![version, parts];
        if parts > 0 {
            value.extend_from_slice(&Sha256::digest(payload)[..HASH]);
        }
        value.extend_from_slice(first);
        let stored = StoredValue::read(&value).expect("the header was written just above");
        let rest = Parts::of(key, &stored)
            .zip(pieces.map(<[u8]>::to_vec))
            .collect::<Vec<_>>();
        let mut pairs = vec![(key.to_vec(), value)];
        pairs.extend(rest);
        pairs
    }
}

/// The record that a part belongs to.
pub(super) struct Owner<'a> {
    pub key: &'a [u8],
    pub hash: &'a [u8],
}

/// Whose part is stored under `key`; `None` when it is no part.
pub(super) fn owner_of_part(key: &[u8]) -> Option<Owner<'_>> {
    let rest = key.strip_prefix(PARTS.key().bytes())?;
    let (rest, _number) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
    let (key, hash) = rest.split_at_checked(rest.len().checked_sub(HASH)?)?;
    Some(Owner { key, hash })
}

/// The beginning of the keys of all parts of records below `prefix`.
pub(super) fn parts_below(prefix: &Key) -> Key {
    PARTS.key().fixed(prefix.bytes())
}

/// The keys of a large value's further parts.
pub(super) struct Parts {
    prefix: Vec<u8>,
    next: u8,
    count: u8,
}

impl Parts {
    pub fn of(key: &[u8], value: &StoredValue<'_>) -> Self {
        let prefix = [Key::bytes(&PARTS.key()), key, value.hash].concat();
        Self {
            prefix,
            next: 0,
            count: value.parts,
        }
    }
}

impl Iterator for Parts {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        if self.next == self.count {
            return None;
        }
        let mut key = self.prefix.clone();
        key.push(self.next);
        self.next += 1;
        Some(key)
    }
}
