//! Which layout a data folder has, and how an older one is brought to it.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::files::{self, NotOpened, Opened};
use super::journal::{self, Journal};
use super::record::StoredValue;
use super::runs::Runs;
use super::{Record, StoreError, Table, checkpoint, rewrite, seal, weight};

/// The version of the folder's layout that this binary writes and the newest it reads. In 1 each pair was one of sled's, and
/// there was no journal; in 2 it had one file.
pub(super) const LAYOUT: u32 = 3;

const FOLDER: Table = Table::new("folder");

/// How many pairs are copied at once.
const STEP: usize = 4_096;

/// What a data folder is: written once, when it is made.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Folder {
    pub layout: u32,
    #[serde(default)]
    pub demo: bool,
}

impl Record for Folder {}

impl Folder {
    /// One that is made now.
    pub fn new(demo: bool) -> Self {
        Self {
            layout: LAYOUT,
            demo,
        }
    }

    /// What sled's files say they are.
    pub fn stated_in(files: &Opened) -> Result<Option<Self>, StoreError> {
        Self::read(files.tree.get(FOLDER.key().bytes())?)
    }

    /// What they say among the records, as a backup has it.
    pub fn recorded_in(files: &Opened) -> Result<Option<Self>, StoreError> {
        Self::read(Runs::of(&files.tree).get(FOLDER.key().bytes())?)
    }

    fn read(stored: Option<sled::IVec>) -> Result<Option<Self>, StoreError> {
        match stored {
            Some(stored) => Self::decode(StoredValue::read(&stored)?.first).map(Some),
            None => Ok(None),
        }
    }

    /// Makes sled's files say it: where every version looks for it, and among the records.
    pub fn state_in(&self, files: &Opened) -> Result<(), StoreError> {
        let key = FOLDER.key();
        let pairs = StoredValue::split(key.bytes(), Self::VERSION, &self.encode());
        let pairs = pairs
            .iter()
            .map(|(key, value)| (key.as_slice(), value.as_slice()));
        for (key, value) in pairs.clone() {
            files.tree.insert(key, value)?;
        }
        Runs::of(&files.tree).apply(pairs.map(|(key, value)| (key, Some(value))), || Ok(()))?;
        Ok(files.sync()?)
    }
}

/// The layout that a stored pair states; `None` when it is another record.
pub(super) fn layout_in(key: &[u8], stored: &[u8]) -> Option<u32> {
    if key != FOLDER.key().bytes() {
        return None;
    }
    let value = StoredValue::read(stored).ok()?;
    Folder::decode(value.first).ok().map(|folder| folder.layout)
}

/// How much room it takes to bring files of an older layout to this one, in bytes.
pub(super) fn room_to_bring_up(folder: &Path, stated: &Folder) -> u64 {
    match stated.layout {
        1 => weight::size_of_files(folder),
        _ => 0,
    }
}

/// Brings files of an older layout to this one.
///
/// # Errors
///
/// What is wrong; then the old files count.
pub(super) fn bring_up(
    folder: &Path,
    old: Arc<Opened>,
    stated: &Folder,
) -> Result<Arc<Opened>, NotOpened> {
    tracing::info!("the store is brought to the layout of this version");
    if stated.layout == 1 {
        return copy_into_new(folder, old, stated.demo);
    }
    let failed = |error: StoreError| NotOpened::Otherwise(error.to_string());
    let counted = seal::counted(&old.tree).map_err(failed)?;
    journal::bring_up(folder, counted)?;
    Folder::new(stated.demo).state_in(&old).map_err(failed)?;
    Ok(old)
}

/// Copies files of layout 1 into new ones, which take their place.
fn copy_into_new(folder: &Path, old: Arc<Opened>, demo: bool) -> Result<Arc<Opened>, NotOpened> {
    let new = files::open_next(&old.path)?;
    let copied = copy(&old, &new).and_then(|()| Folder::new(demo).state_in(&new));
    let checkpoints = copied.and_then(|()| {
        let counted = seal::counted(&old.tree)?;
        checkpoint::count(&new, counted)?;
        Ok(counted)
    });
    let checkpoints = checkpoints.map_err(|error| NotOpened::Otherwise(error.to_string()))?;
    new.file.sync_all()?;
    files::sync(&new.path)?;
    files::sync(folder)?;
    Journal::make(folder, checkpoints)?;
    files::make_current(folder, &new.path)?;
    files::sync(folder)?;
    rewrite::retire(old);
    Ok(new)
}

fn copy(old: &Opened, new: &Opened) -> Result<(), StoreError> {
    let (counted, _) = seal::count_pair(0);
    let mut pairs = old.tree.iter().peekable();
    while pairs.peek().is_some() {
        let step = pairs.by_ref().take(STEP).collect::<Result<Vec<_>, _>>()?;
        let records = step
            .iter()
            .filter(|(key, _)| key.as_ref() != counted.as_slice());
        let writes = records.map(|(key, value)| (key.as_ref(), Some(value.as_ref())));
        Runs::of(&new.tree).apply(writes, || Ok(()))?;
    }
    Ok(())
}
