//! A folder's files, and what is in them.

use std::fs;
use std::io::BufRead;
use std::path::Path;

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(fs::copy(&path, &to).unwrap()),
        }
    }
}

/// Whether this text is in any file below this folder.
pub fn folder_contains(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        let kind = path.symlink_metadata().unwrap().file_type();
        match (kind.is_dir(), kind.is_file()) {
            (true, _) => folder_contains(&path, text),
            (_, true) => holds(&fs::read(&path).unwrap(), text.as_bytes()),
            _ => false,
        }
    })
}

/// Whether the bytes hold this text. A comparison at each place would take half a second for a data folder, as these
/// tests are not optimized; the search for the text's first byte is the standard library's.
fn holds(mut bytes: &[u8], text: &[u8]) -> bool {
    while bytes.skip_until(text[0]).unwrap() > 0 {
        if bytes.starts_with(&text[1..]) {
            return true;
        }
    }
    false
}
