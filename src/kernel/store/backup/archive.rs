//! A backup: a consistent snapshot of the store in one file.
//!
//! It holds keys and values as the store knows them, nothing of sled's files, so that a later Porchlight with another
//! storage engine can restore it. Numbers are little-endian.
//!
//! ```text
//! porchlight-backup 1 2026-11-21T16:05:00Z\n      the format's version, and the time of the snapshot
//! one zstd frame, with zstd's own checksum:
//!   length of the key (4) · length of the value (4) · key · value · CRC-32 of these four (4)
//!   … in ascending order of the keys
//!   ff ff ff ff · number of records (8) · SHA-256 of everything before, uncompressed (32)
//! ```
//!
//! The checksums detect damage, not malice: an attacker who can change the file can also recompute them. A backup is as private
//! as the data folder: it holds all conversations, the hashes of sign-ins and assistants' keys, and the key that signs identity
//! tokens. Restoring one also restores what was revoked since. It can be encrypted as a whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::os::fd::AsFd;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::encryption::{Identities, decrypted};
use super::error::{ArchiveError, unreadable};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::files::begins_with;
use crate::kernel::store::format::{self, stated_format};
use crate::kernel::store::{Snapshot, key};

/// The version of the format that this binary writes and the newest it reads.
const FORMAT: u32 = 1;

const MAGIC: &str = "porchlight-backup";

/// The maximum length of the first line, in bytes.
const LONGEST_HEAD: u64 = 100;

/// Whether a file begins like a backup, complete or not.
pub fn begins_as_archive(file: &Path) -> bool {
    begins_with(file, MAGIC.as_bytes())
}

/// zstd's default level, at which the disk is the bottleneck.
const LEVEL: i32 = 3;

const END: u32 = u32::MAX;

/// The maximum length of a key or value that is accepted, in bytes; the store's are far below.
const LONGEST: u32 = 1024 * 1024;

/// The number of records in each table.
pub type Tables = BTreeMap<String, u64>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The time of the snapshot.
    pub made_at: Timestamp,
    /// The number of records in each table.
    pub tables: Tables,
}

impl Contents {
    pub fn records(&self) -> u64 {
        self.tables.values().sum()
    }

    fn count(&mut self, key: &[u8]) {
        let table = key::table_of(key).to_owned();
        *self.tables.entry(table).or_default() += 1;
    }
}

/// Writes a backup. `progress` is called with the number of records written.
pub fn write(
    mut snapshot: Snapshot,
    made_at: Timestamp,
    mut to: impl Write,
    mut progress: impl FnMut(u64),
) -> Result<Contents, ArchiveError> {
    let head = format!("{MAGIC} {FORMAT} {made_at}\n");
    to.write_all(head.as_bytes())?;
    let mut whole = Sha256::new_with_prefix(&head);
    let mut frame = zstd::Encoder::new(to, LEVEL)?;
    frame.include_checksum(true)?;
    let mut contents = Contents {
        made_at,
        tables: Tables::new(),
    };
    let mut count = 0_u64;
    let mut bytes = Vec::new();
    while let Some(pairs) = snapshot.step()? {
        bytes.clear();
        for (key, value) in &pairs {
            append(&mut bytes, key, value)?;
            contents.count(key);
            count += 1;
        }
        whole.update(&bytes);
        frame.write_all(&bytes)?;
        progress(count);
    }
    let end = [&END.to_le_bytes()[..], &count.to_le_bytes()].concat();
    whole.update(&end);
    frame.write_all(&end)?;
    frame.write_all(&whole.finalize())?;
    frame.finish()?.flush()?;
    Ok(contents)
}

fn append(bytes: &mut Vec<u8>, key: &[u8], value: &[u8]) -> io::Result<()> {
    let length = |part: &[u8]| {
        let length = u32::try_from(part.len())
            .ok()
            .filter(|length| *length <= LONGEST);
        length.ok_or_else(|| io::Error::other("a record is larger than any can be"))
    };
    let start = bytes.len();
    bytes.extend_from_slice(&length(key)?.to_le_bytes());
    bytes.extend_from_slice(&length(value)?.to_le_bytes());
    bytes.extend_from_slice(key);
    bytes.extend_from_slice(value);
    let sum = crc32fast::hash(&bytes[start..]);
    bytes.extend_from_slice(&sum.to_le_bytes());
    Ok(())
}

type Pair = (Vec<u8>, Vec<u8>);

/// A backup that is being read.
pub(super) struct Archive<R: Read> {
    frame: zstd::Decoder<'static, BufReader<R>>,
    whole: Sha256,
    contents: Contents,
    count: u64,
    last: Vec<u8>,
    format: Option<u32>,
    ended: bool,
}

impl<R: Read> Archive<R> {
    pub fn open(from: R) -> Result<Self, ArchiveError> {
        let mut from = BufReader::new(from);
        let mut head = Vec::new();
        from.by_ref()
            .take(LONGEST_HEAD)
            .read_until(b'\n', &mut head)
            .map_err(unreadable)?;
        let made_at = read_head(&head)?;
        Ok(Self {
            frame: zstd::Decoder::with_buffer(from)?.single_frame(),
            whole: Sha256::new_with_prefix(&head),
            contents: Contents {
                made_at,
                tables: Tables::new(),
            },
            count: 0,
            last: Vec::new(),
            format: None,
            ended: false,
        })
    }

    /// The next pair; `None` at the end, once all checksums matched.
    pub fn next(&mut self) -> Result<Option<Pair>, ArchiveError> {
        if self.ended {
            return Ok(None);
        }
        let key_length = self.number()?;
        if key_length == END {
            self.end()?;
            self.ended = true;
            return Ok(None);
        }
        let value_length = self.number()?;
        if key_length > LONGEST || value_length > LONGEST {
            return Err(ArchiveError::Damaged("a length in it is impossible"));
        }
        let mut record = [key_length.to_le_bytes(), value_length.to_le_bytes()].concat();
        let (key_start, value_start) = (record.len(), record.len() + key_length as usize);
        record.resize(value_start + value_length as usize, 0);
        self.read(&mut record[key_start..])?;
        if crc32fast::hash(&record) != self.number()? {
            return Err(ArchiveError::Damaged("a record's checksum is wrong"));
        }
        let value = record.split_off(value_start);
        let key = record.split_off(key_start);
        self.admit(&key, &value)?;
        Ok(Some((key, value)))
    }

    /// What was read so far.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    fn admit(&mut self, key: &[u8], value: &[u8]) -> Result<(), ArchiveError> {
        if key <= self.last.as_slice() && self.count > 0 {
            return Err(ArchiveError::Damaged("its records are not in order"));
        }
        if let Some(found) = stated_format(key, value) {
            if found > format::FORMAT {
                return Err(ArchiveError::Newer);
            }
            self.format = Some(found);
        }
        self.last.clear();
        self.last.extend_from_slice(key);
        self.contents.count(key);
        self.count += 1;
        Ok(())
    }

    fn end(&mut self) -> Result<(), ArchiveError> {
        let mut count = [0; 8];
        self.read(&mut count)?;
        let mut sum = [0; 32];
        self.frame.read_exact(&mut sum).map_err(unreadable)?;
        if u64::from_le_bytes(count) != self.count {
            return Err(ArchiveError::Damaged("records are missing from it"));
        }
        if self.whole.clone().finalize()[..] != sum {
            return Err(ArchiveError::Damaged("its checksum is wrong"));
        }
        // The frame's own end with zstd's checksum; nothing may follow.
        let more_in_frame = self.frame.read(&mut [0]).map_err(unreadable)? > 0;
        if more_in_frame || !self.frame.get_mut().fill_buf()?.is_empty() {
            return Err(ArchiveError::Damaged("there is something behind its end"));
        }
        match self.format {
            Some(_) => Ok(()),
            None => Err(ArchiveError::Damaged(
                "it doesn't say of which format it is",
            )),
        }
    }

    fn number(&mut self) -> Result<u32, ArchiveError> {
        let mut bytes = [0; 4];
        self.read(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads bytes that the SHA-256 covers.
    fn read(&mut self, into: &mut [u8]) -> Result<(), ArchiveError> {
        self.frame.read_exact(into).map_err(unreadable)?;
        self.whole.update(into);
        Ok(())
    }
}

/// Calls `each` with the keys of a backup, in order, until it fails. The last ones of a damaged or incomplete backup are missing;
/// then this fails, too.
pub fn each_key(
    from: impl Read,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), ArchiveError> {
    let mut archive = Archive::open(from)?;
    while let Some((key, _)) = archive.next()? {
        each(&key)?;
    }
    Ok(())
}

fn read_head(head: &[u8]) -> Result<Timestamp, ArchiveError> {
    let line = std::str::from_utf8(head).map_err(|_| ArchiveError::NotABackup)?;
    let (magic, rest) = line.split_once(' ').ok_or(ArchiveError::NotABackup)?;
    let (version, moment) = rest.split_once(' ').ok_or(ArchiveError::NotABackup)?;
    let version = version
        .parse::<u32>()
        .map_err(|_| ArchiveError::NotABackup)?;
    match (magic == MAGIC, version) {
        (false, _) | (_, 0) => Err(ArchiveError::NotABackup),
        (true, FORMAT) => moment
            .strip_suffix('\n')
            .and_then(Timestamp::parse)
            .ok_or(ArchiveError::Damaged("its first line is wrong")),
        (true, _) => Err(ArchiveError::Newer),
    }
}

/// A file that counts how far it was read.
pub(super) struct Counted<F> {
    file: File,
    done: u64,
    total: u64,
    progress: F,
}

/// The path of the standard input. It is read from the file's start through the descriptor that is already open: opening the
/// path would check the file's permissions again, and this process's user may lack them.
pub const STANDARD_INPUT: &str = "/dev/stdin";

impl<F: FnMut(u64, u64)> Counted<F> {
    pub fn open(path: &Path, progress: F) -> io::Result<Self> {
        let file = if path == Path::new(STANDARD_INPUT) {
            let mut opened = File::from(io::stdin().as_fd().try_clone_to_owned()?);
            opened.rewind()?;
            opened
        } else if path.metadata()?.is_file() {
            File::open(path)?
        } else {
            // Opening a pipe would block until something writes into it.
            let what = "it is no file but a folder, a pipe or a device";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        };
        let total = file.metadata()?.len();
        Ok(Self {
            file,
            done: 0,
            total,
            progress,
        })
    }
}

impl<F: FnMut(u64, u64)> Read for Counted<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.done += read as u64;
        (self.progress)(self.done, self.total);
        Ok(read)
    }
}

/// Reads a backup to its end and checks every part of it. `progress` is called with the bytes read and their total.
pub fn check(
    file: &Path,
    identities: &Identities,
    progress: impl FnMut(u64, u64),
) -> Result<Contents, ArchiveError> {
    check_stream(decrypted(Counted::open(file, progress)?, identities)?)
}

/// Reads an unencrypted backup to its end and checks every part of it.
pub fn check_stream(from: impl Read) -> Result<Contents, ArchiveError> {
    let mut archive = Archive::open(from)?;
    while archive.next()?.is_some() {}
    Ok(archive.contents)
}

#[cfg(test)]
mod tests;
