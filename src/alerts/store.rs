//! The records of alerts, watched phrases, and what each guardian has seen.

mod following;
mod judged;
mod reading;
mod subjects;
mod worrying;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::concern::{Flagged, Severity};
use super::kind::Kind;
use super::phrase::WatchedPhrase;
use crate::children::{self, ChildId, SessionId};
use crate::identity::{AssistantId, GuardianId};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::store::{
    Before, Change, Key, KeyPlace, Read, Record, RecordKind, StoreError, Table, Trigger, Written,
    is_default,
};
use crate::rules::schedule::Why;

pub(super) use following::{erase_batch, erase_of_session, has_before, move_to, remove_before};

pub(super) use judged::{
    PendingJudgement, Running, all_pending, assistant_state, put_assistant_state, put_running,
    record_pending, remove_pending, running,
};

pub(super) use reading::{
    alerts_before, has_alert_in, marker_of, newest, number_at, own_alerts, shared_alerts,
};

pub use subjects::{
    Subject, subject_of, subject_of_concern, subject_of_kind, subject_of_phrase,
    subject_of_silence, subject_of_unconfirmed,
};

pub(super) use worrying::{
    NotWorrying, alert_numbered, get_not_worrying, not_worrying, put_not_worrying,
};

use following::forget;

/// Alerts of all of a child's guardians, by child and number, newest first. The key ends with the session and the subject.
const SHARED: Table = Table::new("alert");
/// Alerts of one guardian, by child and guardian, then as in [`SHARED`].
const OWN: Table = Table::new("alert-own");
/// Where a session's alert about a subject is, by session, whose and subject.
const PLACE: Table = Table::new("alert-place");
/// Watched phrases by child and guardian.
const WATCHED: Table = Table::new("watched-phrases");
/// How often a child's watched phrases were changed.
const EDITION: Table = Table::new("watched-edition");
/// The number of the last alert that a guardian has seen, by child and guardian.
const SEEN: Table = Table::new("alert-seen");
/// The number of the last alert that a guardian received or marked as seen, by guardian and child. Writes to it cause events.
const LATEST: Table = Table::new("alert-latest");

/// In the keys of alerts without a session. Sessions are numbered from 1.
const NO_SESSION: SessionId = SessionId::new(0);

/// The length of the hash of an alert's subject, in bytes.
const SUBJECT: usize = 16;

/// An alert without the words that it is about: they are read from its message when it is shown.
#[skip_serializing_none]
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// When it was stored, in microseconds since 1970; at least one above the last.
    pub alert_id: u64,
    pub kind: Kind,
    pub arrived_at: Timestamp,
    /// When it happened.
    pub at: Timestamp,
    /// `None` if it is about no single session.
    pub session_id: Option<SessionId>,
    pub message_id: Option<String>,
    /// The number of the message's texts before the first one with the phrase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub texts_before: usize,
    /// The assistant that it is about, if it is about one.
    pub assistant_id: Option<AssistantId>,
    /// How long they talked.
    pub minutes: Option<u64>,
    /// Why talking was not allowed.
    pub why: Option<Why>,
    /// Whether it is about all of the child's assistants.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_assistants: bool,
    /// The guardian's phrase.
    pub phrase: Option<WatchedPhrase>,
    /// What a model pointed at.
    pub flagged: Option<Flagged>,
    /// The number of messages that match.
    pub count: u64,
    /// Guardians who had seen it before it was moved to this child.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub seen_by: BTreeSet<GuardianId>,
    /// Guardians who find it not worrying.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub not_worrying: BTreeSet<GuardianId>,
    /// Guardians who have dealt with it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub dealt_with: BTreeSet<GuardianId>,
}

impl Alert {
    /// An alert without details. It gets its number when it is stored.
    pub fn new(
        kind: Kind,
        arrived_at: Timestamp,
        at: Timestamp,
        session: impl Into<Option<SessionId>>,
    ) -> Self {
        Self {
            alert_id: 0,
            kind,
            arrived_at,
            at,
            session_id: session.into(),
            message_id: None,
            texts_before: 0,
            assistant_id: None,
            minutes: None,
            why: None,
            all_assistants: false,
            phrase: None,
            flagged: None,
            count: 1,
            seen_by: BTreeSet::new(),
            not_worrying: BTreeSet::new(),
            dealt_with: BTreeSet::new(),
        }
    }

    /// Whether a reviewer found something urgent.
    pub fn is_urgent(&self) -> bool {
        let flagged = self.flagged.as_ref();
        flagged.is_some_and(|flagged| flagged.severity == Severity::Urgent)
    }
}

/// Whose alert it is; `None` for all of the child's guardians.
pub type Whose = Option<GuardianId>;

#[derive(Clone, Serialize, Deserialize)]
pub struct AlertLocation {
    pub child: ChildId,
    pub alert_id: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whose: Whose,
    pub subject: Subject,
}

/// A guardian's phrases about a child.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Phrases(pub Vec<WatchedPhrase>);

impl Record for Alert {}
impl Record for AlertLocation {}
impl Record for Phrases {}

pub(super) const KINDS: [RecordKind; 11] = [
    RecordKind::of::<Alert>(SHARED),
    RecordKind::of::<Alert>(OWN),
    RecordKind::of::<AlertLocation>(PLACE),
    RecordKind::of::<Phrases>(WATCHED),
    RecordKind::of::<u64>(EDITION),
    RecordKind::of::<u64>(SEEN),
    RecordKind::of::<u64>(LATEST),
    judged::KINDS[0],
    judged::KINDS[1],
    judged::KINDS[2],
    worrying::KIND,
];

pub(super) const KEYS: [KeyPlace; 4] = [
    KeyPlace::after(SHARED, &[Before::Number, Before::Number]),
    KeyPlace::after(OWN, &[Before::Number, Before::Id, Before::Number]),
    KeyPlace::first(PLACE),
    judged::KEY,
];

pub(super) const TRIGGERS: [Trigger; 1] = [Trigger {
    table: children::GUARDIANS,
    run: |change, keys| {
        for (child, guardian) in children::links_in(children::GUARDIANS, keys) {
            let guardian = GuardianId::from_text(&guardian);
            if !children::is_guardian(change, child, &guardian)? {
                forget(change, child, &guardian)?;
            } else if !change.contains(&seen_key(child, &guardian))? {
                // Alerts from before they joined count as seen.
                mark_all_as_seen(change, child, &guardian)?;
            }
        }
        Ok(())
    },
}];

fn alerts_of(child: ChildId, whose: &Whose) -> Key {
    match whose {
        Some(guardian) => own_of(child).text(guardian.as_str()),
        None => SHARED.key().number(child.number()),
    }
}

fn own_of(child: ChildId) -> Key {
    OWN.key().number(child.number())
}

fn alert_key(child: ChildId, whose: &Whose, id: u64, session: SessionId, subject: Subject) -> Key {
    alerts_of(child, whose)
        .descending_number(id)
        .number(session.number())
        .fixed(&subject)
}

pub(super) fn places_of(session: SessionId) -> Key {
    PLACE.key().number(session.number())
}

fn place_key(session: SessionId, whose: &Whose, subject: Subject) -> Key {
    let whose = whose.as_ref().map_or("", GuardianId::as_str);
    places_of(session).text(whose).fixed(&subject)
}

fn watched_of(child: ChildId) -> Key {
    WATCHED.key().number(child.number())
}

fn edition_key(child: ChildId) -> Key {
    EDITION.key().number(child.number())
}

fn seen_of(child: ChildId) -> Key {
    SEEN.key().number(child.number())
}

fn seen_key(child: ChildId, guardian: &GuardianId) -> Key {
    seen_of(child).text(guardian.as_str())
}

fn latest_key(guardian: &GuardianId, child: ChildId) -> Key {
    LATEST.key().text(guardian.as_str()).number(child.number())
}

/// The guardians whose alerts a group of writes changed.
pub fn guardians_in(written: &Written) -> BTreeSet<GuardianId> {
    let all = LATEST.key();
    let keys = written.keys_below(&all);
    let guardians = keys.filter_map(|key| key.components_below(&all).text());
    guardians.map(|id| GuardianId::from_text(&id)).collect()
}

pub fn phrases(
    view: &impl Read,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<Phrases, StoreError> {
    let found = view.get(&watched_of(child).text(guardian.as_str()))?;
    Ok(found.unwrap_or_default())
}

/// The phrases of all guardians. Unreadable ones match nothing.
pub fn all_phrases(
    view: &impl Read,
    child: ChildId,
) -> Result<Vec<(GuardianId, Phrases)>, StoreError> {
    let below = watched_of(child);
    let mut all = Vec::new();
    for (key, phrases) in view.readable_rows(&below)? {
        if let Some(guardian) = key.components_below(&below).text() {
            all.push((GuardianId::from_text(&guardian), phrases));
        }
    }
    Ok(all)
}

pub fn put_phrases(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
    phrases: &Phrases,
) -> Result<(), StoreError> {
    let key = watched_of(child).text(guardian.as_str());
    if phrases.0.is_empty() {
        change.remove(&key)?;
    } else {
        change.put(&key, phrases)?;
    }
    next_edition(change, child)
}

fn next_edition(change: &mut Change, child: ChildId) -> Result<(), StoreError> {
    let next = edition(change, child)? + 1;
    change.put(&edition_key(child), &next)
}

/// How often the child's phrases were changed.
pub fn edition(view: &impl Read, child: ChildId) -> Result<u64, StoreError> {
    Ok(view.get_readable(&edition_key(child))?.unwrap_or(0))
}

/// The alert of this session and subject, if there is one.
pub fn find(
    view: &impl Read,
    session: SessionId,
    whose: &Whose,
    subject: Subject,
) -> Result<Option<(Key, Option<Alert>)>, StoreError> {
    let Some(place) = view.get_readable::<AlertLocation>(&place_key(session, whose, subject))?
    else {
        return Ok(None);
    };
    let key = alert_key(place.child, whose, place.alert_id, session, subject);
    let alert = view.get_readable(&key)?;
    Ok(Some((key, alert)))
}

/// Stores an alert for these guardians. Its number is the time: gaps in a count would tell of alerts of others.
pub fn add(
    change: &mut Change,
    child: ChildId,
    whose: &Whose,
    subject: Subject,
    mut alert: Alert,
    to: &[GuardianId],
    now: Timestamp,
) -> Result<Alert, StoreError> {
    let micros = u64::try_from(now.micros()).unwrap_or(1);
    alert.alert_id = change.next_number_from("alert", micros)?;
    let id = alert.alert_id;
    let session = alert.session_id.unwrap_or(NO_SESSION);
    change.put(&alert_key(child, whose, id, session, subject), &alert)?;
    if session != NO_SESSION {
        let place = AlertLocation {
            child,
            alert_id: id,
            whose: whose.clone(),
            subject,
        };
        change.put(&place_key(session, whose, subject), &place)?;
    }
    for guardian in to {
        change.put(&latest_key(guardian, child), &id)?;
    }
    Ok(alert)
}

/// If the record is unreadable, nothing counts as seen.
pub fn seen(view: &impl Read, child: ChildId, guardian: &GuardianId) -> Result<u64, StoreError> {
    Ok(view.get_readable(&seen_key(child, guardian))?.unwrap_or(0))
}

pub fn put_seen(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
    up_to: u64,
) -> Result<(), StoreError> {
    change.put(&seen_key(child, guardian), &up_to)?;
    // Notifies their other devices.
    change.put(&latest_key(guardian, child), &up_to)
}

/// Notifies the guardian's devices that their alerts look different.
pub fn record_change(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    let key = latest_key(guardian, child);
    let latest = change.get_readable::<u64>(&key)?.unwrap_or(0);
    change.put(&key, &latest)
}

/// Marks all alerts that a guardian sees as seen, without an event.
pub fn mark_all_as_seen(
    change: &mut Change,
    child: ChildId,
    guardian: &GuardianId,
) -> Result<(), StoreError> {
    let newest = newest(change, child, guardian)?;
    change.put(&seen_key(child, guardian), &newest)
}
