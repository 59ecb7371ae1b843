//! In-memory writes, and the merged view of several layers of them.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

use bytes::Bytes;

use crate::kernel::store::StoreError;

/// The last value written under each key; `None` is a tombstone.
pub type Memtable = BTreeMap<Bytes, Option<Bytes>>;

pub type Pair = (Bytes, Bytes);

/// The bounds of a range of keys; the start doesn't exceed the end.
pub type Bounds<'a> = (Bound<&'a [u8]>, Bound<&'a [u8]>);

/// The writes of a memtable within `bounds`, in key order.
pub fn range<'a>(
    memtable: &'a Memtable,
    bounds: Bounds<'_>,
) -> impl DoubleEndedIterator<Item = (&'a Bytes, &'a Option<Bytes>)> {
    memtable.range::<[u8], _>(bounds)
}

/// The number of bytes of keys and values.
pub fn size(writes: &Memtable) -> usize {
    let sizes = writes.iter();
    let sizes = sizes.map(|(key, value)| key.len() + value.as_ref().map_or(0, Bytes::len));
    sizes.sum()
}

/// The pairs of both layers in key order. An entry of `newer`, even a tombstone, shadows the entry of `older` with the same key.
pub fn merge<'a>(
    newer: impl Iterator<Item = (&'a Bytes, &'a Option<Bytes>)>,
    older: impl Iterator<Item = Result<Pair, StoreError>>,
) -> impl Iterator<Item = Result<Pair, StoreError>> {
    merge_by(Bytes::cmp, newer, older)
}

/// [`merge`] for layers in descending key order.
pub fn merge_back<'a>(
    newer: impl Iterator<Item = (&'a Bytes, &'a Option<Bytes>)>,
    older: impl Iterator<Item = Result<Pair, StoreError>>,
) -> impl Iterator<Item = Result<Pair, StoreError>> {
    merge_by(|one, other| other.cmp(one), newer, older)
}

fn merge_by<'a>(
    compare: impl Fn(&Bytes, &Bytes) -> Ordering,
    newer: impl Iterator<Item = (&'a Bytes, &'a Option<Bytes>)>,
    older: impl Iterator<Item = Result<Pair, StoreError>>,
) -> impl Iterator<Item = Result<Pair, StoreError>> {
    let (mut newer, mut older) = (newer.peekable(), older.peekable());
    std::iter::from_fn(move || {
        loop {
            let order = match (newer.peek(), older.peek()) {
                (None, _) | (_, Some(Err(_))) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some((new, _)), Some(Ok((old, _)))) => compare(new, old),
            };
            if order == Ordering::Greater {
                return older.next();
            }
            if order == Ordering::Equal {
                older.next();
            }
            let (key, value) = newer.next()?;
            if let Some(value) = value {
                return Some(Ok((key.clone(), value.clone())));
            }
        }
    })
}
