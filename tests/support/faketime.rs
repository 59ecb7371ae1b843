//! libfaketime sets the clock of the real binary.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the command prefix that runs a program under libfaketime.
pub fn faketime(library: &Path, setting: String) -> Vec<String> {
    // The offset is read on each call. The monotonic clock stays real, or timers would stop.
    vec![
        "env".to_owned(),
        format!("LD_PRELOAD={}", library.display()),
        setting,
        "FAKETIME_NO_CACHE=1".to_owned(),
        "FAKETIME_DONT_FAKE_MONOTONIC=1".to_owned(),
        "DONT_FAKE_MONOTONIC=1".to_owned(),
    ]
}

/// Finds libfaketime in Debian's paths.
pub fn library() -> Option<PathBuf> {
    let folders = fs::read_dir("/usr/lib").unwrap().flatten();
    let candidates = folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"));
    let found = candidates.chain([PathBuf::from("/usr/lib/faketime/libfaketimeMT.so.1")]);
    let found = found.into_iter().find(|path| path.exists());
    if found.is_none() {
        eprintln!("Skipped: libfaketime is missing. Run: apt-get install faketime");
    }
    found
}
