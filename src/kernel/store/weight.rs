//! Keeping sled's files in proportion to what they hold.
//!
//! What is replaced or removed leaves a gap in sled's file, and not every gap is filled again: under half an hour of
//! corrections and kills 9 MB of data came to lie in 115 MB. So the files are weighed after a checkpoint, and written anew
//! when they are too large. To weigh is to read everything, which takes seconds and fills sled's cache for good. So the
//! writer counts along in a note beside the store, and everything is read only when by that count the files are too large.
//! A crash loses a little of the count; the weighing sets it right.

use std::fs;
use std::path::Path;

use super::pass::Pass;
use super::{Range, Read, Store, StoreError, files};

/// Files smaller than this, in bytes, are left as they are.
const SMALL: u64 = 16 * 1024 * 1024;

/// How many pairs are read at once.
const STEP: usize = 512;

const NOTE: &str = "store.weight";

/// How far the count may be ahead of the note, in bytes.
pub(super) const MOST_UNNOTED: u64 = 1024 * 1024;

/// Whether files of this size are too large for what they hold. Right after a rewriting they have 1.2 to 1.4 times
/// the size of the keys and values, and while one is under way there are both.
fn is_too_large(size: u64, held: u64) -> bool {
    size > SMALL && size / 2 > held
}

impl Store {
    /// Writes the store anew if its files are more than twice as large as what they hold; whether
    /// they were. Reading and writing go on.
    ///
    /// # Errors
    ///
    /// The store's; it stays as it was then.
    pub async fn keep_small(&self) -> Result<bool, StoreError> {
        let store = self.clone();
        let weighed = tokio::task::spawn_blocking(move || store.weigh_if_grown());
        let weighed = weighed.await.map_err(|_| StoreError::Unavailable)?;
        let Some(held) = weighed? else {
            return Ok(false);
        };
        let before = self.0.writer.size_of_files();
        self.rewrite(|_| {}).await?;
        let after = self.0.writer.size_of_files();
        tracing::info!(
            before,
            after,
            "the store was written anew, as its files had grown"
        );
        // Should they still be large, they are so by nature, and it must not begin again before they have grown by a fifth.
        note(self.0.writer.folder(), held.max(after / 5 * 3));
        Ok(true)
    }

    /// Waits until the files may have grown: until the next checkpoint, or the last if nobody waited for it.
    pub async fn may_have_grown(&self) {
        self.0.checkpointed.notified().await;
    }

    /// How many bytes the files hold, when they are too large for that.
    fn weigh_if_grown(&self) -> Result<Option<u64>, StoreError> {
        let size = self.0.writer.size_of_files();
        if !is_too_large(size, noted(self.0.writer.folder())) {
            return Ok(None);
        }
        let mut held = 0;
        let mut last: Option<sled::IVec> = None;
        let mut pass = Pass::default();
        loop {
            let pairs = self.stored_range(Range::behind(last.as_deref()), STEP)?;
            let Some((key, _)) = pairs.back() else { break };
            last = Some(key.clone());
            let kept = self.0.tree.read().kept().clone();
            pass.met(pairs.iter().map(|(key, _)| key.as_ref()), &kept)?;
            held += pairs
                .iter()
                .map(|(key, value)| (key.len() + value.len()) as u64)
                .sum::<u64>();
        }
        let kept = self.0.tree.read().kept().clone();
        pass.end(&kept)?;
        note(self.0.writer.folder(), held);
        Ok(is_too_large(size, held).then_some(held))
    }
}

/// How large a copy of the store becomes, in bytes, as far as one knows: [1.4 times](is_too_large) what it holds, and
/// hardly more than its files have.
pub(super) fn size_of_a_copy(folder: &Path) -> u64 {
    match noted(folder) {
        0 => size_of_files(folder),
        held => (held / 5 * 7).min(size_of_files(folder)),
    }
}

/// Adds to what is noted.
pub(super) fn add_to_note(folder: &Path, growth: i64) {
    note(folder, noted(folder).saturating_add_signed(growth));
}

fn noted(folder: &Path) -> u64 {
    let text = fs::read_to_string(folder.join(NOTE)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// Notes it. A note that is lost costs but another weighing.
fn note(folder: &Path, held: u64) {
    if let Err(error) = fs::write(folder.join(NOTE), held.to_string()) {
        tracing::debug!(%error, "the store's weight could not be noted");
    }
}

/// The size of the files that count, in bytes; zero when nobody knows.
pub(super) fn size_of_files(folder: &Path) -> u64 {
    let database = files::current(folder).map(|path| path.join("db"));
    let metadata = database.and_then(|path| path.metadata());
    metadata.map_or(0, |metadata| metadata.len())
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::kernel::store::Table;

    const THING: Table = Table::new("thing");

    /// Two thousand long records, of which a tenth is left.
    async fn write_and_remove(store: &Store) {
        for first in (0..2_000).step_by(200) {
            let written = store.commit(move |change| {
                for number in first..first + 200 {
                    let text = format!("\"{number} {}\"", "long ".repeat(2_000));
                    change.put_json(&THING.key().number(number), 1, text.as_bytes())?;
                }
                Ok::<_, StoreError>(())
            });
            written.await.unwrap().unwrap();
        }
        let removed = store.commit(|change| {
            for number in 200..2_000 {
                change.remove(&THING.key().number(number))?;
            }
            Ok::<_, StoreError>(())
        });
        removed.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn files_that_have_grown_beyond_what_they_hold_are_written_anew() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path(), false).unwrap();
        assert!(!store.keep_small().await.unwrap(), "small ones are left");
        write_and_remove(&store).await;
        let large = store.0.writer.size_of_files();
        assert!(large > SMALL);

        assert!(store.keep_small().await.unwrap());

        assert!(store.0.writer.size_of_files() < large / 2);
        let held = store.scan(&THING.key(), None, usize::MAX).unwrap();
        assert_eq!(held.len(), 200);
        assert!(!store.keep_small().await.unwrap(), "once is enough");
    }

    #[tokio::test]
    async fn the_writer_keeps_count() {
        let folder = TempDir::new().unwrap();
        let store = Store::open(folder.path(), false).unwrap();
        for text in ["\"short\"", "\"and rather longer\"", "\"less\""] {
            let written = store.commit(move |change| {
                change.put_json(&THING.key().number(1), 1, text.as_bytes())?;
                change.put_json(&THING.key().number(2), 1, text.as_bytes())?;
                change.remove(&THING.key().number(1))
            });
            written.await.unwrap().unwrap();
        }

        store.close();

        let held = noted(folder.path());
        let things = Range::below(&THING.key(), None);
        let things = store.stored_range(things, usize::MAX).unwrap();
        let sizes = things
            .iter()
            .map(|(key, value)| (key.len() + value.len()) as u64);
        assert_eq!(held, sizes.sum::<u64>());
    }

    #[test]
    fn only_what_is_large_and_mostly_empty_is_too_large() {
        let megabytes = |number: u64| number * 1024 * 1024;

        assert!(!is_too_large(megabytes(16), 0));
        assert!(is_too_large(megabytes(40), megabytes(15)));
        assert!(!is_too_large(megabytes(610), megabytes(378)));
    }
}
