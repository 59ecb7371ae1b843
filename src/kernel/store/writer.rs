//! The one thread that writes.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{Change, StoreError};

/// The most changes that share one sync.
pub(super) const GROUP: usize = 256;

/// Free space, in bytes, below which nothing is written: sled never recovers from a full disk within the
/// process and cannot open on one, so it must never meet it. Twice sled's segment of 512 KiB for each of
/// the 16 it may fill before a group is through.
const RESERVE: u64 = 16 * 1024 * 1024;

/// A change to run. It answers whether to keep what it wrote, and whom to tell once that is on disk.
pub(super) type Job = Box<dyn FnOnce(&mut Change) -> Ran + Send>;

/// A change that has run and waits for the sync.
pub(super) struct Ran {
    pub keep: bool,
    pub answer: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

/// What the writer writes to.
pub(super) struct Disk {
    pub tree: sled::Tree,
    pub db: sled::Db,
    /// A second handle to sled's file, for the fdatasync that sled doesn't make.
    pub file: File,
    pub folder: PathBuf,
}

/// The door to the writer. Clones lead to the same thread.
#[derive(Clone)]
pub(super) struct Handle {
    sender: Arc<Mutex<Option<Sender<Job>>>>,
    thread: Arc<Mutex<Option<JoinHandle<()>>>>,
    folder: Arc<PathBuf>,
}

impl Handle {
    /// Starts the thread. `writable` turns false, for good, when the disk fails.
    pub fn start(disk: Disk, writable: Arc<AtomicBool>) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let folder = Arc::new(disk.folder.clone());
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || {
                Writer {
                    disk,
                    writable,
                    unsynced: false,
                }
                .run(&receiver)
            })?;
        Ok(Self {
            sender: Arc::new(Mutex::new(Some(sender))),
            thread: Arc::new(Mutex::new(Some(thread))),
            folder,
        })
    }

    /// Hands a change to the writer.
    pub fn submit(&self, job: Job) -> Result<(), StoreError> {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = sender.as_ref().ok_or(StoreError::Unavailable)?;
        sender.send(job).map_err(|_| StoreError::Unavailable)
    }

    /// Whether the disk has more room than the reserve.
    pub fn has_room(&self) -> bool {
        has_room(&self.folder)
    }

    /// Lets the writer finish what waits, and waits for it.
    pub fn close(&self) {
        drop(
            self.sender
                .lock()
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

fn has_room(folder: &std::path::Path) -> bool {
    match rustix::fs::statvfs(folder) {
        Ok(stat) => stat.f_bavail.saturating_mul(stat.f_frsize) >= RESERVE,
        // Not knowing is no reason to stop: the write itself will tell.
        Err(_) => true,
    }
}

struct Writer {
    disk: Disk,
    writable: Arc<AtomicBool>,
    /// Whether anything was applied since the last sync that held.
    unsynced: bool,
}

impl Writer {
    fn run(mut self, receiver: &Receiver<Job>) {
        while let Ok(first) = receiver.recv() {
            let mut waiting = vec![first];
            let mut open = true;
            while waiting.len() < GROUP {
                match receiver.try_recv() {
                    Ok(job) => waiting.push(job),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        open = false;
                        break;
                    }
                }
            }
            self.run_group(waiting);
            if !open {
                break;
            }
        }
    }

    /// Runs each change in turn, syncs once, and only then answers.
    fn run_group(&mut self, jobs: Vec<Job>) {
        let full = !has_room(&self.disk.folder);
        let answers = jobs
            .into_iter()
            .filter_map(|job| self.run_one(job, full))
            .collect::<Vec<_>>();
        let synced = self.sync();
        for (answer, applied) in answers {
            answer(applied.and_then(|()| synced.clone()));
        }
    }

    /// Runs one change and applies what it wrote. `None` when it panicked: whoever asked finds the
    /// answer's channel closed.
    #[expect(
        clippy::type_complexity,
        reason = "an answer with its outcome, used once above"
    )]
    fn run_one(
        &mut self,
        job: Job,
        full: bool,
    ) -> Option<(
        Box<dyn FnOnce(Result<(), StoreError>) + Send>,
        Result<(), StoreError>,
    )> {
        let mut change = Change::on(self.disk.tree.clone());
        // The panic hook has told where; the writer lives on, and nothing of the change is kept.
        let ran = catch_unwind(AssertUnwindSafe(|| job(&mut change))).ok()?;
        let applied = match ran.keep && change.writes_anything() {
            true => self.apply(change, full),
            false => Ok(()),
        };
        Some((ran.answer, applied))
    }

    fn apply(&mut self, change: Change, full: bool) -> Result<(), StoreError> {
        if !self.writable.load(Ordering::Acquire) {
            return Err(StoreError::Unavailable);
        }
        if full {
            return Err(StoreError::Full);
        }
        self.unsynced = true;
        self.disk
            .tree
            .apply_batch(change.into_batch())
            .map_err(|error| self.fail(&error))
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        if !self.unsynced {
            return Ok(());
        }
        if !self.writable.load(Ordering::Acquire) {
            return Err(StoreError::Unavailable);
        }
        self.disk.db.flush().map_err(|error| self.fail(&error))?;
        self.disk
            .file
            .sync_data()
            .map_err(|error| self.fail(&error))?;
        self.unsynced = false;
        Ok(())
    }

    /// Remembers that the disk failed. There is no second try: after a failed fsync the kernel may have
    /// dropped the very pages that were not written.
    fn fail(&self, error: &dyn std::fmt::Display) -> StoreError {
        self.writable.store(false, Ordering::Release);
        tracing::error!(%error, "the disk refused a write; nothing more is written until a restart");
        StoreError::Unavailable
    }
}
