//! For how long a child's sessions are kept, and whether a session is kept, in an exported file. A session that a guardian keeps
//! is kept by all of the child's guardians after an import, because a guardian's own copy names no other.

use serde_json::json;

use super::store::keeps::{self, KeepRecord};
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
        let keep = keeps::record(view, access.child(), session);
        let keep = left_out.readable("session-keeps", keep)?;
        let is_kept = keep.is_some_and(|keep| keep.by_everyone || !keep.by.is_empty());
        Ok(is_kept.then(|| b"true".to_vec()))
    },
    read: |json| {
        let kept = FieldError::parse::<bool>(json)?;
        Ok(Box::new(move |change, access, session| {
            access.confirm(change)?;
            if kept {
                let keep = KeepRecord {
                    by_everyone: true,
                    ..KeepRecord::default()
                };
                keeps::put_record(change, access.child(), session, &keep)?;
            }
            Ok(())
        }))
    },
};
