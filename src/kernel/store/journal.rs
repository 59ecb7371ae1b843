//! The write-ahead journal: what was acknowledged and is not in sled's files yet.
//!
//! sled's own way to the disk is long: a flush hands a few small pieces to threads of sled's and waits for each, and
//! then its file must be synced all the same. So a group of changes goes to the disk as **one record of this file**,
//! with one write and one fdatasync, and to sled only with hundreds of others, at a *checkpoint*. The file has its
//! size from the beginning and is written over from the start after each checkpoint: a sync then has to move bytes
//! only, and not to note a new length, which is most of what appending to a file costs.
//!
//! A record is `[length][crc32][checkpoint][number][pairs]`, all numbers little-endian: of so many bytes behind these 24,
//! written after the checkpoint with this number (which sled's files hold as well, [`super::seal`]), as the so-manieth since. The checksum covers
//! all but itself. What follows the last record is zeros, the torn end of one that nobody was told of, or records
//! of an earlier checkpoint, and counts for nothing. Reading them again in order, over whatever of them sled already
//! has, ends in the same state, as each says what stands under a key and not what to do with it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::files;
use super::tree::Recent;
use super::writer::Writes;

const FILE: &str = "store.journal";

/// From this length on, in bytes, a checkpoint is due. Shorter, and there are more of them than need be; longer, and
/// what they hold takes more memory, twice as much or so, and a start longer.
const LONG: u64 = 1024 * 1024;

/// The size of the file, in bytes: a group of changes ends at half of it.
const SIZE: usize = 2 * 1024 * 1024;

/// How many bytes of changes share one record, at most a change more.
pub(super) const MOST_AT_ONCE: usize = 1024 * 1024;

const HEAD: usize = 24;

/// Where in a record begins what the checksum covers besides the length.
const COVERED: usize = 8;

/// No store is so many checkpoints behind its journal.
const FAR_AHEAD: u64 = 1 << 32;

/// In place of a length: there is no value.
const REMOVED: u32 = u32::MAX;

/// The journal, open for the writer.
pub(super) struct Journal {
    file: File,
    folder: PathBuf,
    /// The checkpoint that its records come after.
    checkpoint: u64,
    /// How many records there are since.
    records: u64,
    /// Where the next one goes.
    end: u64,
    /// The next one, with room for its head.
    next: Vec<u8>,
}

/// What a journal holds.
pub(super) struct Found {
    pub journal: Journal,
    /// What was written since the last checkpoint.
    pub recent: Recent,
    /// Whether all is there that must be.
    pub whole: bool,
}

impl Journal {
    /// Reads the journal in `folder`, whose store counts so many checkpoints; `None` when there is no file.
    pub fn open(folder: &Path, checkpoint: u64) -> io::Result<Option<Found>> {
        let path = folder.join(FILE);
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes?,
        };
        let file = OpenOptions::new().write(true).open(&path)?;
        let mut journal = Self::on(file, folder, checkpoint);
        let mut recent = Recent::new();
        while let Some(record) = Record::at(&bytes, journal.end)
            && record.checkpoint == checkpoint
            && record.number == journal.records
        {
            let Some(pairs) = pairs(record.body) else {
                break;
            };
            recent.extend(pairs);
            journal.records += 1;
            journal.end += (HEAD + record.body.len()) as u64;
        }
        // Whoever killed a server may not have waited for the disk, and what is read here will be answered.
        journal.file.sync_data()?;
        let whole = !journal.goes_on_in(&bytes);
        Ok(Some(Found {
            journal,
            recent,
            whole,
        }))
    }

    /// Makes a journal without a record, in place of another if there is one, of which nothing is left.
    pub fn make(folder: &Path, checkpoint: u64) -> io::Result<Self> {
        let path = folder.join(FILE);
        let beside = path.with_added_extension("new");
        let mut options = OpenOptions::new();
        options.create(true).truncate(true).write(true).mode(0o600);
        let mut file = options.open(&beside)?;
        // Not by `fallocate`: the first write to each block would have to note that it is written.
        file.write_all(&vec![0; SIZE])?;
        file.sync_all()?;
        fs::rename(&beside, &path)?;
        files::sync(folder)?;
        Ok(Self::on(file, folder, checkpoint))
    }

    fn on(file: File, folder: &Path, checkpoint: u64) -> Self {
        Self {
            file,
            folder: folder.to_owned(),
            checkpoint,
            records: 0,
            end: 0,
            next: vec![0; HEAD],
        }
    }

    /// Adds to the next record.
    pub fn add(&mut self, writes: &Writes) {
        for (key, value) in writes {
            let length =
                |bytes: &[u8]| u32::try_from(bytes.len()).expect("a key or value is short");
            self.next.extend_from_slice(&length(key).to_le_bytes());
            let value_length = value.as_deref().map_or(REMOVED, length);
            self.next.extend_from_slice(&value_length.to_le_bytes());
            self.next.extend_from_slice(key);
            self.next
                .extend_from_slice(value.as_deref().unwrap_or_default());
        }
    }

    /// How many bytes the next record has by now, without its head.
    pub fn waiting(&self) -> usize {
        self.next.len() - HEAD
    }

    /// Brings the next record to the disk, if there is something in it. It counts once this returns.
    ///
    /// # Errors
    ///
    /// The system's. Then nobody knows what is on the disk, and nothing more may be written.
    pub fn write(&mut self) -> io::Result<()> {
        if self.waiting() == 0 {
            return Ok(());
        }
        let length = u32::try_from(self.waiting()).map_err(|_| ErrorKind::FileTooLarge)?;
        self.next[..4].copy_from_slice(&length.to_le_bytes());
        self.next[8..16].copy_from_slice(&self.checkpoint.to_le_bytes());
        self.next[16..24].copy_from_slice(&self.records.to_le_bytes());
        let checksum = checksum(&self.next);
        self.next[4..8].copy_from_slice(&checksum.to_le_bytes());
        self.file.write_all_at(&self.next, self.end)?;
        self.file.sync_data()?;
        self.end += self.next.len() as u64;
        self.records += 1;
        self.next.truncate(HEAD);
        self.next.shrink_to(MOST_AT_ONCE);
        Ok(())
    }

    /// Whether it is time for a checkpoint.
    pub fn is_long(&self) -> bool {
        self.end >= LONG
    }

    /// Whether everything in it is in sled's files.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Begins again after this checkpoint, which is on the disk.
    pub fn restart(&mut self, checkpoint: u64) -> io::Result<()> {
        if self.end > SIZE as u64 {
            self.file.set_len(SIZE as u64)?;
        }
        self.checkpoint = checkpoint;
        self.records = 0;
        self.end = 0;
        Ok(())
    }

    /// Begins again in another file, so that nothing is left of what this one held.
    pub fn renew(&mut self, checkpoint: u64) -> io::Result<()> {
        *self = Self::make(&self.folder, checkpoint)?;
        Ok(())
    }

    /// Whether these bytes hold a record that must have come after those that were read: then what stands between is damaged.
    fn goes_on_in(&self, bytes: &[u8]) -> bool {
        let end = usize::try_from(self.end).unwrap_or(usize::MAX);
        (end..bytes.len().saturating_sub(HEAD)).any(|place| {
            // Nearly all places are told from the beginning of a record by this alone.
            let checkpoint = number(&bytes[place + 8..place + 16]);
            let ahead = checkpoint.checked_sub(self.checkpoint);
            ahead.is_some_and(|ahead| ahead < FAR_AHEAD)
                && Record::at(bytes, place as u64)
                    .is_some_and(|record| ahead > Some(0) || record.number >= self.records)
        })
    }
}

struct Record<'a> {
    checkpoint: u64,
    number: u64,
    body: &'a [u8],
}

impl<'a> Record<'a> {
    /// The record that begins there; `None` when there is none, or only a part of it.
    fn at(bytes: &'a [u8], place: u64) -> Option<Self> {
        let bytes = bytes.get(usize::try_from(place).ok()?..)?;
        let length = usize::try_from(u32_of(bytes.get(..4)?)).ok()?;
        let record = bytes.get(..HEAD.checked_add(length)?)?;
        (u32_of(&record[4..8]) == checksum(record)).then(|| Self {
            checkpoint: number(&record[8..16]),
            number: number(&record[16..24]),
            body: &record[HEAD..],
        })
    }
}

fn checksum(record: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&record[..4]);
    hasher.update(&record[COVERED..]);
    hasher.finalize()
}

/// What a record says; `None` when it isn't one of ours.
fn pairs(mut body: &[u8]) -> Option<Vec<(Vec<u8>, Option<sled::IVec>)>> {
    let mut pairs = Vec::new();
    while !body.is_empty() {
        let (lengths, rest) = body.split_at_checked(8)?;
        let (key, rest) = rest.split_at_checked(u32_of(&lengths[..4]) as usize)?;
        let (value, rest) = match u32_of(&lengths[4..]) {
            REMOVED => (None, rest),
            length => {
                let (value, rest) = rest.split_at_checked(length as usize)?;
                (Some(value.into()), rest)
            }
        };
        pairs.push((key.to_vec(), value));
        body = rest;
    }
    Some(pairs)
}

fn u32_of(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}
