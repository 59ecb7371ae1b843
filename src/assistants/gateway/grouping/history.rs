//! The canonical form of a history: what the user, the assistant and the tools said, in the form in which it is compared.

use icu_normalizer::ComposingNormalizerBorrowed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_with::skip_serializing_none;
use sha2::{Digest, Sha256};

use super::kind::Kind;
use super::readable::readable;
use super::templates::is_apps_message;
use super::text_hash::{TextHash, TextKey};
use crate::assistants::gateway::answer::{Part, Thoughts, spoken};

const NFKC: ComposingNormalizerBorrowed<'_> = ComposingNormalizerBorrowed::new_nfkc();

/// The length in bytes up to which texts are compared directly. The rest of a longer text is compared by its digest.
const MAX_COMPARED: usize = 16 * 1024;

/// How much of a compared text the hash of its beginning covers, in characters.
const START: usize = 8;

/// Longer arguments of a tool are compared as they stand, and never parsed: a parsed value can take 80 times its text.
const MAX_PARSED: usize = 16 * 1024;

/// One entry of a history.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    /// Equal for texts that differ only in spaces, punctuation, emoji or case. Empty if nothing was said.
    pub compared: String,
    pub hash: TextHash,
    /// The hash of the beginning.
    pub start: u32,
    /// The hash of the text with its punctuation, but for its spaces and width.
    pub exact: TextHash,
    pub text: String,
    /// The speaker, if the client recognises voices.
    pub voice: Option<String>,
    /// What the model reads around the words, if the client wraps them.
    pub around: Option<String>,
    /// Whether a known app sends this very text in the user's name.
    pub is_apps_own: bool,
}

impl Item {
    pub fn user(text: &str, key: &TextKey) -> Self {
        let Some(wrapped) = unwrapped(text) else {
            return Self {
                is_apps_own: is_apps_message(text),
                ..Self::said(Kind::User, text.to_owned(), key)
            };
        };
        let around = serde_json::to_string(&wrapped).expect("it has only texts");
        Self {
            voice: Some(wrapped.speaker),
            around: Some(around),
            ..Self::said(Kind::User, wrapped.content, key)
        }
    }

    pub fn assistant(text: &str, key: &TextKey) -> Self {
        Self::said(Kind::Assistant, text.to_owned(), key)
    }

    /// What the model said with the tool, if it is one for speaking.
    pub fn tool_call(name: &str, arguments: &str, key: &TextKey) -> Self {
        let parsed = parsed(arguments);
        if let Some(said) = parsed.as_ref().and_then(|it| spoken(name, it)) {
            return Self::assistant(said, key);
        }
        let canonical = parsed.map_or_else(|| arguments.to_owned(), |it| it.to_string());
        let compared = digest(&format!("{name} {canonical}"));
        let text = format!("{name} {}", readable(arguments));
        Self::new(Kind::ToolCall, compared, text, key)
    }

    pub fn tool_result(text: &str, key: &TextKey) -> Self {
        Self::new(Kind::ToolResult, digest(text), text.to_owned(), key)
    }

    fn said(kind: Kind, text: String, key: &TextKey) -> Self {
        let normalized = NFKC.normalize(&text);
        let compared = letters_of(&normalized, &text);
        let mut exact = normalized.into_owned();
        exact.retain(|character| !character.is_whitespace());
        Self {
            exact: key.of_app("exact", &exact),
            ..Self::new(kind, compared, text, key)
        }
    }

    /// The compared form of a tool's texts leaves nothing out.
    fn new(kind: Kind, compared: String, text: String, key: &TextKey) -> Self {
        let start = compared.char_indices().nth(START);
        let start = &compared[..start.map_or(compared.len(), |(end, _)| end)];
        let hash = key.of_item(kind, &compared);
        Self {
            kind,
            hash,
            exact: hash,
            start: key.of_app("start", start).short(),
            compared,
            text,
            voice: None,
            around: None,
            is_apps_own: false,
        }
    }

    /// Whether it shows that the words before it were answered.
    pub fn is_answer(&self) -> bool {
        self.kind != Kind::User
    }

    /// Whether it has no text at all.
    pub fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether the beginning of its text is too short for [`Self::start`] to tell anything of a longer text.
    pub fn is_short(&self) -> bool {
        self.compared.chars().nth(START - 1).is_none()
    }
}

/// The arguments as a value, if they are JSON of a moderate size.
fn parsed(arguments: &str) -> Option<Value> {
    let is_moderate = arguments.len() <= MAX_PARSED;
    is_moderate
        .then(|| serde_json::from_str(arguments).ok())
        .flatten()
}

/// Whether a character says something without being a letter or digit: arithmetic, and what stands for letters in a code (Braille,
/// blocks, private use, tags). Clients drop other signs, such as Markdown's.
fn is_said(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(
            character,
            '+' | '<' | '=' | '>'
                | '\u{2580}'..='\u{259f}'
                | '\u{2800}'..='\u{28ff}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{e0000}'..='\u{e007f}'
                | '\u{f0000}'..='\u{10ffff}'
        )
}

/// The letters and digits of a text in one case; the trimmed text if it has none.
pub fn compared(text: &str) -> String {
    letters_of(&NFKC.normalize(text), text)
}

fn letters_of(normalized: &str, text: &str) -> String {
    let letters = normalized
        .chars()
        .filter(|character| is_said(*character))
        .flat_map(char::to_lowercase)
        .collect::<String>();
    let whole = if letters.is_empty() {
        text.trim().to_owned()
    } else {
        letters
    };
    if whole.len() <= MAX_COMPARED {
        return whole;
    }
    let kept = whole.floor_char_boundary(MAX_COMPARED);
    format!("{}#{}", &whole[..kept], digest(&whole))
}

fn digest(text: &str) -> String {
    hex::encode(&Sha256::digest(text)[..8])
}

/// Separates a text from its `<think>` sections; one without an end reaches to the end of the text.
pub fn split_reasoning(text: &str) -> (String, String) {
    let (mut said, mut thoughts) = (String::new(), String::new());
    let mut add = |part, text: &str| match part {
        Part::Said => said.push_str(text),
        Part::Thought => thoughts.push_str(text),
    };
    let mut split = Thoughts::default();
    split.split(text, &mut add);
    let (part, held) = split.end();
    add(part, &held);
    (said, thoughts)
}

/// How much of a text was heard, in UTF-16 code units: the shortest beginning with at least this compared form.
pub fn heard_units(text: &str, heard: &str) -> usize {
    let ends = text.char_indices().map(|(start, it)| start + it.len_utf8());
    let ends = ends.collect::<Vec<_>>();
    // The compared form grows with the text, but for a last character that combines with the one before.
    let index = ends.partition_point(|end| compared(&text[..*end]).len() < heard.len());
    let end = ends.get(index).copied().unwrap_or(text.len());
    text[..end].encode_utf16().count()
}

/// xiaozhi's message when it knows the voice.
#[skip_serializing_none]
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Wrapped {
    speaker: String,
    #[serde(skip_serializing)]
    content: String,
    language: Option<String>,
    emotion: Option<String>,
}

/// Takes the words out of `{"speaker": …, "content": …}`, as xiaozhi sends them when it knows the voice.
fn unwrapped(text: &str) -> Option<Wrapped> {
    text.starts_with('{')
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::host::randomness::Randomness;
    use crate::kernel::store::hmac_key::HmacKey;

    fn key() -> TextKey {
        TextKey(HmacKey::generate(&Randomness::repeatable()))
    }

    #[test]
    fn spaces_punctuation_emoji_and_case_do_not_count() {
        assert_eq!(compared("  It's **20** °C! 🐟"), compared("its 20°c"));
        assert_eq!(compared("ＦＩＳＨ"), "fish");
        assert_ne!(compared("🐟"), compared("🐠"));
        assert_eq!(compared(" 🐟 "), "🐟");
        assert_eq!(compared(" \n"), "");
    }

    #[test]
    fn long_texts_are_cut_and_still_differ() {
        let long = "é".repeat(MAX_COMPARED);
        let other = format!("{long}a");

        assert!(compared(&long).len() < MAX_COMPARED + 20);
        assert_eq!(compared(&long), compared(&long.to_uppercase()));
        assert_ne!(compared(&long), compared(&other));
    }

    #[test]
    fn reasoning_is_no_answer() {
        for (text, said, thoughts) in [
            ("<think>A child.</think>\nHello!", "\nHello!", "A child."),
            ("Well <think>hm</think>yes<think>or", "Well yes", "hmor"),
            ("no </think> here", "no </think> here", ""),
        ] {
            let expected = (said.to_owned(), thoughts.to_owned());
            assert_eq!(split_reasoning(text), expected);
        }
    }

    #[test]
    fn what_was_heard_is_counted_in_the_sent_text() {
        for (text, heard, units) in [
            ("Rivers **wash** salt.", "Rivers wash", 13),
            ("Rivers wash salt.", "Rivers wa", 9),
            ("🐟 Fish, é!", "fish", 7),
            ("Fish.", "fishes", 5),
        ] {
            assert_eq!(heard_units(text, &compared(heard)), units, "{text} {heard}");
        }
    }

    #[test]
    fn a_known_voice_is_taken_out_of_its_wrapping() {
        let known = Item::user(
            r#"{"speaker": "Pia", "content": "Hello!", "emotion": "sad"}"#,
            &key(),
        );
        assert_eq!(known.text, "Hello!");
        assert_eq!(known.voice.as_deref(), Some("Pia"));
        // The model reads the rest, too.
        assert_eq!(
            known.around.as_deref(),
            Some(r#"{"speaker":"Pia","emotion":"sad"}"#)
        );

        for text in [
            r#"{"speaker": "Pia", "content": "Hello!", "secret": 1}"#,
            "{",
            r#"{"content": "Hello!"}"#,
        ] {
            assert_eq!(Item::user(text, &key()).text, text);
        }
    }

    #[test]
    fn arguments_are_compared_without_their_spaces_and_order() {
        let call = |arguments| Item::tool_call("get", arguments, &key()).compared;

        assert_eq!(call(r#"{"b": 1, "a": "x"}"#), call(r#"{"a":"x","b":1}"#));
        assert_ne!(call(r#"{"a": "x"}"#), call(r#"{"a": "y"}"#));
    }

    #[test]
    fn a_tool_for_speaking_speaks() {
        let spoke = Item::tool_call("direct_answer", r#"{"response": "Fish do."}"#, &key());
        assert_eq!(
            (spoke.kind, spoke.text.as_str()),
            (Kind::Assistant, "Fish do.")
        );

        for arguments in [r#"{"a": "x", "b": "y"}"#, r#"{"a": 1}"#, "x", "null"] {
            let call = Item::tool_call("say", arguments, &key());
            assert_eq!(call.kind, Kind::ToolCall);
            assert_eq!(call.text, format!("say {arguments}"));
        }
    }
}
