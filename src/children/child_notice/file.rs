//! The edition of a child's page in an exported file.

use serde_json::json;

use super::{Edition, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};

pub(super) const FIELD: ChildField = ChildField {
    name: "page_for_child",
    export: |view, access, _, left_out| {
        let edition = left_out.readable("page_for_child", store::edition(view, access.child()))?;
        let edition = edition.flatten();
        Ok(edition.map(|edition| json!(edition).to_string().into_bytes()))
    },
    read: |json| {
        let edition = FieldError::parse::<Option<Edition>>(json)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            if let Some(edition) = edition {
                store::put(change, access.child(), edition)?;
            }
            Ok(())
        }))
    },
};
