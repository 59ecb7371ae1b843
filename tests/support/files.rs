//! Copying folders and searching their files.

use std::fs;
use std::io::BufRead;
use std::path::Path;

pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Searches all files in a folder for a text.
pub fn folder_contains(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        let kind = path.symlink_metadata().unwrap().file_type();
        match (kind.is_dir(), kind.is_file()) {
            (true, _) => folder_contains(&path, text),
            (_, true) => contains(&fs::read(&path).unwrap(), text.as_bytes()),
            _ => false,
        }
    })
}

/// Searches bytes for a text. Unoptimized code is slow, so the standard library looks for the first byte.
fn contains(mut bytes: &[u8], text: &[u8]) -> bool {
    while bytes.skip_until(text[0]).unwrap() > 0 {
        if bytes.starts_with(&text[1..]) {
            return true;
        }
    }
    false
}
