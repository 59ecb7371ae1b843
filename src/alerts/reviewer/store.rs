//! The reviewer's records. None of them has words of a conversation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::figures::ModelFigures;
use super::reviewed::Reviewed;
use crate::children::agreements::Agreement;
use crate::children::{ChildId, SessionId};
use crate::identity::GuardianId;
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table, readable,
};

/// By child.
const CONSENT: Table = Table::new("reviewer-consent");
/// By child, while alerts of being hurt at home are on.
const AT_HOME: Table = Table::new("reviewer-at-home");
/// Sessions with messages that were not reviewed, by child and session.
const QUEUE: Table = Table::new("reviewer-queue");
/// How much of a session was reviewed, by child and session.
const REVIEWED: Table = Table::new("reviewer-reviewed");
/// By child.
const SPENT: Table = Table::new("reviewer-spent");
/// By child.
const NOT_REVIEWED: Table = Table::new("reviewer-not-reviewed");
/// By model and host.
const FIGURES: Table = Table::new("reviewer-figures");

/// The guardians' consent to a model at a host.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    pub by: GuardianId,
    pub at: Timestamp,
    pub model: String,
    pub host: String,
    /// The server's whole address.
    pub url: String,
    /// When the administrator gave the server this address.
    pub server_added_at: Timestamp,
    pub agreement: Agreement,
    /// When it was switched on, or the last guardian agreed. Earlier messages aren't sent.
    pub since: Timestamp,
    /// How often the guardian had signed out everywhere.
    pub sign_out_count: u32,
    /// Since when it no longer counts, because the model or its host changed.
    pub ended_at: Option<Timestamp>,
}

/// The guardian who asked for alerts of being hurt at home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtHome {
    pub by: GuardianId,
    pub at: Timestamp,
}

/// A session that waits for a review.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// When it was first looked at since its last review.
    pub seen_at: Option<Timestamp>,
    /// Since when it could have been reviewed.
    pub due_since: Option<Timestamp>,
    /// Before this time it isn't tried again.
    pub not_before: Option<Timestamp>,
    /// How often a review failed, one after another.
    #[serde(default)]
    pub failures: u32,
}

/// The tokens used for a child on a day, counted from 1970.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub day: i64,
    pub tokens: u64,
}

pub const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// The day in UTC, counted from 1970.
pub fn day_of(moment: Timestamp) -> i64 {
    moment.micros().div_euclid(DAY_MICROS)
}

/// The number of conversations that were not reviewed, by day, counted from 1970.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotReviewed {
    pub by_day: BTreeMap<i64, u64>,
}

impl Record for Consent {}
impl Record for AtHome {}
impl Record for Queued {}
impl Record for Reviewed {}
impl Record for Spent {}
impl Record for NotReviewed {}
impl Record for ModelFigures {}

pub(super) const KINDS: [RecordKind; 7] = [
    RecordKind::of::<Consent>(CONSENT),
    RecordKind::of::<AtHome>(AT_HOME),
    RecordKind::of::<Queued>(QUEUE),
    RecordKind::of::<Reviewed>(REVIEWED),
    RecordKind::of::<Spent>(SPENT),
    RecordKind::of::<NotReviewed>(NOT_REVIEWED),
    RecordKind::of::<ModelFigures>(FIGURES),
];

pub(super) const KEYS: [KeyPlace; 2] = [
    KeyPlace::after(QUEUE, &[Before::Number]),
    KeyPlace::after(REVIEWED, &[Before::Number]),
];

/// What a backup holds may have been withdrawn since, or belong to another server.
pub(super) const NOT_RESTORED: [Table; 3] = [CONSENT, AT_HOME, QUEUE];

/// What all guardians of a child see.
pub(super) const SHARED: [Table; 3] = [CONSENT, AT_HOME, NOT_REVIEWED];

fn consent_key(child: ChildId) -> Key {
    CONSENT.key().number(child.number())
}

fn at_home_key(child: ChildId) -> Key {
    AT_HOME.key().number(child.number())
}

fn queue_of(child: ChildId) -> Key {
    QUEUE.key().number(child.number())
}

fn queue_key(child: ChildId, session: SessionId) -> Key {
    queue_of(child).number(session.number())
}

fn reviewed_of(child: ChildId) -> Key {
    REVIEWED.key().number(child.number())
}

fn reviewed_key(child: ChildId, session: SessionId) -> Key {
    reviewed_of(child).number(session.number())
}

fn spent_key(child: ChildId) -> Key {
    SPENT.key().number(child.number())
}

fn not_reviewed_key(child: ChildId) -> Key {
    NOT_REVIEWED.key().number(child.number())
}

fn figures_key(model: &str, host: &str) -> Key {
    FIGURES.key().text(model).text(host)
}

/// Also one that has ended.
pub fn consent(view: &impl Read, child: ChildId) -> Result<Option<Consent>, StoreError> {
    view.get(&consent_key(child))
}

pub fn put_consent(
    change: &mut Change,
    child: ChildId,
    consent: &Consent,
) -> Result<(), StoreError> {
    change.put(&consent_key(child), consent)
}

/// Also an unreadable one. What waits for a review is dropped.
pub fn remove_consent(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    clear_queue(change, child)?;
    change.remove(&consent_key(child))
}

/// How many of a child's conversations wait for a review.
pub fn count_queued(view: &impl Read, child: ChildId) -> Result<u64, StoreError> {
    Ok(view.keys_below(&queue_of(child), usize::MAX)?.len() as u64)
}

pub fn clear_queue(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    while change.remove_some_below(&queue_of(child))? > 0 {}
    Ok(())
}

/// The children with a consent, also an unreadable one.
pub fn children_with_consent(view: &impl Read) -> Result<Vec<ChildId>, StoreError> {
    let all = CONSENT.key();
    let keys = view.keys_below(&all, usize::MAX)?;
    let numbers = keys
        .iter()
        .filter_map(|key| key.components_below(&all).number());
    Ok(numbers.map(ChildId::new).collect())
}

pub fn at_home(view: &impl Read, child: ChildId) -> Result<Option<AtHome>, StoreError> {
    view.get(&at_home_key(child))
}

pub fn put_at_home(
    change: &mut Change,
    child: ChildId,
    at_home: Option<&AtHome>,
) -> Result<(), StoreError> {
    match at_home {
        Some(at_home) => change.put(&at_home_key(child), at_home),
        None => change.remove(&at_home_key(child)).map(drop),
    }
}

/// Also an unreadable one, or one that has ended.
pub fn has_consent(view: &impl Read, child: ChildId) -> Result<bool, StoreError> {
    view.contains(&consent_key(child))
}

/// Does nothing if it is in the queue, or the child has no consent.
pub fn enqueue(change: &mut Change, child: ChildId, session: SessionId) -> Result<(), StoreError> {
    let key = queue_key(child, session);
    if has_consent(change, child)? && !change.contains(&key)? {
        change.put(&key, &Queued::default())?;
    }
    Ok(())
}

/// The queue. An unreadable row counts as new.
pub fn queue(view: &impl Read) -> Result<Vec<(ChildId, SessionId, Queued)>, StoreError> {
    let all = QUEUE.key();
    let mut queue = Vec::new();
    for key in view.keys_below(&all, usize::MAX)? {
        let mut components = key.components_below(&all);
        if let (Some(child), Some(session)) = (components.number(), components.number()) {
            let queued = view.get_readable::<Queued>(&key)?.unwrap_or_default();
            queue.push((ChildId::new(child), SessionId::new(session), queued));
        }
    }
    Ok(queue)
}

/// An unreadable row counts as new.
pub fn queued(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Option<Queued>, StoreError> {
    let key = queue_key(child, session);
    if !view.contains(&key)? {
        return Ok(None);
    }
    Ok(Some(view.get_readable(&key)?.unwrap_or_default()))
}

pub fn put_queued(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    queued: &Queued,
) -> Result<(), StoreError> {
    change.put(&queue_key(child, session), queued)
}

pub fn remove_queued(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<(), StoreError> {
    change.remove(&queue_key(child, session)).map(drop)
}

/// Whether any of it was reviewed, or waits for a review.
pub fn has_reviewed(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<bool, StoreError> {
    view.contains(&reviewed_key(child, session))
}

/// If the record is unreadable, the session is not reviewed again.
pub fn reviewed(
    view: &impl Read,
    child: ChildId,
    session: SessionId,
) -> Result<Reviewed, StoreError> {
    Ok(match readable(view.get(&reviewed_key(child, session)))? {
        Some(found) => found.unwrap_or_default(),
        None => Reviewed::up_to(u64::MAX),
    })
}

pub fn put_reviewed(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
    reviewed: &Reviewed,
) -> Result<(), StoreError> {
    change.put(&reviewed_key(child, session), reviewed)
}

/// Removes a session that is deleted or moved, and returns how much of it was reviewed.
pub(super) fn take_out(
    change: &mut Change,
    child: ChildId,
    session: SessionId,
) -> Result<Option<Reviewed>, StoreError> {
    remove_queued(change, child, session)?;
    let key = reviewed_key(child, session);
    if !change.contains(&key)? {
        return Ok(None);
    }
    let reviewed = reviewed(change, child, session)?;
    change.remove(&key)?;
    Ok(Some(reviewed))
}

/// The tokens used on this day. If the record is unreadable, none count.
pub fn spent_on(view: &impl Read, child: ChildId, day: i64) -> Result<u64, StoreError> {
    let spent = view.get_readable::<Spent>(&spent_key(child))?;
    let spent = spent.filter(|spent| spent.day == day);
    Ok(spent.map_or(0, |spent| spent.tokens))
}

pub fn put_spent(change: &mut Change, child: ChildId, spent: Spent) -> Result<(), StoreError> {
    change.put(&spent_key(child), &spent)
}

pub fn not_reviewed(view: &impl Read, child: ChildId) -> Result<NotReviewed, StoreError> {
    Ok(view.get(&not_reviewed_key(child))?.unwrap_or_default())
}

/// If the record is unreadable, counting begins anew.
pub fn readable_not_reviewed(view: &impl Read, child: ChildId) -> Result<NotReviewed, StoreError> {
    let found = view.get_readable(&not_reviewed_key(child))?;
    Ok(found.unwrap_or_default())
}

pub fn put_not_reviewed(
    change: &mut Change,
    child: ChildId,
    not_reviewed: &NotReviewed,
) -> Result<(), StoreError> {
    change.put(&not_reviewed_key(child), not_reviewed)
}

/// The readable counts of all children.
pub fn all_not_reviewed(view: &impl Read) -> Result<Vec<NotReviewed>, StoreError> {
    let (all, _) = view.list_readable(&NOT_REVIEWED.key())?;
    Ok(all)
}

pub fn figures(
    view: &impl Read,
    model: &str,
    host: &str,
) -> Result<Option<ModelFigures>, StoreError> {
    view.get_readable(&figures_key(model, host))
}

pub fn put_figures(change: &mut Change, figures: &ModelFigures) -> Result<(), StoreError> {
    change.put(&figures_key(&figures.model, &figures.host), figures)
}

/// Returns whether there was anything.
pub(super) fn erase_batch(change: &mut Change, child: ChildId) -> Result<bool, StoreError> {
    for below in [queue_of(child), reviewed_of(child)] {
        if change.remove_some_below(&below)? > 0 {
            return Ok(true);
        }
    }
    let mut removed = false;
    for key in [
        consent_key(child),
        at_home_key(child),
        spent_key(child),
        not_reviewed_key(child),
    ] {
        removed |= change.remove(&key)?;
    }
    Ok(removed)
}
