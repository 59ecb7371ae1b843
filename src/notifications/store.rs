//! The records of subscriptions.

use std::collections::BTreeSet;

use super::subscription::{Restored, Subscription};
use super::{arrivals, pending, push_devices, unsubscribe};
use crate::children;
use crate::identity::{
    GUARDIAN_RECORDS, GuardianId, Guardians, SIGN_IN_RECORDS, ended_sign_ins_in, guardians_in,
};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::zones::Day;
use crate::kernel::store::{Change, Key, Read, Record, RecordKind, StoreError, Table, Trigger};

/// By guardian.
const SUBSCRIPTION: Table = Table::new("subscription");
/// The day of the last weekly e-mail, by guardian.
const WEEKLY: Table = Table::new("weekly-sent");

/// Since when a guardian refuses the webhook. It is kept apart, because restoring a backup must not undo it.
const WEBHOOK_REFUSED: Table = Table::new("webhook-refused");

impl Record for Subscription {}
impl Record for Day {}

pub(super) const KINDS: [RecordKind; 10] = [
    RecordKind::of::<Timestamp>(WEBHOOK_REFUSED),
    RecordKind::of::<Subscription>(SUBSCRIPTION),
    RecordKind::of::<Day>(WEEKLY),
    pending::KINDS[0],
    pending::KINDS[1],
    unsubscribe::KIND,
    arrivals::KIND,
    push_devices::KINDS[0],
    push_devices::KINDS[1],
    push_devices::KINDS[2],
];

/// What guardians chose is restored, except for what [`end_what_was_granted`] ends.
pub(super) const NOT_RESTORED: [Table; 7] = [
    arrivals::NOT_RESTORED,
    WEEKLY,
    pending::NOT_RESTORED[0],
    pending::NOT_RESTORED[1],
    push_devices::NOT_RESTORED[0],
    push_devices::NOT_RESTORED[1],
    push_devices::NOT_RESTORED[2],
];

pub(super) const TRIGGERS: [Trigger; 3] = [
    Trigger {
        table: SIGN_IN_RECORDS,
        run: |change, keys| {
            for (guardian, sign_in) in ended_sign_ins_in(change, keys)? {
                push_devices::remove(change, &guardian, sign_in.as_str())?;
            }
            Ok(())
        },
    },
    Trigger {
        table: children::GUARDIANS,
        run: |change, keys| {
            for (child, guardian) in children::former_guardians_in(change, keys)? {
                let Some(mut subscription) = readable(change, &guardian)? else {
                    continue;
                };
                let chosen = subscription.at_once.children.as_mut();
                if chosen.is_some_and(|chosen| chosen.remove(&child)) {
                    put(change, &guardian, &subscription)?;
                }
            }
            Ok(())
        },
    },
    Trigger {
        table: GUARDIAN_RECORDS,
        run: |change, keys| {
            for id in guardians_in(keys) {
                follow(change, &id)?;
            }
            Ok(())
        },
    },
];

/// Removes what is kept of a removed guardian. Of one who was signed out everywhere since, ends what required a step-up.
fn follow(change: &mut Change, id: &GuardianId) -> Result<(), StoreError> {
    if !Guardians::is_there(change, id)? {
        for key in [key(id), weekly_key(id), refused_key(id)] {
            change.remove(&key)?;
        }
        arrivals::forget_all(change, id)?;
        push_devices::remove_all(change, id)?;
        return pending::forget(change, id);
    }
    let guardian = Guardians::find_readable(change, id)?;
    let subscription = readable(change, id)?;
    if let Some((guardian, mut subscription)) = guardian.zip(subscription)
        && guardian.sign_out_count != subscription.sign_out_count
        && subscription.end_step_ups()
    {
        subscription.sign_out_count = guardian.sign_out_count;
        put(change, id, &subscription)?;
    }
    Ok(())
}

fn key(guardian: &GuardianId) -> Key {
    SUBSCRIPTION.key().text(guardian.as_str())
}

fn weekly_key(guardian: &GuardianId) -> Key {
    WEEKLY.key().text(guardian.as_str())
}

fn refused_key(guardian: &GuardianId) -> Key {
    WEBHOOK_REFUSED.key().text(guardian.as_str())
}

/// Also `true` if the record cannot be read.
pub(super) fn refuses_webhook(view: &impl Read, guardian: &GuardianId) -> Result<bool, StoreError> {
    view.contains(&refused_key(guardian))
}

pub(super) fn put_webhook_refused(
    change: &mut Change,
    guardian: &GuardianId,
    since: Option<Timestamp>,
) -> Result<(), StoreError> {
    let key = refused_key(guardian);
    match since {
        Some(_) if change.contains(&key)? => Ok(()),
        Some(since) => change.put(&key, &since),
        None => change.remove(&key).map(drop),
    }
}

/// `None` if the guardian has chosen nothing.
pub(super) fn subscription(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Option<Subscription>, StoreError> {
    view.get(&key(guardian))
}

/// `None` also if it is unreadable.
pub(super) fn readable(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Option<Subscription>, StoreError> {
    view.get_readable(&key(guardian))
}

/// Those who have chosen something.
pub(super) fn subscribers(view: &impl Read) -> Result<BTreeSet<GuardianId>, StoreError> {
    let ids = view.texts_below(&SUBSCRIPTION.key())?;
    Ok(ids.iter().map(|id| GuardianId::from_text(id)).collect())
}

pub(super) fn put(
    change: &mut Change,
    guardian: &GuardianId,
    subscription: &Subscription,
) -> Result<(), StoreError> {
    change.put(&key(guardian), subscription)
}

/// If it is unreadable, none was sent.
pub(super) fn last_weekly(
    view: &impl Read,
    guardian: &GuardianId,
) -> Result<Option<Day>, StoreError> {
    view.get_readable(&weekly_key(guardian))
}

pub(super) fn put_last_weekly(
    change: &mut Change,
    guardian: &GuardianId,
    day: Day,
) -> Result<(), StoreError> {
    change.put(&weekly_key(guardian), &day)
}

/// Called after a backup was restored: switches off quotes and topics in e-mails, and notifications. Guardians are asked whether
/// they want them again. Unreadable subscriptions are removed.
pub fn end_what_was_granted(change: &mut Change, now: Timestamp) -> Result<(), StoreError> {
    for guardian in subscribers(change)? {
        let Some(mut subscription) = readable(change, &guardian)? else {
            change.remove(&key(&guardian))?;
            continue;
        };
        subscription.restored = Some(Restored {
            at: now,
            quotes: subscription.quotes_since.is_some(),
            notifications: subscription.topic.is_some(),
        });
        subscription.end_step_ups();
        put(change, &guardian, &subscription)?;
    }
    Ok(())
}
