//! A disk that keeps for certain only what was synced.
//!
//! Bytes are safe once their file was synced, names once their folder was. What a power cut leaves of the rest is
//! anybody's guess, so there are several.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::load::Chance;
use super::trace::Event;

/// What reaches the disk as a whole or not at all.
const PAGE: usize = 4_096;
const SECTOR: u64 = 512;

/// How much of the unsynced data survives a power cut.
#[derive(Clone, Copy, Debug)]
pub enum Left {
    Nothing,
    /// Pages at random, and names up to a random moment.
    Some,
    /// Everything but the end of the last write.
    Torn,
}

#[derive(Clone, Default)]
struct File {
    safe: Vec<u8>,
    /// With the number of the event.
    pending: Vec<(usize, Change)>,
}

#[derive(Clone)]
enum Change {
    Write(u64, Vec<u8>),
    Truncate(u64),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Write(at, new) => {
                let at = usize::try_from(*at).unwrap();
                if bytes.len() < at + new.len() {
                    bytes.resize(at + new.len(), 0);
                }
                bytes[at..at + new.len()].copy_from_slice(new);
            }
            Self::Truncate(length) => bytes.resize(usize::try_from(*length).unwrap(), 0),
        }
    }
}

/// A name that came, went, or moved: all or nothing.
#[derive(Clone)]
struct Renaming {
    event: usize,
    folder: PathBuf,
    gone: Option<PathBuf>,
    come: Option<(PathBuf, Named)>,
}

impl Renaming {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Named>) {
        if let Some(gone) = &self.gone {
            names.remove(gone);
        }
        if let Some((path, named)) = &self.come {
            names.insert(path.clone(), *named);
        }
    }
}

#[derive(Clone, Copy)]
enum Named {
    Folder,
    File(usize),
}

/// The disk, up to some event.
#[derive(Default)]
pub struct Disk {
    files: Vec<File>,
    /// Names as the process sees them.
    names: BTreeMap<PathBuf, Named>,
    safe_names: BTreeMap<PathBuf, Named>,
    pending_names: Vec<Renaming>,
    events: usize,
}

impl Disk {
    /// A disk on which a folder is safe as it is.
    pub fn with(folder: &Path) -> Self {
        let mut disk = Self::default();
        disk.take(folder, Path::new(""));
        disk.safe_names.clone_from(&disk.names);
        disk
    }

    fn take(&mut self, root: &Path, below: &Path) {
        for entry in fs::read_dir(root.join(below)).unwrap().flatten() {
            let path = below.join(entry.file_name());
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                self.names.insert(path.clone(), Named::Folder);
                self.take(root, &path);
            } else if kind.is_file() {
                let safe = fs::read(entry.path()).unwrap();
                self.name_file(path, safe);
            }
        }
    }

    fn name_file(&mut self, path: PathBuf, safe: Vec<u8>) -> Named {
        let file = Named::File(self.files.len());
        let pending = Vec::new();
        self.files.push(File { safe, pending });
        self.names.insert(path, file);
        file
    }

    /// The next event happens.
    pub fn happens(&mut self, event: &Event) {
        let number = self.events;
        self.events += 1;
        match event {
            Event::Made { path, emptied } => match self.names.get(path) {
                Some(Named::File(file)) if *emptied => {
                    let change = (number, Change::Truncate(0));
                    self.files[*file].pending.push(change);
                }
                Some(_) => {}
                None => {
                    let file = self.name_file(path.clone(), Vec::new());
                    self.renames(number, None, Some((path.clone(), file)));
                }
            },
            Event::MadeFolder(path) => {
                self.names.insert(path.clone(), Named::Folder);
                self.renames(number, None, Some((path.clone(), Named::Folder)));
            }
            Event::Wrote { path, at, bytes } => {
                if let Some(Named::File(file)) = self.names.get(path) {
                    let change = Change::Write(*at, bytes.clone());
                    self.files[*file].pending.push((number, change));
                }
            }
            Event::Truncated { path, length } => {
                if let Some(Named::File(file)) = self.names.get(path) {
                    let change = (number, Change::Truncate(*length));
                    self.files[*file].pending.push(change);
                }
            }
            Event::Synced { path, began } => self.synced(path, *began),
            Event::Renamed { from, to } => {
                let named = self.names.remove(from).expect("what is renamed is there");
                self.names.insert(to.clone(), named);
                self.renames(number, Some(from.clone()), Some((to.clone(), named)));
            }
            Event::Removed(path) => {
                self.names.remove(path);
                self.renames(number, Some(path.clone()), None);
            }
            Event::Acknowledged { .. } => {}
        }
    }

    fn renames(&mut self, event: usize, gone: Option<PathBuf>, come: Option<(PathBuf, Named)>) {
        let path = come.as_ref().map(|(path, _)| path).or(gone.as_ref());
        let folder = path.and_then(|path| path.parent()).unwrap().to_owned();
        let renaming = Renaming {
            event,
            folder,
            gone,
            come,
        };
        self.pending_names.push(renaming);
    }

    fn synced(&mut self, path: &Path, began: usize) {
        if let Some(Named::File(file)) = self.names.get(path) {
            let File { safe, pending } = &mut self.files[*file];
            pending.retain(|(event, change)| {
                if *event < began {
                    change.apply(safe);
                }
                *event >= began
            });
            return;
        }
        let safe = &mut self.safe_names;
        self.pending_names.retain(|renaming| {
            let now = renaming.folder == path && renaming.event < began;
            if now {
                renaming.apply(safe);
            }
            !now
        });
    }

    /// Writes the files that survive a power cut into a folder of their own.
    pub fn cut(&self, left: Left, chance: &mut Chance, into: &Path) {
        let mut names = self.safe_names.clone();
        let kept = match left {
            Left::Nothing => 0,
            Left::Some => {
                let all = self.pending_names.len() as u64;
                usize::try_from(chance.below(all + 1)).unwrap()
            }
            Left::Torn => self.pending_names.len(),
        };
        for renaming in &self.pending_names[..kept] {
            renaming.apply(&mut names);
        }
        let last = self.files.iter().flat_map(|file| file.pending.last());
        let last = last.map(|(event, _)| *event).max();
        // In one run nearly nothing of it arrives, in another nearly all.
        let likely = [5, 50, 95][usize::try_from(chance.below(3)).unwrap()];
        fs::create_dir(into).unwrap();
        for (path, named) in &names {
            // A file whose folder isn't there can't be found. In this order the folder comes first.
            let to = into.join(path);
            if !to.parent().is_some_and(Path::exists) {
                continue;
            }
            match named {
                Named::Folder => fs::create_dir(&to).unwrap(),
                Named::File(file) => {
                    let mut bytes = self.files[*file].safe.clone();
                    for (event, change) in &self.files[*file].pending {
                        keep(
                            change,
                            left,
                            Some(*event) == last,
                            likely,
                            chance,
                            &mut bytes,
                        );
                    }
                    fs::write(to, bytes).unwrap();
                }
            }
        }
    }
}

fn keep(
    change: &Change,
    left: Left,
    is_last: bool,
    likely: u64,
    chance: &mut Chance,
    bytes: &mut Vec<u8>,
) {
    match (left, change) {
        (Left::Nothing, _) => {}
        (Left::Some, Change::Truncate(_)) => {
            if chance.below(100) < likely {
                change.apply(bytes);
            }
        }
        (Left::Some, Change::Write(at, new)) => {
            let mut place = 0;
            while place < new.len() {
                let start = *at + place as u64;
                let room = PAGE - usize::try_from(start % PAGE as u64).unwrap();
                let end = new.len().min(place + room);
                if chance.below(100) < likely {
                    Change::Write(start, new[place..end].to_vec()).apply(bytes);
                }
                place = end;
            }
        }
        (Left::Torn, Change::Write(at, new)) if is_last => {
            let sectors = new.len() as u64 / SECTOR;
            let torn = usize::try_from(chance.below(sectors + 1) * SECTOR).unwrap();
            Change::Write(*at, new[..torn].to_vec()).apply(bytes);
        }
        (Left::Torn, _) => change.apply(bytes),
    }
}
