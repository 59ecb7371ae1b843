//! Applies the table to the objects of a body.

use std::ops::Range;

use super::BodyError;
use super::fields::{FieldPolicy, ObjectType, rule};
use super::json;

/// How many names of what is dropped are told.
pub const MAX_DROPPED: usize = 20;

/// The maximum length of such a name, in bytes.
const MAX_NAME: usize = 40;

/// What becomes of a field.
pub enum FieldAction {
    Passes,
    Dropped,
    Replaced(&'static str),
}

/// What was found in a body so far, and how it is to be edited.
#[derive(Debug, Default)]
pub struct Reader<'t> {
    pub text: &'t str,
    /// Texts to be put in place of others. The places don't overlap.
    pub edits: Vec<(Range<usize>, &'static str)>,
    pub dropped: Vec<String>,
    /// Texts beside the messages, with their fields' names.
    pub instructions: Vec<(&'static str, Range<usize>)>,
}

impl<'t> Reader<'t> {
    /// Where a slice of the text stands in it.
    pub fn place(&self, value: &str) -> Range<usize> {
        let start = value.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + value.len()
    }

    /// Applies the table to an object. The fields that are to be checked are given to `check`.
    pub fn object(
        &mut self,
        levels: &[ObjectType],
        object: &'t str,
        mut check: impl FnMut(&mut Self, &'static str, &'t str) -> Result<FieldAction, BodyError>,
    ) -> Result<(), BodyError> {
        // Behind the last field that was read. What lies before the next one's value belongs to that.
        let mut end = self.place(object).start + 1;
        let mut is_first = true;
        json::fields(object, |name, value| {
            let place = self.place(value);
            let with_name = end..place.end;
            end = place.end;
            match self.fate(levels, name, value, &mut check)? {
                FieldAction::Dropped => {
                    self.note_dropped(name, value);
                    self.remove(with_name);
                    return Ok(());
                }
                FieldAction::Replaced(new) => self.edits.push((place, new)),
                FieldAction::Passes => {}
            }
            if std::mem::take(&mut is_first)
                && let Some(comma) = self.comma_before(&with_name)
            {
                self.remove(with_name.start..with_name.start + comma + 1);
            }
            Ok(())
        })
    }

    fn fate(
        &mut self,
        levels: &[ObjectType],
        name: &str,
        value: &'t str,
        check: &mut impl FnMut(&mut Self, &'static str, &'t str) -> Result<FieldAction, BodyError>,
    ) -> Result<FieldAction, BodyError> {
        let Some((name, rule)) = rule(levels, name) else {
            if levels.contains(&ObjectType::TemplateSettings) {
                return Err(BodyError::Refused(shown(name)));
            }
            return Ok(FieldAction::Dropped);
        };
        match rule {
            FieldPolicy::Setting if json::is_setting(value) => Ok(FieldAction::Passes),
            FieldPolicy::Setting | FieldPolicy::Dropped => Ok(FieldAction::Dropped),
            FieldPolicy::Id if json::is_id(value) => Ok(FieldAction::Passes),
            FieldPolicy::Choice if json::is_choice(value) => Ok(FieldAction::Passes),
            FieldPolicy::Choice if json::is_short_word(value) => Ok(FieldAction::Dropped),
            FieldPolicy::Id | FieldPolicy::Choice => Err(BodyError::Value(name)),
            FieldPolicy::Instruction => {
                if !json::is_plain_instruction(value) {
                    let place = self.place(value);
                    self.instructions.push((name, place));
                }
                Ok(FieldAction::Passes)
            }
            FieldPolicy::Refused if json::is_empty(value) => Ok(FieldAction::Dropped),
            FieldPolicy::Refused => Err(BodyError::Refused(name.to_owned())),
            FieldPolicy::Only(expected) if value == expected => Ok(FieldAction::Passes),
            FieldPolicy::Only(_) if json::is_null(value) => Ok(FieldAction::Dropped),
            FieldPolicy::Only(_) => Err(BodyError::Value(name)),
            FieldPolicy::Checked => check(self, name, value),
        }
    }

    /// Applies the table to a field's object. Anything else passes only if it is a choice.
    pub fn settings(
        &mut self,
        level: ObjectType,
        value: &'t str,
    ) -> Result<FieldAction, BodyError> {
        if json::is_object(value) {
            self.object(&[level], value, |_, _, _| Ok(FieldAction::Passes))?;
        } else if !json::is_choice(value) {
            return Ok(FieldAction::Dropped);
        }
        Ok(FieldAction::Passes)
    }

    /// `null` says nothing, so it isn't told.
    fn note_dropped(&mut self, name: &str, value: &str) {
        let is_told = json::is_null(value)
            || self.dropped.len() >= MAX_DROPPED
            || !is_plain(name)
            || self.dropped.iter().any(|dropped| dropped == name);
        if !is_told {
            self.dropped.push(name.to_owned());
        }
    }

    fn comma_before(&self, with_name: &Range<usize>) -> Option<usize> {
        let text = self.text[with_name.clone()].trim_start();
        let spaces = with_name.len() - text.len();
        text.starts_with(',').then_some(spaces)
    }

    /// Joins what is removed side by side, so that a million names make one edit.
    fn remove(&mut self, place: Range<usize>) {
        match self.edits.last_mut() {
            Some((last, new)) if last.end == place.start && new.is_empty() => last.end = place.end,
            _ => self.edits.push((place, "")),
        }
    }
}

fn is_plain(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty() && name.len() <= MAX_NAME && name.bytes().all(is_allowed)
}

/// A name from a body as an error may quote it.
pub fn shown(name: &str) -> String {
    if is_plain(name) {
        name.to_owned()
    } else {
        "?".to_owned()
    }
}
