//! Decides which findings count: those whose quote stands in the message that they name.

use std::collections::HashSet;

use super::answer::RawFinding;
use super::request::Said;
use crate::alerts::{Concern, Severity};
use crate::kernel::host::words::{Quoted, find_quote};

/// The maximum number of findings of one answer. Further ones are dropped.
const MOST: usize = 20;

/// The minimum length of a quote that isn't the whole message, in characters.
const SHORTEST_QUOTE: usize = 12;

/// A place in a conversation that a model pointed at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub concern: Concern,
    pub severity: Severity,
    /// The message's index in the request.
    pub message: usize,
    /// The quote in the message's text, in UTF-16 units.
    pub range: [usize; 2],
}

/// What is left of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Located {
    /// Without duplicates, in the answer's order.
    pub findings: Vec<Finding>,
    /// The concerns of those that were dropped because their quote is not in the message that they name, or is too short to tell.
    pub not_there: Vec<Concern>,
}

/// Keeps the findings whose quotes are there. `ids` and `said` are the request's.
pub fn locate(raw: &[RawFinding], ids: &[String], said: &[Said]) -> Located {
    let mut located = Located::default();
    let mut seen = HashSet::new();
    for finding in raw {
        if located.findings.len() + located.not_there.len() >= MOST {
            break;
        }
        if !seen.insert(finding) {
            continue;
        }
        match place_of(finding, ids, said) {
            Some(place) if !located.findings.contains(&place) => located.findings.push(place),
            Some(_) => {}
            None => located.not_there.push(finding.concern),
        }
    }
    located
}

fn place_of(finding: &RawFinding, ids: &[String], said: &[Said]) -> Option<Finding> {
    let message = ids.iter().position(|id| *id == finding.message_id)?;
    let quoted = find_quote(&said.get(message)?.text, &finding.quote)?;
    let Quoted {
        range,
        length,
        is_whole,
    } = quoted;
    (is_whole || length >= SHORTEST_QUOTE).then_some(Finding {
        concern: finding.concern,
        severity: finding.severity,
        message,
        range,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;
    use crate::conversations::transcripts::Speaker;

    fn said_of(texts: &[&str]) -> Vec<Said> {
        let said = |text: &&str| Said::new(Speaker::Child, *text);
        texts.iter().map(said).collect()
    }

    fn ids(count: usize) -> Vec<String> {
        (1..=count).map(|number| format!("ab-{number}")).collect()
    }

    fn raw(message_id: &str, quote: &str) -> RawFinding {
        RawFinding {
            concern: Concern::Danger,
            message_id: message_id.to_owned(),
            quote: quote.to_owned(),
            severity: Severity::Look,
        }
    }

    #[test]
    fn a_quote_counts_in_the_message_that_is_named_alone() {
        let said = said_of(&["I climbed on the roof.", "No way", "Good for you, child."]);
        let ids = ids(3);
        let located = |id, quote| locate(&[raw(id, quote)], &ids, &said);

        let found = located("ab-1", "climbed on  the roof");
        assert_eq!(found.findings[0].message, 0);
        assert_eq!(found.findings[0].range, [2, 21]);
        assert_eq!(located("ab-2", "No way").findings.len(), 1);
        for (id, quote) in [
            ("ab-2", "climbed on the roof"),
            ("ab-4", "climbed on the roof"),
            ("", "climbed on the roof"),
            ("ab-1", "climbed on the wall"),
            ("ab-1", "on the roof"),
            ("ab-2", "way"),
            ("ab-1", ""),
        ] {
            let not_there = Located {
                findings: Vec::new(),
                not_there: vec![Concern::Danger],
            };
            assert_eq!(located(id, quote), not_there, "{id} {quote}");
        }
    }

    #[test]
    fn what_repeats_itself_counts_once_and_a_flood_ends() {
        let said = said_of(&["I climbed on the roof."]);
        let ids = ids(1);
        let same = vec![raw("ab-1", "I climbed on the roof."); 500];
        assert_eq!(locate(&same, &ids, &said).findings.len(), 1);
        let respelled = [
            raw("ab-1", "climbed on the"),
            raw("ab-1", " climbed on the"),
        ];
        assert_eq!(locate(&respelled, &ids, &said).findings.len(), 1);

        let text = "x".repeat(100);
        let said = said_of(&[&text]);
        let many = (12..90).map(|length| raw("ab-1", &"x".repeat(length)));
        let many = many.collect::<Vec<_>>();
        assert_eq!(locate(&many, &ids, &said).findings.len(), MOST);
        let lies = (0..90).map(|number| raw("ab-1", &format!("not there {number}")));
        let lies = lies.collect::<Vec<_>>();
        assert_eq!(locate(&lies, &ids, &said).not_there.len(), MOST);
    }

    /// Another reading of how quotes are compared.
    fn compared(text: &str) -> String {
        let composed = text.nfc().collect::<String>();
        let words =
            composed.split(|it: char| it.is_whitespace() && it != '\u{85}' || it == '\u{feff}');
        let words = words.filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join(" ")
    }

    fn text() -> impl Strategy<Value = String> {
        let pieces = vec![
            "I want ",
            "to climb ",
            "on the roof",
            " tonight",
            "é",
            "e\u{301}",
            "\n",
            "  ",
            "\u{a0}",
            "🌙",
            "가",
            "\u{1100}\u{1161}",
            "\"",
            "\\",
            "x",
        ];
        prop::collection::vec(prop::sample::select(pieces), 0..8).prop_map(|parts| parts.concat())
    }

    /// A quote of one of the texts, perhaps changed, or any text.
    fn quote(texts: Vec<String>) -> impl Strategy<Value = String> {
        let part = (
            prop::sample::select(texts),
            any::<prop::sample::Index>(),
            any::<prop::sample::Index>(),
        );
        let part = part.prop_map(|(text, from, to)| {
            let characters = text.chars().collect::<Vec<_>>();
            let (from, to) = (
                from.index(characters.len() + 1),
                to.index(characters.len() + 1),
            );
            characters[from.min(to)..from.max(to)]
                .iter()
                .collect::<String>()
        });
        let respaced = part.clone().prop_map(|text| text.replace(' ', " \n"));
        let respelled = part.clone().prop_map(|text| text.nfd().collect());
        prop_oneof![part, respaced, respelled, text(), any::<String>()]
    }

    fn case() -> impl Strategy<Value = (Vec<String>, Vec<RawFinding>)> {
        prop::collection::vec(text(), 1..5).prop_flat_map(|texts| {
            let ids = 1..=texts.len() + 1;
            let finding = (
                prop::sample::select(Concern::ALL.to_vec()),
                ids,
                quote(texts.clone()),
                prop::sample::select(Severity::ALL.to_vec()),
            );
            let finding = finding.prop_map(|(concern, number, quote, severity)| RawFinding {
                concern,
                message_id: format!("ab-{number}"),
                quote,
                severity,
            });
            (Just(texts), prop::collection::vec(finding, 0..30))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn nothing_is_found_whose_quote_is_not_there((texts, raw) in case()) {
            let texts = texts.iter().map(String::as_str).collect::<Vec<_>>();
            let (ids, said) = (ids(texts.len()), said_of(&texts));
            let located = locate(&raw, &ids, &said);
            prop_assert!(located.findings.len() + located.not_there.len() <= MOST);
            for found in &located.findings {
                let text = texts[found.message];
                let [from, to] = found.range;
                let units = text.encode_utf16().collect::<Vec<_>>();
                let marked = compared(&String::from_utf16(&units[from..to]).unwrap());
                let is_quoted = raw.iter().any(|raw| {
                    let quote = compared(&raw.quote);
                    raw.concern == found.concern
                        && raw.message_id == ids[found.message]
                        && marked.contains(&quote)
                        && (quote.chars().count() >= SHORTEST_QUOTE || quote == compared(text))
                        && !quote.is_empty()
                });
                prop_assert!(is_quoted, "{marked:?} in {text:?}");
            }
        }
    }
}
