//! What a chat request's body may contain.
//!
//! Whoever writes a request may be a child who can edit everything in it. So one [table](fields::TABLE) decides about each name: it
//! passes, is checked, dropped or refused. What passes leaves as the text that came. Every text that leaves is a message's or an
//! instruction's, so that it is shown to the guardians.
//!
//! A body is never parsed into a tree: it is checked in one walk, and then the text is read and edited in place.

use std::borrow::Cow;
use std::ops::Range;

use super::dialect::Dialect;
use fields::ObjectType;
use reader::{FieldAction, Reader};

mod check;
mod client_prompt;
mod compose;
mod content;
mod error;
pub mod fields;
mod json;
mod known_words;
mod message;
mod parts;
mod reader;
mod repair;
#[cfg(test)]
mod tests;

pub use client_prompt::{body_of, without_settings};
pub use error::BodyError;
pub use repair::repaired;

/// The maximum number of messages in a request.
const MAX_MESSAGES: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    System,
    Developer,
    User,
    Assistant,
    /// Also the older `function`.
    Tool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    pub name: String,
    /// JSON, as it was sent.
    pub arguments: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatMessage {
    pub role: Role,
    /// What people read: texts, refusals, `[picture]`, `[sound]` and `[file]`, joined with one space.
    pub text: String,
    /// The reasoning of an assistant's message that the client sends back.
    pub reasoning: String,
    pub tool_calls: Vec<ToolCall>,
    /// The name of the tool that answers, or a participant's.
    pub name: Option<String>,
}

/// Which messages stay in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    All,
    /// Only the first system message.
    System,
}

/// A chat request's body, checked by the table of fields.
#[derive(Debug)]
pub struct ChatBody<'a> {
    text: Cow<'a, str>,
    kept: Kept,
    dialect: Dialect,
    /// What is removed or replaced in what leaves, except for the model and the rules.
    edits: Vec<(Range<usize>, &'static str)>,
    dropped: Vec<String>,
    instructions: Vec<(&'static str, Range<usize>)>,
    messages: Vec<ChatMessage>,
    /// Behind the bracket that opens the list of messages.
    messages_start: usize,
    /// Where the first system message begins, and its content, if it has one.
    system: Option<(usize, Option<Range<usize>>)>,
    model: String,
    model_place: Option<Range<usize>>,
    stream: Option<bool>,
    user: Option<String>,
    safety_identifier: Option<String>,
    prompt_cache_key: Option<String>,
    session_id: Option<String>,
    /// Ollama's `num_ctx`, in tokens, with its place.
    context: Option<(u64, Range<usize>)>,
    /// Ollama's `num_predict`, in tokens. 0 without a limit.
    longest_answer: u64,
}

impl<'a> ChatBody<'a> {
    pub fn read(dialect: Dialect, body: &'a [u8]) -> Result<Self, BodyError> {
        Self::read_keeping(Kept::All, dialect, body)
    }

    fn read_keeping(kept: Kept, dialect: Dialect, body: &'a [u8]) -> Result<Self, BodyError> {
        let text = str::from_utf8(body).map_err(|_| BodyError::NotJson)?;
        let text = repaired(text);
        check::check(&text)?;
        let mut body = Self::empty(kept, dialect);
        let mut reader = Reader {
            text: &text,
            ..Reader::default()
        };
        body.read_fields(&mut reader)?;
        (body.edits, body.dropped) = (reader.edits, reader.dropped);
        body.instructions = reader.instructions;
        if body.messages_start == 0 {
            return Err(BodyError::NoMessages);
        }
        Ok(Self { text, ..body })
    }

    fn empty(kept: Kept, dialect: Dialect) -> Self {
        Self {
            kept,
            text: Cow::Borrowed(""),
            dialect,
            edits: Vec::new(),
            dropped: Vec::new(),
            instructions: Vec::new(),
            messages: Vec::new(),
            messages_start: 0,
            system: None,
            model: String::new(),
            model_place: None,
            stream: None,
            user: None,
            safety_identifier: None,
            prompt_cache_key: None,
            session_id: None,
            context: None,
            longest_answer: 0,
        }
    }

    fn read_fields(&mut self, reader: &mut Reader<'_>) -> Result<(), BodyError> {
        let object = reader.text.trim_ascii();
        if !json::is_object(object) {
            return Err(BodyError::NotAnObject);
        }
        let level = match self.dialect {
            Dialect::OpenAi => ObjectType::OpenAi,
            Dialect::Ollama => ObjectType::Ollama,
        };
        reader.object(&[level], object, |reader, name, value| {
            self.read_field(reader, name, value)
        })
    }

    fn read_field<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        name: &'static str,
        value: &'t str,
    ) -> Result<FieldAction, BodyError> {
        match name {
            _ if json::is_null(value) => return Ok(FieldAction::Dropped),
            "model" => {
                self.model = json::text_of(name, value)?;
                self.model_place = Some(reader.place(value));
            }
            "messages" => self.read_messages(reader, value)?,
            "stream" => {
                let stream = value.parse().map_err(|_| BodyError::Value(name))?;
                self.stream = Some(stream);
            }
            "n" | "n_cmpl" if value != "1" => return Err(BodyError::Value(name)),
            "store" if value != "false" => return Ok(FieldAction::Replaced("false")),
            "user" => self.user = json::string(value),
            "safety_identifier" => self.safety_identifier = json::string(value),
            "prompt_cache_key" => {
                self.prompt_cache_key = json::string(value);
                if json::is_hexadecimal(value) {
                    return Ok(FieldAction::Passes);
                }
            }
            "metadata" => self.session_id = session_id(value)?,
            "options" => return self.read_options(reader, value),
            "stream_options" => return reader.settings(ObjectType::StreamOptions, value),
            "thinking" => return reader.settings(ObjectType::Thinking, value),
            "reasoning" => return reader.settings(ObjectType::Reasoning, value),
            "chat_template_kwargs" => return reader.settings(ObjectType::TemplateSettings, value),
            _ => {}
        }
        let is_dropped = matches!(
            name,
            "user" | "safety_identifier" | "prompt_cache_key" | "metadata"
        );
        Ok(if is_dropped {
            FieldAction::Dropped
        } else {
            FieldAction::Passes
        })
    }

    fn read_messages<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        list: &'t str,
    ) -> Result<(), BodyError> {
        if !json::is_list(list) {
            return Err(BodyError::NoMessages);
        }
        self.messages_start = reader.place(list).start + 1;
        if self.kept == Kept::All {
            let mut messages = 0;
            json::elements(list, |_| {
                messages += 1;
                Ok(())
            })?;
            if messages > MAX_MESSAGES {
                return Err(BodyError::TooManyMessages(MAX_MESSAGES));
            }
            self.messages.reserve_exact(messages);
        }
        json::elements(list, |text| {
            let (message, content) = message::read(reader, self.dialect, text)?;
            let is_system = message.role == Role::System && self.system.is_none();
            if is_system {
                let content = content.map(|content| reader.place(content));
                self.system = Some((reader.place(text).start, content));
            }
            if is_system || self.kept == Kept::All {
                self.messages.push(message);
            }
            Ok(())
        })
    }

    fn read_options<'t>(
        &mut self,
        reader: &mut Reader<'t>,
        options: &'t str,
    ) -> Result<FieldAction, BodyError> {
        if !json::is_object(options) {
            return Err(BodyError::Value("options"));
        }
        reader.object(
            &[ObjectType::OllamaOptions],
            options,
            |reader, name, value| {
                let number = value.parse::<f64>();
                match (name, number) {
                    ("num_ctx", Ok(tokens)) => {
                        self.context = Some((tokens.max(0.0) as u64, reader.place(value)));
                    }
                    ("num_predict", Ok(tokens)) => self.longest_answer = tokens.max(0.0) as u64,
                    _ => return Ok(FieldAction::Dropped),
                }
                Ok(FieldAction::Passes)
            },
        )?;
        Ok(FieldAction::Passes)
    }

    /// Empty if missing.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether the client asks for a stream; `None` without the field.
    pub fn stream(&self) -> Option<bool> {
        self.stream
    }

    /// All messages, in order.
    pub fn messages(&self) -> &[ChatMessage] {
        &self.messages
    }

    /// Texts beside the messages, such as `tools` and `response_format`: each field's name and JSON.
    pub fn instructions(&self) -> Vec<(&str, &str)> {
        let instructions = self.instructions.iter();
        let instructions = instructions.map(|(name, place)| (*name, &self.text[place.clone()]));
        instructions.collect()
    }

    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    pub fn safety_identifier(&self) -> Option<&str> {
        self.safety_identifier.as_deref()
    }

    pub fn prompt_cache_key(&self) -> Option<&str> {
        self.prompt_cache_key.as_deref()
    }

    /// `metadata.session_id`.
    pub fn session_id(&self) -> Option<&str> {
        self.session_id.as_deref()
    }

    /// The names of what doesn't leave: at most twenty.
    pub fn dropped(&self) -> &[String] {
        &self.dropped
    }
}

fn session_id(metadata: &str) -> Result<Option<String>, BodyError> {
    let mut session = None;
    if json::is_object(metadata) {
        json::fields(metadata, |name, value| {
            if name == "session_id" {
                session = json::string(value);
            }
            Ok(())
        })?;
    }
    Ok(session)
}

/// The model that a request for Ollama's `/api/show` is about. All else in it would change what a model's server tells.
pub fn model_of_show(body: &[u8]) -> Result<String, BodyError> {
    let body = str::from_utf8(body).map_err(|_| BodyError::NotJson)?;
    check::check(body)?;
    if !json::is_object(body.trim_ascii()) {
        return Err(BodyError::NotAnObject);
    }
    let mut model = None;
    json::fields(body, |name, value| {
        // `name` is what older versions call it.
        if matches!(name, "model" | "name") {
            model = model.take().or(json::string(value));
        }
        Ok(())
    })?;
    Ok(model.unwrap_or_default())
}
