//! E-mails to the guardians of a deleted child once no file holds it any more.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::store::{self, Of};
use super::{Reason, Record};
use crate::identity::{Guardians, Notices, to_guardian};
use crate::kernel::host::language::Language;
use crate::kernel::host::texts::text;
use crate::kernel::host::zones::Day;
use crate::kernel::outgoing::mail::Draft;
use crate::kernel::outgoing::queue::{Composed, Composer, Item, Kind, Policy, Queue};
use crate::kernel::store::{Change, Purpose, StoreError};
use crate::retention::Retention;

/// The child's name is not in it, because nothing holds it any more.
#[skip_serializing_none]
#[derive(Clone, Serialize, Deserialize)]
pub(in crate::retention) struct Receipt {
    conversations: u64,
    reason: Reason,
    gone_on: Day,
    checked_on: Day,
    /// When rotation has removed the scheduled backups that may hold it.
    backups_until: Option<Day>,
}

/// Registers the e-mails, which are queued by guardian and child.
pub fn register_emails(queue: &Queue, guardians: &Guardians) -> Kind<Receipt> {
    queue.register(ChildDeleted {
        guardians: guardians.clone(),
    })
}

impl Retention {
    /// Queues the e-mails about deleted children that no file holds any more. Without a mail server the records wait for one.
    pub(super) async fn send_receipts(&self) -> Result<(), StoreError> {
        if !self.receipt_emails.sends_email() {
            return Ok(());
        }
        let mut checked = Vec::new();
        for place in store::all_records(&self.store, Of::Child)? {
            let record = store::record(&self.store, place)?;
            checked.extend(
                record
                    .filter(Record::is_not_found)
                    .map(|record| (place, record)),
            );
        }
        if checked.is_empty() {
            return Ok(());
        }
        let retention = self.clone();
        let queued = self.store.commit_for(Purpose::Essential, move |change| {
            for (place, record) in checked {
                let receipt = retention.receipt(&record);
                let about = place.child.number().to_string();
                for guardian in &record.guardians {
                    let item = Item::new(guardian.as_str(), &about, receipt.clone());
                    let what = format!("{about} was deleted");
                    let notices = &retention.dependencies.notices;
                    notices.notify(change, &retention.receipt_emails, &item, what)?;
                }
                store::remove_record(change, place)?;
            }
            Ok(())
        });
        queued.await
    }

    fn receipt(&self, record: &Record) -> Receipt {
        let now = self.clock.now();
        let zone = self.dependencies.times.default_zone();
        let day = |at| zone.day_of(at);
        Receipt {
            conversations: record.sessions,
            reason: record.reason,
            gone_on: day(record.gone_at.unwrap_or(now)),
            checked_on: day(record.check.map_or(now, |check| check.at)),
            backups_until: self.backups_until(record).map(day),
        }
    }
}

struct ChildDeleted {
    guardians: Guardians,
}

impl Composer for ChildDeleted {
    type Data = Receipt;

    fn policy(&self) -> Policy {
        Notices::policy("child-deleted")
    }

    fn compose(
        &self,
        change: &mut Change,
        item: Item<Self::Data>,
    ) -> Result<Option<Composed>, StoreError> {
        let Some(guardian) = Notices::recipient_of(&self.guardians, change, &item)? else {
            return Ok(None);
        };
        let email = to_guardian(&guardian, |language| draft(language, &item.data));
        Ok(Some(email.into()))
    }
}

fn draft(language: Language, receipt: &Receipt) -> Draft {
    let say = |key| text(language, key, &[]);
    let on = |key, day: Day| text(language, key, &[("day", day.in_words(language).into())]);
    let who = say(match receipt.reason {
        Reason::Guardian => "child-deleted-by-guardian",
        Reason::Administrator => "child-deleted-by-administrator",
        Reason::Retention => "child-deleted-by-retention",
    });
    let extent = [
        ("count", receipt.conversations.into()),
        ("number", receipt.conversations.to_string().into()),
        ("day", receipt.gone_on.in_words(language).into()),
    ];
    let extent = text(language, "child-deleted-extent", &extent);
    let mut checked = on("child-deleted-checked", receipt.checked_on);
    if let Some(until) = receipt.backups_until {
        checked = format!("{checked} {}", on("child-deleted-backups", until));
    }
    Draft::new(language, "child-deleted-subject")
        .strong(say("child-deleted-permanently"))
        .note(format!("{who} {extent}"))
        .note(checked)
        .note(say("child-deleted-copies"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::outgoing::mail::check_in_each_language;

    #[test]
    fn the_email_is_in_each_language() {
        let day = |text: &str| text.parse().unwrap();
        let receipt = Receipt {
            conversations: 12,
            reason: Reason::Guardian,
            gone_on: day("2026-11-01"),
            checked_on: day("2026-11-02"),
            backups_until: Some(day("2026-12-01")),
        };

        check_in_each_language("child-deleted", |language| draft(language, &receipt));
    }
}
