//! Deletion records, as guardians see them.

use super::{Outcome, Reason, Record, store};
use crate::children::ChildAccess;
use crate::children::history::Author;
use crate::identity::SignedIn;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::Day;
use crate::kernel::store::Cursor;
use crate::retention::{Retention, RetentionError};

/// What was deleted permanently in one run. Days are in the child's time zone.
#[derive(Debug)]
pub struct Deletion {
    pub sessions: u64,
    pub messages: u64,
    /// The days of the first and the last conversation; `None` if unknown.
    pub days: Option<(Day, Day)>,
    pub reason: Reason,
    /// The guardian who asked for it; `None` if they are no longer a guardian, or if no guardian asked.
    pub by: Option<Author>,
    pub asked_at: Timestamp,
    /// When the permanent deletion began.
    pub deleted_on: Day,
    /// When it was gone from the store's files; `None` before, and while a part was found.
    pub gone_on: Option<Day>,
    pub check: Option<(Outcome, Day)>,
    /// When rotation has removed the last scheduled backup that may hold it; `None` without such backups.
    pub backups_until: Option<Day>,
}

#[derive(Debug)]
pub struct DeletionPage {
    /// Newest first.
    pub deletions: Vec<Deletion>,
    /// The cursor of the next page; `None` on the last one.
    pub next: Option<String>,
    /// The number of unreadable records that are missing from the page.
    pub unreadable: u64,
}

impl Retention {
    /// Returns a page of the child's deletion records, newest first. Fails with [`RetentionError::Cursor`] for an invalid cursor.
    pub fn list_deletions(
        &self,
        access: &ChildAccess,
        reader: &SignedIn,
        before: Option<&str>,
        limit: usize,
    ) -> Result<DeletionPage, RetentionError> {
        let before = before.map(Cursor::parse).transpose()?;
        let rows = store::page(&self.store, access.child(), before.as_ref(), limit)?;
        let zone = self.dependencies.times.zone_of(access)?;
        let day = |at| zone.day_of(at);
        let mut deletions = Vec::with_capacity(rows.rows.len());
        for row in &rows.rows {
            let record = row.record::<Record>()?;
            let by = match &record.by {
                Some(by) => self
                    .dependencies
                    .history
                    .author(&self.store, access, reader, by)?,
                None => None,
            };
            deletions.push(Deletion {
                sessions: record.sessions,
                messages: record.messages,
                days: record
                    .first
                    .zip(record.last)
                    .map(|(first, last)| (day(first), day(last))),
                reason: record.reason,
                by,
                asked_at: record.asked_at,
                deleted_on: day(record.began_at),
                gone_on: record.gone_at.map(day),
                check: record.check.map(|check| (check.outcome, day(check.at))),
                backups_until: self.backups_until(&record).map(day),
            });
        }
        Ok(DeletionPage {
            deletions,
            next: rows.next(),
            unreadable: rows.unreadable,
        })
    }

    /// When rotation has removed the last scheduled backup that may hold what the record is about, unless that was before now.
    pub(super) fn backups_until(&self, record: &Record) -> Option<Timestamp> {
        let backups = self.dependencies.backups.as_ref()?;
        let now = self.clock.now();
        let until = backups.gone_after(record.erased_at.unwrap_or(now));
        (now < until).then_some(until)
    }
}
