//! Reads the fields of a family file that the features define, and rejects unknown fields.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::alerts::nobody;
use super::{AdminError, ChildSeed, Family, Mistake, Step, line_at, mistake};
use crate::app::FEATURES;
use crate::children::file::{FieldError, ImportChildField};

/// The fields of a [`ChildSeed`](super::ChildSeed).
const OF_CHILD: [&str; 6] = [
    "name",
    "guardians",
    "rules",
    "history",
    "assistants",
    "sessions",
];

/// The fields of a [`SessionSeed`](super::SessionSeed).
const OF_SESSION: [&str; 10] = [
    "session_id",
    "topic",
    "start",
    "device",
    "assistant",
    "not_child",
    "receipts",
    "messages",
    "completion",
    "known_as",
];

type Fields<'a> = BTreeMap<String, &'a RawValue>;

#[derive(Deserialize)]
struct FamilyFields<'a> {
    #[serde(borrow)]
    children: Vec<Fields<'a>>,
}

/// Reads the features' fields of all children and sessions, in the order of the features. `text` was already parsed as a [`Family`].
///
/// # Errors
///
/// The first invalid or unknown field, with its line.
pub(super) fn read(text: &str, family: &mut Family) -> Result<(), AdminError> {
    let of_family = parse::<FamilyFields>(text, text)?;
    for (child, fields) in family.children.iter_mut().zip(of_family.children) {
        for field in FEATURES.iter().flat_map(|feature| feature.child_fields) {
            if let Some(json) = fields.get(field.name) {
                let read = (field.read)(json.get());
                match at(text, json.get(), read)? {
                    ImportChildField::Alone(import) => child.fields.push(import),
                    ImportChildField::Linked(items) => child.linked.push((field.name, items)),
                }
            }
        }
        let names = FEATURES.iter().flat_map(|feature| feature.child_fields);
        let names = names.map(|field| field.name).chain(OF_CHILD);
        refuse_unknown(text, &fields, &names.collect::<Vec<_>>())?;
        let Some(sessions) = fields.get("sessions") else {
            continue;
        };
        let sessions = parse::<Vec<Fields>>(text, sessions.get())?;
        for (session, fields) in child.sessions.iter_mut().zip(sessions) {
            for field in FEATURES.iter().flat_map(|feature| feature.session_fields) {
                if let Some(json) = fields.get(field.name) {
                    let read = (field.read)(json.get());
                    session.fields.push(at(text, json.get(), read)?);
                }
            }
            let names = FEATURES.iter().flat_map(|feature| feature.session_fields);
            let names = names.map(|field| field.name).chain(OF_SESSION);
            refuse_unknown(text, &fields, &names.collect::<Vec<_>>())?;
        }
    }
    Ok(())
}

/// Checks that the items of linked fields name guardians and assistants of the child.
pub(super) fn check_linked(child: &ChildSeed) -> Option<Mistake> {
    child.linked.iter().find_map(|(field, items)| {
        let mut named = items.named.iter().enumerate();
        named.find_map(|(position, (guardian, assistant))| {
            let name = assistant.trim();
            let mut assistants = child.assistants.iter();
            let is_there = assistants.any(|assistant| assistant.name.trim() == name);
            let not_there = || format!("no assistant of this child has the name {name}");
            let sentence = nobody(child, guardian).or_else(|| (!is_there).then(not_there))?;
            let path = [Step::Field(field), Step::Item(position)];
            Some(Mistake::new(path, sentence))
        })
    })
}

fn parse<'a, T: Deserialize<'a>>(text: &str, json: &'a str) -> Result<T, AdminError> {
    serde_json::from_str(json)
        .map_err(|error| mistake(line_at(text, json) + error.line() - 1, &error.to_string()))
}

/// Adds the line in the file to an error in the field `json`.
fn at<T>(text: &str, json: &str, read: Result<T, FieldError>) -> Result<T, AdminError> {
    read.map_err(|error| mistake(line_at(text, json) + error.line - 1, &error.sentence))
}

fn refuse_unknown(text: &str, fields: &Fields<'_>, known: &[&str]) -> Result<(), AdminError> {
    for (name, value) in fields {
        if !known.contains(&name.as_str()) {
            let sentence = format!("unknown field `{name}`");
            return Err(mistake(line_at(text, value.get()), &sentence));
        }
    }
    Ok(())
}
