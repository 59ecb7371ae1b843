//! The bundled conversations of which it is known what is to be found in them.

use serde::Deserialize;

use super::conversation::Conversation;
use super::request::Said;
use crate::alerts::Concern;
use crate::conversations::transcripts::Speaker;

const CASES: &str = include_str!("cases.json");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseLanguage {
    En,
    De,
    Fr,
    Es,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseMessage {
    pub source: Speaker,
    pub text: String,
}

/// A conversation of which it is known what is to be found in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    pub id: String,
    pub language: CaseLanguage,
    /// The parents' own.
    pub blocked_topics: Vec<String>,
    pub messages: Vec<CaseMessage>,
    /// `None` if it is harmless.
    pub concern: Option<Concern>,
    /// Other concerns that are right for it as well.
    pub also: Vec<Concern>,
    /// The indexes of the messages that show the concern.
    pub passages: Vec<usize>,
}

impl Case {
    pub fn conversation(&self) -> Conversation {
        let said = |message: &CaseMessage| Said::new(message.source, &message.text);
        Conversation::new(
            self.messages.iter().map(said).collect(),
            &self.blocked_topics,
        )
    }

    /// Whether a finding of this concern is right.
    pub fn has(&self, concern: Concern) -> bool {
        self.concern == Some(concern) || self.also.contains(&concern)
    }
}

pub fn cases() -> Vec<Case> {
    serde_json::from_str(CASES).expect("the bundled cases are well formed")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::alerts::Severity;
    use crate::alerts::reviewer::answer::RawFinding;
    use crate::alerts::reviewer::locating::locate;
    use crate::rules::blocked_topics::MANDATORY;

    #[test]
    fn there_are_enough_cases_and_at_least_half_of_them_are_harmless_in_each_language() {
        let mut counts = BTreeMap::<_, (usize, usize)>::new();
        for case in cases() {
            let (all, harmless) = counts.entry(case.language).or_default();
            *all += 1;
            *harmless += usize::from(case.concern.is_none());
        }

        assert_eq!(counts.len(), 4);
        let all = counts.values().map(|(all, _)| all).sum::<usize>();
        let harmless = counts.values().map(|(_, harmless)| harmless).sum::<usize>();
        assert!(all >= 160, "{all}");
        assert!(harmless * 2 >= all, "{harmless} of {all}");
        for (language, (all, harmless)) in counts {
            assert!(all >= 40, "{language:?}: {all}");
            assert!(harmless * 5 >= all * 2, "{language:?}: {harmless} of {all}");
        }
    }

    #[test]
    fn each_concern_occurs_and_each_case_is_there_once() {
        let cases = cases();
        let concerns = cases.iter().filter_map(|case| case.concern);
        let concerns = concerns.collect::<BTreeSet<_>>();
        assert_eq!(concerns, Concern::ALL.into());
        let ids = cases.iter().map(|case| &case.id).collect::<BTreeSet<_>>();
        assert_eq!(ids.len(), cases.len());
        let texts = cases.iter().map(|case| {
            let texts = case.messages.iter().map(|message| message.text.as_str());
            texts.collect::<Vec<_>>().join("\n")
        });
        assert_eq!(texts.collect::<BTreeSet<_>>().len(), cases.len());
        for case in &cases {
            let id = &case.id;
            assert_eq!(case.concern.is_none(), case.passages.is_empty(), "{id}");
            assert!(case.concern.is_some() || case.also.is_empty(), "{id}");
            assert!(
                case.concern
                    .is_none_or(|concern| !case.also.contains(&concern))
            );
            let is_blocked = case.has(Concern::BlockedTopic);
            assert!(!is_blocked || !case.blocked_topics.is_empty(), "{id}");
        }
    }

    #[test]
    fn each_passage_can_be_quoted() {
        for case in cases() {
            let said = case.conversation().said;
            let ids = (0..said.len()).map(|index| index.to_string());
            let ids = ids.collect::<Vec<_>>();
            for passage in &case.passages {
                let finding = RawFinding {
                    concern: case.concern.unwrap(),
                    message_id: passage.to_string(),
                    quote: case.messages[*passage].text.clone(),
                    severity: Severity::Look,
                };
                let located = locate(&[finding], &ids, &said);
                assert_eq!(located.findings.len(), 1, "{} {passage}", case.id);
                assert_eq!(located.findings[0].message, *passage, "{}", case.id);
            }
        }
    }

    #[test]
    fn a_case_is_sent_with_the_topics_that_are_always_blocked() {
        let cases = cases();
        let case = cases.iter().find(|case| !case.blocked_topics.is_empty());
        let case = case.unwrap();
        let topics = case.conversation().blocked_topics;

        assert_eq!(topics.len(), MANDATORY.len() + case.blocked_topics.len());
        assert!(topics.ends_with(&case.blocked_topics));
    }
}
