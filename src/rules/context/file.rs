//! A child's context in an exported file.

use serde_json::json;

use super::{Context, LONGEST, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};
use crate::kernel::http::wire::Text;

pub(super) const FIELD: ChildField = ChildField {
    name: "context",
    export: |view, access, _, left_out| {
        let context = left_out.readable("context", store::read(view, access.child()))?;
        let context = context.filter(|context| context.said().is_some());
        Ok(context.map(|context| json!(context.text).to_string().into_bytes()))
    },
    read: |json| {
        let text = FieldError::parse::<Option<Text<LONGEST>>>(json)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            if let Some(text) = text {
                let text = text.into_string();
                store::put(change, access.child(), &Context { text })?;
            }
            Ok(())
        }))
    },
};
