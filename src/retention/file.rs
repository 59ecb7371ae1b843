//! For how long a child's sessions are kept, and whether a session is kept, in an exported file. A session that a guardian keeps
//! is kept by all of the child's guardians after an import, because a guardian's own copy names no other.

use serde_json::json;

use super::store::keeps::{self, Pins};
use crate::children::Period;
use crate::children::file::{ChildField, FieldError, ImportChildField, SessionField};

pub(super) const PERIOD: ChildField = ChildField {
    name: "retention_days",
    export: |view, access, _, left_out| {
        let period = keeps::period(view, access.child());
        let period = left_out.readable("retention-period", period)?.flatten();
        Ok(period.map(|period| json!(period).to_string().into_bytes()))
    },
    read: |json| {
        let period = FieldError::parse::<Option<Period>>(json)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            Ok(keeps::put_period(change, access.child(), period)?)
        }))
    },
};

pub(super) const KEPT: SessionField = SessionField {
    name: "kept",
    export: |view, access, session, left_out| {
        let keeps = keeps::keeps(view, access.child(), session);
        let keeps = left_out.readable("session-keeps", keeps)?;
        let is_kept = keeps.is_some_and(|keeps| keeps.by_everyone || !keeps.by.is_empty());
        Ok(is_kept.then(|| b"true".to_vec()))
    },
    read: |json| {
        let kept = FieldError::parse::<bool>(json)?;
        Ok(Box::new(move |change, access, session| {
            access.confirm(change)?;
            if kept {
                let keeps = Pins {
                    by_everyone: true,
                    ..Pins::default()
                };
                keeps::put_keeps(change, access.child(), session, &keeps)?;
            }
            Ok(())
        }))
    },
};
