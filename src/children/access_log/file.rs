//! Who looked, in a guardian's copy: the guardian's own days, and of others the weeks and copies, without names. The
//! administrator's file has none of it: each export would be about itself. Importing reads none of it either: it tells who looked on
//! the server that the copy is from.

use serde_json::{Value, json};

use super::report::{Other, OwnDay, Reader};
use super::{report, store};
use crate::children::file::{ChildField, FieldError, ImportChildField};
use crate::children::is_guardian;

pub(super) const FIELD: ChildField = ChildField {
    name: "looks",
    export: |view, access, reader, left_out| {
        let Some(reader) = reader else {
            return Ok(None);
        };
        let child = access.child();
        let (rows, unreadable) = store::rows(view, child)?;
        left_out.add("look", unreadable);
        // A copy tells no more than the page: the newest week may not be over.
        let Some(newest) = rows.iter().map(|(place, _)| place.day).max() else {
            return Ok(None);
        };
        let until = report::monday_of(newest);
        let mut guardians = Vec::new();
        for (place, _) in &rows {
            if let store::Who::Guardian(id) = &place.who
                && id != reader
                && !guardians.iter().any(|(known, _)| known == id)
                && is_guardian(view, child, id)?
            {
                guardians.push((id.clone(), None));
            }
        }
        let own = report::own_days(&rows, reader).into_iter().map(own_json);
        let others = report::others(&rows, reader, guardians, until);
        let others = others.into_iter().map(other_json);
        let access_log =
            json!({"own": own.collect::<Vec<_>>(), "others": others.collect::<Vec<_>>()});
        Ok(Some(access_log.to_string().into_bytes()))
    },
    read: |json| {
        FieldError::parse::<serde_json::Map<String, Value>>(json)?;
        Ok(ImportChildField::alone(|_, _, _| Ok(())))
    },
};

fn own_json(OwnDay { day, marks }: OwnDay) -> Value {
    json!({"day": day, "read": marks.read, "searched": marks.searched, "copied": marks.copied})
}

fn other_json(other: Other) -> Value {
    let by = match other.reader {
        Reader::Guardian(_) => "guardian",
        Reader::FormerGuardian => "former_guardian",
        Reader::CommandLine => "command_line",
    };
    let weeks = other.weeks.into_iter().rev();
    let weeks = weeks.map(|(week, days)| json!({"week": week, "days": days}));
    json!({
        "by": by,
        "weeks": weeks.collect::<Vec<_>>(),
        "copies": other.copies.into_iter().rev().collect::<Vec<_>>(),
        "sign_in_links": other.links.into_iter().rev().collect::<Vec<_>>(),
    })
}
