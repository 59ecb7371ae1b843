//! How others reach the writer.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;

use super::super::{StoreError, rewrite, room, weight};
use super::{Disk, Job, Task, Writer};

/// The door to the writer.
pub(in crate::kernel::store) struct Handle {
    sender: RwLock<Option<Sender<Task>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    folder: PathBuf,
}

impl Handle {
    /// Starts the thread. `writable` turns false, for good, when the disk fails.
    pub fn start(disk: Disk, writable: Arc<AtomicBool>) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let folder = disk.folder.clone();
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || Writer::new(disk, writable).run_to_the_end(&receiver))?;
        Ok(Self {
            sender: RwLock::new(Some(sender)),
            thread: Mutex::new(Some(thread)),
            folder,
        })
    }

    /// Hands a change to the writer.
    pub fn submit(&self, job: Job) -> Result<(), StoreError> {
        self.send(Task::Change(job))
    }

    /// Asks the writer to write the store anew.
    pub fn rewrite(&self, request: rewrite::Request) -> Result<(), StoreError> {
        self.send(Task::Rewrite(request))
    }

    fn send(&self, task: Task) -> Result<(), StoreError> {
        let sender = self.sender.read().unwrap_or_else(PoisonError::into_inner);
        let sender = sender.as_ref().ok_or(StoreError::Unavailable)?;
        sender.send(task).map_err(|_| StoreError::Unavailable)
    }

    /// Whether an ordinary change has room.
    pub fn has_room(&self) -> bool {
        room::has_room_for(&self.folder, 0)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How large sled's file is, in bytes; zero when nobody knows.
    pub fn size_of_files(&self) -> u64 {
        weight::size_of_files(&self.folder)
    }

    /// Lets the writer finish what waits, and waits for it.
    pub fn close(&self) {
        drop(
            self.sender
                .write()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        let thread = self
            .thread
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the store's writer ended in a panic");
        }
    }
}
