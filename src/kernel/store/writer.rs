//! The writer thread, which runs all changes in groups.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::JoinHandle;

use bytes::Bytes;

use super::changes::Changes;
use super::lsm::{self, CompactionStep, Memtable};
use super::{Change, Key, Purpose, Range, StoreError, reserve};

/// The maximum number of changes in a group.
const GROUP: usize = 256;

pub(super) struct Job {
    pub purpose: Purpose,
    pub run: Box<dyn FnOnce(&mut Change) -> Ran + Send>,
}

/// A change that has run: whether to keep its writes, and the callback that answers after the sync.
pub(super) struct Ran {
    pub keep: bool,
    pub answer: Answer,
}

type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

pub(super) struct CompactionRequest {
    /// Records below these keys that exist when it starts are left out of the copy.
    pub omitted: [Key; 2],
    /// Called with the number of copied pairs.
    pub progress: Box<dyn Fn(u64) + Send>,
    /// Called at the end.
    pub answer: Answer,
}

enum Task {
    Change(Job),
    Compact(CompactionRequest),
}

/// Changes that share one record of the log, and so one sync.
#[derive(Default)]
struct Group {
    /// Only later changes of the group see these before they are synced.
    writes: Memtable,
    /// The approximate number of bytes of keys and values.
    bytes: usize,
    /// The answers to send, and whether each change was accepted.
    answers: Vec<(Answer, Result<(), StoreError>)>,
    erases: bool,
    /// Keys that only unpublished changes wrote.
    unpublished: BTreeSet<Bytes>,
}

impl Group {
    fn add(&mut self, writes: Memtable, is_unpublished: bool) {
        for key in writes.keys() {
            if is_unpublished && !self.writes.contains_key(key) {
                self.unpublished.insert(key.clone());
            } else if !is_unpublished {
                self.unpublished.remove(key);
            }
        }
        self.writes.extend(writes);
    }
}

struct Writer {
    lsm: lsm::Writer,
    changes: Arc<Changes>,
    data: PathBuf,
    /// The requests for the running compaction, or for one that should start.
    waiting: Vec<CompactionRequest>,
}

impl Writer {
    fn run(mut self, receiver: &Receiver<Task>) {
        let mut is_open = true;
        while is_open {
            let mut jobs = Vec::new();
            // During a compaction the loop must not block.
            if !self.lsm.is_compacting() && self.waiting.is_empty() {
                match receiver.recv() {
                    Ok(task) => self.take(task, &mut jobs),
                    Err(_) => break,
                }
            }
            while jobs.len() < GROUP && is_open {
                match receiver.try_recv() {
                    Ok(task) => self.take(task, &mut jobs),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => is_open = false,
                }
            }
            self.run_group(jobs);
            self.lsm.maintain();
            if is_open {
                self.compact_some();
            }
        }
        self.lsm.close();
        for request in self.waiting {
            (request.answer)(Err(StoreError::Unavailable));
        }
    }

    fn take(&mut self, task: Task, jobs: &mut Vec<Job>) {
        match task {
            Task::Change(job) => jobs.push(job),
            Task::Compact(request) => self.waiting.push(request),
        }
    }

    /// Runs these changes in turn, syncs once (or more often if they write much), and only then answers.
    fn run_group(&mut self, jobs: Vec<Job>) {
        let mut free = reserve::free(&self.data);
        let mut group = Group::default();
        for job in jobs {
            self.run_one(job, free, &mut group);
            if group.bytes >= lsm::RECORD_BYTES {
                self.commit(std::mem::take(&mut group));
                free = reserve::free(&self.data);
            }
        }
        self.commit(group);
    }

    /// Runs one change and adds its writes to the group, if they fit into the free space. If the change panics, its caller
    /// finds the channel for the answer closed.
    fn run_one(&self, Job { purpose, run }: Job, free: u64, group: &mut Group) {
        let mut change = Change::over(std::mem::take(&mut group.writes), self.lsm.lsm().clone());
        // The panic hook has logged the place; nothing of the change is kept.
        let ran = catch_unwind(AssertUnwindSafe(|| run(&mut change)));
        let (erases, is_unpublished) = (change.erases(), change.is_unpublished());
        if ran.is_err() {
            for then in change.take_then() {
                then(false);
            }
        }
        let (writes, own) = change.into_parts();
        group.writes = writes;
        let Ok(ran) = ran else { return };
        let mut accepted = Ok(());
        if ran.keep && !own.is_empty() {
            let bytes = lsm::size(&own);
            let needed = purpose.reserve() + (group.bytes + bytes) as u64;
            accepted = self.check(free >= needed);
            if accepted.is_ok() {
                group.erases |= erases;
                group.bytes += bytes;
                group.add(own, is_unpublished);
            }
        }
        group.answers.push((ran.answer, accepted));
    }

    fn check(&self, has_room: bool) -> Result<(), StoreError> {
        match (self.lsm.is_writable().load(Ordering::Acquire), has_room) {
            (false, _) => Err(StoreError::Unavailable),
            (true, false) => Err(StoreError::Full),
            (true, true) => Ok(()),
        }
    }

    /// Writes a group and answers. If the sync fails, all of its changes fail, including read-only ones: they may
    /// have seen what the others wrote.
    fn commit(&mut self, mut group: Group) {
        let answers = std::mem::take(&mut group.answers);
        let written = if group.writes.is_empty() {
            Ok(())
        } else {
            let keys = group.writes.keys().cloned().collect::<Arc<[_]>>();
            let written = self.lsm.apply(group.writes);
            let Group {
                erases,
                unpublished,
                ..
            } = group;
            written.map(|()| self.changes.publish(keys, &unpublished, erases))
        };
        for (answer, accepted) in answers {
            answer(written.clone().and(accepted));
        }
    }

    /// Continues the running compaction, or starts the requested one. All requests share it.
    fn compact_some(&mut self) {
        let started = if self.lsm.is_compacting() || self.waiting.is_empty() {
            Ok(())
        } else {
            self.start_compaction()
        };
        let step = match started {
            Ok(()) => self.lsm.compact_step(),
            Err(error) => Some(Err(error)),
        };
        match step {
            None => {}
            Some(Ok(CompactionStep::Copied(pairs))) => {
                for request in &self.waiting {
                    (request.progress)(pairs);
                }
            }
            Some(ended) => {
                let outcome = ended.map(drop);
                for request in self.waiting.drain(..) {
                    (request.answer)(outcome.clone());
                }
            }
        }
    }

    fn start_compaction(&mut self) -> Result<(), StoreError> {
        let lsm = self.lsm.lsm();
        let mut omitted = Vec::new();
        for request in &self.waiting {
            for below in &request.omitted {
                let range = Range::below(below, None);
                let pairs = lsm.range(range.bounds(), usize::MAX)?;
                omitted.extend(pairs.into_iter().map(|(key, _)| key));
            }
        }
        self.lsm.start_compaction(omitted)
    }
}

/// The handle by which other threads reach the writer.
pub(super) struct Handle {
    thread: RwLock<Option<(Sender<Task>, JoinHandle<()>)>>,
    data: PathBuf,
}

impl Handle {
    pub fn start(lsm: lsm::Writer, changes: Arc<Changes>, data: &Path) -> std::io::Result<Self> {
        let (sender, receiver) = channel();
        let writer = Writer {
            lsm,
            changes,
            data: data.to_owned(),
            waiting: Vec::new(),
        };
        let thread = std::thread::Builder::new().name("store-writer".into());
        let thread = thread.spawn(move || writer.run(&receiver))?;
        Ok(Self {
            thread: RwLock::new(Some((sender, thread))),
            data: data.to_owned(),
        })
    }

    pub fn submit(&self, job: Job) -> Result<(), StoreError> {
        self.send(Task::Change(job))
    }

    pub fn compact(&self, request: CompactionRequest) -> Result<(), StoreError> {
        self.send(Task::Compact(request))
    }

    fn send(&self, task: Task) -> Result<(), StoreError> {
        let thread = self.thread.read().unwrap_or_else(PoisonError::into_inner);
        let (sender, _) = thread.as_ref().ok_or(StoreError::Unavailable)?;
        sender.send(task).map_err(|_| StoreError::Unavailable)
    }

    /// The data folder.
    pub fn folder(&self) -> &Path {
        &self.data
    }

    /// Whether there is space for an ordinary change.
    pub fn has_room(&self) -> bool {
        reserve::has_room_for(&self.data, 0)
    }

    /// Waits until the writer has finished the queued changes.
    pub fn close(&self) {
        let mut thread = self.thread.write().unwrap_or_else(PoisonError::into_inner);
        let Some((sender, running)) = thread.take() else {
            return;
        };
        drop((sender, thread));
        // A change may hold the last clone of the store, which is then dropped in the writer's own thread.
        if running.thread().id() != std::thread::current().id() && running.join().is_err() {
            tracing::error!("the store's writer panicked");
        }
    }
}

/// The folder's lock is released after this, so the next process to open the folder finds a closed store.
impl Drop for Handle {
    fn drop(&mut self) {
        self.close();
    }
}
