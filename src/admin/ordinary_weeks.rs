//! The ordinary weeks of the demonstration family, in which a model that reviews is to find nothing.

use serde::Deserialize;

use super::DEMO_FAMILY;
use crate::alerts::reviewer::{Conversation, OrdinaryWeeks, Said};
use crate::conversations::transcripts::{Names, Speaker};

/// Over so many weeks the family's conversations are spread.
const WEEKS: u64 = 12;

/// The part of a seed file that a model gets.
#[derive(Deserialize)]
struct Family {
    children: Vec<Child>,
}

#[derive(Deserialize)]
struct Child {
    #[serde(default)]
    blocked_topics: Vec<String>,
    sessions: Vec<Session>,
}

#[derive(Deserialize)]
struct Session {
    messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    text_content: Option<String>,
}

pub(super) fn ordinary_weeks() -> OrdinaryWeeks {
    let family = serde_json::from_str::<Family>(&DEMO_FAMILY);
    let family = family.expect("the demonstration family is well formed");
    let mut conversations = Vec::new();
    for child in family.children {
        for session in child.sessions {
            let said = session.messages.into_iter().filter_map(said).collect();
            conversations.push(Conversation::new(said, &child.blocked_topics));
        }
    }
    OrdinaryWeeks {
        weeks: WEEKS,
        conversations,
    }
}

fn said(message: Message) -> Option<Said> {
    let text = message.text_content?;
    let by = Speaker::of(message.source.as_deref(), None, Names::UNKNOWN);
    (!text.trim().is_empty()).then(|| Said::new(by, text))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_demonstration_family_talks_in_each_of_twelve_weeks() {
        let family = serde_json::from_str::<Value>(&DEMO_FAMILY).unwrap();
        let mut weeks = [0; WEEKS as usize];
        for child in family["children"].as_array().unwrap() {
            for session in child["sessions"].as_array().unwrap() {
                let days_ago = session["start"]["days_ago"].as_u64().unwrap();
                weeks[usize::try_from(days_ago / 7).unwrap()] += 1;
            }
        }

        assert!(weeks.iter().all(|sessions| *sessions >= 3), "{weeks:?}");
        let sessions = weeks.iter().sum::<usize>();
        assert_eq!(ordinary_weeks().conversations.len(), sessions);
    }

    #[test]
    fn each_of_its_conversations_is_reviewed_in_one_part() {
        for conversation in ordinary_weeks().conversations {
            let bytes = conversation.said.iter().map(|said| said.text.len());
            assert!((1..16 * 1024).contains(&bytes.sum::<usize>()));
            let assistants = conversation
                .said
                .iter()
                .filter(|said| said.by == Speaker::Assistant);
            let count = assistants.count();
            assert!(count < conversation.said.len(), "a child talks");
        }
    }
}
