//! The write-ahead journal: what was acknowledged and is not in sled's files yet.
//!
//! sled's own way to the disk is long: a flush hands a few small pieces to threads of sled's and waits for each, and
//! then its file must be synced all the same. So a group of changes goes to the disk as **one record of this file**,
//! with one write and one fdatasync, and to sled only with hundreds of others, at a *checkpoint*. While one is under way
//! what comes next goes to a second file, and after it to the first again, from the start. A file has its size from the
//! beginning: a sync then has to move bytes only, and not to note a new length, which is most of what appending to a file costs.
//!
//! A record is `[length][crc32][checkpoint][number][pairs]`, all numbers little-endian: of so many bytes behind these 24,
//! written after the checkpoint with this number began (sled's files count those that ended, [`super::seal`]), as the
//! so-manieth. The checksum covers all but itself. What follows the last record of a file is zeros, the torn end of one that nobody was
//! told of, or records of an earlier checkpoint, and counts for nothing. Reading them again in order, over whatever of them sled already
//! has, ends in the same state, as each says what stands under a key and not what to do with it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::files;
use super::tree::Recent;
use super::writer::Writes;

/// What the names of its files begin with.
const NAME: &str = "store.journal";

/// From this length on, in bytes, a checkpoint is due. Shorter, and there are more of them than need be; longer, and
/// what they hold takes more memory, twice as much or so, and a start longer.
const LONG: u64 = 1024 * 1024;

/// The size of a file, in bytes.
const SIZE: usize = 2 * 1024 * 1024;

/// Up to this length, in bytes, the journal may grow while a checkpoint is under way.
const FULL: u64 = 3 * LONG / 2;

/// How many bytes of keys and values share one record, at most a change more.
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
    /// For what comes after an even checkpoint, and after an odd one.
    files: [File; 2],
    folder: PathBuf,
    /// The checkpoint that the next record comes after.
    checkpoint: u64,
    /// The number of the next record.
    records: u64,
    /// Where in its file it goes.
    end: u64,
    /// Where a record is put together; kept for its memory.
    record: Vec<u8>,
}

/// What a journal holds.
pub(super) struct Found {
    pub journal: Journal,
    /// What was written before a checkpoint began that was cut short.
    pub leaving: Recent,
    /// What was written since the last checkpoint began.
    pub recent: Recent,
    /// Whether all is there that must be.
    pub whole: bool,
}

impl Journal {
    /// Reads the journal in `folder`, whose store counts so many checkpoints; `None` when a file is missing.
    pub fn open(folder: &Path, checkpoint: u64) -> io::Result<Option<Found>> {
        let bytes = |checkpoint| match fs::read(path_of_file(folder, checkpoint)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            bytes => bytes.map(Some),
        };
        let (Some(counted), Some(begun)) = (bytes(checkpoint)?, bytes(checkpoint + 1)?) else {
            return Ok(None);
        };
        let mut leaving = Since::checkpoint(checkpoint, &counted);
        leaving.read();
        let mut recent = Since::checkpoint(checkpoint + 1, &begun);
        recent.next = leaving.next;
        // Without one before it a checkpoint isn't begun.
        if leaving.next.is_some() {
            recent.read();
        }
        // A file is made with its whole size and never gets shorter.
        let is_cut = counted.len() < SIZE || begun.len() < SIZE;
        let whole = !is_cut && !leaving.goes_on() && !recent.goes_on();
        if recent.end == 0 {
            recent = std::mem::replace(&mut leaving, Since::checkpoint(checkpoint, &[]));
        }
        let open = |number: u64| {
            let options = OpenOptions::new()
                .write(true)
                .open(path_of_file(folder, number));
            // Whoever killed a server may not have waited for the disk, and what is read here will be answered.
            options.and_then(|file| file.sync_data().map(|()| file))
        };
        let journal = Self {
            files: [open(0)?, open(1)?],
            folder: folder.to_owned(),
            checkpoint: recent.checkpoint,
            records: recent.next.unwrap_or(0),
            end: recent.end as u64,
            record: Vec::new(),
        };
        Ok(Some(Found {
            journal,
            leaving: leaving.writes,
            recent: recent.writes,
            whole,
        }))
    }

    /// Makes a journal without a record, in place of another if there is one, of which nothing is left.
    pub fn make(folder: &Path, checkpoint: u64) -> io::Result<Self> {
        let files = [make_file(folder, 0)?, make_file(folder, 1)?];
        files::sync(folder)?;
        Ok(Self {
            files,
            folder: folder.to_owned(),
            checkpoint,
            records: 0,
            end: 0,
            record: Vec::new(),
        })
    }

    /// The checkpoint that the next record comes after; it may be under way.
    pub fn checkpoint(&self) -> u64 {
        self.checkpoint
    }

    fn file(&self) -> &File {
        &self.files[usize::from(!self.checkpoint.is_multiple_of(2))]
    }

    /// Brings a group's writes to the disk in one record. It counts once this returns.
    ///
    /// # Errors
    ///
    /// The system's. Then nobody knows what is on the disk, and nothing more may be written.
    pub fn write(&mut self, writes: &Writes) -> io::Result<()> {
        self.record.clear();
        self.record.resize(HEAD, 0);
        for (key, value) in writes {
            let length =
                |bytes: &[u8]| u32::try_from(bytes.len()).expect("a key or value is short");
            self.record.extend_from_slice(&length(key).to_le_bytes());
            let value_length = value.as_deref().map_or(REMOVED, length);
            self.record.extend_from_slice(&value_length.to_le_bytes());
            self.record.extend_from_slice(key);
            self.record
                .extend_from_slice(value.as_deref().unwrap_or_default());
        }
        let length =
            u32::try_from(self.record.len() - HEAD).map_err(|_| ErrorKind::FileTooLarge)?;
        self.record[..4].copy_from_slice(&length.to_le_bytes());
        self.record[8..16].copy_from_slice(&self.checkpoint.to_le_bytes());
        self.record[16..24].copy_from_slice(&self.records.to_le_bytes());
        let checksum = checksum(&self.record);
        self.record[4..8].copy_from_slice(&checksum.to_le_bytes());
        self.file().write_all_at(&self.record, self.end)?;
        self.file().sync_data()?;
        self.end += self.record.len() as u64;
        self.records += 1;
        self.record.clear();
        self.record.shrink_to(MOST_AT_ONCE);
        Ok(())
    }

    /// Whether it is time for a checkpoint.
    pub fn is_long(&self) -> bool {
        self.end >= LONG
    }

    /// Whether nothing was written since the last checkpoint began.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Whether what comes next must wait until there is room in the other file.
    pub fn is_full(&self) -> bool {
        self.end >= FULL
    }

    /// Goes on in the other file, as what comes after the next checkpoint, which begins now. The one before is on the disk,
    /// and with it all that the other file holds.
    pub fn go_on_in_the_other_file(&mut self) -> io::Result<()> {
        self.checkpoint += 1;
        self.end = 0;
        if self.file().metadata()?.len() > SIZE as u64 {
            self.file().set_len(SIZE as u64)?;
        }
        Ok(())
    }

    /// Begins again in other files, so that nothing is left of what these held.
    pub fn renew(&mut self, checkpoint: u64) -> io::Result<()> {
        *self = Self::make(&self.folder, checkpoint)?;
        Ok(())
    }
}

/// Where the records are that came after this checkpoint, and then after the second next.
fn path_of_file(folder: &Path, checkpoint: u64) -> PathBuf {
    folder.join(format!("{NAME}.{}", checkpoint % 2))
}

fn make_file(folder: &Path, checkpoint: u64) -> io::Result<File> {
    // Not by `fallocate`: the first write to each block would have to note that it is written.
    files::write_beside(&path_of_file(folder, checkpoint), &vec![0; SIZE])
}

/// The records that came after a checkpoint, as they are read.
struct Since<'a> {
    checkpoint: u64,
    bytes: &'a [u8],
    writes: Recent,
    /// The number that the next record must have.
    next: Option<u64>,
    /// Where it would begin.
    end: usize,
}

impl<'a> Since<'a> {
    fn checkpoint(checkpoint: u64, bytes: &'a [u8]) -> Self {
        Self {
            checkpoint,
            bytes,
            writes: Recent::new(),
            next: None,
            end: 0,
        }
    }

    fn read(&mut self) {
        while let Some(record) = Record::at(self.bytes, self.end)
            && record.checkpoint == self.checkpoint
            && self.next.is_none_or(|next| next == record.number)
            && let Some(pairs) = pairs(record.body)
        {
            self.writes.extend(pairs);
            self.next = Some(record.number + 1);
            self.end += HEAD + record.body.len();
        }
    }

    /// Whether there is a record that must have come after those that were read: then what stands between is damaged.
    fn goes_on(&self) -> bool {
        (self.end..self.bytes.len().saturating_sub(HEAD)).any(|place| {
            // Nearly all places are told from the beginning of a record by this alone.
            let checkpoint = number(&self.bytes[place + 8..place + 16]);
            let ahead = checkpoint.checked_sub(self.checkpoint);
            ahead.is_some_and(|ahead| ahead < FAR_AHEAD)
                && Record::at(self.bytes, place).is_some_and(|record| {
                    ahead > Some(0) || self.next.is_none_or(|next| record.number >= next)
                })
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
    fn at(bytes: &'a [u8], place: usize) -> Option<Self> {
        let bytes = bytes.get(place..)?;
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
