//! A child's month of birth in an exported file.

use serde_json::json;

use super::{BirthMonth, Born, check, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};
use crate::kernel::host::zones::Zone;

pub(super) const FIELD: ChildField = ChildField {
    name: "born",
    export: |view, access, _, left_out| {
        let born = left_out.readable("born", store::find(view, access.child()))?;
        let month = born.flatten().map(|born| born.month);
        Ok(month.map(|month| json!(month).to_string().into_bytes()))
    },
    read: |json| {
        let month = FieldError::parse::<Option<BirthMonth>>(json)?;
        Ok(ImportChildField::alone(move |change, access, now| {
            access.confirm(change)?;
            let today = Zone::UTC.day_of(now);
            // An impossible month is left out, so that no assistant is told a wrong age.
            if let Some(month) = month.filter(|month| check(*month, today).is_ok()) {
                // The calendar corrects it where the child's time zone has another month.
                let age = month.age_on(today);
                store::put(change, access.child(), Born { month, age })?;
            }
            Ok(())
        }))
    },
};
