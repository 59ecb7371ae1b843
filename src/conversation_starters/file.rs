//! Whether questions of the child are shown, in an exported file.

use serde_json::json;

use super::store::{self, Chosen};
use crate::children::file::{ChildField, FieldError, ImportChildField};

pub(super) const FIELD: ChildField = ChildField {
    name: "something_to_talk_about",
    export: |view, access, _, left_out| {
        let chosen = store::chosen(view, access.child());
        let chosen = left_out.readable("something_to_talk_about", chosen)?;
        Ok(chosen
            .flatten()
            .map(|chosen| json!(chosen).to_string().into_bytes()))
    },
    read: |json| {
        let chosen = FieldError::parse::<Option<Chosen>>(json)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            if let Some(chosen) = chosen {
                store::choose(change, access.child(), chosen)?;
            }
            Ok(())
        }))
    },
};
