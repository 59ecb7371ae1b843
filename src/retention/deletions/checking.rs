//! Searches the store's files for what was deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::store::{self, DeletionKey, Of, UncheckedDeletion};
use super::{Check, Outcome, RECORDS_KEPT};
use crate::children::SessionId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::due::DueBy;
use crate::kernel::store::{
    Change, KeyPlace, Purpose, Read, RecordKind, RequiredUpTo, Sought, StoreError, Trace, readable,
};
use crate::retention::Retention;
use crate::retention::store::all_erasing;

/// The number of sessions that are looked for in one pass over the files: some 2 MB.
const SESSIONS_AT_ONCE: usize = 20_000;

/// If some file could not be searched, the time until it is tried again, at the earliest.
const AGAIN: Duration = Duration::from_secs(2 * 60 * 60);

/// What to do about deletions of which some file could not be searched before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsearched {
    Again,
    Later,
}

impl Retention {
    /// Determines which deletions a compaction that begins now completes. Called before a compaction.
    pub async fn seal_deletions(&self) -> Result<(), StoreError> {
        let mut open = Vec::new();
        for place in all_pending(&self.store)? {
            let pending = store::pending(&self.store, place)?;
            if pending.is_some_and(|pending| pending.waits_for.is_none()) {
                open.push(place);
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let retention = self.clone();
        let sealed = self.store.commit_for(Purpose::Essential, move |change| {
            let erasing = all_erasing(change)?;
            let erasing = erasing.into_iter().map(|(session, _)| session).collect();
            for place in open {
                if retention.is_erased(change, place, &erasing)? {
                    retention.seal(change, place)?;
                }
            }
            Ok(())
        });
        sealed.await
    }

    /// Whether nothing of it is left in the store itself.
    fn is_erased(
        &self,
        change: &Change,
        place: DeletionKey,
        erasing: &BTreeSet<SessionId>,
    ) -> Result<bool, StoreError> {
        let children = &self.dependencies.children;
        if place.of == Of::Child && children.is_being_erased(change, place.child)? {
            return Ok(false);
        }
        Ok(match readable(store::sessions(change, place))? {
            Some(sessions) => sessions.iter().all(|session| !erasing.contains(session)),
            None => erasing.is_empty(),
        })
    }

    fn seal(&self, change: &mut Change, place: DeletionKey) -> Result<(), StoreError> {
        let waits_for = Some(RequiredUpTo::now(change)?);
        if let Some(mut record) = store::record(change, place)? {
            record.erased_at.get_or_insert(self.clock.now());
            store::put_record(change, place, &record)?;
        }
        store::put_pending(change, place, &UncheckedDeletion { waits_for })
    }

    /// Searches the files for the deletions whose compaction has ended.
    pub async fn check_deletions(&self, unsearched: Unsearched) -> Result<(), StoreError> {
        let mut all = Vec::new();
        for place in all_pending(&self.store)? {
            all.extend(self.wanted(place, unsearched)?);
        }
        if !all.is_empty() {
            self.record_gone(&all).await?;
            let checked = self.search(&all).await;
            self.record_outcomes(all, checked).await?;
        }
        self.send_receipts().await
    }

    /// What to look for now; `None` if the record's turn hasn't come.
    fn wanted(
        &self,
        place: DeletionKey,
        unsearched: Unsearched,
    ) -> Result<Option<Wanted>, StoreError> {
        let pending = store::pending(&self.store, place)?;
        let Some(waits_for) = pending.and_then(|pending| pending.waits_for) else {
            return Ok(None);
        };
        if !waits_for.is_done(&self.store)? {
            return Ok(None);
        }
        let record = store::record(&self.store, place)?;
        let check = record.and_then(|record| record.check);
        let is_due = check.is_none_or(|check| match check.outcome {
            Outcome::NotChecked => {
                unsearched == Unsearched::Again && self.clock.now().since(check.at) >= AGAIN
            }
            Outcome::Found | Outcome::NotFound => true,
        });
        if !is_due {
            return Ok(None);
        }
        let sessions = readable(store::sessions(&self.store, place))?;
        Ok(Some(Wanted {
            place,
            waits_for,
            sessions,
        }))
    }

    /// Where a child's number is in keys: first, in every table of a feature, unless a session's number comes first. A key that
    /// begins with anything else is never taken for a child's: a number is one in eight bytes, of which the first are zero.
    pub fn places_of_children(&self) -> Vec<KeyPlace> {
        let of_sessions = self.places_of_sessions().into_iter();
        let of_sessions = of_sessions.filter(KeyPlace::is_first);
        let others = of_sessions
            .map(|place| place.table())
            .chain(store::OF_DELETED_CHILDREN)
            .collect::<Vec<_>>();
        let kinds = self.features.iter().flat_map(|feature| feature.kinds);
        let tables = kinds.map(RecordKind::table);
        let tables = tables.filter(|table| !others.contains(table));
        tables.map(KeyPlace::first).collect()
    }

    /// Where a session's number is in keys.
    pub fn places_of_sessions(&self) -> Vec<KeyPlace> {
        self.of_session()
            .flat_map(|feature| feature.keys)
            .copied()
            .collect()
    }

    /// Searches the files, in as many passes as the number of sessions needs.
    async fn search(&self, all: &[Wanted]) -> Checked {
        let mut checked = Checked::default();
        let mut pass = Pass::default();
        for (index, wanted) in all.iter().enumerate() {
            // What can't be read can't be looked for.
            let least = wanted.sessions.as_ref().map(|_| Outcome::NotFound);
            checked.outcomes.push(least.unwrap_or(Outcome::NotChecked));
            if wanted.place.of == Of::Child {
                pass.children.push((wanted.place.child.number(), index));
            }
            for session in wanted.sessions.iter().flatten() {
                pass.sessions.push((session.number(), index));
                if pass.sessions.len() >= SESSIONS_AT_ONCE {
                    self.run_pass(std::mem::take(&mut pass), &mut checked).await;
                }
            }
        }
        if !pass.children.is_empty() || !pass.sessions.is_empty() {
            self.run_pass(pass, &mut checked).await;
        }
        checked
    }

    async fn run_pass(&self, pass: Pass, checked: &mut Checked) {
        let backups = self.dependencies.backups.clone();
        // Scheduled backups are removed by rotation, and reported by themselves.
        let is_left_out = move |path: &Path| {
            let backups = backups.as_ref();
            backups.is_some_and(|backups| backups.is_one(path))
        };
        let sought = |places, of: &[(u64, usize)]| Sought {
            places,
            numbers: of.iter().map(|(number, _)| *number).collect(),
        };
        let all = vec![
            sought(self.places_of_sessions(), &pass.sessions),
            sought(self.places_of_children(), &pass.children),
        ];
        let searched = self.store.search_files(all, is_left_out).await;
        let owners = pass.sessions.into_iter().chain(pass.children);
        let traces = searched.traces.into_iter().flatten();
        for ((_, index), trace) in owners.zip(traces) {
            let outcome = match trace {
                Trace::NotFound => Outcome::NotFound,
                Trace::NotChecked => Outcome::NotChecked,
                Trace::Found => Outcome::Found,
            };
            checked.outcomes[index] = checked.outcomes[index].max(outcome);
        }
        checked.found_in.extend(searched.found_in);
        checked.not_checked.extend(searched.not_checked);
    }

    async fn record_gone(&self, all: &[Wanted]) -> Result<(), StoreError> {
        let now = self.clock.now();
        let places = all.iter().map(|wanted| (wanted.place, wanted.waits_for));
        let places = places.collect::<Vec<_>>();
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            for (place, waits_for) in places {
                if still_waits(change, place, waits_for)?
                    && let Some(mut record) = store::record(change, place)?
                {
                    record.gone_at.get_or_insert(now);
                    store::put_record(change, place, &record)?;
                }
            }
            Ok::<_, StoreError>(())
        });
        noted.await
    }

    async fn record_outcomes(&self, all: Vec<Wanted>, checked: Checked) -> Result<(), StoreError> {
        let now = self.clock.now();
        let Checked {
            outcomes,
            found_in,
            not_checked,
        } = checked;
        let noted = self.store.commit_for(Purpose::Essential, move |change| {
            let mut news = BTreeSet::new();
            for (wanted, outcome) in all.into_iter().zip(outcomes) {
                if still_waits(change, wanted.place, wanted.waits_for)?
                    && record_outcome(change, wanted.place, outcome, now)?
                {
                    news.insert(outcome);
                }
            }
            Ok::<_, StoreError>(news)
        });
        let news = noted.await?;
        if news.contains(&Outcome::Found) {
            let files = found_in;
            tracing::error!(
                ?files,
                "deleted conversations are still in a file of the data folder; it is tried again tonight"
            );
        }
        if news.contains(&Outcome::NotChecked) {
            let files = not_checked;
            tracing::warn!(
                ?files,
                "not every file of the data folder could be searched for deleted conversations; it is tried again tonight"
            );
        }
        Ok(())
    }

    /// Removes records that are old enough.
    pub async fn remove_old_deletions(&self, due: DueBy) -> Result<(), StoreError> {
        let mut old = Vec::new();
        for of in [Of::Sessions, Of::Child] {
            let places = store::all_records(&self.store, of)?;
            old.extend(
                places
                    .into_iter()
                    .filter(|place| due.has_passed(place.at, RECORDS_KEPT)),
            );
        }
        if old.is_empty() {
            return Ok(());
        }
        let removed = self.store.commit_for(Purpose::Essential, move |change| {
            for place in old {
                store::remove_record(change, place)?;
                store::remove_pending(change, place)?;
            }
            Ok(())
        });
        removed.await
    }
}

fn all_pending(view: &impl Read) -> Result<Vec<DeletionKey>, StoreError> {
    let sessions = store::all_pending(view, Of::Sessions)?;
    let children = store::all_pending(view, Of::Child)?;
    Ok([sessions, children].concat())
}

/// What to look for.
struct Wanted {
    place: DeletionKey,
    /// The compactions that have ended.
    waits_for: RequiredUpTo,
    /// `None` if they cannot be read.
    sessions: Option<Vec<SessionId>>,
}

/// What one pass over the files looks for: numbers, each with the index of what it is wanted for.
#[derive(Default)]
struct Pass {
    sessions: Vec<(u64, usize)>,
    children: Vec<(u64, usize)>,
}

/// What all passes showed.
#[derive(Default)]
struct Checked {
    /// For each of what was wanted.
    outcomes: Vec<Outcome>,
    found_in: BTreeSet<PathBuf>,
    not_checked: BTreeMap<PathBuf, String>,
}

/// Whether no session was added to the record since, and its child was not deleted.
fn still_waits(
    view: &impl Read,
    place: DeletionKey,
    waits_for: RequiredUpTo,
) -> Result<bool, StoreError> {
    let pending = store::pending(view, place)?;
    Ok(pending.is_some_and(|pending| pending.waits_for == Some(waits_for)))
}

/// Returns whether the outcome differs from the one before.
fn record_outcome(
    change: &mut Change,
    place: DeletionKey,
    outcome: Outcome,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let record = store::record(change, place)?;
    let before = record.as_ref().and_then(|record| record.check);
    if let Some(mut record) = record {
        record.check = Some(Check { at, outcome });
        if outcome == Outcome::Found {
            record.gone_at = None;
        }
        store::put_record(change, place, &record)?;
    }
    match outcome {
        Outcome::NotFound => store::remove_pending(change, place)?,
        Outcome::Found => {
            change.require_compaction_at_night()?;
            let waits_for = Some(RequiredUpTo::now(change)?);
            store::put_pending(change, place, &UncheckedDeletion { waits_for })?;
        }
        Outcome::NotChecked => {}
    }
    Ok(before.is_none_or(|before| before.outcome != outcome))
}
