//! What may stand in a template's gap.

use std::borrow::Cow;

use serde::Deserialize;

/// The quoted messages that were found so far.
#[derive(Default)]
pub struct Quotes<'a> {
    pub texts: Vec<Cow<'a, str>>,
    /// How many bytes were searched.
    pub bytes_read: usize,
}

impl<'a> Quotes<'a> {
    pub fn push(&mut self, text: impl Into<Cow<'a, str>>) {
        let text = text.into();
        if !text.trim().is_empty() {
            self.texts.push(text);
        }
    }

    pub fn split_once(&mut self, text: &'a str, words: &str) -> Option<(&'a str, &'a str)> {
        let split = text.split_once(words);
        self.bytes_read += split.map_or(text.len(), |(before, _)| before.len() + words.len());
        split
    }
}

/// How a program writes a conversation as one text.
#[derive(Clone, Default, Deserialize)]
pub struct Conversation {
    /// What stands before and behind each speaker's messages.
    speakers: Vec<(String, String)>,
    /// What stands between two messages.
    between: String,
}

impl Conversation {
    /// Returns what ends the message, and the text from the message on.
    fn opened<'a>(&self, text: &'a str) -> Option<(&str, &'a str)> {
        self.speakers
            .iter()
            .find_map(|(before, behind)| Some((&**behind, text.strip_prefix(&**before)?)))
    }

    /// A message ends where the next one's label stands. One that holds a label itself is returned in two parts, and neither is
    /// a whole message.
    fn read<'a>(&self, text: &'a str, quotes: &mut Quotes<'a>) -> Option<()> {
        if text.is_empty() {
            return Some(());
        }
        let (mut behind, mut rest) = self.opened(text)?;
        let mut boundary = [behind, &*self.between].concat();
        let mut searched = 0;
        while let Some(found) = rest[searched..].find(&boundary) {
            let end = searched + found;
            quotes.bytes_read += found + boundary.len();
            match self.opened(&rest[end + boundary.len()..]) {
                Some((next_behind, next)) => {
                    quotes.push(&rest[..end]);
                    (behind, rest, searched) = (next_behind, next, 0);
                    boundary = [behind, &*self.between].concat();
                }
                // A boundary may overlap with the next: two line ends among three.
                None => searched = end + rest[end..].chars().next().map_or(1, char::len_utf8),
            }
        }
        quotes.bytes_read += rest.len() - searched;
        quotes.push(rest.strip_suffix(behind)?);
        Some(())
    }
}

pub enum Gap {
    /// One whole message.
    Message,
    Conversation(Conversation),
    /// A conversation as JSON: a list of messages, each with its role, its text, and the names of its files.
    Json,
    Date,
    Number,
    OneOf(Vec<String>),
}

impl Gap {
    pub fn new(form: &str, conversation: &Conversation) -> Self {
        match form {
            "message" => Self::Message,
            "conversation" => Self::Conversation(conversation.clone()),
            "json" => Self::Json,
            "date" => Self::Date,
            "number" => Self::Number,
            _ => Self::OneOf(form.split('|').map(str::to_owned).collect()),
        }
    }

    pub fn read<'a>(&self, text: &'a str, quotes: &mut Quotes<'a>) -> Option<()> {
        match self {
            Self::Message => {
                quotes.push(text);
                Some(())
            }
            Self::Conversation(conversation) => conversation.read(text, quotes),
            Self::Json => {
                quotes.bytes_read += text.len();
                let messages: Vec<JsonMessage<'a>> = serde_json::from_str(text).ok()?;
                for message in messages {
                    quotes.push(message.text);
                    message.files.into_iter().for_each(|it| quotes.push(it));
                }
                Some(())
            }
            Self::Date => is_date(text).then_some(()),
            Self::Number => is_number(text).then_some(()),
            Self::OneOf(words) => words.iter().any(|it| it == text).then_some(()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonMessage<'a> {
    #[serde(rename = "role")]
    _role: JsonRole,
    #[serde(borrow, rename = "mainText")]
    text: Cow<'a, str>,
    #[serde(default)]
    files: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsonRole {
    System,
    User,
    Assistant,
}

/// Digits and what joins them: no sentence can be made of these.
fn is_date(text: &str) -> bool {
    const LONGEST: usize = 40;
    text.len() <= LONGEST
        && text.contains(|it: char| it.is_ascii_digit())
        && text
            .chars()
            .all(|it| it.is_ascii_digit() || "-/.:, TZ+年月日".contains(it))
}

fn is_number(text: &str) -> bool {
    (1..=9).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit())
}
