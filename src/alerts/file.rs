//! The alerts of all of a child's guardians in an exported file. Watched phrases and their alerts are private, so no file of a
//! child has them. Importing makes no alerts.

use serde_json::json;

use super::store;
use crate::children::file::{ChildField, FieldError, json_list};

pub(super) const FIELD: ChildField = ChildField {
    name: "alerts",
    export: |view, access, left_out| {
        let (alerts, unreadable) = store::shared_alerts(view, access.child())?;
        left_out.add("alert", unreadable);
        let alerts = alerts.iter().map(|alert| {
            let alert = json!({
                "kind": alert.kind, "at": alert.at, "arrived_at": alert.arrived_at, "count": alert.count,
            });
            alert.to_string().into_bytes()
        });
        let alerts = alerts.collect::<Vec<_>>();
        let list = || json_list(alerts.iter().map(Vec::as_slice));
        Ok((!alerts.is_empty()).then(list))
    },
    read: |json| {
        FieldError::parse::<Vec<serde_json::Value>>(json)?;
        Ok(Box::new(|_, _, _| Ok(())))
    },
};
