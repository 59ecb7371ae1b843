//! Alerts and watched phrases in an exported file: those of all of a child's guardians, and in a guardian's copy also that
//! guardian's own. Phrases are private, so the administrator's file has none. Importing makes no alerts and watches for nothing.

use serde_json::json;

use super::phrase::WatchedPhrase;
use super::{Alert, store};
use crate::children::file::{ChildField, FieldError, json_list};

pub(super) const FIELDS: [ChildField; 2] = [
    ChildField {
        name: "alerts",
        export: |view, access, reader, left_out| {
            let (mut alerts, unreadable) = store::shared_alerts(view, access.child())?;
            left_out.add("alert", unreadable);
            if let Some(reader) = reader {
                let (own, unreadable) = store::own_alerts(view, access.child(), reader)?;
                left_out.add("alert-own", unreadable);
                alerts.extend(own);
                alerts.sort_by_key(|alert| std::cmp::Reverse(alert.alert_id));
            }
            let alerts = alerts.iter().map(as_json).collect::<Vec<_>>();
            let list = || json_list(alerts.iter().map(Vec::as_slice));
            Ok((!alerts.is_empty()).then(list))
        },
        read: |json| {
            FieldError::parse::<Vec<serde_json::Value>>(json)?;
            Ok(Box::new(|_, _, _| Ok(())))
        },
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
            Ok(phrases.map(|phrases| json!(phrases).to_string().into_bytes()))
        },
        read: |json| {
            FieldError::parse::<Vec<WatchedPhrase>>(json)?;
            Ok(Box::new(|_, _, _| Ok(())))
        },
    },
];

fn as_json(alert: &Alert) -> Vec<u8> {
    let mut exported = json!({
        "kind": alert.kind, "at": alert.at, "arrived_at": alert.arrived_at, "count": alert.count,
    });
    let optional = [
        ("phrase", alert.phrase.as_ref().map(|phrase| json!(phrase))),
        ("minutes", alert.minutes.map(|minutes| json!(minutes))),
        ("why", alert.why.map(|why| json!(why))),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            exported[name] = value;
        }
    }
    exported.to_string().into_bytes()
}
