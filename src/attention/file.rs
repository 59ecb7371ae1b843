//! The assistants that a guardian no longer uses, in that guardian's own copy of a child's data. The administrator's file has none.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::store;
use crate::children::file::{ChildField, FieldError};
use crate::identity::{AssistantId, Assistants, GuardianId, Guardians};
use crate::kernel::http::wire::Text;
use crate::kernel::outgoing::mail::EmailAddress;

/// An assistant that a guardian no longer uses, in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotInUseSeed {
    /// One of the child's guardians.
    pub guardian: EmailAddress,
    /// The name of an assistant of the file.
    pub assistant: Text<200>,
}

/// The guardians, and the assistants that they no longer use.
pub type ImportedNotInUse = Vec<(GuardianId, AssistantId)>;

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
    // They refer to guardians and assistants, so `seed` imports them when it has all of these.
    read: |json| {
        FieldError::parse::<IgnoredAny>(json)?;
        Ok(Box::new(|_, _, _| Ok(())))
    },
};
