//! The seed file that imports a whole family, and its validation.
//!
//! Every mistake is reported with its line. serde knows the line of a value of the wrong type. A mistake between values (such as
//! an address that isn't declared) has a path, which [`line_of`] follows through the text. Other fields are read by their
//! features ([`fields`]).

mod alerts;
mod fields;
mod rules;
mod when;

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::AdminError;
use crate::children::file::{ImportAlone, ImportSessionField, LinkedItems};
use crate::conversations::transcripts::MessageKind;
use crate::insights::activities::api::{LONGEST_MOOD, ScoreView};
use crate::kernel::host::clock::Timestamp;
use crate::kernel::host::name::valid_name;
use crate::kernel::http::wire::{Id, Text};
use crate::kernel::outgoing::mail::EmailAddress;

pub use alerts::{AlertSeed, PhraseSeed};
pub use rules::{AssistantOfChild, EntrySeed, ReceiptSeed, TopicLists, VersionSeed};
pub use when::When;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    #[serde(default)]
    pub guardians: Vec<GuardianSeed>,
    #[serde(default)]
    pub assistants: Vec<AssistantSeed>,
    pub children: Vec<ChildSeed>,
}

/// A guardian; if the address exists, the existing guardian is used.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardianSeed {
    pub email: EmailAddress,
    pub name: Option<Text<200>>,
}

/// A new assistant. Its key is never shown: `assistant rotate` creates another one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssistantSeed {
    pub name: Text<200>,
}

/// A child with all of its data. [`fields::read`] refuses unknown fields.
#[derive(Deserialize)]
pub struct ChildSeed {
    pub name: Text<200>,
    #[serde(default)]
    pub guardians: Vec<EmailAddress>,
    /// The versions of its rules, oldest first.
    #[serde(default)]
    pub rules: Vec<VersionSeed>,
    /// The change history, oldest first.
    #[serde(default)]
    pub history: Vec<EntrySeed>,
    #[serde(default)]
    pub assistants: Vec<AssistantOfChild>,
    #[serde(default)]
    pub sessions: Vec<SessionSeed>,
    /// Newest first.
    #[serde(default)]
    pub alerts: Vec<AlertSeed>,
    #[serde(default)]
    pub watched_phrases: Vec<PhraseSeed>,
    /// How the features' own fields are imported.
    #[serde(skip)]
    pub fields: Vec<ImportAlone>,
    /// The features' own lists that name guardians and assistants, by field.
    #[serde(skip)]
    pub linked: Vec<(&'static str, LinkedItems)>,
}

/// [`fields::read`] refuses unknown fields.
#[derive(Deserialize)]
pub struct SessionSeed {
    /// By which the file's alerts refer to it. It gets a new one.
    pub session_id: Option<u64>,
    pub topic: Option<Text<200>>,
    pub start: When,
    pub device: Option<Text<64>>,
    /// The name of the assistant that delivered it.
    pub assistant: Option<Text<200>>,
    /// Somebody else talked, not the child.
    #[serde(default)]
    pub not_child: bool,
    #[serde(default)]
    pub receipts: Vec<ReceiptSeed>,
    #[serde(default)]
    pub messages: Vec<MessageSeed>,
    pub completion: Option<CompletionSeed>,
    #[serde(rename = "known_as")]
    _known_as: Option<KnownAs>,
    /// How the features' own fields are imported.
    #[serde(skip)]
    pub fields: Vec<ImportSessionField>,
}

/// An assistant's external id of a session, which an export contains; it is not imported.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownAs {
    #[serde(rename = "assistant")]
    _assistant: Option<Text<200>>,
    #[serde(rename = "name")]
    _name: Text<128>,
}

/// A message. Its time is `timestamp`, or `after` seconds from the session's start, or a little after
/// the previous message.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MessageSeed {
    pub message_id: Option<Id>,
    pub source: Option<Text<200>>,
    pub text_content: Option<Text<65_536>>,
    pub timestamp: Option<Timestamp>,
    pub after: Option<u32>,
    pub content_type: Option<Text<200>>,
    pub event_type: Option<Text<200>>,
    pub start_sample: Option<u32>,
    pub interrupted: Option<bool>,
    pub speaker: Option<Text<200>>,
    pub generated: Option<bool>,
    pub heard: Option<u32>,
    pub from_app: Option<bool>,
    pub kind: Option<MessageKind>,
    /// Oldest first.
    #[serde(default)]
    pub earlier: Vec<EarlierTextSeed>,
}

/// What a message said before it was corrected.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierTextSeed {
    pub source: Option<Text<200>>,
    pub speaker: Option<Text<200>>,
    pub text_content: Text<65_536>,
    pub until: Timestamp,
}

/// The outcome of a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompletionSeed {
    pub duration: f64,
    pub score: Option<ScoreView>,
    pub mood: Option<Text<LONGEST_MOOD>>,
    pub end_time: Option<Timestamp>,
}

/// A step on the path to a value within the file.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Field(&'static str),
    Item(usize),
}

#[derive(Debug)]
pub struct Mistake {
    pub path: Vec<Step>,
    pub sentence: String,
}

impl Mistake {
    fn new(path: impl Into<Vec<Step>>, sentence: impl ToString) -> Self {
        let (path, sentence) = (path.into(), sentence.to_string());
        Self { path, sentence }
    }
}

/// The guardians and assistants that exist before the import.
pub trait Existing {
    fn has_guardian(&self, email: &EmailAddress) -> bool;

    /// Whether an assistant has this name, ignoring case.
    fn has_assistant(&self, name: &str) -> bool;
}

pub struct EmptyStore;

impl Existing for EmptyStore {
    fn has_guardian(&self, _: &EmailAddress) -> bool {
        false
    }

    fn has_assistant(&self, _: &str) -> bool {
        false
    }
}

/// Parses and validates a family.
///
/// # Errors
///
/// The first mistake, with its line.
pub fn read(text: &str, existing: &impl Existing) -> Result<Family, AdminError> {
    let mut family = serde_json::from_str::<Family>(text).map_err(|error| {
        let full = error.to_string();
        let sentence = full
            .rsplit_once(" at line ")
            .map_or(full.as_str(), |(start, _)| start);
        mistake(error.line(), sentence)
    })?;
    fields::read(text, &mut family)?;
    match check(&family, existing) {
        None => Ok(family),
        Some(found) => Err(mistake(line_of(text, &found.path), &found.sentence)),
    }
}

fn mistake(line: usize, sentence: &str) -> AdminError {
    let sentence = sentence.trim_end_matches('.');
    AdminError::new(format!(
        "Line {line} of the file: {sentence}. Nothing was brought in."
    ))
}

/// Checks rules that span several values.
fn check(family: &Family, existing: &impl Existing) -> Option<Mistake> {
    use Step::{Field, Item};
    let mut declared = HashSet::new();
    for (position, guardian) in family.guardians.iter().enumerate() {
        if !declared.insert(guardian.email.key()) {
            let path = [Field("guardians"), Item(position)];
            return Some(Mistake::new(path, "this guardian is there twice"));
        }
    }
    if let Some(found) = rules::check_assistants(&family.assistants, existing) {
        return Some(found);
    }
    for (number, child) in family.children.iter().enumerate() {
        let at = |rest: &[Step]| [&[Field("children"), Item(number)], rest].concat();
        if let Err(error) = valid_name(&child.name) {
            return Some(Mistake::new(at(&[Field("name")]), error));
        }
        for (position, email) in child.guardians.iter().enumerate() {
            if !declared.contains(&email.key()) && !existing.has_guardian(email) {
                let path = at(&[Field("guardians"), Item(position)]);
                let sentence = format!("nobody here has the address {email}");
                return Some(Mistake::new(path, sentence));
            }
        }
        let found = rules::check_child(child, &family.assistants);
        let found = found.or_else(|| alerts::check_child(child));
        if let Some(mut found) = found.or_else(|| fields::check_linked(child)) {
            found.path = at(&found.path);
            return Some(found);
        }
        for (position, session) in child.sessions.iter().enumerate() {
            if let Some(mut found) = check_session(session) {
                found.path = [at(&[Field("sessions"), Item(position)]), found.path].concat();
                return Some(found);
            }
        }
    }
    None
}

fn check_session(session: &SessionSeed) -> Option<Mistake> {
    use Step::{Field, Item};
    let mut ids = HashSet::new();
    for (position, message) in session.messages.iter().enumerate() {
        let path = [Field("messages"), Item(position)];
        if message.timestamp.is_some() && message.after.is_some() {
            let sentence = "a message has either a timestamp or seconds after the start, not both";
            return Some(Mistake::new(path, sentence));
        }
        if let Some(id) = &message.message_id
            && !ids.insert(id.as_str())
        {
            let sentence = "this message's id is there twice in the session";
            return Some(Mistake::new(path, sentence));
        }
    }
    let negative = session
        .completion
        .as_ref()
        .is_some_and(|completion| completion.duration < 0.0);
    negative.then(|| Mistake::new([Field("completion")], "a duration is 0 or more"))
}

/// The line, from 1, on which the value at this path begins.
fn line_of(text: &str, path: &[Step]) -> usize {
    let mut value = text.trim_start();
    for step in path {
        let inner = match step {
            Step::Field(name) => serde_json::from_str::<BTreeMap<String, &RawValue>>(value)
                .ok()
                .and_then(|fields| fields.get(*name).map(|found| found.get())),
            Step::Item(position) => serde_json::from_str::<Vec<&RawValue>>(value)
                .ok()
                .and_then(|items| items.get(*position).map(|found| found.get())),
        };
        let Some(inner) = inner else { break };
        value = inner;
    }
    line_at(text, value)
}

/// The line, from 1, on which this part of the text begins.
fn line_at(text: &str, part: &str) -> usize {
    // The part borrows from the text, so the difference of their addresses is its offset.
    let place = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    text.as_bytes()[..place.min(text.len())]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> String {
        let mistake = read(text, &EmptyStore).err();
        mistake.expect("a mistake").to_string()
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        let cases = [
            ("{\n\"children\": [\n{\"name\": 7}]}", 3),
            ("{\"children\": [],\n\n\"pets\": []}", 3),
            (
                "{\"children\": [\n{\"name\": \"Mia\",\n\"guardians\": [\n\"a@b.example\"]}]}",
                4,
            ),
            (
                "{\"children\": [{\"name\": \"Mia\", \"sessions\": [{\"start\": \
                 \"2026-11-21T16:05:00Z\", \"messages\": [\n{\"message_id\": \"a\"},\n\
                 {\"message_id\": \"a\"}]}]}]}",
                3,
            ),
            (
                "{\"guardians\": [{\"email\": \"a@b.example\"},\n{\"email\": \"A@b.example\"}], \"children\": []}",
                2,
            ),
            (
                "{\"children\": [\n{\"name\": \"Mia\",\n\"sessions\": [{\"start\": \"soon\"}]}]}",
                3,
            ),
            ("{\"children\": [", 1),
        ];

        for (text, line) in cases {
            let sentence = problem(text);
            assert!(
                sentence.starts_with(&format!("Line {line} of the file: ")),
                "{sentence}"
            );
            assert!(
                sentence.ends_with(". Nothing was brought in."),
                "{sentence}"
            );
        }
    }
}
