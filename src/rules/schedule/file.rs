//! A child's times in an exported file.

use serde_json::json;

use super::api::ScheduleView;
use super::{Schedule, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};

pub(super) const FIELD: ChildField = ChildField {
    name: "times",
    export: |view, access, _, left_out| {
        let times = left_out.readable("times", store::find(view, access.child()))?;
        Ok(times
            .flatten()
            .map(|times| json!(times).to_string().into_bytes()))
    },
    read: |json| {
        let times = FieldError::parse::<Option<ScheduleView>>(json)?;
        let times = times.map(ScheduleView::read).transpose();
        let times: Option<Schedule> = times.map_err(FieldError::new)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            if let Some(times) = times {
                store::put(change, access.child(), &times)?;
            }
            Ok(())
        }))
    },
};
