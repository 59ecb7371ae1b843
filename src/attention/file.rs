//! The assistants that a guardian no longer uses, in that guardian's own copy of a child's data. The administrator's file has none.

use serde::Deserialize;
use serde_json::{Value, json};

use super::store;
use crate::children::file::{ChildField, FieldError, ImportChildField, LinkedItems};
use crate::identity::{Assistants, Guardians};
use crate::kernel::http::wire::Text;
use crate::kernel::outgoing::mail::EmailAddress;

/// An assistant that a guardian no longer uses, in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotInUse {
    /// One of the child's guardians.
    guardian: EmailAddress,
    /// The name of an assistant of the file.
    assistant: Text<200>,
}

pub(super) const FIELD: ChildField = ChildField {
    name: "not_in_use",
    export: |view, access, reader, _| {
        let Some(reader) = reader else {
            return Ok(None);
        };
        let Some(guardian) = Guardians::find_readable(view, reader)? else {
            return Ok(None);
        };
        let mut exported = Vec::new();
        for assistant in store::marked_by(view, access, reader)? {
            if let Some(assistant) = Assistants::find_readable(view, &assistant)? {
                exported.push(json!({"guardian": guardian.email, "assistant": assistant.name}));
            }
        }
        let json = || Value::from(exported.clone()).to_string().into_bytes();
        Ok((!exported.is_empty()).then(json))
    },
    read: |json| {
        let items = FieldError::parse::<Vec<NotInUse>>(json)?.into_iter();
        let named = items.map(|item| (item.guardian, item.assistant.into_string()));
        Ok(ImportChildField::Linked(LinkedItems {
            named: named.collect(),
            import: |change, access, guardian, assistant| {
                Ok(store::mark(change, access, guardian, assistant)?)
            },
        }))
    },
};
