//! One message of a request.

use super::content::{PICTURE, Text, is_base64, text_or};
use super::fields::ObjectType;
use super::json::{self, text_of as string};
use super::reader::{FieldAction, Reader};
use super::{BodyError, ChatMessage, Role, ToolCall};
use crate::assistants::gateway::dialect::Dialect;

/// How many pictures of a message are shown.
const MAX_PICTURES: usize = 16;

/// Reads a message. Returns it with its `content`, if it has one.
pub fn read<'t>(
    reader: &mut Reader<'t>,
    dialect: Dialect,
    message: &'t str,
) -> Result<(ChatMessage, Option<&'t str>), BodyError> {
    if !json::is_object(message) {
        return Err(BodyError::NotAMessage);
    }
    let role = role(message)?;
    let level = match dialect {
        Dialect::OpenAi => ObjectType::OpenAiMessage,
        Dialect::Ollama => ObjectType::OllamaMessage,
    };
    let both = [level, ObjectType::AssistantMessage];
    let levels = if role == Role::Assistant {
        &both[..]
    } else {
        &both[..1]
    };
    let mut read = ChatMessage {
        role,
        text: String::new(),
        reasoning: String::new(),
        tool_calls: Vec::new(),
        name: None,
    };
    let mut content = None;
    let (mut text, mut pictures, mut refusal) = (Text::default(), Vec::new(), None);
    reader.object(levels, message, |reader, name, value| {
        if json::is_null(value) && name != "content" {
            return Ok(FieldAction::Passes);
        }
        match name {
            "content" => {
                content = Some(value);
                text.read(reader, value)?;
            }
            "name" | "tool_name" => read.name = Some(string(name, value)?),
            // The rules end a system message.
            "images" if role == Role::System => return Ok(FieldAction::Dropped),
            "images" => pictures = read_pictures(value)?,
            "refusal" => refusal = Some(string(name, value)?),
            "reasoning" | "reasoning_content" | "thinking" => {
                let reasoning = string(name, value)?;
                if !read.reasoning.is_empty() {
                    read.reasoning.push('\n');
                }
                read.reasoning.push_str(&reasoning);
            }
            "tool_calls" => read_calls(reader, value, &mut read.tool_calls)?,
            "function_call" => read.tool_calls.push(read_function(reader, name, value)?),
            _ => {}
        }
        Ok(FieldAction::Passes)
    })?;
    for picture in pictures {
        text.add(&picture);
    }
    text.add(&refusal.unwrap_or_default());
    read.text = text.into_string();
    Ok((read, content))
}

fn role(message: &str) -> Result<Role, BodyError> {
    let mut role = Err(BodyError::NotAMessage);
    json::fields(message, |name, value| {
        if name == "role" {
            role = match json::string(value).as_deref() {
                Some("system") => Ok(Role::System),
                Some("developer") => Ok(Role::Developer),
                Some("user") => Ok(Role::User),
                Some("assistant") => Ok(Role::Assistant),
                Some("tool" | "function") => Ok(Role::Tool),
                _ => Err(BodyError::Role),
            };
        }
        Ok(())
    })?;
    role
}

/// Ollama's pictures stand beside the text, as base64. Returns a word for each, or its text if it is one.
fn read_pictures(value: &str) -> Result<Vec<String>, BodyError> {
    let mut pictures = Vec::new();
    if !json::is_list(value) {
        return Err(BodyError::Value("images"));
    }
    json::elements(value, |picture| {
        let data = json::string(picture).filter(|picture| is_base64(picture));
        let shown = text_or(&data.ok_or(BodyError::Value("images"))?, PICTURE);
        if pictures.len() < MAX_PICTURES || shown != PICTURE {
            pictures.push(shown);
        }
        Ok(())
    })?;
    Ok(pictures)
}

fn read_calls<'t>(
    reader: &mut Reader<'t>,
    value: &'t str,
    calls: &mut Vec<ToolCall>,
) -> Result<(), BodyError> {
    if !json::is_list(value) {
        return Err(BodyError::Value("tool_calls"));
    }
    json::elements(value, |call| {
        if !json::is_object(call) {
            return Err(BodyError::Value("tool_calls"));
        }
        let before = calls.len();
        reader.object(&[ObjectType::ToolCall], call, |reader, name, value| {
            if json::is_null(value) {
                return Ok(FieldAction::Dropped);
            }
            calls.push(read_function(reader, name, value)?);
            Ok(FieldAction::Passes)
        })?;
        if calls.len() == before {
            return Err(BodyError::Value("tool_calls"));
        }
        Ok(())
    })
}

/// A call's `function` or `custom`, or the older `function_call`.
fn read_function<'t>(
    reader: &mut Reader<'t>,
    field: &'static str,
    value: &'t str,
) -> Result<ToolCall, BodyError> {
    if !json::is_object(value) {
        return Err(BodyError::Value(field));
    }
    let level = if field == "custom" {
        ObjectType::CustomCall
    } else {
        ObjectType::Function
    };
    let mut call = ToolCall {
        name: String::new(),
        arguments: String::new(),
    };
    reader.object(&[level], value, |_, name, value| {
        match name {
            "name" => call.name = string(name, value)?,
            _ if json::is_object(value) => call.arguments = value.to_owned(),
            _ if json::is_null(value) => {}
            _ => call.arguments = string(name, value)?,
        }
        Ok(FieldAction::Passes)
    })?;
    Ok(call)
}
