//! The latest report in an exported file.

use super::{Report, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};

pub(super) const FIELD: ChildField = ChildField {
    name: "report",
    export: |view, access, _, left_out| {
        let report = left_out.readable("report", store::latest_report(view, access.child()))?;
        Ok(report.flatten().map(|(report, _)| report.to_vec()))
    },
    read: |json| {
        let report = Report::new(json.to_owned()).map_err(FieldError::new)?;
        Ok(ImportChildField::alone(move |change, access, _| {
            access.confirm(change)?;
            Ok(store::put_unowned_report(change, access.child(), &report)?)
        }))
    },
};
