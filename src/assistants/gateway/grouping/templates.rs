//! The known templates of chat programs' own requests: titles, tags, follow-up questions, summaries, connection checks.
//!
//! `templates.json` has the texts of each program, and says where they are from. A template exempts nothing: what stands in its
//! gaps is returned, and the caller compares it with what is kept.

mod gap;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Deserialize;

use gap::{Conversation, Gap, Quotes};

/// The templates, and the messages that apps send in the user's name within a conversation, to have the assistant say something.
static KNOWN: LazyLock<(Vec<Template>, Vec<String>)> = LazyLock::new(|| {
    let apps: Vec<App> = serde_json::from_str(include_str!("templates.json"))
        .expect("the tests read templates.json, too");
    let entries = || apps.iter().flat_map(|app| &app.templates);
    let spoken = entries().filter(|entry| entry.is_spoken());
    let messages = spoken.filter_map(|entry| entry.messages.last());
    let messages = messages.map(|message| message.text.join("\n")).collect();
    (entries().map(TemplateEntry::template).collect(), messages)
});

/// Whether a known app sends this very text in the user's name, so that the assistant says goodbye.
pub fn is_apps_message(text: &str) -> bool {
    let text = text.trim();
    KNOWN.1.iter().any(|known| known == text)
}

/// Returns the texts that stand in the gaps of the template that a request fits, each as one quoted message without its label,
/// in order. Empty ones are left out.
///
/// `messages` are pairs of role and text. `None` unless a template fits every message, from the first to the last character;
/// only line ends and outer white space may differ.
pub fn quoted_in(messages: &[(&str, &str)]) -> Option<Vec<String>> {
    // A text with other line ends is returned as it came, if it fits as it is.
    read(messages, &mut 0).or_else(|| {
        if !messages.iter().any(|(_, text)| text.contains("\r\n")) {
            return None;
        }
        let texts: Vec<_> = messages
            .iter()
            .map(|(_, text)| text.replace("\r\n", "\n"))
            .collect();
        let roles = messages.iter().map(|(role, _)| *role);
        let messages: Vec<_> = roles.zip(texts.iter().map(String::as_str)).collect();
        read(&messages, &mut 0)
    })
}

/// Adds to `bytes_read` how many bytes of the gaps were searched.
fn read(messages: &[(&str, &str)], bytes_read: &mut usize) -> Option<Vec<String>> {
    let messages: Vec<_> = messages
        .iter()
        .map(|&(role, text)| Message {
            role,
            text,
            trimmed: text.trim(),
        })
        .collect();
    let texts = KNOWN.0.iter().find_map(|template| {
        let mut quotes = Quotes::default();
        let fits = template.read(&messages, &mut quotes);
        *bytes_read += quotes.bytes_read;
        fits.map(|()| quotes.texts)
    })?;
    Some(texts.into_iter().map(Cow::into_owned).collect())
}

/// An entry of `templates.json`.
#[derive(Deserialize)]
struct App {
    templates: Vec<TemplateEntry>,
}

#[derive(Deserialize)]
struct TemplateEntry {
    task: String,
    /// How the conversation in a gap is written.
    #[serde(default)]
    conversation: Conversation,
    messages: Vec<PatternEntry>,
}

#[derive(Deserialize)]
struct PatternEntry {
    /// `history` stands for any number of messages, of any role. A template has at most one.
    role: String,
    /// Lines. A gap is written as `⟦its form⟧`.
    #[serde(default)]
    text: Vec<String>,
}

impl TemplateEntry {
    fn template(&self) -> Template {
        let patterns = |entries: &[PatternEntry]| -> Vec<Pattern> {
            let pattern = |it| Pattern::new(it, &self.conversation);
            entries.iter().map(pattern).collect()
        };
        let history = self.messages.iter().position(|it| it.role == "history");
        let (before, behind) = match history {
            Some(at) => (&self.messages[..at], &self.messages[at + 1..]),
            None => self.messages.split_at(self.messages.len()),
        };
        Template {
            before: patterns(before),
            has_history: history.is_some(),
            behind: patterns(behind),
        }
    }

    /// Whether the child hears the answer.
    fn is_spoken(&self) -> bool {
        self.task == "goodbye"
    }
}

struct Message<'a> {
    role: &'a str,
    text: &'a str,
    trimmed: &'a str,
}

struct Template {
    before: Vec<Pattern>,
    has_history: bool,
    behind: Vec<Pattern>,
}

impl Template {
    fn read<'a>(&self, messages: &[Message<'a>], quotes: &mut Quotes<'a>) -> Option<()> {
        let known = self.before.len() + self.behind.len();
        // Open WebUI puts the system prompt of the family's own model before its requests.
        let has_system = !self.has_history
            && messages.len() == known + 1
            && messages.first().is_some_and(|it| it.role == "system");
        let (system, messages) = messages.split_at(usize::from(has_system));
        let unknown = messages.len().checked_sub(known)?;
        if unknown > 0 && !self.has_history {
            return None;
        }
        let (before, rest) = messages.split_at(self.before.len());
        let (history, behind) = rest.split_at(unknown);

        let pairs = || {
            let before = self.before.iter().zip(before);
            before.chain(self.behind.iter().zip(behind))
        };
        if !pairs().all(|(pattern, message)| pattern.begins(message)) {
            return None;
        }
        system.iter().for_each(|it| quotes.push(it.text));
        for (pattern, message) in self.before.iter().zip(before) {
            pattern.read(message, quotes)?;
        }
        history.iter().for_each(|it| quotes.push(it.text));
        for (pattern, message) in self.behind.iter().zip(behind) {
            pattern.read(message, quotes)?;
        }
        Some(())
    }
}

/// A message with gaps.
struct Pattern {
    role: String,
    opening: String,
    /// Each gap, and the words between it and the next one.
    gaps: Vec<(Gap, String)>,
}

impl Pattern {
    fn new(entry: &PatternEntry, conversation: &Conversation) -> Self {
        let text = entry.text.join("\n");
        let mut parts = text.trim().split('⟦');
        Self {
            role: entry.role.clone(),
            opening: parts.next().unwrap_or_default().to_owned(),
            gaps: parts
                .map(|part| {
                    let (form, words) = part.split_once('⟧').expect("a gap is closed");
                    (Gap::new(form, conversation), words.to_owned())
                })
                .collect(),
        }
    }

    /// Whether the message has the role, the opening and the ending. Few messages that have them cost a search.
    fn begins(&self, message: &Message<'_>) -> bool {
        let ending = self.gaps.last().map_or("", |(_, words)| words);
        message.role == self.role
            && message.trimmed.starts_with(&self.opening)
            && message.trimmed.ends_with(ending)
    }

    fn read<'a>(&self, message: &Message<'a>, quotes: &mut Quotes<'a>) -> Option<()> {
        let rest = message.trimmed.strip_prefix(&*self.opening)?;
        let Some(((last, ending), gaps)) = self.gaps.split_last() else {
            return rest.is_empty().then_some(());
        };
        let mut rest = rest.strip_suffix(&**ending)?;
        for (gap, words) in gaps {
            let (quoted, behind) = quotes.split_once(rest, words)?;
            gap.read(quoted, quotes)?;
            rest = behind;
        }
        last.read(rest, quotes)
    }
}
