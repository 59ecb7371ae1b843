//! Searching files, also what is packed in them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use memchr::memmem;

/// The files in a folder that hold a text, as it is or packed.
pub fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = path.symlink_metadata().unwrap().file_type();
        if kind.is_dir() {
            found.extend(files_with(&path, text));
        } else if kind.is_file() {
            let bytes = fs::read(&path).unwrap();
            let has = |bytes: &[u8]| memmem::find(bytes, text.as_bytes()).is_some();
            if has(&bytes) || unpacked(&bytes).iter().any(|bytes| has(bytes)) {
                found.push(path);
            }
        }
    }
    found
}

/// What is packed in a file: each frame of zstd and gzip, as far as it can be read. Panics if there is a frame of another kind.
fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
    const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
    const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
    const OTHERS: [&[u8]; 2] = [&[0x04, 0x22, 0x4d, 0x18], b"\xff\x06\x00\x00sNaPpY"];
    let mut unpacked = Vec::new();
    let mut unpack = |from: &mut dyn Read| {
        let mut frame = Vec::new();
        // What can be read of a frame that isn't whole counts, too.
        let _ = from.read_to_end(&mut frame);
        unpacked.push(frame);
    };
    for at in memmem::find_iter(bytes, ZSTD) {
        if let Ok(frame) = zstd::Decoder::new(&bytes[at..]) {
            unpack(&mut frame.single_frame());
        }
    }
    for at in memmem::find_iter(bytes, GZIP) {
        unpack(&mut flate2::read::GzDecoder::new(&bytes[at..]));
    }
    for magic in OTHERS {
        let packed = memmem::find(bytes, magic);
        assert!(
            packed.is_none(),
            "teach this function to unpack LZ4 and Snappy"
        );
    }
    unpacked
}
