//! The canonical form of a history: what the user, the assistant and the tools said, in the form in which it is compared.

use icu_normalizer::ComposingNormalizerBorrowed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

const NFKC: ComposingNormalizerBorrowed<'_> = ComposingNormalizerBorrowed::new_nfkc();

/// The length in bytes up to which texts are compared directly. The rest of a longer text is compared by its digest.
const MAX_COMPARED: usize = 16 * 1024;

/// The tools with which a model speaks instead of answering; their only argument is what it says.
const SPEAKING_TOOLS: [&str; 6] = [
    "direct_answer",
    "final_answer",
    "reply",
    "respond",
    "say",
    "speak",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    User,
    Assistant,
    ToolCall,
    ToolResult,
}

/// One entry of a history.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: Kind,
    /// Equal for texts that differ only in spaces, punctuation, emoji or case.
    pub compared: String,
    pub text: String,
    /// The speaker, if the client recognises voices.
    pub voice: Option<String>,
}

impl Item {
    pub fn user(text: &str) -> Self {
        let (text, voice) = without_wrapping(text);
        Self {
            kind: Kind::User,
            compared: compared(&text),
            text,
            voice,
        }
    }

    /// `None` if nothing was said.
    pub fn assistant(text: &str) -> Option<Self> {
        let text = without_reasoning(text);
        (!text.trim().is_empty()).then(|| Self {
            kind: Kind::Assistant,
            compared: compared(&text),
            text,
            voice: None,
        })
    }

    /// What the model said with the tool, if it is one for speaking.
    pub fn tool_call(name: &str, arguments: &Value) -> Self {
        let arguments = match arguments {
            Value::String(json) => serde_json::from_str(json).unwrap_or(arguments.clone()),
            other => other.clone(),
        };
        let spoken = spoken(name, &arguments).and_then(Self::assistant);
        spoken.unwrap_or_else(|| Self::of_tool(Kind::ToolCall, &format!("{name} {arguments}")))
    }

    pub fn tool_result(text: &str) -> Self {
        Self::of_tool(Kind::ToolResult, text)
    }

    fn of_tool(kind: Kind, text: &str) -> Self {
        Self {
            kind,
            compared: digest(text),
            text: String::new(),
            voice: None,
        }
    }

    /// Whether it shows that the words before it were answered.
    pub fn is_answer(&self) -> bool {
        self.kind != Kind::User
    }
}

/// What a model says with a tool for speaking; `None` for other tools.
pub fn spoken<'a>(name: &str, arguments: &'a Value) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    if !SPEAKING_TOOLS.contains(&name.as_str()) {
        return None;
    }
    let mut texts = arguments.as_object()?.values().filter_map(Value::as_str);
    let first = texts.next()?;
    texts.next().is_none().then_some(first)
}

/// The letters and digits of a text in one case; the trimmed text if it has none.
pub fn compared(text: &str) -> String {
    let normalized = NFKC.normalize(text);
    let letters = normalized
        .chars()
        .filter(|character| character.is_alphanumeric())
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

/// Whether `compared` is a beginning of `whole`, and shorter. Its last word may be cut.
pub fn is_beginning(compared: &str, whole: &str) -> bool {
    !compared.is_empty() && compared.len() < whole.len() && whole.starts_with(compared)
}

/// Removes `<think>` sections; one without an end reaches to the end of the text.
pub fn without_reasoning(text: &str) -> String {
    let mut rest = text;
    let mut said = String::new();
    while let Some((before, thought)) = rest.split_once("<think>") {
        said.push_str(before);
        rest = thought
            .split_once("</think>")
            .map_or("", |(_, after)| after);
    }
    said.push_str(rest);
    said
}

/// Takes the words out of `{"speaker": …, "content": …}`, as xiaozhi sends them when it knows the voice.
fn without_wrapping(text: &str) -> (String, Option<String>) {
    const FIELDS: [&str; 4] = ["speaker", "content", "language", "emotion"];
    let wrapped = text
        .starts_with('{')
        .then(|| serde_json::from_str::<serde_json::Map<String, Value>>(text).ok())
        .flatten()
        .filter(|fields| fields.keys().all(|field| FIELDS.contains(&field.as_str())));
    let field = |name| wrapped.as_ref()?.get(name)?.as_str().map(str::to_owned);
    match field("content") {
        Some(words) => (words, field("speaker")),
        None => (text.to_owned(), None),
    }
}

/// The text of a message's `content`: a string or a list of parts.
pub fn text_of(content: &Value) -> String {
    let Value::Array(parts) = content else {
        return content.as_str().unwrap_or_default().to_owned();
    };
    let texts = parts.iter().map(|part| match part["type"].as_str() {
        _ if part.is_string() => part.as_str().unwrap_or_default(),
        Some("image_url" | "input_image" | "image") => "[picture]",
        Some("input_audio" | "audio") => "[sound]",
        Some("file" | "input_file") => "[file]",
        Some("refusal") => part["refusal"].as_str().unwrap_or_default(),
        _ => part["text"].as_str().unwrap_or_default(),
    });
    let texts = texts.filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
    fn a_shorter_beginning_may_end_inside_a_word() {
        assert!(is_beginning("rivers wa", "rivers wash"));
        assert!(!is_beginning("rivers", "rivers"));
        assert!(!is_beginning("", "rivers"));
        assert!(!is_beginning("fish", "rivers"));
    }

    #[test]
    fn reasoning_is_no_answer() {
        for (text, said) in [
            ("<think>A child.</think>\nHello!", "\nHello!"),
            ("Well <think>hm</think>yes<think>or", "Well yes"),
            ("no </think> here", "no </think> here"),
        ] {
            assert_eq!(without_reasoning(text), said);
        }
        assert!(Item::assistant("<think>Still thinking").is_none());
    }

    #[test]
    fn a_known_voice_is_taken_out_of_its_wrapping() {
        let known = Item::user(r#"{"speaker": "Pia", "content": "Hello!"}"#);
        assert_eq!(known.text, "Hello!");
        assert_eq!(known.voice.as_deref(), Some("Pia"));

        for text in [
            r#"{"content": "Hello!", "secret": 1}"#,
            "{",
            r#"{"content": 5}"#,
        ] {
            assert_eq!(Item::user(text).text, text);
        }
    }

    #[test]
    fn arguments_are_equal_as_a_string_and_as_an_object() {
        let call = |arguments| Item::tool_call("get", &arguments).compared;

        assert_eq!(
            call(json!(r#"{"b": 1, "a": "x"}"#)),
            call(json!({"a": "x", "b": 1}))
        );
        assert_ne!(call(json!({"a": "x"})), call(json!({"a": "y"})));
    }

    #[test]
    fn a_tool_for_speaking_speaks() {
        let spoke = Item::tool_call("direct_answer", &json!(r#"{"response": "Fish do."}"#));
        assert_eq!(
            (spoke.kind, spoke.text.as_str()),
            (Kind::Assistant, "Fish do.")
        );

        for arguments in [
            json!({"a": "x", "b": "y"}),
            json!({"a": 1}),
            json!("x"),
            json!(null),
        ] {
            assert_eq!(Item::tool_call("say", &arguments).kind, Kind::ToolCall);
        }
    }

    #[test]
    fn parts_become_one_text() {
        let content = json!([
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": "data:,"}},
            {"type": "input_audio"}, {"type": "file"}, {"type": "refusal", "refusal": "No."},
            "more", {"text": "and more"}, {"type": "new"}, 5, null
        ]);
        assert_eq!(
            text_of(&content),
            "What is this? [picture] [sound] [file] No. more and more"
        );
        assert_eq!(text_of(&json!(null)), "");
        assert_eq!(text_of(&json!({"text": "x"})), "");
    }
}
