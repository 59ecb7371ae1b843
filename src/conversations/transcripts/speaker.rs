//! Who said a message.

use serde::Deserialize;

use super::Message;
use crate::kernel::host::words::{fold, trim};

/// The source label of the assistant's own messages.
const ASSISTANT: &str = "assistant";

/// Source labels of the child besides its name and no label.
const CHILD: [&str; 3] = ["child", "user", "human"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    Child,
    Assistant,
    Other,
}

/// The folded names that tell the child from other people, and who speaks in case of doubt.
#[derive(Clone, Copy, Debug)]
pub enum Names<'a> {
    /// Everybody is the child, except a voice with one of these names: an alert must not be missed. A source label exempts
    /// nothing, because it may name the owner of a device.
    Others(&'a [String]),
    /// Only the child with this name, and messages that name nobody: another person's words must not be shown as the child's.
    Child(&'a str),
}

impl Names<'_> {
    /// Everybody but the assistant is the child.
    pub const UNKNOWN: Self = Self::Others(&[]);
}

impl Speaker {
    pub fn of(source: Option<&str>, voice: Option<&str>, names: Names<'_>) -> Self {
        if source == Some(ASSISTANT) {
            return Self::Assistant;
        }
        let folded = |name: Option<&str>| name.map(|name| fold(trim(name)));
        let is_child = match names {
            Names::Others(others) => folded(voice).is_none_or(|voice| !others.contains(&voice)),
            Names::Child(child) => {
                folded(source).is_none_or(|it| it == child || CHILD.contains(&it.as_str()))
                    && folded(voice).is_none_or(|it| it == child)
            }
        };
        if is_child { Self::Child } else { Self::Other }
    }
}

impl Message {
    /// Who said it, as far as its labels and the known names tell.
    pub fn said_by(&self, names: Names<'_>) -> Speaker {
        Speaker::of(self.source.as_deref(), self.speaker.as_deref(), names)
    }

    pub fn is_assistants(&self) -> bool {
        self.said_by(Names::UNKNOWN) == Speaker::Assistant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_label_the_voice_and_known_names_decide_who_spoke() {
        use Speaker::{Assistant, Child, Other};
        let others = [fold("Leo")];
        let mia = fold("Mia");
        // The source label, the voice, and who spoke if nobody's name, a brother's name, or the child's name is known.
        let cases = [
            (Some("assistant"), None, [Assistant; 3]),
            (Some("assistant"), Some("Leo"), [Assistant; 3]),
            (Some("Assistant"), None, [Child, Child, Other]),
            (None, None, [Child; 3]),
            (Some("child"), None, [Child; 3]),
            (Some("user"), None, [Child; 3]),
            (Some(" Human "), None, [Child; 3]),
            (Some("MIA"), Some("mia "), [Child; 3]),
            (Some("user"), Some("unknown"), [Child, Child, Other]),
            (Some("user"), Some(" LEO "), [Child, Other, Other]),
            (None, Some("Leo"), [Child, Other, Other]),
            (Some("Leo"), None, [Child, Child, Other]),
            (Some("dad"), None, [Child, Child, Other]),
            (Some("app"), None, [Child, Child, Other]),
            (Some("tool"), None, [Child, Child, Other]),
        ];

        for (source, voice, expected) in cases {
            let known = [Names::UNKNOWN, Names::Others(&others), Names::Child(&mia)];
            let found = known.map(|names| Speaker::of(source, voice, names));
            assert_eq!(found, expected, "{source:?} {voice:?}");
        }
    }
}
