//! Bringing what is in the journal into sled's files, beside the writer.
//!
//! What was written until a checkpoint began goes to sled in short steps, each of them flushed and synced before the next:
//! sled takes for safe what it has handed to the system, and a power cut that left a later piece and not all of an earlier
//! one made files that it can't open, or opened as empty ones. Only then the checkpoint is counted, and that is synced,
//! too. So sled's files count a checkpoint only when they have all of it: cut short before that, the journal is read again,
//! over whatever part of it sled already has.
//!
//! All that takes a while, for which nobody has to wait: it happens in a thread of its own, while the
//! writer goes on in the other file of the journal.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::JoinHandle;

use super::files::Opened;
use super::runs::Runs;
use super::tree::Recent;
use super::writer::{self, Disk};
use super::{StoreError, ballast, room, seal};

/// A checkpoint that is being written.
pub(super) struct UnderWay(JoinHandle<()>);

impl UnderWay {
    /// Begins to bring what is [leaving](super::tree::View::leaving) the tree to the disk as the checkpoint with this number.
    /// `writable` turns false when that fails.
    pub fn begin(disk: &Disk, number: u64, writable: &Arc<AtomicBool>) -> io::Result<Self> {
        let (files, tree) = (Arc::clone(&disk.files), disk.tree.clone());
        let (folder, checkpointed) = (disk.folder.clone(), Arc::clone(&disk.checkpointed));
        let writable = Arc::clone(writable);
        let leaving = Arc::clone(tree.read().leaving());
        let write = move || {
            match write(&files, &leaving, number, &folder) {
                Ok(()) => {}
                Err(StoreError::Full) => {
                    tracing::warn!("a checkpoint waits for room on the disk; nothing is lost");
                    return;
                }
                Err(error) => {
                    writer::fail(&writable, &error);
                    return;
                }
            }
            tree.let_go();
            seal::note(&folder, number);
            ballast::set_aside(&folder);
            checkpointed.notify_one();
        };
        let thread = std::thread::Builder::new().name("store-checkpoint".into());
        thread.spawn(write).map(Self)
    }

    /// Whether it has come to its end, a good one or not. One that found no room is begun again.
    pub fn has_ended(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for its end; whether it came to one at all and did not panic.
    pub fn end(self) -> bool {
        self.0.join().is_ok()
    }
}

/// Brings `recent` to the disk as the checkpoint with this number.
///
/// # Errors
///
/// [`StoreError::Full`] when a step had no room: then all of it is to be done again. The disk's, or sled's.
pub(super) fn write(
    files: &Opened,
    recent: &Recent,
    number: u64,
    folder: &Path,
) -> Result<(), StoreError> {
    let writes = recent.iter();
    let writes = writes.map(|(key, value)| (key.as_slice(), value.as_deref()));
    room::for_a_step(folder)?;
    Runs::of(&files.tree).apply(writes, || {
        files.sync()?;
        room::for_a_step(folder)
    })?;
    count(files, number)
}

/// Counts the checkpoint with this number. All of it is on the disk.
///
/// # Errors
///
/// The disk's, or sled's.
pub(super) fn count(files: &Opened, number: u64) -> Result<(), StoreError> {
    let (key, value) = seal::count_pair(number);
    files.tree.insert(key, value)?;
    Ok(files.sync()?)
}
