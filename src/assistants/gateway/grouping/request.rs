//! What the tracker needs of a chat request.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

use super::history::{Item, compared, split_reasoning};
use super::kind::Kind;
use super::readable::readable;
use super::stored_text_lookup::StoredTextLookup;
use super::templates::{is_apps_message, quoted_in};
use super::text_hash::{TextHash, TextKey};
use crate::assistants::gateway::body::{ChatBody, ChatMessage, Role};

/// The maximum number of items that are compared: the last ones. A longer history aligns like one whose beginning was trimmed.
pub const MAX_ITEMS: usize = 512;

/// A text with more lines, or a field with more items, is stored whole after each change.
const MAX_LINES: usize = 1_000;

/// The maximum length of a client's ids, in bytes.
const MAX_ID: usize = 200;

/// What a request's headers say about its conversation.
#[derive(Clone, Debug, Default)]
pub struct RequestHeaders {
    session: Option<String>,
    chat: Option<String>,
    is_retry: bool,
}

impl RequestHeaders {
    /// Reads them from pairs of name and value, with the names in any case.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut headers = Self::default();
        for (name, value) in pairs {
            match name.to_ascii_lowercase().as_str() {
                "x-porchlight-session" => headers.session = id(value),
                "x-openwebui-chat-id" => headers.chat = id(value),
                "x-stainless-retry-count" => {
                    headers.is_retry |= value.trim().parse::<u32>().is_ok_and(|count| count > 0);
                }
                _ => {}
            }
        }
        headers
    }

    /// The client's own id of the session, from the first place that has one.
    fn session(&self, metadata: Option<&str>, key: &TextKey) -> Option<TextHash> {
        let metadata = metadata.and_then(id);
        let named = [
            ("session", self.session.as_ref()),
            ("chat", self.chat.as_ref()),
            ("metadata", metadata.as_ref()),
        ];
        let mut named = named.into_iter();
        named.find_map(|(source, id)| Some(key.of_app(source, id?)))
    }
}

/// Ids that separate conversations if they differ, but don't connect requests if they are equal.
#[skip_serializing_none]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Separators {
    user: Option<TextHash>,
    safety_identifier: Option<TextHash>,
    prompt_cache_key: Option<TextHash>,
}

impl Separators {
    fn of(body: &ChatBody<'_>, key: &TextKey) -> Self {
        let hash = |value: Option<&str>| Some(key.of_app("separator", &id(value?)?));
        Self {
            user: hash(body.user()),
            safety_identifier: hash(body.safety_identifier()),
            prompt_cache_key: hash(body.prompt_cache_key()),
        }
    }

    /// Whether both have a value of the same kind, and a different one.
    pub fn differ(&self, other: &Self) -> bool {
        let pairs = [
            (self.user, other.user),
            (self.safety_identifier, other.safety_identifier),
            (self.prompt_cache_key, other.prompt_cache_key),
        ];
        pairs
            .iter()
            .any(|(own, other)| own.is_some() && other.is_some() && own != other)
    }

    /// Overwrites the values that `newer` has.
    pub fn update(&mut self, newer: &Self) {
        for (own, newer) in [
            (&mut self.user, newer.user),
            (&mut self.safety_identifier, newer.safety_identifier),
            (&mut self.prompt_cache_key, newer.prompt_cache_key),
        ] {
            *own = newer.or(*own);
        }
    }
}

/// A text of the app's own that the model reads.
#[derive(Clone, Debug)]
pub struct AppText {
    /// Of the whole text.
    pub hash: TextHash,
    /// Its lines. Those that are stored already are left out.
    pub parts: Vec<HashedText>,
}

#[derive(Clone, Debug)]
pub struct HashedText {
    pub text: String,
    pub hash: TextHash,
}

impl AppText {
    fn new(text: &str, key: &TextKey) -> Self {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let lines = lines.map(str::trim_end).collect::<Vec<_>>();
        let parts = if lines.len() <= MAX_LINES {
            lines
        } else {
            vec![text]
        };
        let parts = parts.into_iter();
        let parts = parts.map(|part| HashedText::new("line", part, key));
        Self {
            hash: key.of_app("app text", text),
            parts: parts.collect(),
        }
    }

    /// The parts that say something new, and the hashes that aren't stored. A part is new if it isn't stored, or never followed
    /// the stored part before it: stored lines in another order say something else.
    pub fn compare(&self, stored: &dyn StoredTextLookup) -> (Vec<&HashedText>, Vec<TextHash>) {
        let (mut new, mut hashes) = (Vec::new(), Vec::new());
        let (mut last, mut last_stored) = (None::<TextHash>, None);
        for part in &self.parts {
            let is_stored = stored.has(part.hash);
            let new_pair = |before: Option<TextHash>| {
                let pair = before.map(|before| before.then(part.hash));
                pair.filter(|pair| !stored.has(*pair))
            };
            let new_order = last_stored.filter(|_| is_stored);
            let new_order = new_pair(new_order);
            if !is_stored || new_order.is_some() {
                new.push(part);
            }
            hashes.extend((!is_stored).then_some(part.hash));
            hashes.extend(new_order);
            hashes.extend(new_pair(last));
            last = Some(part.hash);
            last_stored = if is_stored { last } else { last_stored };
        }
        hashes.extend((!stored.has(self.hash)).then_some(self.hash));
        (new, hashes)
    }
}

impl HashedText {
    fn new(purpose: &str, text: &str, key: &TextKey) -> Self {
        Self {
            text: text.to_owned(),
            hash: key.of_app(purpose, text.trim()),
        }
    }
}

/// A text that an app's own request quotes. It doesn't say for sure who said it.
#[derive(Clone, Debug)]
pub struct Quoted {
    hashes: Vec<TextHash>,
    /// As the assistant's: the app may have only the beginning of an answer.
    pub(super) answer: Item,
}

impl Quoted {
    fn new(text: &str, key: &TextKey) -> Self {
        let answer = Item::assistant(text, key);
        Self {
            hashes: vec![
                key.of_item(Kind::User, &answer.compared),
                answer.hash,
                Item::tool_result(text, key).hash,
                AppText::new(text, key).hash,
            ],
            answer,
        }
    }

    /// A field such as `tools`, in which words for the model can stand.
    fn of_field(name: &str, json: &str, key: &TextKey) -> Self {
        Self {
            hashes: vec![field_text(name, json, key).hash],
            answer: Item::assistant(json, key),
        }
    }

    fn of_call(name: &str, arguments: &str, key: &TextKey) -> Self {
        let answer = Item::tool_call(name, arguments, key);
        Self {
            hashes: vec![answer.hash],
            answer,
        }
    }

    pub fn is_stored(&self, stored: &dyn StoredTextLookup) -> bool {
        self.hashes.iter().any(|hash| stored.has(*hash))
    }
}

/// What the tracker needs of a request.
#[derive(Clone)]
pub struct Request {
    /// The newest items.
    pub(super) history: Vec<Item>,
    /// The items before them, if there are more than are compared.
    pub(super) overflow: Vec<Item>,
    /// Whether the last message is an instruction, so that the assistant speaks by itself.
    pub(super) ends_with_instruction: bool,
    /// The client's own id of the session, which overrides all other rules.
    pub(super) session: Option<TextHash>,
    pub(super) separators: Separators,
    /// Whether the client says that it repeats a request.
    pub(super) is_retry: bool,
    /// What it quotes, if it fits an app's template for a request of the app's own.
    pub(super) quoted: Option<Vec<Quoted>>,
    pub(super) app_texts: Vec<AppText>,
    /// What the model wrote for itself in earlier answers, as the client sends it back.
    pub(super) reasoning: Vec<HashedText>,
    pub(super) key: TextKey,
}

impl Request {
    pub fn new(body: &ChatBody<'_>, headers: &RequestHeaders, key: &TextKey) -> Self {
        let mut reader = MessageReader {
            key,
            history: Vec::new(),
            app_texts: Vec::new(),
            reasoning: Vec::new(),
        };
        for message in body.messages() {
            reader.read(message);
        }
        for (name, text) in body.instructions() {
            reader.app_texts.push(field_text(name, text, key));
        }
        let MessageReader {
            mut history,
            app_texts,
            reasoning,
            ..
        } = reader;
        let surplus = history.len().saturating_sub(MAX_ITEMS);
        let overflow = history.drain(..surplus).collect();
        let last = body.messages().last().map(|last| last.role);
        Self {
            history,
            overflow,
            ends_with_instruction: matches!(last, Some(Role::System | Role::Developer)),
            session: headers.session(body.session_id(), key),
            separators: Separators::of(body, key),
            is_retry: headers.is_retry,
            quoted: quoted(body, key),
            app_texts,
            reasoning,
            key: key.clone(),
        }
    }

    /// The client's own id of the session.
    pub fn session(&self) -> Option<TextHash> {
        self.session
    }

    /// Whether the request may be the app's own.
    pub fn quotes(&self) -> bool {
        self.quoted.is_some()
    }
}

/// A field such as `tools`: JSON, of which each item of a list is a part.
fn field_text(name: &str, json: &str, key: &TextKey) -> AppText {
    let items = serde_json::from_str::<Vec<&serde_json::value::RawValue>>(json);
    let items = items.map(|items| items.into_iter().map(|item| item.get()).collect());
    let items = items
        .ok()
        .filter(|items: &Vec<&str>| items.len() <= MAX_LINES);
    let items = items.unwrap_or_else(|| vec![json]);
    let purpose = format!("field {name}");
    let parts = items.into_iter().map(|item| HashedText {
        hash: key.of_app(&purpose, item),
        text: format!("{name}: {}", readable(item)),
    });
    AppText {
        hash: key.of_app(&purpose, json),
        parts: parts.collect(),
    }
}

fn quoted(body: &ChatBody<'_>, key: &TextKey) -> Option<Vec<Quoted>> {
    let messages = body.messages().iter();
    let messages = messages.map(|message| {
        let role = match message.role {
            Role::System | Role::Developer => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        };
        (role, message.text.as_str())
    });
    let last = body.messages().last();
    // The child hears the answer.
    if last.is_some_and(|last| is_apps_message(&last.text)) {
        return None;
    }
    let texts = quoted_in(&messages.collect::<Vec<_>>())?;
    let calls = body.messages().iter().flat_map(|it| &it.tool_calls);
    let calls = calls.map(|call| Quoted::of_call(&call.name, &call.arguments, key));
    let texts = texts.iter().map(|text| Quoted::new(text, key));
    let quoted = texts.chain(calls).collect::<Vec<_>>();
    // A check of the connection quotes nothing, and may try a tool.
    if quoted.is_empty() {
        return Some(quoted);
    }
    let fields = body.instructions().into_iter();
    let fields = fields.map(|(name, json)| Quoted::of_field(name, json, key));
    Some(quoted.into_iter().chain(fields).collect())
}

fn id(value: &str) -> Option<String> {
    let value = value.trim();
    let end = value.floor_char_boundary(MAX_ID);
    (!value.is_empty()).then(|| value[..end].to_owned())
}

struct MessageReader<'a> {
    key: &'a TextKey,
    history: Vec<Item>,
    app_texts: Vec<AppText>,
    reasoning: Vec<HashedText>,
}

impl MessageReader<'_> {
    fn read(&mut self, message: &ChatMessage) {
        let key = self.key;
        if let Some(name) = &message.name {
            self.app_texts
                .push(AppText::new(&format!("name: {name}"), key));
        }
        match message.role {
            Role::System | Role::Developer => {
                self.app_texts.push(AppText::new(&message.text, key));
            }
            Role::User => {
                let item = Item::user(&message.text, key);
                if let Some(around) = &item.around {
                    self.app_texts.push(AppText::new(around, key));
                }
                self.history.push(item);
            }
            Role::Assistant => {
                let (said, thoughts) = split_reasoning(&message.text);
                for thoughts in [&message.reasoning, &thoughts] {
                    if !thoughts.trim().is_empty() {
                        let note = HashedText {
                            text: thoughts.clone(),
                            hash: key.of_app("reasoning", &compared(thoughts)),
                        };
                        self.reasoning.push(note);
                    }
                }
                let has_calls = !message.tool_calls.is_empty();
                let said = Item::assistant(&said, key);
                // An empty answer is one, too.
                if !said.is_empty() || !has_calls {
                    self.history.push(said);
                }
                let calls = message.tool_calls.iter();
                let calls = calls.map(|call| Item::tool_call(&call.name, &call.arguments, key));
                self.history.extend(calls);
            }
            Role::Tool => self.history.push(Item::tool_result(&message.text, key)),
        }
    }
}
