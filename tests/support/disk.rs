//! A simulated disk, on which only synced data is sure to survive a power cut.
//!
//! A file's bytes are durable once the file is synced, its name once the folder is. The rest may survive in several ways.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::load::Rng;
use super::trace::Event;

/// Written atomically.
const PAGE: usize = 4_096;
const SECTOR: u64 = 512;

/// How much of the unsynced data survives a power cut.
#[derive(Clone, Copy, Debug)]
pub enum Unsynced {
    Lost,
    /// Random pages, and the name changes before a random moment.
    Partial,
    /// Everything except the end of the last write.
    Torn,
}

#[derive(Clone, Default)]
struct File {
    safe: Vec<u8>,
    /// Unsynced changes with their event numbers.
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

/// A created, removed or renamed file or folder. It is applied atomically.
#[derive(Clone)]
struct NameChange {
    event: usize,
    folder: PathBuf,
    removed: Option<PathBuf>,
    added: Option<(PathBuf, Entry)>,
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<PathBuf, Entry>) {
        if let Some(removed) = &self.removed {
            names.remove(removed);
        }
        if let Some((path, entry)) = &self.added {
            names.insert(path.clone(), *entry);
        }
    }
}

#[derive(Clone, Copy)]
enum Entry {
    Folder,
    File(usize),
}

/// The disk's state after the events so far.
#[derive(Default)]
pub struct Disk {
    files: Vec<File>,
    /// The names that the process sees.
    names: BTreeMap<PathBuf, Entry>,
    safe_names: BTreeMap<PathBuf, Entry>,
    pending_names: Vec<NameChange>,
    events: usize,
}

impl Disk {
    /// Creates a disk on which this folder is durable.
    pub fn with(folder: &Path) -> Self {
        let mut disk = Self::default();
        disk.read_folder(folder, Path::new(""));
        disk.safe_names.clone_from(&disk.names);
        disk
    }

    fn read_folder(&mut self, root: &Path, below: &Path) {
        for entry in fs::read_dir(root.join(below)).unwrap().flatten() {
            let path = below.join(entry.file_name());
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                self.names.insert(path.clone(), Entry::Folder);
                self.read_folder(root, &path);
            } else if kind.is_file() {
                let safe = fs::read(entry.path()).unwrap();
                self.name_file(path, safe);
            }
        }
    }

    fn name_file(&mut self, path: PathBuf, safe: Vec<u8>) -> Entry {
        let file = Entry::File(self.files.len());
        let pending = Vec::new();
        self.files.push(File { safe, pending });
        self.names.insert(path, file);
        file
    }

    pub fn apply(&mut self, event: &Event) {
        let number = self.events;
        self.events += 1;
        match event {
            Event::Created { path, truncated } => match self.names.get(path) {
                Some(Entry::File(file)) if *truncated => {
                    let change = (number, Change::Truncate(0));
                    self.files[*file].pending.push(change);
                }
                Some(_) => {}
                None => {
                    let file = self.name_file(path.clone(), Vec::new());
                    self.change_name(number, None, Some((path.clone(), file)));
                }
            },
            Event::CreatedFolder(path) => {
                self.names.insert(path.clone(), Entry::Folder);
                self.change_name(number, None, Some((path.clone(), Entry::Folder)));
            }
            Event::Written { path, at, bytes } => {
                if let Some(Entry::File(file)) = self.names.get(path) {
                    let change = Change::Write(*at, bytes.clone());
                    self.files[*file].pending.push((number, change));
                }
            }
            Event::Truncated { path, length } => {
                if let Some(Entry::File(file)) = self.names.get(path) {
                    let change = (number, Change::Truncate(*length));
                    self.files[*file].pending.push(change);
                }
            }
            Event::Synced { path, began } => self.synced(path, *began),
            Event::Renamed { from, to } => {
                let entry = self.names.remove(from).expect("the renamed file exists");
                self.names.insert(to.clone(), entry);
                self.change_name(number, Some(from.clone()), Some((to.clone(), entry)));
            }
            Event::Removed(path) => {
                self.names.remove(path);
                self.change_name(number, Some(path.clone()), None);
            }
            Event::Acknowledged { .. } => {}
        }
    }

    fn change_name(
        &mut self,
        event: usize,
        removed: Option<PathBuf>,
        added: Option<(PathBuf, Entry)>,
    ) {
        let path = added.as_ref().map(|(path, _)| path).or(removed.as_ref());
        let folder = path.and_then(|path| path.parent()).unwrap().to_owned();
        let change = NameChange {
            event,
            folder,
            removed,
            added,
        };
        self.pending_names.push(change);
    }

    fn synced(&mut self, path: &Path, began: usize) {
        if let Some(Entry::File(file)) = self.names.get(path) {
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
        self.pending_names.retain(|change| {
            let now = change.folder == path && change.event < began;
            if now {
                change.apply(safe);
            }
            !now
        });
    }

    /// Writes the files that survive a power cut into a folder of their own.
    pub fn cut(&self, unsynced: Unsynced, rng: &mut Rng, into: &Path) {
        let mut names = self.safe_names.clone();
        let survived = match unsynced {
            Unsynced::Lost => 0,
            Unsynced::Partial => {
                let all = self.pending_names.len() as u64;
                usize::try_from(rng.below(all + 1)).unwrap()
            }
            Unsynced::Torn => self.pending_names.len(),
        };
        for change in &self.pending_names[..survived] {
            change.apply(&mut names);
        }
        let last = self.files.iter().flat_map(|file| file.pending.last());
        let last = last.map(|(event, _)| *event).max();
        // Cuts differ in the share of changes that survive.
        let percent = [5, 50, 95][usize::try_from(rng.below(3)).unwrap()];
        fs::create_dir(into).unwrap();
        for (path, entry) in &names {
            // Skip a file whose folder is lost. The names are sorted, so a folder precedes its files.
            let to = into.join(path);
            if !to.parent().is_some_and(Path::exists) {
                continue;
            }
            match entry {
                Entry::Folder => fs::create_dir(&to).unwrap(),
                Entry::File(file) => {
                    let mut bytes = self.files[*file].safe.clone();
                    for (event, change) in &self.files[*file].pending {
                        apply_partly(
                            change,
                            unsynced,
                            Some(*event) == last,
                            percent,
                            rng,
                            &mut bytes,
                        );
                    }
                    fs::write(to, bytes).unwrap();
                }
            }
        }
    }
}

fn apply_partly(
    change: &Change,
    unsynced: Unsynced,
    is_last_write: bool,
    percent: u64,
    rng: &mut Rng,
    bytes: &mut Vec<u8>,
) {
    match (unsynced, change) {
        (Unsynced::Lost, _) => {}
        (Unsynced::Partial, Change::Truncate(_)) => {
            if rng.below(100) < percent {
                change.apply(bytes);
            }
        }
        (Unsynced::Partial, Change::Write(at, new)) => {
            let mut place = 0;
            while place < new.len() {
                let start = *at + place as u64;
                let room = PAGE - usize::try_from(start % PAGE as u64).unwrap();
                let end = new.len().min(place + room);
                if rng.below(100) < percent {
                    Change::Write(start, new[place..end].to_vec()).apply(bytes);
                }
                place = end;
            }
        }
        (Unsynced::Torn, Change::Write(at, new)) if is_last_write => {
            let sectors = new.len() as u64 / SECTOR;
            let complete = usize::try_from(rng.below(sectors + 1) * SECTOR).unwrap();
            Change::Write(*at, new[..complete].to_vec()).apply(bytes);
        }
        (Unsynced::Torn, _) => change.apply(bytes),
    }
}
