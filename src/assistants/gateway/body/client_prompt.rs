//! Takes what is not the conversation out of a request's body, and writes a body of it again.

use super::{BodyError, ChatBody, json};
use crate::assistants::gateway::client_prompt::{ClientPrompt, LARGEST};
use crate::assistants::gateway::dialect::Dialect;

/// What a request says for itself alone: its conversation, and how its answer is sent.
const OF_ONE_REQUEST: [&str; 4] = ["messages", "model", "stream", "stream_options"];

impl ChatBody<'_> {
    /// What leaves besides the conversation, with this name of the model. `None` if it is too much to keep, or if system messages
    /// stand between others: they belong to a place in a conversation.
    pub fn client_prompt(&self, model: &str) -> Option<ClientPrompt> {
        let body = self.spliced(&[]);
        let mut prompt = ClientPrompt {
            dialect: self.dialect,
            model: model.to_owned(),
            fields: Vec::new(),
            system: Vec::new(),
        };
        let mut is_before_all = true;
        let read = json::fields(&body, |name, value| {
            if name == "messages" {
                return read_system(value, &mut prompt.system, &mut is_before_all);
            }
            if !OF_ONE_REQUEST.contains(&name) && !json::is_null(value) {
                prompt.fields.push((name.to_owned(), value.to_owned()));
            }
            Ok(())
        });
        read.ok()?;
        (is_before_all && prompt.bytes() <= LARGEST).then_some(prompt)
    }
}

fn read_system(
    messages: &str,
    system: &mut Vec<String>,
    is_before_all: &mut bool,
) -> Result<(), BodyError> {
    let mut has_begun = false;
    json::elements(messages, |message| {
        let mut is_system = false;
        json::fields(message, |name, value| {
            is_system |= name == "role" && matches!(value, "\"system\"" | "\"developer\"");
            Ok(())
        })?;
        has_begun |= !is_system;
        *is_before_all &= !(is_system && has_begun);
        if !has_begun {
            system.push(message.to_owned());
        }
        Ok(())
    })
}

/// A body as a client with this prompt sends it: these messages of a conversation, each with its role, and an answer in one piece.
pub fn body_of(prompt: &ClientPrompt, conversation: &[(&str, &str)]) -> String {
    let quoted = json::quoted;
    let mut body = format!("{{\"model\":{},\"stream\":false", quoted(&prompt.model));
    for (name, value) in &prompt.fields {
        body += &format!(",{}:{value}", quoted(name));
    }
    let conversation = conversation
        .iter()
        .map(|(role, text)| format!("{{\"role\":{},\"content\":{}}}", quoted(role), quoted(text)));
    let messages = prompt.system.iter().cloned().chain(conversation);
    let messages = messages.collect::<Vec<_>>().join(",");
    body + &format!(",\"messages\":[{messages}]}}")
}

/// What a client that is not known sends: a conversation and nothing else.
pub fn without_settings(model: &str) -> ClientPrompt {
    ClientPrompt {
        dialect: Dialect::OpenAi,
        model: model.to_owned(),
        fields: Vec::new(),
        system: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_request_without_its_conversation_is_composed_like_the_request() {
        let tools = json!([{"type": "function", "function": {"name": "light"}}]);
        let sent = json!({
            "model": "m@Mia",
            "stream": true,
            "stream_options": {"include_usage": true},
            "temperature": 0.5,
            "tools": tools,
            "user": "mia",
            "messages": [
                {"role": "system", "content": "You are Bo."},
                {"role": "user", "content": "Hi"},
                {"role": "assistant", "content": "Hello"},
                {"role": "user", "content": "Why?"},
            ],
        });
        let sent = sent.to_string();
        let chat = ChatBody::read(Dialect::OpenAi, sent.as_bytes()).unwrap();

        let prompt = chat.client_prompt("m").unwrap();

        assert_eq!(prompt.system.len(), 1);
        let body = body_of(&prompt, &[("user", "Test \"question\"")]);
        let again = ChatBody::read(Dialect::OpenAi, body.as_bytes()).unwrap();
        let composed = again.compose("Rules.", "m").unwrap();
        let expected = json!({
            "model": "m",
            "stream": false,
            "temperature": 0.5,
            "tools": tools,
            "messages": [
                {"role": "system", "content": "You are Bo.\n\nRules."},
                {"role": "user", "content": "Test \"question\""},
            ],
        });
        assert_eq!(serde_json::from_str::<Value>(&composed).unwrap(), expected);
    }

    #[test]
    fn what_is_too_much_is_not_kept() {
        let sent = json!({"messages": [{"role": "system", "content": "a".repeat(LARGEST)}]});
        let sent = sent.to_string();
        let chat = ChatBody::read(Dialect::OpenAi, sent.as_bytes()).unwrap();

        assert_eq!(chat.client_prompt("m"), None);
    }

    #[test]
    fn a_system_message_in_the_conversation_belongs_to_it_and_is_not_kept() {
        let (system, user) = (
            json!({"role": "system", "content": "You are Bo."}),
            json!({"role": "user", "content": "Hi"}),
        );
        for (messages, is_kept) in [
            (json!([system, user]), true),
            (json!([user]), true),
            (json!([user, system]), false),
            (json!([system, user, system]), false),
        ] {
            let sent = json!({"messages": messages}).to_string();
            let chat = ChatBody::read(Dialect::OpenAi, sent.as_bytes()).unwrap();

            assert_eq!(chat.client_prompt("m").is_some(), is_kept, "{sent}");
        }
    }
}
