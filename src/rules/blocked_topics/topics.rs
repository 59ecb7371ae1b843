//! The validation rules of blocked topics.
//!
//! The page has the same rules in TypeScript; both are tested with `tests/blocked-topics-cases.json`.

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Serialize;

use crate::kernel::host::words;
use crate::kernel::http::problem::refusals;

/// Always blocked, for every child, and never stored.
pub const MANDATORY: [&str; 7] = [
    "Sexual Exploitation and Explicit Content Involving Minors",
    "Sexually Explicit or Suggestive Content",
    "Promotion of Illegal Activities",
    "Manipulative or Deceptive Techniques",
    "Exploitation of Vulnerabilities",
    "Violence, Hate, and Harassment",
    "Privacy and Unauthorized Surveillance",
];

/// Words that would block nearly everything.
const TOO_GENERAL: [&str; 9] = ["the", "a", "is", "and", "or", "it", "to", "in", "on"];

/// In characters.
const SHORTEST: usize = 3;

/// In characters.
const LONGEST: usize = 200;

/// The maximum number of topics in a child's list.
const MOST: usize = 500;

static MANDATORY_CASELESS: LazyLock<HashSet<String>> =
    LazyLock::new(|| MANDATORY.map(words::caseless).into());

/// A valid topic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct BlockedTopic(String);

/// Why a list of topics was rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}")]
pub struct TopicError {
    /// The index of the invalid topic; `None` if the list as a whole is invalid.
    pub index: Option<usize>,
    pub rule: TopicRule,
}

/// A validation rule; its display text is the message for the guardian.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopicRule {
    /// It would match by accident.
    #[error("\"{0}\" is too short.")]
    TooShort(String),
    /// It would match nearly everything.
    #[error("\"{0}\" is too general.")]
    TooGeneral(String),
    /// It would not fit a chip on the page, or this message.
    #[error("A topic can have at most {LONGEST} characters.")]
    TooLong,
    /// More than a page, or an assistant's prompt, can hold.
    #[error("At most {MOST} topics can be blocked.")]
    TooMany,
}

refusals! {
    TopicRule {
        TooShort(topic) => against_a_rule(TopicTooShort { topic: topic }),
        TooGeneral(topic) => against_a_rule(TopicTooGeneral { topic: topic }),
        TooLong => against_a_rule(TopicTooLong { most: LONGEST }),
        TooMany => against_a_rule(TooManyTopics { most: MOST }),
    }
}

impl BlockedTopic {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Builds a list from the topics as sent: trimmed, without empty and mandatory topics, and without repeats that differ only
    /// in case, of which the first spelling stays.
    ///
    /// Returns the error of the first topic that can't be blocked; if all can, whether there are too many.
    pub fn list(sent: impl IntoIterator<Item = String>) -> Result<Vec<Self>, TopicError> {
        let mut seen = HashSet::new();
        let mut topics = Vec::new();
        for (index, text) in sent.into_iter().enumerate() {
            let topic = words::trim(&text);
            let caseless = words::caseless(topic);
            let dropped = topic.is_empty()
                || MANDATORY_CASELESS.contains(&caseless)
                || seen.contains(&caseless);
            if !dropped {
                let refused = |rule| TopicError {
                    index: Some(index),
                    rule,
                };
                topics.push(Self::new(topic, &caseless).map_err(refused)?);
                seen.insert(caseless);
            }
        }
        if topics.len() > MOST {
            Err(TopicError {
                index: None,
                rule: TopicRule::TooMany,
            })
        } else {
            Ok(topics)
        }
    }

    fn new(topic: &str, caseless: &str) -> Result<Self, TopicRule> {
        let length = words::length(topic);
        if length < SHORTEST {
            return Err(TopicRule::TooShort(topic.to_owned()));
        }
        if TOO_GENERAL.contains(&caseless) {
            return Err(TopicRule::TooGeneral(topic.to_owned()));
        }
        if length > LONGEST {
            return Err(TopicRule::TooLong);
        }
        Ok(Self(topic.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Examples {
        constants: Constants,
        length: Vec<LengthCase>,
        lists: Vec<ListCase>,
        add: Vec<AddCase>,
        remove: Vec<RemoveCase>,
    }

    #[derive(Deserialize)]
    struct Constants {
        mandatory: Vec<String>,
        suggested: Vec<String>,
        too_general: Vec<String>,
        shortest: usize,
        longest: usize,
        most: usize,
    }

    #[derive(Deserialize)]
    struct LengthCase {
        name: String,
        text: TextOf,
        length: usize,
    }

    #[derive(Deserialize)]
    struct ListCase {
        name: String,
        sent: ListOf,
        kept: Option<ListOf>,
        refused: Option<String>,
    }

    #[derive(Deserialize)]
    struct AddCase {
        name: String,
        own: ListOf,
        #[serde(rename = "box")]
        typed: TextOf,
        suggestion: Option<String>,
        outcome: String,
        sentence: Option<String>,
        own_after: Option<ListOf>,
    }

    #[derive(Deserialize)]
    struct RemoveCase {
        name: String,
        own: ListOf,
        own_after: Option<ListOf>,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOf {
        Plain(String),
        Repeated { repeat: String, times: usize },
    }

    impl TextOf {
        fn text(self) -> String {
            match self {
                Self::Plain(text) => text,
                Self::Repeated { repeat, times } => repeat.repeat(times),
            }
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum ListOf {
        Plain(Vec<TextOf>),
        Numbered {
            numbered: usize,
            #[serde(default)]
            then: Vec<TextOf>,
        },
    }

    impl ListOf {
        fn list(self) -> Vec<String> {
            let (numbered, texts) = match self {
                Self::Plain(texts) => (0, texts),
                Self::Numbered { numbered, then } => (numbered, then),
            };
            let numbered = (1..=numbered).map(|number| format!("topic {number}"));
            numbered
                .chain(texts.into_iter().map(TextOf::text))
                .collect()
        }
    }

    fn examples() -> Examples {
        let file = include_str!("../../../tests/blocked-topics-cases.json");
        serde_json::from_str(file).expect("the examples are as they say of themselves")
    }

    /// The stored topics, or the error message.
    fn keep(sent: Vec<String>) -> Result<Vec<String>, String> {
        let kept = BlockedTopic::list(sent).map_err(|error| error.to_string())?;
        Ok(kept.into_iter().map(|topic| topic.0).collect())
    }

    #[test]
    fn the_page_has_the_same_constants() {
        let held = examples().constants;

        assert_eq!(held.mandatory, MANDATORY);
        assert_eq!(held.too_general, TOO_GENERAL);
        assert_eq!(
            (held.shortest, held.longest, held.most),
            (SHORTEST, LONGEST, MOST)
        );
        assert_eq!(
            keep(held.suggested.clone()),
            Ok(held.suggested),
            "each can be blocked"
        );
    }

    #[test]
    fn length_is_counted_as_in_the_examples() {
        for case in examples().length {
            assert_eq!(
                words::length(&case.text.text()),
                case.length,
                "{}",
                case.name
            );
        }
    }

    #[test]
    fn lists_are_kept_or_refused_as_in_the_examples() {
        for case in examples().lists {
            let expected = match (case.kept, case.refused) {
                (Some(kept), None) => Ok(kept.list()),
                (None, Some(sentence)) => Err(sentence),
                _ => panic!("{}: either kept or refused", case.name),
            };
            assert_eq!(keep(case.sent.list()), expected, "{}", case.name);
        }
    }

    #[test]
    fn the_server_stores_what_the_page_adds_and_rejects_what_it_rejects() {
        for case in examples().add {
            let own = case.own.list();
            let mut sent = own.clone();
            sent.push(case.suggestion.unwrap_or_else(|| case.typed.text()));

            let answer = keep(sent);

            assert_eq!(keep(own.clone()), Ok(own.clone()), "{}: own", case.name);
            match (case.outcome.as_str(), case.sentence) {
                ("added", None) => {
                    let after = case.own_after.map(ListOf::list);
                    assert_eq!(answer.ok(), after, "{}", case.name);
                }
                // The page rejects repeats and mandatory topics with a message; the server drops them silently.
                ("refused", Some(sentence)) => {
                    assert!(
                        answer == Err(sentence) || answer == Ok(own),
                        "{}",
                        case.name
                    );
                }
                ("ignored", None) => {}
                _ => panic!("{}: the outcome and the rest don't fit", case.name),
            }
        }
    }

    #[test]
    fn the_server_stores_what_the_page_leaves_after_a_removal() {
        for case in examples().remove {
            for list in [Some(case.own), case.own_after].into_iter().flatten() {
                let list = list.list();
                assert_eq!(keep(list.clone()), Ok(list), "{}", case.name);
            }
        }
    }
}
