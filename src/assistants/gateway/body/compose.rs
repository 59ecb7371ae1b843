//! Writes the body that leaves.

use std::ops::Range;

use super::{BodyError, ChatBody, Kept, json};

/// Stands between the client's own system message and the rules.
const GAP: &str = "\n\n";

/// How many bytes of a prompt are at least one token.
const BYTES_A_TOKEN: u64 = 3;

impl ChatBody<'_> {
    /// The body that leaves: only what passes, with the rules in a `system` message and with another model's name. It is read once
    /// more, so it is certain to have the rules.
    pub fn compose(&self, rules: &str, model: &str) -> Result<String, BodyError> {
        let mut edits = Vec::new();
        if let Some(place) = &self.model_place {
            edits.push((place.clone(), json::quoted(model)));
        }
        let dropped = self.context.as_ref();
        let dropped = dropped.filter(|_| self.is_context_too_small(rules));
        if let Some((_, place)) = dropped {
            // What is `null` is dropped when it is read again.
            edits.push((place.clone(), "null".to_owned()));
        }
        edits.push(self.rules_edit(rules));
        let mut body = self.spliced(&edits);
        if dropped.is_some() {
            let read = ChatBody::read_keeping(Kept::System, self.dialect, body.as_bytes())?;
            body = read.spliced(&[]);
        }
        let sent = ChatBody::read_keeping(Kept::System, self.dialect, body.as_bytes());
        let has_rules = sent.is_ok_and(|sent| {
            let system = sent.messages.first();
            sent.edits.is_empty() && system.is_some_and(|system| system.text.ends_with(rules))
        });
        has_rules.then_some(body).ok_or(BodyError::RulesMissing)
    }

    /// The names of the fields that aren't passed on beside these rules, as far as they are shown.
    pub fn dropped_beside(&self, rules: &str) -> Vec<String> {
        let mut dropped = self.dropped.clone();
        if self.is_context_too_small(rules) {
            dropped.push("num_ctx".to_owned());
        }
        dropped.truncate(super::reader::MAX_DROPPED);
        dropped
    }

    /// Whether the context that the client asks for could cut the rules off.
    fn is_context_too_small(&self, rules: &str) -> bool {
        let Some((context, _)) = self.context else {
            return false;
        };
        let messages = self.messages.iter().map(|message| {
            let calls = message.tool_calls.iter();
            let calls = calls.map(|call| call.name.len() + call.arguments.len());
            message.text.len() + message.reasoning.len() + calls.sum::<usize>()
        });
        let instructions = self.instructions.iter().map(|(_, place)| place.len());
        let bytes = messages.chain(instructions).sum::<usize>() + rules.len();
        context < bytes as u64 / BYTES_A_TOKEN + self.longest_answer
    }

    fn rules_edit(&self, rules: &str) -> (Range<usize>, String) {
        let Some((message, content)) = &self.system else {
            let comma = if self.messages.is_empty() { "" } else { "," };
            let rules = json::quoted(rules);
            let message = format!(r#"{{"role":"system","content":{rules}}}{comma}"#);
            return (self.messages_start..self.messages_start, message);
        };
        let Some(content) = content else {
            let start = message + 1;
            return (
                start..start,
                format!(r#""content":{},"#, json::quoted(rules)),
            );
        };
        let text = &self.text[content.clone()];
        // Before the closing quotation mark or bracket.
        let end = content.end - 1..content.end - 1;
        if json::is_list(text) {
            let comma = if json::is_empty(text) { "" } else { "," };
            let rules = json::quoted(rules);
            (end, format!(r#"{comma}{{"type":"text","text":{rules}}}"#))
        } else if json::is_empty(text) {
            (content.clone(), json::quoted(rules))
        } else {
            let text = json::quoted(&format!("{GAP}{rules}"));
            (end, text[1..text.len() - 1].to_owned())
        }
    }

    /// The text with what is dropped or replaced, and with these edits. The places don't overlap.
    pub(super) fn spliced(&self, more: &[(Range<usize>, String)]) -> String {
        let more = more.iter().map(|(place, new)| (place, new.as_str()));
        let edits = self.edits.iter().map(|(place, new)| (place, *new));
        let mut edits = edits.chain(more).collect::<Vec<_>>();
        // What is inserted comes before what is removed from there on.
        edits.sort_unstable_by_key(|(place, _)| (place.start, place.end));
        let added = edits.iter().map(|(_, new)| new.len()).sum::<usize>();
        let mut result = String::with_capacity(self.text.len() + added);
        let mut done = 0;
        for (place, new) in edits {
            result.push_str(&self.text[done..place.start]);
            result.push_str(new);
            done = place.end;
        }
        result.push_str(&self.text[done..]);
        result
    }
}
