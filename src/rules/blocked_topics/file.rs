//! The child's own topics in an exported file.

use super::{BlockedTopic, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};

pub(super) const FIELD: ChildField = ChildField {
    name: "blocked_topics",
    export: |view, access, _, left_out| {
        left_out.readable("blocked-topics", store::json(view, access.child()))
    },
    read: |json| {
        let topics = FieldError::parse::<Vec<String>>(json)?;
        let topics = BlockedTopic::list(topics).map_err(FieldError::new)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            store::put(change, access.child(), &topics)?;
            Ok(())
        }))
    },
};
