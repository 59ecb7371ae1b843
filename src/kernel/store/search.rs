//! Searches the files of the data folder for removed records.
//!
//! A key consists of its table's name and of numbers, some of which are never used again, such as a session's. So after a
//! compaction no file holds such a number in the keys of removed records, unless some file was left behind. How keys stand in the
//! files that the folder may hold:
//!
//! | File | Keys |
//! |---|---|
//! | the log | plain, each before its value |
//! | sled's `db` and `blobs` | plain, each before its value in the [block](super::lsm) that is sled's value. sled shortens only its own keys, the bounds of blocks, next to which nothing of the record stands. We don't let it compress. |
//! | sled's snapshots, and `conf` | none: they hold positions and settings |
//! | the seal, the sizes, the reserve, the locks | none |
//! | a backup, complete or not | compressed, so its records are read |
//! | an encrypted backup | can't be read |
//!
//! Every other file is searched as it is. Only one chunk of a file is in memory, and the search pauses after each chunk, so that
//! requests don't wait for it.

mod place;

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use memchr::memmem::Finder;
use tokio::sync::oneshot;

use super::key::TEXT_END;
use super::{Store, begins_as_archive, begins_encrypted, each_key};

pub use place::{Before, KeyPlace};

/// The number of bytes that are read at once.
const CHUNK: usize = 256 * 1024;

/// The number of a backup's records between two pauses.
const RECORDS: u64 = 1_000;

const PAUSE: Duration = Duration::from_millis(3);

/// How deep folders are searched. The store's own files are one level deep.
const DEEPEST: usize = 8;

/// Numbers of removed records, and where they were in keys.
#[derive(Clone, Debug)]
pub struct Sought {
    pub places: Vec<KeyPlace>,
    pub numbers: Vec<u64>,
}

/// What the search for a number in keys showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    NotFound,
    Found,
    /// It was in none of the files that could be searched, and some could not.
    NotChecked,
}

#[derive(Debug, Default)]
pub struct Searched {
    /// For each [`Sought`] and each of its numbers, in order.
    pub traces: Vec<Vec<Trace>>,
    /// The files with one of them, relative to the data folder.
    pub found_in: BTreeSet<PathBuf>,
    /// The files that could not be searched, and why.
    pub not_checked: Vec<(PathBuf, String)>,
}

impl Store {
    /// Searches all files of the data folder for keys with these numbers. Skips files for which `is_left_out` returns true.
    pub async fn search_files(
        &self,
        all: Vec<Sought>,
        is_left_out: impl Fn(&Path) -> bool + Send + 'static,
    ) -> Searched {
        let folder = self.0.writer.folder().to_owned();
        let counts = all.iter().map(|sought| sought.numbers.len());
        let counts = counts.collect::<Vec<_>>();
        let (sender, receiver) = oneshot::channel();
        let search = move || {
            let is_awaited = || !sender.is_closed();
            let searched = search(&folder, &all, &is_left_out, &is_awaited, PAUSE);
            // Nobody may wait for it any more.
            let _ = sender.send(searched);
        };
        let thread = std::thread::Builder::new().name("store-search".into());
        let searched = match thread.spawn(search) {
            Ok(_) => receiver.await.map_err(|_| "the search panicked".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        searched.unwrap_or_else(|why| Searched {
            traces: counts
                .into_iter()
                .map(|count| vec![Trace::NotChecked; count])
                .collect(),
            found_in: BTreeSet::new(),
            not_checked: vec![(PathBuf::new(), why)],
        })
    }
}

fn search(
    folder: &Path,
    all: &[Sought],
    is_left_out: &dyn Fn(&Path) -> bool,
    is_awaited: &dyn Fn() -> bool,
    pause: Duration,
) -> Searched {
    let mut search = Search {
        wanted: Wanted::new(all),
        folder,
        is_left_out,
        is_awaited,
        pause,
        searched: Searched::default(),
    };
    search.folder(folder, DEEPEST);
    let mut searched = search.searched;
    let unfound = if searched.not_checked.is_empty() {
        Trace::NotFound
    } else {
        Trace::NotChecked
    };
    let found = all.iter().zip(&search.wanted.found);
    let traces = found.map(|(sought, found)| {
        let traces = sought.numbers.iter().map(|number| match found.get(number) {
            Some(true) => Trace::Found,
            _ => unfound,
        });
        traces.collect()
    });
    searched.traces = traces.collect();
    searched
}

struct Search<'a> {
    wanted: Wanted,
    folder: &'a Path,
    is_left_out: &'a dyn Fn(&Path) -> bool,
    is_awaited: &'a dyn Fn() -> bool,
    pause: Duration,
    searched: Searched,
}

impl Search<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        match entries {
            Ok(entries) => entries
                .iter()
                .for_each(|entry| self.entry(&entry.path(), depth)),
            Err(error) => self.not_checked(folder, &error),
        }
    }

    fn entry(&mut self, path: &Path, depth: usize) {
        if (self.is_left_out)(path) {
            return;
        }
        // Follows links: what a link leads to belongs to the store, such as a folder on another disk.
        match fs::metadata(path) {
            Ok(found) if found.is_dir() && depth > 0 => self.folder(path, depth - 1),
            Ok(found) if found.is_dir() => self.not_checked(path, &"it lies too deep"),
            Ok(found) if found.is_file() => self.file(path),
            // A socket or a pipe holds nothing.
            Ok(_) => {}
            Err(error) => self.not_checked(path, &error),
        }
    }

    fn file(&mut self, path: &Path) {
        let searched = if begins_encrypted(path) {
            Err("it is encrypted".to_owned())
        } else if begins_as_archive(path) {
            self.backup(path)
        } else {
            self.plain(path).map_err(|error| error.to_string())
        };
        match searched {
            Ok(true) => {
                let path = self.relative(path);
                self.searched.found_in.insert(path);
            }
            Ok(false) => {}
            Err(why) => self.not_checked(path, &why),
        }
    }

    /// Returns whether it holds one of the keys.
    fn plain(&mut self, path: &Path) -> io::Result<bool> {
        let mut file = File::open(path)?;
        let mut buffer = vec![0; self.wanted.longest + CHUNK];
        let (mut filled, mut found, mut is_first) = (0, false, true);
        loop {
            let read = match file.read(&mut buffer[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            if read == 0 {
                return Ok(found);
            }
            filled += read;
            // After a short read, it is searched again together with what follows.
            found |= self.wanted.find_in(&buffer[..filled], is_first);
            if filled < buffer.len() {
                continue;
            }
            // A key may continue in the next chunk.
            is_first = false;
            let kept = filled - self.wanted.longest;
            buffer.copy_within(kept.., 0);
            filled -= kept;
            self.rest()?;
        }
    }

    /// [`Search::plain`] for a backup. What can be read of an incomplete one is searched, but it counts as not checked.
    fn backup(&mut self, path: &Path) -> Result<bool, String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let (mut found, mut read) = (false, 0);
        let outcome = each_key(file, |key| {
            // The key of a part of a record holds the record's own.
            found |= self.wanted.find_in(key, true);
            read += 1;
            if read % RECORDS == 0 {
                self.rest()
            } else {
                Ok(())
            }
        });
        match outcome {
            Ok(()) => Ok(found),
            Err(_) if found => Ok(true),
            Err(error) => Err(error.to_string()),
        }
    }

    fn rest(&self) -> io::Result<()> {
        std::thread::park_timeout(self.pause);
        if (self.is_awaited)() {
            Ok(())
        } else {
            Err(io::Error::other("the server is ending"))
        }
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.folder).unwrap_or(path).to_owned()
    }

    fn not_checked(&mut self, path: &Path, why: &dyn std::fmt::Display) {
        let path = self.relative(path);
        self.searched.not_checked.push((path, why.to_string()));
    }
}

/// What is looked for. However much it is, a file is read once: all keys have the end of a table's name.
struct Wanted {
    end_of_name: Finder<'static>,
    /// By a table's name: where the numbers are, and their index in `found`.
    tables: HashMap<&'static [u8], Vec<(KeyPlace, usize)>>,
    /// The length of the longest key, up to the end of its number.
    longest: usize,
    /// For each [`Sought`], whether its numbers were found.
    found: Vec<HashMap<u64, bool>>,
}

impl Wanted {
    fn new(all: &[Sought]) -> Self {
        let mut wanted = Self {
            end_of_name: Finder::new(&TEXT_END).into_owned(),
            tables: HashMap::new(),
            longest: 0,
            found: Vec::new(),
        };
        for (index, sought) in all.iter().enumerate() {
            for place in &sought.places {
                let name = place.table().name().as_bytes();
                let length = name.len() + TEXT_END.len() + place.longest();
                wanted.longest = wanted.longest.max(length);
                let of_table = wanted.tables.entry(name).or_default();
                of_table.push((*place, index));
            }
            let numbers = sought.numbers.iter().map(|number| (*number, false));
            wanted.found.push(numbers.collect());
        }
        wanted
    }

    /// Looks for the keys anywhere in these bytes; returns whether there was one. A key at their very beginning counts only if
    /// it `is_first`: otherwise it was seen at the end of the chunk before, and the name may begin there.
    fn find_in(&mut self, bytes: &[u8], is_first: bool) -> bool {
        let mut any = false;
        for end in self.end_of_name.find_iter(bytes) {
            let before = &bytes[..end];
            let start = before.iter().rposition(|byte| !is_of_a_name(*byte));
            let start = match start {
                Some(other) => other + 1,
                None if is_first => 0,
                None => continue,
            };
            let after = &bytes[end + TEXT_END.len()..];
            for (place, index) in self.tables.get(&before[start..]).into_iter().flatten() {
                if let Some(number) = place.number_in(after)
                    && let Some(found) = self.found[*index].get_mut(&number)
                {
                    *found = true;
                    any = true;
                }
            }
        }
        any
    }
}

fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

#[cfg(test)]
mod tests;
