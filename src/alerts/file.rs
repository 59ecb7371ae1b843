//! Alerts and watched phrases in an exported file: those of all of a child's guardians, and in a guardian's copy also that
//! guardian's own. Phrases are private, so the administrator's file has none.
//!
//! `seed` restores them as they are in the file. Nobody is notified, and all alerts count as seen.

use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::phrase::{NotAPhrase, Side, WatchedPhrase, valid_list};
use super::store::{self, Phrases, Whose, subject_of};
use super::{Alert, Alerts};
use crate::children::ChildAccess;
use crate::children::file::{ChildField, FieldError, ImportChildField, json_list};
use crate::identity::{Assistants, GuardianId, Guardians};
use crate::kernel::store::{Change, Store, StoreError};

pub(super) const FIELDS: [ChildField; 2] = [
    ChildField {
        name: "alerts",
        export: |view, access, reader, left_out| {
            let (shared, unreadable) = store::shared_alerts(view, access.child())?;
            left_out.add("alert", unreadable);
            let mut alerts = shared
                .into_iter()
                .map(|alert| (alert, false))
                .collect::<Vec<_>>();
            if let Some(reader) = reader {
                let (own, unreadable) = store::own_alerts(view, access.child(), reader)?;
                left_out.add("alert-own", unreadable);
                alerts.extend(own.into_iter().map(|alert| (alert, true)));
                alerts.sort_by_key(|(alert, _)| std::cmp::Reverse(alert.alert_id));
            }
            let exported = alerts
                .iter()
                .map(|(alert, is_own)| as_json(view, alert, *is_own, reader));
            let exported = exported.collect::<Result<Vec<_>, _>>()?;
            let list = || json_list(exported.iter().map(Vec::as_slice));
            Ok((!exported.is_empty()).then(list))
        },
        read: read_by_seed,
    },
    ChildField {
        name: "watched_phrases",
        export: |view, access, reader, left_out| {
            let Some(reader) = reader else {
                return Ok(None);
            };
            let phrases = store::phrases(view, access.child(), reader);
            let phrases = left_out.readable("watched-phrases", phrases)?;
            let phrases = phrases.filter(|phrases| !phrases.0.is_empty());
            let Some(Phrases(phrases)) = phrases else {
                return Ok(None);
            };
            let guardian = email_of(view, reader)?;
            let phrases = phrases.iter().map(
                |phrase| json!({"guardian": guardian, "words": phrase.words, "side": phrase.side}),
            );
            Ok(Some(Value::from_iter(phrases).to_string().into_bytes()))
        },
        read: read_by_seed,
    },
];

/// They refer to guardians, assistants and sessions, so `seed` imports them when it has all of these.
fn read_by_seed(json: &str) -> Result<ImportChildField, FieldError> {
    FieldError::parse::<IgnoredAny>(json)?;
    Ok(ImportChildField::alone(|_, _, _| Ok(())))
}

/// Who has dealt with it is in the guardian's own copy only, and names nobody else.
fn as_json(
    view: &Store,
    alert: &Alert,
    is_own: bool,
    reader: Option<&GuardianId>,
) -> Result<Vec<u8>, StoreError> {
    let assistant = match &alert.assistant_id {
        Some(id) => Assistants::find_readable(view, id)?,
        None => None,
    };
    let email = match reader {
        Some(reader) => email_of(view, reader)?,
        None => Value::Null,
    };
    let is_dealt_with = reader.is_some_and(|reader| alert.dealt_with.contains(reader));
    let dealt_with_by = (is_dealt_with && !email.is_null()).then(|| [email.clone()]);
    let guardian = is_own.then_some(email);
    let mut exported = json!({
        "kind": alert.kind, "at": alert.at, "arrived_at": alert.arrived_at, "count": alert.count,
        "session_id": alert.session_id, "message_id": alert.message_id,
        "assistant": assistant.map(|assistant| assistant.name),
        "all_assistants": alert.all_assistants.then_some(true),
        "minutes": alert.minutes, "why": alert.why, "guardian": guardian, "phrase": alert.phrase,
        "flagged": alert.flagged, "dealt_with_by": dealt_with_by,
    });
    if let Some(fields) = exported.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    Ok(exported.to_string().into_bytes())
}

/// Null if it is unreadable.
fn email_of(view: &Store, guardian: &GuardianId) -> Result<Value, StoreError> {
    let found = Guardians::find_readable(view, guardian)?;
    Ok(found.map_or(Value::Null, |guardian| json!(guardian.email)))
}

/// A child's alerts and watched phrases from a file.
#[derive(Default)]
pub struct Imported {
    /// Oldest first.
    pub alerts: Vec<(Whose, Alert)>,
    pub phrases: Vec<(GuardianId, Vec<(String, Side)>)>,
}

/// Checks a guardian's phrases from a file. Fails with the index of the phrase that is wrong.
pub fn check_phrases(phrases: Vec<(String, Side)>) -> Result<(), (Option<usize>, NotAPhrase)> {
    valid_list(phrases).map(drop)
}

/// Checks the phrase of an alert from a file.
pub fn check_phrase(phrase: &WatchedPhrase) -> Result<(), NotAPhrase> {
    WatchedPhrase::new(&phrase.words, phrase.side).map(drop)
}

impl Alerts {
    /// Stores the alerts and phrases of a child that has its sessions and guardians.
    pub fn import(
        &self,
        change: &mut Change,
        access: &ChildAccess,
        imported: Imported,
    ) -> Result<(), StoreError> {
        let child = access.child();
        for (guardian, phrases) in imported.phrases {
            // Invalid ones were refused before.
            let phrases = Phrases(valid_list(phrases).unwrap_or_default());
            store::put_phrases(change, child, &guardian, &phrases)?;
        }
        for (whose, alert) in imported.alerts {
            let (subject, now) = (subject_of(&alert), self.clock.now());
            store::add(change, child, &whose, subject, alert, &[], now)?;
        }
        for guardian in self.dependencies.children.guardians_of(change, child)? {
            store::mark_all_as_seen(change, child, &guardian)?;
        }
        Ok(())
    }
}
