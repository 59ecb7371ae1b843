//! Writes in memory, and how several layers of them are read as one.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

use bytes::Bytes;

use crate::kernel::store::StoreError;

/// The last value written under each key; `None` is a tombstone.
pub type Memtable = BTreeMap<Bytes, Option<Bytes>>;

/// A key and its value.
pub type Pair = (Bytes, Bytes);

/// Both ends of a range of keys, in the right order.
pub type Bounds<'a> = (Bound<&'a [u8]>, Bound<&'a [u8]>);

/// The writes of a memtable within `bounds`, in key order.
pub fn range<'a>(
    memtable: &'a Memtable,
    bounds: Bounds<'_>,
) -> impl DoubleEndedIterator<Item = (&'a Bytes, &'a Option<Bytes>)> {
    memtable.range::<[u8], _>(bounds)
}

/// How many bytes of keys and values these writes have.
pub fn size(writes: &Memtable) -> usize {
    let sizes = writes.iter();
    let sizes = sizes.map(|(key, value)| key.len() + value.as_ref().map_or(0, Bytes::len));
    sizes.sum()
}

/// The pairs of both layers in key order. A write of `newer`, a tombstone too, hides what `older` has under its key.
pub fn merge<'a>(
    newer: impl Iterator<Item = (&'a Bytes, &'a Option<Bytes>)>,
    older: impl Iterator<Item = Result<Pair, StoreError>>,
) -> impl Iterator<Item = Result<Pair, StoreError>> {
    merge_by(Bytes::cmp, newer, older)
}

/// [`merge`] for layers whose last key comes first.
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
