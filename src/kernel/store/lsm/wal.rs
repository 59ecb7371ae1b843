//! The write-ahead log: acknowledged writes that are not in sled's files yet.
//!
//! sled's own path to the disk is slow: a flush passes small pieces to its threads, waits for each, and isn't a sync. So a
//! group of changes is **one record** here, with one write and one fdatasync, and sled gets hundreds at once, in a
//! [checkpoint](super::checkpoint). Two files alternate: while a checkpoint flushes the writes of one, new records overwrite
//! the other from its beginning. Both have their full size from the start, because a sync is much cheaper if the file
//! doesn't grow.
//!
//! A file is a [header](HEADER) and then records `[length u32][crc32 u32][epoch u64][sequence u64][pairs]`, little-endian.
//! `length` counts the bytes of the pairs; the checksum covers everything but itself. The epoch is the number of checkpoints
//! that had begun, the sequence number counts records. A pair is `[key length u32][value length u32][key][value]`; a value
//! length of `u32::MAX` is a tombstone. The records of a file end at zeros, at a torn record (which was never acknowledged), or
//! at a record of an earlier epoch.
//!
//! Replay is idempotent: a record holds the new value of each key, so it may be applied over a state that already has part of it.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::memtable::Memtable;
use crate::kernel::store::files;

/// The start of a log file, which distinguishes it from zeros or another file. The number is its version.
const HEADER: &[u8; 16] = b"porchlight-wal 1";

fn paths(folder: &Path) -> [PathBuf; 2] {
    ["store.wal.0", "store.wal.1"].map(|name| folder.join(name))
}

/// From this length on, in bytes, a checkpoint is due. A shorter log means more checkpoints; a longer one more memory and a
/// slower start.
const CHECKPOINT_LENGTH: u64 = 1024 * 1024;

/// The size of a file, in bytes.
const FILE_SIZE: usize = 2 * 1024 * 1024;

/// The maximum length of the log, in bytes, while a checkpoint is running.
const MAX_LENGTH: u64 = 3 * CHECKPOINT_LENGTH / 2;

/// The maximum number of bytes of keys and values in one record; it is exceeded by one change at most.
pub const RECORD_BYTES: usize = 1024 * 1024;

const RECORD_HEADER: usize = 24;

/// The offset in a record after the checksum, from which on the checksum covers everything.
const CHECKSUM_END: usize = 8;

/// In the search for later records, bytes whose epoch would be further ahead than this are not taken for a record.
const MAX_EPOCHS_AHEAD: u64 = 1 << 32;

const TOMBSTONE: u32 = u32::MAX;

/// The log, open for appending.
pub struct Wal {
    /// For even and for odd epochs.
    files: [File; 2],
    epoch: u64,
    sequence: u64,
    /// The offset of the next record in its file.
    end: u64,
    /// The buffer in which records are built, reused for its memory.
    buffer: Vec<u8>,
}

/// The contents of a log.
pub struct Recovered {
    /// The writes of the epoch whose checkpoint was interrupted.
    pub frozen: Memtable,
    /// The writes since that checkpoint began.
    pub active: Memtable,
    /// Whether no record is missing.
    pub is_whole: bool,
    epoch: u64,
    sequence: u64,
    end: u64,
}

impl Recovered {
    /// Reads the log of a store that has completed this many checkpoints; `None` if a file is missing.
    pub fn read(folder: &Path, checkpoints: u64) -> io::Result<Option<Self>> {
        let paths = paths(folder);
        let read = |epoch: u64| files::read_if_exists(&paths[file_of(epoch)]);
        let (Some(older), Some(newer)) = (read(checkpoints)?, read(checkpoints + 1)?) else {
            return Ok(None);
        };
        let mut frozen = Replay::new(checkpoints, &older);
        frozen.read();
        let mut active = Replay::new(checkpoints + 1, &newer);
        active.next = frozen.next;
        // A checkpoint starts only if the previous epoch has a record; otherwise the other file is stale.
        if frozen.next.is_some() {
            active.read();
        }
        // A file is created with its full size and never shrinks.
        let has_files = |bytes: &[u8]| bytes.len() >= FILE_SIZE && bytes.starts_with(HEADER);
        let is_whole = has_files(&older)
            && has_files(&newer)
            && !frozen.has_later_records()
            && !active.has_later_records();
        if active.writes.is_empty() {
            active = std::mem::replace(&mut frozen, Replay::new(checkpoints, &[]));
        }
        Ok(Some(Self {
            is_whole,
            epoch: active.epoch,
            sequence: active.next.unwrap_or(0),
            end: active.end as u64,
            frozen: frozen.writes,
            active: active.writes,
        }))
    }

    pub fn into_writes(self) -> Memtable {
        let mut writes = self.frozen;
        writes.extend(self.active);
        writes
    }
}

impl Wal {
    /// Opens the log for appending after the records that were read.
    pub fn open(folder: &Path, read: &Recovered) -> io::Result<Self> {
        let [even, odd] = paths(folder).map(|path| {
            let file = OpenOptions::new().write(true).open(path)?;
            // A killed process may not have synced what was read. It is visible from now on, so it is synced first.
            file.sync_data().map(|()| file)
        });
        Ok(Self {
            files: [even?, odd?],
            epoch: read.epoch,
            sequence: read.sequence,
            end: read.end,
            buffer: Vec::new(),
        })
    }

    /// Creates an empty log. It replaces both files of an existing one, so that none of their data is left.
    pub fn create(folder: &Path, epoch: u64) -> io::Result<Self> {
        // Written, not `fallocate`d: otherwise the first write to each block would have to change the file's metadata.
        let mut empty = vec![0; FILE_SIZE];
        empty[..HEADER.len()].copy_from_slice(HEADER);
        let [even, odd] = paths(folder).map(|path| files::replace_file(&path, &empty));
        let files = [even?, odd?];
        files::sync_folder(folder)?;
        Ok(Self {
            files,
            epoch,
            sequence: 0,
            end: HEADER.len() as u64,
            buffer: Vec::new(),
        })
    }

    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Appends a group's writes as one record and syncs it. They are durable when this returns.
    pub fn append(&mut self, writes: &Memtable) -> io::Result<()> {
        let record = &mut self.buffer;
        record.clear();
        record.resize(RECORD_HEADER, 0);
        for (key, value) in writes {
            let length =
                |bytes: &Bytes| u32::try_from(bytes.len()).expect("a key or value is short");
            record.extend_from_slice(&length(key).to_le_bytes());
            let value_length = value.as_ref().map_or(TOMBSTONE, length);
            record.extend_from_slice(&value_length.to_le_bytes());
            record.extend_from_slice(key);
            record.extend_from_slice(value.as_deref().unwrap_or_default());
        }
        let length =
            u32::try_from(record.len() - RECORD_HEADER).map_err(|_| ErrorKind::FileTooLarge)?;
        record[..4].copy_from_slice(&length.to_le_bytes());
        record[8..16].copy_from_slice(&self.epoch.to_le_bytes());
        record[16..24].copy_from_slice(&self.sequence.to_le_bytes());
        let checksum = checksum(record);
        record[4..8].copy_from_slice(&checksum.to_le_bytes());
        let file = &self.files[file_of(self.epoch)];
        file.write_all_at(record, self.end)?;
        file.sync_data()?;
        self.end += record.len() as u64;
        self.sequence += 1;
        record.clear();
        record.shrink_to(RECORD_BYTES);
        Ok(())
    }

    /// Whether a checkpoint is due.
    pub fn is_long(&self) -> bool {
        self.end >= CHECKPOINT_LENGTH
    }

    /// Whether no record was written since the last checkpoint began.
    pub fn is_empty(&self) -> bool {
        self.end == HEADER.len() as u64
    }

    /// Whether writers must wait for the running checkpoint.
    pub fn is_full(&self) -> bool {
        self.end >= MAX_LENGTH
    }

    /// Begins a new epoch in the other file, whose old records are already in sled.
    pub fn switch_files(&mut self) -> io::Result<()> {
        self.epoch += 1;
        self.end = HEADER.len() as u64;
        let file = &self.files[file_of(self.epoch)];
        if file.metadata()?.len() > FILE_SIZE as u64 {
            file.set_len(FILE_SIZE as u64)?;
        }
        Ok(())
    }
}

/// The index of the file that holds the records of this epoch.
fn file_of(epoch: u64) -> usize {
    usize::from(!epoch.is_multiple_of(2))
}

/// Reads the records of one epoch from a file.
struct Replay<'a> {
    epoch: u64,
    bytes: &'a [u8],
    writes: Memtable,
    /// The sequence number that the next record must have.
    next: Option<u64>,
    /// The offset of the next record.
    end: usize,
}

impl<'a> Replay<'a> {
    fn new(epoch: u64, bytes: &'a [u8]) -> Self {
        Self {
            epoch,
            bytes,
            writes: Memtable::new(),
            next: None,
            end: HEADER.len(),
        }
    }

    fn read(&mut self) {
        while let Some(record) = Record::at(self.bytes, self.end)
            && record.epoch == self.epoch
            && self.next.is_none_or(|next| next == record.sequence)
            && let Some(writes) = parse_writes(record.body)
        {
            self.writes.extend(writes);
            self.next = Some(record.sequence + 1);
            self.end += RECORD_HEADER + record.body.len();
        }
    }

    /// Whether a later record follows after the last valid one: then the log is damaged in between.
    fn has_later_records(&self) -> bool {
        let written = self.bytes.len() - count_trailing_zeros(&self.bytes[self.end..]);
        let last = self.bytes.len().saturating_sub(RECORD_HEADER);
        (self.end..written.min(last)).any(|start| {
            // Checked before the checksum, because it is cheap and rules out nearly every position.
            let epoch = u64_at(&self.bytes[start..], 8);
            let ahead = epoch.checked_sub(self.epoch);
            ahead.is_some_and(|ahead| ahead < MAX_EPOCHS_AHEAD)
                && Record::at(self.bytes, start).is_some_and(|record| {
                    ahead > Some(0) || self.next.is_none_or(|next| record.sequence >= next)
                })
        })
    }
}

/// Counts the zeros at the end, by whole blocks: most of a young log is preallocated space that was never written.
fn count_trailing_zeros(bytes: &[u8]) -> usize {
    const ZEROS: [u8; 4096] = [0; 4096];
    let zeros = bytes
        .rchunks(ZEROS.len())
        .take_while(|block| *block == &ZEROS[..block.len()]);
    zeros.map(<[u8]>::len).sum()
}

struct Record<'a> {
    epoch: u64,
    sequence: u64,
    body: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record at this position; `None` if it is missing or incomplete.
    fn at(bytes: &'a [u8], start: usize) -> Option<Self> {
        let bytes = bytes.get(start..)?;
        let length = usize::try_from(u32_at(bytes.get(..4)?, 0)).ok()?;
        let record = bytes.get(..RECORD_HEADER.checked_add(length)?)?;
        (u32_at(record, 4) == checksum(record)).then(|| Self {
            epoch: u64_at(record, 8),
            sequence: u64_at(record, 16),
            body: &record[RECORD_HEADER..],
        })
    }
}

fn checksum(record: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&record[..4]);
    hasher.update(&record[CHECKSUM_END..]);
    hasher.finalize()
}

/// The writes of a record; `None` if they are malformed.
fn parse_writes(mut body: &[u8]) -> Option<Vec<(Bytes, Option<Bytes>)>> {
    let mut writes = Vec::new();
    while !body.is_empty() {
        let (lengths, rest) = body.split_at_checked(8)?;
        let (key, rest) = rest.split_at_checked(u32_at(lengths, 0) as usize)?;
        let (value, rest) = match u32_at(lengths, 4) {
            TOMBSTONE => (None, rest),
            length => {
                let (value, rest) = rest.split_at_checked(length as usize)?;
                (Some(Bytes::copy_from_slice(value)), rest)
            }
        };
        writes.push((Bytes::copy_from_slice(key), value));
        body = rest;
    }
    Some(writes)
}

fn u32_at(bytes: &[u8], start: usize) -> u32 {
    u32::from_le_bytes(bytes[start..start + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], start: usize) -> u64 {
    u64::from_le_bytes(bytes[start..start + 8].try_into().expect("eight bytes"))
}
