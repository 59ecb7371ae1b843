//! The one thread that writes.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::files::{self, Opened};
use super::remembered::Written;
use super::rewrite::{self, Rewriting};
use super::snapshot::Snapshots;
use super::{Change, StoreError, Tree, seal, weight};

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

/// What a change writes: the value under each key, or nothing where it removes one.
pub(super) type Writes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// What the writer is asked to do.
enum Task {
    Change(Job),
    Rewrite(rewrite::Request),
}

/// What the writer writes to.
pub(super) struct Disk {
    pub files: Opened,
    /// What readers read.
    pub tree: Tree,
    pub snapshots: Snapshots,
    pub written: Arc<Written>,
    pub folder: PathBuf,
    /// How many groups of changes the store counts.
    pub groups: u64,
}

/// The door to the writer. Clones lead to the same thread.
#[derive(Clone)]
pub(super) struct Handle {
    sender: Arc<Mutex<Option<Sender<Task>>>>,
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
                let sealed = disk.groups;
                Writer {
                    disk,
                    sealed,
                    writable,
                    unsynced: false,
                    alone: false,
                    unnoted: 0,
                    asked: VecDeque::new(),
                    rewriting: None,
                }
                .run_to_the_end(&receiver)
            })?;
        Ok(Self {
            sender: Arc::new(Mutex::new(Some(sender))),
            thread: Arc::new(Mutex::new(Some(thread))),
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
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = sender.as_ref().ok_or(StoreError::Unavailable)?;
        sender.send(task).map_err(|_| StoreError::Unavailable)
    }

    /// Whether the disk has more room than the reserve.
    pub fn has_room(&self) -> bool {
        has_room(&self.folder)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How large sled's file is, in bytes; zero when nobody knows.
    pub fn size_of_files(&self) -> u64 {
        super::weight::size_of_files(&self.folder)
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

fn has_room(folder: &Path) -> bool {
    has_room_for(folder, 0)
}

/// Whether so many bytes more leave the reserve untouched.
pub(super) fn has_room_for(folder: &Path, bytes: u64) -> bool {
    match rustix::fs::statvfs(folder) {
        Ok(stat) => stat.f_bavail.saturating_mul(stat.f_frsize) >= RESERVE + bytes,
        // Not knowing is no reason to stop: the write itself will tell.
        Err(_) => true,
    }
}

struct Writer {
    disk: Disk,
    writable: Arc<AtomicBool>,
    /// Whether anything was applied since the last sync that held.
    unsynced: bool,
    /// Whether the group is of one change, which then counts the group as well, in one write instead of two.
    alone: bool,
    /// By how many bytes the store has grown, or shrunk, since its weight was noted.
    unnoted: i64,
    /// How many groups the seal says there are.
    sealed: u64,
    /// Rewritings that wait.
    asked: VecDeque<rewrite::Request>,
    rewriting: Option<(Rewriting, rewrite::Request)>,
}

impl Writer {
    fn run_to_the_end(mut self, receiver: &Receiver<Task>) {
        self.run(receiver);
        self.seal();
        self.note_weight();
    }

    fn run(&mut self, receiver: &Receiver<Task>) {
        loop {
            let mut waiting = Vec::new();
            // While the store is rewritten there is always something to do.
            if self.rewriting.is_none() && self.asked.is_empty() {
                match receiver.recv() {
                    Ok(task) => self.take(task, &mut waiting),
                    Err(_) => return,
                }
            }
            let mut open = true;
            while waiting.len() < GROUP {
                match receiver.try_recv() {
                    Ok(task) => self.take(task, &mut waiting),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        open = false;
                        break;
                    }
                }
            }
            self.run_group(waiting);
            if !open {
                return;
            }
            self.rewrite_some();
        }
    }

    fn take(&mut self, task: Task, waiting: &mut Vec<Job>) {
        match task {
            Task::Change(job) => waiting.push(job),
            Task::Rewrite(request) => self.asked.push_back(request),
        }
    }

    /// Runs each change in turn, syncs once, and only then answers.
    fn run_group(&mut self, jobs: Vec<Job>) {
        let full = !has_room(&self.disk.folder);
        self.alone = jobs.len() == 1;
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
        let mut change = Change::on(self.disk.files.tree.clone());
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
        let mut writes = change.into_writes();
        if self.alone {
            self.count_group(&mut writes);
        }
        self.apply_writes(writes)
    }

    /// Counts the group with the last of its writes.
    fn count_group(&mut self, writes: &mut Writes) {
        self.disk.groups += 1;
        let (key, value) = seal::count_pair(self.disk.groups);
        writes.insert(key, Some(value));
    }

    fn apply_writes(&mut self, writes: Writes) -> Result<(), StoreError> {
        let tree = &self.disk.files.tree;
        let growth = weight::growth(tree, &writes).map_err(|error| self.fail(&error))?;
        let keys = writes.keys().map(Vec::as_slice);
        let apply = || tree.apply_batch(rewrite::batch(writes.iter()));
        let applied = self.disk.snapshots.applying(tree, keys, apply);
        // Also when it failed: a part of it may be there to be read.
        self.disk.written.note(writes.keys().map(Vec::as_slice));
        applied.map_err(|error| self.fail(&error))?;
        self.unnoted += growth;
        let followed = self
            .rewriting
            .as_ref()
            .map(|(rewriting, _)| rewriting.follow(&writes));
        if let Some(Err(error)) = followed {
            self.give_up_rewriting(error);
        }
        Ok(())
    }

    /// Goes on with the rewriting that was asked for first.
    fn rewrite_some(&mut self) {
        if self.rewriting.is_none()
            && let Some(request) = self.asked.pop_front()
        {
            match Rewriting::begin(&self.disk.files.path, &self.disk.files.tree) {
                Ok(rewriting) => self.rewriting = Some((rewriting, request)),
                Err(error) => (request.answer)(Err(error)),
            }
        }
        let Some((rewriting, request)) = &mut self.rewriting else {
            return;
        };
        if !has_room(&self.disk.folder) {
            return self.give_up_rewriting(StoreError::Full);
        }
        match rewriting.step(&self.disk.files.tree) {
            Ok((copied, true)) => (request.progress)(copied),
            Ok((_, false)) => self.finish_rewriting(),
            Err(error) => self.give_up_rewriting(error),
        }
    }

    /// Lets the copy take the place of the original. Both are the same here, and the original is synced.
    fn finish_rewriting(&mut self) {
        let Some((rewriting, request)) = self.rewriting.take() else {
            return;
        };
        if !self.writable.load(Ordering::Acquire) {
            self.rewriting = Some((rewriting, request));
            return self.give_up_rewriting(StoreError::Unavailable);
        }
        let folder = &self.disk.folder;
        let ready = rewriting.sync().and_then(|()| {
            files::sync(folder)
                .and_then(|()| files::make_current(folder, &rewriting.into.path))
                .map_err(|error| StoreError::Unreadable(error.to_string().into()))
        });
        if let Err(error) = ready {
            self.rewriting = Some((rewriting, request));
            return self.give_up_rewriting(error);
        }
        // From here the new files count. Should that not be on the disk, the old ones must stay.
        let lasting = files::sync(folder).map_err(|error| self.fail(&error));
        drop(self.disk.tree.replace(rewriting.into.tree.clone()));
        let old = std::mem::replace(&mut self.disk.files, rewriting.into);
        if lasting.is_ok() {
            rewrite::retire(old);
        }
        (request.answer)(lasting);
    }

    fn give_up_rewriting(&mut self, error: StoreError) {
        let Some((rewriting, request)) = self.rewriting.take() else {
            return;
        };
        tracing::warn!(
            ?error,
            "the store could not be rewritten; it stays as it was"
        );
        rewrite::retire(rewriting.into);
        (request.answer)(Err(error));
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        if !self.unsynced {
            return Ok(());
        }
        if !self.writable.load(Ordering::Acquire) {
            return Err(StoreError::Unavailable);
        }
        if !self.alone {
            let mut count = Writes::new();
            self.count_group(&mut count);
            self.apply_writes(count)?;
        }
        self.disk
            .files
            .db
            .flush()
            .map_err(|error| self.fail(&error))?;
        self.disk
            .files
            .file
            .sync_data()
            .map_err(|error| self.fail(&error))?;
        self.unsynced = false;
        if self.disk.groups >= self.sealed + seal::EVERY {
            self.seal();
        }
        if self.unnoted.unsigned_abs() > weight::MOST_UNNOTED {
            self.note_weight();
        }
        Ok(())
    }

    /// Notes how much the store holds by now.
    fn note_weight(&mut self) {
        if self.unnoted != 0 {
            weight::add_to_note(&self.disk.folder, std::mem::take(&mut self.unnoted));
        }
    }

    /// Notes how much the store holds. All of it is synced here.
    fn seal(&mut self) {
        if self.unsynced || self.sealed == self.disk.groups {
            return;
        }
        self.sealed = self.disk.groups;
        if let Err(error) = seal::write(&self.disk.folder, self.sealed) {
            tracing::warn!(%error, "the store's seal could not be written");
        }
    }

    /// Remembers that the disk failed. There is no second try: after a failed fsync the kernel may have
    /// dropped the very pages that were not written.
    fn fail(&self, error: &dyn std::fmt::Display) -> StoreError {
        self.writable.store(false, Ordering::Release);
        tracing::error!(%error, "the disk refused a write; nothing more is written until a restart");
        StoreError::Unavailable
    }
}
