//! The one thread that writes.

mod handle;

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};

use tokio::sync::Notify;

use super::checkpoint::UnderWay;
use super::files::{self, Opened};
use super::journal::Journal;
use super::remembered::Written;
use super::rewrite::{self, Rewriting};
use super::runs::Runs;
use super::snapshot::Snapshots;
use super::{Change, Purpose, StoreError, Tree, journal, room, seal, weight};

pub(super) use handle::Handle;

/// The most changes that share one record of the journal.
pub(super) const GROUP: usize = 256;

/// A change to run. It answers whether to keep what it wrote, and whom to tell once that is on disk.
pub(super) struct Job {
    pub purpose: Purpose,
    pub run: Box<dyn FnOnce(&mut Change) -> Ran + Send>,
}

/// A change that has run and waits for the sync.
pub(super) struct Ran {
    pub keep: bool,
    pub answer: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

/// Whom to tell of a change, and whether it was taken into its group.
type Answer = (
    Box<dyn FnOnce(Result<(), StoreError>) + Send>,
    Result<(), StoreError>,
);

/// The changes that share one record of the journal, and with it one sync.
#[derive(Default)]
struct Group {
    /// What they write. Only later changes of the group see it before it is synced.
    writes: Writes,
    /// About how many bytes of keys and values that is.
    bytes: usize,
    answers: Vec<Answer>,
    /// Whether one of them asked to drop the answers that are stale by now.
    drops_stale_answers: bool,
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
    pub files: Arc<Opened>,
    pub journal: Journal,
    /// What is read.
    pub tree: Tree,
    pub snapshots: Snapshots,
    pub written: Arc<Written>,
    /// Hears of each checkpoint.
    pub checkpointed: Arc<Notify>,
    pub folder: PathBuf,
}

struct Writer {
    disk: Disk,
    writable: Arc<AtomicBool>,
    /// By how many bytes the store has grown, or shrunk, since its weight was noted.
    unnoted: i64,
    /// Rewritings that wait.
    asked: VecDeque<rewrite::Request>,
    rewriting: Option<(Rewriting, rewrite::Request)>,
    /// The last checkpoint, which may still be under way.
    checkpoint: Option<UnderWay>,
}

impl Writer {
    fn new(disk: Disk, writable: Arc<AtomicBool>) -> Self {
        Self {
            disk,
            writable,
            unnoted: 0,
            asked: VecDeque::new(),
            rewriting: None,
            checkpoint: None,
        }
    }

    fn run_to_the_end(mut self, receiver: &Receiver<Task>) {
        self.run(receiver);
        self.give_up_rewriting(StoreError::Unavailable);
        // On a full disk the journal keeps it. A second one brings what was written while the last was under way.
        for _ in 0..2 {
            self.end_checkpoint();
            if room::has_room_for_a_checkpoint(&self.disk.folder) {
                self.begin_checkpoint();
            }
        }
        self.end_checkpoint();
        self.note_weight();
        if !self.writable.load(Ordering::Acquire) {
            Arc::clone(&self.disk.files).abandon();
        }
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

    /// Runs each change in turn, syncs once, or more often when they write much, and only then answers.
    fn run_group(&mut self, jobs: Vec<Job>) {
        let mut free = room::free(&self.disk.folder);
        let mut group = Group::default();
        for job in jobs {
            self.run_one(job, free, &mut group);
            if group.bytes >= journal::MOST_AT_ONCE {
                self.commit(std::mem::take(&mut group));
                free = room::free(&self.disk.folder);
            }
        }
        self.commit(group);
        if self.disk.journal.is_long() && room::has_room_for_a_checkpoint(&self.disk.folder) {
            self.begin_checkpoint();
        }
    }

    /// Runs one change and takes what it wrote into the group, if it fits into so many bytes of free space. Whoever asked
    /// for one that panicked finds the answer's channel closed.
    fn run_one(&mut self, Job { purpose, run }: Job, free: u64, group: &mut Group) {
        let writes = std::mem::take(&mut group.writes);
        let mut change = Change::over(writes, self.disk.tree.clone());
        // The panic hook has told where; the writer lives on, and nothing of the change is kept.
        let ran = catch_unwind(AssertUnwindSafe(|| run(&mut change)));
        let keep = ran.as_ref().is_ok_and(|ran| ran.keep) && change.writes_anything();
        let needed = purpose.reserve() + group.bytes as u64 + change.size();
        let taken = match keep {
            true => self.check(&change, free >= needed),
            false => Ok(()),
        };
        let drops_stale_answers = change.drops_stale_answers();
        let (writes, own) = change.into_parts();
        group.writes = writes;
        if keep && taken.is_ok() {
            group.drops_stale_answers |= drops_stale_answers;
            let sizes = own
                .iter()
                .map(|(key, value)| key.len() + value.as_ref().map_or(0, Vec::len));
            group.bytes += sizes.sum::<usize>();
            group.writes.extend(own);
        }
        if let Ok(ran) = ran {
            group.answers.push((ran.answer, taken));
        }
    }

    /// Whether the store takes a change that writes, and counts by how much it grows.
    fn check(&mut self, change: &Change, has_room: bool) -> Result<(), StoreError> {
        if !self.writable.load(Ordering::Acquire) {
            return Err(StoreError::Unavailable);
        }
        if !has_room {
            return Err(StoreError::Full);
        }
        self.unnoted += change.growth().map_err(|error| self.fail(&error))?;
        Ok(())
    }

    /// Syncs a group, shows it to readers, and answers. If the sync fails, readers never see it, and all of its changes hear
    /// so, those too that only read: they may have seen what the others wrote.
    fn commit(&mut self, group: Group) {
        let synced = match group.writes.is_empty() {
            true => Ok(()),
            false => self.sync_and_publish(&group.writes),
        };
        if group.drops_stale_answers {
            self.disk.written.drop_stale();
        }
        for (answer, taken) in group.answers {
            answer(synced.clone().and(taken));
        }
    }

    fn sync_and_publish(&mut self, writes: &Writes) -> Result<(), StoreError> {
        if let Err(error) = self.disk.journal.write(writes) {
            self.fail(&error);
            return Err(StoreError::Unknown);
        }
        let keys = || writes.keys().map(Vec::as_slice);
        let tree = &self.disk.tree;
        let published = self
            .disk
            .snapshots
            .publishing(tree, keys(), || tree.write(writes));
        published.map_err(|error| self.fail(&error))?;
        self.disk.written.note(keys());
        if self.unnoted.unsigned_abs() > weight::MOST_UNNOTED {
            self.note_weight();
        }
        Ok(())
    }

    /// Goes on with the rewriting that was asked for first.
    fn rewrite_some(&mut self) {
        if self.rewriting.is_none()
            && let Some(request) = self.asked.pop_front()
        {
            match self.begin_rewriting() {
                Ok(rewriting) => self.rewriting = Some((rewriting, request)),
                Err(error) => (request.answer)(Err(error)),
            }
        }
        let Some((rewriting, request)) = &mut self.rewriting else {
            return;
        };
        if !room::has_room_for(&self.disk.folder, 0) {
            return self.give_up_rewriting(StoreError::Full);
        }
        match rewriting.step(&self.disk.tree) {
            Ok((copied, true)) => (request.progress)(copied),
            Ok((_, false)) => self.finish_rewriting(),
            Err(error) => self.give_up_rewriting(error),
        }
    }

    /// Begins a rewriting, if the disk has room for a whole copy.
    fn begin_rewriting(&self) -> Result<Rewriting, StoreError> {
        let folder = &self.disk.folder;
        match room::has_room_for(folder, weight::size_of_a_copy(folder)) {
            true => Rewriting::begin(&self.disk.files.path, &self.disk.tree),
            false => Err(StoreError::Full),
        }
    }

    /// Lets the copy take the place of the original and of the journal: it has all that can be read. That is a
    /// checkpoint.
    fn finish_rewriting(&mut self) {
        let Some((rewriting, request)) = self.rewriting.take() else {
            return;
        };
        self.end_checkpoint();
        if !self.writable.load(Ordering::Acquire) {
            self.rewriting = Some((rewriting, request));
            return self.give_up_rewriting(StoreError::Unavailable);
        }
        let folder = &self.disk.folder;
        let checkpoints = self.disk.journal.checkpoint() + 1;
        let followed = rewriting.follow(self.disk.tree.read().recent());
        let synced = followed.and_then(|()| rewriting.sync(checkpoints));
        let ready = synced.and_then(|()| {
            files::sync(folder)
                .and_then(|()| files::make_current(folder, &rewriting.into.path))
                .map_err(|error| StoreError::Unreadable(error.to_string().into()))
        });
        if let Err(error) = ready {
            self.rewriting = Some((rewriting, request));
            return self.give_up_rewriting(error);
        }
        // From here the new files count. Should that not be on the disk, the old ones must stay.
        let lasting = files::sync(folder)
            .and_then(|()| self.disk.journal.renew(checkpoints))
            .map_err(|error| self.fail(&error));
        let runs = Runs::of(&rewriting.into.tree);
        self.disk.tree.replace(runs.clone());
        let old = std::mem::replace(&mut self.disk.files, rewriting.into);
        if lasting.is_ok() {
            rewrite::retire(old);
            rewrite::let_go(rewriting.pass, runs);
            seal::note(folder, checkpoints);
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
        match &error {
            // sled is well, and the disk gets its room back only once nobody has the files open.
            StoreError::Full => rewrite::retire(rewriting.into),
            _ => {
                rewrite::remove(&rewriting.into);
                rewriting.into.abandon();
            }
        }
        (request.answer)(Err(error));
    }

    /// Lets what is in the journal be brought into sled's files, and goes on in its other file. While an earlier
    /// checkpoint is under way the journal grows, up to a point.
    fn begin_checkpoint(&mut self) {
        let is_under_way = |under_way: &UnderWay| !under_way.has_ended();
        if self.checkpoint.as_ref().is_some_and(is_under_way) && !self.disk.journal.is_full() {
            return;
        }
        self.end_checkpoint();
        if !self.writable.load(Ordering::Acquire) {
            return;
        }
        // What was leaving when the last process ended is on its way still.
        if self.disk.tree.read().leaving().is_empty() {
            if self.disk.journal.is_empty() {
                return;
            }
            self.follow();
            self.disk.tree.let_leave();
            if let Err(error) = self.disk.journal.go_on_in_the_other_file() {
                self.fail(&error);
                return;
            }
        }
        let number = self.disk.journal.checkpoint();
        match UnderWay::begin(&self.disk, number, &self.writable) {
            Ok(under_way) => self.checkpoint = Some(under_way),
            Err(error) => tracing::warn!(%error, "no thread for a checkpoint; it is tried again"),
        }
    }

    /// Waits for the checkpoint under way, if there is one.
    fn end_checkpoint(&mut self) {
        if let Some(under_way) = self.checkpoint.take()
            && !under_way.end()
        {
            self.fail(&"a checkpoint ended in a panic");
        }
    }

    /// Lets a rewriting follow what was written since the last checkpoint began.
    fn follow(&mut self) {
        let Some((rewriting, _)) = &self.rewriting else {
            return;
        };
        let followed = rewriting.follow(self.disk.tree.read().recent());
        if let Err(error) = followed {
            self.give_up_rewriting(error);
        }
    }

    /// Notes how much the store holds by now.
    fn note_weight(&mut self) {
        if self.unnoted != 0 {
            weight::add_to_note(&self.disk.folder, std::mem::take(&mut self.unnoted));
        }
    }

    fn fail(&self, error: &dyn std::fmt::Display) -> StoreError {
        fail(&self.writable, error)
    }
}

/// Remembers that the disk failed. There is no second try: after a failed fsync the kernel may have
/// dropped the very pages that were not written.
pub(super) fn fail(writable: &AtomicBool, error: &dyn std::fmt::Display) -> StoreError {
    writable.store(false, Ordering::Release);
    tracing::error!(%error, "the disk refused a write; nothing more is written until a restart");
    StoreError::Unavailable
}
