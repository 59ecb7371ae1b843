//! Blocks: neighbouring pairs share one value in sled.
//!
//! sled splits a page at sixteen pairs, however short they are, and keeps some 270 bytes in memory for each page. With one
//! sled pair for each of ours, a million messages filled 250,000 half-full pages: 60 MB of memory before the first request.
//! So up to [`TARGET_SIZE`] bytes of neighbouring pairs form one block.
//!
//! A block is stored under [`BLOCK`] followed by the first key that no longer belongs to it (the last block: under
//! [`LAST`]), so the block of a key is the next entry in sled's order: `get_gt`, which needs no backward iteration.
//!
//! Writing one pair rewrites its block, so hundreds of pairs are written at once, by a [checkpoint](super::checkpoint).
//! Replacing a block is one sled batch, which is atomic. Blocks are not merged when they shrink; a
//! [compaction](super::compaction) fills them again.

use std::collections::BTreeMap;
use std::ops::{Bound, RangeBounds};

use bytes::Bytes;

use super::memtable::{Bounds, Memtable, Pair};
use crate::kernel::store::StoreError;

/// The first byte of a block's key. Lower keys hold the store's metadata.
pub(super) const BLOCK: u8 = 0xff;

/// The key of the last block: after all others.
const LAST: &[u8] = &[BLOCK, u8::MAX];

/// The maximum size of a block in bytes, unless a single pair is larger: some seven messages.
const TARGET_SIZE: usize = 2 * 1024;

/// The maximum number of blocks and of their bytes in one step; they are exceeded by one replacement at most. sled writes about
/// 4 KiB per block, at worst a page of 16. A step must stay below one sled segment (512 KiB): a segment's header says that
/// everything before it is durable, and sled relies on it before it is synced. If a power cut keeps such a header but
/// loses that of the previous segment, sled opens an empty store.
const STEP_BLOCKS: usize = 24;
const STEP_BYTES: usize = 48 * 1024;

/// The bytes of a block beyond [`TARGET_SIZE`] count this many times towards [`STEP_BYTES`], because sled's page is larger, too.
const LARGE_BLOCK_FACTOR: usize = 4;

/// The maximum number of bytes that are merged into one block at once; it is exceeded by one pair at most.
const MERGE_BYTES: usize = 8 * TARGET_SIZE;

/// Each pair is preceded by the lengths of its key (`u16`) and value (`u32`), little-endian.
const LENGTHS: usize = 2 + 4;

/// The blocks in sled. Clones share the tree.
#[derive(Clone)]
pub struct BlockTable(sled::Tree);

/// A write to a block: the value, or `None` to remove the key.
type Write<'a> = (&'a [u8], Option<&'a [u8]>);

impl BlockTable {
    pub fn new(tree: &sled::Tree) -> Self {
        Self(tree.clone())
    }

    pub fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        let Some((_, block)) = self.block_of(key)? else {
            return Ok(None);
        };
        let mut rest = &block[..];
        while !rest.is_empty() {
            let (key_end, value_end) = first_pair(rest).ok_or_else(damaged)?;
            if rest[LENGTHS..key_end] == *key {
                return Ok(Some(Bytes::copy_from_slice(&rest[key_end..value_end])));
            }
            rest = &rest[value_end..];
        }
        Ok(None)
    }

    /// The pairs in key order.
    pub fn range<'a>(&self, (start, end): Bounds<'a>) -> RangeIter<'a> {
        let first = match start {
            Bound::Unbounded => block_key(&[]),
            Bound::Included(start) | Bound::Excluded(start) => block_key(start),
        };
        RangeIter {
            blocks: self.clone(),
            block_end: first.into(),
            block: BlockIter::new(Bytes::new()),
            bounds: (start, end),
        }
    }

    /// The pairs, the last one first.
    pub fn range_back<'a>(&self, (start, end): Bounds<'a>) -> RangeBackIter<'a> {
        RangeBackIter {
            blocks: self.clone(),
            block_end: None,
            pairs: Vec::new(),
            is_first_read: false,
            bounds: (start, end),
            last: None,
        }
    }

    /// The last block that may hold a key before this bound, with the block's own key.
    fn last_block_before(
        &self,
        end: Bound<&[u8]>,
    ) -> Result<Option<(sled::IVec, sled::IVec)>, StoreError> {
        let found = match end {
            Bound::Included(end) | Bound::Excluded(end) => self.block_of(end)?,
            Bound::Unbounded => None,
        };
        match found {
            Some(found) => Ok(Some(found)),
            None => Ok(self.0.last()?.filter(is_block)),
        }
    }

    /// The block before the block with this key.
    fn block_before(&self, block: &[u8]) -> Result<Option<(sled::IVec, sled::IVec)>, StoreError> {
        Ok(self.0.get_lt(block)?.filter(is_block))
    }

    /// Applies these writes in steps. Each step is atomic; `after_step` runs after each.
    pub fn apply<'a>(
        &self,
        writes: impl Iterator<Item = Write<'a>>,
        after_step: impl Fn() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut writes = writes.peekable();
        let mut step = Step::default();
        while let Some((key, _)) = writes.peek() {
            let found = self.block_of(key)?;
            let (end, block) = found.unwrap_or_else(|| (LAST.into(), Default::default()));
            let in_block = |(key, _): &Write| *key < &end[1..];
            let mut taken = 0;
            let own = std::iter::from_fn(|| {
                let next = writes.next_if(|next| taken < MERGE_BYTES && in_block(next))?;
                taken += weighted(LENGTHS + next.0.len() + next.1.map_or(0, <[u8]>::len));
                Some(next)
            });
            let own = own.collect::<Vec<_>>();
            let continues = writes.peek().is_some_and(in_block);
            let old = BlockIter::new(Bytes::from_owner(block)).collect::<Result<Vec<_>, _>>()?;
            let mut pairs = old
                .iter()
                .map(|(key, value)| (key.as_ref(), value.as_ref()))
                .collect::<BTreeMap<_, _>>();
            let appends =
                own.first().map(|(key, _)| *key) > pairs.last_key_value().map(|(key, _)| *key);
            for (key, value) in own {
                match value {
                    Some(value) => pairs.insert(key, value),
                    None => pairs.remove(key),
                };
            }
            step.replace(&end, &pairs, appends);
            // The remaining writes for this key range go to the rewritten block.
            if step.is_full() || continues {
                self.0.apply_batch(std::mem::take(&mut step).batch)?;
                after_step()?;
            }
        }
        self.0.apply_batch(step.batch)?;
        after_step()
    }

    /// [`BlockTable::apply`] for a memtable.
    pub fn apply_memtable(
        &self,
        writes: &Memtable,
        after_step: impl Fn() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let writes = writes.iter();
        let writes = writes.map(|(key, value)| (key.as_ref(), value.as_deref()));
        self.apply(writes, after_step)
    }

    /// The block that may hold this key, with the block's own key.
    fn block_of(&self, key: &[u8]) -> Result<Option<(sled::IVec, sled::IVec)>, StoreError> {
        Ok(self.0.get_gt(block_key(key))?)
    }
}

/// Whether this sled pair is a block.
fn is_block((key, _): &(sled::IVec, sled::IVec)) -> bool {
    key.first() == Some(&BLOCK)
}

/// The key of the block that ends before this key.
fn block_key(key: &[u8]) -> Vec<u8> {
    [&[BLOCK], key].concat()
}

fn weighted(bytes: usize) -> usize {
    if bytes > TARGET_SIZE {
        LARGE_BLOCK_FACTOR * bytes
    } else {
        bytes
    }
}

/// One atomic batch of replaced blocks.
#[derive(Default)]
struct Step {
    batch: sled::Batch,
    blocks: usize,
    bytes: usize,
}

impl Step {
    /// Replaces the block stored under `end` by as many as these pairs need: full ones if pairs were appended, since more
    /// may follow; otherwise ones of equal size.
    fn replace(&mut self, end: &[u8], pairs: &BTreeMap<&[u8], &[u8]>, appended: bool) {
        let size = |key: &[u8], value: &[u8]| LENGTHS + key.len() + value.len();
        let total = pairs.iter().map(|(key, value)| size(key, value));
        let total = total.sum::<usize>();
        let most = if appended {
            TARGET_SIZE
        } else {
            total.div_ceil(total.div_ceil(TARGET_SIZE).max(1))
        };
        let mut block = Vec::with_capacity(total.min(TARGET_SIZE));
        for (key, value) in pairs {
            if !block.is_empty() && block.len() + size(key, value) > most {
                self.insert(&block_key(key), &block);
                block.clear();
            }
            let key_length = u16::try_from(key.len()).expect("keys are short");
            let value_length = u32::try_from(value.len()).expect("values are short");
            block.extend_from_slice(&key_length.to_le_bytes());
            block.extend_from_slice(&value_length.to_le_bytes());
            block.extend_from_slice(key);
            block.extend_from_slice(value);
        }
        if block.is_empty() {
            self.remove(end)
        } else {
            self.insert(end, &block)
        }
    }

    fn insert(&mut self, end: &[u8], block: &[u8]) {
        self.blocks += 1;
        self.bytes += weighted(block.len());
        self.batch.insert(end, block);
    }

    /// A removal is written to sled's file, too, and may make sled write a whole page.
    fn remove(&mut self, end: &[u8]) {
        self.blocks += 1;
        self.batch.remove(end);
    }

    fn is_full(&self) -> bool {
        self.blocks >= STEP_BLOCKS || self.bytes >= STEP_BYTES
    }
}

/// Where the key and the value of a block's first pair end; `None` if the block is too short.
fn first_pair(block: &[u8]) -> Option<(usize, usize)> {
    let lengths = block.get(..LENGTHS)?;
    let key_length = usize::from(u16::from_le_bytes(lengths[..2].try_into().ok()?));
    let value_length = u32::from_le_bytes(lengths[2..].try_into().ok()?);
    let key_end = LENGTHS + key_length;
    let value_end = key_end.checked_add(usize::try_from(value_length).ok()?)?;
    (value_end <= block.len()).then_some((key_end, value_end))
}

fn damaged() -> StoreError {
    StoreError::unreadable("a block of records ends too early")
}

/// The pairs of a block, as slices of it.
struct BlockIter {
    rest: Bytes,
}

impl BlockIter {
    fn new(block: Bytes) -> Self {
        Self { rest: block }
    }

    fn read(&mut self) -> Option<Pair> {
        let (key_end, value_end) = first_pair(&self.rest)?;
        let pair = self.rest.split_to(value_end);
        Some((pair.slice(LENGTHS..key_end), pair.slice(key_end..)))
    }
}

impl Iterator for BlockIter {
    type Item = Result<Pair, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let pair = self.read();
        if pair.is_none() {
            // The positions of further pairs are unknown.
            self.rest.clear();
        }
        Some(pair.ok_or_else(damaged))
    }
}

/// The pairs within a range of keys. If a checkpoint replaces blocks meanwhile, every pair that it doesn't write is still
/// returned exactly once: each block is looked up separately, because a sled iterator keeps a copy of its page and misses what
/// is inserted there.
pub struct RangeIter<'a> {
    blocks: BlockTable,
    /// The key of the current block: the next block is the first one after it.
    block_end: sled::IVec,
    block: BlockIter,
    bounds: Bounds<'a>,
}

impl Iterator for RangeIter<'_> {
    type Item = Result<Pair, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (start, end) = self.bounds;
        let is_within =
            |bounds: Bounds<'_>, key: &[u8]| RangeBounds::<[u8]>::contains(&bounds, key);
        loop {
            match self.block.next() {
                Some(Ok((key, _))) if !is_within((start, Bound::Unbounded), &key) => {}
                Some(Ok((key, _))) if !is_within((Bound::Unbounded, end), &key) => return None,
                Some(pair) => return Some(pair),
                None => match self.blocks.0.get_gt(&self.block_end).transpose()? {
                    Ok((end, block)) => {
                        self.block_end = end;
                        self.block = BlockIter::new(Bytes::from_owner(block));
                    }
                    Err(error) => return Some(Err(error.into())),
                },
            }
        }
    }
}

/// The pairs within a range of keys, in reverse. If a checkpoint replaces blocks meanwhile, every pair that it doesn't write
/// is still returned exactly once: pairs only move to earlier blocks, so pairs that were already returned are skipped.
pub struct RangeBackIter<'a> {
    blocks: BlockTable,
    /// The key of the block that was read last: the next one is the first one before it.
    block_end: Option<sled::IVec>,
    /// The remaining pairs of that block, in key order.
    pairs: Vec<Pair>,
    /// Whether the block with the range's beginning was read.
    is_first_read: bool,
    bounds: Bounds<'a>,
    /// The key of the last returned pair.
    last: Option<Bytes>,
}

impl RangeBackIter<'_> {
    /// Reads the next block; returns whether there was one.
    fn read_block(&mut self) -> Result<bool, StoreError> {
        let (start, end) = self.bounds;
        let end = match &self.last {
            Some(last) => Bound::Excluded(last.as_ref()),
            None => end,
        };
        let found = match &self.block_end {
            None => self.blocks.last_block_before(end)?,
            Some(block) => self.blocks.block_before(block)?,
        };
        let Some((block_end, block)) = found else {
            return Ok(false);
        };
        self.block_end = Some(block_end);
        let start = (start, Bound::Unbounded);
        for pair in BlockIter::new(Bytes::from_owner(block)) {
            let pair = pair?;
            if !RangeBounds::<[u8]>::contains(&start, &pair.0) {
                self.is_first_read = true;
            } else if RangeBounds::<[u8]>::contains(&(Bound::Unbounded, end), &pair.0) {
                self.pairs.push(pair);
            }
        }
        Ok(true)
    }
}

impl Iterator for RangeBackIter<'_> {
    type Item = Result<Pair, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(pair) = self.pairs.pop() {
                self.last = Some(pair.0.clone());
                return Some(Ok(pair));
            }
            if self.is_first_read {
                return None;
            }
            match self.read_block() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.is_first_read = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
