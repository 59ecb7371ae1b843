//! The numbers of messages that could not be stored, in an exported file.

use serde::de::IgnoredAny;
use serde_json::json;

use super::store;
use crate::children::file::{FieldError, SessionField};
use crate::kernel::store::readable;

/// Not imported: a repeated message would be counted again.
pub(super) const NOT_KEPT: SessionField = SessionField {
    name: "not_kept",
    export: |view, access, session, _| {
        // An unreadable one is counted with the session's other data.
        let state = readable(store::shown_state(view, session))?.flatten();
        let state = state.filter(|state| state.child == access.child());
        let counts = state.map(|state| state.not_kept.counts());
        let counts = counts.filter(|counts| !counts.is_empty());
        Ok(counts.map(|counts| json!(counts).to_string().into_bytes()))
    },
    read: |json| {
        FieldError::parse::<IgnoredAny>(json)?;
        Ok(Box::new(|_, _, _| Ok(())))
    },
};
