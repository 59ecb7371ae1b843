//! ZIP archives of small text files (PKWARE's APPNOTE, version 2.0).

use std::io::{self, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

/// The version that unpacks it, and its flag for names in UTF-8.
const VERSION: u16 = 20;
const UTF_8: u16 = 1 << 11;
const DEFLATE: u16 = 8;

/// Midnight on the first day that the format knows: equal files are an equal archive.
const TIME: u16 = 0;
const DATE: u16 = 1 << 5 | 1;

/// A file that everybody may read, in the attributes of Unix.
const MADE_BY_UNIX: u16 = 3 << 8;
const MODE: u32 = 0o100_644 << 16;

/// Returns an archive of files, given as paths with slashes and their text.
pub fn zip<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> io::Result<Vec<u8>> {
    let (mut archive, mut directory, mut count) = (Vec::new(), Vec::new(), 0_u16);
    for (path, text) in files {
        let offset = size(archive.len())?;
        let mut content = DeflateEncoder::new(Vec::new(), Compression::best());
        content.write_all(text.as_bytes())?;
        let content = content.finish()?;
        let entry = entry(path, text, &content)?;
        archive.extend(b"PK\x03\x04");
        archive.extend(&entry);
        archive.extend(path.as_bytes());
        archive.extend(content);
        directory.extend(b"PK\x01\x02");
        directory.extend((MADE_BY_UNIX | VERSION).to_le_bytes());
        directory.extend(entry);
        // No comment, the first disk, and no attributes of text files.
        directory.extend([0; 6]);
        directory.extend(MODE.to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(path.as_bytes());
        count += 1;
    }
    let (begin, length) = (size(archive.len())?, size(directory.len())?);
    archive.extend(directory);
    archive.extend(b"PK\x05\x06\0\0\0\0");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(length.to_le_bytes());
    archive.extend(begin.to_le_bytes());
    archive.extend([0; 2]);
    Ok(archive)
}

/// The fields that both headers of a file have.
fn entry(path: &str, text: &str, content: &[u8]) -> io::Result<Vec<u8>> {
    let mut crc = Crc::new();
    crc.update(text.as_bytes());
    let name = u16::try_from(path.len()).map_err(io::Error::other)?;
    let shorts = [VERSION, UTF_8, DEFLATE, TIME, DATE].map(u16::to_le_bytes);
    let longs = [crc.sum(), size(content.len())?, size(text.len())?];
    let mut entry = shorts.concat();
    entry.extend(longs.map(u32::to_le_bytes).concat());
    entry.extend(name.to_le_bytes());
    // No extra field.
    entry.extend([0; 2]);
    Ok(entry)
}

fn size(bytes: usize) -> io::Result<u32> {
    u32::try_from(bytes).map_err(io::Error::other)
}
